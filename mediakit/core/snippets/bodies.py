"""The bodies of HTTP requests in snippets: forms, raw bodies and JSON."""

from collections.abc import Mapping, Sequence
from fnmatch import fnmatch
from pathlib import PurePath
from typing import Any, NamedTuple

from mediakit.core.media import type_of
from mediakit.core.snippets.call import Call, as_text

MAX_QUERY_LENGTH = 200
"""Characters of the longest option in a query string."""

JSON = "application/json"


class Body(NamedTuple):
    """The body of a request that is text or a file, with its options in the query."""

    query: Mapping[str, str]
    media_type: str
    content: str | PurePath


def form_parts(call: Call) -> Sequence[tuple[str, str | PurePath]] | None:
    """Return the parts of a form for calls with a list of files, or with files whose names count; None for others."""
    kinds = {call.fields[name].kind for name in call.values}
    if "files" not in kinds and not (call.tool.uses_file_names and "file" in kinds):
        return None
    return [(name, part) for name in call.values for part in _parts(call, name)]


def _parts(call: Call, name: str) -> Sequence[str | PurePath]:
    if call.is_file(name):
        return call.files(name)
    value = call.values[name]
    items = value if isinstance(value, list | tuple) and call.fields[name].holds_texts else [value]
    return [str(item).lower() if isinstance(item, bool) else as_text(item) for item in items]


def raw_body(call: Call) -> Body | None:
    """Return a raw body with its options in the query; None if the call needs JSON."""
    name = next((name for name in call.tool.raw.values() if name in call.values), "")
    others = [other for other in call.values if other != name]
    query = {other: _query(call.values[other]) for other in others}
    texts = {other: text for other, text in query.items() if text is not None and len(text) <= MAX_QUERY_LENGTH}
    needs_name = call.tool.uses_file_names and name in call.fields and call.is_file(name)
    if not name or needs_name or len(texts) < len(query) or any(call.fields[other].is_secret for other in others):
        return None
    if call.fields[name].kind == "files" and len(call.files(name)) != 1:
        return None
    accepted = [media for media, field in call.tool.raw.items() if field == name]
    if call.is_file(name):
        file = call.file(name)
        return Body(texts, _concrete(accepted, file), file)
    if not call.is_inline(name):
        return Body(texts, accepted[0], call.file(name))
    charset = "; charset=utf-8" if call.is_html(name) else ""  # it overrides the HTML's own `meta` element
    return Body(texts, accepted[0] + charset, call.values[name])


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


def json_values(call: Call) -> dict[str, Any]:
    """Return the fields of a JSON body; files are requested as files."""
    return call.values if call.tool.wire.is_data else {**call.values, "output": "binary"}


def json_with_names(call: Call) -> dict[str, Any]:
    """Return the fields of a JSON body with the names of files instead of their content."""
    return {name: _with_names(call, name, value) for name, value in json_values(call).items()}


def _with_names(call: Call, name: str, value: Any) -> Any:
    if isinstance(value, dict):
        return {key: f"@{item}" if isinstance(item, PurePath) else item for key, item in value.items()}
    if not call.is_path(name):
        return value
    names = [f"@{path}" for path in call.files(name)]
    is_list = call.fields[name].kind == "files"
    has_names = call.is_named(name) and (is_list or (call.tool.uses_file_names and call.is_file(name)))
    files = [
        {"name": path.name, "file": file} if has_names else file
        for path, file in zip(call.files(name), names, strict=True)
    ]
    return files if is_list else files[0]
