"""What HTML may have, and where values may stand in it: each place needs another escape, and some cannot be escaped."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Literal

import pybase64

from mediakit.core.fields import parse_color
from mediakit.core.messages import quote
from mediakit.engines.templates.filters import Code, ValueProblem, as_text
from mediakit.engines.templates.language import Language, LanguageError, Template, find_blocks
from mediakit.engines.templates.rendering import Rendering, Tag

PlaceKind = Literal["text", "attribute", "address", "style", "page", "comment"]

URL_ATTRIBUTES = frozenset({
    "href", "xlink:href", "src", "srcset", "poster", "background", "data", "action", "formaction", "cite", "longdesc",
    "ping",
})  # fmt: skip
LINK_SCHEMES = ("http", "https", "mailto", "tel")

MARK = re.compile("\ufdd0(\\d+)\ufdd1")
"""Stands for a tag while a page is parsed: noncharacters, which no text has."""
NONCHARACTERS = re.compile("[\ufdd0-\ufdef]")

MAX_FILE_KB = 2048
MEDIA_TYPES: Mapping[str, str] = {
    ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".webp": "image/webp", ".svg": "image/svg+xml",
    ".woff2": "font/woff2", ".woff": "font/woff", ".ttf": "font/ttf", ".otf": "font/otf",
}  # fmt: skip
"""Files in the folder of a template that its HTML can use."""
FILE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_ ./-]*\.[A-Za-z0-9]+", re.ASCII)
FILE_URL = re.compile(r"url\(\s*([\"']?)([A-Za-z0-9_][A-Za-z0-9_ ./-]*\.[A-Za-z0-9]+)\1\s*\)", re.ASCII)

_ELSEWHERE = "must be in the text of an element or between the quotes of an attribute."
_AFTER_BRACKET = re.compile(f"<[!/?]?{MARK.pattern}")
_ATTRIBUTE = re.compile(r"""([^\s"'>/=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s>]*))?""")
_TAG_NAME = re.compile(r"<[^\s/>]*")
_CSS_UNSAFE = re.compile(r"[^\w #%.,+-]")
"""Characters that could end a value of CSS, or begin a function such as `url()`."""
_SCHEME = re.compile(r"([a-z0-9+.-]*):", re.IGNORECASE)
"""A scheme, or its end: the values and texts before it may be its beginning."""
_AFTER_SCHEME = re.compile(r"[:/?#]")
_IGNORED_IN_ADDRESS = re.compile(r"[\x00-\x20\x7f-\xa0]")
"""Characters that browsers drop from the scheme of an address."""

_FORBIDDEN_ELEMENTS = frozenset({
    "html", "head", "body", "main", "base", "link", "meta", "title", "template", "script", "noscript", "iframe",
    "frame", "frameset", "noframes", "object", "embed", "noembed", "applet", "form", "input", "button", "select",
    "option", "textarea", "portal", "fencedframe", "audio", "video", "source", "track", "canvas", "math", "plaintext",
    "xmp", "animate", "animatemotion", "animatetransform", "set",
})  # fmt: skip
_ATTRIBUTE_NAME = re.compile(r"[a-z_][a-z0-9_:.-]*", re.ASCII)
_LINK = re.compile(r"(https?://|mailto:|tel:|#)", re.ASCII | re.IGNORECASE)
_INLINE_IMAGE = re.compile(r"data:image/(png|jpeg|webp|svg\+xml)[;,]", re.ASCII | re.IGNORECASE)
_CSS_COMMENT = re.compile(r"/\*.*?(\*/|$)", re.DOTALL)
_CSS_ESCAPE = re.compile(r"\\([0-9a-fA-F]{1,6})[ \t\r\n\f]?|\\(.)", re.DOTALL)
_CSS_URL = re.compile(r"(?:url|src)\(\s*[\"']?(?!data:|#|\s|[\"'])", re.IGNORECASE)
_CSS_FORBIDDEN = re.compile(r"@import|@namespace|(?:https?:)?//[a-z0-9]|image-set\(|</", re.IGNORECASE)
_DATA_URL = re.compile(r"""url\(\s*(?:"data:[^"\\\n]*"|'data:[^'\\\n]*'|data:[^"'()\\\s]*)\s*\)""", re.IGNORECASE)


class PlaceError(LanguageError):
    """A tag stands where no value can be escaped; the reason completes a sentence that begins with the tag."""

    def sentence(self, place: str) -> str:
        """Return the sentence with the tag, and with a place such as `line 3`."""
        source = " ".join(self.tag.source.split())[:80] if self.tag else ""
        return f"{source}{f' ({place})' if place else ''} {self.reason}"


@dataclass(frozen=True)
class Place:
    """Where a tag stands."""

    kind: PlaceKind
    scope: int = 0
    """Number of the attribute, the comment or the raw element, such as `<style>`; 0 in the text of other elements."""
    attribute: str = ""
    is_start: bool = False
    """Whether no fixed text before the tag ends the scheme of an address: the tag may print the scheme."""


@dataclass(frozen=True)
class HtmlTemplate:
    """A page with tags. A value is escaped for the place where it is printed."""

    template: Template
    places: dict[int, Place]
    """The places of the tags, by the position of their first character in the source."""

    def fill(self, rendering: Rendering) -> str:
        """Return the page with values; `rendering.show` is set.

        Raises:
            DataError: A value does not fit where it is used.
        """
        rendering.show = partial(_shown, self.places)
        return self.template.fill(rendering)


def compile_html(source: str, language: Language) -> HtmlTemplate:
    """Return a page with tags, ready to be filled.

    Raises:
        LanguageError: A tag does not follow the language, or it stands where no value can be escaped.
    """
    template = language.from_string(source)
    return HtmlTemplate(template, find_places(source, template.tags))


def marked(source: str, tags: Sequence[Tag]) -> str:
    """Return a page with a mark for each tag, numbered from 0; line breaks in tags stay."""
    parts, position = [], 0
    for number, tag in enumerate(tags):
        parts += [source[position : tag.start], f"\ufdd0{number}\ufdd1", "\n" * tag.source.count("\n")]
        position = tag.end
    return "".join(parts) + source[position:]


def find_places(source: str, tags: Sequence[Tag]) -> dict[int, Place]:
    """Return the places of the tags, by their positions in the source.

    Raises:
        PlaceError: A tag stands where no value can be escaped, or a block begins and ends in different places.
        LanguageError: The page is not HTML.
    """
    page = marked(source, tags)
    if match := _AFTER_BRACKET.search(page):  # a value without spaces would be the name of an element
        raise PlaceError(_ELSEWHERE, tags[int(match[1])])
    finder = _Finder(tags)
    try:
        finder.feed(page)
        finder.close()
    except AssertionError as error:  # html.parser raises it for some declarations
        raise LanguageError(f"is not valid HTML: {error}.") from None
    for number, tag in enumerate(tags):
        if number not in finder.places:
            raise PlaceError(_ELSEWHERE, tag)
    for first, *others in find_blocks(tags):
        for number in others:
            if finder.places[number].scope != finder.places[first].scope:
                reason = "must be in the same element or attribute as the tag that it belongs to."
                raise PlaceError(reason, tags[number])
    return {tag.start: finder.places[number] for number, tag in enumerate(tags)}


class _Finder(HTMLParser):
    """Finds the places of marks."""

    def __init__(self, tags: Sequence[Tag]) -> None:
        super().__init__(convert_charrefs=False)
        self.places: dict[int, Place] = {}
        self._tags = tags
        self._scopes = 0
        self._raw_scope = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002  # read from the text
        self._raw_scope = self._new_scope() if tag in ("script", "style", "textarea", "title") else 0
        source = self.get_starttag_text() or ""
        if MARK.search(source):
            name = _TAG_NAME.match(source)
            for match in _ATTRIBUTE.finditer(source, name.end() if name else 0):
                self._note_attribute(match[1].lower(), match[2] or "")

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002  # raw elements have no others inside
        self._raw_scope = 0

    def handle_data(self, data: str) -> None:
        if self.cdata_elem == "script":
            self._refuse(data, "must not be in a script, which does not run.")
        self._note(data, Place("style" if self.cdata_elem == "style" else "text", self._raw_scope))

    def handle_comment(self, data: str) -> None:
        self._note(data, Place("comment", self._new_scope()))

    def _new_scope(self) -> int:
        self._scopes += 1
        return self._scopes

    def _note_attribute(self, name: str, quoted: str) -> None:
        if quoted[:1] not in ("'", '"'):
            self._refuse(quoted, f"must be between quotes in the attribute {MARK.sub('', name)[:40]}.")
            return
        kind: PlaceKind = "address" if name in URL_ATTRIBUTES else "attribute"
        kind = {"style": "style", "srcdoc": "page"}.get(name, kind)  # type: ignore[assignment]  # kinds
        value, scope = quoted[1:-1], self._new_scope()
        fixed = _AFTER_SCHEME.search(value)
        for match in MARK.finditer(value):
            is_start = fixed is None or match.start() < fixed.start()
            tag = self._tags[int(match[1])]
            if kind == "address" and is_start and fixed and fixed[0] == ":" and tag.kind == "value":
                raise PlaceError(f"must be behind the scheme of the address in {name}, such as https:.", tag)
            self.places[int(match[1])] = Place(kind, scope, name, is_start)

    def _note(self, text: str, place: Place) -> None:
        self.places |= dict.fromkeys(_numbers(text), place)

    def _refuse(self, text: str, reason: str) -> None:
        for number in _numbers(text):
            raise PlaceError(reason, self._tags[number])


def _numbers(text: str) -> Iterator[int]:
    return (int(match[1]) for match in MARK.finditer(text))


def _shown(places: dict[int, Place], value: Any, path: str, tag: Tag) -> str:
    """Return a value as HTML for the place of its tag, where it must fit."""
    place = places[tag.start]
    if place.kind == "comment":
        return ""
    if isinstance(value, Code):
        return value.element(path.rpartition(".")[2]) if place.kind == "text" else escape(value.uri)
    text = as_text(value)
    if place.kind == "style":
        return parse_color(text) or _CSS_UNSAFE.sub(lambda match: f"\\{ord(match[0]):x} ", text)
    if place.kind == "page":  # the attribute is read as HTML again
        return escape(escape(text))
    if place.kind == "address" and place.is_start:
        scheme = _SCHEME.match(_IGNORED_IN_ADDRESS.sub("", text))
        is_image = place.attribute not in ("href", "xlink:href") and text.lower().startswith("data:image/")
        if scheme and scheme[1].lower() not in LINK_SCHEMES and not is_image:
            raise ValueProblem(f"must begin with http:// or https:// in {place.attribute}, got {scheme[0].lower()}")
    return escape(path if place.attribute == "data-key" else text)


def file_uri(folder: Path, name: str) -> str:
    """Return a file of the folder as a data: URI.

    Raises:
        ValueError: It is not in the folder, is too large, or is not an image or font.
    """
    file = (folder / name).resolve()
    if (media_type := MEDIA_TYPES.get(file.suffix.lower())) is None:
        raise ValueError(f"{name}: must be an image or a font ({', '.join(MEDIA_TYPES)}).")
    if not file.is_relative_to(folder.resolve()) or not file.is_file():
        raise ValueError(f"{name}: is not a file in the folder of the template.")
    if file.stat().st_size > MAX_FILE_KB * 1024:
        raise ValueError(f"{name}: must have at most {MAX_FILE_KB // 1024} MB, got {file.stat().st_size // 1024} KB.")
    return f"data:{media_type};base64,{pybase64.b64encode(file.read_bytes()).decode()}"


def element_problem(tag: str) -> str | None:
    """Return why an element is not allowed, or None."""
    if tag not in _FORBIDDEN_ELEMENTS:
        return None
    if tag in ("html", "head", "body", "main"):
        return f"<{tag}> is not allowed: write only a <style> and what is inside of the body."
    return f"<{tag}> is not allowed in a template."


def attribute_problem(tag: str, name: str, value: str) -> str | None:
    """Return why an attribute is not allowed, or None."""
    if not _ATTRIBUTE_NAME.fullmatch(name):
        return f"the attribute name {quote(name[:40])} is not valid."
    if name.startswith("on"):
        return f"{name} is not allowed: scripts do not run."
    if name == "style":
        return next((message for _, message in css_problem_lines(value)), None)
    allowed = _LINK if tag == "a" and name == "href" else _INLINE_IMAGE
    is_allowed = not value or allowed.match(value) or value.startswith("#")
    if name not in URL_ATTRIBUTES or (name in ("href", "src", "xlink:href") and is_allowed):
        return None
    hint = "use a file of the folder, or a data: URI" if tag in ("img", "image") else "use https://, mailto: or #"
    return f"{name}={value[:60]!r} is not allowed: templates load nothing; {hint}."


def css_problem_lines(css: str) -> Iterator[tuple[int, str]]:
    """Yield the line, from 0, and the message of each problem in CSS."""
    plain = _CSS_COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), css)
    found = [(number, problem) for number, line in enumerate(plain.split("\n")) if (problem := _css_problem(line))]
    whole = _css_problem(plain)
    yield from found or ([(0, whole)] if whole else [])


def _css_problem(css: str) -> str | None:
    plain = _CSS_ESCAPE.sub(_unescaped, _DATA_URL.sub("", _CSS_COMMENT.sub(" ", css)))
    for pattern in (_CSS_FORBIDDEN, _CSS_URL):
        if match := pattern.search(plain):
            shown = plain[match.start() : match.end() + 30].split("\n", maxsplit=1)[0]
            return f"the style has {shown!r}, which is not allowed: templates load nothing."
    if "{{" in css:
        return "the style must not contain {{...}}; use the variable --NAME of a color key."
    return None


def _unescaped(match: re.Match[str]) -> str:
    if not match[1]:
        return match[2]
    code = int(match[1], 16)
    return chr(code) if 0 < code <= 0x10FFFF else " "
