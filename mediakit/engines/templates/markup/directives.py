"""The attributes `data-fit`, `data-let` and `data-height` of a template's HTML."""

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import NamedTuple

from mediakit.engines.fonts import FILES
from mediakit.engines.templates.markup.expressions import VARIABLES, Expression
from mediakit.engines.templates.markup.nodes import Element, Fitted, Html, Node, Text
from mediakit.engines.templates.markup.placeholders import Placeholders
from mediakit.engines.templates.markup.safety import VOID_ELEMENTS

FIT, LET, HEIGHT = "data-fit", "data-let", "data-height"

FIELDS = {
    "width": "width",
    "size": "font_size",
    "min": "min_font_size",
    "lines": "lines",
    "weight": "weight",
    "tracking": "tracking",
    "height": "height",
    "line-height": "line_height",
}
"""Names in `data-fit` of the fields of `TextBox`."""
DEFAULT_MINIMUM = "({size}) * 0.6"


class Place(NamedTuple):
    """The names that can be used at a place in the HTML."""

    columns: tuple[str, ...]
    """Columns whose names are keys, because the place is inside of the items."""
    numbers: tuple[str, ...]
    """Names of `data-let` attributes of this and all outer elements."""


@dataclass(frozen=True)
class Directives:
    """Makes nodes of elements."""

    placeholders: Placeholders

    def nodes(self, tag: str, attributes: Mapping[str, str], children: list[Node], place: Place) -> list[Node]:
        """Return the nodes of an element.

        Raises:
            ValueError: An attribute is not valid.
        """
        if FIT in attributes:
            return [self._fitted(tag, attributes, children, place)]
        if LET in attributes or HEIGHT in attributes:
            return [self._element(tag, attributes, tuple(children), place)]
        start: list[Node] = [Html(f"<{tag}")]
        for name, value in attributes.items():
            start += self._attribute(tag, name, value, place.columns)
        end = [] if tag in VOID_ELEMENTS else [*children, Html(f"</{tag}>")]
        return [*start, Html(">"), *end]

    def defined_names(self, attributes: Mapping[str, str]) -> tuple[str, ...]:
        """Return the names that `data-let` defines."""
        parts = attributes.get(LET, "").split(";")
        return tuple(part.partition(":")[0].strip() for part in parts if part.strip())

    def expression(self, source: str, place: Place) -> Expression:
        """Return a parsed expression whose names exist.

        Raises:
            ValueError: It is not valid.
        """
        expression = Expression.parse(source)
        self.placeholders.check_expression(expression, place.columns, iter(place.numbers))
        return expression

    def _attribute(self, tag: str, name: str, value: str, columns: tuple[str, ...]) -> list[Node]:
        if "{{" in value:
            return self.placeholders.attribute(tag, name, value, columns)
        return [Html(f' {name}="{escape(value)}"')]

    def _element(self, tag: str, attributes: Mapping[str, str], children: tuple[Node, ...], place: Place) -> Element:
        lets = _declarations(attributes.get(LET, ""))
        for name in lets:
            if not name.isidentifier() or name in VARIABLES:
                raise ValueError(
                    f"{LET}: {name!r} must be a name of letters, digits and _, not {' or '.join(VARIABLES)}."
                )
        height = attributes.get(HEIGHT)
        outer = place.numbers[: len(place.numbers) - len(lets)]
        defined = {
            name: self.expression(source, place._replace(numbers=(*outer, *list(lets)[:index])))
            for index, (name, source) in enumerate(lets.items())
        }
        return Element(
            tag,
            _fixed_attributes(attributes, "style"),
            _style(attributes),
            defined,
            self.expression(height, place) if height else None,
            children,
        )

    def _fitted(self, tag: str, attributes: Mapping[str, str], children: list[Node], place: Place) -> Fitted:
        name = _only_text(attributes, children)
        fields = _fit_fields(attributes[FIT])
        family, case = fields.pop("family"), fields.pop("case", None)
        if case not in (None, "upper"):
            raise ValueError(f"{FIT}: case must be upper, got {case!r}.")
        if family not in FILES:
            raise ValueError(f"{FIT}: family must be {' or '.join(FILES)}, got {family!r}.")
        return Fitted(
            tag,
            name,
            escape(attributes.get("class", name)),
            _fixed_attributes(attributes, "style", "class", "dir"),
            _style(attributes),
            {FIELDS[name]: self.expression(source, place) for name, source in fields.items()},
            family,
            case == "upper",
        )


def _only_text(attributes: Mapping[str, str], children: list[Node]) -> str:
    """Return the name of the only text in a fitted element.

    Raises:
        ValueError: It contains something else, or has attributes that do not fit together.
    """
    if LET in attributes or HEIGHT in attributes:
        raise ValueError(f"{FIT}: {LET} and {HEIGHT} belong on an element around this one.")
    if len(children) != 1 or not isinstance(children[0], Text):
        raise ValueError(f"{FIT}: the element must contain exactly one {{{{key}}}} of a text.")
    return children[0].name


def _fit_fields(text: str) -> dict[str, str]:
    """Return the fields of `data-fit` with their defaults.

    Raises:
        ValueError: A field is missing or not known.
    """
    fields = {"weight": "400", "family": "sans", **_declarations(text)}
    for name in ("width", "size"):
        if name not in fields:
            raise ValueError(f"{FIT}: {name} is required.")
    for name in fields:
        if name not in FIELDS and name not in ("family", "case"):
            raise ValueError(f"{FIT}: {name!r} is not known; use {', '.join(FIELDS)}, family or case.")
    fields.setdefault("min", DEFAULT_MINIMUM.format(size=fields["size"]))
    return fields


def _declarations(text: str) -> dict[str, str]:
    """Return `name: value; ...` by name.

    Raises:
        ValueError: A part has no colon, or a name is used twice.
    """
    found: dict[str, str] = {}
    for part in filter(str.strip, text.split(";")):
        name, colon, value = (piece.strip() for piece in part.partition(":"))
        if not colon or not value or name in found:
            raise ValueError(f"{part.strip()!r} must be one name: value.")
        found[name] = value
    return found


def _style(attributes: Mapping[str, str]) -> str:
    style = attributes.get("style", "").strip().removesuffix(";")
    return escape(f"{style};") if style else ""


def _fixed_attributes(attributes: Mapping[str, str], *omitted: str) -> str:
    """Return attributes as HTML.

    Raises:
        ValueError: One contains a placeholder.
    """
    kept = {name: value for name, value in attributes.items() if name not in (FIT, LET, HEIGHT, *omitted)}
    for name, value in kept.items():
        if "{{" in value:
            raise ValueError(f"{name}: must not contain {{{{...}}}} beside {FIT}, {LET} or {HEIGHT}.")
    return "".join(f' {name}="{escape(value)}"' for name, value in kept.items())
