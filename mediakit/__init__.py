"""Images, PDFs, charts, codes and clean text from a notebook, a shell or an HTTP API.

The public names stand in `__init__.pyi`, one a line. Nothing is imported before it is used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
