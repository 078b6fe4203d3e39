"""Speed of mediakit beside its peers, in the same run: `make bench`, or `python -m bench qr` for one tool.

A tool's file names its cases and its peers. What is Python in it runs in a worker process (`serve.py`), what is
JavaScript lies beside it (`qr.cjs`) and runs in another (`serve.cjs`).
"""
