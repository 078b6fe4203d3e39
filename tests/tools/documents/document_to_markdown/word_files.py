"""Word documents for tests, from the XML of their parts."""

import io
import zipfile
from collections.abc import Mapping

NAMESPACES = " ".join(
    f'xmlns:{prefix}="{address}"'
    for prefix, address in {
        "w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
        "r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
        "m": "http://schemas.openxmlformats.org/officeDocument/2006/math",
        "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
        "wp": "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
        "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
        "v": "urn:schemas-microsoft-com:vml",
        "o": "urn:schemas-microsoft-com:office:office",
        "w14": "http://schemas.microsoft.com/office/word/2010/wordml",
        "c": "http://schemas.openxmlformats.org/drawingml/2006/chart",
        "dgm": "http://schemas.openxmlformats.org/drawingml/2006/diagram",
    }.items()
)
_RELATIONSHIPS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_CONTENT_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override '
    'PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.'
    'document.main+xml"/></Types>'
)


def relationships(entries: Mapping[str, tuple[str, str]]) -> str:
    """Return a relationships part: kind and target by identifier. Targets with a scheme are external."""
    lines = "".join(
        f'<Relationship Id="{identifier}" Type="{_RELATIONSHIPS}/{kind}" Target="{target}"'
        f' TargetMode="{"External" if ":" in target else "Internal"}"/>'
        for identifier, (kind, target) in entries.items()
    )
    return (
        f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{lines}</Relationships>'
    )


def docx(
    body: str,
    *,
    styles: str = "",
    numbering: str = "",
    related: Mapping[str, tuple[str, str]] | None = None,
    parts: Mapping[str, str | bytes] | None = None,
) -> bytes:
    """Return a Word document.

    Args:
        body: The XML of its body.
        styles: The XML of its styles.
        numbering: The XML of its lists.
        related: Further relationships of the text: kind and target by identifier.
        parts: Further parts by name. `{ns}` in text stands for the declarations of all namespaces.
    """
    entries = {"styles": ("styles", "styles.xml"), "numbering": ("numbering", "numbering.xml"), **(related or {})}
    files: dict[str, str | bytes] = {
        "[Content_Types].xml": _CONTENT_TYPES,
        "_rels/.rels": relationships({"main": ("officeDocument", "word/document.xml")}),
        "word/document.xml": f"<w:document {NAMESPACES}><w:body>{body}</w:body></w:document>",
        "word/styles.xml": f"<w:styles {NAMESPACES}>{styles}</w:styles>",
        "word/numbering.xml": f"<w:numbering {NAMESPACES}>{numbering}</w:numbering>",
        "word/_rels/document.xml.rels": relationships(entries),
        **(parts or {}),
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content.replace("{ns}", NAMESPACES) if isinstance(content, str) else content)
    return buffer.getvalue()


def paragraph(content: str, *, style: str = "", properties: str = "") -> str:
    """Return a paragraph of runs, or of a plain text."""
    named = f'<w:pStyle w:val="{style}"/>' if style else ""
    runs = content if content.startswith("<") else run(content)
    return f"<w:p><w:pPr>{named}{properties}</w:pPr>{runs}</w:p>"


def run(text: str, properties: str = "") -> str:
    """Return a run of text."""
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def item(text: str, level: int = 0, number: int = 1) -> str:
    """Return an item of a list."""
    properties = f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>'
    return paragraph(text, properties=properties)


def abstract_list(identifier: int, *formats: str, start: int = 1) -> str:
    """Return an abstract list whose levels have the formats."""
    levels = "".join(
        f'<w:lvl w:ilvl="{index}"><w:start w:val="{start}"/><w:numFmt w:val="{name}"/>'
        f'<w:lvlText w:val="%{index + 1}."/><w:pPr><w:ind w:left="{720 * (index + 1)}"/></w:pPr></w:lvl>'
        for index, name in enumerate(formats)
    )
    return f'<w:abstractNum w:abstractNumId="{identifier}">{levels}</w:abstractNum>'


def numbered_list(identifier: int, abstract: int, overrides: str = "") -> str:
    """Return a list that uses an abstract list."""
    return f'<w:num w:numId="{identifier}"><w:abstractNumId w:val="{abstract}"/>{overrides}</w:num>'
