"""Fonts of fields: their style, their encoding and their widths."""

from typing import Any

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name

from mediakit.engines.pdf.forms.fonts import own_face, style_of
from mediakit.engines.pdf.forms.text_layout import parse_default_appearance


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("/Helv", "Helvetica"),
        ("/HeBo", "Helvetica-Bold"),
        ("/HeBO", "Helvetica-BoldOblique"),
        ("/TiRo", "Times-Roman"),
        ("/TiBo", "Times-Bold"),
        ("/TiIt", "Times-Italic"),
        ("/CoOb", "Courier-Oblique"),
        ("/ArialMT", "Helvetica"),
        ("/TimesNewRomanPS-BoldItalicMT", "Times-BoldItalic"),
        ("/ABCDEF+LiberationSerif", "Times-Roman"),
        ("/NotoSansSerifless", "Helvetica"),
        ("/DejaVuSansMono-Bold", "Courier-Bold"),
    ],
)
def test_style_follows_from_the_name_of_the_font(name: str, expected: str) -> None:
    font = Dictionary(Type=Name.Font, Subtype=Name.TrueType, BaseFont=Name(name))
    assert style_of("/F1", font).base_font == expected
    assert style_of(name, None).base_font == expected or "+" in name


@pytest.mark.parametrize(
    ("content", "font", "size", "color"),
    [
        (b"/Helv 12 Tf 0 g", "/Helv", 12, "0 g"),
        (b"0.1 0.2 .3 rg /F#31 0 Tf", "/F1", 0, "0.1 0.2 .3 rg"),
        (b"0 0 0 1 k/TiRo 9.5 Tf", "/TiRo", 9.5, "0 0 0 1 k"),
        (b"", "", 0, "0 g"),
        (b"/Helv -5 Tf x y rg", "/Helv", 0, "0 g"),
        (b"(/Evil 9 Tf) Tj /Helv 8 Tf", "/Helv", 8, "0 g"),
    ],
)
def test_default_appearance_is_read(content: bytes, font: str, size: float, color: str) -> None:
    look = parse_default_appearance(content)
    assert (look.font, look.size, look.color) == (font, size, color)


def simple_font(encoding: object, **entries: Any) -> pikepdf.Object:
    return Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica, Encoding=encoding, **entries)


def drawn(font: pikepdf.Object, text: str) -> str:
    face = own_face("/F", font)
    assert face is not None
    return face.draw(text, 10, 0, 0, Dictionary())


def test_encoding_with_differences_chooses_the_codes() -> None:
    differences = Dictionary(Differences=Array([65, Name.eacute, Name.B, 160, Name.Euro]))
    assert "<4142a0> Tj" in drawn(simple_font(differences), "éB€")


@pytest.mark.parametrize(("encoding", "code"), [("/WinAnsiEncoding", 0xE9), ("/MacRomanEncoding", 0x8E)])
def test_named_encodings_have_their_codes(encoding: str, code: int) -> None:
    assert f"<{code:02x}> Tj" in drawn(simple_font(Name(encoding)), "é")


def test_standard_font_has_its_widths() -> None:
    face = own_face("/F", simple_font(Name.WinAnsiEncoding))
    assert face is not None
    assert round(face.width("Wi"), 3) == round(0.944 + 0.222, 3)


def test_character_without_width_cannot_be_drawn() -> None:
    face = own_face("/F", simple_font(Name.WinAnsiEncoding, FirstChar=65, Widths=Array([600, 0])))
    assert face is not None
    assert (face.can_draw("A"), face.can_draw("B"), face.can_draw("C")) == (True, False, False)
