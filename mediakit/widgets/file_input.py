"""The input for a file: uploaded by the user, or an initial value from code."""

import html
import os
from pathlib import Path, PurePath
from typing import Any

import ipywidgets as w
from traitlets import Bunch

from mediakit.core.files import FileBytes
from mediakit.core.parameters import Parameter
from mediakit.results.result import Result
from mediakit.widgets.inputs import Input


class FileInput(Input):
    """An uploaded file, or the initial file of the form."""

    wide = True

    def __init__(self, parameter: Parameter, accept: str) -> None:
        super().__init__(parameter, w.FileUpload(accept=accept, multiple=False, description=f"Choose {parameter.name}"))
        self._initial: Any = None
        self.caption: w.HTML = w.HTML()
        self._remove = w.Button(description="Remove", tooltip=f"Remove {parameter.name}")
        self._remove.on_click(lambda _: self._clear())
        self._box = w.Box([self.control, self._remove])
        self._box.add_class("mediakit-file")
        self.control.observe(lambda _: self._update(), "value")
        self._update()

    @property
    def widget(self) -> w.DOMWidget:
        """The upload button and the remove button."""
        return self._box

    def read(self) -> Any:
        """Return the uploaded file, or the initial file."""
        if not self.control.value:
            return self._initial
        file = self.control.value[0]
        return FileBytes.named(bytes(file["content"]), file["name"])

    def fill(self, value: Any) -> None:
        """Use an initial file until the user uploads another one."""
        self._initial = value
        self._update()

    def snippet_value(self) -> Any:
        """Return the path of the file, instead of its bytes."""
        if self.control.value:
            return PurePath(self.control.value[0]["name"])
        if isinstance(self._initial, Result):
            return PurePath(self._initial.filename or f"image.{self._initial.extension}")
        return Path(self._initial) if isinstance(self._initial, os.PathLike) else self._initial

    def _clear(self) -> None:
        """Remove the file, and notify observers of the control even if its own value does not change."""
        self._initial = None
        if self.control.value:
            self.control.value = ()
        else:
            self.control.notify_change(Bunch(name="value", type="change", owner=self.control, old=(), new=()))

    def _update(self) -> None:
        file = self.snippet_value()
        name = file.name if isinstance(file, PurePath) else "" if file is None else "from your code"
        self._remove.layout.display = "none" if file is None or self.parameter.required else None
        self.caption.value = f"<div class='mediakit-label'>{self.parameter.name} <span>{html.escape(name)}</span></div>"
