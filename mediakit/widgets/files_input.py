"""The input for several files, in an order that the user can change."""

import html
import os
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

import ipywidgets as w
from traitlets import Bunch

from mediakit.core.files import FileBytes, FileSource
from mediakit.core.parameters import Parameter
from mediakit.widgets.inputs import Input


class FilesInput(Input):
    """Uploaded files, after the initial files of the form."""

    wide = True

    def __init__(self, parameter: Parameter, accept: str) -> None:
        super().__init__(parameter, w.FileUpload(accept=accept, multiple=True, description="Add files"))
        self._files: list[Any] = []
        self._rows = w.VBox()
        self.caption: w.HTML = w.HTML()
        self._box = w.VBox([self._rows, self.control])
        self._box.add_class("mediakit-files")
        self.control.observe(self._add, "value")
        self._update()

    @property
    def widget(self) -> w.DOMWidget:
        """The list of files and the button that adds files."""
        return self._box

    def read(self) -> Any:
        """Return the files; None for none."""
        return list(self._files) or None

    def fill(self, value: Any) -> None:
        """Replace the files."""
        is_list = isinstance(value, Sequence) and not isinstance(value, str | bytes | bytearray)
        self._files = list(value) if is_list else [] if value is None else [value]
        self._update()

    def snippet_value(self) -> Any:
        """Return the paths of the files, instead of their bytes."""
        return [PurePath(_name(file, number)) for number, file in enumerate(self._files, 1)] or None

    def _add(self, change: Bunch) -> None:
        if change["new"]:
            self._files += [FileBytes.named(bytes(file["content"]), file["name"]) for file in change["new"]]
            self.control.value = ()
            self._update()

    def _move_up(self, index: int) -> None:
        self._files[index - 1 : index + 1] = reversed(self._files[index - 1 : index + 1])
        self._notify()

    def _remove(self, index: int) -> None:
        del self._files[index]
        self._notify()

    def _notify(self) -> None:
        """Notify observers of the control, whose own value has not changed."""
        self._update()
        self.control.notify_change(Bunch(name="value", type="change", owner=self.control, old=(), new=()))

    def _update(self) -> None:
        count = f"{len(self._files)} {'file' if len(self._files) == 1 else 'files'}"
        self.caption.value = f"<div class='mediakit-label'>{self.parameter.name} <span>{count}</span></div>"
        self._rows.children = [self._row(index, file) for index, file in enumerate(self._files)]

    def _row(self, index: int, file: Any) -> w.HBox:
        name = _name(file, index + 1)
        up = w.Button(description="", icon="arrow-up", tooltip=f"Move {name} up", disabled=index == 0)
        remove = w.Button(description="", icon="times", tooltip=f"Remove {name}")
        up.on_click(lambda _: self._move_up(index))
        remove.on_click(lambda _: self._remove(index))
        for button in (up, remove):
            button.layout.width = "36px"
        return w.HBox([up, remove, w.HTML(f"<span>{index + 1}. {html.escape(name)}</span>")])


def _name(file: Any, number: int) -> str:
    """Return the name of a file, or a numbered one."""
    if isinstance(file, os.PathLike):
        return PurePath(file).name
    if isinstance(file, FileBytes) and file.name:
        return file.name
    if isinstance(file, FileSource):
        return file.filename or f"file-{number}.{getattr(file, 'extension', 'bin')}"
    return file if isinstance(file, str) and len(file) < 100 else f"file-{number}"
