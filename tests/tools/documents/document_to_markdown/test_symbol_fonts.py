"""Letters of symbol fonts are the characters that people see."""

import pytest

import mediakit
from tests.tools.documents.document_to_markdown.test_odt import odt, text_style
from tests.tools.documents.document_to_markdown.word_files import docx, paragraph, run

SYMBOLS = [
    ("Wingdings", "J", "☺"),
    ("Wingdings", "\uf0e0", "→"),
    ("Wingdings", "\uf06f", "□"),
    ("Wingdings", "ü", "✓"),
    ("Wingdings", "û", "✗"),
    ("Wingdings 2", "\uf052", "☑"),
    ("Wingdings 2", "P", "✓"),
    ("Wingdings 2", "\uf0a3", "□"),
    ("Wingdings 3", "\uf070", "▲"),
    ("Wingdings 3", "g", "→"),
    ("Webdings", "\uf063", "□"),
    ("Webdings", "Ö", "🌤"),
    ("Symbol", "abc", "αβχ"),
    ("Symbol", "\uf0b3", "≥"),
    ("Symbol", "D", "Δ"),
]
"""A font, what is stored, and what people see."""


def markdown(content: bytes) -> str:
    return mediakit.document_to_markdown(content).content


def fonts(name: str) -> str:
    return f'<w:rFonts w:ascii="{name}" w:hAnsi="{name}"/>'


@pytest.mark.parametrize(("font", "stored", "shown"), SYMBOLS)
def test_text_of_word_in_a_symbol_font_is_symbols(font: str, stored: str, shown: str) -> None:
    assert markdown(docx(paragraph(run("is ") + run(stored, fonts(font)) + run(" a")))) == f"is {shown} a"


@pytest.mark.parametrize(("font", "stored", "shown"), SYMBOLS)
def test_text_of_opendocument_in_a_symbol_font_is_symbols(font: str, stored: str, shown: str) -> None:
    style = text_style("W", f"fo:font-family=\"'{font}'\"")
    content = odt(f'<text:p>is <text:span text:style-name="W">{stored}</text:span> a</text:p>', style)
    assert markdown(content) == f"is {shown} a"


@pytest.mark.parametrize(
    ("font", "code", "shown"),
    [
        ("Wingdings", "F0A8", "◻"),
        ("Wingdings", "FE", "☑"),
        ("Webdings", "F061", "✔"),
        ("Webdings", "F072", "✕"),
        ("Symbol", "F0AE", "→"),
        ("Wingdings 3", "F0C6", "→"),
        ("Segoe UI Symbol", "2714", "✔"),
        ("Unknown Dings", "F041", ""),
        ("Wingdings", "F07Fx", ""),
    ],
)
def test_symbol_of_word_is_its_character(font: str, code: str, shown: str) -> None:
    body = paragraph(run("[") + f'<w:r><w:sym w:font="{font}" w:char="{code}"/></w:r>' + run("]"))
    assert markdown(docx(body)).replace("\\", "") == f"[{shown}]"


def test_symbol_font_of_a_style_counts_until_another_font_is_stated() -> None:
    styles = (
        f'<w:style w:type="character" w:styleId="C"><w:name w:val="Tick"/><w:rPr>{fonts("Wingdings")}</w:rPr></w:style>'
        f'<w:style w:type="paragraph" w:styleId="P"><w:name w:val="Ticks"/><w:rPr>{fonts("Webdings")}</w:rPr></w:style>'
    )
    character = paragraph(run("ü", '<w:rStyle w:val="C"/>') + run("ü", f'<w:rStyle w:val="C"/>{fonts("Arial")}'))
    whole = paragraph(run("a") + run("a", fonts("Calibri")), style="P")
    theme = paragraph(run("a", '<w:rFonts w:asciiTheme="minorHAnsi" w:hAnsiTheme="minorHAnsi"/>'), style="P")
    assert markdown(docx(character + whole + theme, styles=styles)) == "✓ü\n\n✔a\n\na"


def test_characters_that_the_font_does_not_have_stay() -> None:
    assert markdown(docx(paragraph(run("\u4e2d\u20ac\x7f", fonts("Wingdings 2")) + run("x")))) == "\u4e2d\u20ac\x7fx"


def test_font_of_opendocument_is_found_by_its_face_and_inherited() -> None:
    styles = (
        '<style:font-face style:name="F1" svg:font-family="Wingdings"/>'
        + text_style("W", 'style:font-name="F1"')
        + text_style("B", 'fo:font-weight="bold"', parent="W")
        + text_style("N", 'style:font-name="Arial"', parent="W")
        + text_style("P", 'style:font-name="F1"', "paragraph")
    )
    spans = " ".join(f'<text:span text:style-name="{name}">ü</text:span>' for name in "WBN")
    content = odt(f'<text:p>{spans}</text:p><text:p text:style-name="P">ý</text:p>', styles)
    assert markdown(content) == "✓ **✓** ü\n\n☒"
