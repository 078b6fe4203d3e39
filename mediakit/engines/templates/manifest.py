"""The manifest of a template, a TOML file: its name, size, texts and labels, and every problem of it with its line."""

import keyword
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

import pybase64
from pydantic import ConfigDict, Field, StrictBool, TypeAdapter, ValidationError

from mediakit.core.fields import color_error, parse_color
from mediakit.core.messages import explain, nearest, quote
from mediakit.engines.paper import PaperFormat

KILOBYTE = 1024
DEFAULT_IMAGE_KB, MAX_IMAGE_KB = 200, 2048
"""Maximum size of an image: by default, and the largest that a manifest may set."""
MAX_DATA_URI_HEAD = 64
"""Characters of a data: URI before the base64."""
MAX_DATA_URI_LENGTH = 2 * MAX_IMAGE_KB * KILOBYTE
"""Longer texts are not decoded."""

MAX_KEYS, MAX_TEXT_LENGTH = 60, 2000
MAX_ITEM_ROWS = 8

_CONFIG = ConfigDict(extra="forbid")
Name = Annotated[str, Field(pattern="^[a-z][a-z0-9_]{0,39}$")]
StyleName = Annotated[str, Field(pattern="^[a-z][a-z0-9_-]{0,39}$")]

KeyFormat = Literal["text", "url", "ascii", "color", "image"]

_IMAGE_DATA_URI = re.compile(r"data:image/(png|jpeg|webp|svg\+xml);base64,([A-Za-z0-9+/]+={0,2})", re.ASCII)
_PRINTABLE_ASCII = re.compile(r"[ -~]*", re.ASCII)
_URL = re.compile(r"https?://[^\s/]")


@dataclass(frozen=True)
class Key:
    """One text of a template."""

    __pydantic_config__ = _CONFIG

    name: Name
    max_length: Annotated[int, Field(strict=True, ge=1, le=MAX_TEXT_LENGTH)] = 0
    """Maximum number of characters. By default, an image has the length of its maximum size in base64."""
    en: str = ""
    """Example text in English."""
    es: str = ""
    """Example text in Spanish."""
    format: KeyFormat = "text"
    """What a text must be, unless it is empty."""
    main: StrictBool = False
    """Whether a document without this text is of no use, such as a certificate without a recipient."""
    example_with: str = ""
    """Another key. The example text is printed only while that key has its example text, too."""
    max_kb: Annotated[int, Field(strict=True, ge=1, le=MAX_IMAGE_KB)] = DEFAULT_IMAGE_KB
    """Maximum size of an image, in kilobytes (1024 bytes)."""

    def __post_init__(self) -> None:
        if not self.max_length:
            object.__setattr__(self, "max_length", self.max_kb * KILOBYTE * 4 // 3 + MAX_DATA_URI_HEAD)

    def example(self, lang: str) -> str:
        """Return the example text in a language."""
        return self.es if lang == "es" else self.en

    def problem(self, text: str) -> str | None:
        """Return why a text is invalid, or None if it is valid."""
        if self.format == "image":
            return self._image_problem(text) if text else None
        if len(text) > self.max_length:
            return f"must have at most {self.max_length} characters, got {len(text)}."
        return _CHECKS[self.format](text) if text else None

    @property
    def max_size(self) -> str:
        """Maximum size of an image, such as `200 KB`."""
        return f"{self.max_kb} KB" if self.max_kb < KILOBYTE else f"{self.max_kb / KILOBYTE:g} MB"

    def _image_problem(self, text: str) -> str | None:
        """Check for a small image as a data: URI; templates load nothing from the network."""
        if len(text) > MAX_DATA_URI_LENGTH:
            return f"must have at most {self.max_size}."
        if not (match := _IMAGE_DATA_URI.fullmatch(text)):
            return "must be a data: URI of an image (data:image/png;base64,..., or jpeg, webp or svg+xml)."
        try:
            content = pybase64.b64decode(match[2], validate=True)
        except ValueError:
            return "must have valid base64."
        size = len(content) // KILOBYTE
        return None if len(content) <= self.max_kb * KILOBYTE else f"must have at most {self.max_size}, got {size} KB."


_CHECKS: dict[KeyFormat, Callable[[str], str | None]] = {
    "text": lambda _text: None,
    "url": lambda text: None if _URL.match(text) else "must begin with http:// or https://.",
    "ascii": lambda text: (
        None if _PRINTABLE_ASCII.fullmatch(text) else "must be printable ASCII characters, for the barcode."
    ),
    "color": lambda text: None if parse_color(text) else color_error(text),
}
"""What is wrong with a text: phones open its URL, Code 128 encodes it, or a style sheet has it as six digits."""

COMMON_KEYS = (Key("accent", 40, "#2563eb", "#2563eb", "color"), Key("logo", 275_000, format="image"))
"""Keys of every template. They are not texts and are not listed in `defaults_used`."""

ITEM_MAX_LENGTHS = {"name": 120, "qty": 12, "price": 24, "total": 24}
"""Maximum number of characters by column."""
DEFAULT_ITEM_MAX_LENGTH = 80
"""Maximum number of characters in other columns, unless the manifest has another."""

ITEMS, COLUMNS, LABEL = "items", "columns", "label"
"""Names in the HTML: the item rows with a text, whether a column has a text in any row, and the labels."""

ITEMS_GROUP = "Items"
"""Name of the group of item keys in forms."""


def item_key_names(columns: Iterable[str], rows: Iterable[int] = range(1, MAX_ITEM_ROWS + 1)) -> tuple[str, ...]:
    """Return the names of the item keys, row by row."""
    columns = tuple(columns)
    return tuple(f"item{row}_{column}" for row in rows for column in columns)


MANIFEST_FILE, FIRST_STYLE_FILE = "template.toml", "template.html"
DESIGNS = Path(__file__).parent / "designs"
"""The folder of the templates of this package, which have the same format as all others."""
DEFAULT_STYLE = "default"
"""Name of the style of a template that has one style."""


@dataclass(frozen=True)
class Label:
    """A fixed text of a template."""

    __pydantic_config__ = _CONFIG

    en: str
    es: str


@dataclass(frozen=True)
class Items:
    """The item rows of a manifest file: eight rows of keys with the same columns."""

    __pydantic_config__ = _CONFIG

    columns: Annotated[list[Name], Field(min_length=1, max_length=6)]
    after: str = ""
    """Name of the key that precedes the item keys; by default, they are last."""
    max_lengths: dict[str, Annotated[int, Field(strict=True, ge=1, le=MAX_TEXT_LENGTH)]] = field(default_factory=dict)
    """Maximum number of characters by column, for other columns than those of invoices."""
    en: Annotated[list[list[str]], Field(max_length=MAX_ITEM_ROWS)] = field(default_factory=list)
    """Example rows in English."""
    es: Annotated[list[list[str]], Field(max_length=MAX_ITEM_ROWS)] = field(default_factory=list)
    """Example rows in Spanish."""

    def keys(self) -> list[Key]:
        """Return the item keys, row by row."""
        return [
            Key(
                f"item{row}_{column}",
                self.max_lengths.get(column, ITEM_MAX_LENGTHS.get(column, DEFAULT_ITEM_MAX_LENGTH)),
                self.en[row - 1][index] if row <= len(self.en) else "",
                self.es[row - 1][index] if row <= len(self.es) else "",
            )
            for row in range(1, MAX_ITEM_ROWS + 1)
            for index, column in enumerate(self.columns)
        ]


@dataclass(frozen=True)
class Problem:
    """One problem in a file of a template."""

    file: str
    line: int
    """Line number from 1; 0 for the whole file."""
    message: str
    is_warning: bool = False
    """Whether the template works nevertheless."""

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place}: {self.message}"


@dataclass(frozen=True, kw_only=True, repr=False)
class ManifestFile:
    """What `template.toml` holds. Files of the package have no problems, so only others are validated."""

    __pydantic_config__ = _CONFIG

    description: Annotated[str, Field(min_length=1, max_length=200)]
    width: Annotated[int, Field(strict=True, ge=100, le=3840)]
    """Width of the page, in pixels."""
    height: Annotated[int, Field(strict=True, ge=100, le=2160)]
    """Height of the page, in pixels."""
    styles: Annotated[tuple[StyleName, ...], Field(min_length=1, max_length=20)] = (DEFAULT_STYLE,)
    """Names of the designs. The first is `template.html`, the others are `NAME.html`."""
    pdf_format: PaperFormat = "A4"
    grows: StrictBool = False
    """Whether the page may be as high as its content."""
    tabular_digits: StrictBool = False
    """Whether all digits have the same width."""
    keys: Annotated[tuple[Key, ...], Field(min_length=1, max_length=MAX_KEYS)]
    items: Items | None = None
    groups: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Keys that forms show together, by title; other keys are ungrouped."""
    labels: dict[str, Label] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, repr=False)
class Manifest(ManifestFile):
    """Describes a template. Its keys and groups have those of the item rows as well."""

    name: str
    folder: Path
    """The folder with the manifest and the HTML files."""

    @property
    def is_bundled(self) -> bool:
        """Whether the template is one of this package."""
        return self.folder.parent == DESIGNS

    @property
    def item_columns(self) -> tuple[str, ...]:
        """Columns of the item rows."""
        return tuple(self.items.columns) if self.items else ()

    @cached_property
    def by_name(self) -> dict[str, Key]:
        """Every key by its name; the keys of all templates are last."""
        return {key.name: key for key in (*self.keys, *COMMON_KEYS)}

    def style_file(self, style: str) -> str:
        """Return the name of the HTML file of a style."""
        return FIRST_STYLE_FILE if style == self.styles[0] else f"{style}.html"

    @property
    def landscape(self) -> bool:
        """Whether a PDF has landscape orientation."""
        return self.width > self.height


def read_manifest(folder: Path) -> dict[str, Any]:
    """Return the fields of `Manifest` from a template folder; its item rows are expanded to keys.

    Raises:
        TypeError: The file has an unknown field, or a required one is missing.
    """
    fields = tomllib.loads((folder / MANIFEST_FILE).read_text(encoding="utf-8"))
    keys = [Key(**key) for key in fields["keys"]]
    groups = {title: tuple(names) for title, names in fields.get("groups", {}).items()}
    labels = {name: Label(**label) for name, label in fields.get("labels", {}).items()}
    items = Items(**fields["items"]) if "items" in fields else None
    if items:
        position = next((index for index, key in enumerate(keys, 1) if key.name == items.after), len(keys))
        keys[position:position] = items.keys()
        groups[ITEMS_GROUP] = item_key_names(items.columns)
    styles = tuple(fields.get("styles", (DEFAULT_STYLE,)))
    fields |= {"keys": tuple(keys), "groups": groups, "labels": labels, "items": items, "styles": styles}
    return {**fields, "name": folder.name, "folder": folder}


# Problems of the files of others.

RESERVED_KEYS = frozenset({
    "accent", "logo", "page", "loop", "true", "false", "none", "null", ITEMS, COLUMNS, LABEL, "html", "template",
    "data", "lang", "format", "style", "defaults", "width", "height",
})  # fmt: skip
"""Names with another meaning: keys of every template, names of the language, and fields beside `data`."""

_ITEM_KEY = re.compile(r"item\d+_.*")
_ARRAY_INDEX = re.compile(r"\[(\d+)\]")


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
        manifest = TypeAdapter(ManifestFile).validate_python(fields)
    except ValidationError as error:
        wrong = [(problem["field"], problem["message"]) for problem in explain(error, names=list(fields))]
        with_items = {name.partition("[")[0] for name, _ in wrong if "[" in name}
        """Lists with wrong items, which do not count: such a list may be called empty."""
        wrong = [each for each in wrong if each[0] not in with_items]
        return [Problem(str(file), _line(source, fields, name), f"{name}: {text}") for name, text in wrong]
    unlimited = {index for index, key in enumerate(fields["keys"]) if "max_length" not in key}
    found = (*_key_problems(manifest, unlimited), *_item_problems(manifest), *_list_problems(manifest))
    return [
        Problem(str(file), _line(source, fields, name), f"{name}: {text}", is_warning=is_warning)
        for name, text, is_warning in found
    ]


Found = Iterator[tuple[str, str, bool]]
"""Field, message, and whether the problem is a warning."""


def _key_problems(manifest: ManifestFile, unlimited: AbstractSet[int]) -> Found:
    counts = Counter(key.name for key in manifest.keys)
    for index, key in enumerate(manifest.keys):
        field = f"keys[{index}]"
        if counts[key.name] > 1:
            yield field, f"{quote(key.name)} is defined {counts[key.name]} times.", False
        if key.example_with and key.example_with not in counts:
            yield field, f"example_with: there is no key {quote(key.example_with)}.", False
        if key.name in RESERVED_KEYS or keyword.iskeyword(key.name) or _ITEM_KEY.fullmatch(key.name):
            yield field, f"{quote(key.name)} is a reserved name; use another.", False
        if index in unlimited and key.format != "image":
            yield field, f"{quote(key.name)} needs a max_length.", False
        else:
            yield from ((field, message, is_warning) for message, is_warning in _example_problems(key))


def _example_problems(key: Key) -> Iterator[tuple[str, bool]]:
    if key.format == "color" and not key.en:
        yield f"{quote(key.name)} needs a color as its example en, such as #1a2b3c.", False
    for lang in ("en", "es"):
        if key.example(lang) and (problem := key.problem(key.example(lang))):
            yield f"the example {lang} of {quote(key.name)} {problem}", False
    missing = [lang for lang in ("en", "es") if not key.example(lang)]
    if missing and key.format == "text" and (key.main or len(missing) == 1):
        yield f"{quote(key.name)} has no example {' and '.join(missing)}.", True


def _item_problems(manifest: ManifestFile) -> Found:
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
    for name, rows in (("items.en", items.en), ("items.es", items.es)):
        if not rows:
            yield name, "has no example rows.", True
        if any(len(row) != len(items.columns) for row in rows):
            yield name, f"every row must have {len(items.columns)} texts, one for each column.", False


def _list_problems(manifest: ManifestFile) -> Found:
    """Yield the problems of groups and styles."""
    names = [key.name for key in manifest.keys]
    for title, members in manifest.groups.items():
        for name in members:
            if name not in names:
                yield f"groups.{title}", f"{quote(name)} is not a key; {nearest(name, names)}", False

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
