"""Benchmarks of mediakit and comparable packages: `make bench`, or `python -m bench qr` for one tool.

The module of a tool defines its cases and the packages to compare with. Python code runs in a worker process
(`package_worker.py`), JavaScript code (for example `qr.cjs`) in another (`serve.cjs`).
"""
