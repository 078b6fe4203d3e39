"""The input for several files, which the user can reorder."""

import html
import os
from collections.abc import Sequence
from pathlib import Path, PurePath
from typing import Any

import ipywidgets as w
from traitlets import Bunch

from mediakit.core.inputs import FileBytes, FileSource
from mediakit.core.parameters import Parameter
from mediakit.widgets.cells import LineButtons
from mediakit.widgets.inputs import Input


class FilesInput(Input):
    """Uploaded files, after the initial files of the form."""

    wide = True
    is_kept = False

    def __init__(self, parameter: Parameter, accept: str) -> None:
        super().__init__(parameter, w.FileUpload(accept=accept, multiple=True, description="Add files"))
        self._files: list[Any] = []
        self._rows = w.VBox()
        self._rows.add_class("mediakit-file-list")
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
        """Return the files; None if there are none."""
        return list(self._files) or None

    def fill(self, value: Any) -> None:
        """Replace the files."""
        is_list = isinstance(value, Sequence) and not isinstance(value, str | bytes | bytearray)
        self._files = list(value) if is_list else [] if value is None else [value]
        self._update()

    def snippet_value(self) -> Any:
        """Return the paths of the files, instead of their bytes."""
        return [file_path(file, number) for number, file in enumerate(self._files, 1)] or None

    def state(self) -> Any:
        """Return the files."""
        return tuple(self._files)

    def restore(self, state: Any) -> None:
        """Show other files."""
        self._files = list(state)
        self._notify()

    def _add(self, change: Bunch) -> None:
        if change["new"]:
            self._files += [FileBytes.named(bytes(file["content"]), file["name"]) for file in change["new"]]
            self._update()
            self.control.value = ()

    def _move_up(self, index: int) -> None:
        self._files[index - 1 : index + 1] = reversed(self._files[index - 1 : index + 1])
        self._notify()

    def _remove(self, index: int) -> None:
        del self._files[index]
        self._notify()

    def _notify(self) -> None:
        """Notify observers of the control. Its value does not change when files are moved or removed."""
        self._update()
        self.control.notify_change(Bunch(name="value", type="change", owner=self.control, old=(), new=()))

    def _update(self) -> None:
        count = f"{len(self._files)} {'file' if len(self._files) == 1 else 'files'}"
        self.caption.value = f"<div class='mediakit-label'>{self.parameter.name} <span>{count}</span></div>"
        self._show_rows()

    def _show_rows(self) -> None:
        """Show the files with their buttons."""
        self._rows.children = [self._row(index, file) for index, file in enumerate(self._files)]
        self._rows.layout.display = None if self._files else "none"

    def _row(self, index: int, file: Any) -> w.Box:
        name = file_path(file, index + 1).name
        buttons = LineButtons(name, "up", lambda: self._move_up(index), lambda: self._remove(index))
        buttons.move.disabled = index == 0
        shown = html.escape(name)
        row = w.Box([w.HTML(f"<span>{index + 1}</span><span title='{shown}'>{shown}</span>"), buttons.box])
        row.add_class("mediakit-file-row")
        return row


def file_path(file: Any, number: int) -> PurePath:
    """Return the path of a file, its file name, or `file-<number>` if it has none."""
    match file:
        case os.PathLike():
            return Path(file)
        case FileBytes() if file.name:
            return file.path or PurePath(file.name)
        case FileSource():
            return PurePath(getattr(file, "filename", "") or f"file-{number}.{getattr(file, 'extension', 'bin')}")
        case _:
            return PurePath(getattr(file, "name", None) or f"file-{number}")
