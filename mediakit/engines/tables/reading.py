"""Reads a source of any kind, which its content tells. Foreign bytes are parsed in a worker: see `guarded`."""

import io
import re
import tomllib
import zipfile
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any, Literal

from mediakit.engines.charsets import decode, marked_charset
from mediakit.engines.file_types.identify import identify
from mediakit.engines.tables.model import Document, Facts, ReadOptions
from mediakit.engines.tables.nested import tabled
from mediakit.engines.tables.readers.delimited import (
    MIN_PACKED_CHARACTERS,
    has_table,
    read_delimited,
    read_markdown,
    read_sample,
    tabulate,
)
from mediakit.errors import InvalidInput

Kind = Literal["csv", "json", "jsonl", "excel", "parquet", "yaml", "toml", "markdown"]

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_BIFF_VERSIONS = (b"\x09\x00", b"\x09\x02", b"\x09\x04", b"\x09\x08")
_BIFF_LENGTHS = (b"\x04\x00", b"\x06\x00", b"\x08\x00", b"\x10\x00")
_WORKBOOK_TYPES = (b"spreadsheetml.sheet.main", b"spreadsheetml.template.main", b"ms-excel.")
"""Content types of the main part of a workbook."""

_TEXT_SUFFIXES: dict[str, Kind] = {
    ".csv": "csv",
    ".tsv": "csv",
    ".tab": "csv",
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".toml": "toml",
    ".md": "markdown",
    ".markdown": "markdown",
}
_YAML_LINE = re.compile(r"(?:- ?|-$|[^\s,;|#&*!%@`{}\[\]\"':-][^,;|\t:]*:(?:[ \t]|$)|[\"'][^\"']+[\"']:(?:[ \t]|$))")
_TOML_LINE = re.compile(
    r"""\s*(?:\[\[?[^\[\],;|]+\]\]?\s*(?:\#.*)?|(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')(?:\s*\.\s*[\w"'-]+)*\s*=\s*\S.*)"""
)
_NO_TABLES = ("image", "video", "audio", "archive", "font", "executable")
"""Kinds of files without tables. Documents are not among them: a mail is a text, and may hold a table."""

_MARKUP = ("text/html", "application/xhtml+xml", "application/xml")

_HEAD_BYTES = 65_536


def binary_kind(content: bytes) -> Kind | None:
    """Return the kind of a binary file that holds tables; None for text."""
    if content.startswith(b"PAR1"):
        return "parquet"
    if content.startswith(_OLE) or (content[:2] in _BIFF_VERSIONS and content[2:4] in _BIFF_LENGTHS):
        return "excel"
    return "excel" if content.startswith(b"PK\x03\x04") else None


def foreign_kind(content: bytes) -> str | None:
    """Return what a file is, in words, that holds no table for certain."""
    if content.startswith(b"PK\x03\x04") and not is_workbook(content):
        archive = identify(content)
        is_plain = archive.mime_type == "application/zip"
        return "a ZIP archive that is not a workbook" if is_plain else archive.description
    if content.startswith(b"PK\x03\x04") or marked_charset(content):  # a mark of UTF-16 also begins an MPEG frame
        return None
    found = identify(content[:_HEAD_BYTES])
    if found.mime_type in _MARKUP:  # a CSV file can begin with a tag, but then does not end with one
        return found.description if content.rstrip().endswith(b">") else None
    has_no_tables = found.kind in _NO_TABLES or found.mime_type in ("application/pdf", "application/postscript")
    return found.description if has_no_tables else None


def is_workbook(content: bytes) -> bool:
    """Return whether a ZIP archive has the parts of a workbook; a damaged archive counts as one."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = set(archive.namelist())
            types = archive.read("[Content_Types].xml") if "[Content_Types].xml" in names else b""
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError, UnicodeDecodeError):
        return True
    return "content.xml" in names or any(kind in types for kind in _WORKBOOK_TYPES)


def text_kind(text: str, name: str) -> Kind:
    """Return the kind of a text."""
    suffix = _TEXT_SUFFIXES.get(PurePath(name).suffix.lower())
    if suffix:
        return suffix
    start = text.lstrip("\ufeff \t\r\n")
    if start[:1] in ("{", "["):
        found = _bracketed(start)
        if found:
            return found
    if text.startswith(("%YAML", "---\n", "---\r\n", "--- ")):
        return "yaml"
    lines = [line for line in text[:20_000].splitlines()[:200] if line.strip() and not line.lstrip().startswith("#")]
    if has_table(text[:20_000]):
        return "markdown"
    if lines and _TOML_LINE.fullmatch(lines[0]):
        with suppress(RecursionError, ValueError):
            if tomllib.loads(text.lstrip("\ufeff")):
                return "toml"
    top = [line for line in lines if not line[0].isspace()]  # each begins a key or an item in YAML
    is_yaml = all(map(_YAML_LINE.match, top)) and any(":" in line or line[0] == "-" for line in top)
    return "yaml" if is_yaml else "csv"


def _bracketed(start: str) -> Kind | None:
    """Return the kind of a text that begins with a bracket: JSON, JSON Lines, or TOML with a table at its top."""
    first, _, rest = start.partition("\n")
    line = first.strip()
    closed = (line.startswith("{") and line.endswith("}")) or (line.startswith("[") and line.endswith("]"))
    following = rest.lstrip()
    if closed and re.fullmatch(r"\[\[?[A-Za-z_][\w.-]*\]?\]", line) and re.match(r"[\w\"'#\[-]", following or "#"):
        return "json" if not following else "toml" if "=" in rest else None
    if closed and following and following[0] == line[0]:
        return "jsonl"
    return "json"


@dataclass(frozen=True)
class Source:
    """What a request reads: a file, a text or rows."""

    field: str
    """Name of the field: `file`, `text` or `rows`."""
    value: Any
    name: str = ""
    """Name of the file."""

    @property
    def stem(self) -> str:
        """The file's name without its extension, or `data`."""
        return PurePath(self.name).stem or "data"


def read_source(source: Source, options: ReadOptions) -> Document:
    """Read the source of a request.

    Raises:
        InvalidInput: It is not of the kind, damaged, or too large.
    """
    if source.field == "file":
        document = read_file(bytes(source.value), source.name, options)
    elif source.field == "text":
        document = read_text(source.value, options)
    else:
        document = read_rows(source.value, options)
    return _cut(document, options)


def sample_source(source: Source, options: ReadOptions) -> tuple[Document, str] | None:
    """Return the first rows of a large, regular delimited text, and the text of all of its rows; None for others.

    Raises:
        InvalidInput: It is not a table.
    """
    if len(source.value) < MIN_PACKED_CHARACTERS or options.input_format not in ("auto", "csv"):
        return None
    text, encoding = source.value, None
    if source.field == "file":
        content = bytes(source.value)
        if options.input_format == "auto" and binary_kind(content):
            return None
        _refuse_foreign(content, options)
        text, encoding = decode(content, options.encoding, options.field)
    if (
        not isinstance(text, str)
        or "\0" in text
        or (options.input_format == "auto" and text_kind(text, source.name) != "csv")
    ):
        return None
    facts = Facts(input_format="csv", encoding=encoding)
    found = read_sample(text.removeprefix("\ufeff"), options, facts)
    return found and (Document(facts, {"data": found[0]}), found[1])


def _cut(document: Document, options: ReadOptions) -> Document:
    """Return a document with the rows wanted; more were read to decide the types."""
    if options.max_rows is not None:
        document.tables = {name: table.head(options.max_rows) for name, table in document.tables.items()}
    return document


def read_file(content: bytes, name: str, options: ReadOptions) -> Document:
    """Read a file; its name decides only between kinds of text that look alike.

    Raises:
        InvalidInput: The file is not of the kind, damaged, or too large.
    """
    kind = binary_kind(content) if options.input_format == "auto" else options.input_format
    if kind == "parquet":
        from mediakit.engines.tables.nested import read_parquet

        facts = Facts(input_format="parquet")
        return Document(facts, {"data": read_parquet(content, options, facts)})
    if kind == "excel":
        from mediakit.engines.tables.readers.workbook import read_workbook

        _refuse_foreign(content, options)
        return read_workbook(content, options, Facts(input_format="excel"))
    if kind == "toml":
        return _read_toml(content, options)
    _refuse_foreign(content, options)
    text, encoding = decode(content, options.encoding, options.field)
    return _read_decoded(text, content, name, encoding, options)


def read_text(text: str, options: ReadOptions) -> Document:
    """Read a text.

    Raises:
        InvalidInput: The text is not of the kind, or too large.
    """
    if options.input_format in ("excel", "parquet"):
        raise InvalidInput(f"input_format: {options.input_format} is not a text; send it as file.")
    return _read_decoded(text.removeprefix("\ufeff"), None, "", None, options)


def read_rows(rows: Any, options: ReadOptions) -> Document:
    """Read rows: an array of objects or arrays, or an object of arrays.

    Raises:
        InvalidInput: The rows are not a table, or too large.
    """
    facts = Facts(input_format="rows")
    return Document(facts, {"data": tabled(rows, options, facts)})


def as_tables(document: Document, options: ReadOptions) -> Document:
    """Return a document whose value, if it has one, is read as a table.

    Raises:
        InvalidInput: The value is not a table, or too large.
    """
    if document.is_value:
        document.tables = {"data": tabled(document.value, options, document.facts)}
        document.is_value = False
    return _cut(document, options)


def _read_decoded(text: str, content: bytes | None, name: str, encoding: str | None, options: ReadOptions) -> Document:
    kind: Kind = text_kind(text, name) if options.input_format == "auto" else options.input_format
    if kind == "toml":
        return _read_toml(text.encode() if content is None else content, options)
    facts = Facts(input_format=kind, encoding=encoding)
    if kind == "csv":
        if "\0" in text:
            raise InvalidInput(f"{options.field}: is not a text; it has NUL characters.")
        return Document(facts, {"data": read_delimited(text, options, facts)})
    if kind == "markdown":
        rows = read_markdown(text, options.field)
        options = replace(options, header=True) if options.header == "auto" else options
        return Document(facts, {"data": tabulate(rows, options, facts)})
    from mediakit.engines.tables.readers import json_yaml_toml as readers

    if kind == "jsonl":
        return Document(facts, {"data": tabled(readers.read_json_lines(text, options.field), options, facts)})
    if kind == "yaml":
        return Document(facts, value=readers.read_yaml(text, options.field, facts), is_value=True)
    return Document(facts, value=readers.read_json(text, options.field), is_value=True)


def _read_toml(content: bytes, options: ReadOptions) -> Document:
    from mediakit.engines.tables.readers.json_yaml_toml import read_toml

    facts = Facts(input_format="toml", encoding="utf-8")
    return Document(facts, value=read_toml(content, options.field, facts), is_value=True)


def _refuse_foreign(content: bytes, options: ReadOptions) -> None:
    if found := foreign_kind(content):
        raise InvalidInput(
            f"{options.field}: must be a table (CSV, JSON, Excel, ODS, Parquet, YAML, TOML, Markdown), got {found}."
        )
