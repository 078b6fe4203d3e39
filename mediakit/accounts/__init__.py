"""Accounts, API keys, plans, credits, rate limits and temporary links, independent of HTTP.

All functions are synchronous and thread-safe. Modules are imported on first use.
"""

from mediakit.lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
