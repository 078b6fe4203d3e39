"""Prints values in the text of a Word file: line breaks, tabs, images and links.

While Jinja fills a part, a line break or an image is a private character in its text; `finish` makes its elements.
"""

import re
from copy import deepcopy
from functools import cached_property
from html import escape
from typing import Any
from urllib.parse import urlsplit

from lxml import etree
from lxml.etree import _Element as Element

from mediakit.core.inputs import load_file
from mediakit.core.media import describe
from mediakit.core.messages import quote
from mediakit.engines.templates.filters import ValueProblem, as_text, to_decimal
from mediakit.engines.templates.rendering import DataError, Rendering, Tag
from mediakit.engines.word_templates.package import SPACE, WORD, WordFile, Words, remove, set_property, split

IMAGE_KEYS = frozenset(("image", "width", "alt"))
LINK_KEYS = frozenset(("link", "text"))
SCHEMES = ("http", "https", "mailto", "tel")
MAX_URL_LENGTH = 2048

MAX_WIDTH_MM = 550.0
"""The widest image: Word's limit is 22 inches."""
DEFAULT_MAX_WIDTH_MM = 160.0
"""Without a width, images are at most this wide: the text width of an A4 page."""
EMUS_PER_MM = 36_000
MM_PER_INCH = 25.4

_LINES = re.compile(r"\r\n?|[\x07\x0b\x85]")
_NOT_XML = re.compile("[\x00-\x08\x0e-\x1f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
"""Characters that XML cannot have, and the private ones."""
_PRIVATE = str.maketrans({"\n": "\ufdd1", "\t": "\ufdd2", "\f": "\ufdd3"})
_PIECES = re.compile("([\ufdd1-\ufdd3]|\ufdd4\\d+\ufdd4)")

_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_STRICT = (
    ("http://schemas.openxmlformats.org/officeDocument/2006/", "http://purl.oclc.org/ooxml/officeDocument/"),
    ("http://schemas.openxmlformats.org/wordprocessingml/2006/", "http://purl.oclc.org/ooxml/wordprocessingml/"),
    ("http://schemas.openxmlformats.org/drawingml/2006/", "http://purl.oclc.org/ooxml/drawingml/"),
)
"""The namespaces of Strict Open XML."""
_LINK = f'''
<w:hyperlink xmlns:w="{WORD}" xmlns:r="{_OFFICE}" r:id="{{0}}"><w:r><w:t>{{1}}</w:t></w:r></w:hyperlink>'''.strip()
_RUN_ORDER = tuple(
    "rStyle rFonts b bCs i iCs caps smallCaps strike dstrike outline shadow emboss imprint noProof snapToGrid vanish "  # noqa: SIM905
    "webHidden color spacing w kern position sz szCs highlight u".split()
)
"""The order of run properties up to the underline (ECMA-376, 17.3.2.28)."""


class Images:
    """The images of a document; each is stored once."""

    def __init__(self, file: WordFile) -> None:
        self._file = file
        self._known: dict[bytes, tuple[str, int, int, float]] = {}

    def add(self, content: bytes) -> tuple[str, int, int, float]:
        """Return the name of an image's part, its width and height in pixels, and its resolution in DPI.

        Raises:
            ValueProblem: It is not an image of a known kind, is damaged, or has more than 50 megapixels.
        """
        if content not in self._known:
            from mediakit.engines.docx_writer.images import ImageError, word_image

            try:
                image = word_image(content)
            except ImageError as error:
                kinds = "a PNG, JPEG, GIF, BMP, TIFF, WebP or AVIF image of at most 50 megapixels"
                raise ValueProblem(f"must be {kinds}, got {describe(content)}") from error
            part = self._file.add_image(image.content, image.extension, f"image/{image.extension}")
            self._known[content] = part, image.width, image.height, image.dpi
        return self._known[content]


class Printer:
    """Prints the values of one part."""

    def __init__(self, file: WordFile, part: str, words: Words, images: Images, rendering: Rendering) -> None:
        self._file = file
        self._part = part
        self._words = words
        self._images = images
        self._rendering = rendering
        self._objects: dict[str, int] = {}
        """The XML of images and links, with their number in the text."""

    def show(self, value: Any, path: str, tag: Tag) -> str:  # noqa: ARG002  # the signature of `Show`
        """Return a value as text with private characters.

        Raises:
            ValueProblem: It cannot be printed as text, or is an image outside of the document's text.
            DataError: It is not an image or a link that is allowed.
        """
        if isinstance(value, dict) and "image" in value and value.keys() <= IMAGE_KEYS:
            if not self._words.is_word:
                raise ValueProblem("is an image, which only text of the document can have")
            return self._object(self._image(value, path))
        if isinstance(value, dict) and "link" in value and value.keys() <= LINK_KEYS:
            return self._object(self._link(value, path)) if self._words.is_word else plain_text(_link_text(value))
        return plain_text(as_text(value))

    def finish(self, root: Element) -> None:
        """Make the elements of the private characters, and remove runs without content."""
        name, run_properties = self._words, self._words.all("rPr")
        lifted = name.all("hyperlink") if name.is_word else name.all("br")
        objects = list(self._objects)
        texts = list(root.iter(name("t")))
        for text in texts:  # those of links join the list
            pieces = [piece for piece in _PIECES.split(text.text or "") if piece]
            if len(pieces) == 1 and not _PIECES.fullmatch(pieces[0]):
                continue
            run = text.getparent()
            made = [self._element(piece, objects) for piece in pieces]
            for element in made:
                text.addprevious(element)
            remove(text)
            for element in made:
                holder = element.getparent()
                if holder is None or element.tag not in lifted:
                    continue
                texts += element.iter(name("t"))
                if next(holder.iterancestors(name("hyperlink")), None) is not None:  # links have no links in them
                    holder.replace(element, element[0][0])
                else:
                    self._complete(element, holder)
                    split(holder, element, run_properties)
            if run is not None and all(child.tag in run_properties for child in run):
                remove(run)

    def _element(self, piece: str, objects: list[str]) -> Element:
        name = self._words
        match piece:
            case "\ufdd1":
                return etree.Element(name("br"))
            case "\ufdd2" if name.is_word:
                return etree.Element(name("tab"))
            case "\ufdd3":
                return etree.Element(name("br"), {name("type"): "page"} if name.is_word else {})
        if piece.startswith("\ufdd4"):
            return etree.fromstring(objects[int(piece[1:-1])])
        element = etree.Element(name("t"), {SPACE: "preserve"} if name.is_word else {})
        element.text = piece.replace("\ufdd2", "\t")
        return element

    def _complete(self, element: Element, run: Element) -> None:
        """Copy the format of the run around a line break of DrawingML, or around a link, which also looks like one."""
        name = self._words
        properties = run.find(name("rPr"))
        if element.tag == name("br"):
            element.extend([] if properties is None else [deepcopy(properties)])
            return
        made = etree.Element(name("rPr")) if properties is None else deepcopy(properties)
        if style := self._link_style:
            set_property(made, _RUN_ORDER, name, "rStyle", val=style)
        else:
            set_property(made, _RUN_ORDER, name, "color", val="0563C1")
            set_property(made, _RUN_ORDER, name, "u", val="single")
        element[0].insert(0, made)

    def _object(self, xml: str) -> str:
        self._rendering.count(0, len(xml))
        number = self._objects.setdefault(xml, len(self._objects))
        return f"\ufdd4{number}\ufdd4"

    def _image(self, value: dict[str, Any], path: str) -> str:
        from mediakit.engines.docx_writer.images import new_drawing

        try:
            name, pixels, rows, dpi = self._images.add(bytes(load_file(value["image"])))
        except ValueError as error:
            raise DataError(f"{path}.image {str(error).rstrip('.')}") from None
        given = value.get("width")
        width = min(max(1.0, pixels / dpi * MM_PER_INCH), DEFAULT_MAX_WIDTH_MM) if given is None else to_decimal(given)
        if width is None or not 1 <= width <= MAX_WIDTH_MM:
            raise DataError(f"{path}.width must be between 1 and {MAX_WIDTH_MM:g} mm, got {quote(given)}")
        across = round(float(width) * EMUS_PER_MM)
        alt = "".join(char for char in as_text(value.get("alt")) if char.isprintable())
        relationship = self._file.relate(self._part, self._namespaced(f"{_OFFICE}/image"), name)
        size = across, max(1, round(across * rows / pixels))
        drawing = new_drawing(1, "Image", relationship, size, alt)
        return self._namespaced(etree.tostring(drawing, encoding="unicode"))

    def _link(self, value: dict[str, Any], path: str) -> str:
        url = value["link"].strip() if isinstance(value["link"], str) else ""
        try:
            scheme = urlsplit(url).scheme.lower()
        except ValueError:
            scheme = ""
        if scheme not in SCHEMES or len(url) > MAX_URL_LENGTH or not url.isprintable():
            shown = quote(value["link"])
            raise DataError(f"{path}.link must begin with http://, https://, mailto: or tel:, got {shown}")
        kind = self._namespaced(f"{_OFFICE}/hyperlink")
        relationship = self._file.relate(self._part, kind, url.replace(" ", "%20"), is_external=True)
        return self._namespaced(_LINK).format(relationship, plain_text(_link_text(value)))

    @cached_property
    def _link_style(self) -> str:
        """Return the ID of the style Hyperlink; empty if the document has none."""
        styles = self._file.related(self._file.main, "styles")
        for style in self._file.parse(styles).iter(self._words("style")) if styles else ():
            label = style.find(self._words("name"))
            if label is not None and (label.get(self._words("val")) or "").lower() == "hyperlink":
                return style.get(self._words("styleId")) or ""
        return ""

    def _namespaced(self, xml: str) -> str:
        """Return XML, or the URI of a kind of relationship, with the namespaces of the part."""
        for transitional, strict in _STRICT if self._words.is_strict else ():
            xml = xml.replace(transitional, strict)
        return xml


def _link_text(value: dict[str, Any]) -> str:
    return as_text(value.get("text")) or as_text(value["link"]).strip()


def plain_text(text: str) -> str:
    """Return escaped text whose line breaks, tabs and page breaks are private characters."""
    return escape(_NOT_XML.sub("", _LINES.sub("\n", text)).translate(_PRIVATE))
