"""The parts of a template's HTML. Each part renders itself with the texts of a page."""

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Protocol

from mediakit.engines.fonts import Family
from mediakit.engines.templates.inline_codes import code_128_svg, qr_code_svg
from mediakit.engines.templates.markup.expressions import Expression
from mediakit.engines.templates.markup.scope import Scope
from mediakit.engines.templates.text_fitting import TextBox


class Node(Protocol):
    """A part of the HTML."""

    def render(self, scope: Scope) -> str:
        """Return the HTML. Texts are escaped."""
        ...


Nodes = tuple[Node, ...]


def render_all(nodes: Nodes, scope: Scope) -> str:
    """Return the HTML of nodes."""
    return "".join(node.render(scope) for node in nodes)


@dataclass(frozen=True)
class Html:
    """HTML of the template itself."""

    html: str

    def render(self, scope: Scope) -> str:  # noqa: ARG002  # the same in every scope
        """Return it unchanged."""
        return self.html


@dataclass(frozen=True)
class Text:
    """`{{key}}`: a text that is not fitted."""

    name: str

    def render(self, scope: Scope) -> str:
        """Return the escaped text, also valid in a quoted attribute."""
        return scope.texts.escaped(scope.key(self.name))


@dataclass(frozen=True)
class Label:
    """`{{label:name}}`: a fixed text in the language of the page."""

    name: str

    def render(self, scope: Scope) -> str:
        """Return the escaped label."""
        return escape(scope.texts.labels[self.name])


@dataclass(frozen=True)
class QrCode:
    """`{{qr:key}}`."""

    name: str

    def render(self, scope: Scope) -> str:
        """Return the QR code of the text as SVG."""
        text = scope.texts.raw(scope.key(self.name))
        return qr_code_svg(text) if text else ""


@dataclass(frozen=True)
class Barcode:
    """`{{barcode:key}}` or `{{barcode:key:296}}`."""

    name: str
    max_width: int

    def render(self, scope: Scope) -> str:
        """Return the barcode of the text as SVG."""
        text = scope.texts.raw(scope.key(self.name))
        return code_128_svg(text, max_width=self.max_width) if text else ""


@dataclass(frozen=True)
class Image:
    """`{{image:key}}`."""

    name: str

    def render(self, scope: Scope) -> str:
        """Return an element with the image, whose key as its class; empty without an image."""
        return scope.texts.image(scope.key(self.name))


@dataclass(frozen=True)
class Section:
    """`{{#a b}}...{{/a b}}`: a part that is rendered if any of the keys has a text; with `^`, if none has."""

    names: tuple[str, ...]
    children: Nodes
    inverted: bool = False

    def render(self, scope: Scope) -> str:
        """Return the part or an empty text."""
        return render_all(self.children, scope) if scope.has(*self.names) != self.inverted else ""


@dataclass(frozen=True)
class Condition:
    """`{{#if expression}}...{{/if}}`."""

    expression: Expression
    children: Nodes
    inverted: bool = False

    def render(self, scope: Scope) -> str:
        """Return the part or an empty text."""
        is_true = bool(self.expression.evaluate(scope))
        return render_all(self.children, scope) if is_true != self.inverted else ""


@dataclass(frozen=True)
class Items:
    """`{{#items}}...{{/items}}`: a part that is repeated for each item row with a text."""

    children: Nodes

    def render(self, scope: Scope) -> str:
        """Return the rows."""
        return "".join(render_all(self.children, row) for row in scope.rows())


@dataclass(frozen=True)
class Element:
    """An element with `data-let` or `data-height`."""

    tag: str
    attributes: str
    """Attributes as HTML, without `style`."""
    style: str
    numbers: Mapping[str, Expression]
    height: Expression | None
    children: Nodes

    def render(self, scope: Scope) -> str:
        """Return the element, and add its height to the height that the page needs."""
        for name, expression in self.numbers.items():
            scope = scope.with_numbers({name: expression.evaluate(scope)})
        variables = "".join(f"--{name}:{scope.numbers[name]:g}px;" for name in self.numbers)
        declarations = (variables + self.style).removesuffix(";")
        style = f' style="{declarations}"' if declarations else ""
        content = render_all(self.children, scope)
        if self.height:
            scope.texts.needed_height += self.height.evaluate(scope)
        return f"<{self.tag}{self.attributes}{style}>{content}</{self.tag}>"


@dataclass(frozen=True)
class Fitted:
    """An element with `data-fit`, whose content is one text."""

    tag: str
    name: str
    css_class: str
    attributes: str
    """Further attributes as HTML, without `style`, `class` and `dir`."""
    style: str
    fields: Mapping[str, Expression]
    """Fields of the box by name."""
    family: Family
    uppercase: bool

    def render(self, scope: Scope) -> str:
        """Return the element with the text at a font size that fits; empty if the text is."""
        element = scope.texts.element(
            scope.key(self.name), self._box(scope), tag=self.tag, css_class=self.css_class, style=self.style
        )
        start = f"<{self.tag}"
        return element.replace(start, start + self.attributes, 1) if self.attributes else element

    def _box(self, scope: Scope) -> TextBox:
        values = {name: expression.evaluate(scope) for name, expression in self.fields.items()}
        integers = {name: max(1, int(values[name])) for name in ("lines", "weight") if name in values}
        return TextBox(**(values | integers), family=self.family, uppercase=self.uppercase)  # type: ignore[arg-type]  # whole numbers
