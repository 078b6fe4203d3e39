"""The tool `data_profile`."""

import csv
import io
import json
import math
import random
from typing import Any

import pytest

import mediakit
from mediakit.errors import InvalidInput
from mediakit.samples import SALES
from mediakit.tools.data.data_profile.problems.values import LAST_BIRTH_DATE
from tests.conftest import Api

pl: Any = pytest.importorskip("polars")


def lines(*rows: str) -> str:
    return "\n".join([*rows, ""])


def kinds(**source: Any) -> set[tuple[str | None, str]]:
    return {(problem["column"], problem["kind"]) for problem in mediakit.data_profile(**source).problems}


PLANTED = [
    ("mixed_types", "age", [3, 6], lines("id,age", "1,12", "2,13", "3,abc", "4,31", "5,32", "6,old")),
    ("numbers_as_text", "weight", [1, 2, 3], lines("id,weight", "1,12 kg", "2,7.5 kg", "3,30 kg")),
    ("leading_zeros_lost", "zip", [2, 5], lines("id,zip", "1,28001", "2,8001", "3,46002", "4,41003", "5,8010")),
    ("leading_zeros_lost", "branch", [3], lines("id,branch", "1,0041", "2,0107", "3,12", "4,2301", "5,0009")),
    ("dates_ambiguous", "day", [1, 2, 3], lines("id,day", "1,03/04/2024", "2,05/06/2024", "3,01/02/2024")),
    ("dates_in_two_orders", "day", [2], lines("id,day", "1,13/04/2024", "2,05/26/2024", "3,14/02/2024")),
    ("dates_in_two_orders", "day", [2], lines("id,day", "1,2024-04-05", "2,25/12/2024", "3,2024-01-02")),
    ("impossible_dates", "day", [1, 4], lines("n,day", "1,2024-02-30", "2,2024-02-21", "3,2024-01-02", "4,2023-02-29")),
    ("impossible_dates", "day", [2], lines("id,day", "1,30/04/2024", "2,31/04/2024", "3,21/05/2024")),
    ("future_birth_dates", "birth_date", [2], lines("id,birth_date", "1,1990-01-02", "2,2031-05-06", "3,1985-05-05")),
    ("spaces_around", "city", [1, 2], lines("id,city", "1, Oslo", "2,Rome ", "3,Paris", "4,Gent")),
    ("case_variants", "city", [2, 3], lines("id,city", "1,Oslo", "2,oslo", "3,OSLO", "4,Rome", "5,Oslo", "6,Rome")),
    ("case_variants", "sex", [4], lines("id,sex", "1,m", "2,f", "3,m", "4,M", "5,f", "6,m")),
    ("near_duplicates", "city", [1, 2], lines("id,city", "1,Madrid ", "2,madrid", "3,Madrid", "4,Rome", "5,Madrid")),
    ("near_duplicates", "city", [3], lines("id,city", "1,New York", "2,New York", "3,New-York", "4,Rome", "5,Rome")),
    ("mojibake", "city", [1, 3], lines("id,city", "1,MÃ¡laga", "2,Madrid", "3,CÃ³rdoba", "4,Rome")),
    ("mojibake", "city", [2], lines("id,city", "1,Madrid", "2,M\N{REPLACEMENT CHARACTER}laga", "3,Rome")),
    ("negative_counts", "quantity", [2], lines("id,quantity", "1,4", "2,-3", "3,5")),
    ("nulls_in_several_ways", "amount", [2, 3, 4, 6], lines("id,amount", "1,4", "2,NA", "3,", "4,-", "5,7", "6,null")),
    ("nulls_in_several_ways", "city", [2, 3], lines("id,city", "1,Oslo", "2,N/A", "3,", "4,Rome")),
    ("ids_repeat", "id", [3, 4], lines("id,name", "1,Ana", "2,Ben", "3,Cleo", "3,Dan", "5,Eva", "6,Fred")),
    ("totals_row", None, [4], lines("product,units,price", "A,3,2.5", "B,4,1.5", "C,5,6", "Total,12,10")),
    ("totals_row", None, [4], lines("product,units", "A,3", "B,4", "C,5", ",12")),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "column", "rows", "text"), PLANTED)
def test_planted_problem_is_found_in_its_rows(kind: str, column: str | None, rows: list[int], text: str) -> None:
    profile = mediakit.data_profile(text=text, encoding="utf-8")
    (found,) = (one for one in profile.problems if (one["column"], one["kind"]) == (column, kind))
    assert (found["rows"], found["count"]) == (rows, len(rows))
    assert found["sentence"].endswith(".")
    assert found["fix"].endswith(".")
    assert profile.score < 100
    if column is not None:
        assert found["sentence"] in profile[column]["problems"]


def test_one_value_of_more_than_95_percent_is_a_problem() -> None:
    text = lines("id,status", *(f"{number},active" for number in range(1, 99)), "99,closed", "100,closed")
    (problem,) = mediakit.data_profile(text=text).problems
    assert (problem["column"], problem["kind"], problem["count"]) == ("status", "one_value", 98)
    assert problem["sentence"] == 'Column "status": "active" is 98.0 % of the values.'
    exactly = lines(
        "id,status", *(f"{number},active" for number in range(1, 96)), *(f"{n},closed" for n in range(96, 101))
    )
    assert kinds(text=exactly) == set()


def test_numbers_stored_as_text_of_json_are_a_problem() -> None:
    rows = [{"id": number, "amount": str(number * 3)} for number in range(9)]
    assert kinds(rows=rows) == {("amount", "numbers_as_text")}
    one = [{"id": number, "amount": "12" if number == 4 else number * 3} for number in range(9)]
    (problem,) = mediakit.data_profile(rows=one).problems
    assert (problem["kind"], problem["rows"]) == ("numbers_as_text", [5])


CLEAN = {
    "codes": lines("order,customer,zip,phone", "00017,Ana,04001,+34 600 111 222", "00018,Ben,28013,+34 611 222 333"),
    "codes of JSON": [{"sku": f"{n:05d}", "postcode": f"{28000 + n}"} for n in range(1, 30)],
    "house numbers": lines("street,house", "Elm,12", "Oak,12a", "Ash,7", "Fir,9", "Yew,14b", "Bay,3"),
    "foreign keys": lines("order_id,customer_id,total", "1,7,3.5", "2,7,9", "3,8,2", "4,9,2", "5,7,1"),
    "sequence": lines("number,name", *(f"{n},Person {n}" for n in range(1, 1200))),
    "amounts": lines("amount,change", *(f"{n * 37 % 1009},{n - 50}" for n in range(1, 100))),
    "dates": lines("day,birth_date", "2024-01-31,1990-02-28", "2024-02-29,2000-02-29", "2030-01-01,1950-12-31"),
    "names": lines("name,city", "José,Málaga", "Jose,Köln", "Zoë,Århus", "Łukasz,Kraków", "Ana,São Paulo"),
    "namibia": lines("country,people", "NA,3", "NO,5", "ES,7", "DE,9"),
    "town": lines("town,visitors", "None,3", "Why,5", "Null Island,7"),
    "names of languages": lines("id,language", "1,C", "2,C++", "3,C#", "4,C", "5,C++", "6,C#"),
    "tokens": [{"token": token, "n": n} for n, token in enumerate(["aB3x", "Ab3x", "ab3X", "zz9Q", "qq8P"])],
    "versions": lines("package,version", "a,1.2.24", "b,1.10.3", "c,2.0.1", "d,10.4.11"),
    "times": lines("opens,closes", "09:00,17:30", "08:15,16:00", "10:00,18:45"),
    "temperatures": lines("city,temperature", "Oslo,-4", "Rome,12", "Cairo,24", "Nome,-18"),
    "percentages": lines("year,growth", "2021,1.5", "2022,-0.4", "2023,2.25"),
    "total products": lines("company,units", "Shell,3", "Total,9", "Eni,7", "BP,2"),
    "last is a sum": lines("n,m", "1,10", "2,20", "3,30", "6,60"),
    "sales": SALES.read_text("utf-8"),
}


@pytest.mark.parametrize("name", CLEAN)
def test_clean_table_has_no_problems(name: str) -> None:
    table = CLEAN[name]
    assert kinds(**({"text": table} if isinstance(table, str) else {"rows": table})) == set()


def made(seed: int, rows: int) -> dict[str, list[Any]]:
    chance = random.Random(seed)
    return {
        "id": list(range(rows)),
        "visits": [chance.choice([None, *range(50)]) for _ in range(rows)],
        "delta": [chance.choice([None, 0.0, chance.random(), -chance.random()]) for _ in range(rows)],
        "amount": [round(chance.lognormvariate(4, 1), 2) for _ in range(rows)],
        "big": [chance.randrange(-(10**17), 10**17) for _ in range(rows)],
        "city": [chance.choice(["Oslo", "Rome", "Gent", None]) for _ in range(rows)],
        "flag": [chance.choice([True, False, None]) for _ in range(rows)],
    }


def written(table: dict[str, list[Any]]) -> str:
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\n")
    writer.writerow(table)
    writer.writerows(zip(*table.values(), strict=True))
    return target.getvalue().replace("True", "true").replace("False", "false")


@pytest.mark.parametrize(("seed", "rows"), [(1, 2), (2, 7), (3, 100), (4, 2500)])
@pytest.mark.parametrize("is_text", [True, False])
def test_statistics_are_those_of_polars(seed: int, rows: int, is_text: bool) -> None:
    table = made(seed, rows)
    frame = pl.DataFrame(table, strict=False)
    profile = mediakit.data_profile(text=written(table)) if is_text else mediakit.data_profile(frame)
    assert profile.rows == rows
    assert profile.duplicate_rows == rows - frame.n_unique()
    for name in table:
        assert_same(profile[name], frame[name].drop_nulls(), frame[name])


def assert_same(column: Any, values: Any, series: Any) -> None:
    assert (column["count"], column["nulls"]) == (series.count(), series.null_count())
    assert column["distinct"] == values.n_unique()
    assert column["unique"] == (len(values) > 0 and values.n_unique() == len(values))
    counts = sorted(values.value_counts()["count"].to_list(), reverse=True)
    assert [one["count"] for one in column["top"]] == counts[:5]
    for one in column["top"]:
        assert (values == one["value"]).sum() == one["count"]
    if values.dtype.is_numeric() and len(values):
        assert (column["min"], column["max"]) == (values.min(), values.max())
        assert column["mean"] == pytest.approx(values.mean(), rel=1e-9)
        assert column["median"] == pytest.approx(values.median(), rel=1e-12)
        assert column["std"] == (None if len(values) == 1 else pytest.approx(values.std(), rel=1e-9))
        quantiles = [values.quantile(q, interpolation="linear") for q in (0.05, 0.25, 0.5, 0.75, 0.95)]
        assert column["quantiles"] == pytest.approx(quantiles, rel=1e-12)
        assert (column["zeros"], column["negatives"]) == ((values == 0).sum(), (values < 0).sum())
        assert sum(one["count"] for one in column["histogram"]) == len(values)


def test_histogram_has_20_bins_from_minimum_to_maximum() -> None:
    column: Any = mediakit.data_profile({"x": [0, 1, 2, 3, 20, 20.0]})["x"]
    bins = column["histogram"]
    assert len(bins) == 20
    assert (bins[0]["from"], bins[-1]["to"], bins[-1]["count"]) == (0, 20, 2)
    assert [one["count"] for one in bins[:5]] == [1, 1, 1, 1, 0]


def test_histogram_of_dates_has_dates_as_edges() -> None:
    column: Any = mediakit.data_profile(text=lines("day", "2024-01-01", "2024-01-21", "2024-01-21"))["day"]
    assert (column["histogram"][0]["from"], column["histogram"][-1]["to"]) == ("2024-01-01", "2024-01-21")
    assert [one["count"] for one in column["histogram"]] == [1, *[0] * 18, 2]


def test_outliers_are_beyond_three_interquartile_ranges() -> None:
    values = [*range(1, 100), 250, 1000, -400]
    column: Any = mediakit.data_profile({"x": values})["x"]
    lower, upper = column["quantiles"][1], column["quantiles"][3]
    expected = [value for value in values if value > upper + 3 * (upper - lower) or value < lower - 3 * (upper - lower)]
    assert column["outliers"]["count"] == len(expected)
    assert column["outliers"]["values"] == [1000, -400, 250] == sorted(expected, key=lambda value: -abs(value))


def test_numbers_without_spread_have_no_outliers() -> None:
    assert mediakit.data_profile({"x": [0] * 50 + [9]})["x"]["outliers"] == {"count": 0, "values": []}


SEMANTICS = {
    "email": ["ana@example.com", "ben@example.org"],
    "phone": ["+34 600 111 222", "+49 30 123456"],
    "url": ["https://example.com/a", "http://example.org"],
    "iban": ["DE89 3704 0044 0532 0130 00", "GB29NWBK60161331926819"],
    "postcode": ["SW1A 1AA", "M1 1AE", "EC1A 1BB"],
    "country": ["ES", "NO", "PT", "DE"],
    "uuid": ["123e4567-e89b-12d3-a456-426614174000", "123e4567-e89b-12d3-a456-426614174001"],
    "currency": ["€12.50", "€3", "€1,200.00"],
    "percent": ["12 %", "7.5 %", "100 %"],
    "id": ["A-001", "A-002", "A-003"],
    "category": ["new", "paid", "new", "paid", "new"],
}


@pytest.mark.parametrize("semantic", SEMANTICS)
def test_meaning_of_values_is_recognized(semantic: str) -> None:
    assert mediakit.data_profile({"x": SEMANTICS[semantic]})["x"]["semantic"] == semantic


@pytest.mark.parametrize(
    ("name", "values", "semantic"),
    [("zip", ["28001", "04001"], "postcode"), ("customer_id", [7, 9, 12], "id"), ("discountPct", [0.1, 0.2], "percent"),
     ("price", [1.5, 2.0], "currency"), ("x", [1.5, 2.0], None), ("text", ["one", "two", "three words"], None)],
)  # fmt: skip
def test_name_of_column_helps_to_find_meaning(name: str, values: list[Any], semantic: str | None) -> None:
    assert mediakit.data_profile({name: values})[name]["semantic"] == semantic


def test_formats_of_dates_are_listed() -> None:
    profile = mediakit.data_profile(SALES)
    assert (profile["day"]["formats"], profile["day"]["min"], profile["day"]["max"]) == (
        ["dmy"],
        "2025-01-03",
        "2025-03-19",
    )
    assert mediakit.data_profile(text=lines("d,e", "2024-01-31,5 May 2024"))["e"]["formats"] == ["d mon y"]


def test_rows_that_repeat_and_empty_rows_are_counted() -> None:
    rows: list[Any] = [
        {"a": 1, "b": "x"},
        {"a": 1, "b": "x"},
        {"a": None, "b": None},
        {"a": 1, "b": "y"},
        {"a": 1, "b": "x"},
    ]
    profile = mediakit.data_profile(rows)
    assert (profile.duplicate_rows, profile.empty_rows, profile.key_candidates) == (2, 1, [])


def test_single_column_has_no_duplicate_rows() -> None:
    pd = pytest.importorskip("pandas")
    colors = pd.Series(["red", "green", "blue"] * 200, dtype="category")
    for column in (colors, colors.to_frame("color"), pl.Series("color", ["red", "green", "blue"] * 200)):
        profile = mediakit.data_profile(column)
        assert (profile.duplicate_rows, profile.problems, profile.score) == (0, [], 100)


def test_empty_and_constant_columns_are_named() -> None:
    profile = mediakit.data_profile({"a": [1, 2], "b": [None, None], "c": ["x", "x"], "d": [None, 4]})
    assert (profile.empty_columns, profile.constant_columns) == (["b"], ["c", "d"])


def test_smallest_keys_are_found() -> None:
    single = mediakit.data_profile({"n": [0.5, 1.5, 2.5], "id": [1, 2, 3], "c": ["x", "x", "y"], "o": [1, 2, None]})
    assert single.key_candidates == [["id"], ["n"]]
    pair = mediakit.data_profile({"day": [1, 1, 2, 2], "shop": ["a", "b", "a", "b"], "sales": [3, 3, 3, 4]})
    assert pair.key_candidates == [["day", "shop"]]
    places = [(a, b, c) for a in "xy" for b in "xy" for c in "xy"]
    triple = mediakit.data_profile({name: [place[at] for place in places] for at, name in enumerate("abc")})
    assert triple.key_candidates == [["a", "b", "c"]]


def test_correlations_are_those_of_polars() -> None:
    chance = random.Random(5)
    x = [chance.random() for _ in range(400)]
    table = {
        "x": x,
        "y": [value**9 for value in x],
        "z": [chance.choice([None, -value]) for value in x],
        "noise": [chance.random() for _ in x],
    }
    frame = pl.DataFrame(table)
    found = {(pair["a"], pair["b"]): pair for pair in mediakit.data_profile(frame).correlations}
    assert found.keys() == {("x", "y"), ("x", "z"), ("y", "z")}
    for (a, b), pair in found.items():
        known = frame.select(a, b).drop_nulls()
        for method in ("pearson", "spearman"):
            assert pair[method] == pytest.approx(known.select(pl.corr(a, b, method=method)).item(), abs=1e-6)


def test_longer_table_is_sampled_evenly() -> None:
    profile = mediakit.data_profile({"n": list(range(1000))}, max_rows=10)
    assert (profile.rows, profile.meta["rows"], profile.meta["sampled"]) == (10, 1000, True)
    assert (profile["n"]["min"], profile["n"]["max"]) == (0, 999)
    assert profile["n"]["mean"] == pytest.approx(499.5, abs=1)
    assert profile.meta["warnings"] == ["The profile is of an even sample of 10 of 1,000 rows; set max_rows for more."]
    assert mediakit.data_profile({"n": [1, 2]}, max_rows=2).meta["sampled"] is False


def test_rows_of_a_sample_keep_their_numbers() -> None:
    values = [*(f"{number}" for number in range(199)), "word"]
    (problem,) = mediakit.data_profile(text=lines("n", *values), max_rows=50).problems
    assert (problem["kind"], problem["rows"]) == ("mixed_types", [200])


def test_top_and_sample_are_as_long_as_wanted() -> None:
    profile = mediakit.data_profile(SALES, top=2, sample=3)
    assert profile["items"]["top"] == [{"value": 1, "count": 2}, {"value": 3, "count": 1}]
    assert [row["order"] for row in profile.sample] == ["00017", "00018", "00019"]
    nothing = mediakit.data_profile(SALES, top=0, sample=0)
    assert (nothing["items"]["top"], nothing.sample) == ([], [])


def test_rows_are_checked_against_schema() -> None:
    schema = {"properties": {"age": {"type": "integer", "minimum": 18}, "email": {"type": "string", "pattern": "@"}}}
    rows = [{"age": 20, "email": "a@b.c"}, {"age": 7, "email": "x"}, {"age": None, "email": "d@e.f"}]
    profile = mediakit.data_profile(rows, schema=schema)
    assert profile.schema_error_count == 3
    assert profile.schema_errors == [
        {"row": 2, "column": "age", "message": "must be at least 18, got 7."},
        {"row": 2, "column": "email", "message": 'must match the pattern "@", got "x".'},
        {"row": 3, "column": "age", "message": "must be integer, got null."},
    ]


def test_schema_of_array_is_for_all_rows() -> None:
    schema: Any = {"type": "array", "minItems": 3, "items": {"properties": {"a": {"maximum": 1}}}}
    profile = mediakit.data_profile([{"a": 1}, {"a": 2}], schema=schema)
    assert [(error["row"], error["column"]) for error in profile.schema_errors] == [(None, None), (2, "a")]


def test_schema_with_conditions_is_checked_row_by_row() -> None:
    schema: Any = {"if": {"properties": {"kind": {"const": "b"}}}, "then": {"properties": {"n": {"minimum": 5}}}}
    profile = mediakit.data_profile(
        [{"kind": "a", "n": 1}, {"kind": "b", "n": 1}, {"kind": "b", "n": 7}], schema=schema
    )
    assert [(error["row"], error["column"]) for error in profile.schema_errors] == [(2, "n")]


def test_schema_refers_to_its_own_definitions() -> None:
    schema: Any = {"properties": {"a": {"$ref": "#/$defs/small"}}, "$defs": {"small": {"maximum": 3}}}
    assert mediakit.data_profile({"a": [1, 5, 5]}, schema=schema).schema_error_count == 2


def test_required_and_unknown_columns_are_errors_of_every_row() -> None:
    schema: Any = {"properties": {"a": {}}, "required": ["b"], "additionalProperties": False}
    profile = mediakit.data_profile({"a": [1, 2], "c": [1, 2]}, schema=schema)
    assert [(error["row"], error["column"]) for error in profile.schema_errors] == [
        (1, "b"),
        (1, "c"),
        (2, "b"),
        (2, "c"),
    ]


def test_at_most_100_errors_are_listed_and_all_are_counted() -> None:
    profile = mediakit.data_profile({"a": list(range(500))}, schema={"properties": {"a": {"maximum": 9}}})
    assert (len(profile.schema_errors), profile.schema_error_count) == (100, 490)
    assert profile.schema_errors[-1]["row"] == 110


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ({"type": 5}, "schema: is not a JSON Schema: type must be a string."),
        ({"minimum": "x"}, "schema: is not a JSON Schema: minimum must be a number."),
        ({"$ref": "https://example.com/s.json"}, "other documents are not fetched"),
        ({"properties": {"a": {"$ref": "file:///etc/passwd"}}}, "other documents are not fetched"),
        ({"properties": {"a": {"$ref": "#/nowhere"}}}, "leads nowhere"),
        ({"properties": {"a": {"pattern": "("}}}, "schema: a pattern is not a regular expression"),
        ("[1]", "schema: must be an object"),
        ("{", "the text is not JSON"),
        ({"title": "x" * 200_000}, "schema: must have at most 200,000 characters of JSON"),
        ({"not": json.loads('{"not":' * 150 + "{}" + "}" * 150)}, "levels deep"),
    ],
)
def test_schema_that_cannot_be_used_is_refused(schema: Any, message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        mediakit.data_profile({"a": ["x"]}, schema=schema)
    assert message in str(caught.value)


def test_schema_of_literals_may_have_references_as_data() -> None:
    schema: Any = {"properties": {"a": {"enum": [{"$ref": "https://example.com"}, "x"]}}}
    assert mediakit.data_profile({"a": ["x"]}, schema=schema).schema_errors == []


def test_births_after_a_fixed_day_are_future() -> None:
    assert kinds(text=lines("born", LAST_BIRTH_DATE, "1990-01-01")) == set()


HOSTILE: dict[str, Any] = {
    "huge integers": {"a": [10**400, 5, None]},
    "ends of floats": {"a": [1.7e308, -1.7e308, 0.0]},
    "neighboring floats": {"a": [1e16, 1e16 + 2, 1e16 + 2]},
    "tiny floats": {"a": [5e-324, 0.0, 1e-320]},
    "no rows": [],
    "nested": [{"a": [1, {"b": 2}]}, {"a": None}],
    "names of HTML": {"<script>alert(1)</script>": ["<b>x</b>", "$x$ & y"]},
    "empty name": {"": [1, 2]},
    "long texts": {"a": ["x" * 5000, "y" * 70_000]},
    "digits of other scripts": {"a": ["١٢٣", "٤٥", "²³"], "year": ["٢٠٢٤-٠١-٠١", "x", "y"]},
}


@pytest.mark.parametrize("name", HOSTILE)
def test_unusual_table_is_profiled_and_shown(name: str) -> None:
    profile = mediakit.data_profile(HOSTILE[name])
    assert json.loads(profile.to_json())["rows"] == profile.rows
    shown = profile._repr_mimebundle_()[0]["text/html"]
    assert "<script" not in shown
    assert "<b>" not in shown
    assert all(
        math.isfinite(value) for column in profile for value in (column["mean"], column["std"]) if value is not None
    )


def test_table_without_rows_keeps_its_columns() -> None:
    profile = mediakit.data_profile(text="a,b\n", header=True)
    assert [(column["name"], column["count"], column["unique"]) for column in profile] == [
        ("a", 0, False),
        ("b", 0, False),
    ]
    assert (profile.rows, profile.empty_columns, profile.key_candidates) == (0, ["a", "b"], [])


def test_result_is_a_frame_with_a_row_for_each_column() -> None:
    profile = mediakit.data_profile(SALES)
    frame = profile.to_frame()
    assert list(frame["name"]) == ["order", "customer", "city", "day", "items", "amount", "paid"]
    assert frame.loc[frame["name"] == "items", "q50"].item() == 3.5
    assert repr(profile) == "<ProfileResult 8 rows × 7 columns, no problems, score 99>"
    assert (len(profile), profile["items"]["max"], [column["name"] for column in profile][:2]) == (
        7,
        12,
        ["order", "customer"],
    )
    with pytest.raises(KeyError):
        profile["cost"]


def test_notebook_shows_problems_before_cards() -> None:
    profile = mediakit.data_profile(text=PLANTED[0][-1])
    shown = profile._repr_mimebundle_()[0]["text/html"]
    assert shown.index("2 cells are not numbers") < shown.index(">mixed" if ">mixed" in shown else "Histogram of id")
    assert shown.count("<svg") == 2  # the score, and the histogram of the ids
    assert 'aria-label="Score 92 of 100"' in shown


def test_same_table_has_the_same_profile() -> None:
    assert mediakit.data_profile(SALES).to_json() == mediakit.data_profile(SALES).to_json()


def test_profiles_arrays_that_are_declared_as_text() -> None:
    file = io.BytesIO()
    pl.DataFrame({"tags": [[1, 2], None]}).write_parquet(file)
    found = mediakit.data_profile(file.getvalue(), types="text")
    assert found["tags"]["top"] == [{"value": "[1, 2]", "count": 1}]


def test_problems_of_a_declared_type_are_not_invented() -> None:
    assert kinds(text=lines("code,n", "1,1", "x,2", "3,3", "4,4"), types={"code": "text"}) == set()


def test_data_frame_of_pandas_is_profiled() -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"n": [1, 2, None], "day": pd.to_datetime(["2024-01-01", "2024-02-01", None])})
    profile = mediakit.data_profile(frame)
    assert [(column["type"], column["count"]) for column in profile] == [("integer", 2), ("datetime", 2)] or [
        (column["type"], column["count"]) for column in profile
    ] == [("number", 2), ("datetime", 2)]


@pytest.mark.parametrize("sheet", ["*"])
def test_all_sheets_at_once_are_refused(sheet: str) -> None:
    book = mediakit.data_convert(SALES, to="xlsx").content
    profile = mediakit.data_profile(book, sheet=1)
    assert profile.rows == 8
    assert [column["type"] for column in profile][:4] == ["text", "text", "text", "date"]
    assert mediakit.data_profile(book, sheet=sheet).rows == 8


def test_exactly_one_source_is_required() -> None:
    with pytest.raises(InvalidInput, match="exactly one of file, text and rows is required, got none"):
        mediakit.data_profile()
    with pytest.raises(InvalidInput, match="got file, text"):
        mediakit.data_profile(SALES, text="a,b")


@pytest.mark.anyio
async def test_http_answers_json_for_every_kind_of_body(api: Api) -> None:
    content = SALES.read_bytes()
    key = {"x-api-key": api.key}
    raw = await api.http.post(
        "/data-profile?top=1&sample=0", content=content, headers={**key, "content-type": "text/csv"}
    )
    form = await api.http.post(
        "/data-profile", data={"top": "1", "sample": "0"}, files={"file": ("s.csv", content)}, headers=key
    )
    body = {"text": content.decode(), "top": 1, "sample": 0, "schema": {"properties": {"items": {"maximum": 5}}}}
    sent = await api.http.post("/data-profile", json=body, headers=key)
    assert [answer.status_code for answer in (raw, form, sent)] == [200, 200, 200]
    assert raw.json()["columns"] == form.json()["columns"] == sent.json()["columns"]
    assert (raw.json()["success"], raw.json()["rows"], raw.json()["meta"]["warnings"]) == (True, 8, [])
    assert sent.json()["schema_error_count"] == 3


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({"text": "a,b\n1,2\n", "schema": {"type": 5}}, "schema: is not a JSON Schema: type must be a string."),
        ({"text": "a,b\n1,2\n", "max_rows": 0}, "max_rows"),
        ({"text": "a,b\n1,2\n", "output": "binary"}, "output: this tool answers json only."),
        ({"text": 'a,b\n1,"2\n'}, "text: line 2: a quote opens here and is never closed."),
    ],
)
async def test_http_refuses_what_cannot_be_profiled(body: dict[str, Any], error: str, api: Api) -> None:
    answer = await api.http.post("/data-profile", json=body, headers={"x-api-key": api.key})
    assert answer.status_code == 400
    assert error in answer.json()["error"]


def test_one_fact_is_one_problem() -> None:
    def kinds(*cities: str) -> list[str]:
        found = mediakit.data_profile(rows=[{"n": n, "city": city} for n, city in enumerate(cities * 4)])
        return [problem["kind"] for problem in found.problems]

    assert kinds("Lugo", "lugo", "Vigo") == ["case_variants"]
    assert kinds("Lugo", "Lugo ", "Vigo") == ["spaces_around"]
    assert kinds("San Juan", "San-Juan", "Vigo") == ["near_duplicates"]
    assert kinds("San Juan", "san juan", "San-Juan", "Vigo") == ["near_duplicates"]


@pytest.mark.parametrize("rows", [2, 7, 40])
def test_constant_column_of_any_length_is_a_problem(rows: int) -> None:
    profile = mediakit.data_profile(rows=[{"n": n, "currency": "EUR"} for n in range(rows)])
    assert profile.constant_columns == ["currency"]
    assert [(one["kind"], one["column"], one["count"]) for one in profile.problems] == [("one_value", "currency", rows)]


def test_rows_that_repeat_are_one_problem_and_not_repeated_identifiers_as_well() -> None:
    profile = mediakit.data_profile(text="id,city\n1,Vigo\n2,Lugo\n2,Lugo\n3,Ribadeo\n")
    assert profile.duplicate_rows == 1
    assert [(one["kind"], one["column"], one["rows"]) for one in profile.problems] == [("duplicate_rows", None, [3])]
    profile = mediakit.data_profile(text="id,city\n1,Vigo\n2,Lugo\n2,Foz\n3,Ribadeo\n")
    assert [one["kind"] for one in profile.problems] == ["ids_repeat"]


def test_percent_and_currency_columns_have_their_meaning() -> None:
    profile = mediakit.data_profile(text="share,fee\n12 %,$5.50\n3 %,$7\n")
    assert [(one["type"], one["semantic"]) for one in profile.columns] == [
        ("integer", "percent"),
        ("number", "currency"),
    ]


def test_schema_that_refers_to_itself_is_checked_once() -> None:
    assert mediakit.data_profile({"a": [1]}, schema={"$ref": "#"}).schema_error_count == 0


def test_pattern_that_backtracks_without_end_is_answered() -> None:
    profile = mediakit.data_profile({"a": ["a" * 60 + "b"]}, schema={"properties": {"a": {"pattern": "^(a+)+$"}}})
    assert profile.schema_error_count == 1


@pytest.mark.parametrize("cell", ["www." + "a." * 200_000 + " x", "a" + " " * 400_000 + "b\n c"])
def test_long_cell_among_short_ones_is_profiled(cell: str) -> None:
    rows = [f"Name {place} of many" for place in range(10_000)]
    found = mediakit.data_profile([*({"name": row} for row in rows), {"name": cell}])
    assert [(each["distinct"], each["max_length"]) for each in found.columns] == [(10_001, len(cell))]


def test_rows_that_repeat_are_found_among_many_different_values() -> None:
    rows = [[f"{column}-{place}" for column in range(8)] for place in range(3000)]
    rows += [rows[7], [*rows[8][:7], "other"], rows[7]]
    found = mediakit.data_profile([["a", "b", "c", "d", "e", "f", "g", "h"], *rows])
    assert found.duplicate_rows == 2
    assert [each["rows"] for each in found.problems if each["kind"] == "duplicate_rows"] == [[3001, 3003]]
    assert found.key_candidates == []
