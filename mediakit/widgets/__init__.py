"""Interactive forms for notebooks."""

from mediakit.widgets.form import Form, form

__all__ = ["Form", "form"]
