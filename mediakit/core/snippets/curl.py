"""Calls as curl commands for a POSIX shell."""

import json
import shlex
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any
from urllib.parse import urlencode

from mediakit.core.called_tool import CalledTool
from mediakit.core.server_address import address
from mediakit.core.snippets.bodies import JSON, form_parts, json_values, raw_body
from mediakit.core.snippets.call import Call
from mediakit.core.snippets.here_document import here_document
from mediakit.core.snippets.http import KEY
from mediakit.core.snippets.inner_files import contains_files, uri_in_shell

MAX_ARGUMENT_LENGTH = 2000
"""Characters of the longest JSON body that is an argument of the command."""

STANDARD_INPUT = "--data-binary @-"


def curl(tool: CalledTool, values: Mapping[str, Any], base_url: str | None = None, key: str = KEY) -> str:
    """Return a call as a curl command for a POSIX shell.

    Args:
        tool: The tool to call.
        values: Values by field name or alias.
        base_url: Address of the server; by default of the one that runs in this process.
        key: The text between double quotes that stands for the API key: a variable, never a real key.
    """
    call = Call(tool, values)
    url, start = address(base_url)
    raw = _raw(call)
    query, media_type, option, document = _form(call) or raw or _json(call)
    words = [
        f"curl {shlex.quote(f'{url}{tool.path}{query}')}",
        f'-H "x-api-key: {key}"',
        *([f"-H {shlex.quote(f'content-type: {media_type}')}"] if media_type else []),
        option,
        *([] if tool.wire.is_data else [f"-o {call.filename}"]),
    ]
    notes = [f"# {note}\n" for note in (start, call.note if raw else "") if note]
    return "".join(notes) + " \\\n  ".join(words) + (f" {document}" if document else "")


_Request = tuple[str, str, str, str]
"""The query string, the media type (empty where curl sets it), the options with the body, and a here-document."""


def _form(call: Call) -> _Request | None:
    parts = form_parts(call)
    if parts is None:
        return None
    options = [
        f"--form-string {shlex.quote(f'{name}={part}')}"
        if isinstance(part, str)
        else f"-F {shlex.quote(f'{name}=@{part}')}"
        for name, part in parts
    ]
    return "", "", " \\\n  ".join(options), ""


def _raw(call: Call) -> _Request | None:
    body = raw_body(call)
    if body is None or "\0" in str(body.content):  # no argument of a program can hold it
        return None
    query = f"{'?' if body.query else ''}{urlencode(body.query)}"
    if not isinstance(body.content, str):
        return query, body.media_type, f"--data-binary {shlex.quote(f'@{body.content}')}", ""
    if "\n" in body.content.strip() and body.media_type.startswith("text/html"):
        return query, body.media_type, STANDARD_INPUT, here_document(body.content, "HTML")
    return query, body.media_type, f"--data-raw {shlex.quote(body.content)}", ""


def _json(call: Call) -> _Request:
    """Return a JSON body; if it is long or contains files, as a here-document."""
    body = json_values(call)
    if any(map(call.is_path, body)) or any(map(contains_files, body.values())):
        parts = [f'"{name}": {_content(call, name, value)}' for name, value in body.items()]
        return "", JSON, STANDARD_INPUT, f"<<END\n{{{', '.join(parts)}}}\nEND"
    text = json.dumps(body, ensure_ascii=False)
    if len(text) > MAX_ARGUMENT_LENGTH:
        return "", JSON, STANDARD_INPUT, here_document(text, "END")
    return "", JSON, f"--data-raw {shlex.quote(text)}", ""


def _content(call: Call, name: str, value: Any) -> str:
    """Return a value of a here-document with expansions, whose commands read files."""
    if not call.is_path(name):
        return _with_files(value) if contains_files(value) else _escaped(value)
    if not call.is_file(name):
        return f"$(jq -Rs . < {shlex.quote(str(value))})"
    commands = [f"\"$(base64 < {shlex.quote(str(path))} | tr -d '\\n')\"" for path in call.files(name)]
    if call.fields[name].kind != "files":
        return commands[0]
    items = [
        f'{{"name": {_escaped(path.name)}, "file": {command}}}' if call.is_named(name) else command
        for path, command in zip(call.files(name), commands, strict=True)
    ]
    return f"[{', '.join(items)}]"


def _with_files(value: Mapping[str, Any]) -> str:
    members = (
        f"{_escaped(key)}: " + (f'"{uri_in_shell(item)}"' if isinstance(item, PurePath) else _escaped(item))
        for key, item in value.items()
    )
    return f"{{{', '.join(members)}}}"


def _escaped(value: Any) -> str:
    """Return JSON with the characters escaped that are special in a here-document."""
    written = json.dumps(value, ensure_ascii=False)
    for sign in "\\$`":
        written = written.replace(sign, f"\\{sign}")
    return written
