"""Inputs for files that are chosen, dropped, pasted, or already in the folder of the notebook.

The code of a form names files. A file that exists in memory only, such as an upload, has the path at which `save`
writes it, beside the notebook, when the code is inserted or copied.
"""

import html
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import chain, count, islice
from pathlib import Path, PurePath
from typing import Any

import anywidget
import ipywidgets as w
from traitlets import Bool, Bunch, Unicode

from mediakit.core.inputs import FileBytes, FileSource, existing_path, load_file, local_file
from mediakit.core.media import detect, extension_of, type_of
from mediakit.core.messages import quote
from mediakit.core.parameters import Parameter
from mediakit.results.result import Result
from mediakit.widgets.inputs.base import Input, alert, button, group, label, labeled, mark, markup, script, styled, vbox
from mediakit.widgets.inputs.table import LineButtons

MAX_SUGGESTIONS = 200
"""Files of the folder that are suggested; the path of any file can be typed."""


def path_beside_notebook(name: str, content: bytes) -> Path:
    """Return the relative path for a file in the current directory.

    It is the first one that is free, or at which there is a file with this content.
    """
    wanted = PurePath(PurePath(name.replace("\\", "/")).name or "file")
    paths = (Path(f"{wanted.stem}-{number}{wanted.suffix}" if number else wanted) for number in count())
    return next(path for path in paths if not os.path.lexists(path) or _has_content(path, content))


def _has_content(path: Path, content: bytes) -> bool:
    try:
        return path.is_file() and path.stat().st_size == len(content) and path.read_bytes() == content
    except OSError:
        return False


def save_beside_notebook(name: str, content: bytes) -> Path:
    """Write a file to the current directory and return its relative path. No other file is replaced.

    Raises:
        OSError: The file cannot be written.
    """
    while True:
        path = path_beside_notebook(name, content)
        if path.exists():
            return path
        try:
            with path.open("xb") as file:
                file.write(content)
        except FileExistsError:  # created in the meantime
            continue
        return path


def in_memory(value: Any, name: str) -> FileBytes | None:
    """Return a file that has no path, with the name (by default `name`) under which it is saved; None for others."""
    if not isinstance(value, bytes | FileSource) or getattr(value, "path", None):
        return None
    try:
        file = load_file(value)
    except ValueError:  # the preview shows the error of the tool
        return None
    if isinstance(value, Result):
        saved = value._saved()
        return FileBytes.named(file, file.name or f"{name}.{saved.extension}")
    media = detect(file)
    return FileBytes.named(file, file.name or f"{name}.{extension_of(media) if media else 'bin'}")


def uploaded(file: Mapping[str, Any]) -> FileBytes:
    """Return a file that was uploaded, with its name."""
    return FileBytes.named(bytes(file["content"]), file["name"])


def _visible(folder: Path) -> list[Path]:
    """Return what is in a folder, sorted by name, without hidden files; nothing if it cannot be read."""
    with suppress(OSError):
        visible = (path for path in folder.iterdir() if not path.name.startswith((".", "__")))
        return sorted(visible, key=lambda path: path.name.casefold())
    return []


def _is_accepted(path: Path, accepted: str) -> bool:
    """Return whether a file has a media type, such as `image/*`, or a suffix, such as `.csv`."""
    if accepted.startswith("."):
        return path.suffix.lower() == accepted
    media = type_of(path) or ""
    return media.startswith(accepted[:-1]) if accepted.endswith("/*") else media == accepted


class DropZone(anywidget.AnyWidget):
    """A drop area below an upload button. Its script gives the file to the button, as if it was chosen there."""

    _esm = script("drop_zone.js")

    upload = Unicode().tag(sync=True)
    """The model id of the upload button."""
    text = Unicode().tag(sync=True)
    """What to drop here."""
    is_local = Bool().tag(sync=True)
    """Whether the drop area is the field, in a form with several file inputs, instead of the whole form."""

    def __init__(self, upload: w.FileUpload, text: str, *, is_local: bool = False) -> None:
        super().__init__(upload=upload.model_id, text=text, is_local=is_local)
        styled(self, "drop-zone")


class FolderInput:
    """A text for the path of a file, with the files of the notebook's folder as suggestions."""

    def __init__(self, label: str, accept: str, choose: Callable[[Path], None]) -> None:
        self._types, self._choose = [each for each in accept.split(",") if each], choose
        self.path = w.Combobox(**labeled(label), placeholder="file in this folder", continuous_update=False)
        self._note = markup()
        self.path.observe(lambda change: self._on_path(change["new"].strip()), "value")
        self.widget = vbox([self.path, self._note], "folder")
        self.update()

    def update(self) -> None:
        """List the files that the field takes and that are in the folder, or in a folder of it, now."""
        entries, types = _visible(Path()), self._types
        paths = chain(entries, *(_visible(folder) for folder in entries if folder.is_dir()))
        files = (path for path in paths if not path.is_dir())
        accepted = (path.as_posix() for path in files if not types or any(_is_accepted(path, each) for each in types))
        suggestions = tuple(islice(accepted, MAX_SUGGESTIONS))
        if suggestions != self.path.options:
            self.path.options = suggestions

    def _on_path(self, text: str) -> None:
        path = existing_path(text) if text else None
        self._note.value = alert(f"There is no file {quote(text)} in {Path.cwd()}." if text and not path else "")
        if path:
            self.path.value = ""
            self._choose(path)


class FileInput(Input):
    """An uploaded file, a file of the notebook's folder, or the initial file of the form.

    `accept` lists the accepted media types and suffixes, separated by commas. `noun` says what can be dropped, such as
    `a PDF`, on the form, or on the field if `is_local`; without one, there is no area to drop a file.
    """

    wide = True
    is_kept = False

    def __init__(self, parameter: Parameter, accept: str, noun: str = "", *, is_local: bool = False) -> None:
        super().__init__(parameter, w.FileUpload(accept=accept, multiple=False, description=f"Choose {parameter.name}"))
        self._initial: Any = None
        self.caption: w.HTML = markup()
        self._remove = button("Remove", lambda: self.restore((None, ())), tooltip=f"Remove {parameter.name}")
        self.folder = FolderInput(f"or {parameter.name} from folder", accept, lambda path: self.restore((path, ())))
        buttons = group([self.control, self._remove, self.folder.widget], "file")
        zone = [DropZone(self.control, f"or drop {noun} here, or paste one", is_local=is_local)] if noun else []
        self.widget = vbox([buttons, *zone], "drop-file")
        self.control.observe(lambda _: self._update(), "value")
        self._update()

    @property
    def stem(self) -> str:
        """The name of the file without its suffix; empty if it has no name."""
        file = self.snippet_value()
        return file.stem if isinstance(file, PurePath) else ""

    def read(self) -> Any:
        """Return the uploaded file, or the initial file."""
        return uploaded(self.control.value[0]) if self.control.value else self._initial

    def content(self) -> bytes | None:
        """Return the bytes of the file; None without a file. A file that cannot be read is a `ValueError`."""
        file = FileInput.read(self)
        return None if file is None else bytes(load_file(local_file(file)))

    def fill(self, value: Any) -> None:
        """Use an initial file until the user chooses another one."""
        self._initial = value
        self._update()

    def snippet_value(self) -> Any:
        """Return the path of the file, or the path at which it is saved, instead of its bytes."""
        if file := self._memory:
            return path_beside_notebook(file.name, file)
        file = self._initial
        path = getattr(file, "path", None) if isinstance(file, FileBytes) else file
        return Path(path) if isinstance(path, os.PathLike) else file

    def unsaved(self) -> list[str]:
        """Return the name of the file if it exists in memory only."""
        file = self._memory
        return [str(path)] if file and not (path := path_beside_notebook(file.name, file)).exists() else []

    def save(self) -> None:
        """Save the file beside the notebook, and use the saved file instead."""
        if file := self._memory:
            self.restore((save_beside_notebook(file.name, file), ()))

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
            self.notify()

    @property
    def _memory(self) -> FileBytes | None:
        return in_memory(FileInput.read(self), self.parameter.name)

    def _update(self) -> None:
        file = self.snippet_value()
        name = file.name if isinstance(file, PurePath) else "" if file is None else "from your code"
        self.folder.update()
        mark(self._remove, "gone", marked=file is None or self.parameter.required)
        self.caption.value = label(self.parameter.name, name)


class FilesInput(Input):
    """Uploaded files and files of the notebook's folder, after the initial files of the form."""

    wide = True
    is_kept = False

    def __init__(self, parameter: Parameter, accept: str) -> None:
        super().__init__(parameter, w.FileUpload(accept=accept, multiple=True, description="Add files"))
        self._files: list[Any] = []
        self._rows = vbox([], "file-list")
        self.caption: w.HTML = markup()
        self.folder = FolderInput("or add from folder", accept, lambda path: self.restore([*self._files, path]))
        buttons = group([self.control, self.folder.widget], "file")
        self.widget = vbox([self._rows, buttons], "files")
        self.control.observe(self._add, "value")
        self._update()

    def read(self) -> Any:
        """Return the files; None if there are none."""
        return list(self._files) or None

    def fill(self, value: Any) -> None:
        """Replace the files."""
        is_list = isinstance(value, Sequence) and not isinstance(value, str | bytes | bytearray)
        self._files = list(value) if is_list else [] if value is None else [value]
        self._update()

    def snippet_value(self) -> Any:
        """Return the paths of the files, or those at which they are saved, instead of their bytes."""
        return [file_path(file, number) for number, file in enumerate(self._files, 1)] or None

    def unsaved(self) -> list[str]:
        """Return the names of the files that exist in memory only."""
        files = ((file, number) for number, file in enumerate(self._files, 1) if in_memory(file, f"file-{number}"))
        return [str(path) for file in files if not (path := Path(file_path(*file))).exists()]

    def save(self) -> None:
        """Save the files beside the notebook, and use the saved files instead."""
        files = [in_memory(value, f"file-{number}") for number, value in enumerate(self._files, 1)]
        if any(files):
            saved = (file and save_beside_notebook(file.name, file) for file in files)
            self.restore([path or value for path, value in zip(saved, self._files, strict=True)])

    def state(self) -> Any:
        """Return the files."""
        return tuple(self._files)

    def restore(self, state: Any) -> None:
        """Show other files, and notify observers. The value of the control does not change when files are moved."""
        self._files = list(state)
        self._update()
        self.notify()

    def _add(self, change: Bunch) -> None:
        if change["new"]:
            self._files += map(uploaded, change["new"])
            self._update()
            self.control.value = ()

    def _update(self) -> None:
        count = f"{len(self._files)} {'file' if len(self._files) == 1 else 'files'}"
        self.caption.value = label(self.parameter.name, count)
        self.folder.update()
        self._show_rows()

    def _show_rows(self) -> None:
        self._rows.children = [self._row(index, file) for index, file in enumerate(self._files)]
        mark(self._rows, "gone", marked=not self._files)

    def _row(self, index: int, file: Any) -> w.Box:
        name = file_path(file, index + 1).name
        before, after = self._files[:index], self._files[index + 1 :]
        buttons = LineButtons(
            name,
            "up",
            lambda: self.restore([*before[:-1], file, *before[-1:], *after]),
            lambda: self.restore([*before, *after]),
        )
        buttons.move.disabled = index == 0
        shown = html.escape(name)
        text = markup(f"<span>{index + 1}</span><span title='{shown}'>{shown}</span>")
        return group([text, buttons.box], "file-row")


def file_path(file: Any, number: int) -> PurePath:
    """Return the path of a file, or the path at which it is saved."""
    if memory := in_memory(file, f"file-{number}"):
        return path_beside_notebook(memory.name, memory)
    path = getattr(file, "path", None) if isinstance(file, FileBytes) else file
    return Path(path) if isinstance(path, os.PathLike) else PurePath(getattr(file, "name", "") or f"file-{number}")
