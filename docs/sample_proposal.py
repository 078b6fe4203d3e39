"""Write the sample template `mediakit.samples.PROPOSAL`: `python docs/sample_proposal.py`."""

# ruff: noqa: INP001  # a script, not part of a package

import datetime as dt
import io
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from docx import Document
from docx.enum.table import WD_TABLE_ALIGNMENT
from docx.enum.text import WD_ALIGN_PARAGRAPH, WD_TAB_ALIGNMENT
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Mm, Pt, RGBColor

INK, MUTED, ACCENT = RGBColor(0x1C, 0x23, 0x33), RGBColor(0x6B, 0x72, 0x80), RGBColor(0x24, 0x5C, 0x55)
WASH, LINE = "EAF2F0", "C9D6D3"
FONT = "Calibri"
TEXT_WIDTH = Mm(160)
COLUMNS = (Mm(86), Mm(20), Mm(26), Mm(32))


def main() -> None:
    """Write the template to `mediakit/samples/proposal.docx`."""
    document = Document()
    _prepare(document)
    _header(document.sections[0])
    _opening(document)
    _items(document)
    _closing(document)
    _footer(document.sections[0])
    target = Path(__file__).parents[1] / "mediakit" / "samples" / "proposal.docx"
    target.write_bytes(_fixed(document))


def _prepare(document: Any) -> None:
    section = document.sections[0]
    section.page_width, section.page_height = Mm(210), Mm(297)
    section.left_margin = section.right_margin = Mm(25)
    section.top_margin, section.bottom_margin = Mm(34), Mm(28)
    section.header_distance, section.footer_distance = Mm(15), Mm(13)
    normal = document.styles["Normal"]
    normal.font.name, normal.font.size, normal.font.color.rgb = FONT, Pt(11), INK
    normal.element.rPr.rFonts.set(qn("w:eastAsia"), FONT)
    normal.paragraph_format.space_after, normal.paragraph_format.line_spacing = Pt(6), 1.15
    for name, size, color, before in (("Title", 27, INK, 2), ("Heading 1", 14, ACCENT, 16)):
        style = document.styles[name]
        style.font.name, style.font.size, style.font.bold, style.font.color.rgb = FONT, Pt(size), True, color
        fonts = style.element.rPr.rFonts
        for theme in ("asciiTheme", "hAnsiTheme", "eastAsiaTheme", "cstheme"):
            fonts.attrib.pop(qn(f"w:{theme}"), None)
        style.paragraph_format.space_before, style.paragraph_format.space_after = Pt(before), Pt(4)
        for border in style.element.findall(f".//{qn('w:pBdr')}"):
            border.getparent().remove(border)
    properties = document.core_properties
    properties.title, properties.author, properties.comments = "{{ title }}", "{{ studio.name }}", ""
    properties.created = properties.modified = dt.datetime(2026, 1, 1)  # noqa: DTZ001  # python-docx takes naive UTC


def _header(section: Any) -> None:
    paragraph = section.header.paragraphs[0]
    _tabs(paragraph)
    _add(paragraph, "{{ studio.name }}", size=13, bold=True, color=ACCENT)
    _add(paragraph, "\tProposal {{ number }}", size=10, color=MUTED)
    _border(paragraph, "bottom")


def _opening(document: Any) -> None:
    document.add_paragraph("{{ title }}", style="Title")
    line = document.add_paragraph()
    _add(line, "For {{ client.name }}, {{ client.company }}", color=MUTED)
    _add(line, " · {{ date | date('%-d %B %Y') }}", color=MUTED)
    line.paragraph_format.space_after = Pt(14)
    document.add_paragraph("Dear {{ client.name }},")
    document.add_paragraph("{{ intro }}")


def _items(document: Any) -> None:
    document.add_paragraph("What it costs", style="Heading 1")
    table = document.add_table(rows=3, cols=4)
    table.alignment, table.autofit = WD_TABLE_ALIGNMENT.LEFT, False
    texts = (
        ("Work", "Hours", "Rate", "Amount"),
        (
            "{% for item in items %}{{ item.work }}",
            "{{ item.hours }}",
            "€ {{ item.rate | number(2) }}",
            "€ {{ item.amount | number(2) }}{% endfor %}",
        ),
        ("Total without VAT", "", "", "€ {{ total | number(2) }}"),
    )
    for number, (row, cells) in enumerate(zip(table.rows, texts, strict=True)):
        for position, (cell, text) in enumerate(zip(row.cells, cells, strict=True)):
            cell.width = COLUMNS[position]
            paragraph = cell.paragraphs[0]
            paragraph.paragraph_format.space_before = paragraph.paragraph_format.space_after = Pt(4)
            paragraph.alignment = WD_ALIGN_PARAGRAPH.RIGHT if position else WD_ALIGN_PARAGRAPH.LEFT
            _add(paragraph, text, bold=number != 1, color=ACCENT if number == 0 else INK)
            _decorate(cell, fill=WASH if number == 2 else "")
    for column, width in zip(table.columns, COLUMNS, strict=True):
        column.width = width


def _closing(document: Any) -> None:
    document.add_paragraph("{% if discount %}")
    note = document.add_paragraph()
    note.paragraph_format.space_before = Pt(8)
    _add(
        note,
        "The total includes a discount of {{ discount }} %, because the work falls into spring.",
        italic=True,
        color=MUTED,
    )
    document.add_paragraph("{% endif %}")
    document.add_paragraph("How we work", style="Heading 1")
    document.add_paragraph("{% for step in steps %}")
    step = document.add_paragraph()
    step.paragraph_format.left_indent, step.paragraph_format.first_line_indent = Mm(8), Mm(-8)
    step.paragraph_format.tab_stops.add_tab_stop(Mm(8))
    _add(step, "{{ loop.index }}.", bold=True, color=ACCENT)
    _add(step, "\t{{ step }}")
    document.add_paragraph("{% endfor %}")
    document.add_paragraph("Next step", style="Heading 1")
    document.add_paragraph(
        "This offer is valid until {{ valid_until | date('%-d %B %Y') }}. "
        "{% if client.is_new %}We start with a free workshop. {% else %}We start as usual. {% endif %}"
        "Answer to {{ studio.email }}, or write to us: {{ website }}."
    )
    document.add_paragraph("Kind regards,").paragraph_format.space_before = Pt(10)
    name = document.add_paragraph()
    _add(name, "{{ studio.contact }}", bold=True)


def _footer(section: Any) -> None:
    paragraph = section.footer.paragraphs[0]
    _tabs(paragraph)
    _border(paragraph, "top")
    _add(paragraph, "{{ studio.name }} · {{ studio.address }}\t", size=9, color=MUTED)
    run = _add(paragraph, "", size=9, color=MUTED)
    for kind, text in (("begin", ""), ("", "PAGE"), ("end", "")):
        element = OxmlElement("w:fldChar" if kind else "w:instrText")
        if kind:
            element.set(qn("w:fldCharType"), kind)
        else:
            element.text = text
        run._r.append(element)  # noqa: SLF001  # python-docx has no fields


def _tabs(paragraph: Any) -> None:
    paragraph.style = "Normal"  # the styles of headers and footers have tabs of their own
    paragraph.paragraph_format.tab_stops.add_tab_stop(TEXT_WIDTH, WD_TAB_ALIGNMENT.RIGHT)


def _add(
    paragraph: Any, text: str, *, size: float = 0, bold: bool = False, italic: bool = False, color: RGBColor = INK
) -> Any:
    run = paragraph.add_run(text)
    run.bold, run.italic, run.font.color.rgb = bold or None, italic or None, color
    if size:
        run.font.size = Pt(size)
    return run


def _border(paragraph: Any, side: str) -> None:
    borders = OxmlElement("w:pBdr")
    line = OxmlElement(f"w:{side}")
    for name, value in (("val", "single"), ("sz", "6"), ("space", "6"), ("color", LINE)):
        line.set(qn(f"w:{name}"), value)
    borders.append(line)
    paragraph._p.get_or_add_pPr().insert_element_before(  # noqa: SLF001  # python-docx has no borders
        borders, "w:shd", "w:tabs", "w:suppressAutoHyphens", "w:spacing", "w:ind", "w:jc", "w:rPr", "w:sectPr"
    )


def _decorate(cell: Any, *, fill: str) -> None:
    properties = cell._tc.get_or_add_tcPr()  # noqa: SLF001  # python-docx has no borders
    borders = OxmlElement("w:tcBorders")
    line = OxmlElement("w:bottom")
    for name, value in (("val", "single"), ("sz", "6"), ("space", "0"), ("color", LINE)):
        line.set(qn(f"w:{name}"), value)
    borders.append(line)
    properties.append(borders)
    if fill:
        shading = OxmlElement("w:shd")
        for name, value in (("val", "clear"), ("color", "auto"), ("fill", fill)):
            shading.set(qn(f"w:{name}"), value)
        properties.append(shading)


def _fixed(document: Any) -> bytes:
    """Return the document with fixed dates, so that it has the same bytes each time, and without a thumbnail."""
    saved, target = io.BytesIO(), io.BytesIO()
    document.save(saved)
    with ZipFile(saved) as source, ZipFile(target, "w", ZIP_DEFLATED) as archive:
        for name in source.namelist():
            if "thumbnail" in name:
                continue
            content = source.read(name)
            if name == "_rels/.rels":
                content = (
                    b"".join(part + b"/>" for part in content.split(b"/>")[:-1] if b"thumbnail" not in part)
                    + content.split(b"/>")[-1]
                )
            entry = ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = ZIP_DEFLATED
            archive.writestr(entry, content)
    return target.getvalue()


if __name__ == "__main__":
    main()
