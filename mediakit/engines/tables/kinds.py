"""The kind of a source, judged by its content; its name decides only between kinds of text that look alike."""

import io
import re
import tomllib
import zipfile
from pathlib import PurePath
from typing import Literal

from mediakit.engines.charsets import marked_charset
from mediakit.engines.file_types import identify
from mediakit.engines.tables.readers.markdown_text import has_table

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

_HEAD_BYTES = 65_536


def binary_kind(content: bytes) -> Kind | None:
    """Return the kind of a binary file that holds tables; None for text."""
    if content.startswith(b"PAR1"):
        return "parquet"
    if content.startswith(_OLE) or _is_biff(content):
        return "excel"
    return "excel" if content.startswith(b"PK\x03\x04") else None


def _is_biff(content: bytes) -> bool:
    """Return whether a file is a bare worksheet of Excel 2 to 4."""
    return content[:2] in _BIFF_VERSIONS and content[2:4] in _BIFF_LENGTHS


def foreign_kind(content: bytes) -> str | None:
    """Return what a file is, in words, that holds no table for certain."""
    if content.startswith(b"PK\x03\x04"):
        return None if is_workbook(content) else _described_archive(content)
    if marked_charset(content):  # the mark of UTF-16 also begins an MPEG frame
        return None
    found = identify(content[:_HEAD_BYTES])
    has_no_tables = found.kind in _NO_TABLES or found.mime_type in ("application/pdf", "application/postscript")
    return found.description if has_no_tables else None


def _described_archive(content: bytes) -> str:
    found = identify(content)
    return "a ZIP archive that is not a workbook" if found.mime_type == "application/zip" else found.description


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
    if lines and _is_toml(text, lines):
        return "toml"
    return "yaml" if lines and _looks_like_yaml(lines) else "csv"


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


def _is_toml(text: str, lines: list[str]) -> bool:
    """Return whether a text whose first line is one of TOML is TOML as a whole."""
    if not _TOML_LINE.fullmatch(lines[0]):
        return False
    try:
        return bool(tomllib.loads(text.lstrip("\ufeff")))
    except (tomllib.TOMLDecodeError, RecursionError, ValueError):
        return False


def _looks_like_yaml(lines: list[str]) -> bool:
    """Return whether every line that is not indented begins a key or an item."""
    top = [line for line in lines if not line[0].isspace()]
    return (
        bool(top) and all(_YAML_LINE.match(line) for line in top) and any(":" in line or line[0] == "-" for line in top)
    )
