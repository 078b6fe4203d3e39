"""Request bodies: read within limits and decoded by their media type into the values of a call."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterable, Mapping
from typing import Any

from pydantic_core import from_json
from starlette.datastructures import QueryParams
from starlette.requests import Request

from mediakit.api.charset import decode
from mediakit.core.files import BASE64_LENGTH, MAX_FILE_BYTES, MAX_TOTAL_FILE_BYTES, MEGABYTE
from mediakit.core.messages import quote
from mediakit.core.parameters import Parameter
from mediakit.core.request import invalid, unknown
from mediakit.core.tool import Tool
from mediakit.errors import InvalidInput, MediakitError

JSON = "application/json"
MULTIPART = "multipart/form-data"
MAX_ESCAPED_CHARACTER_BYTES = 6
"""Bytes of a character in JSON, as `\\u00e9`."""
MAX_OVERHEAD_BYTES = 64 * 1024
MAX_OBJECT_BYTES = 1024 * 1024
MAX_TABLE_BYTES = 20 * MEGABYTE
IDLE_TIMEOUT_SECONDS = 30
"""How long a sender may pause."""


class UnreadBodyError(Exception):
    """A request was rejected before its body was read; the connection has to be closed."""

    def __init__(self, error: MediakitError) -> None:
        super().__init__(error.message)
        self.error = error
        """The error of the response."""


async def read_values(tool: Tool[..., Any], request: Request) -> tuple[dict[str, Any], bool]:
    """Return a call's values by name, and whether the response is the file by default.

    Raises:
        InvalidInput: The media type is not supported, or the body cannot be decoded.
        UnreadBodyError: The body is too large or comes too slowly.
    """
    media_type = media_type_of(request)
    if media_type == JSON:
        return await _read_json(tool, request)
    if media_type == MULTIPART and tool.takes_files:
        from mediakit.api.multipart import read_form

        form = await read_form(tool, request)
        query = parse_query(tool, request.query_params)
        for name in query.keys() & form.keys():
            raise invalid([{"field": name, "message": "is in the form and in the query; send it once."}])
        return query | form, True
    return await _read_raw(tool, request, media_type), True


async def _read_json(tool: Tool[..., Any], request: Request) -> tuple[dict[str, Any], bool]:
    """Return the values in a JSON body. For tools that take JSON files, a JSON array is the file itself."""
    content = await read(request, json_limit(tool), _too_large(tool))
    if JSON in tool.raw and content.lstrip().startswith(b"["):
        return {**parse_query(tool, request.query_params, tool.raw[JSON]), tool.raw[JSON]: content}, True
    _reject_query(request.query_params)
    values = parse_json(content)
    _check_names(tool, values)
    return values, False


async def _read_raw(tool: Tool[..., Any], request: Request, media_type: str) -> dict[str, Any]:
    field = raw_field(tool, media_type)
    parameter = next(parameter for parameter in tool.parameters if parameter.name == field)
    values = parse_query(tool, request.query_params, field)
    content = await read(request, raw_limit(parameter), _too_large(tool, parameter))
    if content or parameter.required or not parameter.schema.get("minLength"):
        is_file = parameter.kind == "file"
        values[field] = content if is_file else decode(content, request.headers["content-type"], field)
    return values


def media_type_of(request: Request) -> str:
    """Return the Content-Type without its parameters, in lower case."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def raw_field(tool: Tool[..., Any], media_type: str) -> str:
    """Return the field that a raw body of a media type fills.

    Raises:
        InvalidInput: The tool does not take this media type.
    """
    for accepted, field in tool.raw.items():
        if re.fullmatch(re.escape(accepted).replace(r"\*", r"(?:[\w.+-]+|\*)"), media_type):
            return field
    *others, last = [JSON, *([MULTIPART] if tool.takes_files else []), *tool.raw]
    known = f"{', '.join(others)} or {last}" if others else last
    got = f"got {quote(media_type)}" if media_type else "got none"
    raise InvalidInput(f"Content-Type: must be {known}, {got}.")


def parse_json(body: bytes) -> dict[str, Any]:
    """Return the members of a JSON object. NaN, Infinity and lone surrogates are not JSON (RFC 8259).

    Raises:
        InvalidInput: The body is not a JSON object, or a member is null.
    """
    try:
        values = from_json(body.removeprefix(b"\xef\xbb\xbf"), allow_inf_nan=False)
    except ValueError as error:
        raise InvalidInput(f"The body is not JSON: {error}.") from None
    if not isinstance(values, dict):
        raise InvalidInput(f"The body must be a JSON object, got {quote(values)}.")
    for name, value in values.items():
        if value is None:
            raise invalid([{"field": name[:80], "message": "must not be null; omit it instead."}])
    return values


def parse_query(tool: Tool[..., Any], query: QueryParams, body_field: str = "") -> dict[str, Any]:
    """Return the options in a query string, read by the rules of their fields.

    Args:
        tool: The tool.
        query: The query string.
        body_field: The field that the body fills.

    Raises:
        InvalidInput: An option is unknown, repeated, secret, or does not fit its field.
    """
    known = parameters_by_name(tool)
    _check_names(tool, query)
    values: dict[str, Any] = {}
    for name, text in query.multi_items():
        if name in values and isinstance(values[name], list):
            values[name] += known[name].parse(text)
        elif name in values:
            raise InvalidInput(f"{name}: must be in the query only once.")
        elif name == "output":
            values[name] = text
        elif known[name].name == body_field:
            raise InvalidInput(f"{name}: is the body of this request; remove it from the query.")
        elif known[name].is_secret:
            raise InvalidInput(f"{name}: must be sent in a JSON or multipart body, not in the query string.")
        else:
            values[name] = known[name].parse(text)
    return values


async def read(request: Request, limit: int, too_large: MediakitError) -> bytes:
    """Return the body, read no further than a limit.

    Raises:
        InvalidInput: The body is compressed.
        UnreadBodyError: The body is larger than the limit, or comes too slowly.
    """
    return b"".join([chunk async for chunk in stream(request, limit, too_large)])


async def stream(request: Request, limit: int, too_large: MediakitError) -> AsyncIterator[bytes]:
    """Yield the chunks of the body; raises as `read` does."""
    if request.headers.get("content-encoding", "identity").lower() != "identity":
        raise InvalidInput("Content-Encoding: compressed bodies are not accepted; send the body uncompressed.")
    declared = request.headers.get("content-length", "0")
    if not declared.isdecimal() or int(declared) > limit:
        raise UnreadBodyError(too_large)
    size = 0
    chunks = request.stream().__aiter__()
    while True:
        try:
            async with asyncio.timeout(IDLE_TIMEOUT_SECONDS):
                chunk = await anext(chunks, None)
        except TimeoutError:
            message = f"The body paused for more than {IDLE_TIMEOUT_SECONDS} seconds."
            raise UnreadBodyError(InvalidInput(message)) from None
        if chunk is None:
            return
        size += len(chunk)
        if size > limit:
            raise UnreadBodyError(too_large)
        yield chunk


def json_limit(tool: Tool[..., Any]) -> int:
    """Return the size in bytes of the largest valid JSON body of a tool."""
    return MAX_OVERHEAD_BYTES + sum(_json_bytes(parameter) for parameter in tool.parameters)


def raw_limit(parameter: Parameter) -> int:
    """Return the size in bytes of the largest valid raw body of a field, and some more to report what is wrong."""
    most = MAX_FILE_BYTES if parameter.kind == "file" else 4 * (parameter.max_length or MAX_OBJECT_BYTES)
    return most + MAX_OVERHEAD_BYTES


def parameters_by_name(tool: Tool[..., Any]) -> dict[str, Parameter]:
    """Return the fields of a tool by their names and aliases."""
    return {name: parameter for parameter in tool.parameters for name in (parameter.name, *parameter.aliases)}


def check_name(tool: Tool[..., Any], name: str) -> None:
    """Reject a name that is neither a field of the tool nor `output`, the option of the HTTP API."""
    known = [*parameters_by_name(tool), "output"]
    if name not in known:
        raise unknown(name, known)


def _check_names(tool: Tool[..., Any], names: Iterable[str]) -> None:
    for name in names:
        check_name(tool, name)


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
    for name in query:
        raise InvalidInput(f"{name[:80]}: must be in the JSON body, not in the query.")


def _too_large(tool: Tool[..., Any], parameter: Parameter | None = None) -> MediakitError:
    """Return the error for a body that is too large; it names the limit of the field that makes a body large."""
    files = [each for each in tool.parameters if each.is_file]
    field = parameter or (files[0] if files else None)
    limit = raw_limit(parameter) if parameter else json_limit(tool)
    error = tool.too_large_error or InvalidInput
    if field and field.is_file:
        most = MAX_FILE_BYTES if field.kind == "file" else MAX_TOTAL_FILE_BYTES
        together = "" if field.kind == "file" else " together"
        size = f"must have at most {most // MEGABYTE} MB{together}; the body has more than {limit:,} bytes."
        return error(f"{field.name}: {size}")
    return error(f"The body is too large: it must have at most {limit:,} bytes.")
