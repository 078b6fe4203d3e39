"""The link between a form and the notebook in the browser.

In JupyterLab and Notebook 7 it inserts cells, removes the form from the saved file, keeps the values of a form in the
metadata of its cell, and shows that the kernel is busy.
Other front ends do not expose their notebook to widgets; the form works there without these features.
"""

import anywidget
from traitlets import Unicode

from mediakit.widgets.assets import asset


class FrontEnd(anywidget.AnyWidget):
    """A status line in the form, whose script has access to the notebook."""

    _esm = asset("front_end.js")

    form = Unicode().tag(sync=True)
    """The model id of the form's box."""
    key = Unicode().tag(sync=True)
    """Identifies the form within its cell."""
    values = Unicode().tag(sync=True)
    """The values of the form as text, after a change. The script keeps them in the metadata of the cell."""
    previous = Unicode().tag(sync=True)
    """The values that the script found in the metadata of the cell, from an earlier run of it."""


def output_metadata(form_id: str) -> dict[str, object]:
    """Return the metadata of an output that displays a form.

    The script uses it to remove the form from the saved file, and to show the form again if its kernel still runs.
    """
    return {"mediakit": {"form": form_id}}
