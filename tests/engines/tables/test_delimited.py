"""Delimited text: delimiter, quotes, header, titles, ragged rows."""

import pytest

from mediakit.engines.tables.model import Facts, ReadOptions, Table
from mediakit.engines.tables.readers.delimited import has_table, read_delimited
from mediakit.errors import InvalidInput


def read(text: str, **options: object) -> tuple[Table, Facts]:
    facts = Facts()
    return read_delimited(text, ReadOptions(**options), facts), facts  # type: ignore[arg-type]


def rows(text: str, **options: object) -> list[tuple[object, ...]]:
    return list(read(text, **options)[0].rows())


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_delimiter_is_detected(mark: str) -> None:
    table, facts = read(f"name{mark}age\nAna{mark}31\nBo{mark}4\n")
    assert facts.delimiter == mark
    assert list(table.rows()) == [("Ana", 31), ("Bo", 4)]


def test_space_is_a_delimiter_of_numbers_but_not_of_names() -> None:
    assert read("1 2 3\n4 5 6\n")[1].delimiter == " "
    assert read("name\nAna Ruiz\nBo Berg\n")[0].names == ["name"]


def test_column_of_times_is_not_divided_at_its_colons() -> None:
    table, _ = read("start\n08:30:00\n09:45:10\n")
    assert (table.names, table.columns[0].type) == (["start"], "time")


def test_decimal_commas_do_not_divide_semicolon_rows() -> None:
    assert rows("a;b\n1,5;2,5\n3,25;4,75\n") == [(1.5, 2.5), (3.25, 4.75)]


def test_column_of_decimal_commas_is_one_column() -> None:
    assert read("price\n1,5\n12,25\n")[0].columns[0].values == [1.5, 12.25]


def test_columns_aligned_by_several_spaces_are_read() -> None:
    assert rows("x   y    z\n1   2    3\n40  50   6\n") == [(1, 2, 3), (40, 50, 6)]


def test_cell_longer_than_the_limit_of_the_csv_module_is_read() -> None:
    assert len(str(rows('a,b\n1,"' + "x" * 200_000 + '"\n')[0][1])) == 200_000


def test_sep_line_sets_the_delimiter() -> None:
    table, facts = read("sep=|\na|b\nx,y|1\n")
    assert (table.names, facts.delimiter, facts.skipped_lines) == (["a", "b"], "|", 1)


def test_titles_above_the_table_are_skipped_and_counted() -> None:
    table, facts = read("Harbor report\nMade in May\n\nship,tons,port\nAlba,12,Vigo\nBera,7,Faro\n")
    assert table.names == ["ship", "tons", "port"]
    assert facts.skipped_lines == 3


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_every_kind_of_line_break_ends_a_row(newline: str) -> None:
    assert rows(newline.join(["a,b", '1,"x"', "2,y", ""])) == [(1, "x"), (2, "y")]


def test_quotes_keep_delimiters_line_breaks_and_doubled_quotes() -> None:
    assert rows('a,b\n"x, ""y""\nz",1\n') == [('x, "y"\nz', 1)]


def test_quotes_escaped_by_backslashes_are_read() -> None:
    assert rows('a,b\n"5\\" pipe, long",1\n\\"big\\" box,2\n') == [('5" pipe, long', 1), ('"big" box', 2)]


def test_backslashes_of_paths_are_kept() -> None:
    assert rows('a,b\n"C:\\temp, x",1\n') == [("C:\\temp, x", 1)]


def test_quote_inside_an_unquoted_cell_is_text() -> None:
    assert rows('part,count\n5" pipe,3\n"Big" house,4\n') == [('5" pipe', 3), ('"Big" house', 4)]


def test_unclosed_quote_is_refused_with_its_line() -> None:
    with pytest.raises(InvalidInput, match=r"^text: line 3: a quote opens here and is never closed\.$"):
        read('a,b\n1,2\n3,"oh\n5,6\n', field="text")


def test_short_rows_are_filled_and_long_rows_get_columns() -> None:
    table, facts = read("a,b,c\n1,2,3\n4,5\n6,7,8,9\n1,2,3\n")
    assert table.names == ["a", "b", "c", "column_4"]
    assert list(table.rows())[1:3] == [(4, 5, None, None), (6, 7, 8, 9)]
    assert [warning.split(" is ")[0] for warning in facts.warnings] == ["1 row", "1 row"]


def test_table_without_header_gets_numbered_names() -> None:
    assert read("1,Ana\n2,Bo\n")[0].names == ["column_1", "column_2"]


def test_years_above_other_numbers_are_a_header() -> None:
    assert read("country,2019,2020\nSpain,47.1,47.3\nChile,18.9,19.1\n")[0].names == ["country", "2019", "2020"]


def test_single_line_of_names_is_a_header_without_rows() -> None:
    table, _ = read("name,age\n")
    assert (table.names, len(table)) == (["name", "age"], 0)


def test_header_option_wins_over_the_guess() -> None:
    assert len(rows("name,city\nAna,Vigo\n", header=False)) == 2
    assert read("1,2\n3,4\n", header=True)[0].names == ["1", "2"]


def test_empty_and_repeated_names_become_unique() -> None:
    assert read("value,,value,value_2\n1,2,3,4\n")[0].names == ["value", "column_2", "value_3", "value_2"]
    assert read(" id ,Id\n1,2\n")[0].names == ["id", "Id"]


def test_more_columns_than_allowed_are_refused() -> None:
    with pytest.raises(InvalidInput, match="at most 2,000 columns"):
        read(",".join(["x"] * 2001) + "\n" + ",".join(["1"] * 2001))


def test_rows_that_are_all_shorter_than_header_are_filled_with_nulls() -> None:
    table, facts = read("a;b;c\n1;2\n3;4\n")
    assert list(table.rows()) == [(1, 2, None), (3, 4, None)]
    assert facts.warnings == ["2 rows are shorter than the header; the missing cells are null."]


@pytest.mark.parametrize("row", [f"|{' ' * 200_000}x", f"{' ' * 200_000}-x|", f"-|{' ' * 200_000}x"])
def test_long_line_below_one_with_pipes_is_not_the_rule_of_a_table(row: str) -> None:
    assert not has_table(f"a|b\n{row}\n")
    assert has_table("a|b\n -|-\n")
