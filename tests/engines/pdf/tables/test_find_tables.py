"""Tables are found with their cells, and nothing else is a table."""

import pymupdf
import pytest

from mediakit.engines.pdf.tables import Table, find_tables
from tests.engines.pdf.tables.pages import LINE, PageBuilder

FRUITS = [["Fruit", "2023", "2024"], ["Apple", "1,200", "1,310"], ["Pear", "830", "795"], ["Plum", "41", "67"]]


def only(page: pymupdf.Page) -> Table:
    tables = find_tables(page)
    assert len(tables) == 1
    return tables[0]


def test_ruled_table_has_its_cells() -> None:
    builder = PageBuilder()
    builder.grid([60, 160, 260, 360], [100, 120, 140, 160, 180])
    for index, row in enumerate(FRUITS):
        builder.row([65, 165, 265], 114 + 20 * index, row)
    table = only(builder.finish())
    assert table.rows == FRUITS
    assert table.box == pytest.approx((60, 100, 360, 180), abs=1)
    assert table.header_rows == 1
    assert table.confidence > 0.8


def test_table_without_rulings_has_its_cells() -> None:
    builder = PageBuilder()
    y = builder.paragraph(60, 80, 450, 4)
    builder.rows([60, 260, 360], y + LINE, FRUITS, right=True)
    builder.paragraph(60, y + 7 * LINE, 450, 4)
    table = only(builder.finish())
    assert table.rows == FRUITS


def test_table_between_horizontal_rulings_has_its_cells() -> None:
    builder = PageBuilder()
    for y in (100, 120, 180):
        builder.line(60, y, 400, y)
    builder.row([60, 200, 300], 114, ["Kind", "Color", "Taste"])
    builder.rows(
        [60, 200, 300],
        134,
        [["Apple", "red or green", "sweet"], ["Lemon", "yellow", "sour"], ["Plum", "blue", "sweet"]],
    )
    table = only(builder.finish())
    assert table.rows == [
        ["Kind", "Color", "Taste"],
        ["Apple", "red or green", "sweet"],
        ["Lemon", "yellow", "sour"],
        ["Plum", "blue", "sweet"],
    ]
    assert table.header_rows == 1


def test_merged_cells_of_grid_are_none_where_covered() -> None:
    builder = PageBuilder()
    builder.grid([60, 160, 260, 360], [120, 140, 160])
    for x in (60, 160, 360):
        builder.line(x, 100, x, 120)
    builder.line(60, 100, 360, 100)
    builder.centered(160, 360, 114, "Year")
    builder.row([65, 165, 265], 134, ["Fruit", "2023", "2024"])
    builder.row([65, 165, 265], 154, ["Apple", "1,200", "1,310"])
    table = only(builder.finish())
    assert table.rows == [["", "Year", None], ["Fruit", "2023", "2024"], ["Apple", "1,200", "1,310"]]
    assert [(span.row, span.column, span.rows, span.columns) for span in table.spans] == [(0, 1, 1, 2)]


def test_lines_of_cell_are_joined() -> None:
    builder = PageBuilder()
    builder.grid([60, 160, 360], [100, 120, 150, 170])
    builder.row([65, 165], 114, ["Fruit", "Remark"])
    builder.row([65, 165], 132, ["Apple", "keeps for a long"])
    builder.text(165, 144, "time in the cellar")
    builder.row([65, 165], 164, ["Pear", "soft"])
    assert only(builder.finish()).rows[1] == ["Apple", "keeps for a long time in the cellar"]


def test_heading_over_columns_spans_them() -> None:
    builder = PageBuilder()
    builder.line(60, 90, 400, 90)
    builder.centered(200, 400, 104, "Harvest in tonnes")
    builder.line(220, 108, 400, 108)
    builder.rows([60, 260, 330, 400], 120, [["Fruit", "2022", "2023", "2024"]], right=True)
    builder.line(60, 124, 400, 124)
    builder.rows([60, 260, 330, 400], 138, [["Apple", "10", "20", "30"], ["Pear", "11", "21", "31"]], right=True)
    builder.line(60, 158, 400, 158)
    table = only(builder.finish())
    assert table.rows[0] == ["Fruit", "Harvest in tonnes", None, None] or table.rows[0][1:] == [
        "Harvest in tonnes",
        None,
        None,
    ]
    assert table.rows[1][1:] == ["2022", "2023", "2024"]
    assert table.rows[-1] == ["Pear", "11", "21", "31"]


@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_rotated_page_gives_same_rows_and_box_as_seen(rotation: int) -> None:
    builder = PageBuilder()
    builder.grid([60, 160, 260, 360], [100, 120, 140, 160, 180])
    for index, row in enumerate(FRUITS):
        builder.row([65, 165, 265], 114 + 20 * index, row)
    builder.page.set_rotation(rotation)
    page = builder.finish()
    table = only(page)
    assert table.rows == FRUITS
    seen = pymupdf.Rect(60, 100, 360, 180) * page.rotation_matrix  # type: ignore[no-untyped-call]
    assert table.box == pytest.approx(tuple(seen), abs=1)


def test_running_text_is_not_a_table() -> None:
    builder = PageBuilder()
    builder.paragraph(60, 80, 450, 30)
    assert find_tables(builder.finish()) == []


def test_two_columns_of_text_are_not_a_table() -> None:
    builder = PageBuilder()
    builder.paragraph(60, 80, 220, 30)
    builder.paragraph(310, 80, 220, 30)
    assert find_tables(builder.finish()) == []


def test_table_of_contents_is_not_a_table() -> None:
    builder = PageBuilder()
    titles = ["Introduction", "Method", "Results of the first year", "Results of the second year", "Discussion"]
    for index, title in enumerate(titles):
        builder.row([60, 500], 80 + LINE * index, [title, str(3 + 4 * index)], right=True)
    assert find_tables(builder.finish()) == []


def test_list_with_bullets_is_not_a_table() -> None:
    builder = PageBuilder()
    for index, text in enumerate(["Apples are red", "Pears are green", "Plums are blue", "Lemons are yellow"]):
        builder.row([60, 78], 80 + LINE * index, ["\u2022", text])
    assert find_tables(builder.finish()) == []


def test_page_without_text_has_no_table() -> None:
    builder = PageBuilder()
    builder.grid([60, 160, 260, 360], [100, 120, 140, 160, 180])
    assert find_tables(builder.finish()) == []
