"""One drawing function for each type of chart."""
