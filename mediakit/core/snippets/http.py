"""Calls over HTTP, as an HTTP request and as a curl command, and calls as commands of `mediakit`."""

import json
import shlex
import sys
from collections.abc import Mapping
from fnmatch import fnmatch
from pathlib import PurePath
from types import SimpleNamespace
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

from mediakit.core.media import type_of
from mediakit.core.parameters import Parameter
from mediakit.core.snippets.call import Call, as_text, contains_files, uri_start
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
    """Return the redirection and the text that follows it, without expansions; the text ends with a newline."""
    lines = text.split("\n")
    while name in lines:
        name += "_"
    body = text if text.endswith("\n") else f"{text}\n"
    return f"<<'{name}'\n{body}{name}"


def uri_in_shell(path: PurePath) -> str:
    """Return a data: URI for text between double quotes of a POSIX shell, whose command reads the file."""
    return f"{uri_start(path)}$(base64 < {shlex.quote(str(path))} | tr -d '\\n')"


MAX_QUERY_LENGTH = 200
"""Characters of the longest option in a query string."""

JSON = "application/json"

KEY = "$MEDIAKIT_API_KEY"
"""What stands for the API key between double quotes: a variable, never a real key."""

MAX_ARGUMENT_LENGTH = 2000
"""Characters of the longest JSON body that is an argument of the command."""

STANDARD_INPUT = "--data-binary @-"

DEFAULT_URL = "http://127.0.0.1:8000"
"""The address of `mediakit serve`."""

NOTEBOOK_PORT = 8765
"""The first port that `mediakit.serve()` tries."""

IN_NOTEBOOK = "First run mediakit.serve() in a cell. MEDIAKIT_API_KEY is mediakit.serve().key."
IN_SHELL = "First run mediakit serve --dev. MEDIAKIT_API_KEY is the key that it prints."


running_server = SimpleNamespace(url=None)
"""The server that runs in this process; `mediakit.serve()` sets its URL."""


def address(base_url: str | None) -> tuple[str, str]:
    """Return the base URL for a snippet, and a note that says how to start the server; empty if it runs.

    Args:
        base_url: A URL that the caller chose; None for the server of this process.
    """
    if base_url or running_server.url:
        return (base_url or running_server.url or "").rstrip("/"), ""
    if "ipykernel" in sys.modules:
        return f"http://127.0.0.1:{NOTEBOOK_PORT}", IN_NOTEBOOK
    return DEFAULT_URL, IN_SHELL


class Body(NamedTuple):
    """The body of a request that is text or a file, with its options in the query."""

    query: Mapping[str, str]
    media_type: str
    content: str | PurePath


def raw_body(call: Call) -> Body | None:
    """Return a raw body with its options in the query; None if the call needs JSON."""
    name = next((name for name in call.tool.spec.raw.values() if name in call.values), "")
    others = [other for other in call.values if other != name]
    query = {other: _query(call.values[other]) for other in others}
    texts = {other: text for other, text in query.items() if text is not None and len(text) <= MAX_QUERY_LENGTH}
    needs_name = call.tool.spec.uses_file_names and name in call.fields and call.is_file(name)
    if not name or needs_name or len(texts) < len(query) or any(call.fields[other].is_secret for other in others):
        return None
    if call.fields[name].kind == "files" and len(call.files(name)) != 1:
        return None
    accepted = [media for media, field in call.tool.spec.raw.items() if field == name]
    if call.is_file(name):
        file = call.file(name)
        guessed = type_of(file) or ""
        fits = any(fnmatch(guessed, media) for media in accepted)
        return Body(texts, guessed if fits else accepted[0].replace("*", "png"), file)
    if not call.is_inline(name):
        return Body(texts, accepted[0], call.file(name))
    charset = "; charset=utf-8" if call.is_html(name) else ""  # it overrides the HTML's own `meta` element
    return Body(texts, accepted[0] + charset, call.values[name])


def _query(value: Any) -> str | None:
    """Return a value as a query string has it; None if a query string cannot hold it."""
    match value:
        case bool():
            return str(value).lower()
        case str() | int() | float():
            return str(value)
        case dict():
            return as_text(value)
        case list() | tuple() if value and all(isinstance(item, str) and item == item.strip() for item in value):
            return None if any("," in item for item in value) else ",".join(value)
        case _:
            return None


def json_values(call: Call) -> dict[str, Any]:
    """Return the fields of a JSON body; files are requested as files."""
    return call.values if call.tool.wire.is_data else {**call.values, "output": "binary"}


def _with_names(call: Call, name: str, value: Any) -> Any:
    """Return a value with the names of files instead of their content."""
    if isinstance(value, dict):
        return {key: f"@{item}" if isinstance(item, PurePath) else item for key, item in value.items()}
    if not call.is_path(name):
        return value
    names = [f"@{path}" for path in call.files(name)]
    is_list = call.fields[name].kind == "files"
    has_names = call.is_named(name) and (is_list or (call.tool.spec.uses_file_names and call.is_file(name)))
    files = [
        {"name": path.name, "file": file} if has_names else file
        for path, file in zip(call.files(name), names, strict=True)
    ]
    return files if is_list else files[0]


def http(tool: DescribedTool, values: Mapping[str, Any], base_url: str | None = None) -> str:
    """Return a call as an HTTP request.

    `@page.html` stands for the content of that file, in JSON for its base64.
    """
    call = Call(tool, values)
    if (body := raw_body(call)) is None:
        named = {name: _with_names(call, name, value) for name, value in json_values(call).items()}
        body = Body({}, JSON, json.dumps(named, ensure_ascii=False))
    server = urlsplit(address(base_url)[0])
    path = f"{server.path}{tool.path}{'?' if body.query else ''}{urlencode(body.query)}"
    head = (
        f"POST {path} HTTP/1.1",
        f"host: {server.netloc}",
        f"x-api-key: {KEY}",
        f"content-type: {body.media_type}",
    )
    content = body.content if isinstance(body.content, str) else f"@{body.content}"
    return "\n".join((*head, "", content))


def curl(tool: DescribedTool, values: Mapping[str, Any], base_url: str | None = None) -> str:
    """Return a call as a curl command for a POSIX shell."""
    call = Call(tool, values)
    url, start = address(base_url)
    raw = _raw(call)
    query, media_type, option, document = _form(call) or raw or _json(call)
    words = [
        f"curl {shlex.quote(f'{url}{tool.path}{query}')}",
        f'-H "x-api-key: {KEY}"',
        *([f"-H {shlex.quote(f'content-type: {media_type}')}"] if media_type else []),
        option,
        *([] if tool.wire.is_data else [f"-o {call.filename}"]),
    ]
    notes = [f"# {note}\n" for note in (start, call.note if raw else "") if note]
    return "".join(notes) + " \\\n  ".join(words) + (f" {document}" if document else "")


_Request = tuple[str, str, str, str]
"""The query string, the media type (empty where curl sets it), the options with the body, and a here-document."""


def _form(call: Call) -> _Request | None:
    """Return a form for calls with a list of files, or with files whose names count; None for others."""
    kinds = {call.fields[name].kind for name in call.values}
    if "files" not in kinds and not (call.tool.spec.uses_file_names and "file" in kinds):
        return None
    options = []
    for name, value in call.values.items():
        if call.is_file(name):
            options += [f"-F {shlex.quote(f'{name}=@{path}')}" for path in call.files(name)]
        else:
            items = value if isinstance(value, list | tuple) and call.fields[name].holds_texts else [value]
            options += [f"--form-string {shlex.quote(f'{name}={as_text(item)}')}" for item in items]
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
