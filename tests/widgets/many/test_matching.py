"""Columns that match keys, the row that fits worst, and names of files."""

import pytest

import mediakit
from mediakit.widgets.inputs.rows import match_columns, read_source
from mediakit.widgets.many.run import default_pattern, worst_row

CERTIFICATE = {key.name: () for key in mediakit.templates()["certificate"].keys}
QR = {"data": ("text", "url"), "size": (), "dark": ()}


@pytest.mark.parametrize(
    ("columns", "keys", "matched"),
    [
        (["recipient", "course"], CERTIFICATE, {"recipient": "recipient", "course": "course"}),
        (["Full Name", "Certificate-ID"], CERTIFICATE, {"Full Name": "recipient", "Certificate-ID": "certificate_id"}),
        (["Nombre", "Título", "Fecha"], CERTIFICATE, {"Nombre": "recipient", "Título": "title", "Fecha": "date"}),
        (["recipent", "room"], CERTIFICATE, {"recipent": "recipient"}),
        (["name", "recipient"], CERTIFICATE, {"recipient": "recipient"}),
        (["Web site", "Size"], QR, {"Web site": "data", "Size": "size"}),
        (["anything"], QR, {"anything": "data"}),
        (["course", "name"], CERTIFICATE, {"course": "course", "name": "recipient"}),
        (["a", "b"], QR, {}),
    ],
)
def test_columns_match_keys_by_name(columns: list[str], keys: dict[str, tuple[str, ...]], matched: object) -> None:
    main = ["recipient"] if keys is CERTIFICATE else ["data"]
    assert match_columns(columns, keys, main) == matched


def test_row_with_most_misfits_is_worst_then_the_longest() -> None:
    rows = [{"a": "x"}, {"a": "xx", "b": "y" * 9}, {"a": "xxxxx", "b": "y"}, {}]
    assert worst_row(rows, lambda _: 0) == 1
    assert worst_row(rows, lambda index: index == 2) == 2
    assert worst_row([], lambda _: 0) == 0


def test_only_candidates_of_a_large_table_are_measured() -> None:
    measured: set[int] = set()

    def misfits(index: int) -> int:
        measured.add(index)
        return 0

    worst_row([{"a": "x" * (index % 50)} for index in range(5000)], misfits)
    assert len(measured) < 50
    assert 49 in measured


def test_default_names_are_of_a_column_with_short_texts() -> None:
    links = read_source([{"url": "https://example.com/1", "who": "Ada"}], "data")
    assert default_pattern(links, ["url"], ["url"]) == "{who}"
    assert default_pattern(read_source(["https://example.com/1"], "data"), ["data"], ["data"]) == "{row}"
    assert default_pattern(read_source([{"data": "tea"}], "data"), ["data"], ["data"]) == "{data}"
