"""Chromium: find or install it, start it, supervise it, and share it between all tools that render."""

from mediakit.engines.browser.page import Tab, View
from mediakit.engines.browser.pool import Browser, active_confinement, configure, existing, shared
from mediakit.engines.browser.process import Confinement

__all__ = ["Browser", "Confinement", "Tab", "View", "active_confinement", "configure", "existing", "shared"]
