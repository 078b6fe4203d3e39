"""Request bodies: read within a limit, judged by their media type, taken apart into values."""

import asyncio
import re
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic_core import from_json
from starlette.datastructures import QueryParams
from starlette.requests import Request

from mediakit.api.charset import decode
from mediakit.core.fields import FILE_BYTES
from mediakit.core.messages import quote
from mediakit.core.parameters import Parameter
from mediakit.core.request import invalid, unknown
from mediakit.core.tool import Tool
from mediakit.errors import InvalidInput, MediakitError, NotConvertible

JSON = "application/json"
ESCAPED = 6
"""Bytes that JSON may take for a character, as `\\u00e9`."""
SLACK = 64 * 1024
OBJECT_BYTES = 1024 * 1024
IDLE_SECONDS = 30
"""How long a sender may pause."""


class BodyRefused(InvalidInput):
    """The body is too large or too slow; its rest is not read."""


class PageRefused(NotConvertible):
    """The body is too large to be a page that is converted; its rest is not read."""


async def read_values(tool: Tool[..., Any], request: Request) -> tuple[dict[str, Any], bool]:
    """Give a call's values by name, and whether they came as a raw body."""
    kind = media_type(request)
    if kind == JSON:
        _refuse_query(request.query_params)
        values = parse_json(await read(request, json_limit(tool), refusal(tool)))
        _check_names(tool, values)
        return values, False
    field = raw_field(tool, kind)
    parameter = next(parameter for parameter in tool.parameters if parameter.name == field)
    values = parse_query(tool, request.query_params, field)
    content = await read(request, raw_limit(parameter), refusal(tool))
    if content or parameter.required or not parameter.schema.get("minLength"):
        is_file = parameter.kind == "file"
        values[field] = content if is_file else decode(content, request.headers["content-type"], field)
    return values, True


def media_type(request: Request) -> str:
    """Give the Content-Type without its parameters, in lower case."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def raw_field(tool: Tool[..., Any], kind: str) -> str:
    """Name the field that a raw body of this media type fills."""
    for accepted, field in tool.raw.items():
        if re.fullmatch(re.escape(accepted).replace(r"\*", r"(?:[\w.+-]+|\*)"), kind):
            return field
    known = " or ".join([JSON, *tool.raw])
    got = f"got {quote(kind)}" if kind else "none was sent"
    raise InvalidInput(f"Content-Type: must be {known}, {got}.")


def parse_json(body: bytes) -> dict[str, Any]:
    """Read a JSON object; NaN, Infinity and lone surrogates are no JSON (RFC 8259)."""
    try:
        values = from_json(body.removeprefix(b"\xef\xbb\xbf"), allow_inf_nan=False)
    except ValueError as error:
        raise InvalidInput(f"The body is not JSON: {error}.") from None
    if not isinstance(values, dict):
        raise InvalidInput(f"The body must be a JSON object, got {quote(values)}.")
    for name, value in values.items():
        if value is None:
            raise invalid([{"field": name[:80], "message": "must not be null; leave it out instead."}])
    return values


def parse_query(tool: Tool[..., Any], query: QueryParams, body_field: str) -> dict[str, Any]:
    """Read options from the query string by the rules of their fields."""
    known = _names(tool)
    _check_names(tool, query)
    values: dict[str, Any] = {}
    for name, text in query.multi_items():
        if name in values and isinstance(values[name], list):
            values[name] += known[name].parse(text)
        elif name in values:
            raise InvalidInput(f"{name}: is given twice in the query.")
        elif name == "output":
            values[name] = text
        elif known[name].name == body_field:
            raise InvalidInput(f"{name}: is the body of this request already; leave it out of the query.")
        else:
            values[name] = known[name].parse(text)
    return values


async def read(request: Request, limit: int, refused: type[MediakitError] = BodyRefused) -> bytes:
    """Read the body, no further than its limit."""
    if request.headers.get("content-encoding", "identity").lower() != "identity":
        raise InvalidInput("Content-Encoding: compressed bodies are not accepted; send the body as it is.")
    declared = request.headers.get("content-length", "0")
    if not declared.isdecimal() or int(declared) > limit:
        raise _too_large(limit, refused)
    chunks: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(IDLE_SECONDS) as idle:
            async for chunk in request.stream():
                idle.reschedule(asyncio.get_running_loop().time() + IDLE_SECONDS)
                size += len(chunk)
                if size > limit:
                    raise _too_large(limit, refused)
                chunks.append(chunk)
    except TimeoutError:
        raise BodyRefused(f"Nothing more of the body came for {IDLE_SECONDS} seconds.") from None
    return b"".join(chunks)


def json_limit(tool: Tool[..., Any]) -> int:
    """Give the most bytes that a valid JSON body of this tool can have."""
    return SLACK + sum(_json_bytes(parameter) for parameter in tool.parameters)


def raw_limit(parameter: Parameter) -> int:
    """Give the most bytes that a valid raw body for this field can have, and a little more to say what is wrong."""
    most = FILE_BYTES if parameter.kind == "file" else 4 * (parameter.max_length or OBJECT_BYTES)
    return most + SLACK


def _json_bytes(parameter: Parameter) -> int:
    if parameter.kind == "file":
        return parameter.max_length or 0
    if parameter.kind == "text":
        return ESCAPED * (parameter.max_length or SLACK)
    return OBJECT_BYTES if parameter.kind in ("object", "list") else 0


def _names(tool: Tool[..., Any]) -> dict[str, Parameter]:
    return {name: parameter for parameter in tool.parameters for name in (parameter.name, *parameter.aliases)}


def _check_names(tool: Tool[..., Any], names: Iterable[str]) -> None:
    """Refuse names that are neither a field's nor `output`, which belongs to HTTP alone."""
    known = [*_names(tool), "output"]
    for name in names:
        if name not in known:
            raise unknown(name, known)


def _refuse_query(query: Mapping[str, str]) -> None:
    for name in query:
        raise InvalidInput(f"{name[:80]}: with a JSON body, options go into the body, not into the query.")


def refusal(tool: Tool[..., Any]) -> type[MediakitError]:
    """Give the error for a body that is too large; pages that are too large to convert have a status of their own."""
    return PageRefused if NotConvertible in tool.errors else BodyRefused


def _too_large(limit: int, refused: type[MediakitError]) -> MediakitError:
    return refused(f"The body is too large: at most {limit:,} bytes are accepted here.")
