"""Interactive forms for notebooks."""

from mediakit.widgets.catalogue import form
from mediakit.widgets.forms.form import Form

__all__ = ["Form", "form"]
