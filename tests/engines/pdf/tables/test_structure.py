"""Cells, headers and rows of tables are those that a reader sees."""

import pytest

from mediakit.engines.pdf.tables import column_names, find_tables
from tests.engines.pdf.tables.pages import LINE, PageBuilder


def rows_of(builder: PageBuilder) -> list[list[str | None]]:
    tables = find_tables(builder.finish())
    assert len(tables) == 1
    return tables[0].rows


def test_heading_wider_than_its_column_names_only_it() -> None:
    builder = PageBuilder()
    builder.rows([60, 200, 330], 100, [["Lake", "Depth (m)", "Temperature of water"]], right=True)
    builder.line(60, 104, 330, 104)
    builder.rows(
        [60, 200, 330], 118, [["North", "4.2", "14.1"], ["South", "2.8", "9.7"], ["East", "11.0", "8.3"]], right=True
    )
    assert rows_of(builder)[0] == ["Lake", "Depth (m)", "Temperature of water"]


def test_heading_centered_over_columns_spans_them_without_ruling() -> None:
    builder = PageBuilder()
    builder.centered(180, 420, 100, "Harvest")
    builder.rows([60, 220, 320, 420], 116, [["Fruit", "Spring", "Summer", "Autumn"]], right=True)
    builder.rows(
        [60, 220, 320, 420],
        132,
        [["Apple", "10", "20", "30"], ["Pear", "11", "21", "31"], ["Plum", "1", "2", "3"]],
        right=True,
    )
    builder.line(60, 88, 420, 88)
    assert rows_of(builder)[:2] == [["Fruit", "Harvest", None, None], [None, "Spring", "Summer", "Autumn"]]


def test_label_of_two_lines_is_one_cell() -> None:
    builder = PageBuilder()
    xs = [60.0, 300.0, 360.0]
    builder.rows(xs, 100, [["Sulphur oxides", "10", "20"]], right=True)
    builder.text(60, 120, "Compounds of chlorine and")
    builder.rows(xs, 131, [["other elements", "11", "21"]], right=True)
    builder.rows(xs, 151, [["Nitrogen", "12", "22"], ["Carbon", "13", "23"]], right=True)
    assert rows_of(builder)[1] == ["Compounds of chlorine and other elements", "11", "21"]


def test_value_beside_middle_of_label_is_in_its_row() -> None:
    builder = PageBuilder()
    xs = [60.0, 300.0, 360.0]
    builder.rows(xs, 100, [["Sulphur oxides", "10", "20"]], right=True)
    builder.text(60, 120, "Compounds of chlorine and")
    builder.row([300 - 11, 360 - 11], 125.5, ["11", "21"])
    builder.text(60, 131, "other elements")
    builder.rows(xs, 151, [["Nitrogen", "12", "22"], ["Carbon", "13", "23"]], right=True)
    assert rows_of(builder)[1] == ["Compounds of chlorine and other elements", "11", "21"]


def test_texts_between_rulings_are_rows() -> None:
    builder = PageBuilder()
    y = 100.0
    for label in ("Tuition", "Room", "Books"):
        builder.line(60, y, 460, y)
        builder.text(60, y + 13, label)
        y = builder.paragraph(180, y + 13, 270, 3) - 6
    builder.line(60, y, 460, y)
    rows = rows_of(builder)
    assert [row[0] for row in rows] == ["Tuition", "Room", "Books"]
    assert all(row[1] and len(row[1].split()) > 20 for row in rows)


def test_long_labels_of_values_are_not_running_text() -> None:
    builder = PageBuilder()
    labels = [
        "Arsenic and its compounds here",
        "Cadmium and its compounds too",
        "Copper and its compounds now",
        "Nickel and its compounds next",
    ]
    builder.rows([60, 280, 340], 100, [[label, "20", "5"] for label in labels], right=True)
    assert [row[0] for row in rows_of(builder)] == labels


def test_columns_of_grid_may_have_open_rows() -> None:
    builder = PageBuilder()
    builder.grid([60, 160, 260, 360], [100, 120, 180])
    builder.row([65, 165, 265], 114, ["Fruit", "2023", "2024"])
    builder.rows([65, 165, 265], 134, [["Apple", "1", "2"], ["Pear", "3", "4"], ["Plum", "5", "6"]])
    assert rows_of(builder)[1:] == [["Apple", "1", "2"], ["Pear", "3", "4"], ["Plum", "5", "6"]]


def test_rotated_headings_of_grid_are_in_their_cells() -> None:
    builder = PageBuilder()
    builder.grid([60, 160, 260, 360], [100, 160, 180, 200])
    builder.page.insert_text((215, 150), "Spring", fontsize=10, rotate=90)
    builder.page.insert_text((315, 150), "Autumn", fontsize=10, rotate=90)
    builder.rows([65, 165, 265], 174, [["Apple", "1", "2"]])
    builder.rows([65, 165, 265], 194, [["Pear", "3", "4"]])
    assert rows_of(builder) == [["", "Spring", "Autumn"], ["Apple", "1", "2"], ["Pear", "3", "4"]]


def test_tables_with_title_between_them_are_two() -> None:
    builder = PageBuilder()
    for top in (100, 220):
        builder.text(150, top, "Harvest of the year")
        builder.rows([60, 220, 320], top + 16, [["Fruit", "Spring", "Autumn"]], right=True)
        builder.rows(
            [60, 220, 320],
            top + 32,
            [["Apple", "10", "20"], ["Pear", "11", "21"], ["Plum", "12", "22"], ["Lime", "1", "2"]],
            right=True,
        )
    tables = find_tables(builder.finish())
    assert [table.rows[-1] for table in tables] == [["Lime", "1", "2"], ["Lime", "1", "2"]]


def test_title_and_notes_are_not_rows() -> None:
    builder = PageBuilder()
    builder.text(60, 100, "Table 1. Harvest of fruits in the valley of the river")
    builder.line(60, 106, 420, 106)
    builder.rows([60, 320, 420], 118, [["Fruit", "Spring", "Autumn"]], right=True)
    builder.line(60, 122, 420, 122)
    end = builder.rows(
        [60, 320, 420], 136, [["Apple", "10", "20"], ["Pear", "11", "21"], ["Plum", "12", "22"]], right=True
    )
    builder.line(60, end - 8, 420, end - 8)
    builder.text(60, end + LINE, "Source: own survey, 2024.")
    assert rows_of(builder) == [
        ["Fruit", "Spring", "Autumn"],
        ["Apple", "10", "20"],
        ["Pear", "11", "21"],
        ["Plum", "12", "22"],
    ]


def test_names_of_columns_join_levels_of_header() -> None:
    rows: list[list[str | None]] = [["Fruit", "Harvest", None], [None, "2023", "2024"], ["Apple", "1", "2"]]
    assert column_names(rows, 2) == ["Fruit", "Harvest 2023", "Harvest 2024"]


WRAPPED = [
    (["A-100", "Brass hinge for a narrow gate", "4", "12.50"], ["", "with screws", "", ""]),
    (
        ["A-101", "Oak board, planed and dried", "2", "8.00"],
        ["", "for two winters, and", "", ""],
        ["", "oiled", "", ""],
    ),
    (["A-102", "Steel rope", "9", "3.75"],),
    (["A-103", "Copper pipe, soft, on a roll", "1", "44.10"], ["", "of ten meters", "", ""]),
]
"""Rows of a table, each with its lines."""

WHOLE = [[" ".join(filter(None, texts)) for texts in zip(*lines, strict=True)] for lines in WRAPPED]


def wrapped_rows(builder: PageBuilder, xs: list[float], y: float, padding: float) -> list[float]:
    """Draw the rows, and return the place between any two of them."""
    places = []
    for lines in WRAPPED:
        for line in lines:
            builder.row(xs, y, line)
            y += 12
        y += padding
        places.append(y - 11 - padding / 2)
    return places[:-1]


@pytest.mark.parametrize("style", ["plain", "lines", "stripes"])
def test_rows_whose_cells_wrap_are_told_by_the_space_between_them(style: str) -> None:
    builder = PageBuilder()
    xs = [60.0, 100.0, 241.0, 276.0]
    builder.row(xs, 100, ["Code", "Description", "Qty", "Price"])
    places = wrapped_rows(PageBuilder(), xs, 120, 6)
    edges = [107.0, *places, places[-1] + 30]
    if style == "stripes":
        for top, bottom in zip(edges[1::2], edges[2::2], strict=True):
            builder.page.draw_rect((55, top, xs[-1] + 35, bottom), color=None, fill=(0.9, 0.9, 0.9))
    if style == "lines":
        for y in edges:
            builder.line(55, y, xs[-1] + 35, y)
    wrapped_rows(builder, xs, 120, 6)
    builder.paragraph(60, edges[-1] + 30, 400, 3)
    assert rows_of(builder) == [["Code", "Description", "Qty", "Price"], *WHOLE]


def test_code_and_date_that_a_hyphen_breaks_are_one_cell() -> None:
    builder = PageBuilder()
    xs = [60.0, 110.0, 300.0]
    rows = [("A-", "Harbor of the old town", "2021-"), ("100", "and its walls", "04-17")]
    rows += [("A-", "Bridge over the river at", "2022-"), ("101", "the northern gate", "11-02")]
    builder.row(xs, 100, ["Code", "Place", "Date"])
    for y, row in zip((120, 132, 150, 162), rows, strict=True):
        builder.row(xs, y, row)
    for y in (107, 138, 168):
        builder.line(60, y, 340, y)
    assert rows_of(builder)[1:] == [
        ["A-100", "Harbor of the old town and its walls", "2021-04-17"],
        ["A-101", "Bridge over the river at the northern gate", "2022-11-02"],
    ]


def test_table_of_texts_is_told_by_its_bold_header() -> None:
    builder = PageBuilder()
    xs = [60.0, 160.0, 330.0]
    for x, text in zip(xs, ["Term", "Meaning", "Used by"], strict=True):
        builder.text(x, 100, text, font="hebo")
    rows = [["Bollard", "post for ropes on a quay", "sailors"], ["Capstan", "drum that winds ropes", "crews"]]
    rows += [["Fairlead", "ring that guides a rope", "riggers"], ["Hawser", "thick rope", "pilots"]]
    builder.rows(xs, 120, rows)
    assert rows_of(builder) == [["Term", "Meaning", "Used by"], *rows]


@pytest.mark.parametrize("has_rulings", [True, False])
def test_rows_whose_cells_are_centered_in_them_are_whole(has_rulings: bool) -> None:
    builder = PageBuilder()
    xs = [60.0, 140.0, 330.0]
    for x, text in zip(xs, ["Port", "What the ships bring", "Quays"], strict=True):
        builder.text(x, 100, text, font="hebo")
    rows = [
        ("Ely", ["grain and wool from the", "farms around the town"], "two, one of stone"),
        ("Bergen", ["fish, dried and salted, and", "timber from the valleys, and", "some copper"], "eleven"),
        ("Genoa", ["cloth and glass"], "many"),
        ("Riga", ["furs, wax and flax of the", "inner lands"], "four"),
    ]
    y = 120.0
    for port, lines, quays in rows:
        middle = y + 6 * (len(lines) - 1)
        for index, text in enumerate(lines):
            builder.text(xs[1], y + 12 * index, text)
        builder.row([xs[0], xs[2]], middle, [port, quays])
        y += 12 * len(lines) + 6
        if has_rulings:
            builder.line(55, y - 12, 430, y - 12)
    if has_rulings:
        builder.line(55, 106, 430, 106)
    builder.paragraph(60, y + 20, 370, 3)
    assert rows_of(builder)[1:] == [[port, " ".join(lines), quays] for port, lines, quays in rows]
