"""The tools: a file each, and the list of them in `toolbox.py`. Each is imported when it is asked for."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
