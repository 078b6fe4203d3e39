"""Own HTML with placeholders: `{{ column }}`, `{{qr:column}}` and `{{barcode:column}}`. Every value is escaped."""

import re
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import Literal

from mediakit.core.fields import parse_color
from mediakit.core.messages import quote
from mediakit.errors import InvalidInput
from mediakit.tools.documents.mail_merge.codes import CodeKind, code_svg, code_uri
from mediakit.tools.documents.mail_merge.html_places import Place, PlaceError, find_places
from mediakit.tools.documents.mail_merge.row import Row, RowProblem

MAX_PLACEHOLDERS = 5000

_PLACEHOLDER = re.compile(r"\{\{([^{}]*)\}\}")
_NONCHARACTERS = re.compile("[\ufdd0-\ufdef]")
_CODE = re.compile(r"(qr|barcode)\s*:\s*(.+)", re.DOTALL)

_CSS_UNSAFE = re.compile(r"[^\w #%.,+-]")
"""Characters that could end a value of CSS, or begin a function such as `url()`."""

_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
_IGNORED_IN_ADDRESS = re.compile(r"[\x00-\x20\x7f-\xa0]")
"""Characters that browsers drop from the scheme of an address."""

LINK_SCHEMES = ("http", "https", "mailto", "tel")


@dataclass(frozen=True)
class Slot:
    """A placeholder."""

    source: str
    """As it is written, such as `{{ name }}`."""
    column: str
    kind: Literal["text"] | CodeKind
    place: Place


@dataclass(frozen=True)
class HtmlTemplate:
    """A page with placeholders."""

    texts: tuple[str, ...]
    """The text before each placeholder, and the text after the last one."""
    slots: tuple[Slot, ...]

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The names that placeholders use."""
        return tuple(dict.fromkeys(slot.column for slot in self.slots))

    def fill(self, row: Row) -> str:
        """Return the page of a row.

        Raises:
            RowProblem: A value does not fit where it is used.
        """
        parts = [self.texts[0]]
        for slot, text in zip(self.slots, self.texts[1:], strict=True):
            parts += [_filled(slot, row.text(slot.column)), text]
        return "".join(parts)


def parse_html(html: str) -> HtmlTemplate:
    """Return a page with its placeholders.

    Raises:
        InvalidInput: A placeholder is not closed, has no name, or stands where no value can be escaped.
    """
    html = _NONCHARACTERS.sub("", html)
    _refuse_raw(html)
    found = list(_PLACEHOLDER.finditer(html))
    if len(found) > MAX_PLACEHOLDERS:
        raise InvalidInput(f"html: must have at most {MAX_PLACEHOLDERS} placeholders, got {len(found)}.")
    texts = _PLACEHOLDER.split(html)[::2]
    if (at := next((text.find("{{") for text in texts if "{{" in text), -1)) >= 0:
        open_text = next(text for text in texts if "{{" in text)[at : at + 40]
        raise InvalidInput(f'html: {quote(open_text)} has no "}}}}"; write &#123;&#123; for two braces.')
    marked = "".join(f"{text}\ufdd0{number}\ufdd1" for number, text in enumerate(texts[:-1])) + texts[-1]
    names = [_name(match[0], match[1]) for match in found]
    try:
        places = find_places(marked, len(found))
    except PlaceError as problem:
        number, reason = problem.args
        raise InvalidInput(f"html: {found[number][0][:80]} {reason}") from None
    slots = (
        Slot(match[0], column, kind, place) for match, (kind, column), place in zip(found, names, places, strict=True)
    )
    return HtmlTemplate(tuple(texts), tuple(slots))


def _refuse_raw(html: str) -> None:
    if (at := html.find("{{{")) >= 0:
        name = html[at + 3 : at + 43].partition("}")[0].strip()
        raise InvalidInput(
            f"html: {{{{{{ {name} }}}}}} would not escape its value; write {{{{ {name} }}}}, which does."
        )


def _name(source: str, inner: str) -> tuple[Literal["text"] | CodeKind, str]:
    name = inner.strip()
    code = _CODE.fullmatch(name)
    if not name or name in ("qr:", "barcode:"):
        raise InvalidInput(f"html: {source} has no name of a column.")
    if code:
        return ("qr" if code[1] == "qr" else "barcode"), code[2].strip()
    return "text", name


def _filled(slot: Slot, text: str) -> str:
    place = slot.place
    if place.kind == "comment":
        return ""
    if slot.kind != "text":
        return (code_svg if place.kind == "text" else code_uri)(slot.kind, slot.column, text)
    if place.kind == "style":
        return parse_color(text) or _CSS_UNSAFE.sub(lambda match: f"\\{ord(match[0]):x} ", text)
    if place.kind == "page":  # the attribute is read as HTML again
        return escape(escape(text))
    if place.kind == "address" and place.is_first:
        _check_address(slot, text)
    return escape(text)


def _check_address(slot: Slot, text: str) -> None:
    scheme = _SCHEME.match(_IGNORED_IN_ADDRESS.sub("", text))
    name = scheme[1].lower() if scheme else ""
    is_image = slot.place.attribute not in ("href", "xlink:href") and text.lower().startswith("data:image/")
    if name and name not in LINK_SCHEMES and not is_image:
        raise RowProblem(f"{slot.column} must begin with http:// or https:// in {slot.place.attribute}, got {name}:.")
