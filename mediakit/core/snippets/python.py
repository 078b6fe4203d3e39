"""Calls as Python expressions."""

from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from mediakit.core.snippets.call import Call
from mediakit.core.spec import DescribedTool

MAX_LINE_LENGTH = 79
"""Characters of Python after which each argument gets a line of its own."""


def python(tool: DescribedTool, values: Mapping[str, Any], receiver: str = "mediakit") -> str:
    """Return a call as a Python expression.

    It needs `import mediakit`, and `import pathlib` if it reads a file.

    Args:
        tool: The tool to call.
        values: Values by field name or alias.
        receiver: The name of the module or the client whose attribute the tool is.
    """
    call = Call(tool, values)
    leading = call.positional()
    arguments = [
        ("" if name in leading else f"{name}=") + _argument(call, name, value) for name, value in call.values.items()
    ]
    line = f"{receiver}.{tool.name}({', '.join(arguments)})"
    if len(line) <= MAX_LINE_LENGTH and "\n" not in line and not call.note:
        return line
    note = [f"    # {call.note}\n"] if call.note else []
    return "".join([f"{receiver}.{tool.name}(\n", *note, *(f"    {argument},\n" for argument in arguments), ")"])


def python_client(tool: DescribedTool, values: Mapping[str, Any], base_url: str) -> str:
    """Return a program that calls a tool of a server. It reads the API key from `MEDIAKIT_API_KEY`."""
    expression = python(tool, values, "client")
    show = "print(result)" if tool.wire.is_data else f"result.save({_literal(Call(tool, values).filename)})"
    imports = ["import pathlib\n"] if "pathlib." in expression else []
    lines = (
        *imports,
        "from mediakit import Client\n",
        f"client = Client({_literal(base_url)})",
        f"result = {expression}",
        show,
    )
    return "\n".join(lines)


def _argument(call: Call, name: str, value: Any) -> str:
    if call.fields[name].kind == "files":
        return f"[{', '.join(map(_path_literal, call.files(name)))}]"
    if call.is_file(name):
        return _path_literal(call.file(name))
    if not call.is_inline(name):
        return f'{_path_literal(call.file(name))}.read_text("utf-8")'
    return _text_block(value) if isinstance(value, str) and "\n" in value.strip() else _literal(value)


def _path_literal(path: PurePath) -> str:
    return f"pathlib.Path({_literal(str(path))})"


def _text_block(text: str) -> str:
    r"""Return text of several lines as a triple-quoted string that begins on a new line.

    Everything that is not printable is escaped: Python reads a carriage return in a string as `\n`.
    """
    lines = ["".join(map(_escaped, line)).replace('"""', '\\"\\"\\"') for line in text.split("\n")]
    if lines[-1].endswith('"'):
        lines[-1] = f'{lines[-1].removesuffix(chr(34))}\\"'
    return '"""\\\n' + "\n".join(lines) + '"""'


def _escaped(sign: str) -> str:
    return sign if sign.isprintable() and sign != "\\" else repr(sign)[1:-1]


def _literal(value: Any) -> str:
    """Return a value as Python, text between double quotes where that needs no escapes."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_literal(name)}: {_literal(item)}' for name, item in value.items())}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_literal, value))}]"
    if isinstance(value, PurePath):
        return _path_literal(value)
    text = repr(value)
    return f'"{text[1:-1]}"' if text.startswith("'") and '"' not in text else text
