"""The styles part: paragraph, character and table styles of a theme."""

from collections.abc import Iterator

from mediakit.engines.docx_writer.languages import font_for_asia, language_element
from mediakit.engines.docx_writer.looks import ALERT_COLORS, LOOKS, Look
from mediakit.engines.docx_writer.options import DocxOptions
from mediakit.engines.docx_writer.style_elements import (
    QUOTE_INDENT,
    bold,
    fonts,
    shading,
    side_border,
    size,
    spacing,
    style_element,
)
from mediakit.engines.docx_writer.wordml import properties, w
from mediakit.engines.docx_writer.xml_tree import Element

CONTENTS_LEVELS = 3
_CELL_MARGINS = {"top": 50, "left": 110, "bottom": 50, "right": 110}
_TABLE_BORDERS = ("top", "left", "bottom", "right", "insideH", "insideV")


def build_styles(options: DocxOptions) -> Element:
    """Return the root of `word/styles.xml`."""
    look = LOOKS[options.theme]
    return w(
        "styles", _defaults(look, options), *_paragraph_styles(look, options), *_character_styles(look), *_tables(look)
    )


def _defaults(look: Look, options: DocxOptions) -> Element:
    run = properties(
        "w:rPr",
        [
            fonts(look.body_font, font_for_asia(options.lang)),
            w("color", val=look.text),
            *size(look.size),
            language_element(options.lang, rtl=options.rtl),
        ],
    )
    return w(
        "docDefaults",
        w("rPrDefault", run),
        w("pPrDefault", properties("w:pPr", [spacing(0, look.paragraph_gap, look)])),
    )


def _paragraph_styles(look: Look, options: DocxOptions) -> Iterator[Element]:
    direction = [w("bidi")] if options.rtl else []
    yield style_element("paragraph", "Normal", "Normal", priority=0, paragraph=[w("widowControl"), *direction])
    yield from _titles(look)
    yield from _headings(look, options)
    yield from _quotes(look, rtl=options.rtl)
    yield _source_code(look)
    yield from _lists(look)
    yield from _notes_and_footer(look)
    yield from _contents(look)


def _titles(look: Look) -> Iterator[Element]:
    heading = [fonts(look.heading_font), w("color", val=look.heading)]
    yield style_element(
        "paragraph", "Title", "Title", based_on="Normal", following="Normal", priority=10,
        paragraph=[spacing(0, 6), w("contextualSpacing"), w("keepNext")],
        run=[*heading, *bold(), *size(look.title_size)],
    )  # fmt: skip
    yield style_element(
        "paragraph", "Subtitle", "Subtitle", based_on="Normal", following="Normal", priority=11,
        paragraph=[spacing(0, 18)], run=[w("color", val=look.muted), *size(look.size + 1)],
    )  # fmt: skip


def _headings(look: Look, options: DocxOptions) -> Iterator[Element]:
    for level, points in enumerate(look.heading_sizes, 1):
        before = {1: 24, 2: 18, 3: 14}.get(level, 12)
        paragraph = [w("keepNext"), w("keepLines"), spacing(before, 6), w("outlineLvl", val=level - 1)]
        if look.heading_rule and level <= 2:
            paragraph.append(w("pBdr", w("bottom", val="single", sz=6, space=4, color=look.heading_rule)))
        run = [
            fonts(look.heading_font),
            *bold(),
            w("color", val=look.heading if level < 6 else look.muted),
            *size(points),
        ]
        yield style_element(
            "paragraph", f"Heading{level}", f"heading {level}", based_on="Normal", following="Normal", priority=9,
            paragraph=paragraph, run=run,
        )  # fmt: skip
    if options.toc:
        yield style_element(
            "paragraph", "TOCHeading", "TOC Heading", based_on="Normal", following="Normal", priority=39,
            paragraph=[w("keepNext"), spacing(12, 6)],
            run=[fonts(look.heading_font), *bold(), w("color", val=look.heading), *size(look.heading_sizes[1])],
        )  # fmt: skip


def _quotes(look: Look, *, rtl: bool) -> Iterator[Element]:
    yield style_element(
        "paragraph", "Quote", "Quote", based_on="Normal", priority=29,
        paragraph=[side_border(look.accent, rtl=rtl), w("ind", left=QUOTE_INDENT)], run=[w("color", val=look.muted)],
    )  # fmt: skip
    for kind, color in ALERT_COLORS.items():
        yield style_element(
            "paragraph", f"Alert{kind.title()}", f"Alert {kind.title()}", based_on="Normal",
            paragraph=[side_border(color, rtl=rtl), w("ind", left=QUOTE_INDENT)],
        )  # fmt: skip
        yield style_element(
            "paragraph", f"Alert{kind.title()}Title", f"Alert {kind.title()} Title", based_on=f"Alert{kind.title()}",
            following=f"Alert{kind.title()}", paragraph=[w("keepNext"), spacing(0, 3, look)],
            run=[*bold(), w("color", val=color)],
        )  # fmt: skip


def _source_code(look: Look) -> Element:
    sides = [
        w(side, val="single", sz=4, space=space, color=look.code_background)
        for side, space in (("top", 6), ("left", 6), ("bottom", 6), ("right", 6))
    ]
    return style_element(
        "paragraph", "SourceCode", "Source Code", based_on="Normal",
        paragraph=[
            w("pBdr", *sides), shading(look.code_background), _code_spacing(), w("ind", left=140, right=140),
            w("jc", val="left"), w("bidi", val=0), w("wordWrap", val=0),
        ],
        run=[fonts(look.code_font), w("noProof"), *size(look.size - 1.5)],
    )  # fmt: skip


def _code_spacing() -> Element:
    return w("spacing", before=120, after=220, line=252, lineRule="auto")


def _lists(look: Look) -> Iterator[Element]:
    for identifier, name in (("ListBullet", "List Bullet"), ("ListNumber", "List Number")):
        yield style_element("paragraph", identifier, name, based_on="Normal", paragraph=[_item_spacing(look)])
    yield style_element(
        "paragraph", "ListContinue", "List Continue", based_on="Normal", paragraph=[_item_spacing(look)]
    )
    yield style_element(
        "paragraph", "DefinitionTerm", "Definition Term", based_on="Normal", following="Definition",
        paragraph=[w("keepNext"), spacing(4, 0, look)], run=bold(),
    )  # fmt: skip
    yield style_element(
        "paragraph", "Definition", "Definition", based_on="Normal", paragraph=[w("ind", left=360), _item_spacing(look)]
    )
    yield style_element(
        "paragraph", "HorizontalLine", "Horizontal Line", based_on="Normal", following="Normal",
        paragraph=[
            w("pBdr", w("bottom", val="single", sz=6, space=1, color=look.accent)),
            w("spacing", before=0, after=280, line=120, lineRule="exact"),
        ],
    )  # fmt: skip


def _item_spacing(look: Look) -> Element:
    return spacing(0, 3, look)


def _notes_and_footer(look: Look) -> Iterator[Element]:
    yield style_element(
        "paragraph",
        "FootnoteText",
        "footnote text",
        based_on="Normal",
        quick=False,
        paragraph=[spacing(0, 2)],
        run=size(look.size - 1.5),
    )
    yield style_element(
        "paragraph", "Footer", "footer", based_on="Normal", quick=False,
        paragraph=[spacing(0, 0), w("jc", val="center")],
        run=[w("color", val=look.muted), *size(look.size - 1.5)],
    )  # fmt: skip


def _contents(look: Look) -> Iterator[Element]:
    for level in range(1, CONTENTS_LEVELS + 1):
        yield style_element(
            "paragraph", f"TOC{level}", f"toc {level}", based_on="Normal", following="Normal", priority=39, quick=False,
            paragraph=[spacing(0, 3, look), w("ind", left=240 * (level - 1))],
            run=bold() if level == 1 and look.table_header_text == "FFFFFF" else (),
        )  # fmt: skip


def _character_styles(look: Look) -> Iterator[Element]:
    yield style_element("character", "DefaultParagraphFont", "Default Paragraph Font", priority=1, quick=False)
    yield style_element(
        "character", "Hyperlink", "Hyperlink", based_on="DefaultParagraphFont", quick=False,
        run=[w("color", val=look.link), w("u", val="single")],
    )  # fmt: skip
    yield style_element(
        "character", "VerbatimChar", "Verbatim Char", based_on="DefaultParagraphFont",
        run=[fonts(look.code_font), w("noProof"), *size(look.size - 1), shading(look.code_background)],
    )  # fmt: skip
    yield style_element(
        "character", "HTMLKeyboard", "HTML Keyboard", based_on="DefaultParagraphFont", quick=False,
        run=[
            fonts(look.code_font), w("noProof"), *size(look.size - 1.5), shading(look.code_background),
            w("bdr", val="single", sz=4, space=0, color=look.table_border),
        ],
    )  # fmt: skip
    yield style_element(
        "character", "FootnoteReference", "footnote reference", based_on="DefaultParagraphFont", quick=False,
        run=[w("vertAlign", val="superscript")],
    )  # fmt: skip


def _tables(look: Look) -> Iterator[Element]:
    margins = w("tblCellMar", *(w(side, w=width, type="dxa") for side, width in _CELL_MARGINS.items()))
    plain = style_element("table", "TableNormal", "Normal Table", quick=False)
    plain.children.append(properties("w:tblPr", [w("tblInd", w=0, type="dxa"), margins]))
    yield plain
    yield style_element("numbering", "NoList", "No List", quick=False)
    grid = style_element("table", "TableGrid", "Table Grid", based_on="TableNormal", priority=39, quick=False)
    borders = (w(side, val="single", sz=4, space=0, color=look.table_border) for side in _TABLE_BORDERS)
    grid.children.append(properties("w:pPr", [spacing(0, 0, look)]))
    grid.children.append(properties("w:tblPr", [w("tblBorders", *borders)]))
    header = w("tblStylePr", type="firstRow")
    header.children.append(properties("w:rPr", [*bold(), w("color", val=look.table_header_text)]))
    header.children.append(properties("w:tcPr", [shading(look.table_header)]))
    grid.children.append(header)
    yield grid
