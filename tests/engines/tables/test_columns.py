"""Types of columns: what becomes a number, a date or a boolean, and what stays text."""

from decimal import Decimal

import pytest

from mediakit.engines.tables.columns import typed_texts
from mediakit.engines.tables.model import Column, Facts, ReadOptions
from mediakit.errors import InvalidInput


def column(*cells: str, delimiter: str = ",", **options: object) -> Column:
    return columns([list(cells)], delimiter=delimiter, **options)[0][0]


def columns(cells: list[list[str]], delimiter: str = ",", **options: object) -> tuple[list[Column], Facts]:
    facts = Facts(delimiter=delimiter)
    names = [f"c{place}" for place in range(len(cells))]
    return typed_texts(names, cells, ReadOptions(**options), facts), facts  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "cells",
    [
        ("12", "0123"),
        ("+34 600123456",),
        ("1" * 19, "12"),
        ("12", "12a"),
        ("1.5", "1,5"),
        ("31/02/2024", "13/01/2024"),
        ("2024-02-30",),
        ("no", "no"),
        ("NA", "NA"),
        ("1E5", "2E7"),
        ("", ""),
    ],
)
def test_column_with_a_cell_that_does_not_fit_stays_text(cells: tuple[str, ...]) -> None:
    found = column(*cells)
    assert (found.type, found.values) == ("text", [cell or None for cell in cells])


@pytest.mark.parametrize(
    ("cells", "kind", "values"),
    [
        (("0", "-7", "42"), "integer", [0, -7, 42]),
        (("9" * 18,), "integer", [int("9" * 18)]),
        (("0.5", "3"), "number", [0.5, 3]),
        ((".5", "1.50"), "number", [0.5, 1.5]),
        (("1.5e+16", "2.0e-3"), "number", [1.5e16, 0.002]),
        (("1,234.5", "7.25"), "number", [1234.5, 7.25]),
        (("1.234,5", "7,25"), "number", [1234.5, 7.25]),
        (("1,234,567", "1,000"), "integer", [1234567, 1000]),
        (("1\u00a0234,5", "2,5"), "number", [1234.5, 2.5]),
        (("\u22125", "3"), "integer", [-5, 3]),
        (("true", "FALSE"), "boolean", [True, False]),
        (("sí", "No"), "boolean", [True, False]),
        (("ja", "nein"), "boolean", [True, False]),
        (("0", "1"), "integer", [0, 1]),
        (("2024-01-31",), "date", ["2024-01-31"]),
        (("31.12.2024", "01.02.2024"), "date", ["2024-12-31", "2024-02-01"]),
        (("12/31/2024", "1/2/2024"), "date", ["2024-12-31", "2024-01-02"]),
        (("31-Dec-2024", "1-Feb-2024"), "date", ["2024-12-31", "2024-02-01"]),
        (("2024-01-31 08:30", "2024-01-31 09:30:15.25"), "datetime", ["2024-01-31T08:30:00", "2024-01-31T09:30:15.25"]),
        (("2024-01-31T08:30:00+0200",), "datetime", ["2024-01-31T08:30:00+02:00"]),
        (("8:05", "12:30 PM"), "time", ["08:05:00", "12:30:00"]),
    ],
)
def test_column_gets_the_type_that_all_cells_fit(cells: tuple[str, ...], kind: str, values: list[object]) -> None:
    found = column(*cells)
    assert (found.type, found.values) == (kind, values)


def test_decimals_beyond_a_float_keep_their_digits() -> None:
    assert column("0.12345678901234567890", "1.5").values == [Decimal("0.12345678901234567890"), 1.5]


@pytest.mark.parametrize(("delimiter", "value"), [(",", 1234), (";", 1.234), ("\t", 1.234)])
def test_lone_grouped_number_is_read_by_the_delimiter_with_a_warning(delimiter: str, value: float) -> None:
    (found,), facts = columns([["1,234", "1,500"]], delimiter=delimiter)
    assert found.values[0] == value
    assert "1,234 is ambiguous" in facts.warnings[0]


def test_lone_grouped_number_follows_the_other_columns() -> None:
    (_, found), facts = columns([["2.50", "1,000.25"], ["1,234", "1,500"]], delimiter=";")
    assert found.values == [1234, 1500]
    assert facts.decimal == "."


def test_decimal_option_decides() -> None:
    assert column("1,234", decimal=",").values == [1.234]
    assert column("1,5", decimal=".").type == "text"


def test_dates_without_a_day_over_12_stay_text_with_a_warning() -> None:
    (found,), facts = columns([["03/04/2024", "05/06/2024"]])
    assert found.type == "text"
    assert "dates: dmy or mdy" in facts.warnings[0]
    assert column("03/04/2024", dates="dmy").values == ["2024-04-03"]
    assert column("03/04/2024", dates="mdy").values == ["2024-03-04"]


def test_two_digit_years_need_the_dates_option() -> None:
    assert column("31.12.24").type == "text"
    assert column("31.12.24", "01.02.70", dates="dmy").values == ["2024-12-31", "1970-02-01"]


def test_null_words_are_null_only_beside_a_type() -> None:
    assert column("1", "NA", "-", "").values == [1, None, None, None]
    assert column("Vigo", "None").values == ["Vigo", "None"]


def test_word_that_two_typed_columns_use_for_null_is_null_in_text_too() -> None:
    found, _ = columns([["1", "NULL"], ["NULL", "2.5"], ["Ana", "NULL"]])
    assert found[2].values == ["Ana", None]


def test_nulls_option_replaces_the_words() -> None:
    assert column("1", "?", nulls=["?"]).values == [1, None]
    assert column("1", "NA", nulls=["?"]).type == "text"


def test_types_text_keeps_every_cell() -> None:
    assert column("007", "1.50", "", types="text").values == ["007", "1.50", None]


def test_declared_type_reads_cells_that_auto_leaves_text() -> None:
    assert column("007", "12", types={"c0": "integer"}).values == [7, 12]
    assert column("12", "13", types={"c0": "text"}).values == ["12", "13"]
    assert column("1", "0", types={"c0": "boolean"}).values == [True, False]


def test_cell_against_the_declared_type_is_refused_with_its_row() -> None:
    with pytest.raises(InvalidInput, match=r'^types\.c0: row 2 is not an integer, got "x"\.$'):
        column("1", "x", types={"c0": "integer"})


def test_declared_type_of_an_unknown_column_names_the_nearest() -> None:
    with pytest.raises(InvalidInput, match=r'^types: there is no column "c00"; did you mean "c0"\?$'):
        column("1", types={"c00": "integer"})


def test_numbers_without_marks_beside_numbers_with_decimal_points_are_read() -> None:
    found, _ = columns([["5", "-0", "1'000"], ["1.5", "2.25", "3"]])
    assert [one.type for one in found] == ["number", "number"]
    assert found[0].values == [5, 0, 1000]


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (("+5", "-3"), [5, -3]),
        (("+0.25", "1.5"), [0.25, 1.5]),
        (("+1,204", "-12", "8"), [1204, -12, 8]),
        (("+12345678", "-9"), [12345678, -9]),
        (("+1e+3", "+2e-3"), [1000.0, 0.002]),
        (("+5", "+120"), [5, 120]),
    ],
)
def test_numbers_with_a_plus_sign_are_numbers(cells: tuple[str, ...], values: list[object]) -> None:
    assert column(*cells).values == values


@pytest.mark.parametrize(
    "cells", [("+34600111222", "+34600111333"), ("+34 600 111", "5"), ("+4915112345678", "600111222")]
)
def test_plus_signs_of_phone_numbers_keep_them_text(cells: tuple[str, ...]) -> None:
    assert column(*cells).type == "text"


@pytest.mark.parametrize(
    ("cells", "unit", "values"),
    [
        (("12 %", "7.5%", "-3 %"), "%", [12, 7.5, -3]),
        (("$1,200.50", "$3"), "$", [1200.5, 3]),
        (("1.234,50 €", "99 €", "-2,5 €"), "€", [1234.5, 99, -2.5]),
        (("($5.00)", "$2.25"), "$", [-5.0, 2.25]),
        (("CHF 5", "CHF 7.10"), "CHF", [5, 7.1]),
        (("-£4", "£-5"), "£", [-4, -5]),
        (("120 kr", "80 kr"), "kr", [120, 80]),
        (("R$ 10", "R$ 12"), "R$", [10, 12]),
    ],
)
def test_column_of_one_unit_is_one_of_numbers(cells: tuple[str, ...], unit: str, values: list[object]) -> None:
    found = column(*cells)
    assert (found.unit, found.values) == (unit, values)


@pytest.mark.parametrize("cells", [("$5", "€5"), ("5 %", "7"), ("$5", "about $7"), ("5 % 6", "1 %"), ("$5 €", "$6 €")])
def test_column_of_several_units_stays_text(cells: tuple[str, ...]) -> None:
    found = column(*cells)
    assert (found.type, found.unit) == ("text", None)


@pytest.mark.parametrize("error", ["#DIV/0!", "#REF!", "#VALUE!", "#NAME?", "#NUM!", "#NULL!", "#N/A"])
def test_errors_of_formulas_are_null_with_a_warning(error: str) -> None:
    facts = Facts()
    (found,) = typed_texts(["rate"], [["1.5", error, "2"]], ReadOptions(), facts)
    assert found.values == [1.5, None, 2]
    assert facts.warnings == [f'Column "rate" has cells with an error such as {error}: null.']


def test_lone_point_before_three_digits_is_ambiguous_where_commas_are_decimal_marks() -> None:
    facts = Facts(delimiter=";")
    (found,) = typed_texts(["n"], [["12.345"]], ReadOptions(), facts)
    assert found.values == [12.345]
    assert "12.345 is ambiguous" in facts.warnings[0]
    facts = Facts(delimiter=",")
    typed_texts(["n"], [["12.345"]], ReadOptions(), facts)
    assert facts.warnings == []


MANY = 200_000
"""Characters and rows with which a search that begins again at each place does not end within the limit of a test."""


@pytest.mark.parametrize(
    ("form", "first", "last"),
    [
        ("{day} March 2024 {clock}", "2024-03-01T00:00:00", "2024-03-20T07:33:19"),
        ("{day}-Mar-2024, {clock} UTC", "2024-03-01T00:00:00Z", "2024-03-20T07:33:19Z"),
    ],
)
def test_many_different_datetimes_with_names_of_months_are_read(form: str, first: str, last: str) -> None:
    cells = [
        form.format(day=place // 10_000 + 1, clock=f"{place // 3600 % 24:02}:{place // 60 % 60:02}:{place % 60:02}")
        for place in range(MANY)
    ]
    for kinds in ({}, {"c0": "datetime"}):
        found = column(*cells, types=kinds or "auto")
        assert (found.type, len(found.values)) == ("datetime", MANY)
        assert (found.values[0], found.values[-1]) == (first, last)


def test_declared_dates_of_several_forms_are_read_each_by_its_own_digits() -> None:
    cells = ("2024-01-31", "31/12/2024", "12/31/2024", "3 Feb 2024", "2024/2/3 5:06 PM")
    found = column(*cells, types={"c0": "datetime"})
    days = ("2024-01-31", "2024-12-31", "2024-12-31", "2024-02-03")
    assert found.values == [*(f"{day}T00:00:00" for day in days), "2024-02-03T17:06:00"]


@pytest.mark.parametrize(("kind", "cell"), [("date", "05/06/2024"), ("date", "1 May 24"), ("time", "25:99"),
                                            ("date", "31 Feb 2024"), ("date", "2024-01-01 10:00")])  # fmt: skip
def test_declared_moment_in_doubt_is_refused(kind: str, cell: str) -> None:
    good = {"date": "2024-01-01", "time": "10:00"}[kind]
    with pytest.raises(InvalidInput, match=f'types.c0: row 2 is not a {kind}, got "{cell}"'):
        column(good, cell, types={"c0": kind})


@pytest.mark.parametrize("space", [" ", "\t", "\N{NO-BREAK SPACE}"])
def test_long_cell_that_begins_as_a_date_is_text(space: str) -> None:
    cell = f"12 March {space * MANY} \n2024:"
    assert column("12 March 2024", cell).values == ["12 March 2024", cell]
