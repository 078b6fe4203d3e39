"""Calls as `mediakit` commands for a POSIX shell."""

import json
import shlex
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from mediakit.core.parameters import Parameter
from mediakit.core.snippets.call import Call, as_text, uri_start
from mediakit.core.spec import DescribedTool


def shell(tool: DescribedTool, values: Mapping[str, Any]) -> str:
    """Return a call as a `mediakit` command for a POSIX shell."""
    call = Call(tool, values)
    subject, *others = tool.parameters
    first, last = _subject(call, subject)
    options = [word for other in others if other.name in call.values for word in _options(other, _value(call, other))]
    html = next((name for name in call.values if _is_standard_input(call, name)), None)
    document = here_document(call.values[html], "HTML" if call.is_html(html) else "END") if html else ""
    words = ["mediakit", tool.command, first, *options, "-o", call.filename, last, document]
    note = f"# {call.note}\n" if call.note else ""
    return note + " ".join(word for word in words if word)


def _subject(call: Call, parameter: Parameter) -> tuple[str, str]:
    """Return the arguments of a command, and the end of its line."""
    value = call.values.get(parameter.name)
    if value is None:
        return "", ""
    if parameter.kind == "files":
        paths = (str(path) for path in call.files(parameter.name))
        return " ".join(shlex.quote(f"./{path}" if path.startswith("-") else path) for path in paths), ""
    if _is_standard_input(call, parameter.name):
        return "-", ""
    if parameter.kind == "object" and isinstance(value, dict | list):
        return shlex.quote(json.dumps(value, ensure_ascii=False)), ""
    if _has_path(call, parameter):
        text = str(call.file(parameter.name))
    else:
        text = as_text(value) if call.holds_rows(parameter.name) else str(value)
    if "\0" in text:
        return "-", f"< {shlex.quote(str(call.file(parameter.name)))}"
    return ("", f"-- {shlex.quote(text)}") if text.startswith("-") else (shlex.quote(text), "")


def _is_standard_input(call: Call, name: str) -> bool:
    """Return whether the command reads a field from the here-document: HTML, or a first field that is `-`."""
    value = call.values[name]
    if not isinstance(value, str) or "\0" in value or not call.is_inline(name):
        return False
    return call.is_html(name) or (name == call.tool.parameters[0].name and value == "-")


def _has_path(call: Call, parameter: Parameter) -> bool:
    """Return whether a field is passed as the path of a file."""
    if call.holds_rows(parameter.name):
        return False
    return parameter.kind in ("file", "html") or not call.is_inline(parameter.name)


def _value(call: Call, parameter: Parameter) -> Any:
    if parameter.kind == "files":
        return [str(path) for path in call.files(parameter.name)]
    if _is_standard_input(call, parameter.name):
        return "-"
    return call.file(parameter.name) if _has_path(call, parameter) else call.values[parameter.name]


def _options(parameter: Parameter, value: Any) -> list[str]:
    name = parameter.name.replace("_", "-")
    match value:
        case bool() if parameter.kind == "boolean":
            return [f"--{name}" if value else f"--no-{name}"]
        case list() | tuple():
            return [word for item in value for word in (f"--{name}", shlex.quote(_item(item)))]
        case dict() if parameter.kind == "object":
            return [word for key, item in value.items() for word in (f"--{name}", _member(key, item))]
        case PurePath() if parameter.kind not in ("file", "html"):
            return [f"--{name}", f'"$(cat {shlex.quote(str(value))})"']
        case bool() | dict():
            return [f"--{name}", shlex.quote(json.dumps(value, ensure_ascii=False))]
        case _:
            return [f"--{name}", shlex.quote(str(value))]


def _item(item: Any) -> str:
    """Return an item of a list; text that looks like a list is written as a list with that text."""
    return json.dumps([item], ensure_ascii=False) if str(item).lstrip().startswith("[") else as_text(item)


def _member(key: str, value: Any) -> str:
    if isinstance(value, PurePath):
        return f'"{key}={uri_in_shell(value)}"'
    needs_json = key.startswith("{") or value is None or isinstance(value, list | dict)
    return shlex.quote(json.dumps({key: value}, ensure_ascii=False) if needs_json else f"{key}={as_text(value)}")


def here_document(text: str, name: str) -> str:
    """Return the redirection and the text that follows it, without expansions; the text ends with a newline.

    Args:
        text: The text, without null characters.
        name: The delimiter; underscores are added if a line of the text equals it.
    """
    lines = text.split("\n")
    while name in lines:
        name += "_"
    body = text if text.endswith("\n") else f"{text}\n"
    return f"<<'{name}'\n{body}{name}"


def uri_in_shell(path: PurePath) -> str:
    """Return a data: URI for text between double quotes of a POSIX shell, whose command reads the file."""
    return f"{uri_start(path)}$(base64 < {shlex.quote(str(path))} | tr -d '\\n')"
