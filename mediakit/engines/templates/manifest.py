"""The manifest of a template: its name, size, texts and labels. It is stored as TOML."""

import re
import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import pybase64

from mediakit.core.fields import color_error, parse_color
from mediakit.engines.paper import PaperFormat

KILOBYTE = 1024
DEFAULT_IMAGE_KB, MAX_IMAGE_KB = 200, 2048
"""Maximum size of an image: by default, and the largest that a manifest may set."""
MAX_DATA_URI_HEAD = 64
"""Characters of a data: URI before the base64."""
MAX_DATA_URI_LENGTH = 2 * MAX_IMAGE_KB * KILOBYTE
"""Longer texts are not decoded."""

KeyFormat = Literal["text", "url", "ascii", "color", "image"]

_IMAGE_DATA_URI = re.compile(r"data:image/(png|jpeg|webp|svg\+xml);base64,([A-Za-z0-9+/]+={0,2})", re.ASCII)
_PRINTABLE_ASCII = re.compile(r"[ -~]*", re.ASCII)
_URL = re.compile(r"https?://[^\s/]")


@dataclass(frozen=True)
class Key:
    """One text of a template."""

    name: str
    max_length: int = 0
    """Maximum number of characters. By default, an image has the length of its maximum size in base64."""
    en: str = ""
    """Example text in English."""
    es: str = ""
    """Example text in Spanish."""
    format: KeyFormat = "text"
    """What a text must be, unless it is empty."""
    main: bool = False
    """Whether a document without this text is of no use, such as a certificate without a recipient."""
    example_with: str = ""
    """Another key. The example text is printed only while that key has its example text, too."""
    max_kb: int = DEFAULT_IMAGE_KB
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
        match = _IMAGE_DATA_URI.fullmatch(text)
        if not match:
            return "must be a data: URI of an image (data:image/png;base64,..., or jpeg, webp or svg+xml)."
        try:
            content = pybase64.b64decode(match[2], validate=True)
        except ValueError:
            return "must have valid base64."
        size = len(content) // KILOBYTE
        return None if len(content) <= self.max_kb * KILOBYTE else f"must have at most {self.max_size}, got {size} KB."


def _check_color(text: str) -> str | None:
    """Check for an opaque CSS color. It is inserted into a style sheet as six hexadecimal digits."""
    return None if parse_color(text) else color_error(text)


def _check_url(text: str) -> str | None:
    """Check for a URL that phones open after reading it from a QR code."""
    return None if _URL.match(text) else "must begin with http:// or https://."


def _check_ascii(text: str) -> str | None:
    """Check for characters that Code 128 can encode."""
    return None if _PRINTABLE_ASCII.fullmatch(text) else "must be printable ASCII characters, for the barcode."


_CHECKS: dict[KeyFormat, Callable[[str], str | None]] = {
    "text": lambda _text: None,
    "url": _check_url,
    "ascii": _check_ascii,
    "color": _check_color,
}

COMMON_KEYS = (
    Key("accent", 40, "#2563eb", "#2563eb", "color"),
    Key("logo", 275_000, format="image"),
)
"""Keys of every template. They are not texts and are not listed in `defaults_used`."""

MAX_ITEM_ROWS = 8

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

    en: str
    es: str


@dataclass(frozen=True, kw_only=True, repr=False)
class Manifest:
    """Describes a template."""

    name: str
    folder: Path
    """The folder with the manifest and the HTML files."""
    description: str
    width: int
    """Width of the page, in pixels."""
    height: int
    """Height of the page, in pixels."""
    keys: tuple[Key, ...]
    labels: dict[str, Label]
    groups: dict[str, tuple[str, ...]]
    """Keys that forms show together, by title; other keys are ungrouped."""
    styles: tuple[str, ...] = (DEFAULT_STYLE,)
    """Names of the designs. The first is `template.html`, the others are `NAME.html`."""
    item_columns: tuple[str, ...] = ()
    """Columns of the item rows."""
    pdf_format: PaperFormat = "A4"
    grows: bool = False
    """Whether the page may be as high as its content."""
    tabular_digits: bool = False
    """Whether all digits have the same width."""

    @property
    def is_bundled(self) -> bool:
        """Whether the template is one of this package."""
        return self.folder.parent == DESIGNS

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


@dataclass(frozen=True)
class _Items:
    """The item rows of a manifest file: eight rows of keys with the same columns."""

    columns: tuple[str, ...]
    after: str = ""
    """Name of the key that precedes the item keys; by default, they are last."""
    max_lengths: dict[str, int] = field(default_factory=dict)
    """Maximum number of characters by column, for other columns than those of invoices."""
    en: list[list[str]] = field(default_factory=list)
    """Example rows in English."""
    es: list[list[str]] = field(default_factory=list)
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


def read_manifest(folder: Path) -> dict[str, Any]:
    """Return the fields of `Manifest` from a template folder; its item rows are expanded to keys.

    Raises:
        TypeError: The file has an unknown field, or a required one is missing.
    """
    fields = tomllib.loads((folder / MANIFEST_FILE).read_text(encoding="utf-8"))
    keys = [Key(**key) for key in fields.pop("keys")]
    groups = {title: tuple(names) for title, names in fields.pop("groups", {}).items()}
    if "items" in fields:
        items = _Items(**fields.pop("items"))
        position = next((index for index, key in enumerate(keys, 1) if key.name == items.after), len(keys))
        keys[position:position] = items.keys()
        groups[ITEMS_GROUP] = item_key_names(items.columns)
        fields["item_columns"] = tuple(items.columns)
    return {
        **fields,
        "name": folder.name,
        "folder": folder,
        "keys": tuple(keys),
        "labels": {name: Label(**label) for name, label in fields.get("labels", {}).items()},
        "groups": groups,
        "styles": tuple(fields.get("styles", (DEFAULT_STYLE,))),
    }
