"""Calls as Python expressions and programs, and as JavaScript modules for Node.js 18 or newer (`node call.mjs`)."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any

from mediakit.core.snippets.call import Call, contains_files, uri_start
from mediakit.core.snippets.http import address, json_values
from mediakit.core.spec import DescribedTool

MAX_LINE_LENGTH = 79
"""Characters of Python after which each argument gets a line of its own."""


def python(tool: DescribedTool, values: Mapping[str, Any], receiver: str = "mediakit") -> str:
    """Return a call as a Python expression.

    It needs `import mediakit`, and `import pathlib` if it reads a file.
    """
    call = Call(tool, values)
    leading = call.positional()
    arguments = [
        ("" if name in leading else f"{name}=") + _argument(call, name, value) for name, value in call.values.items()
    ]
    return _call_text(f"{receiver}.{tool.name}", arguments, call.note)


def python_batch(tool: DescribedTool, rows: PurePath, values: Mapping[str, Any], options: Mapping[str, Any]) -> str:
    """Return a call of `mediakit.batch` as a Python expression."""
    call = Call(tool, values)
    arguments = [f"mediakit.{tool.name}", _path_literal(rows)]
    arguments += [f"{name}={_literal(value)}" for name, value in options.items() if value]
    arguments += [f"{name}={_argument(call, name, value)}" for name, value in call.values.items()]
    return _call_text("mediakit.batch", arguments, call.note)


def _call_text(function: str, arguments: Sequence[str], note: str) -> str:
    """Return a call on one line, or with a line for each argument and a note."""
    line = f"{function}({', '.join(arguments)})"
    if len(line) <= MAX_LINE_LENGTH and "\n" not in line and not note:
        return line
    comment = [f"    # {note}\n"] if note else []
    return "".join([f"{function}(\n", *comment, *(f"    {argument},\n" for argument in arguments), ")"])


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


KEY = "process.env.MEDIAKIT_API_KEY"

_NAME = re.compile(r"[A-Za-z_$][\w$]*", re.ASCII)


def javascript(tool: DescribedTool, values: Mapping[str, Any], base_url: str | None = None) -> str:
    """Return a call as a JavaScript module for Node.js."""
    call = Call(tool, values)
    url, start = address(base_url)
    reads = any(
        call.is_file(name) or not call.is_inline(name) or contains_files(value) for name, value in call.values.items()
    )
    imports = [*(["readFile"] if reads else []), *([] if tool.wire.is_data else ["writeFile"])]
    fields = [f"    {_key(name)}: {_field(call, name, value)},\n" for name, value in json_values(call).items()]
    return "".join(
        (
            *(f"// {note}\n" for note in (start, call.note) if note),
            f'import {{ {", ".join(imports)} }} from "node:fs/promises";\n\n' if imports else "",
            f"const response = await fetch({_text(f'{url}{tool.path}')}, {{\n",
            '  method: "POST",\n',
            f'  headers: {{ "x-api-key": {KEY}, "content-type": "application/json" }},\n',
            f"  body: JSON.stringify({{\n{''.join(fields)}  }}),\n",
            "});\n",
            "if (!response.ok) throw new Error((await response.json()).error);\n",
            "console.log(JSON.stringify(await response.json(), null, 2));"
            if tool.wire.is_data
            else f"await writeFile({_text(call.filename)}, Buffer.from(await response.arrayBuffer()));",
        )
    )


def _field(call: Call, name: str, value: Any) -> str:
    if name not in call.values or not (call.is_file(name) or not call.is_inline(name)):
        return _js_literal(value)
    if not call.is_file(name):
        return f'await readFile({_text(str(call.file(name)))}, "utf8")'
    files = [_file(path, is_named=call.is_named(name)) for path in call.files(name)]
    return f"[{', '.join(files)}]" if call.fields[name].kind == "files" else files[0]


def _file(path: PurePath, *, is_named: bool) -> str:
    content = f'await readFile({_text(str(path))}, "base64")'
    return f"{{ name: {_text(path.name)}, file: {content} }}" if is_named else content


def _js_literal(value: Any) -> str:
    match value:
        case PurePath():
            return f'`{uri_start(value)}${{await readFile({_text(str(value))}, "base64")}}`'
        case dict():
            members = ", ".join(f"{_key(name)}: {_js_literal(item)}" for name, item in value.items())
            return f"{{ {members} }}" if members else "{}"
        case list() | tuple():
            return f"[{', '.join(map(_js_literal, value))}]"
        case str() if "\n" in value.strip():  # backquotes, which read a carriage return as a newline unless escaped
            text = value
            for sign, escaped in (("\\", "\\\\"), ("`", "\\`"), ("${", "\\${"), ("\r", "\\r"), ("\0", "\\x00")):
                text = text.replace(sign, escaped)
            return f"`{text}`"
        case _:
            return json.dumps(value, ensure_ascii=False)


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _key(name: str) -> str:
    """Return the name of a member; `__proto__` without brackets would set the prototype of the object."""
    if name == "__proto__":
        return '["__proto__"]'
    return name if _NAME.fullmatch(name) else _text(name)
