"""A result as the JSON body of a response, and back; and the JSON Schema of such a body."""

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields
from typing import Any, get_origin, get_type_hints

import pybase64

from mediakit.core.tool import Tool
from mediakit.errors import InvalidInput
from mediakit.results.data import Data, is_file
from mediakit.results.files import FileResult, file_result
from mediakit.results.item import Json, adapter, to_plain, type_parts
from mediakit.results.legacy import LegacyData
from mediakit.results.result import Result

USAGE_FIELDS = ("used", "remaining", "unlimited")
"""Members of a response's meta that describe the account, not the result."""


def write(result: Result, usage: Mapping[str, Any] | None = None) -> bytes:
    """Return the JSON body of the HTTP response; `usage` is added to the meta."""
    from pydantic_core import to_json

    parts = [b'{"success":true']
    for name, value in (*_members(result), ("meta", {**result.meta, **(usage or {})})):
        parts += (b",", to_json(name), b":", value if isinstance(value, Json) else to_json(value))
    return b"".join((*parts, b"}"))


def member_of(result: Result) -> str:
    """Return the name of the member that holds the file of a result; empty for data."""
    return result._sent_as() if isinstance(result, FileResult) else ""


def file_fields(result: Result) -> dict[str, Any]:
    """Return the members of the JSON between the media type of a file and the meta; none for data."""
    if not isinstance(result, FileResult):
        return {}
    return {name: value for name, value in result._members().items() if name != "mime_type"}


def _members(result: Result) -> Iterator[tuple[str, Any]]:
    """Yield the members of a response between `success` and `meta`."""
    if isinstance(result, LegacyData):
        yield from result.response().items()
    elif isinstance(result, FileResult):
        yield from _file_members(result)
    elif isinstance(result, Data):
        for name, value in result._present():
            if not is_file(value):
                yield name, value if isinstance(value, Json) else to_plain(value, keep_items=True)
            elif isinstance(value, list):
                yield name, [_listed(each) for each in value]
            else:
                yield from _file_members(value)


def _file_members(made: FileResult) -> Iterator[tuple[str, Any]]:
    yield made._sent_as(), Json(b'"' + pybase64.b64encode(made.content) + b'"')
    yield from made._members().items()


def _listed(made: FileResult) -> dict[str, Any]:
    """Return one of several files that stand beside each other in the JSON."""
    content = pybase64.b64encode(made.content).decode()
    return {"name": made.filename, "file": content, "mime_type": made.mime_type, "size_bytes": len(made.content)}


def parse(tool: Tool[..., Any], body: Mapping[str, Any]) -> Any:
    """Return the result in the JSON body of a server's response to a call of a tool. See `read`."""
    return read(next((each for each in tool.returns if _is_in(each, body)), tool.returns[-1]), body)


def read(annotation: Any, body: Mapping[str, Any]) -> Any:
    """Return the result in the JSON body of a server's response, without the account's usage.

    Args:
        annotation: The class of the result, or its generic alias.
        body: The body.

    Raises:
        InvalidInput: The body does not have the members of such results.
    """
    kind = get_origin(annotation) or annotation
    if issubclass(kind, LegacyData):
        return kind.from_envelope(body)
    try:
        meta = {name: value for name, value in body["meta"].items() if name not in USAGE_FIELDS}
        if issubclass(kind, FileResult):
            return kind._parsed(body, meta)
        return adapter(annotation).validate_python(
            kind._received({**_values(kind, {**body, "meta": meta}), "meta": meta})
        )
    except (KeyError, TypeError, ValueError) as error:
        reason = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise InvalidInput(f"The server's response is not a {kind.__name__}: {reason}.") from None


def _is_in(annotation: Any, body: Mapping[str, Any]) -> bool:
    """Return whether a response has the file of a class, or the first required field of its data."""
    kind = get_origin(annotation) or annotation
    if issubclass(kind, FileResult):
        return kind._wire.member in body
    if not issubclass(kind, Data):
        return True
    required = (each.name for each in fields(kind) if each.default is MISSING and each.default_factory is MISSING)
    first = next(required, None)
    return first is None or first in body


def _values(kind: type[Data], body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of the fields of a class that a response has, with its files as results."""
    found: dict[str, Any] = {}
    for name, hint in hints_of(kind).items():
        files = [part for part in type_parts(hint) if isinstance(part, type) and issubclass(part, FileResult)]
        if not files:
            found |= {name: body[name]} if name in body else {}
        elif list in map(get_origin, (hint, *type_parts(hint))):
            listed = body.get(name)
            if listed is not None:
                found[name] = [
                    file_result(pybase64.b64decode(each["file"]), each["name"], each["mime_type"]) for each in listed
                ]
        else:
            made = next((each for each in files if each._wire.member in body), None)
            found |= {} if made is None else {name: made._parsed(body, body["meta"])}
    return found


def hints_of(kind: type[Data]) -> dict[str, Any]:
    """Return the resolved annotations of the fields of a class, except the meta."""
    hints = get_type_hints(kind)
    return {each.name: hints[each.name] for each in fields(kind) if each.name != "meta"}
