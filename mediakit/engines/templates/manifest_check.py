"""Checks the file `template.toml` of an own template, and reports every problem with its line."""

import keyword
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from mediakit.core.messages import explain, nearest, quote
from mediakit.engines.paper import PaperFormat
from mediakit.engines.templates.manifest import (
    COLUMNS,
    DEFAULT_IMAGE_KB,
    DEFAULT_STYLE,
    ITEMS,
    LABEL,
    MANIFEST_FILE,
    MAX_IMAGE_KB,
    MAX_ITEM_ROWS,
    Key,
    KeyFormat,
    Problem,
)

MAX_KEYS = 60
MAX_TEXT_LENGTH = 2000

RESERVED_KEYS = frozenset(
    {
        *("accent", "logo", "page", "loop", "true", "false", "none", "null", ITEMS, COLUMNS, LABEL),
        *("html", "template", "data", "lang", "format", "style", "defaults", "width", "height"),
    }
)
"""Names with another meaning: keys of every template, names of the language, and fields beside `data`."""

Name = Annotated[str, Field(pattern="^[a-z][a-z0-9_]{0,39}$")]
StyleName = Annotated[str, Field(pattern="^[a-z][a-z0-9_-]{0,39}$")]

_ITEM_KEY = re.compile(r"item\d+_.*")
_ARRAY_INDEX = re.compile(r"\[(\d+)\]")


class _Section(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


class _KeySection(_Section):
    name: Name
    max_length: Annotated[int, Field(ge=1, le=MAX_TEXT_LENGTH)] | None = None
    en: str = ""
    es: str = ""
    format: KeyFormat = "text"
    main: bool = False
    example_with: str = ""
    max_kb: Annotated[int, Field(ge=1, le=MAX_IMAGE_KB)] = DEFAULT_IMAGE_KB


class _ItemsSection(_Section):
    after: str = ""
    columns: Annotated[list[Name], Field(min_length=1, max_length=6)]
    max_lengths: dict[str, Annotated[int, Field(ge=1, le=MAX_TEXT_LENGTH)]] = {}
    en: Annotated[list[list[str]], Field(max_length=MAX_ITEM_ROWS)] = []
    es: Annotated[list[list[str]], Field(max_length=MAX_ITEM_ROWS)] = []


class _LabelSection(_Section):
    en: str
    es: str


class _ManifestFile(_Section):
    description: Annotated[str, Field(min_length=1, max_length=200)]
    width: Annotated[int, Field(ge=100, le=3840)]
    height: Annotated[int, Field(ge=100, le=2160)]
    styles: Annotated[list[StyleName], Field(min_length=1, max_length=20)] = [DEFAULT_STYLE]
    pdf_format: PaperFormat = "A4"
    grows: bool = False
    tabular_digits: bool = False
    keys: Annotated[list[_KeySection], Field(min_length=1, max_length=MAX_KEYS)]
    items: _ItemsSection | None = None
    groups: dict[str, list[str]] = {}
    labels: dict[str, _LabelSection] = {}


def manifest_problems(folder: Path) -> list[Problem]:
    """Return the problems of the manifest of a folder; errors first."""
    file = folder / MANIFEST_FILE
    try:
        source = file.read_text(encoding="utf-8")
        fields = tomllib.loads(source)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"at line (\d+)", str(error))
        return [Problem(str(file), int(line[1]) if line else 0, f"is not valid TOML: {error}")]
    except (OSError, UnicodeDecodeError) as error:
        return [Problem(str(file), 0, f"cannot be read: {getattr(error, 'strerror', None) or error}")]
    try:
        manifest = _ManifestFile.model_validate(fields)
    except ValidationError as error:
        found = [(problem["field"], problem["message"]) for problem in explain(error, names=list(fields))]
        return [Problem(str(file), _line(source, fields, name), f"{name}: {text}") for name, text in found]
    checks = (_key_problems, _item_problems, _group_problems, _style_problems)
    return [
        Problem(str(file), _line(source, fields, name), f"{name}: {text}", is_warning=is_warning)
        for check in checks
        for name, text, is_warning in check(manifest)
    ]


Found = Iterator[tuple[str, str, bool]]
"""Field, message, and whether the problem is a warning."""


def _key_problems(manifest: _ManifestFile) -> Found:
    counts = Counter(key.name for key in manifest.keys)
    for index, key in enumerate(manifest.keys):
        field = f"keys[{index}]"
        if counts[key.name] > 1:
            yield field, f"{quote(key.name)} is defined {counts[key.name]} times.", False
        if key.example_with and key.example_with not in counts:
            yield field, f"example_with: there is no key {quote(key.example_with)}.", False
        if key.name in RESERVED_KEYS or keyword.iskeyword(key.name) or _ITEM_KEY.fullmatch(key.name):
            yield field, f"{quote(key.name)} is a reserved name; use another.", False
        if key.max_length is None and key.format != "image":
            yield field, f"{quote(key.name)} needs a max_length.", False
        else:
            yield from ((field, message, is_warning) for message, is_warning in _example_problems(key))


def _example_problems(section: _KeySection) -> Iterator[tuple[str, bool]]:
    key = Key(**{**section.model_dump(), "max_length": section.max_length or 0})
    if key.format == "color" and not key.en:
        yield f"{quote(key.name)} needs a color as its example en, such as #1a2b3c.", False
    for lang in ("en", "es"):
        if key.example(lang) and (problem := key.problem(key.example(lang))):
            yield f"the example {lang} of {quote(key.name)} {problem}", False
    missing = [lang for lang in ("en", "es") if not key.example(lang)]
    if missing and key.format == "text" and (key.main or len(missing) == 1):
        yield f"{quote(key.name)} has no example {' and '.join(missing)}.", True


def _item_problems(manifest: _ManifestFile) -> Found:
    items = manifest.items
    if items is None:
        return
    names = [key.name for key in manifest.keys]
    if items.after and items.after not in names:
        yield "items.after", f"{quote(items.after)} is not a key; {nearest(items.after, names)}", False
    for column, count in Counter(items.columns).items():
        if count > 1 or keyword.iskeyword(column):
            yield "items.columns", f"{quote(column)} must be used once and must not be a reserved name.", False
    for column in items.max_lengths.keys() - set(items.columns):
        yield "items.max_lengths", f"{quote(column)} is not a column; {nearest(column, items.columns)}", False
    for lang, rows in (("en", items.en), ("es", items.es)):
        yield from _example_row_problems(f"items.{lang}", rows, len(items.columns))


def _example_row_problems(field: str, rows: list[list[str]], columns: int) -> Found:
    if not rows:
        yield field, "has no example rows.", True
    if any(len(row) != columns for row in rows):
        yield field, f"every row must have {columns} texts, one for each column.", False


def _group_problems(manifest: _ManifestFile) -> Found:
    names = [key.name for key in manifest.keys]
    for title, members in manifest.groups.items():
        for name in members:
            if name not in names:
                yield f"groups.{title}", f"{quote(name)} is not a key; {nearest(name, names)}", False


def _style_problems(manifest: _ManifestFile) -> Found:
    for style, count in Counter(manifest.styles).items():
        if count > 1 or style == "template":
            yield "styles", f'{quote(style)} must be used once and must not be "template".', False


def _line(source: str, fields: Mapping[str, Any], name: str) -> int:
    """Return the line of a field such as `width`, `keys[3].max_length` or `items.columns`; 0 if it is not found."""
    head, *members = re.split(r"\[\d+\]\.?|\.", name)
    index = _ARRAY_INDEX.search(name)
    pattern = rf"^\s*\[?{re.escape(head)}\b"
    if head == "keys" and index and isinstance(fields.get("keys"), list):
        key = fields["keys"][int(index[1])]
        found = key.get("name") if isinstance(key, dict) else None
        pattern = rf"name\s*=\s*[\"']{re.escape(str(found))}[\"']" if found else pattern
    match = re.search(pattern, source, re.MULTILINE)
    if match and members and head != "keys":
        member = re.compile(rf"^\s*[\"']?{re.escape(members[0])}\b", re.MULTILINE)
        match = member.search(source, match.end()) or match
    return source.count("\n", 0, match.end()) + 1 if match else 0
