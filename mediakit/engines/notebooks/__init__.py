"""Reads Jupyter notebooks. Code of a notebook is never run.

`reading.read_notebook` reads a file of nbformat 3 or 4 as a `model.Notebook`, `richest.richest_form` chooses what is
shown of an output, and `terminal` turns the text of a terminal into plain text or HTML. Both are called in a worker
process only.
"""
