"""Where a table begins, and whether its first row names the columns."""

from typing import Any

import pytest

from mediakit.engines.tables.model import Document, ReadOptions
from mediakit.engines.tables.reading import Source, read_rows, read_source, read_text
from mediakit.errors import InvalidInput
from tests.engines.tables.test_workbooks import book, saved


def read(text: str, **options: Any) -> Document:
    return read_text(text, ReadOptions(input_format="csv", **options))


def read_sheet(rows: list[list[Any]], **options: Any) -> Document:
    return read_source(Source("file", saved(book(("S", rows))), "s.xlsx"), ReadOptions(**options))


@pytest.mark.parametrize(
    "names",
    [
        "2023-05-01,2023-05-08,2023-05-15",
        "5/1/23,5/8/23,5/15/23",
        "01.05.2023,08.05.2023,15.05.2023",
        "1-May-2023,8-May-2023,15-May-2023",
        "May-23,Jun-23,Jul-23",
        "May 2023,June 2023,July 2023",
        "2023-05,2023-06,2023-07",
        "05/2023,06/2023,07/2023",
        "2023-Q1,2023-Q2,2023-Q3",
        "Q1 2023,Q2 2023,Q3 2023",
        "Q1/23,Q2/23,Q3/23",
        "2023-W01,2023-W02,2023-W03",
        "06:00,14:00,22:00",
        "6 AM,2:30 PM,10:00 PM",
        "2023-05-01 06:00,2023-05-01 14:00,2023-05-01 22:00",
        "2021,2022,2023",
        "202305,202306,202307",
        "20230501,20230508,20230515",
    ],
)
@pytest.mark.parametrize("labels", ["", "quay,", "quay,berth,"])
def test_moments_above_numbers_name_the_columns(names: str, labels: str) -> None:
    cells = ["Norte,2,", "Sur,9,", "Oeste,4,"]
    count = labels.count(",")
    body = "".join(",".join([*cell.split(",")[:count], *f"{n},{n + 1}.5,{n * 3}".split(",")]) + "\n"
                   for n, cell in enumerate(cells, 11))  # fmt: skip
    table = read(f"{labels}{names}\n{body}").table
    assert table.names == f"{labels}{names}".split(",")
    assert [column.type for column in table.columns[count:]] == ["integer", "number", "integer"]


def test_dates_above_numbers_in_a_workbook_name_the_columns() -> None:
    import datetime as dt

    days = [dt.date(2023, 5, 1), dt.date(2023, 6, 1)]
    assert read_sheet([["quay", *days], ["Norte", 4, 6], ["Sur", 1, 2]]).table.names == [
        "quay",
        "2023-05-01",
        "2023-06-01",
    ]
    table = read_sheet([["quay", "opens"], ["Norte", days[0]], ["Sur", days[1]]]).table
    assert (table.names, table.columns[1].type) == (["quay", "opens"], "date")


@pytest.mark.parametrize(
    "text",
    [
        "2023-05-01,7\n2023-05-02,9\n2023-05-03,4\n",
        "06:00,7\n14:00,9\n",
        "yes,7\nno,9\n",
        "2021,7\n2022,9\n",
        "Norte,2023-05-01\nSur,2023-05-02\n",
    ],
)
def test_row_of_values_above_values_of_the_same_kind_has_no_names(text: str) -> None:
    assert read(text).table.names == ["column_1", "column_2"]


TABLE = "ship,tons,crew\nAlba,12,4\nBera,7,3\n"
TITLES = [
    "Harbor report,,\n",
    "Harbor,,\n,,\n",
    "Harbor report\n\n",
    "Harbor report,,\nMade in May,,\n,,\n",
    ",,\n,,\n",
    "Port:,Vigo,\nMonth:,May,\n",
    "Port,Vigo\nMonth,2023-05\n\n",
    "Port,Vigo,\nOpened,1881,\nArea,3.5,\n,,\n",
    '"Ships, large",,\n',
]


@pytest.mark.parametrize("above", TITLES)
def test_lines_above_a_table_are_skipped_in_csv(above: str) -> None:
    document = read(above + TABLE)
    assert document.table.names == ["ship", "tons", "crew"]
    assert list(document.table.rows()) == [("Alba", 12, 4), ("Bera", 7, 3)]
    assert document.facts.skipped_lines == above.count("\n")


@pytest.mark.parametrize("above", TITLES[:3] + TITLES[5:8])
def test_lines_above_a_table_are_skipped_in_a_workbook(above: str) -> None:
    def cells(line: str) -> list[Any]:
        return [int(cell) if cell.isdecimal() else cell or None for cell in line.split(",")]

    document = read_sheet(list(map(cells, f"{above}{TABLE}".splitlines())))
    assert list(document.table.records()) == [
        {"ship": "Alba", "tons": 12, "crew": 4},
        {"ship": "Bera", "tons": 7, "crew": 3},
    ]


@pytest.mark.parametrize(
    ("text", "names", "rows"),
    [
        ("Ships of May,\nship,tons\nAlba,12\n", ["ship", "tons"], [("Alba", 12)]),
        ("Ships,\n,\nship,port\nAlba,Vigo\nBera,Faro\n", ["ship", "port"], [("Alba", "Vigo"), ("Bera", "Faro")]),
        ("Port,Vigo\nMonth,2023-05\n\nship,tons\nAlba,12\nBera,7\n", ["ship", "tons"], [("Alba", 12), ("Bera", 7)]),
        ("Title\nship,tons\nAlba,12\n", ["ship", "tons"], [("Alba", 12)]),
        ("Crew list,,\nship,mate,cook\nAlba,Ana,Bo\n,Eva,\n", ["ship", "mate", "cook"],
         [("Alba", "Ana", "Bo"), (None, "Eva", None)]),
        ("ship,tons\nAlba,\nBera,7\n", ["ship", "tons"], [("Alba", None), ("Bera", 7)]),
        ("ship,tons\n\nAlba,none\nBera,7\n", ["ship", "tons"], [("Alba", "none"), ("Bera", "7")]),
        ("name,,\nAna,1,2\nBo,3,4\n", ["name", "column_2", "column_3"], [("Ana", 1, 2), ("Bo", 3, 4)]),
    ],
)  # fmt: skip
def test_narrow_short_and_gappy_tables_are_told_from_titles(
    text: str, names: list[str], rows: list[tuple[Any, ...]]
) -> None:
    table = read(text).table
    assert (table.names, list(table.rows())) == (names, rows)


@pytest.mark.parametrize("above", ["\n" * 700, "Crew list\n" * 150 + "\n"], ids=["blank", "titles"])
def test_many_lines_above_a_table_do_not_fail(above: str) -> None:
    document = read(above + "ship,tons\nAlba,12\nBera,7\n")
    assert ("Bera", "7") in [tuple(map(str, row)) for row in document.table.rows()]


def test_blank_lines_above_a_table_are_skipped_however_many() -> None:
    table = read("\n" * 700 + "ship,tons\nAlba,12\n").table
    assert (table.names, list(table.rows())) == (["ship", "tons"], [("Alba", 12)])


def test_skipped_lines_with_several_cells_are_named_in_a_warning() -> None:
    assert read("Harbor report,,\n" + TABLE).facts.warnings == []
    assert read("Port:,Vigo,\n" + TABLE).facts.warnings == [
        "The first line was skipped, as lines above the table; set skip to decide."
    ]


def test_two_tables_in_one_file_are_not_cut() -> None:
    text = "ship,tons,crew\nAlba,12,4\nBera,7,3\n\nport,depth,quays\nVigo,20,8\nFaro,9,2\n"
    assert len(read(text).table) == 5


def test_skip_decides_where_the_table_begins() -> None:
    text = 'a;b\n"open\nship,tons\nAlba,12\n'
    document = read(text, skip=2)
    assert (list(document.table.records()), document.facts.skipped_lines) == ([{"ship": "Alba", "tons": 12}], 2)
    assert read("Harbor report,,\n" + TABLE, skip=0).table.names == ["Harbor report", "column_2", "column_3"]
    document = read_sheet([["x", "y"], ["ship", "tons"], ["Alba", 12]], skip=1)
    assert (list(document.table.records()), document.facts.skipped_lines) == ([{"ship": "Alba", "tons": 12}], 1)


@pytest.mark.parametrize("make", [lambda: read("a,b\n1,2\n", skip=9), lambda: read_sheet([["a"], [1]], skip=9)])
def test_skip_beyond_the_end_is_refused(make: Any) -> None:
    with pytest.raises(InvalidInput, match=r"^skip: must be less than the number of (?:lines|rows), got 9\.$"):
        make()


@pytest.mark.parametrize(
    "text",
    [
        "tons,crew\nAlba,12,4\nBera,7,3\n",
        '"tons"\t"crew"\n"Alba"\t12\t4\n"Bera"\t7\t3\n',
        '"tons" "crew"\n"Alba" 12 4\n"Bera" 7 3\n',
        "tons;crew\nAlba;12;4\nBera;7;3\n",
        "tons,crew\n1,12,4\n2,7,3\n",
        '"port","mate"\n"1","Vigo","Ana"\n"2","Faro","Bo"\n',
    ],
)
def test_row_names_of_r_have_a_column_of_their_own(text: str) -> None:
    document = read(text)
    assert document.table.names[0] == "column_1"
    assert len(document.table.names) == 3
    assert all(row[-1] in (4, 3, "Ana", "Bo") for row in document.table.rows())
    assert document.facts.warnings == [
        "The header has no name for the first column, as R writes row names; the names follow it."
    ]


@pytest.mark.parametrize("text", ["a,b\n1,2,\n3,4,\n", "a,b\nx,1,2\nx,3,4\n", "a,b\n1,2,3\n"])
def test_rows_that_are_longer_than_the_header_by_chance_have_no_row_names(text: str) -> None:
    assert read(text).table.names == ["a", "b", "column_3"]


def test_arrays_with_moments_above_numbers_have_a_header() -> None:
    rows = [["quay", "2023-05-01"], ["Norte", 4], ["Sur", 6]]
    assert read_rows(rows, ReadOptions()).table.names == ["quay", "2023-05-01"]
