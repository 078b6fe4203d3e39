"""The `{{...}}` of a template's HTML: sections, texts, labels, codes and images."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from html import escape

from mediakit.core.messages import nearest
from mediakit.engines.templates.keys import Key, KeyFormat
from mediakit.engines.templates.manifest import Manifest
from mediakit.engines.templates.markup.expressions import VARIABLES, Expression
from mediakit.engines.templates.markup.nodes import Barcode, Html, Image, Label, Node, QrCode, Text
from mediakit.engines.templates.markup.scope import ITEMS

DEFAULT_BARCODE_WIDTH = 296
MAX_QR_LENGTH, MAX_BARCODE_LENGTH = 500, 40
"""Maximum lengths of texts that are encoded, in characters."""

TEXT_ATTRIBUTES = ("alt", "title", "aria-label")
"""Attributes that may contain `{{key}}`."""

PLACEHOLDER = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)
_TEXT_FORMATS: tuple[KeyFormat, ...] = ("text", "url", "ascii")


@dataclass(frozen=True)
class Placeholders:
    """Makes nodes of placeholders, and checks that their keys and labels exist."""

    manifest: Manifest
    used: set[str] = field(default_factory=set)
    """Names of the keys that are rendered; columns as `items.qty`, labels as `label:name`."""

    def node(self, content: str, columns: tuple[str, ...]) -> Node:
        """Return the node of `{{content}}`.

        Args:
            content: The text between the braces.
            columns: Columns whose names are keys here, because the place is inside of the items.

        Raises:
            ValueError: The key or label does not exist, or has a format that does not fit.
        """
        kind, _, name = content.strip().rpartition(":") if content.count(":") == 1 else ("", "", content.strip())
        if content.strip().startswith("barcode:"):
            return self._barcode(content.strip().removeprefix("barcode:"), columns)
        nodes: Mapping[str, Callable[[str, tuple[str, ...]], Node]] = {
            "": self._text,
            "label": self._label,
            "qr": self._qr_code,
            "image": self._image,
        }
        if kind not in nodes:
            raise ValueError(f"{{{{{content}}}}}: {kind!r} is not known; use label, qr, barcode or image.")
        return nodes[kind](name, columns)

    def attribute(self, tag: str, name: str, value: str, columns: tuple[str, ...]) -> list[Node]:
        """Return the nodes of an attribute that contains placeholders.

        Raises:
            ValueError: The attribute must not contain texts.
        """
        key = self.key(content, columns) if (content := only_placeholder(value)) else None
        if tag == "a" and name == "href" and key and key.format == "url":
            self.used.add(content.strip())
            return [Html(' href="'), Text(key_name(content)), Html('"')]
        if name not in TEXT_ATTRIBUTES:
            raise ValueError(f"{name}: must not contain {{{{...}}}}; only {', '.join(TEXT_ATTRIBUTES)} may.")
        parts = PLACEHOLDER.split(value)
        nodes = [self._text(part, columns) if index % 2 else Html(escape(part)) for index, part in enumerate(parts)]
        return [Html(f' {name}="'), *nodes, Html('"')]

    def check_names(self, names: tuple[str, ...], columns: tuple[str, ...]) -> None:
        """Check the names of a section or an expression.

        Raises:
            ValueError: A name is not a key.
        """
        for name in names:
            self.key(name, columns)

    def check_expression(self, expression: Expression, columns: tuple[str, ...], numbers: Iterator[str]) -> None:
        """Check the names in an expression.

        Raises:
            ValueError: A name is neither a key nor a number that is defined.
        """
        self.check_names(tuple(sorted(expression.keys())), columns)
        known = [*VARIABLES, *numbers]
        for name in sorted(expression.variables()):
            if name not in known:
                raise ValueError(f"{name!r} is not a number that is defined here; {nearest(name, known)}")

    def key(self, name: str, columns: tuple[str, ...]) -> Key | None:
        """Return the key of a name; None for the name of several keys, `items` or `items.qty`.

        Raises:
            ValueError: It does not exist.
        """
        name = name.strip()
        item_columns = self.manifest.item_columns
        if name in columns:
            return self.manifest.by_name[f"item1_{name}"]
        known = [*columns, *self.manifest.by_name]
        groups = [ITEMS, *(f"{ITEMS}.{column}" for column in item_columns)] if item_columns else []
        if name in groups:
            return None
        if name not in known:
            raise ValueError(f"{name[:60]!r} is not a key of {self.manifest.name}; {nearest(name, known + groups)}")
        return self.manifest.by_name[name]

    def _text(self, name: str, columns: tuple[str, ...]) -> Text:
        self._checked(name, columns, _TEXT_FORMATS)
        return Text(key_name(name))

    def _label(self, name: str, _: tuple[str, ...]) -> Label:
        if name not in self.manifest.labels:
            hint = nearest(name, list(self.manifest.labels)) if self.manifest.labels else "there are none."
            raise ValueError(f"label {name[:60]!r} is not in [labels]; {hint}")
        self.used.add(f"label:{name}")
        return Label(name)

    def _qr_code(self, name: str, columns: tuple[str, ...]) -> QrCode:
        key = self._checked(name, columns, _TEXT_FORMATS)
        if key.max_length > MAX_QR_LENGTH:
            raise ValueError(f"{name}: a text in a QR code must have a max_length of at most {MAX_QR_LENGTH}.")
        return QrCode(key_name(name))

    def _barcode(self, content: str, columns: tuple[str, ...]) -> Barcode:
        name, _, width = content.partition(":")
        key = self._checked(name, columns, ("ascii",))
        if key.max_length > MAX_BARCODE_LENGTH:
            raise ValueError(f"{name}: a text in a barcode must have a max_length of at most {MAX_BARCODE_LENGTH}.")
        if width and not width.isdecimal():
            raise ValueError(f"{name}: the width of the barcode must be a number of pixels, got {width!r}.")
        return Barcode(key_name(name), int(width or DEFAULT_BARCODE_WIDTH))

    def _image(self, name: str, columns: tuple[str, ...]) -> Image:
        self._checked(name, columns, ("image",))
        return Image(key_name(name))

    def _checked(self, name: str, columns: tuple[str, ...], formats: tuple[KeyFormat, ...]) -> Key:
        key = self.key(name, columns)
        self.used.add(f"{ITEMS}.{name.strip()}" if name.strip() in columns else name.strip())
        if key is None or key.format not in formats:
            found = key.format if key else "a group of keys"
            raise ValueError(f"{name.strip()!r} must be a key of the format {' or '.join(formats)} here, is {found}.")
        return key


def key_name(content: str) -> str:
    """Return the name in a placeholder."""
    return content.strip()


def only_placeholder(text: str) -> str:
    """Return the content of the placeholder if the text has nothing else, otherwise an empty text."""
    match = PLACEHOLDER.fullmatch(text.strip())
    return match[1] if match else ""
