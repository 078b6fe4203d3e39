"""Calls as `mediakit` commands for a POSIX shell."""

import json
import shlex
from collections.abc import Mapping
from typing import Any

from mediakit.core.parameters import Parameter
from mediakit.core.snippets.call import Call, as_text, is_short
from mediakit.core.tool import Tool


def shell(tool: Tool[..., Any], values: Mapping[str, Any]) -> str:
    """Return a call as a `mediakit` command for a POSIX shell."""
    call = Call(tool, values)
    subject, *others = tool.parameters
    first, last = _subject(call, subject)
    options = [word for other in others if other.name in call.values for word in _options(other, _value(call, other))]
    return " ".join(word for word in ["mediakit", tool.command, first, *options, "-o", call.filename, last] if word)


def _subject(call: Call, parameter: Parameter) -> tuple[str, str]:
    """Return the arguments of a command, and the end of its line."""
    value = call.values.get(parameter.name)
    if value is None:
        return "", ""
    if parameter.kind == "files":
        return " ".join(shlex.quote(_dashless(str(path))) for path in call.files(parameter.name)), ""
    if _is_read_from_file(parameter):
        text = str(call.file(parameter.name))
    elif is_short(value) and "\0" not in str(value) and value != "-":
        text = str(value)
    else:
        return "-", f"< {shlex.quote(str(call.file(parameter.name)))}"
    return ("", f"-- {shlex.quote(text)}") if text.startswith("-") else (shlex.quote(text), "")


def _dashless(path: str) -> str:
    return f"./{path}" if path.startswith("-") else path


def _value(call: Call, parameter: Parameter) -> Any:
    if parameter.kind == "files":
        return [str(path) for path in call.files(parameter.name)]
    return call.file(parameter.name) if _is_read_from_file(parameter) else call.values[parameter.name]


def _is_read_from_file(parameter: Parameter) -> bool:
    """Return whether the shell reads the field from a file."""
    return parameter.kind in ("file", "html")


def _options(parameter: Parameter, value: Any) -> list[str]:
    name = parameter.name.replace("_", "-")
    match value:
        case bool() if parameter.kind == "boolean":
            return [f"--{name}" if value else f"--no-{name}"]
        case list() | tuple():
            return [word for item in value for word in (f"--{name}", shlex.quote(_item(item)))]
        case dict() if parameter.kind == "object":
            return [word for key, item in value.items() for word in (f"--{name}", shlex.quote(_member(key, item)))]
        case str() if not is_short(value):
            return [f"--{name}", f'"$(cat {name}.txt)"']
        case bool() | dict():
            return [f"--{name}", shlex.quote(json.dumps(value, ensure_ascii=False))]
        case _:
            return [f"--{name}", shlex.quote(str(value))]


def _item(item: Any) -> str:
    """Return an item of a list; text that looks like a list is written as a list with that text."""
    return json.dumps([item], ensure_ascii=False) if str(item).lstrip().startswith("[") else as_text(item)


def _member(key: str, value: Any) -> str:
    return json.dumps({key: value}, ensure_ascii=False) if key.startswith("{") else f"{key}={as_text(value)}"
