"""The input for a file that is chosen, dropped or pasted."""

from pathlib import PurePath

import ipywidgets as w

from mediakit.core.parameters import Parameter
from mediakit.widgets.drop_zone import DropZone
from mediakit.widgets.file_input import FileInput


class DropFileInput(FileInput):
    """An uploaded file with an area to drop or paste it."""

    def __init__(self, parameter: Parameter, accept: str, noun: str, *, is_local: bool = False) -> None:
        super().__init__(parameter, accept)
        drop_zone = DropZone(self.control, f"or drop {noun} here, or paste one", is_local=is_local)
        self._with_drop_zone = w.VBox([super().widget, drop_zone])
        self._with_drop_zone.add_class("mediakit-drop-file")

    @property
    def widget(self) -> w.DOMWidget:
        """The upload button, the remove button and the drop area."""
        return self._with_drop_zone

    @property
    def stem(self) -> str:
        """The name of the file without its suffix; empty if it has no name."""
        file = self.snippet_value()
        return file.stem if isinstance(file, PurePath) else ""
