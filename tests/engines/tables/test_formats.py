"""Kinds of sources: recognition by content, strict JSON, safe YAML, TOML, Markdown, nested values."""

from typing import Any

import pytest

from mediakit.engines.tables.model import Document, ReadOptions
from mediakit.engines.tables.reading import Source, as_tables, read_file, read_rows, read_source, read_text, text_kind
from mediakit.errors import InvalidInput


def value(text: str, kind: str) -> Any:
    return read_text(text, ReadOptions(input_format=kind, field="text")).value  # type: ignore[arg-type]


def table(text: str, **options: Any) -> Document:
    chosen = ReadOptions(**options)
    return as_tables(read_source(Source("text", text), chosen), chosen)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("a,b\n1,2\n", "csv"),
        ('[{"a": 1}]', "json"),
        ('{"a": 1}\n{"a": 2}\n', "jsonl"),
        ("[1, 2]\n[3, 4]\n", "jsonl"),
        ("name: Ana\nage: 3\n", "yaml"),
        ("- a\n- b\n", "yaml"),
        ("---\na: 1\n", "yaml"),
        ("[server]\nport = 80\n", "toml"),
        ("a = 1\nb = [\n  1,\n]\n", "toml"),
        ("# Title\n\n| a | b |\n|---|---|\n| 1 | 2 |\n", "markdown"),
        ("time: 8:30, x\nother\n", "csv"),
        ("name\nAna\n", "csv"),
    ],
)
def test_kind_of_text_is_found(text: str, kind: str) -> None:
    assert text_kind(text, "") == kind


def test_name_decides_between_kinds_of_text() -> None:
    assert text_kind("a: 1\n", "x.csv") == "csv"


def test_utf_16_with_a_mark_is_a_text() -> None:
    document = read_file("data,size\nThé,200\n".encode("utf-16"), "a.csv", ReadOptions())
    assert list(document.table.records()) == [{"data": "Thé", "size": 200}]


def test_image_is_refused_by_name() -> None:
    with pytest.raises(InvalidInput, match="got a PNG image"):
        read_file(b"\x89PNG\r\n\x1a\n0000", "a.csv", ReadOptions())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": 1,\n  "b" 2}', "text: is not JSON: line 2, column 7: expected a colon."),
        ("[1 2]", "text: is not JSON: line 1, column 4: expected a comma."),
        ('{"a": 1, "a": 2}', 'text: is not JSON: the key "a" occurs twice in an object.'),
        ("[NaN]", "text: is not JSON: NaN is not a number in JSON."),
        ("[-Infinity]", "text: is not JSON: -Infinity is not a number in JSON."),
        ("[1e999]", "text: is not JSON: 1e999 is too large a number."),
        ('["\\ud800"]', "text: is not JSON: a text has half of a surrogate pair."),
        ("[" * 300 + "]" * 300, "text: is not JSON: it has more than 200 levels of arrays and objects."),
        ("[" * 100_000, "text: must have at most 200 levels of arrays and objects."),
    ],
)
def test_json_that_is_not_strict_is_refused(text: str, message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        value(text, "json")
    assert str(caught.value) == message


def test_json_keeps_big_integers_exact() -> None:
    assert value("[123456789012345678901234567890]", "json") == [123456789012345678901234567890]


def test_yaml_is_version_1_2_of_the_core_schema() -> None:
    text = "a: no\nb: 012\nc: 0o14\nd: 1e3\ne: ~\nf: 2024-01-01\ng: !!str 12\nh: .5\n"
    assert value(text, "yaml") == {
        "a": "no", "b": 12, "c": 12, "d": 1000.0, "e": None, "f": "2024-01-01", "g": "12", "h": 0.5,
    }  # fmt: skip


def test_yaml_documents_are_an_array_and_merges_are_applied() -> None:
    assert value("a: 1\n---\nb: 2\n", "yaml") == [{"a": 1}, {"b": 2}]
    assert value("x: &x {a: 1, b: 2}\ny:\n  <<: *x\n  b: 3\n", "yaml")["y"] == {"a": 1, "b": 3}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: !python/object:os.system x\n", "line 1: the tag !python/object:os.system is not allowed"),
        ("a: 1\na: 2\n", 'line 2: the key "a" occurs twice'),
        ("a: [1\n", "is not YAML: line 2"),
        ("a: *b\n", "the anchor of *b is not defined"),
        ("[" * 150 + "]" * 150, "at most 100 levels"),
    ],
)
def test_yaml_beyond_the_rules_is_refused(text: str, message: str) -> None:
    with pytest.raises(InvalidInput, match=message.replace("*", r"\*").replace("[", r"\[")):
        value(text, "yaml")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a:\tb\t# note\nc: d\t\n", {"a": "b", "c": "d"}),
        ("- { two\n  words: x }\n", [{"two words": "x"}]),
        ("a: |\n\n  text\n", {"a": "\ntext\n"}),
        ("a: [\n  1\n]\n", {"a": [1]}),
        ("plain\n\tfolded\n", "plain folded"),
        ("...\n", []),
    ],
)
def test_yaml_of_version_1_2_is_read_where_older_parsers_fail(text: str, expected: Any) -> None:
    assert value(text, "yaml") == expected


@pytest.mark.parametrize(
    "text", ['a: "b"# c\n', "[a, b]#c\n", "[-, -]\n", "a: [1,\n2]\n", "a:\n\tb: 1\n", "- [\n\ta]\n"]
)
def test_yaml_that_is_not_of_version_1_2_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="is not YAML"):
        value(text, "yaml")


def test_yaml_bomb_of_aliases_is_refused() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 9)]
    with pytest.raises(InvalidInput, match="at most 10,000 nodes"):
        value("\n".join(lines), "yaml")


def test_toml_moments_are_texts_and_infinity_is_null() -> None:
    document = read_text("a = 1979-05-27T07:32:00Z\nb = inf\n", ReadOptions(input_format="toml"))
    assert document.value == {"a": "1979-05-27T07:32:00Z", "b": None}
    assert document.facts.warnings == ["NaN and infinity are null."]


def test_first_markdown_table_is_read() -> None:
    text = "Intro\n\n| a \\| b | n |\n|:--|--:|\n| x<br>y | 1 |\n| \\*z | 2 |\n\nEnd | here\n"
    found = table(text).table
    assert list(found.records()) == [{"a | b": "x\ny", "n": 1}, {"a | b": "*z", "n": 2}]


@pytest.mark.parametrize(
    ("text", "records"),
    [
        (
            '[{"a": 1, "b": "x"}, {"b": "y", "c": true}]',
            [{"a": 1, "b": "x", "c": None}, {"a": None, "b": "y", "c": True}],
        ),
        ('[["a", "b"], [1, 2]]', [{"a": 1, "b": 2}]),
        ("[[1, 2], [3, 4]]", [{"column_1": 1, "column_2": 2}, {"column_1": 3, "column_2": 4}]),
        ('{"a": [1, 2], "b": [3, 4]}', [{"a": 1, "b": 3}, {"a": 2, "b": 4}]),
        ('{"a": 1, "b": {"c": {"d": 2}}, "e": [1, {"f": 2}]}', [{"a": 1, "b.c.d": 2, "e": '[1, {"f": 2}]'}]),
        ('{"items": [{"a": 1}, {"a": 2}]}', [{"a": 1}, {"a": 2}]),
        ("[1, 2]", [{"column_1": 1}, {"column_1": 2}]),
    ],
)
def test_nested_values_become_tables(text: str, records: list[dict[str, object]]) -> None:
    assert list(table(text).table.records()) == records


def test_array_of_different_kinds_is_refused_as_a_table() -> None:
    with pytest.raises(InvalidInput, match="row 2 must be an object"):
        table('[{"a": 1}, [2]]')


def test_nested_values_stay_without_flatten() -> None:
    found = table('[{"a": {"b": 1}}]', flatten=False).table
    assert (found.columns[0].type, found.columns[0].values) == ("json", [{"b": 1}])


def test_rows_keep_their_types() -> None:
    found = read_rows([{"a": "007", "b": 1}, {"a": "1", "b": 2.5}], ReadOptions()).table
    assert [column.type for column in found.columns] == ["text", "number"]


def test_max_rows_keeps_the_first_rows_with_the_types_of_all() -> None:
    found = table("day,n\n03.04.2024,1\n13.04.2024,x\n", max_rows=1).table
    assert [column.type for column in found.columns] == ["date", "text"]
    assert list(found.rows()) == [("2024-04-03", "1")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{?a: 1, b?: 2, c?d: 3}", {"?a": 1, "b?": 2, "c?d": 3}),
        ("[?x, y?, http://h/?q=1]", ["?x", "y?", "http://h/?q=1"]),
        ("{? k : v}", {"k": "v"}),
        ('k: "a\n  \tb"', {"k": "a b"}),
        ('k: "a\n\n   b"', {"k": "a\nb"}),
        ('"a\nb"', "a b"),
        ("- |+\n   ", ["\n"]),
        ("a\n...\n%YAML 1.2\n---\nb\n", ["a", "b"]),
        ("---\na\n%b\n", "a %b"),
    ],
)
def test_yaml_scalars_and_directives_are_read_as_version_1_2_has_them(text: str, expected: Any) -> None:
    document = read_text(text, ReadOptions(input_format="yaml"))
    assert document.value == expected


@pytest.mark.parametrize(
    "text",
    [
        'k: "a\nb"',
        "k: 'a\nb'",
        'k: "a\n\tb"',
        '- "a\nb"',
        'a:\n  b: "c\n  d"',
        'k: ["a\nb"]',
        "a: b\n%YAML 1.2\n---\nc\n",
        "k: |\n\t\nb: 1\n",
        '"a\n---\nb"',
    ],
)
def test_yaml_with_wrong_indentation_or_a_late_directive_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="is not YAML"):
        read_text(text, ReadOptions(input_format="yaml"))


@pytest.mark.parametrize("text", ["[NaN]", "[Infinity]", "[nan]", "[-Infinity, 1]", "[NaN]\n", "[[NaN]]"])
def test_array_of_no_number_is_json_that_is_refused_and_not_toml(text: str) -> None:
    with pytest.raises(InvalidInput, match="is not JSON"):
        read_text(text, ReadOptions())


@pytest.mark.parametrize("text", ["[a]\nb = 1\n", "[[a]]\nb = 1\n", "[a.b]\n[a.c]\nd = 2\n"])
def test_toml_that_begins_with_a_table_is_toml(text: str) -> None:
    assert read_text(text, ReadOptions()).facts.input_format == "toml"
