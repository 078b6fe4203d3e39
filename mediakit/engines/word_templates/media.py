"""Images and links of one part."""

from typing import Any
from urllib.parse import urlsplit

from lxml import etree
from lxml.etree import _Element as Element

from mediakit.core.inputs import load_file
from mediakit.core.messages import quote
from mediakit.engines.word_templates.images import EMUS_PER_MM, PreparedImage, prepare
from mediakit.engines.word_templates.language.filters import as_text, to_decimal
from mediakit.engines.word_templates.language.problems import ValueProblem
from mediakit.engines.word_templates.package import WordFile
from mediakit.engines.word_templates.vocabulary import DRAWING as DRAWING_NAMESPACE
from mediakit.engines.word_templates.vocabulary import (
    IMAGE,
    RELATIONSHIPS,
    STRICT_IMAGE,
    STRICT_RELATIONSHIPS,
    STRICT_WORD_DRAWING,
    WORD_DRAWING,
    Vocabulary,
)
from mediakit.engines.word_templates.vocabulary import STRICT_DRAWING as STRICT_DRAWING_NAMESPACE

MAX_WIDTH_MM = 550.0
"""The widest image: Word's limit is 22 inches."""

DEFAULT_MAX_WIDTH_MM = 160.0
"""Without a width, images are at most this wide: the text width of an A4 page."""

SCHEMES = ("http", "https", "mailto", "tel")

MAX_URL_LENGTH = 2048


class ImageStore:
    """The images of a document; each is stored once."""

    def __init__(self, file: WordFile) -> None:
        self._file = file
        self._known: dict[bytes, tuple[PreparedImage, str]] = {}

    def add(self, content: bytes) -> tuple[PreparedImage, str]:
        """Return an image and the name of its part.

        Raises:
            ValueProblem: It is not an image that can be read.
        """
        if content not in self._known:
            image = prepare(content)
            self._known[content] = image, self._file.add_image(image.content, image.extension, image.media_type)
        return self._known[content]


class PartMedia:
    """Adds images and links to a part."""

    def __init__(self, file: WordFile, part: str, words: Vocabulary, store: ImageStore) -> None:
        self._file = file
        self._part = part
        self._words = words
        self._store = store
        self._style: Element | None = None

    def image(self, value: dict[str, Any], path: str) -> Element:
        """Return the drawing of an image.

        Raises:
            ValueProblem: It is not an image, or its width is not between 1 and 550 mm.
        """
        try:
            content = bytes(load_file(value["image"]))
        except ValueError as error:
            raise ValueProblem(f"{path}.image {str(error).rstrip('.')}") from None
        try:
            image, name = self._store.add(content)
        except ValueProblem as problem:
            raise ValueProblem(f"{path}.image {problem.reason}") from None
        kind = f"{STRICT_RELATIONSHIPS if self._words.is_strict else RELATIONSHIPS}/image"
        relationship = self._file.relate(self._part, kind, name)
        width = _width(value.get("width"), image, path)
        size = round(width * EMUS_PER_MM), max(1, round(width * EMUS_PER_MM * image.height / image.width))
        return _drawing(relationship, size, as_text(value.get("alt")), self._words)

    def link(self, value: dict[str, Any], path: str) -> tuple[str, str]:
        """Return the relationship of a link and its text.

        Raises:
            ValueProblem: It is not a web address, mail address or phone number.
        """
        url = value["link"].strip() if isinstance(value["link"], str) else ""
        try:
            scheme = urlsplit(url).scheme.lower()
        except ValueError:
            scheme = ""
        if scheme not in SCHEMES or len(url) > MAX_URL_LENGTH or not url.isprintable():
            raise ValueProblem(
                f"{path}.link must begin with http://, https://, mailto: or tel:, got {quote(value['link'])}"
            )
        kind = f"{STRICT_RELATIONSHIPS if self._words.is_strict else RELATIONSHIPS}/hyperlink"
        relationship = self._file.relate(self._part, kind, url.replace(" ", "%20"), is_external=True)
        return relationship, as_text(value.get("text")) or url

    @property
    def link_style(self) -> Element:
        """The properties of a link's text: the style Hyperlink if the document has it, else blue and underlined."""
        if self._style is None:
            name = self._words.name
            self._style = etree.Element(self._words.run_properties)
            if style := self._hyperlink_style():
                etree.SubElement(self._style, name("rStyle"), {name("val"): style})
            else:
                etree.SubElement(self._style, name("color"), {name("val"): "0563C1"})
                etree.SubElement(self._style, name("u"), {name("val"): "single"})
        return self._style

    def _hyperlink_style(self) -> str:
        styles = self._file.related(self._file.main, "styles")
        if not styles:
            return ""
        name = self._words.name
        for style in self._file.parse(styles).iter(name("style")):
            label = style.find(name("name"))
            if label is not None and (label.get(name("val")) or "").lower() == "hyperlink":
                return style.get(name("styleId")) or ""
        return ""


def _width(value: Any, image: PreparedImage, path: str) -> float:
    if value is None:
        return min(image.width_mm, DEFAULT_MAX_WIDTH_MM)
    number = to_decimal(value)
    if number is None or not 1 <= number <= MAX_WIDTH_MM:
        raise ValueProblem(f"{path}.width must be between 1 and {MAX_WIDTH_MM:g} mm, got {quote(value)}")
    return float(number)


def _drawing(relationship: str, size: tuple[int, int], alt: str, words: Vocabulary) -> Element:
    strict = words.is_strict
    wp = STRICT_WORD_DRAWING if strict else WORD_DRAWING
    a = STRICT_DRAWING_NAMESPACE if strict else DRAWING_NAMESPACE
    pic = STRICT_IMAGE if strict else IMAGE
    r = STRICT_RELATIONSHIPS if strict else RELATIONSHIPS
    names = {"wp": wp, "a": a, "pic": pic, "r": r}
    cx, cy = (str(length) for length in size)
    alt = "".join(char for char in alt if char.isprintable())
    drawing = etree.Element(words.name("drawing"))
    inline = etree.SubElement(drawing, f"{{{wp}}}inline", distT="0", distB="0", distL="0", distR="0", nsmap=names)
    etree.SubElement(inline, f"{{{wp}}}extent", cx=cx, cy=cy)
    properties = etree.SubElement(inline, f"{{{wp}}}docPr", id="1", name="Image")
    if alt:
        properties.set("descr", alt)
    frame = etree.SubElement(inline, f"{{{wp}}}cNvGraphicFramePr")
    etree.SubElement(frame, f"{{{a}}}graphicFrameLocks", noChangeAspect="1")
    data = etree.SubElement(etree.SubElement(inline, f"{{{a}}}graphic"), f"{{{a}}}graphicData", uri=pic)
    element = etree.SubElement(data, f"{{{pic}}}pic")
    about = etree.SubElement(element, f"{{{pic}}}nvPicPr")
    etree.SubElement(about, f"{{{pic}}}cNvPr", id="0", name="Image")
    etree.SubElement(about, f"{{{pic}}}cNvPicPr")
    fill = etree.SubElement(element, f"{{{pic}}}blipFill")
    etree.SubElement(fill, f"{{{a}}}blip", {f"{{{r}}}embed": relationship})
    etree.SubElement(etree.SubElement(fill, f"{{{a}}}stretch"), f"{{{a}}}fillRect")
    shape = etree.SubElement(element, f"{{{pic}}}spPr")
    transform = etree.SubElement(shape, f"{{{a}}}xfrm")
    etree.SubElement(transform, f"{{{a}}}off", x="0", y="0")
    etree.SubElement(transform, f"{{{a}}}ext", cx=cx, cy=cy)
    geometry = etree.SubElement(shape, f"{{{a}}}prstGeom", prst="rect")
    etree.SubElement(geometry, f"{{{a}}}avLst")
    return drawing
