"""PDFs whose names are not UTF-8: older programs wrote those of fonts, resources, states and tags in Latin-1."""

from collections.abc import Callable
from typing import Any

import pytest

import mediakit

CONTENT = (
    b"/Sm#e4th<</MCID 0>>BDC BT /G#e4 gs /F#e4 14 Tf 20 100 Td (Smith wrote) Tj ET EMC /OC /P#e4 BDC /X#e4 Do EMC "
    b"0 0 50 50 re f"
)
OBJECTS = [
    (
        b"<</Type/Catalog/Pages 2 0 R/Dests<</Sm#e4th[3 0 R /Fit]>>/Lang(\xfe\xff\xd8)/StructTreeRoot 8 0 R"
        b"/MarkInfo<</Marked true>>/AcroForm<</Fields[5 0 R 9 0 R]/DA(/F#e4 12 Tf 0 g)/DR<</Font<</F#e4 7 0 R>>>>>>"
        b"/Outlines 10 0 R/OCProperties<</OCGs[12 0 R]/D<</Order[12 0 R]>>>>>>"
    ),
    b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
    (
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Annots[5 0 R 9 0 R 11 0 R]/Contents 6 0 R/StructParents 0"
        b"/Resources<</Font<</F#e4 7 0 R>>/ExtGState<</G#e4<</Font[7 0 R 14]>>>>/XObject<</X#e4 4 0 R>>"
        b"/Properties<</P#e4 12 0 R>>>>>>"
    ),
    b"<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/K#e4y(v)/Length 10>>stream\n0 0 5 5 re\nendstream",
    (
        b"<</Type/Annot/Subtype/Widget/FT/Btn/T(b)/Rect[0 0 9 9]/AS/Sm#e4th/V/Sm#e4th/BS<</S/S#e4>>"
        b"/AP<</N<</Sm#e4th 4 0 R/Off 4 0 R>>>>>>"
    ),
    b"<</Length %d>>stream\n%s\nendstream" % (len(CONTENT), CONTENT),
    b"<</Type/Font/Subtype/Type1/BaseFont/Helv#e4tica/Encoding/Win#e4>>",
    b"<</Type/StructTreeRoot/K[13 0 R]/RoleMap<</Sm#e4th/P>>/ClassMap<</C#e4<</O/Layout>>>>>>",
    b"<</Type/Annot/Subtype/Widget/FT/Tx/T(t\xe4)/Rect[20 20 90 40]/DA(/F#e4 12 Tf 0 g)/V(Jones)/P 3 0 R>>",
    b"<</First 14 0 R/Last 14 0 R/Count 1>>",
    b"<</Type/Annot/Subtype/Link/Rect[0 0 50 50]/Dest/Sm#e4th>>",
    b"<</Type/OCG/Name(Layer)/Intent/V#e4>>",
    b"<</Type/StructElem/S/Sm#e4th/P 8 0 R/Pg 3 0 R/K 0/Alt(\xfe\xff\xd8)/Lang(\xfe\xff\xd8)/C/C#e4>>",
    b"<</Title(\xfe\xff\xd8)/Parent 10 0 R/Dest/Sm#e4th>>",
]
PDF = (
    b"%PDF-1.4\n"
    + b"".join(b"%d 0 obj%s\nendobj\n" % each for each in enumerate(OBJECTS, 1))
    + b"trailer<</Root 1 0 R>>"
)


@pytest.mark.parametrize(
    "call",
    [
        lambda: mediakit.pdf_info(PDF),
        lambda: mediakit.pdf_form(PDF, values={"b": "Smäth", "tä": "new"}),
        lambda: mediakit.pdf_form(PDF, flatten=True),
        lambda: mediakit.pdf_merge([PDF, PDF]),
        lambda: mediakit.pdf_split(PDF),
        lambda: mediakit.pdf_pages(PDF, n_up=2),
        lambda: mediakit.pdf_compress(PDF),
        lambda: mediakit.pdf_compress(PDF, grayscale=True),
        lambda: mediakit.pdf_stamp(PDF, text="Draft"),
        lambda: mediakit.pdf_to_images(PDF),
        lambda: mediakit.document_to_markdown(PDF),
        lambda: mediakit.pdf_redact(PDF, boxes=[{"page": 1, "x0": 0, "y0": 150, "x1": 40, "y1": 200}]),
    ],
)
def test_pdf_with_names_in_latin_1_is_read(call: Callable[[], Any]) -> None:
    result = call()
    if result.mime_type == "application/pdf":
        assert "wrote" in mediakit.pdf_extract(result).content


def test_redaction_finds_words_in_names_in_latin_1() -> None:
    result = mediakit.pdf_redact(PDF, words=["Smäth"])
    assert result.meta["verified"]
    assert b"Sm#e4th" not in result.content
    assert b"Sm\xe4th" not in result.content
    assert "Smith wrote" in mediakit.pdf_extract(result).content
