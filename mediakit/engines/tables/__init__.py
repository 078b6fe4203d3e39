"""Tables: readers, types of columns and writers, which all data tools share.

    document = read_file(content, "sales.csv", ReadOptions())     # in a worker: see `guarded`
    table = as_tables(document, ReadOptions()).table
    file = write(document, WriteOptions(to="xlsx")).content

`reading` finds the format, `delimited`, `readers` and `nested` read it, `columns` decides the types, `writers` write.
`clipboard` reads the small tables that are pasted into forms.
"""
