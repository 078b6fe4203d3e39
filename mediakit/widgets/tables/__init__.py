"""The forms of tools that read a table: the editor of its columns, and a preview with the type of each column."""
