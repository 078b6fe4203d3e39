"""An area that takes dropped and pasted files for a file input."""

import anywidget
import ipywidgets as w
from traitlets import Bool, Unicode

from mediakit.widgets.assets import asset


class DropZone(anywidget.AnyWidget):
    """A drop area below an upload button. Its script gives the file to the button, as if it was chosen there."""

    _esm = asset("drop_zone.js")

    upload = Unicode().tag(sync=True)
    """The model id of the upload button."""
    text = Unicode().tag(sync=True)
    """What to drop here."""
    is_local = Bool().tag(sync=True)
    """Whether the drop area is the field, in a form with several file inputs, instead of the whole form."""

    def __init__(self, upload: w.FileUpload, text: str, *, is_local: bool = False) -> None:
        super().__init__(upload=upload.model_id, text=text, is_local=is_local)
        self.add_class("mediakit-drop-zone")
