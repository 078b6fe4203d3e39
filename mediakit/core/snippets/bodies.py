"""The bodies of HTTP requests in snippets: forms, raw bodies and JSON."""

import json
import shlex
from collections.abc import Mapping, Sequence
from fnmatch import fnmatch
from pathlib import PurePath
from typing import Any, NamedTuple

from mediakit.core.media import type_of
from mediakit.core.snippets.call import MAX_INLINE_LENGTH, Call, as_text, is_short

MAX_INLINE_JSON_LENGTH = 2000
"""Characters of the longest JSON body that is written where it stands."""


JSON = "application/json"


HERE_DOCUMENT = "--data-binary @-"
"""The option of curl for a body that follows the command."""


class Body(NamedTuple):
    """The body of a request."""

    query: Mapping[str, str]
    media_type: str
    """Empty where curl sets it."""
    options: Sequence[str]
    """Options of curl."""


def multipart_body(call: Call) -> Body | None:
    """Return a multipart body for calls with a list of files; None for others."""
    if not any(call.fields[name].kind == "files" for name in call.values):
        return None
    return Body({}, "", [part for name in call.values for part in _parts(call, name)])


def _parts(call: Call, name: str) -> list[str]:
    if call.is_file(name):
        return [f"-F {shlex.quote(f'{name}=@{path}')}" for path in call.files(name)]
    value = call.values[name]
    items = value if isinstance(value, list | tuple) and call.fields[name].holds_texts else [value]
    texts = [str(item).lower() if isinstance(item, bool) else as_text(item) for item in items]
    return [f"--form-string {shlex.quote(f'{name}={text}')}" for text in texts]


def raw_body(call: Call) -> Body | None:
    """Return a raw body with its options in the query; None if the call needs JSON."""
    name = next((name for name in call.tool.raw.values() if name in call.values), "")
    others = [other for other in call.values if other != name]
    query = {other: _query(call.values[other]) for other in others}
    texts = {other: text for other, text in query.items() if text is not None and len(text) <= MAX_INLINE_LENGTH}
    if not name or len(texts) < len(query) or any(call.fields[other].is_secret for other in others):
        return None
    value, is_file = call.values[name], call.is_file(name)
    accepted = [media for media, field in call.tool.raw.items() if field == name]
    if is_file or not is_short(value):
        file = call.file(name)
        media = _concrete(accepted, file) if is_file else accepted[0]
        return Body(texts, media, [f"--data-binary {shlex.quote(f'@{file}')}"])
    if "\0" in value:  # no argument of a program can hold it
        return None
    charset = (
        "; charset=utf-8" if call.fields[name].kind == "html" else ""
    )  # it overrides the HTML's own `meta` element
    return Body(texts, accepted[0] + charset, [f"--data-raw {shlex.quote(value)}"])


def _concrete(accepted: Sequence[str], file: PurePath) -> str:
    """Return the media type of a file whose field accepts several, such as `image/*`."""
    guessed = type_of(file) or ""
    return guessed if any(fnmatch(guessed, media) for media in accepted) else accepted[0].replace("*", "png")


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


def _json_values(call: Call) -> dict[str, Any]:
    """Return the fields of a JSON body; files are requested as files."""
    return call.values if call.tool.result.is_data else {**call.values, "output": "binary"}


def json_with_names(call: Call) -> dict[str, Any]:
    """Return the fields of a JSON body with the names of files instead of their base64."""
    values = _json_values(call)
    return {name: _file_names(call, name) if call.is_file(name) else value for name, value in values.items()}


def _file_names(call: Call, name: str) -> Any:
    names = [f"@{path}" for path in call.files(name)]
    if call.fields[name].kind != "files":
        return names[0]
    return [
        {"name": path.name, "file": file} if call.is_named(name) else file
        for path, file in zip(call.files(name), names, strict=True)
    ]


def json_with_commands(call: Call) -> str:
    """Return a JSON body as a here-document whose commands read its files."""
    parts = []
    for name, value in _json_values(call).items():
        content = _base64_commands(call, name) if call.is_file(name) else _escaped(value)
        parts.append(f'"{name}": {content}')
    return f"{{{', '.join(parts)}}}"


def _base64_commands(call: Call, name: str) -> str:
    commands = [f"\"$(base64 < {shlex.quote(str(path))} | tr -d '\\n')\"" for path in call.files(name)]
    if call.fields[name].kind != "files":
        return commands[0]
    items = [
        f'{{"name": {_escaped(path.name)}, "file": {command}}}' if call.is_named(name) else command
        for path, command in zip(call.files(name), commands, strict=True)
    ]
    return f"[{', '.join(items)}]"


def _escaped(value: Any) -> str:
    """Return JSON with the characters escaped that are special in a here-document."""
    written = json.dumps(value, ensure_ascii=False)
    for sign in "\\$`":
        written = written.replace(sign, f"\\{sign}")
    return written


def json_body(call: Call) -> Body:
    """Return a JSON body; with files as a here-document, if long as a file."""
    body = _json_values(call)
    files = {name for name in body if call.is_file(name)}
    if files and all(is_short(value) for name, value in body.items() if name not in files):
        return Body({}, JSON, [HERE_DOCUMENT])
    if all(map(is_short, body.values())) and not any(isinstance(value, bytes) for value in body.values()):
        text = json.dumps(body, ensure_ascii=False)
        if len(text) <= MAX_INLINE_JSON_LENGTH:
            return Body({}, JSON, [f"--data-raw {shlex.quote(text)}"])
    return Body({}, JSON, ["--data-binary @request.json"])
