"""Checks that a Word document follows the rules without which Word reports it as damaged (ECMA-376)."""

import io
import re
import zipfile
from collections import Counter
from collections.abc import Iterator
from posixpath import dirname, join, normpath
from urllib.parse import urlsplit

from lxml import etree

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
WP = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
W14 = "{http://schemas.microsoft.com/office/word/2010/wordml}"

# Only the elements that documents of this project can have, in the order of the schema.
ORDERS = {
    f"{W}pPr": "pStyle keepNext keepLines pageBreakBefore widowControl numPr pBdr shd tabs wordWrap bidi spacing ind "
    "contextualSpacing jc outlineLvl rPr sectPr",
    f"{W}rPr": "rStyle rFonts b bCs i iCs strike noProof color sz szCs highlight u bdr shd vertAlign rtl lang",
    f"{W}tblPr": "tblStyle bidiVisual tblW jc tblInd tblBorders tblLayout tblCellMar tblLook",
    f"{W}tcPr": "tcW gridSpan vMerge shd vAlign",
    f"{W}sectPr": "footerReference pgSz pgMar bidi",
    f"{W}tbl": "tblPr tblGrid tr",
    f"{W}tc": "tcPr *",
    f"{W}tr": "trPr tc",
    f"{W}lvl": "start numFmt pStyle suff lvlText lvlJc pPr rPr",
    f"{W}abstractNum": "nsid multiLevelType lvl",
    f"{W}numbering": "abstractNum num",
    f"{W}num": "abstractNumId lvlOverride",
    f"{W}numPr": "ilvl numId",
    f"{W}style": "name basedOn next uiPriority qFormat pPr rPr tblPr tblStylePr",
    f"{W}tblStylePr": "pPr rPr tcPr",
    f"{W}pBdr": "top left bottom right",
    f"{W}tblBorders": "top left bottom right insideH insideV",
    f"{W}tblCellMar": "top left bottom right",
    f"{W}styles": "docDefaults style",
    f"{W}settings": "zoom defaultTabStop characterSpacingControl footnotePr compat mathPr themeFontLang decimalSymbol "
    "listSeparator",
    f"{W}sdt": "sdtPr sdtContent",
    f"{WP}inline": "extent docPr cNvGraphicFramePr graphic",
    f"{W14}checkbox": "checked checkedState uncheckedState",
    f"{M}r": "rPr rPr t",
    f"{M}f": "fPr num den",
    f"{M}nary": "naryPr sub sup e",
    f"{M}naryPr": "chr limLoc subHide supHide",
    f"{M}d": "dPr e",
    f"{M}dPr": "begChr sepChr endChr",
    f"{M}rad": "radPr deg e",
    f"{M}sSubSup": "e sub sup",
    f"{M}func": "fName e",
    f"{M}m": "mPr mr",
    f"{M}groupChrPr": "chr pos vertJc",
}


class DocxFile:
    """The parts of a document."""

    def __init__(self, content: bytes) -> None:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            self.parts = {name: archive.read(name) for name in archive.namelist()}
        self.xml = {
            name: etree.fromstring(part) for name, part in self.parts.items() if name.endswith((".xml", ".rels"))
        }

    @property
    def body(self) -> etree._Element:
        """The root of the document part."""
        return self.xml["word/document.xml"]

    def relationships(self, part: str) -> dict[str, tuple[str, bool]]:
        """Return target and externality of a part's relationships."""
        folder, _, name = part.rpartition("/")
        root = self.xml.get(f"{folder}/_rels/{name}.rels".lstrip("/"))
        found = root if root is not None else ()
        return {str(each.get("Id")): (str(each.get("Target")), each.get("TargetMode") == "External") for each in found}


def problems(content: bytes) -> list[str]:
    """Return what is wrong with a document."""
    document = DocxFile(content)
    checks = (_content_types, _relationships, _order, _identifiers, _references, _tables, _stories)
    return [problem for check in checks for problem in check(document)]


def _content_types(document: DocxFile) -> Iterator[str]:
    root = document.xml["[Content_Types].xml"]
    defaults = {each.get("Extension") for each in root if str(each.tag).endswith("Default")}
    overrides = {each.get("PartName") for each in root if str(each.tag).endswith("Override")}
    for name in document.parts:
        known = f"/{name}" in overrides or (name.rpartition(".")[2] in defaults and not name.endswith(".xml"))
        if not known and name != "[Content_Types].xml":
            yield f"{name} has no content type"
    yield from (f"{part} is not there" for part in overrides if str(part).lstrip("/") not in document.parts)


def _relationships(document: DocxFile) -> Iterator[str]:
    for name, root in document.xml.items():
        targets = document.relationships(name)
        for target, external in targets.values():
            if external and not _is_address(target):
                yield f"{name} has the address {target!r}"
            if not external and normpath(join(dirname(name), target)) not in document.parts:
                yield f"{name} refers to {target}, which is not there"
        for element in root.iter():
            for key, value in element.attrib.items():
                if str(key).startswith(R) and value not in targets:
                    yield f"{name} uses the relationship {value}, which is not there"


def _is_address(target: str) -> bool:
    parts = urlsplit(target)
    has_content = bool(parts.scheme or parts.path or parts.query)
    return target.isascii() and " " not in target and len(target) <= 2083 and has_content


def _order(document: DocxFile) -> Iterator[str]:
    for name, root in document.xml.items():
        for element in root.iter(*ORDERS):
            order = ORDERS[str(element.tag)].split()
            names = [etree.QName(child).localname for child in element]
            if "*" in order:
                names = [each for each in names if each in order]
            unknown = [each for each in names if each not in order]
            if unknown:
                yield f"{name}: {element.tag!r} has {unknown}"
                continue
            positions = [order.index(each) for each in names]
            if positions != sorted(positions):
                yield f"{name}: {element.tag!r} has the order {names}"
            if str(element.tag).endswith("Pr") and len(set(names)) != len(names):
                yield f"{name}: {element.tag!r} repeats {names}"


def _identifiers(document: DocxFile) -> Iterator[str]:
    body, notes = document.body, document.xml["word/footnotes.xml"]
    both = [*body.iter(), *notes.iter()]
    groups: dict[str, list[str]] = {
        "bookmark": [str(each.get(f"{W}id")) for each in both if each.tag == f"{W}bookmarkStart"],
        "bookmark name": [str(each.get(f"{W}name")).lower() for each in both if each.tag == f"{W}bookmarkStart"],
        "image": [str(each.get("id")) for each in both if each.tag == f"{WP}docPr"],
        "control": [str(each.get(f"{W}val")) for each in both if each.tag == f"{W}id"],
        "footnote": [str(each.get(f"{W}id")) for each in notes],
        "footnote mark": [str(each.get(f"{W}id")) for each in body.iter(f"{W}footnoteReference")],
        "style": [str(each.get(f"{W}styleId")) for each in document.xml["word/styles.xml"].iter(f"{W}style")],
    }
    for kind, values in groups.items():
        yield from (f"{kind} {value} occurs {count} times" for value, count in Counter(values).items() if count > 1)
    ends = Counter(str(each.get(f"{W}id")) for each in both if each.tag == f"{W}bookmarkEnd")
    if ends != Counter(groups["bookmark"]):
        yield "bookmarks do not end"
    for name in groups["bookmark name"]:
        if not re.fullmatch(r"[^\W\d][\w]{0,39}", name):
            yield f"{name} is not a valid name of a bookmark"


def _references(document: DocxFile) -> Iterator[str]:
    styles = {each.get(f"{W}styleId") for each in document.xml["word/styles.xml"].iter(f"{W}style")}
    numbers = {each.get(f"{W}numId") for each in document.xml["word/numbering.xml"].iter(f"{W}num")} | {"0"}
    notes = {each.get(f"{W}id") for each in document.xml["word/footnotes.xml"]}
    marks = {each.get(f"{W}name") for each in document.body.iter(f"{W}bookmarkStart")}
    for root in document.xml.values():
        for tag in ("pStyle", "rStyle", "tblStyle", "basedOn", "next"):
            yield from (
                f"there is no style {each.get(f'{W}val')}"
                for each in root.iter(f"{W}{tag}")
                if each.get(f"{W}val") not in styles
            )
        yield from (
            f"there is no numbering {each.get(f'{W}val')}"
            for each in root.iter(f"{W}numId")
            if each.get(f"{W}val") not in numbers
        )
    yield from (
        f"there is no footnote {each.get(f'{W}id')}"
        for each in document.body.iter(f"{W}footnoteReference")
        if each.get(f"{W}id") not in notes
    )
    yield from (
        f"there is no bookmark {each.get(f'{W}anchor')}"
        for each in document.body.iter(f"{W}hyperlink")
        if each.get(f"{W}anchor") is not None and each.get(f"{W}anchor") not in marks
    )


def _tables(document: DocxFile) -> Iterator[str]:
    for root in document.xml.values():
        for table in root.iter(f"{W}tbl"):
            columns = len(table.findall(f"{W}tblGrid/{W}gridCol"))
            for row in table.findall(f"{W}tr"):
                spans = [cell.find(f"{W}tcPr/{W}gridSpan") for cell in row.findall(f"{W}tc")]
                width = sum(1 if span is None else int(str(span.get(f"{W}val"))) for span in spans)
                if width != columns:
                    yield f"a row has {width} of {columns} columns"
        yield from ("a cell does not end with a paragraph" for cell in root.iter(f"{W}tc") if cell[-1].tag != f"{W}p")


def _stories(document: DocxFile) -> Iterator[str]:
    body = document.body[0]
    if body[-1].tag != f"{W}sectPr":
        yield "the section is not the last element of the body"
    for name in ("word/document.xml", "word/footnotes.xml"):
        root = document.xml[name]
        for paragraph in root.iter(f"{W}p"):
            if next(paragraph.iterancestors(f"{W}p"), None) is not None:
                yield f"{name}: a paragraph is inside of a paragraph"
        for link in root.iter(f"{W}hyperlink"):
            if next(link.iterancestors(f"{W}hyperlink"), None) is not None:
                yield f"{name}: a link is inside of a link"
        kinds = Counter(each.get(f"{W}fldCharType") for each in root.iter(f"{W}fldChar"))
        if len(set(kinds.values())) > 1:
            yield f"{name}: fields do not end: {kinds}"
        allowed = {f"{W}p", f"{W}tbl", f"{W}sdt", f"{W}sectPr"}
        blocks = root[0] if name == "word/document.xml" else [block for note in root for block in note]
        yield from (f"{name}: {each.tag!r} is not a block" for each in blocks if each.tag not in allowed)
