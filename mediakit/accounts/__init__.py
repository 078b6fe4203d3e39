"""Accounts, keys, plans, credits, rate limits and links. Knows no HTTP.

Everything here is synchronous and may be called from any thread. Nothing is imported before it is used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
