"""The names of elements: paragraphs and runs of WordprocessingML, and those of DrawingML in charts."""

from dataclasses import dataclass
from functools import cached_property

from lxml import etree

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
STRICT_WORD = "http://purl.oclc.org/ooxml/wordprocessingml/main"
DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
STRICT_DRAWING = "http://purl.oclc.org/ooxml/drawingml/main"
RELATIONSHIPS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
STRICT_RELATIONSHIPS = "http://purl.oclc.org/ooxml/officeDocument/relationships"
WORD_DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"
STRICT_WORD_DRAWING = "http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing"
IMAGE = "http://schemas.openxmlformats.org/drawingml/2006/picture"
STRICT_IMAGE = "http://purl.oclc.org/ooxml/drawingml/picture"
WORD_2010 = "http://schemas.microsoft.com/office/word/2010/wordml"

SPACE = "{http://www.w3.org/XML/1998/namespace}space"
MARKER = "{urn:mediakit:word-template}tag"
"""The element that takes the place of a tag while a part is rendered."""

_WRAPPERS = (
    "hyperlink", "ins", "moveTo", "smartTag", "sdt", "sdtContent", "fldSimple", "customXml", "dir", "bdo",
)  # fmt: skip
_PROPERTIES = ("rPr", "sdtPr", "sdtEndPr", "smartTagPr", "customXmlPr", "fldData")


@dataclass(frozen=True)
class Vocabulary:
    """The names of one namespace."""

    namespace: str

    def name(self, local: str) -> str:
        """Return the name of an element in lxml's notation."""
        return f"{{{self.namespace}}}{local}"

    @property
    def is_word(self) -> bool:
        """Whether text belongs to a document, where it can have images, links and tables."""
        return self.namespace in (WORD, STRICT_WORD)

    @property
    def is_strict(self) -> bool:
        """Whether the document is Strict Open XML, which has other namespaces."""
        return self.namespace in (STRICT_WORD, STRICT_DRAWING)

    @cached_property
    def paragraph(self) -> str:
        """A paragraph."""
        return self.name("p")

    @cached_property
    def paragraph_properties(self) -> str:
        """The properties of a paragraph."""
        return self.name("pPr")

    @cached_property
    def run(self) -> str:
        """A run: text of one format."""
        return self.name("r")

    @cached_property
    def run_properties(self) -> str:
        """The properties of a run."""
        return self.name("rPr")

    @cached_property
    def text(self) -> str:
        """The text in a run."""
        return self.name("t")

    @cached_property
    def cell(self) -> str:
        """A table cell."""
        return self.name("tc")

    @cached_property
    def row(self) -> str:
        """A table row."""
        return self.name("tr")

    @cached_property
    def table(self) -> str:
        """A table."""
        return self.name("tbl")

    @cached_property
    def wrappers(self) -> frozenset[str]:
        """The elements that hold runs inside a paragraph."""
        return frozenset(map(self.name, _WRAPPERS))

    @cached_property
    def properties(self) -> frozenset[str]:
        """The properties of runs and of wrappers; both halves have them when one is split."""
        return frozenset(map(self.name, _PROPERTIES))

    @cached_property
    def characters(self) -> dict[str, str]:
        """The elements in a run that are a character."""
        return {self.name("tab"): "\t", self.name("br"): "\n", self.name("cr"): "\n", self.name("noBreakHyphen"): "-"}


def name_of(element: etree._Element) -> str:
    """Return the name of an element in lxml's notation."""
    return str(element.tag)


def vocabulary_of(root: etree._Element) -> Vocabulary:
    """Return the vocabulary of a part by its root."""
    namespace = etree.QName(root).namespace or ""
    if namespace in (WORD, STRICT_WORD):
        return Vocabulary(namespace)
    strict = any(space == STRICT_DRAWING for space in root.nsmap.values())
    return Vocabulary(STRICT_DRAWING if strict else DRAWING)
