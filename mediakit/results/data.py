"""Results that are data: the fields of a class are the members of the JSON, in their order.

    class PdfForm(DataResult):
        fields: list[FieldInfo]
        \"\"\"The fields, in the order of the form.\"\"\"
        pages: int
        \"\"\"Number of pages of the PDF.\"\"\"
        pdf: PdfResult | None = None      # `pdf` and `mime_type` in JSON; absent while it is None

Subclasses define `_facts`, `_rows`, `_absent` and a view where the defaults do not fit.

`parse` reads the response of a server as a result, and `tool_schema` describes it.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, fields
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, cast, final, get_args, get_origin, get_type_hints

import pybase64

from mediakit.core.tool import Tool, Wire
from mediakit.errors import InvalidInput, MissingPackage
from mediakit.installation import install_command
from mediakit.results.files import FileResult, file_result
from mediakit.results.item import (
    Item,
    Json,
    adapter,
    field,
    is_absent,
    json_schema,
    member_name,
    to_plain,
    type_parts,
    warning_messages,
)
from mediakit.results.result import Bundle, Coded, Result
from mediakit.results.saving import SavedFile

if TYPE_CHECKING:
    import pandas as pd


JSON = "application/json"


MAX_GIST = 300
"""Characters of what a gallery says of data."""


class Data(Result, Item):
    """Data: in JSON its fields stand beside `success` and `meta`. A field that holds a `FileResult` is a file."""

    meta: dict[str, Any] = field(kw_only=True, default_factory=dict)
    _wire = Wire(outputs=("json",), is_data=True)
    _saves_json = True

    @final
    def to_frame(self) -> "pd.DataFrame":
        """Return tabular data as a DataFrame of pandas, or of Polars if pandas is not installed.

        Raises:
            ImportError: Neither is installed.
            InvalidInput: The data is not tabular.
        """
        return cast("pd.DataFrame", self._frame())

    def _frame(self) -> Any:
        return data_frame(self._rows())

    def _rows(self) -> Sequence[Mapping[str, Any]]:
        """Return the rows of tabular data."""
        raise InvalidInput(f"to_frame: {type(self).__name__} is not tabular.")

    def _absent(self) -> frozenset[str]:
        """Return the names of fields that are not in the JSON, besides those that are None by default and in fact."""
        return frozenset(vars(self).get("_omitted", ()))

    @final
    def _without(self, *names: str) -> Self:
        """Return this result without some fields in the JSON, each a `field(metadata={"optional": True})`."""
        vars(self)["_omitted"] = names
        return self

    @classmethod
    def _described(cls, schemas: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
        """Return the JSON Schemas of the members of a response, by those of the fields."""
        return schemas

    @classmethod
    def _received(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Return the values of the fields in a server's response, completed by those that its meta has."""
        return values

    @final
    def _present(self) -> Iterator[tuple[str, Any]]:
        """Yield the member and the value of each field that is in the JSON, except the meta."""
        absent = self._absent() | {"meta"}
        for each in fields(self):
            if each.name not in absent and not is_absent(self, each):
                yield member_name(each), vars(self)[each.name]

    def _wire_members(self) -> Iterator[tuple[str, Any]]:
        json_fields = {each.name for each in fields(self) if each.metadata.get("json")}
        for name, value in self._present():
            if not is_file(value):
                yield name, value if name in json_fields else to_plain(value, keep_items=True)
            elif isinstance(value, list):
                yield name, [_listed(each) for each in value]
            else:
                yield from value._wire_members()

    @classmethod
    def _parsed(cls, body: Mapping[str, Any], meta: Mapping[str, Any], annotation: Any) -> Self:
        values = {**_values(cls, {**body, "meta": meta}), "meta": meta}
        omitted = [each.name for each in fields(cls) if each.metadata.get("optional") and each.name not in values]
        made = adapter(annotation).validate_python({**dict.fromkeys(omitted), **cls._received(values)})
        return cast("Self", made._without(*omitted))

    @final
    def _made(self) -> FileResult | None:
        """Return the file that the call made; None if it made none."""
        return next((value for value in vars(self).values() if isinstance(value, FileResult)), None)

    def _has_file(self) -> bool:
        return self._made() is not None

    @final
    def _file_bundle(self) -> Bundle:
        """Return the MIME bundle of the file that the call made, without its plain text; empty if it made none."""
        made = self._made()
        data, metadata = ({}, {}) if made is None else made._bundle()
        return {kind: shown for kind, shown in data.items() if kind != "text/plain"}, metadata

    def _notes(self) -> Sequence[str]:
        return warning_messages(self.meta) if self._caption() else ()  # views of data show their own

    def _saved(self) -> SavedFile:
        made = self._made()
        return SavedFile(self.to_json().encode(), JSON, self._json_name()) if made is None else made._saved()

    def _json_name(self) -> str:
        """Return the name of the JSON file."""
        return "data.json" if self._call is None else f"{self._call.tool.command}.json"

    def _members(self) -> Mapping[str, Any]:
        from pydantic_core import from_json

        return {
            name: to_plain(from_json(value) if isinstance(value, Json) else value)
            for name, value in self._present()
            if not is_file(value)
        }

    def _compared(self) -> Any:
        values = (getattr(self, each.name) for each in fields(self) if each.compare)
        return type(self), [value._saved() if isinstance(value, FileResult) else value for value in values]

    def _gist(self) -> str:
        text = " ".join(repr(self).removeprefix("<").removesuffix(">").split()).partition(" ")[2]  # without the class
        return text if len(text) <= MAX_GIST else f"{text[:MAX_GIST]}…"

    def __repr__(self) -> str:
        facts = self._facts()
        return f"<{type(self).__name__}{f' {facts}' if facts else ''}>"


class JsonResult(Data):
    """Data. As a file it is the file that the call made, or the data as JSON."""

    @property
    @final
    def content(self) -> bytes:
        """The file that the call made; the data and the meta as JSON if it made none."""
        return self._saved().content


class DataResult(JsonResult, Coded):
    """Data whose fields are not named `mime_type` or `code`."""

    @property
    @final
    def mime_type(self) -> str:
        """The media type of the file that the call made; that of JSON if it made none."""
        return self._saved().mime_type


class MadeData(DataResult):
    """Data of which some formats make a file, in the field `made`."""

    _wire = Wire(outputs=("json", "binary", "url"), is_data=True, sends_file=True)

    @property
    def filename(self) -> str:
        """The name of the file; empty if none was made."""
        made = self._made()
        return "" if made is None else made.filename


class TextData(Data, Coded):
    """Data with a text: subclasses have a field `content`, and define `_saved` to return it as UTF-8."""

    _wire = Wire(outputs=("json", "binary", "url"), is_data=True)

    @property
    @final
    def mime_type(self) -> str:
        """The media type of the text."""
        return self._saved().mime_type

    @property
    @final
    def extension(self) -> str:
        """The usual file name extension, without the dot."""
        return self._saved().extension

    def _has_file(self) -> bool:
        return True


def rows_of(result: Result) -> Sequence[Mapping[str, Any]] | None:
    """Return the rows of a result whose data is tabular, and None for others."""
    try:
        return result._rows() if isinstance(result, Data) else None
    except InvalidInput:
        return None


def is_file(value: Any) -> bool:
    """Return whether the value of a field is a file, or a list of files."""
    return isinstance(value, FileResult) or (
        isinstance(value, list) and bool(value) and isinstance(value[0], FileResult)
    )


def _listed(made: FileResult) -> dict[str, Any]:
    """Return one of several files that stand beside each other in the JSON."""
    content = pybase64.b64encode(made.content).decode()
    return {"name": made.filename, "file": content, "mime_type": made.mime_type, "size_bytes": len(made.content)}


def _values(kind: type[Data], body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of the fields of a class that a response has, with its files as results."""
    found: dict[str, Any] = {}
    for name, hint in hints_of(kind).items():
        files = [part for part in type_parts(hint) if isinstance(part, type) and issubclass(part, FileResult)]
        if not files:
            found |= {name: body[name]} if name in body else {}
        elif list in (get_origin(part) for part in (hint, *get_args(hint))):
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
    """Return the resolved annotations of the fields of a class by their members, except the meta."""
    hints = get_type_hints(kind)
    return {member_name(each): hints[each.name] for each in fields(kind) if each.name != "meta"}


LIBRARIES = ("pandas", "polars")
"""Data frame libraries in the order of preference."""


def data_frame(rows: Sequence[Any], columns: Sequence[str] | None = None) -> Any:
    """Return rows as a DataFrame of pandas, or of Polars if pandas is not installed.

    Raises:
        MissingPackage: Neither library is installed.
    """
    library = next((name for name in LIBRARIES if find_spec(name)), None)
    if library is None:
        raise MissingPackage("to_frame() requires pandas or Polars.", command=install_command("pandas"))
    frame = import_module(library).DataFrame
    if library == "pandas":
        return frame(list(rows), columns=None if columns is None else list(columns))
    return frame(list(rows), schema=None if columns is None else list(columns), orient=None if not columns else "row")


SCHEMAS: Mapping[str, Any] = json.loads(Path(__file__).with_name("schemas.json").read_text("utf-8"))
"""JSON Schemas of the members for files: one file by the name of its member, several files, and the size of a file."""

OPTIONAL: Mapping[str, Any] = {"x-optional": True}


def parse(tool: Tool[..., Any], body: Mapping[str, Any]) -> Any:
    """Return the result in the JSON body of a server's response to a call of a tool, without the account's usage.

    Raises:
        InvalidInput: The body does not have the members of the tool's results.
    """
    annotation = next((each for each in tool.returns if _is_in(each, body)), tool.returns[-1])
    kind = get_origin(annotation) or annotation
    return kind.from_envelope(body, annotation)


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


def tool_schema(tool: Tool[..., Any]) -> dict[str, dict[str, Any]]:
    """Return the JSON Schema of each member of a tool's responses, the meta of its files included.

    Members that some responses do not have are marked with `x-optional`.
    """
    kinds = zip(tool.returns, tool.kinds, strict=True)
    found = [_file_schema(k, tool) if issubclass(k, FileResult) else data_schema(each, tool) for each, k in kinds]
    if len(found) == 1:
        return found[0]
    meta = _merged([each.pop("meta", {}).get("properties", {}) for each in found])
    return {**_merged(found), "meta": {"properties": meta}}


def _merged(found: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the schemas of the members that some of several kinds of results have."""
    names = dict.fromkeys(name for each in found for name in each)
    known = {name: [each[name] for each in found if name in each] for name in names}
    return {name: {**parts[0], **({} if len(parts) == len(found) else OPTIONAL)} for name, parts in known.items()}


def _file_schema(kind: type[FileResult], tool: Tool[..., Any]) -> dict[str, dict[str, Any]]:
    member = kind._wire.member
    content = SCHEMAS["files"][member]
    mime_type = {"type": "string", "enum": list(tool.produces)}
    named: dict[str, Any] = {"filename": {"type": "string"}} if member == "file" else {}
    extra = kind._extra_schema()
    meta = {"properties": {"size_bytes": SCHEMAS["size"], **extra.pop("meta", {}).get("properties", {})}}
    return {member: content, "mime_type": mime_type, **named, **extra, "meta": meta}


def data_schema(annotation: Any, tool: Tool[..., Any]) -> dict[str, dict[str, Any]]:
    """Return the JSON Schema of each member of a response with data. Optional ones have `x-optional`.

    A file is its member (base64), its media type and, except of images and PDFs, its name; `meta` has its size.
    """
    found: dict[str, dict[str, Any]] = {}
    kind = get_origin(annotation) or annotation
    schemas = json_schema(annotation)
    if (described := kind._described(dict(schemas))) != schemas:
        return dict(described)
    for name, hint in hints_of(kind).items():
        files = [part for part in type_parts(hint) if isinstance(part, type) and issubclass(part, FileResult)]
        schema = schemas[name]
        about: dict[str, Any] = {key: schema[key] for key in ("description", "examples", "x-optional") if key in schema}
        if not files:
            found[name] = schema
        elif list in (get_origin(part) for part in (hint, *get_args(hint))):
            found[name] = {**SCHEMAS["listed"], **about}
        else:
            optional = {"x-optional": True} if "x-optional" in schema else {}
            member = files[0]._wire.member
            found[member] = {**SCHEMAS["files"][member], **about}
            types = [media for media in tool.produces if media != "application/json"]
            found["mime_type"] = {"type": "string", "enum": types, **optional}
            if member == "file":
                found["filename"] = {"type": "string", **optional}
            if "size_bytes" not in tool.spec.meta:
                found["meta"] = {"properties": {"size_bytes": {**SCHEMAS["size"], **optional}}}
    return found
