"""Word documents for tests: made from XML, and read back by python-docx or lxml."""

import io
import zipfile
from collections.abc import Mapping
from typing import Any

from docx import Document
from lxml import etree

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
A = "http://schemas.openxmlformats.org/drawingml/2006/main"

NAMESPACES = " ".join(
    f'xmlns:{prefix}="{uri}"'
    for prefix, uri in {
        "w": W,
        "a": A,
        "r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
        "wp": "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
        "wps": "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
        "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
        "w14": "http://schemas.microsoft.com/office/word/2010/wordml",
        "v": "urn:schemas-microsoft-com:vml",
        "c": "http://schemas.openxmlformats.org/drawingml/2006/chart",
    }.items()
)

MAIN = "application/vnd.openxmlformats-officedocument.wordprocessingml"
CORE_NAMESPACES = (
    'xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" '
    'xmlns:dc="http://purl.org/dc/elements/1.1/"'
)

CORE_RELATIONSHIP = (
    '<Relationship Id="rId2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/'
    'core-properties" Target="docProps/core.xml"/>'
)
RELATIONSHIP = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def p(*runs: str, style: str = "") -> str:
    """Return a paragraph; each run is text, or XML if it begins with `<`."""
    made = "".join(run if run.startswith("<") else r(run) for run in runs)
    properties = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{properties}{made}</w:p>"


def r(text: str, properties: str = "") -> str:
    """Return a run of text."""
    escaped = text.replace("&", "&amp;").replace("<", "&lt;")
    inner = f"<w:rPr>{properties}</w:rPr>" if properties else ""
    return f'<w:r>{inner}<w:t xml:space="preserve">{escaped}</w:t></w:r>'


def table(*rows: list[str]) -> str:
    """Return a table; a cell is the text of its paragraph, or XML."""
    cells = [[cell if cell.startswith("<") else p(cell) for cell in row] for row in rows]
    grid = '<w:gridCol w:w="1000"/>' * max(map(len, rows))
    width = '<w:tcPr><w:tcW w:w="1000" w:type="dxa"/></w:tcPr>'
    body = "".join(f"<w:tr>{''.join(f'<w:tc>{width}{cell}</w:tc>' for cell in row)}</w:tr>" for row in cells)
    return f"<w:tbl><w:tblPr/><w:tblGrid>{grid}</w:tblGrid>{body}</w:tbl>"


def docx(
    body: str,
    parts: Mapping[str, str] | None = None,
    *,
    main_type: str = f"{MAIN}.document.main+xml",
    files: Mapping[str, bytes] | None = None,
    core: str = "",
) -> bytes:
    """Return a Word document.

    Args:
        body: The XML of its paragraphs and tables.
        parts: Inner XML of other parts by name, such as `header1`, `footnotes`, `chart1`.
        main_type: The media type of the main part.
        files: More entries.
        core: XML of the core properties.
    """
    overrides = [("word/document.xml", main_type)]
    relationships = []
    entries: dict[str, str | bytes] = {}
    for number, (name, inner) in enumerate((parts or {}).items(), 1):
        path, media, xml = _part(name, inner)
        entries[path] = xml
        overrides.append((path, media))
        kind = name.rstrip("0123456789")
        target = path.removeprefix("word/")
        relationships.append(f'<Relationship Id="rId{number}" Type="{RELATIONSHIP}/{kind}" Target="{target}"/>')
    if core:
        entries["docProps/core.xml"] = f"<cp:coreProperties {CORE_NAMESPACES}>{core}</cp:coreProperties>"
        overrides.append(("docProps/core.xml", "application/vnd.openxmlformats-package.core-properties+xml"))
    types = "".join(f'<Override PartName="/{path}" ContentType="{media}"/>' for path, media in overrides)
    namespace = "http://schemas.openxmlformats.org/package/2006"
    default = (
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
    )
    entries |= {
        "[Content_Types].xml": f'<Types xmlns="{namespace}/content-types">{default}{types}</Types>',
        "_rels/.rels": f'<Relationships xmlns="{namespace}/relationships"><Relationship Id="rId1" '
        f'Type="{RELATIONSHIP}/officeDocument" Target="word/document.xml"/>{CORE_RELATIONSHIP if core else ""}'
        "</Relationships>",
        "word/_rels/document.xml.rels": f'<Relationships xmlns="{namespace}/relationships">'
        f"{''.join(relationships)}</Relationships>",
        "word/document.xml": f"<w:document {NAMESPACES}><w:body>{body}<w:sectPr/></w:body></w:document>",
        **(files or {}),
    }
    saved = io.BytesIO()
    with zipfile.ZipFile(saved, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return saved.getvalue()


def _part(name: str, inner: str) -> tuple[str, str, str]:
    kind = name.rstrip("0123456789")
    if kind == "chart":
        media = "application/vnd.openxmlformats-officedocument.drawingml.chart+xml"
        return f"word/charts/{name}.xml", media, f"<c:chartSpace {NAMESPACES}>{inner}</c:chartSpace>"
    root = {"header": "hdr", "footer": "ftr"}.get(kind, kind)
    return f"word/{name}.xml", f"{MAIN}.{kind}+xml", f"<w:{root} {NAMESPACES}>{inner}</w:{root}>"


def part(content: bytes, name: str = "word/document.xml") -> etree._Element:
    """Return the root of a part."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return etree.fromstring(archive.read(name))


def texts(content: bytes, name: str = "word/document.xml") -> list[str]:
    """Return the text of each paragraph; a line break is a newline, a tab a tab."""
    found = []
    for paragraph in part(content, name).iter(f"{{{W}}}p", f"{{{A}}}p"):
        characters = {"br": "\n", "tab": "\t"}
        made = []
        for element in paragraph.iter():
            local = etree.QName(element).localname
            made.append((element.text or "") if local == "t" else characters.get(local, ""))
        found.append("".join(made))
    return found


def cells(content: bytes) -> list[list[str]]:
    """Return the text of the cells of all rows, as python-docx reads them."""
    document = Document(io.BytesIO(content))
    return [[cell.text for cell in row.cells] for each in document.tables for row in each.rows]


def run_of(content: bytes, text: str) -> Any:
    """Return the run of python-docx with a text."""
    document = Document(io.BytesIO(content))
    runs = [run for paragraph in document.paragraphs for run in paragraph.runs]
    return next(run for run in runs if run.text == text)
