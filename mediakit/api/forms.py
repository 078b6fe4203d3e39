"""Options in the query, and `multipart/form-data` bodies (RFC 7578), which are parsed while they arrive.

Every part of a form has a limit.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from pydantic_core import from_json
from python_multipart import MultipartParser
from python_multipart.exceptions import MultipartParseError
from starlette.datastructures import QueryParams
from starlette.requests import Request

from mediakit.api.body_stream import UnreadBodyError, stream
from mediakit.api.headers import parse_header
from mediakit.core.inputs import MAX_FILE_BYTES, MAX_FILES, MAX_TOTAL_FILE_BYTES, MEGABYTE, FileBytes
from mediakit.core.parameters import Parameter
from mediakit.core.request import invalid, unknown
from mediakit.core.tool import Tool
from mediakit.errors import InvalidInput


def parse_query(tool: Tool[..., Any], query: QueryParams, body_field: str = "") -> dict[str, Any]:
    """Return the options in a query string, each parsed by the rules of its field.

    Raises:
        InvalidInput: An option is unknown, repeated, secret, or invalid for its field.
    """
    known = parameters_by_name(tool)
    check_names(tool, query)
    values: dict[str, Any] = {}
    for name, text in query.multi_items():
        if name in values and isinstance(values[name], list):
            values[name] += known[name].parse(text)
        elif name in values:
            raise InvalidInput(f"{name}: must not be repeated in the query.")
        elif name == "output":
            values[name] = text
        elif known[name].name == body_field:
            raise InvalidInput(f"{name}: must not be in the query, because the body of this request contains it.")
        elif known[name].is_secret:
            raise InvalidInput(f"{name}: must be sent in a JSON or multipart body, not in the query string.")
        else:
            values[name] = known[name].parse(text)
    return values


def parameters_by_name(tool: Tool[..., Any]) -> dict[str, Parameter]:
    """Return the fields of a tool by their names and aliases."""
    return {name: parameter for parameter in tool.parameters for name in (parameter.name, *parameter.aliases)}


def check_names(tool: Tool[..., Any], names: Iterable[str]) -> None:
    """Reject names that are neither fields of the tool nor `output`, the option of the HTTP API.

    Raises:
        InvalidInput: A name is unknown.
    """
    known = _names(tool)
    if strange := [name for name in names if name not in known]:
        raise unknown(strange, known, tool.request, names if isinstance(names, Mapping) else None)


@cache
def _names(tool: Tool[..., Any]) -> tuple[str, ...]:
    return (*parameters_by_name(tool), "output")


MAX_OBJECT_BYTES = 1024 * 1024
"""Bytes of the JSON of an object or a list."""
MAX_OVERHEAD_BYTES = 64 * 1024
"""Bytes around the values of a body."""
MAX_PARTS = 1000
MAX_FORM_BYTES = MAX_TOTAL_FILE_BYTES + 4 * MEGABYTE
"""Files, options and the boundaries between them."""

ENCODED = ("base64", "quoted-printable")
"""Values of Content-Transfer-Encoding, of email, that change the bytes of a part."""

_BOUNDARY = re.compile(r"[\w'()+,./:=? -]{1,70}", re.ASCII)


async def read_form(tool: Tool[..., Any], request: Request) -> dict[str, Any]:
    """Return the values of a form: parts named as a field with a file are files, all others are options.

    A list is a part repeated; an object is JSON text.

    Raises:
        InvalidInput: A part has no or an unknown name, is repeated, or does not fit its field.
        UnreadBodyError: The form, a file or an option is too large.
    """
    form = _Form(tool)
    boundary = parse_header(request.headers["content-type"])[1].get("boundary", "")
    if not _BOUNDARY.fullmatch(boundary):
        raise InvalidInput(
            "Content-Type: multipart/form-data must have a boundary of 1 to 70 characters. HTTP clients add it if they "
            "set this header themselves."
        )
    parser = MultipartParser(boundary, form.callbacks)  # type: ignore[arg-type]  # a TypedDict of callables
    try:
        async for chunk in stream(request, MAX_FORM_BYTES, _too_large):
            parser.write(chunk)
        parser.finalize()
    except MultipartParseError as error:
        raise UnreadBodyError(InvalidInput(f"The body is not a valid form: {error}.")) from None
    except InvalidInput as error:
        raise UnreadBodyError(error) from None
    if not form.is_complete:
        raise InvalidInput("The body is not a valid form: its closing boundary is missing.")
    return form.values


class _Form:
    """Collects the parts of a form."""

    def __init__(self, tool: Tool[..., Any]) -> None:
        self.values: dict[str, Any] = {}
        self.is_complete = False
        self._tool = tool
        self._known = parameters_by_name(tool)
        self._parts = 0
        self._header = bytearray(), bytearray()
        self._disposition: dict[str, str] = {}
        self._content = bytearray()
        self._name = ""

    @property
    def callbacks(self) -> dict[str, Any]:
        """What the parser calls."""
        return {
            "on_part_begin": self._begin_part,
            "on_header_field": lambda data, start, end: self._header[0].extend(data[start:end]),
            "on_header_value": lambda data, start, end: self._header[1].extend(data[start:end]),
            "on_header_end": self._end_header,
            "on_headers_finished": self._end_headers,
            "on_part_data": self._add_data,
            "on_part_end": self._end_part,
            "on_end": self._end,
        }

    def _begin_part(self) -> None:
        self._parts += 1
        if self._parts > MAX_PARTS:
            raise InvalidInput(f"The form must have at most {MAX_PARTS} parts.")
        self._disposition, self._content = {}, bytearray()

    def _end_header(self) -> None:
        field, value = (part.decode("utf-8", "replace") for part in self._header)
        if field.lower() == "content-disposition":
            self._disposition = parse_header(value)[1]
        elif field.lower() == "content-transfer-encoding" and value.strip().lower() in ENCODED:  # RFC 7578, section 4.7
            message = f"must not be {value.strip()}: send the bytes of the part as they are."
            raise invalid([{"field": "Content-Transfer-Encoding", "message": message}])
        self._header = bytearray(), bytearray()

    def _end_headers(self) -> None:
        name = self._disposition.get("name")
        if not name:
            raise InvalidInput(
                "Every part of the form must have a name, as in Content-Disposition: form-data; name=file."
            )
        check_names(self._tool, [name])
        self._name = name
        if self._parameter and self._parameter.kind == "file" and name in self.values:
            raise invalid([{"field": name, "message": "must not be repeated in the form."}])

    def _add_data(self, data: bytes, start: int, end: int) -> None:
        self._content += data[start:end]
        if len(self._content) > self._limit:
            raise invalid([{"field": self._name, "message": f"must have at most {self._limit // MEGABYTE} MB."}])

    def _end_part(self) -> None:
        parameter, name = self._parameter, self._name
        if parameter and parameter.is_file:
            self._add_file(parameter)
        elif parameter and parameter.kind == "list":
            self.values.setdefault(name, []).extend(_items(parameter, self._text()))
        elif name in self.values:
            raise invalid([{"field": name, "message": "must not be repeated in the form."}])
        else:
            self.values[name] = parameter.parse(self._text()) if parameter else self._text()
        self._content = bytearray()

    def _end(self) -> None:
        self.is_complete = True

    def _add_file(self, parameter: Parameter) -> None:
        if not self._content and self._disposition.get("filename") == "":  # of a browser, if no file was chosen
            return
        file = FileBytes.named(bytes(self._content), self._disposition.get("filename", ""))
        if parameter.kind == "file":
            self.values[self._name] = file
            return
        files = self.values.setdefault(self._name, [])
        if len(files) >= (parameter.max_length or MAX_FILES):
            message = f"must have at most {parameter.max_length} files."
            raise invalid([{"field": self._name, "message": message}])
        files.append(file)

    def _text(self) -> str:
        try:
            return self._content.decode("utf-8")
        except UnicodeDecodeError:
            raise invalid([{"field": self._name, "message": "must be UTF-8 text."}]) from None

    @property
    def _parameter(self) -> Parameter | None:
        return self._known.get(self._name)

    @property
    def _limit(self) -> int:
        parameter = self._parameter
        if parameter and parameter.is_file:
            return MAX_FILE_BYTES
        return max(MAX_OBJECT_BYTES, 4 * (parameter.max_length or 0) + MAX_OVERHEAD_BYTES if parameter else 0)


def _items(parameter: Parameter, text: str) -> list[Any]:
    """Return the items in a part of a list: the text itself, or several as a JSON array."""
    if not parameter.holds_texts or text.startswith("["):
        try:
            read = from_json(text, allow_inf_nan=False)
        except ValueError:
            read = None
        if isinstance(read, list):
            return read
        if not parameter.holds_texts:
            return [parameter.parse(text)]
    return [text]


def _too_large() -> InvalidInput:
    return InvalidInput(f"The form is too large: it must have at most {MAX_FORM_BYTES:,} bytes.")
