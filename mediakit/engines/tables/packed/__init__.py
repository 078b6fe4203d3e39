"""Columns of large, regular tables as bytes and positions, so that types are found without an object per cell.

`split` divides a delimited text into `PackedCells`; None where it is not regular, which `delimited.records` reads.
`recognition` finds the type of a column where it is certain, with the same result as `columns.texts`. A `PackedColumn`
is a `Column` that creates its values when they are needed. numpy is imported for the first such table.
"""
