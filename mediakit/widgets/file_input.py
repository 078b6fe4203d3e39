"""The input for a file: from the reader's computer, or from the code that made the form."""

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
    """A file from the reader's computer, or the one that the form was made with."""

    wide = True

    def __init__(self, parameter: Parameter, accept: str) -> None:
        super().__init__(parameter, w.FileUpload(accept=accept, multiple=False, description=f"Choose {parameter.name}"))
        self._start: Any = None
        self.caption: w.HTML = w.HTML()
        self._remove = w.Button(description="Remove", tooltip=f"Remove {parameter.name}")
        self._remove.on_click(lambda _: self._clear())
        self._box = w.Box([self.control, self._remove])
        self._box.add_class("mediakit-file")
        self.control.observe(lambda _: self._say(), "value")
        self._say()

    @property
    def widget(self) -> w.DOMWidget:
        """The button that chooses a file, and one that removes it."""
        return self._box

    def read(self) -> Any:
        """Give the uploaded file's bytes, else the file that the form was made with."""
        if not self.control.value:
            return self._start
        file = self.control.value[0]
        return FileBytes.named(bytes(file["content"]), file["name"])

    def fill(self, value: Any) -> None:
        """Keep a file until another one is chosen."""
        self._start = value
        self._say()

    def written(self) -> Any:
        """Name the file instead of writing its bytes."""
        if self.control.value:
            return PurePath(self.control.value[0]["name"])
        if isinstance(self._start, Result):
            return PurePath(self._start.filename or f"image.{self._start.extension}")
        return Path(self._start) if isinstance(self._start, os.PathLike) else self._start

    def _clear(self) -> None:
        """Take no file; those who watch the control hear of it even where the file came from the code."""
        self._start = None
        if self.control.value:
            self.control.value = ()
        else:
            self.control.notify_change(Bunch(name="value", type="change", owner=self.control, old=(), new=()))

    def _say(self) -> None:
        file = self.written()
        name = file.name if isinstance(file, PurePath) else "" if file is None else "from your code"
        self._remove.layout.display = "none" if file is None or self.parameter.required else None
        self.caption.value = f"<div class='mediakit-label'>{self.parameter.name} <span>{html.escape(name)}</span></div>"
