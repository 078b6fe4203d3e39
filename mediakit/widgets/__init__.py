"""Interactive forms for notebooks."""

from mediakit.widgets.forms import form
from mediakit.widgets.tool_form import Form

__all__ = ["Form", "form"]
