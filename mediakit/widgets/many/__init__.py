"""The tab of forms that calls the tool for every row of a table."""
