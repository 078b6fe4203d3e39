"""Request bodies: read within limits and decoded by their media type and charset into the values of a call."""

import codecs
import json
import re
from collections import Counter
from collections.abc import Mapping
from functools import cache, partial
from typing import Any

from pydantic_core import from_json
from starlette.requests import Request

from mediakit.api.body_stream import read
from mediakit.api.forms import MAX_OBJECT_BYTES, MAX_OVERHEAD_BYTES, check_names, parse_query, read_form
from mediakit.api.headers import parse_header
from mediakit.core.inputs import BASE64_LENGTH, MAX_FILE_BYTES, MAX_TOTAL_FILE_BYTES, MEGABYTE
from mediakit.core.messages import quote
from mediakit.core.parameters import Parameter
from mediakit.core.request import invalid
from mediakit.core.tool import Tool
from mediakit.errors import InvalidInput, MediakitError

BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
META_SCAN_BYTES = 1024
"""Length of the prefix in which HTML declares its charset (WHATWG HTML 13.2.3.2)."""

UNSAFE_CODECS = {"utf-7", "idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined", "mbcs", "oem"}

_META = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]{1,40})", re.IGNORECASE)


def decode(content: bytes, content_type: str, field: str) -> str:
    """Decode a raw body: by Content-Type, else by byte order mark, else by HTML's `meta` element, else as UTF-8.

    Raises:
        InvalidInput: The charset is unknown, or the bytes are not valid in it.
    """
    name, start = _charset(content, content_type)
    try:
        return content[start:].decode(_codec(name))
    except LookupError:
        raise InvalidInput(f"Content-Type: unknown charset {quote(name)}; send UTF-8.") from None
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{field}: is not valid {name} text ({error.reason}).") from None


def _codec(name: str) -> str:
    codec = codecs.lookup(name)
    if codec.name in UNSAFE_CODECS:
        raise LookupError(codec.name)
    return codec.name


def _charset(content: bytes, content_type: str) -> tuple[str, int]:
    """Return the name of the charset, and the length of the byte order mark to skip."""
    marks = ((name, len(mark)) for mark, name in BYTE_ORDER_MARKS if content.startswith(mark))
    marked, length = next(marks, (None, 0))
    media_type, header = parse_header(content_type)
    declared = header.get("charset", "").lower()
    if declared:
        return declared, length if marked == declared else 0
    if marked:
        return marked, length
    meta = _META.search(content[:META_SCAN_BYTES]) if media_type == "text/html" else None
    # A meta element that was found in single bytes cannot be in UTF-16, whatever it declares (WHATWG HTML 13.2.3.2).
    name = meta[1].decode("ascii", "replace").lower() if meta else "utf-8"
    return ("utf-8" if name.startswith("utf-16") else name), 0


JSON = "application/json"
MULTIPART = "multipart/form-data"
MAX_ESCAPED_CHARACTER_BYTES = 6
"""Bytes of a character in JSON, as `\\u00e9`."""
MAX_TABLE_BYTES = 20 * MEGABYTE


async def read_values(tool: Tool[..., Any], request: Request) -> tuple[dict[str, Any], bool]:
    """Return a call's values by name, and whether the response is the file by default.

    Raises:
        InvalidInput: The media type is not supported, or the body cannot be decoded.
        UnreadBodyError: The body is too large or comes too slowly.
    """
    media_type = media_type_of(request)
    if media_type == JSON:
        content = await read(request, json_limit(tool), partial(_too_large, tool))
        if JSON in tool.spec.raw and content.lstrip().startswith(b"["):
            return {**parse_query(tool, request.query_params, tool.spec.raw[JSON]), tool.spec.raw[JSON]: content}, True
        _reject_query(request.query_params)
        values = parse_json(content)
        check_names(tool, values)
        return values, False
    if media_type == MULTIPART and tool.file_fields:
        form = await read_form(tool, request)
        query = parse_query(tool, request.query_params)
        for name in query.keys() & form.keys():
            raise invalid([{"field": name, "message": "is in the form and in the query; send it once."}])
        return query | form, True
    field = raw_field(tool, media_type)
    parameter = next(parameter for parameter in tool.parameters if parameter.name == field)
    values = parse_query(tool, request.query_params, field)
    content = await read(request, raw_limit(parameter), partial(_too_large, tool, parameter))
    if content or parameter.required or not parameter.schema.get("minLength"):
        is_file = parameter.is_file
        values[field] = content if is_file else decode(content, request.headers["content-type"], field)
    return values, True


def media_type_of(request: Request) -> str:
    """Return the Content-Type without its parameters, in lower case."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def raw_field(tool: Tool[..., Any], media_type: str) -> str:
    """Return the field that a raw body of a media type fills.

    Raises:
        InvalidInput: The tool does not take this media type.
    """
    for accepted, field in tool.spec.raw.items():
        if re.fullmatch(re.escape(accepted).replace(r"\*", r"(?:[\w.+-]+|\*)"), media_type):
            return field
    *others, last = [JSON, *([MULTIPART] if tool.file_fields else []), *tool.spec.raw]
    known = f"{', '.join(others)} or {last}" if others else last
    got = f"got {quote(media_type)}" if media_type else "got none"
    raise InvalidInput(f"Content-Type: must be {known}, {got}.")


def parse_json(body: bytes) -> dict[str, Any]:
    """Return the members of a JSON object. NaN, Infinity and lone surrogates are not JSON (RFC 8259).

    Raises:
        InvalidInput: The body is not a JSON object, a name occurs twice in an object, or a member is null.
    """
    body = body.removeprefix(codecs.BOM_UTF8)
    try:
        values = from_json(body, allow_inf_nan=False)
    except ValueError as error:
        raise InvalidInput(_json_problem(body, error)) from None
    _UNIQUE_NAMES.decode(body.decode())
    if not isinstance(values, dict):
        raise InvalidInput(f"The body must be a JSON object, got {quote(values)}.")
    for name, value in values.items():
        if value is None:
            raise invalid([{"field": name[:80], "message": "must not be null; omit it instead."}])
    return values


def _json_problem(body: bytes, error: ValueError) -> str:
    """Return why a body is not JSON, which is always in UTF-8 (RFC 8259, section 8.1)."""
    if not body:
        return "The body is empty: it must be a JSON object."
    try:
        is_text = "\0" not in body.decode()
    except UnicodeDecodeError:
        is_text = False
    return f"The body is not JSON: {error if is_text else 'it must be UTF-8 text without NUL bytes'}."


def _require_unique(members: list[tuple[str, Any]]) -> None:
    """Check that no name occurs twice in an object. Parsers differ in which value they use (RFC 8259, section 4)."""
    if len({name for name, _ in members}) < len(members):
        [(name, _)] = Counter(name for name, _ in members).most_common(1)
        raise invalid([{"field": name[:80], "message": "occurs twice in a JSON object; send it once."}])


_UNIQUE_NAMES = json.JSONDecoder(object_pairs_hook=_require_unique, parse_int=str, parse_float=str)


@cache
def json_limit(tool: Tool[..., Any]) -> int:
    """Return the size in bytes of the largest valid JSON body of a tool."""
    return MAX_OVERHEAD_BYTES + sum(_json_bytes(parameter) for parameter in tool.parameters)


def raw_limit(parameter: Parameter) -> int:
    """Return the size in bytes of the largest valid raw body of a field, and some more to report what is wrong."""
    most = MAX_FILE_BYTES if parameter.is_file else 4 * (parameter.max_length or MAX_OBJECT_BYTES)
    return most + MAX_OVERHEAD_BYTES


def _json_bytes(parameter: Parameter) -> int:
    match parameter.kind:
        case "file":
            return BASE64_LENGTH
        case "files":
            return -(-MAX_TOTAL_FILE_BYTES // 3) * 4
        case "text" | "html" | "url":
            return MAX_ESCAPED_CHARACTER_BYTES * (parameter.max_length or MAX_OVERHEAD_BYTES)
        case "table":
            return MAX_TABLE_BYTES
        case "object" | "list":
            return MAX_OBJECT_BYTES
        case _:
            return 0


def _reject_query(query: Mapping[str, str]) -> None:
    if query:
        raise invalid(
            [{"field": name[:80], "message": "must be in the JSON body, not in the query."} for name in query]
        )


def _too_large(tool: Tool[..., Any], parameter: Parameter | None = None) -> MediakitError:
    """Return the error for a body that is too large; it names the limit of the field that makes a body large."""
    files = [each for each in tool.parameters if each.is_file]
    # Where a file is optional, such as the logo of a QR code, another field can be what is too large.
    field = parameter or (files[0] if files and files[0].required else None)
    limit = raw_limit(parameter) if parameter else json_limit(tool)
    error = tool.spec.too_large_error or InvalidInput
    if field and field.is_file:
        most = MAX_FILE_BYTES if field.kind == "file" else MAX_TOTAL_FILE_BYTES
        together = "" if field.kind == "file" else " together"
        size = f"must have at most {most // MEGABYTE} MB{together}; the body has more than {limit:,} bytes."
        return error(f"{field.name}: {size}")
    return error(f"The body is too large: it must have at most {limit:,} bytes.")
