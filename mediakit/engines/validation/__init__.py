"""Validation of values: what the validators share. A tool has a `check` of one value; all else is here.

`request` has the fields for one value, several, or a column of a table; `service` runs the check in a worker process;
`result` is what the tools return.
"""
