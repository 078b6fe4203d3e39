"""Calls as Python expressions."""

from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from mediakit.core.snippets.call import Call, is_short
from mediakit.core.tool import Tool

MAX_LINE_LENGTH = 79
"""Characters of Python after which each argument gets a line of its own."""


def python(tool: Tool[..., Any], values: Mapping[str, Any]) -> str:
    """Return a call as a Python expression.

    It needs `import mediakit`, and `import pathlib` if it reads a file.
    """
    call = Call(tool, values)
    leading = call.positional()
    arguments = [
        ("" if name in leading else f"{name}=") + _argument(call, name, value) for name, value in call.values.items()
    ]
    line = f"mediakit.{tool.name}({', '.join(arguments)})"
    if len(line) <= MAX_LINE_LENGTH:
        return line
    return f"mediakit.{tool.name}(\n" + "".join(f"    {argument},\n" for argument in arguments) + ")"


def _argument(call: Call, name: str, value: Any) -> str:
    if call.fields[name].kind == "files":
        return f"[{', '.join(map(_path_literal, call.files(name)))}]"
    if is_short(value):
        return _literal(value)
    path = _path_literal(call.file(name))
    return path if call.is_file(name) else f'{path}.read_text("utf-8")'


def _path_literal(path: PurePath) -> str:
    return f"pathlib.Path({_literal(str(path))})"


def _literal(value: Any) -> str:
    """Return a value as Python, text between double quotes where that needs no escapes."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_literal(name)}: {_literal(item)}' for name, item in value.items())}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_literal, value))}]"
    text = repr(value)
    return f'"{text[1:-1]}"' if text.startswith("'") and '"' not in text else text
