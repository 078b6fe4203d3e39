"""How a notebook shows a profile: a summary, the problems, and a card for each column."""

from mediakit.tools.data.data_profile.notebook_view.page import html

__all__ = ["html"]
