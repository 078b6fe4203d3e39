"""Write the Word files of the themes of `markdown_convert`: `python docs/word_themes.py`.

Each file has the styles of its theme, the definitions of lists, the settings and the fonts, and no text. It begins as
the empty document of python-docx, from which everything else is removed.
"""

# ruff: noqa: INP001  # a script, not part of a package

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import docx
from docx.opc.constants import CONTENT_TYPE, RELATIONSHIP_TYPE
from docx.opc.oxml import serialize_part_xml
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml.ns import nsdecls
from docx.oxml.parser import parse_xml

from mediakit.engines.docx_writer.blocks import ALERTS
from mediakit.engines.docx_writer.elements import Element, make, w
from mediakit.engines.docx_writer.state import DEFINITIONS, LEVELS, STEP
from mediakit.engines.docx_writer.writer import FOLDER, to_bytes


@dataclass(frozen=True)
class Look:
    """Fonts, sizes in points, and colors as six hexadecimal digits."""

    body_font: str
    heading_font: str
    size: float
    heading_sizes: tuple[float, float, float, float, float, float]
    title_size: float
    line_spacing: float
    """Line height as a multiple of single spacing."""
    paragraph_gap: float
    """Space after a paragraph, in points."""
    text: str
    heading: str
    muted: str
    link: str
    accent: str
    code_background: str
    table_border: str
    table_header: str
    table_header_text: str
    heading_rule: str = ""
    """Color of the line below headings of levels 1 and 2."""
    code_font: str = "Consolas"


LOOKS = {
    "plain": Look(
        body_font="Calibri",
        heading_font="Calibri",
        size=11,
        heading_sizes=(20, 16, 13, 11.5, 11, 11),
        title_size=28,
        line_spacing=1.15,
        paragraph_gap=8,
        text="1F1F1F",
        heading="111111",
        muted="5F6368",
        link="0B57D0",
        accent="9AA0A6",
        code_background="F5F5F5",
        table_border="BDBDBD",
        table_header="F2F2F2",
        table_header_text="111111",
    ),
    "report": Look(
        body_font="Cambria",
        heading_font="Calibri",
        size=11,
        heading_sizes=(22, 16, 13, 11.5, 11, 11),
        title_size=32,
        line_spacing=1.25,
        paragraph_gap=9,
        text="222222",
        heading="17365D",
        muted="5A6675",
        link="1F5FA8",
        accent="1F4E79",
        code_background="F4F6F9",
        table_border="B8C4D3",
        table_header="1F4E79",
        table_header_text="FFFFFF",
    ),
    "github": Look(
        body_font="Segoe UI",
        heading_font="Segoe UI",
        size=10.5,
        heading_sizes=(21, 16, 13, 11, 10.5, 10),
        title_size=26,
        line_spacing=1.2,
        paragraph_gap=9,
        text="1F2328",
        heading="1F2328",
        muted="59636E",
        link="0969DA",
        accent="D1D9E0",
        code_background="F6F8FA",
        table_border="D1D9E0",
        table_header="F6F8FA",
        table_header_text="1F2328",
        heading_rule="D1D9E0",
    ),
}

ALERT_COLORS = dict(zip(ALERTS, ("0969DA", "1A7F37", "8250DF", "9A6700", "CF222E"), strict=True))
ALTERNATIVES = {"Calibri": "Carlito", "Cambria": "Caladea", "Segoe UI": "Helvetica Neue", "Consolas": "Menlo"}
"""Fonts that take the place of missing ones, on systems without Office."""

PROPERTIES = "http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"
CREATED = dt.datetime(2000, 1, 1)  # noqa: DTZ001  # python-docx takes naive UTC
BULLETS = ("•", "◦", "▪")
CODE_INDENT, QUOTE_INDENT, DEFINITION_INDENT = 140, 320, 360
DEFAULTS = ("Normal", "DefaultParagraphFont", "TableNormal", "NoList")
OWN = ("SourceCode", "VerbatimChar", "Definition", "HorizontalLine", "Alert")
"""IDs of styles that Word does not have by itself begin so."""


def main() -> None:
    """Write the files."""
    for name, look in LOOKS.items():
        (FOLDER / f"{name}.docx").write_bytes(theme_file(look))


def theme_file(look: Look) -> bytes:
    """Return the Word file of a theme."""
    document = docx.Document()
    part, package = document.part, document.part.package
    kept = {RELATIONSHIP_TYPE.STYLES, RELATIONSHIP_TYPE.NUMBERING, RELATIONSHIP_TYPE.SETTINGS}
    for owner, kinds in (
        (part, kept),
        (package, {RELATIONSHIP_TYPE.OFFICE_DOCUMENT, RELATIONSHIP_TYPE.CORE_PROPERTIES}),
    ):
        for identifier, relationship in list(owner.rels.items()):
            if relationship.reltype not in kinds:
                del owner.rels[identifier]
    namespaces = nsdecls("w", "r", "m", "wp", "a", "pic", "w14")
    compatible = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" mc:Ignorable="w14"'
    size, margins = w("pgSz", w=11906, h=16838), {"top": 1134, "right": 1134, "bottom": 1134, "left": 1134}
    page = w("sectPr", size, w("pgMar", **margins, header=567, footer=567, gutter=0))
    part._element = parse_xml(f"<w:document {namespaces} {compatible}/>")  # noqa: SLF001  # to declare all namespaces
    part._element.append(w("body", page))  # noqa: SLF001
    for root, children in (
        (part._styles_part.element, styles(look)),  # noqa: SLF001
        (part.numbering_part.element, lists()),
        (document.settings.element, settings()),
    ):
        replace_children(root, children)
    fonts = w("fonts", *(w("font", w("altName", val=other), name=name) for name, other in ALTERNATIVES.items()))
    add_part(part, "/word/fontTable.xml", CONTENT_TYPE.WML_FONT_TABLE, RELATIONSHIP_TYPE.FONT_TABLE, fonts)
    application = f'<Properties xmlns="{PROPERTIES}"><Application>mediakit</Application></Properties>'
    kind = CONTENT_TYPE.OFC_EXTENDED_PROPERTIES, RELATIONSHIP_TYPE.EXTENDED_PROPERTIES
    add_part(package, "/docProps/app.xml", *kind, parse_xml(application))
    replace_children(document.core_properties._element, ())  # noqa: SLF001
    document.core_properties.created = document.core_properties.modified = CREATED
    return to_bytes(document)


def replace_children(root: Any, children: Any) -> None:
    """Replace all children and attributes of an element."""
    root.attrib.clear()
    root[:] = list(children)


def add_part(owner: Any, name: str, content_type: str, relationship: str, root: Any) -> None:
    """Add a part that python-docx does not have."""
    part = Part(PackURI(name), content_type, serialize_part_xml(root))
    owner.relate_to(part, relationship)


# Styles.


def style(
    kind: str,
    identifier: str,
    name: str,
    *properties: Element,
    base: str = "",
    following: str = "",
    priority: int = 99,
    quick: bool = True,
) -> Element:
    """Return a style.

    Args:
        kind: `paragraph`, `character`, `table` or `numbering`.
        identifier: ID that paragraphs and runs refer to.
        name: Name that Word shows. Built-in styles have their names of Word.
        properties: Of paragraphs, runs and tables, in this order.
        base: ID of the style that it is based on.
        following: ID of the style of the next paragraph.
        priority: Position in Word's list of styles.
        quick: Whether it is in the gallery of styles.
    """
    children = [w("name", val=name)]
    children += [w("basedOn", val=base)] if base else []
    children += [w("next", val=following)] if following else []
    children += [w("uiPriority", val=priority)]
    children += [w("qFormat")] if quick else []
    default = {"default": 1} if identifier in DEFAULTS else {}
    own = {"customStyle": 1} if identifier.startswith(OWN) else {}
    return w("style", *children, *properties, type=kind, styleId=identifier, **default, **own)


def paragraph_style(identifier: str, name: str, *properties: Element, **options: Any) -> Element:
    """Return a paragraph style, based on Normal if the options do not say otherwise."""
    return style("paragraph", identifier, name, *properties, **{"base": "Normal", **options})


def run(
    font: str = "",
    points: float = 0,
    color: str = "",
    *,
    bold: bool = False,
    code: bool = False,
    underline: bool = False,
    position: str = "",
    border: str = "",
    shade: str = "",
) -> Element:
    """Return properties of runs, for Latin and for complex scripts, in the order of the schema."""
    found = [w("rFonts", ascii=font, hAnsi=font, cs=font)] if font else []
    found += [w("b"), w("bCs")] if bold else []
    found += [w("noProof")] if code else []
    found += [w("color", val=color)] if color else []
    found += [w("sz", val=round(points * 2)), w("szCs", val=round(points * 2))] if points else []
    found += [w("u", val="single")] if underline else []
    found += [w("bdr", val="single", sz=4, space=0, color=border)] if border else []
    found += [w("shd", val="clear", color="auto", fill=shade)] if shade else []
    found += [w("vertAlign", val=position)] if position else []
    return w("rPr", *found)


def space(before: float, after: float, look: Look | None = None) -> Element:
    """Return the space before and after a paragraph in points, and the line height of a look."""
    line: dict[str, Any] = {"line": round(240 * look.line_spacing), "lineRule": "auto"} if look else {}
    return w("spacing", before=round(before * 20), after=round(after * 20), **line)


def border(color: str, **sides: tuple[int, int]) -> Element:
    """Return lines beside a paragraph: width in eighths of a point, and distance in points, of each side."""
    lines = (w(side, val="single", sz=size, space=gap, color=color) for side, (size, gap) in sides.items())
    return w("pBdr", *lines)


def styles(look: Look) -> Iterator[Element]:
    """Yield the content of the styles part."""
    text = run(look.body_font, look.size, look.text)
    yield w("docDefaults", w("rPrDefault", text), w("pPrDefault", w("pPr", space(0, look.paragraph_gap, look))))
    yield style("paragraph", "Normal", "Normal", w("pPr", w("widowControl")), priority=0)
    yield from titles(look)
    yield from quotes(look)
    yield from code_and_lists(look)
    yield from notes_and_contents(look)
    yield from character_styles(look)
    yield from table_styles(look)
    yield style("numbering", "NoList", "No List", quick=False)


def titles(look: Look) -> Iterator[Element]:
    """Yield the styles of the title, the byline and the headings."""
    yield paragraph_style(
        "Title", "Title",
        w("pPr", w("keepNext"), space(0, 6), w("contextualSpacing")),
        run(look.heading_font, look.title_size, look.heading, bold=True),
        following="Normal", priority=10,
    )  # fmt: skip
    byline = w("pPr", space(0, 18)), run(points=look.size + 1, color=look.muted)
    yield paragraph_style("Subtitle", "Subtitle", *byline, following="Normal", priority=11)
    for level, points in enumerate(look.heading_sizes, 1):
        before = {1: 24, 2: 18, 3: 14}.get(level, 12)
        rule = [border(look.heading_rule, bottom=(6, 4))] if look.heading_rule and level <= 2 else []
        yield paragraph_style(
            f"Heading{level}", f"heading {level}",
            w("pPr", w("keepNext"), w("keepLines"), *rule, space(before, 6), w("outlineLvl", val=level - 1)),
            run(look.heading_font, points, look.heading if level < 6 else look.muted, bold=True),
            following="Normal", priority=9,
        )  # fmt: skip
    yield paragraph_style(
        "TOCHeading", "TOC Heading",
        w("pPr", w("keepNext"), space(12, 6)),
        run(look.heading_font, look.heading_sizes[1], look.heading, bold=True),
        following="Normal", priority=39,
    )  # fmt: skip


def quotes(look: Look) -> Iterator[Element]:
    """Yield the styles of block quotes and alerts, with a bar at their left side."""
    indent = w("ind", left=QUOTE_INDENT)
    bar = border(look.accent, left=(24, 10))
    yield paragraph_style("Quote", "Quote", w("pPr", bar, indent), run(color=look.muted), priority=29)
    for kind, color in ALERT_COLORS.items():
        name, label = f"Alert{kind.title()}", f"Alert {kind.title()}"
        yield paragraph_style(name, label, w("pPr", border(color, left=(24, 10)), w("ind", left=QUOTE_INDENT)))
        title = w("pPr", w("keepNext"), space(0, 3, look)), run(color=color, bold=True)
        yield paragraph_style(f"{name}Title", f"{label} Title", *title, base=name, following=name)


def code_and_lists(look: Look) -> Iterator[Element]:
    """Yield the styles of code blocks, lists, definitions and horizontal lines."""
    edge = border(look.code_background, top=(4, 6), left=(4, 6), bottom=(4, 6), right=(4, 6))
    yield paragraph_style(
        "SourceCode", "Source Code",
        w(
            "pPr", edge, w("shd", val="clear", color="auto", fill=look.code_background), w("wordWrap", val=0),
            w("bidi", val=0), w("spacing", before=120, after=220, line=252, lineRule="auto"),
            w("ind", left=CODE_INDENT, right=CODE_INDENT), w("jc", val="left"),
        ),
        run(look.code_font, look.size - 1.5, code=True),
    )  # fmt: skip
    for name in ("List Bullet", "List Number", "List Continue"):
        yield paragraph_style(name.replace(" ", ""), name, w("pPr", space(0, 3, look)))
    term = w("pPr", w("keepNext"), space(4, 0, look)), run(bold=True)
    yield paragraph_style("DefinitionTerm", "Definition Term", *term, following="Definition")
    yield paragraph_style("Definition", "Definition", w("pPr", space(0, 3, look), w("ind", left=DEFINITION_INDENT)))
    thin = w("spacing", before=0, after=280, line=120, lineRule="exact")
    line = w("pPr", border(look.accent, bottom=(6, 1)), thin)
    yield paragraph_style("HorizontalLine", "Horizontal Line", line, following="Normal")


def notes_and_contents(look: Look) -> Iterator[Element]:
    """Yield the styles of footnotes, the footer and the contents."""
    small = look.size - 1.5
    yield paragraph_style("FootnoteText", "footnote text", w("pPr", space(0, 2)), run(points=small), quick=False)
    footer = w("pPr", space(0, 0), w("jc", val="center")), run(points=small, color=look.muted)
    yield paragraph_style("Footer", "footer", *footer, quick=False)
    for level in (1, 2, 3):
        is_bold = level == 1 and look.table_header_text == "FFFFFF"
        properties = [w("pPr", space(0, 3, look), w("ind", left=240 * (level - 1)))]
        properties += [run(bold=True)] if is_bold else []
        yield paragraph_style(f"TOC{level}", f"toc {level}", *properties, following="Normal", priority=39, quick=False)


def character_styles(look: Look) -> Iterator[Element]:
    """Yield the styles of links, code in text, keys and marks of footnotes."""
    base = "DefaultParagraphFont"
    yield style("character", base, "Default Paragraph Font", priority=1, quick=False)
    link = run(color=look.link, underline=True)
    yield style("character", "Hyperlink", "Hyperlink", link, base=base, quick=False)
    code = run(look.code_font, look.size - 1, code=True, shade=look.code_background)
    yield style("character", "VerbatimChar", "Verbatim Char", code, base=base)
    key = run(look.code_font, look.size - 1.5, code=True, border=look.table_border, shade=look.code_background)
    yield style("character", "HTMLKeyboard", "HTML Keyboard", key, base=base, quick=False)
    mark = run(position="superscript")
    yield style("character", "FootnoteReference", "footnote reference", mark, base=base, quick=False)


def table_styles(look: Look) -> Iterator[Element]:
    """Yield the styles of tables."""
    widths = {"top": 50, "left": 110, "bottom": 50, "right": 110}
    margins = w("tblCellMar", *(w(side, w=width, type="dxa") for side, width in widths.items()))
    plain = w("tblPr", w("tblInd", w=0, type="dxa"), margins)
    yield style("table", "TableNormal", "Normal Table", plain, quick=False)
    sides = ("top", "left", "bottom", "right", "insideH", "insideV")
    lines = w("tblBorders", *(w(side, val="single", sz=4, space=0, color=look.table_border) for side in sides))
    shade = w("tcPr", w("shd", val="clear", color="auto", fill=look.table_header))
    header = w("tblStylePr", run(color=look.table_header_text, bold=True), shade, type="firstRow")
    grid = w("pPr", space(0, 0, look)), w("tblPr", lines), header
    yield style("table", "TableGrid", "Table Grid", *grid, base="TableNormal", priority=39, quick=False)


# Lists and settings.


def lists() -> Iterator[Element]:
    """Yield the definitions of lists. Task lists have check boxes in place of bullets."""
    for identifier, kind in enumerate(DEFINITIONS):
        levels = []
        for level in range(LEVELS):
            texts = {"bullet": BULLETS[level % len(BULLETS)], "task": ""}
            form = "bullet" if kind in texts else kind
            font = [w("rPr", w("rFonts", ascii="Arial", hAnsi="Arial", cs="Arial"))] if kind in texts else []
            levels.append(w(
                "lvl", w("start", val=1), w("numFmt", val=form), w("suff", val="nothing" if kind == "task" else "tab"),
                w("lvlText", val=texts.get(kind, f"%{level + 1}.")), w("lvlJc", val="left"),
                w("pPr", w("ind", left=STEP * (level + 1), hanging=STEP)), *font, ilvl=level,
            ))  # fmt: skip
        number = w("nsid", val=f"{0x4D4B0000 + identifier:08X}"), w("multiLevelType", val="hybridMultilevel")
        yield w("abstractNum", *number, *levels, abstractNumId=identifier)


def settings() -> Iterator[Element]:
    """Yield the content of the settings part, for Word 2013 and later."""
    values: Mapping[str, int] = {
        "compatibilityMode": 15,
        "overrideTableStyleFontSizeAndJustification": 1,
        "enableOpenTypeFeatures": 1,
        "doNotFlipMirrorIndents": 1,
        "differentiateMultirowTableHeaders": 1,
    }
    uri = "http://schemas.microsoft.com/office/word"
    yield w("zoom", percent=100)
    yield w("defaultTabStop", val=720)
    yield w("characterSpacingControl", val="doNotCompress")
    yield w("footnotePr", *(w("footnote", id=identifier) for identifier in (-1, 0)))
    yield w("compat", *(w("compatSetting", name=name, uri=uri, val=value) for name, value in values.items()))
    yield make("m:mathPr", None, make("m:mathFont", {"m:val": "Cambria Math"}))
    yield w("decimalSymbol", val=".")
    yield w("listSeparator", val=",")


if __name__ == "__main__":
    main()
