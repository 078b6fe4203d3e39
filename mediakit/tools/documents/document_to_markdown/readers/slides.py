"""PowerPoint presentations (PPTX, PPTM, PPSX, POTX): slides in visual reading order, with their notes.

The XML is not read by python-pptx: it refuses templates, slide shows, strict files and files with a missing part, it
parses all parts at once, and has neither bullets nor formulas.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice

from lxml import etree
from lxml.html import HtmlElement

from mediakit.errors import InvalidInput
from mediakit.tools.documents.document_to_markdown.document import Document, Omitted
from mediakit.tools.documents.document_to_markdown.readers.office import (
    CHART,
    DIAGRAM,
    MC,
    A,
    Element,
    M,
    R,
    integer,
    is_symbol_font,
    symbol_text,
)
from mediakit.tools.documents.document_to_markdown.readers.office.blocks import (
    EMPHASIS,
    STRIKE,
    STRONG,
    SUBSCRIPT,
    SUPERSCRIPT,
    BlockBuilder,
    Item,
    Mark,
    Piece,
    append_pieces,
    has_content,
    new_element,
    prepend_text,
)
from mediakit.tools.documents.document_to_markdown.readers.office.formulas import formula_element
from mediakit.tools.documents.document_to_markdown.readers.office.graphics import (
    Box,
    chart_blocks,
    diagram_list,
    in_reading_order,
    text_of,
)
from mediakit.tools.documents.document_to_markdown.readers.office.package import OfficePackage, Relationship
from mediakit.tools.documents.document_to_markdown.readers.office.reading import Reading
from mediakit.tools.documents.document_to_markdown.tool import DocumentToMarkdownRequest as Request

P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
A14 = "{http://schemas.microsoft.com/office/drawing/2010/main}"
P188 = "{http://schemas.microsoft.com/office/powerpoint/2018/8/main}"


MAX_SLIDES = 5000
MAX_GROUPS = 30
"""Levels of nested groups."""

MAX_LEVEL = 8
MAX_SPAN = 1000

TITLES = ("title", "ctrTitle")
FURNITURE = ("dt", "ftr", "hdr", "sldNum")
"""Placeholders of date, footer, header and slide number."""

_SHAPES = (f"{P}sp", f"{P}pic", f"{P}graphicFrame", f"{P}grpSp", f"{P}cxnSp")
_BULLETS = {f"{A}buNone": False, f"{A}buChar": True, f"{A}buAutoNum": True, f"{A}buBlip": True}
_MASTER_TYPES = {"ctrTitle": "title", "subTitle": "body", "obj": "body", "": "body"}
"""Types of placeholders whose style is that of another type of the master."""

_LAYOUT_TYPES = {"ctrTitle": "title"}
_OMITTED = {
    **dict.fromkeys(("video", "audio", "media"), (Omitted.MEDIA, Omitted.MEDIA)),
    **dict.fromkeys(("oleObject", "package", "control", "model3d"), (Omitted.EMBEDDED_FILES, Omitted.LINKED_DOCUMENTS)),
    "chartEx": (Omitted.SLIDE_CHARTS, Omitted.SLIDE_CHARTS),
}
"""Warnings by the kind of a relationship: for a file in the package, and for one outside of it."""


class Deck(Reading):
    """The state of reading one presentation."""

    def __init__(self, package: OfficePackage, options: Request) -> None:
        super().__init__(options)
        self.package = package
        self._layouts: dict[str, Placeholders] = {}

    def placeholders(self, slide: str) -> "Placeholders":
        """Return the placeholders of the layout of a slide. Each layout is parsed once."""
        layout = self.package.related(slide, "slideLayout") or ""
        master = self.package.related(layout, "slideMaster") if layout else None
        return self._loaded(layout, self._loaded(master or "", None))

    def _loaded(self, part: str, parent: "Placeholders | None") -> "Placeholders":
        if part not in self._layouts:
            self._layouts[part] = Placeholders(self.package.xml(part) if part else None, parent)
        return self._layouts[part]

    @cached_property
    def comment_authors(self) -> Mapping[str, str]:
        """The names of the authors of comments by identifier."""
        parts = (self.package.related(self.package.main, kind) for kind in ("commentAuthors", "authors"))
        roots = [root for part in parts if part and (root := self.package.xml(part)) is not None]
        return {author.get("id") or "": author.get("name") or "" for root in roots for author in root}


def read(content: bytes, options: Request) -> Document:
    """Read a presentation.

    Raises:
        InvalidInput: It is damaged.
    """
    deck = Deck(OfficePackage(content, "ppt/presentation.xml"), options)
    root = deck.package.xml(deck.package.main)
    if root is None:
        raise InvalidInput("file: is a damaged presentation.")
    relationships, listed = deck.package.relationships(deck.package.main), root.find(f"{P}sldIdLst")
    slides = islice(() if listed is None else listed, MAX_SLIDES)
    found = [relationships.get(slide.get(f"{R}id") or "") for slide in slides]
    parts = [each.target for each in found if each and each.kind == "slide" and not each.is_external]
    body = new_element("div")
    titles, hidden = [], []
    for number, part in enumerate(parts, 1):
        slide = deck.package.xml(part)
        if slide is None:
            continue
        title = SlideReader(deck, part, body).append(slide, is_first=number == 1)
        titles.append(title or f"Slide {number}")
        if slide.get("show") in ("0", "false"):
            hidden.append(str(number))
    document = deck.finish(body)
    deck.package.describe(document)
    document.parts = titles
    if hidden:
        document.warnings.insert(0, f"Slides that a presentation skips are included: {', '.join(hidden)}.")
    return document


class Placeholders:
    """The placeholders of a layout or a master, which those of a slide inherit from: position and bullets."""

    def __init__(self, root: Element | None, parent: "Placeholders | None") -> None:
        self.root, self.parent = root, parent
        self._found: dict[tuple[str, str], Element | None] = {}

    @cached_property
    def _shapes(self) -> list[tuple[str, str, Element]]:
        """The type, the index and the element of each placeholder."""
        shapes = () if self.root is None else self.root.iter(f"{P}sp", f"{P}pic")
        placeholders = ((shape, placeholder_of(shape)) for shape in shapes)
        return [(found.get("type") or "", found.get("idx") or "0", shape) for shape, found in placeholders
                if found is not None]  # fmt: skip

    def find(self, kind: str, index: str) -> Element | None:
        """Return the placeholder that one of a slide inherits from: of its index in a layout, else of its type."""
        key = kind, index
        if key not in self._found:
            by_index = (shape for _, other, shape in self._shapes if other == index != "0")
            wanted = (_MASTER_TYPES if self.parent is None else _LAYOUT_TYPES).get(kind, kind)
            by_type = (shape for other, _, shape in self._shapes if _LAYOUT_TYPES.get(other, other) == wanted)
            found = next(by_index, None) if self.parent is not None else None
            self._found[key] = next(by_type, None) if found is None else found
        return self._found[key]

    def _chain(self, shape: Element) -> Iterator[Element]:
        """Yield a shape and the placeholders that it inherits from, the nearest first."""
        yield shape
        placeholder = placeholder_of(shape)
        level: Placeholders | None = self if placeholder is not None else None
        while level is not None and placeholder is not None:
            found = level.find(placeholder.get("type") or "", placeholder.get("idx") or "0")
            if found is not None:
                yield found
            level = level.parent

    def box(self, shape: Element) -> Box:
        """Return the position of a shape. At the origin if neither it nor a placeholder states one."""
        for each in self._chain(shape):
            paths = (f"{P}spPr/{A}xfrm", f"{P}grpSpPr/{A}xfrm", f"{P}xfrm")
            transform = next((found for path in paths if (found := each.find(path)) is not None), None)
            offset, extent = (None if transform is None else transform.find(f"{A}{name}") for name in ("off", "ext"))
            if offset is not None and extent is not None:
                values = (offset.get("x"), offset.get("y"), extent.get("cx"), extent.get("cy"))
                return Box(*map(integer, values))
        return Box()

    def has_bullet(self, shape: Element, level: int) -> bool:
        """Return whether paragraphs of a level have bullets or numbers if they do not say so themselves."""
        styles = [each.find(f"{P}txBody/{A}lstStyle") for each in self._chain(shape)]
        placeholder = placeholder_of(shape)
        role = "other" if placeholder is None else "title" if placeholder.get("type") in TITLES else "body"
        master = self.root if self.parent is None else self.parent.root
        styles.append(None if master is None else master.find(f"{P}txStyles/{P}{role}Style"))
        for style in styles:
            properties = None if style is None else style.find(f"{A}lvl{level + 1}pPr")
            stated = None if properties is None else _stated_bullet(properties)
            if stated is not None:
                return stated
        return False


def placeholder_of(shape: Element) -> Element | None:
    """Return the `p:ph` element of a shape. None for other shapes."""
    return shape.find(f"*/{P}nvPr/{P}ph")


def _stated_bullet(properties: Element) -> bool | None:
    """Return whether the properties of a paragraph state a bullet; None if they state nothing."""
    return next((_BULLETS[child.tag] for child in properties if child.tag in _BULLETS), None)


def append_text(
    body: Element | None,
    builder: BlockBuilder,
    relationships: Mapping[str, Relationship],
    key: str = "",
    has_bullet: Callable[[int], bool] = lambda _: False,
) -> None:
    """Append the paragraphs of a text body, with links by the relationships of its part.

    A shape with a key has lists of its own. `has_bullet` returns whether paragraphs of a level have bullets if they do
    not say so themselves.
    """
    numbers: dict[int, int] = {}
    for paragraph in () if body is None else body.iterchildren(f"{A}p"):
        pieces = list(_pieces(paragraph, relationships))
        if not has_content(pieces):
            continue
        properties = paragraph.find(f"{A}pPr")
        level = 0 if properties is None else max(0, min(MAX_LEVEL, integer(properties.get("lvl"))))
        stated = None if properties is None else _stated_bullet(properties)
        is_item = has_bullet(level) if stated is None else stated
        number = _number(properties, numbers, level) if is_item else None
        if not is_item:
            numbers.clear()
        parent = builder.item(Item(level, key, number)) if is_item else builder.block("p")
        append_pieces(parent, pieces)


def _pieces(parent: Element, relationships: Mapping[str, Relationship]) -> Iterator[Piece]:
    """Yield the runs and formulas of a paragraph with their marks."""
    for child in parent:
        if child.tag in (f"{A}r", f"{A}fld"):
            properties = child.find(f"{A}rPr")
            text = (child.findtext(f"{A}t") or "").replace("\v", "\n").replace("_x000B_", " ")
            yield _marks(properties, relationships), _shown_text(properties, text)
        elif child.tag == f"{A}br":
            yield (), new_element("br")
        elif child.tag == f"{A14}m":
            is_display = child.find(f"{M}oMathPara") is not None
            formulas = (formula_element(formula, display=is_display) for formula in child.iter(f"{M}oMath"))
            yield from (((), formula) for formula in formulas if formula is not None)
        elif child.tag == f"{MC}AlternateContent":
            yield from next((pieces for each in child if (pieces := list(_pieces(each, relationships)))), ())


def _marks(properties: Element | None, relationships: Mapping[str, Relationship]) -> tuple[Mark, ...]:
    if properties is None:
        return ()
    baseline = integer(properties.get("baseline"))
    marks = {
        STRONG: _is_true(properties.get("b")),
        EMPHASIS: _is_true(properties.get("i")),
        STRIKE: properties.get("strike") in ("sngStrike", "dblStrike"),
        SUPERSCRIPT: baseline > 0,
        SUBSCRIPT: baseline < 0,
    }
    link = properties.find(f"{A}hlinkClick")
    relationship = None if link is None else relationships.get(link.get(f"{R}id") or "")
    if relationship is not None and relationship.is_external:  # not to another slide
        marks["a", relationship.target] = True
    return tuple(mark for mark, is_set in marks.items() if is_set)


def _shown_text(properties: Element | None, text: str) -> str:
    """Return what a text shows: the symbols of symbol fonts. The font for symbols is not that of plain letters."""
    for name in ("latin", "sym"):
        font = None if properties is None else properties.find(f"{A}{name}")
        face = "" if font is None else font.get("typeface") or ""
        if is_symbol_font(face):
            return "".join(symbol_text(face, char) if name == "latin" or char > "\x7f" else char for char in text)
    return text


def _number(properties: Element | None, numbers: dict[int, int], level: int) -> int | None:
    """Return the number of a numbered paragraph, and count it. None for a bullet."""
    for deeper in [each for each in numbers if each > level]:
        del numbers[deeper]
    numbering = None if properties is None else properties.find(f"{A}buAutoNum")
    if numbering is None:
        numbers.pop(level, None)
        return None
    start = max(1, min(99_999, integer(numbering.get("startAt"), 1)))
    numbers[level] = numbers[level] + 1 if level in numbers else start
    return numbers[level]


@dataclass(frozen=True)
class Shape:
    """A shape and where it is."""

    element: Element
    box: Box
    kind: str | None
    """Type of a placeholder; None for other shapes."""


class SlideReader:
    """Reads one slide: its title as a heading, its shapes in reading order, and its notes."""

    def __init__(self, deck: Deck, part: str, root: HtmlElement) -> None:
        """Prepare to append the slide in a part to an element."""
        self._deck, self._part = deck, part
        self._builder = BlockBuilder(root)
        self._layout = deck.placeholders(part)
        self._relationships = deck.package.relationships(part)

    def append(self, slide: Element, *, is_first: bool) -> str:
        """Append the slide and return its title. Empty if it has none."""
        tree = slide.find(f"{P}cSld/{P}spTree")
        shapes = [] if tree is None else list(self._shapes(tree))
        titled = next((each for each in shapes if each.kind in TITLES and has_content(self._title(each))), None)
        title = [] if titled is None else self._title(titled)
        if title:
            append_pieces(self._builder.block("h2"), title)
        elif not is_first:
            self._builder.block("hr")
        for shape in in_reading_order([each for each in shapes if each is not titled], lambda each: each.box):
            self._append(shape.element, MAX_GROUPS)
        if self._deck.options.comments:
            self._append_comments()
        if self._deck.options.notes:
            self._append_notes()
        omitted = (each for each in self._relationships.values() if each.kind in _OMITTED)
        found = {(each.target, each.is_external): _OMITTED[each.kind] for each in omitted}
        for (_, is_external), warnings in found.items():  # PowerPoint refers to a medium twice
            self._deck.warnings.warn(warnings[is_external])
        return " ".join("".join(_plain(content) for _, content in title).split())

    def _title(self, shape: Shape) -> list[Piece]:
        """Return the texts and formulas of a title as one line without marks."""
        pieces: list[Piece] = []
        for line in shape.element.iterfind(f"{P}txBody/{A}p"):
            contents = [content for _, content in _pieces(line, self._relationships)]
            pieces += [((), each if _plain(each).strip() else " ") for each in (*([" "] if pieces else []), *contents)]
        return [(marks, each.replace("\xa0", " ") if isinstance(each, str) else each) for marks, each in pieces]

    def _shapes(self, tree: Element) -> Iterator[Shape]:
        """Yield the shapes of a slide or a group that are visible."""
        for element in _alternatives(tree):
            placeholder = placeholder_of(element)
            kind = None if placeholder is None else placeholder.get("type") or ""
            properties = element.find(f"*/{P}cNvPr")
            is_hidden = properties is not None and _is_true(properties.get("hidden"))
            if not is_hidden and (self._deck.options.headers or kind not in FURNITURE):
                yield Shape(element, self._layout.box(element), kind)

    def _append(self, element: Element, levels: int) -> None:
        match etree.QName(element).localname:
            case "grpSp":
                shapes = list(self._shapes(element)) if levels else []
                for shape in in_reading_order(shapes, lambda each: each.box):
                    self._append(shape.element, levels - 1)
            case "pic":
                self._append_image(element)
            case "graphicFrame":
                self._append_frame(element)
            case _:
                has_bullet = partial(self._layout.has_bullet, element)
                body = element.find(f"{P}txBody")
                append_text(body, self._builder, self._relationships, str(id(element)), has_bullet)

    def _append_frame(self, frame: Element) -> None:
        """Append a table, a chart, a diagram or the image of an embedded object."""
        data = frame.find(f"{A}graphic/{A}graphicData")
        content = None if data is None or not len(data) else data[0]
        if data is None or content is None:
            return
        blocks: list[HtmlElement] = []
        if content.tag == f"{A}tbl":
            blocks = [self._table(content)]
        elif content.tag == f"{CHART}chart":
            identifier = content.get(f"{R}id") or ""
            chart = self._deck.package.related_xml(self._part, identifier)
            if chart is not None:
                blocks = chart_blocks(chart)
                parts = self._deck.package.relationships(self._relationships[identifier].target).values()
                for _ in [each for each in parts if each.is_external]:
                    self._deck.warnings.warn(Omitted.LINKED_DOCUMENTS)
        elif content.tag == f"{DIAGRAM}relIds":
            diagram = self._deck.package.related_xml(self._part, content.get(f"{R}dm"))
            listed = None if diagram is None else diagram_list(diagram)
            blocks = [] if listed is None else [listed]
        else:
            for image in list(data.iter(f"{P}pic"))[:1]:
                self._append_image(image)
        for block in blocks:
            self._builder.block("div").append(block)

    def _table(self, table: Element) -> HtmlElement:
        """Return a table, the first row of which is its header."""
        made = new_element("table")
        for number, row in enumerate(table.iterchildren(f"{A}tr")):
            line = etree.SubElement(made, "tr")
            for cell in row.iterchildren(f"{A}tc"):
                if _is_true(cell.get("hMerge")) or _is_true(cell.get("vMerge")):
                    continue
                element = etree.SubElement(line, "td" if number else "th")
                for name, attribute in (("colspan", "gridSpan"), ("rowspan", "rowSpan")):
                    span = min(MAX_SPAN, integer(cell.get(attribute), 1))
                    if span > 1:
                        element.set(name, str(span))
                append_text(cell.find(f"{A}txBody"), BlockBuilder(element), self._relationships)
        return made

    def _append_image(self, shape: Element) -> None:
        blip = shape.find(f"{P}blipFill/{A}blip")
        if blip is None:
            return
        identifiers = (blip.get(f"{R}embed"), blip.get(f"{R}link"))
        found = next((self._relationships[each] for each in identifiers if each in self._relationships), None)
        properties = shape.find(f"{P}nvPicPr/{P}cNvPr")
        alt = "" if properties is None else " ".join((properties.get("descr") or properties.get("title") or "").split())
        target, is_external = (found.target, found.is_external) if found else ("", False)
        image = self._deck.image(self._deck.package, target, alt, is_external=is_external)
        if image is not None:
            self._builder.block("p").append(image)

    def _append_comments(self) -> None:
        """Append references to the comments on the slide, of both formats: the one of 2018 has replies."""
        deck, references = self._deck, list[Piece]()
        for part in [each.target for each in self._relationships.values() if each.kind == "comments"]:
            root = deck.package.xml(part)
            elements = () if root is None else root.iter(f"{P}cm", f"{P188}cm", f"{P188}reply")
            for number, element in enumerate(elements):
                lines = element.iterfind(f"{P188}txBody/{A}p")
                text = element.findtext(f"{P}text") or " ".join(map(text_of, lines))
                author = deck.comment_authors.get(element.get("authorId") or "", "")
                read = partial(prepend_text, text=" ".join(f"{author}: {text}".removeprefix(": ").split()))
                reference = deck.note(f"{part} {number}", read, "c") if text.strip() else None
                if reference is not None:
                    references.append(((), reference))
        if references:
            append_pieces(self._builder.block("p"), references)

    def _append_notes(self) -> None:
        package = self._deck.package
        part = package.related(self._part, "notesSlide") or ""
        notes = package.xml(part)
        tree = None if notes is None else notes.find(f"{P}cSld/{P}spTree")
        content = BlockBuilder(new_element("div"))
        for shape in () if tree is None else _alternatives(tree):
            placeholder = placeholder_of(shape)
            if placeholder is not None and placeholder.get("type") == "body":
                append_text(shape.find(f"{P}txBody"), content, package.relationships(part))
        if len(content.root):
            self._builder.block("h3").text = "Notes"
            self._builder.root.append(content.root)


def _alternatives(tree: Element) -> Iterator[Element]:
    """Yield the shapes in a tree, and of alternatives the first ones that are shapes."""
    for element in tree:
        if element.tag in _SHAPES:
            yield element
        elif element.tag == f"{MC}AlternateContent":
            choices = ([shape for shape in choice if shape.tag in _SHAPES] for choice in element)
            yield from next(filter(None, choices), [])


def _plain(content: str | HtmlElement) -> str:
    """Return a piece as text: a formula as its source, a line break as a space."""
    return content if isinstance(content, str) else content.get("alttext") or " "


def _is_true(text: str | None) -> bool:
    return text in ("1", "true", "on")
