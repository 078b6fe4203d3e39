"""Reads the content of PDFs: text in reading order, Markdown, tables, words, links and images.

`extraction.extract` runs in a worker process; `worker_jobs.extract` calls it without an import of PyMuPDF.
"""
