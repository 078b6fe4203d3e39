"""The input for a file: uploaded by the user, or an initial value from code."""

import html
import os
from pathlib import Path, PurePath
from typing import Any

import ipywidgets as w
from traitlets import Bunch

from mediakit.core.inputs import FileBytes
from mediakit.core.parameters import Parameter
from mediakit.results.result import Result, saved_file
from mediakit.widgets.inputs import Input
from mediakit.widgets.saved_file import save_beside_notebook


class FileInput(Input):
    """An uploaded file, or the initial file of the form."""

    wide = True
    is_kept = False

    def __init__(self, parameter: Parameter, accept: str) -> None:
        super().__init__(parameter, w.FileUpload(accept=accept, multiple=False, description=f"Choose {parameter.name}"))
        self._initial: Any = None
        self.caption: w.HTML = w.HTML()
        self._remove = w.Button(description="Remove", tooltip=f"Remove {parameter.name}")
        self._remove.on_click(lambda _: self._clear())
        self._save = w.Button(description="Save beside notebook", tooltip=f"Save {parameter.name} beside the notebook")
        self._save.on_click(lambda _: self._save_upload())
        self._note = w.HTML()
        self._box = w.Box([self.control, self._save, self._remove, self._note])
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
            saved = saved_file(self._initial)
            return PurePath(saved.filename or f"image.{saved.extension}")
        return Path(self._initial) if isinstance(self._initial, os.PathLike) else self._initial

    def state(self) -> Any:
        """Return the initial and the uploaded file."""
        return self._initial, self.control.value

    def restore(self, state: Any) -> None:
        """Show other files, and notify observers of the control even if its own value does not change."""
        self._initial, uploaded = state
        if self.control.value != uploaded:
            self.control.set_trait("value", uploaded)
        else:
            self._update()
            self.control.notify_change(Bunch(name="value", type="change", owner=self.control, old=(), new=()))

    def _save_upload(self) -> None:
        """Save the uploaded file, and use the saved file instead, so that snippets name it."""
        file = self.control.value[0]
        try:
            path = save_beside_notebook(file["name"], bytes(file["content"]))
        except OSError as error:
            self._note.value = f"<div role='alert' class='mediakit-error'>{html.escape(str(error))}</div>"
            return
        self.restore((path, ()))

    def _clear(self) -> None:
        self.restore((None, ()))

    def _update(self) -> None:
        file = self.snippet_value()
        name = file.name if isinstance(file, PurePath) else "" if file is None else "from your code"
        self._save.layout.display = None if self.control.value else "none"
        self._note.value = ""
        self._remove.layout.display = "none" if file is None or self.parameter.required else None
        self.caption.value = f"<div class='mediakit-label'>{self.parameter.name} <span>{html.escape(name)}</span></div>"
