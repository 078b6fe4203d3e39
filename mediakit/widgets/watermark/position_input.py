"""The input for the position of a mark: a list, and the image to drag the mark on."""

from typing import Any

import ipywidgets as w

from mediakit.core.parameters import Parameter
from mediakit.widgets.inputs import ChoiceInput, NumberInput
from mediakit.widgets.watermark.mark_editor import MarkEditor


class MarkPositionInput(ChoiceInput):
    """One of nine positions. The editor sets the size of the mark, too."""

    wide = True

    def __init__(self, parameter: Parameter, size: NumberInput) -> None:
        super().__init__(parameter)
        self.editor = MarkEditor()
        self._box = w.VBox([self.editor, self.control])
        self._box.add_class("mediakit-mark-input")
        _link(self.control, "value", self.editor, "position")
        _link(size.control, "value", self.editor, "size_pct")

    @property
    def widget(self) -> w.DOMWidget:
        """The image and the list."""
        return self._box


def _link(control: Any, name: str, editor: Any, trait: str) -> None:
    """Keep a value of the editor equal to that of a control, which comes first."""
    editor.set_trait(trait, getattr(control, name))
    control.observe(lambda change: editor.set_trait(trait, change["new"]), name)
    editor.observe(lambda change: control.set_trait(name, change["new"]), trait)
