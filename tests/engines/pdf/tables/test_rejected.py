"""Charts, forms, code and marked words have texts in rows and columns, and are not tables."""

import pymupdf
import pytest

from mediakit.engines.pdf.tables import find_tables
from tests.engines.pdf.tables.pages import LINE, PageBuilder

TEXT_FIELD = 7
"""Type of a text field in PyMuPDF."""

VALUES = [["2021", "10", "20"], ["2022", "11", "21"], ["2023", "12", "22"], ["2024", "13", "23"]]


def test_chart_with_curves_is_not_a_table() -> None:
    builder = PageBuilder()
    builder.rows([60, 200, 300], 100, VALUES)
    for shift in (0, 15, 30):
        builder.page.draw_line((80, 90 + shift), (290, 110 + shift))
    assert find_tables(builder.finish()) == []


def test_bars_with_values_are_not_a_table() -> None:
    builder = PageBuilder()
    for index, widths in enumerate([(60, 150), (110, 90), (30, 200), (170, 60)]):
        x = 100.0
        for place, width in enumerate(widths):
            builder.page.draw_rect((x, 100 + 20 * index, x + width, 120 + 20 * index), fill=(0.2, 0.3 * place, 0.5))
            builder.text(x + width / 2 - 5, 114 + 20 * index, str(width))
            x += width
    assert find_tables(builder.finish()) == []


def test_form_is_not_a_table() -> None:
    builder = PageBuilder()
    for index, label in enumerate(["Name", "Street", "City", "Born"]):
        y = 100 + 20 * index
        builder.row([65, 265], y + 14, [label, "required"])
        field = pymupdf.Widget()  # type: ignore[no-untyped-call]
        field.field_type, field.field_name = TEXT_FIELD, label
        field.rect = pymupdf.Rect(150, y + 3, 250, y + 17)  # type: ignore[no-untyped-call]
        builder.page.add_widget(field)
    builder.grid([60, 140, 260, 360], [100, 120, 140, 160, 180])
    assert find_tables(builder.finish()) == []


def test_code_with_comments_is_not_a_table() -> None:
    builder = PageBuilder()
    for index, (code, comment) in enumerate(
        [("open(path)", "# required"), ("read(size)", "# bytes"), ("close()", "# end")]
    ):
        builder.text(60, 100 + LINE * index, code, font="cour")
        builder.text(220, 100 + LINE * index, comment, font="cour")
    assert find_tables(builder.finish()) == []


def test_marked_words_of_text_are_not_a_table() -> None:
    builder = PageBuilder()
    builder.paragraph(60, 80, 450, 12)
    page = builder.finish()
    for word in page.get_text("words")[4:40:3]:
        page.draw_rect(pymupdf.Rect(word[:4]), color=None, fill=(0.9, 0.9, 0.9), overlay=False)  # type: ignore[no-untyped-call]
    assert find_tables(pymupdf.open(stream=page.parent.tobytes())[0]) == []  # type: ignore[no-untyped-call]


def test_page_that_cannot_be_run_has_no_tables() -> None:
    builder = PageBuilder()
    builder.rows([60, 200, 300], 100, VALUES)
    document = builder.finish().parent
    pattern = document.get_new_xref()
    cell = f"/Resources<</Pattern<</P {pattern} 0 R>>>>"
    document.update_object(
        pattern, f"<</Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 9 9]/XStep 9/YStep 9{cell}>>"
    )
    document.update_stream(pattern, b"/Pattern cs /P scn 0 0 9 9 re f")
    page = document[0]
    document.xref_set_key(page.xref, "Resources", f"<</Pattern<</P {pattern} 0 R>>>>")
    document.update_stream(page.get_contents()[0], b"/Pattern cs /P scn 0 0 99 99 re f " + page.read_contents())
    page = document.reload_page(page)
    with pytest.raises((RuntimeError, pymupdf.mupdf.FzErrorBase)):
        page.get_textpage()
    assert find_tables(page) == []
