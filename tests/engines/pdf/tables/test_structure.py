"""Cells, headers and rows of tables are those that a reader sees."""

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
