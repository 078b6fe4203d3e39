"""Lines that MuPDF drew are extracted as they were written, by other readers."""

import pikepdf
import pytest
from pikepdf import Dictionary, Name

from mediakit.engines.pdf.shaped_text import glyph_texts


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (b"<0001> <0041>", "A"),
        (b"<0001> <1f600>", "\U0001f600"),
        (b"<0001> <d83dde00>", "\U0001f600"),
        (b"<01> <41>", "A"),
        (b"<0001> <0066 0066 00>", "ff"),
    ],
)
def test_map_of_glyphs_holds_characters_of_all_planes(line: bytes, text: str) -> None:
    with pikepdf.new() as pdf:
        codes = pdf.make_stream(b"1 beginbfchar\n" + line + b"\nendbfchar\n")
        assert glyph_texts(Dictionary(Type=Name.Font, ToUnicode=codes)) == {1: text}
