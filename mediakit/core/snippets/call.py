"""A call as all snippets see it: the values that differ from the defaults, and the names of its files."""

import inspect
import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path, PurePath
from typing import Any

from mediakit.core.media import detect, extension_of, type_of
from mediakit.core.parameters import FORMAT_OPTIONS
from mediakit.core.spec import DescribedTool

MAX_INLINE_BYTES = 100_000
"""Size of the longest text that a snippet contains. Linux limits an argument of a command to 128 KB."""

PLACEHOLDER_NAMES = {
    "text/html": "page.html",
    "image/*": "image.png",
    "application/pdf": "document.pdf",
    "text/csv": "table.csv",
    "text/markdown": "document.md",
    "application/x-ipynb+json": "notebook.ipynb",
}
"""The name of a file that would hold an input, by media type."""


SECRET = "..."  # noqa: S105  # what stands for a password
"""What is written in place of a password."""


class Call:
    """A tool and the values of a call that differ from the defaults, in the order of the fields."""

    def __init__(self, tool: DescribedTool, values: Mapping[str, Any]) -> None:
        self.tool = tool
        self.fields = {parameter.name: parameter for parameter in tool.parameters}
        self.values: dict[str, Any] = {}
        self._arguments = inspect.signature(tool.request).parameters
        for parameter in tool.parameters:
            names = (parameter.name, *parameter.aliases)
            value = next((values[name] for name in names if name in values), None)
            if value is not None and value != self._arguments[parameter.name].default:
                self.values[parameter.name] = SECRET if parameter.is_secret else value

    def positional(self) -> set[str]:
        """Return the fields that are passed by position: those before the first omitted one."""
        names: set[str] = set()
        for argument in self._arguments.values():
            if argument.kind is not argument.POSITIONAL_OR_KEYWORD or argument.name not in self.values:
                break
            names.add(argument.name)
        return names

    def file(self, name: str) -> PurePath:
        """Return the path of a value's file, or the name of a file that would hold it."""
        return self.files(name)[0]

    def files(self, name: str) -> list[PurePath]:
        """Return the paths of a field's files, or names of files that would hold them."""
        items = self._items(name)
        several = len(items) > 1
        return [self._path(name, item, f"-{number}" if several else "") for number, item in enumerate(items, 1)]

    def is_named(self, name: str) -> bool:
        """Return whether all files of a field have paths, so that their names belong to the call."""
        return all(isinstance(item, PurePath) for item in self._items(name))

    def _items(self, name: str) -> Sequence[Any]:
        value = self.values[name]
        return value if isinstance(value, list | tuple) else [value]

    def _path(self, name: str, value: Any, suffix: str) -> PurePath:
        if isinstance(value, PurePath):
            return value
        field = self.fields[name]
        raw = next((media for media, each in self.tool.spec.raw.items() if each == name), "")
        if not field.is_file:
            return Path(PLACEHOLDER_NAMES.get("text/html" if field.kind == "html" else raw, f"{name}.txt"))
        usual = PLACEHOLDER_NAMES.get(raw, f"{name}.{'csv' if field.takes_rows else 'png'}")
        media = detect(value) if isinstance(value, bytes) else None
        return Path(f"{PurePath(usual).stem}{suffix}.{extension_of(media)}" if media else usual)

    def is_file(self, name: str) -> bool:
        """Return whether a field holds a file or several, and not rows in place of a file."""
        return name in self.fields and self.fields[name].is_file and not self.holds_rows(name)

    def holds_rows(self, name: str) -> bool:
        """Return whether the value of a field with a table file is rows."""
        value = self.values.get(name)
        return self.fields[name].takes_rows and isinstance(value, list)

    def is_path(self, name: str) -> bool:
        """Return whether the value of a field is the content of a file, or the path of one."""
        return self.is_file(name) or isinstance(self.values.get(name), PurePath)

    def is_html(self, name: str) -> bool:
        """Return whether a field holds HTML."""
        return self.fields[name].kind == "html"

    def is_inline(self, name: str) -> bool:
        """Return whether the snippet contains the value of a field, instead of the name of its file."""
        value = self.values[name]
        if isinstance(value, PurePath):
            return False
        return not isinstance(value, str) or len(value.encode("utf-8", "replace")) <= MAX_INLINE_BYTES

    @property
    def note(self) -> str:
        """How to save the texts that are too long for a snippet; empty if there are none."""
        long = [name for name in self.values if isinstance(self.values[name], str) and not self.is_inline(name)]
        return " ".join(f"First save the {name} as {self.file(name)}." for name in long)

    @cached_property
    def media_type(self) -> str:
        """The media type of the result: by `format` or `to`, else by the input."""
        if self.tool.spec.media_type_of:
            return self.tool.spec.media_type_of(self.values)
        options = [self.fields[name] for name in FORMAT_OPTIONS if name in self.fields]
        chosen = [self.tool.formats.get(str(self.values.get(each.name, each.default))) for each in options]
        inputs = [type_of(value) for value in self.values.values() if isinstance(value, PurePath)]
        found = (media for media in (*chosen, *inputs) if media and media in self.tool.produces)
        return next(found, self.tool.produces[0])

    @property
    def filename(self) -> str:
        """The name of a file for the result."""
        return f"{self.tool.command}.{extension_of(self.media_type)}"


def as_text(value: Any) -> str:
    """Return text unchanged, and other values as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def contains_files(value: Any) -> bool:
    """Return whether an object contains paths of files."""
    return isinstance(value, dict) and any(isinstance(item, PurePath) for item in value.values())


def uri_start(path: PurePath) -> str:
    """Return the beginning of a file's data: URI, before its base64."""
    return f"data:{type_of(path) or 'application/octet-stream'};base64,"
