"""Interactive forms for notebooks."""

from mediakit.widgets.form import Form
from mediakit.widgets.forms import form

__all__ = ["Form", "form"]
