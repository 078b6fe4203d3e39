"""`data_sample`: rows whose values agree, pass validation, do not repeat and are the same for a seed."""

import io
import json
import re
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import mediakit
from mediakit.core import snippets
from mediakit.errors import InvalidInput
from mediakit.tools.data.data_sample.kinds import ADDRESS_KINDS, KINDS
from mediakit.tools.data.data_sample.plan import Chance, locales
from mediakit.tools.data.data_sample.values import codes, people
from mediakit.tools.data.data_sample.values.places import cities

_REQUIRED: dict[str, dict[str, Any]] = {"choice": {"values": ["a", "b"]}, "formula": {"formula": "id * 2"}}
ALL_KINDS = {name: {"kind": name, **_REQUIRED.get(name, {})} for name in KINDS}


def column(kind: Any, rows: int = 200, **options: Any) -> list[Any]:
    """Return the values of one field."""
    return [row["x"] for row in mediakit.data_sample({"x": kind}, rows=rows, **{"seed": 5, **options})]


def message_of(fields: Any, **options: Any) -> str:
    with pytest.raises(InvalidInput) as caught:
        mediakit.data_sample(fields, **options)
    return caught.value.message


def test_companies_of_chile_stay_the_same_for_a_seed() -> None:
    rows = mediakit.data_sample({"company": "company"}, rows=2, lang="es_CL", seed=7).rows
    assert [row["company"] for row in rows] == ["Yanet Toro-Collao EIRL", "Carmona S.A."]


@pytest.mark.parametrize(
    "lang", ["en", "es", "de_DE", "ja_JP", "fr-CH", "ru", "pt_BR", "am_ET", "en_PH", "es_CL", "fil_PH", "tl_PH"]
)
def test_every_kind_has_values_in_a_language(lang: str) -> None:
    fields = {name: kind for name, kind in ALL_KINDS.items() if name != "tax_id"}
    for row in mediakit.data_sample(fields, rows=20, lang=lang, seed=1):
        assert all(value not in (None, "") for value in row.values()), row


def test_values_have_the_types_of_their_columns() -> None:
    made = mediakit.data_sample(ALL_KINDS, rows=5, seed=1)
    classes: dict[str, Any] = {"integer": int, "number": (int, float), "boolean": bool}
    for described in made.columns:
        kind = classes.get(described["type"], str)
        assert all(isinstance(row[described["name"]], kind) for row in made), described
    assert [each["name"] for each in made.columns] == list(ALL_KINDS)
    assert made.meta["columns"][0] == {"name": "id", "type": "integer", "kind": "id"}


def test_names_gender_and_email_of_a_row_agree() -> None:
    fields = ["first_name", "last_name", "name", "gender", "email"]
    genders: dict[str, set[str]] = {}
    for row in mediakit.data_sample(fields, rows=1000, lang="de_DE", seed=2):
        assert row["name"] == f"{row['first_name']} {row['last_name']}"
        initial = row["first_name"][0].lower()
        assert row["email"][0] in {"ä": "a", "ö": "o", "ü": "u"}.get(initial, initial)
        genders.setdefault(row["first_name"], set()).add(row["gender"])
    assert {gender for each in genders.values() for gender in each} == {"weiblich", "männlich"}
    assert sum(len(each) == 1 for each in genders.values()) > 0.95 * len(genders)


def test_email_has_the_names_in_latin_letters() -> None:
    for lang, names in (("ja", r"[a-z]"), ("ru", r"[a-z]"), ("ko", r"[a-z]"), ("el", r"[a-z]"), ("es", r"[a-z]")):
        for email in column("email", lang=lang):
            assert re.fullmatch(rf"{names}[a-z0-9._]*@example\.(com|org|net)", email), email
    assert [
        row["email"].partition("@")[0].rstrip("0123456789")
        for row in mediakit.data_sample("name, email", rows=3, lang="ja", seed=2)
    ][1:] == ["hideki.kimura", "kyosuke.saito"]


def test_second_field_of_a_kind_is_a_second_person() -> None:
    fields = {"buyer": "name", "buyer_mail": "email", "seller": "name", "seller_mail": "email"}
    rows = list(mediakit.data_sample(fields, rows=100, seed=4))
    assert sum(row["buyer"] == row["seller"] for row in rows) < 5
    for row in rows:
        assert row["seller_mail"][0] == row["seller"][0].lower()


def test_city_postcode_and_position_agree() -> None:
    by_name = {city.name: city for city in cities("ES")}
    for row in mediakit.data_sample(
        "city, postcode, address, latitude, longitude, country", rows=200, lang="es", seed=1
    ):
        city = by_name[row["city"]]
        assert row["postcode"][:2] == city.postcode[:2]
        assert abs(row["latitude"] - city.latitude) < 0.1
        assert abs(row["longitude"] - city.longitude) < 0.1
        assert row["address"].endswith(f", {row['postcode']} {row['city']}")
        assert row["country"] == "España"


def test_country_alone_is_any_country_with_its_code() -> None:
    rows = list(mediakit.data_sample("country, country_code", rows=500, lang="de", seed=1))
    assert {"country": "Frankreich", "country_code": "FR"} in rows
    assert len({row["country_code"] for row in rows}) > 150
    assert {"country"} & ADDRESS_KINDS == set()


def test_price_category_and_sku_fit_the_product() -> None:
    prices: dict[str, set[Any]] = {}
    for row in mediakit.data_sample("product, price, category, sku", rows=500, seed=1):
        prices.setdefault(row["product"], set()).add((row["price"], row["category"], row["sku"][:7]))
    assert len(prices) > 30
    assert all(len(each) == 1 for each in prices.values())


@pytest.mark.parametrize("country", codes.COUNTRIES)
def test_ibans_are_valid_and_of_no_bank(country: str) -> None:
    checked = mediakit.validate_iban(values=column({"kind": "iban", "country": country}))
    assert checked.valid_count == 200
    assert {each["bank_name"] for each in checked.results} == {None}


@pytest.mark.parametrize("country", codes.TAX_ID_COUNTRIES)
def test_tax_numbers_are_valid(country: str) -> None:
    checked = mediakit.validate_tax_id(values=column({"kind": "tax_id", "country": country}), country=country)
    assert checked.valid_count == 200


def test_article_numbers_are_valid_and_for_examples() -> None:
    numbers = column("ean13")
    assert mediakit.validate_code(values=numbers, kind="ean13").valid_count == 200
    assert all(number.startswith("952") for number in numbers)


def test_emails_are_valid_and_at_reserved_domains() -> None:
    emails = column("email", rows=1000)
    assert mediakit.validate_email(values=emails).valid_count == 1000
    assert all(re.fullmatch(r".+@example\.(com|org|net)", email) for email in emails)


@pytest.mark.parametrize(
    ("lang", "pattern"),
    [
        ("en", r"\+1 \d{3}-555-01\d\d"),
        ("en_GB", r"\+44 ((20 7946|1[1-9]1 49[68]|11\d 496|29 2018) 0\d{3}|1632 960\d{3})"),
        ("de", r"\+49 (30 23125|40 66969|89 99998|221 4710|69 90009)\d{3}|\+49 171 39200\d\d"),
        ("fr", r"\+33 (1 99 00|2 61 91|3 53 01|4 65 71|5 36 49|6 39 98) \d\d \d\d"),
    ],
)
def test_phone_numbers_are_in_ranges_for_fiction(lang: str, pattern: str) -> None:
    for number in column("phone", lang=lang):
        assert re.fullmatch(pattern, number), number


@pytest.mark.parametrize("country", sorted(people._masks()))
def test_phone_numbers_of_other_countries_are_of_no_operator(country: str) -> None:
    if "no operator" not in next(
        line for line in people._FILE.read_text("utf-8").splitlines() if line.startswith(country)
    ):
        pytest.skip("a range for fiction")
    chance = Chance(1)
    numbers = [people.make_phone(chance, country) for _ in range(50)]
    assert mediakit.validate_phone(values=numbers).valid_count == 0


def test_addresses_of_the_internet_are_for_documentation() -> None:
    assert all(re.match(r"(192\.0\.2|198\.51\.100|203\.0\.113)\.", address) for address in column("ipv4"))
    assert all(url.startswith("https://www.example.com/") for url in column("url"))


def test_numbers_keep_their_ranges() -> None:
    assert set(column({"kind": "integer", "min": -2, "max": 2})) == {-2, -1, 0, 1, 2}
    numbers = column({"kind": "number", "min": 1, "max": 2, "decimals": 3})
    assert all(1 <= number <= 2 and round(number, 3) == number for number in numbers)
    around = column({"kind": "number", "mean": 50, "std": 5, "min": 45}, rows=1000)
    assert min(around) >= 45
    assert 49 < sum(around) / 1000 < 53
    assert all(0 <= number <= 100 for number in column("percent"))
    assert all(-50 <= number <= -10 for number in column({"kind": "number", "max": -10, "min": -50}))


def test_moments_keep_their_ranges_and_offsets() -> None:
    days = column({"kind": "date", "from": "2024-02-27", "to": "2024-03-01"})
    assert set(days) == {"2024-02-27", "2024-02-28", "2024-02-29", "2024-03-01"}
    fields = {"kind": "datetime", "from": "2025-03-30", "to": "2025-03-30", "time_zone": "Europe/Madrid"}
    moments = column(fields, rows=500)
    assert {moment[-6:] for moment in moments} == {"+01:00", "+02:00"}
    assert not any(moment.startswith("2025-03-30T02") for moment in moments)  # this hour does not exist
    steps = column({"kind": "datetime", "from": "2025-01-01T23:50:00", "step": 600}, rows=3)
    assert steps == ["2025-01-01T23:50:00", "2025-01-02T00:00:00", "2025-01-02T00:10:00"]
    assert all("09:00" <= time <= "17:00:01" for time in column({"kind": "time", "from": "09:00", "to": "17:00"}))


def test_sequences_count_and_ids_step() -> None:
    assert column({"kind": "sequence", "pattern": "INV-####"}, rows=2) == ["INV-0001", "INV-0002"]
    assert column({"kind": "sequence", "pattern": "#-#", "start": 98}, rows=3) == ["9-8", "9-9", "0-0"]
    assert all(re.fullmatch(r"[A-Z]{2}-\d", text) for text in column({"kind": "sequence", "pattern": "??-#"}))
    assert column({"kind": "id", "start": 100, "step": -5}, rows=3) == [100, 95, 90]


def test_choices_have_their_weights() -> None:
    values = column({"kind": "choice", "values": ["a", "b", "c"], "weights": [9, 1, 0]}, rows=1000)
    assert 850 < values.count("a") < 950
    assert "c" not in values


def test_formulas_calculate_earlier_fields() -> None:
    fields = {
        "price": "price",
        "quantity": {"kind": "integer", "min": 1, "max": 9},
        "total": {"kind": "formula", "formula": "round((price * quantity - 1) / 2, 2)"},
        "double": {"kind": "formula", "expression": "-quantity * 2"},
        "none": {"kind": "formula", "formula": "price / (quantity - quantity)"},
    }
    made = mediakit.data_sample(fields, rows=50, seed=1)
    for row in made:
        assert row["total"] == pytest.approx((row["price"] * row["quantity"] - 1) / 2, abs=0.0051)
        assert row["double"] == -2 * row["quantity"]
        assert row["none"] is None
    assert [each["type"] for each in made.columns] == ["number", "integer", "number", "integer", "number"]


@pytest.mark.parametrize(
    "formula",
    [
        "price ** 2",
        "__import__('os')",
        "price.real",
        "price if price else 1",
        "max(price, 1)",
        "round(price, price)",
        "[price]",
        "lambda: price",
        "'a' * 9",
        "price and 1",
        "1 +",
        "(" * 200,
        "-" * 300 + "1",
        "9" * 400,
        "round",
    ],
)
def test_formula_with_anything_else_is_refused(formula: str) -> None:
    message = message_of({"price": "price", "x": {"kind": "formula", "formula": formula}})
    assert message.startswith("fields.x.formula: ")


def test_nulls_have_their_share() -> None:
    values = column({"kind": "name", "null_pct": 30}, rows=2000)
    assert 520 < values.count(None) < 680
    assert column({"kind": "id", "null_pct": 100}, rows=5) == [None] * 5


@pytest.mark.parametrize(
    "kind",
    [
        *("email", "uuid", "company", "ean13", "iban", "phone", "color", "ipv4", "address", "datetime", "url"),
        {"kind": "integer", "max": 499},
        {"kind": "sequence", "pattern": "#??"},
        {"kind": "code", "pattern": "###"},
    ],
)
def test_unique_values_do_not_repeat(kind: Any) -> None:
    options = {"kind": kind} if isinstance(kind, str) else kind
    values = column({**options, "unique": True}, rows=500)
    assert len(set(values)) == 500


def test_all_values_that_exist_can_be_used() -> None:
    assert sorted(column({"kind": "integer", "min": 1, "max": 300, "unique": True}, rows=300)) == list(range(1, 301))
    assert sorted(column({"kind": "gender", "unique": True}, rows=2)) == ["female", "male"]


@pytest.mark.parametrize(
    ("field", "count"),
    [
        ({"kind": "sequence", "pattern": "?"}, 26),
        ({"kind": "choice", "values": list("abcdefghijklmnopqrstuvwxyz")}, 26),
        ({"kind": "boolean"}, 2),
        ({"kind": "gender"}, 2),
    ],
)
def test_too_few_different_values_are_named(field: dict[str, Any], count: int) -> None:
    message = message_of({"code": {**field, "unique": True}}, rows=1000)
    assert message == f"fields.code: cannot give 1000 different values ({count} exist)."


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"age": "agee"}, 'fields.age: "agee" is not a kind; did you mean "age"?'),
        ({"a": {"min": 1}}, "fields.a: kind is required."),
        ({"a": {"kind": "integer", "mni": 1}}, 'fields.a.mni: is not an option of integer; did you mean "min"?'),
        ({"a": {"kind": "integer", "min": 5, "max": 1}}, "fields.a: min must not be greater than max, got 5 and 1."),
        ({"a": {"kind": "date", "from": "2025-02-30"}}, "fields.a.from: must be a date such as 2024-01-31"),
        ({"a": {"kind": "datetime", "time_zone": "../etc"}}, "fields.a.time_zone: must be a time zone"),
        ({"a": {"kind": "choice"}}, "fields.a: values is required"),
        ({"a": {"kind": "choice", "values": [1, "a"]}}, "fields.a.values: must all be texts"),
        ({"a": {"kind": "text", "words": 201}}, "fields.a.words: must be an integer from 1 to 200, got 201."),
        ({"a": {"kind": "id", "null_pct": 101}}, "fields.a.null_pct: must be a number from 0 to 100, got 101."),
        ({"x": {"formula": "y * 2"}, "y": "price"}, 'fields.x.formula: "y" is not an earlier field with numbers'),
        ([], "fields: must have 1 to 50 fields, got 0."),
        ({f"f{number}": "id" for number in range(51)}, "fields: must have 1 to 50 fields, got 51."),
        (["id", "id"], "fields.id: is there twice."),
        (3, "fields: must be an object such as"),
    ],
)
def test_invalid_fields_are_named(fields: Any, message: str) -> None:
    assert message_of(fields).startswith(message)


def test_large_tables_of_long_texts_are_refused() -> None:
    fields = {f"f{number}": {"kind": "text", "words": 200} for number in range(50)}
    assert message_of(fields, rows=1000).startswith("rows: would make over 20,000,000 characters")


def test_exactly_one_source_of_fields_is_required() -> None:
    assert message_of(None) == "fields: exactly one of fields, template and like is required, got none."
    assert message_of("id", template="people").endswith("got fields, template.")


def test_fields_are_an_object_an_array_or_a_text() -> None:
    expected = mediakit.data_sample({"id": "id", "born": "date"}, seed=1).rows
    assert (
        mediakit.data_sample([{"name": "id", "kind": "id"}, {"name": "born", "kind": "date"}], seed=1).rows == expected
    )
    assert mediakit.data_sample("id, born: date", seed=1).rows == expected
    assert mediakit.data_sample('{"id": "id", "born": "date"}', seed=1).rows == expected


def test_seed_makes_the_same_rows_in_another_process() -> None:
    fields = {name: kind for name, kind in ALL_KINDS.items() if name != "tax_id"}
    code = (
        "import json, sys, mediakit\n"
        "made = mediakit.data_sample(json.load(sys.stdin), rows=30, seed=9, lang='uk', format='csv')\n"
        "sys.stdout.buffer.write(made.file)"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", code],
            input=json.dumps(fields).encode(),
            env={**__import__("os").environ, "PYTHONHASHSEED": str(hash_seed)},
            capture_output=True,
            check=True,
        ).stdout
        for hash_seed in (1, 2)
    }
    assert runs == {mediakit.data_sample(fields, rows=30, seed=9, lang="uk", format="csv").file}


def test_seed_is_returned_and_repeats_the_rows() -> None:
    made = mediakit.data_sample("name, email")
    assert mediakit.data_sample("name, email", seed=made.seed).rows == made.rows
    assert mediakit.data_sample("name, email", seed=made.seed + 1).rows != made.rows


def test_more_rows_begin_with_the_same_rows() -> None:
    fields = "name, email, city, company, price, date"
    assert mediakit.data_sample(fields, rows=50, seed=1).rows[:10] == mediakit.data_sample(fields, seed=1).rows


@pytest.mark.parametrize("template", ["people", "orders", "products", "sensors", "surveys"])
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_templates_make_rows(template: Any, lang: str) -> None:
    made = mediakit.data_sample(template=template, rows=30, lang=lang, seed=1)
    assert len(made) == 30
    assert len(made.columns) >= 7
    assert made.meta["warnings"] == []


def test_totals_of_orders_are_right() -> None:
    for row in mediakit.data_sample(template="orders", rows=100, seed=1):
        assert row["total"] == pytest.approx(row["price"] * row["quantity"], abs=0.005)


def test_table_like_another_keeps_types_ranges_and_categories() -> None:
    source = mediakit.data_sample(
        {
            "id": {"kind": "id", "start": 500},
            "mail": "email",
            "full name": "name",
            "code": {"kind": "code", "pattern": "AB-####"},
            "level": {"kind": "choice", "values": ["low", "mid", "high"]},
            "note": {"kind": "sentence", "null_pct": 50},
            "amount": {"kind": "number", "min": 10, "max": 20, "decimals": 1},
            "day": {"kind": "date", "from": "2020-01-01", "to": "2020-12-31"},
            "ok": {"kind": "boolean", "pct": 90},
        },
        rows=300,
        seed=1,
    )
    made = mediakit.data_sample(like=source.to_frame(), rows=300, seed=2)
    assert [(one["name"], one["type"]) for one in made.columns] == [
        (one["name"], one["type"]) for one in source.columns
    ]
    for name in ("mail", "note", "code"):
        assert not {row[name] for row in made} & {row[name] for row in source if row[name]}
    assert {row["level"] for row in made} == {"low", "mid", "high"}
    assert all(10 <= row["amount"] <= 20 and "2020" in row["day"] for row in made)
    assert all(re.fullmatch(r"AB-\d{4}", row["code"]) for row in made)
    assert 0.35 < sum(row["note"] is None for row in made) / 300 < 0.65
    assert sum(row["ok"] for row in made) > 230
    assert [row["id"] for row in made][:2] == [500, 501]
    assert any("categories" in warning for warning in made.meta["warnings"])


def test_names_of_a_small_table_are_not_copied() -> None:
    rows = [{"customer": "Zenobia Quill", "email": "zq@corp.test"}, {"customer": "Otto Umber", "email": "ou@corp.test"}]
    text = json.dumps(mediakit.data_sample(like=rows, rows=50, seed=1).rows)
    assert "Quill" not in text
    assert "corp.test" not in text


@pytest.mark.parametrize("as_kind", ["text", "path", "bytes", "polars", "result", "lists"])
def test_table_like_another_of_any_kind(as_kind: str, tmp_path: Path) -> None:
    text = "city,n\nVigo,1\nLugo,7\nVigo,4\n"
    path = tmp_path / "cities.csv"
    path.write_text(text)
    like = {
        "text": text,
        "path": path,
        "bytes": text.encode(),
        "polars": pl.read_csv(text.encode()),
        "result": mediakit.data_convert(path),
        "lists": {"city": ["Vigo", "Lugo", "Vigo"], "n": [1, 7, 4]},
    }[as_kind]
    made = mediakit.data_sample(like=like, seed=1)
    assert {row["city"] for row in made} == {"Vigo", "Lugo"}
    assert all(1 <= row["n"] <= 7 for row in made)


def test_damaged_table_is_refused() -> None:
    assert message_of(None, like='a,b\n1,"2').startswith("like: line 2")


@pytest.mark.parametrize("output", ["json", "jsonl", "csv", "xlsx", "sql", "parquet"])
def test_files_have_the_rows(output: Any) -> None:
    made = mediakit.data_sample("id, name, price, date", rows=20, seed=1, format=output)
    assert made._has_file() == (output != "json")
    read = {
        "json": lambda: pd.DataFrame(json.loads(made.file)["rows"]),
        "jsonl": lambda: pd.DataFrame([json.loads(line) for line in made.file.splitlines()]),
        "csv": lambda: pd.read_csv(io.BytesIO(made.file)),
        "xlsx": lambda: pd.read_excel(io.BytesIO(made.file), engine="calamine"),
        "sql": lambda: _sql(made.file.decode()),
        "parquet": lambda: pd.read_parquet(io.BytesIO(made.file)),
    }[output]()
    assert list(read["name"]) == [row["name"] for row in made]
    assert list(read["price"].astype(float)) == [row["price"] for row in made]
    assert [str(day)[:10] for day in read["date"]] == [row["date"] for row in made]


def _sql(text: str) -> pd.DataFrame:
    database = sqlite3.connect(":memory:")
    database.executescript(text)
    return pd.read_sql('SELECT * FROM "sample"', database)


def test_result_is_a_table_in_a_notebook_and_a_frame() -> None:
    made = mediakit.data_sample({"n": "integer", "name": {"kind": "choice", "values": ["<b>"]}}, rows=25, seed=3)
    html = made._repr_mimebundle_()[0]["text/html"]
    assert "&lt;b&gt;" in html
    assert "and 5 more rows" in html
    assert repr(made) == "<SampleResult 25 rows × 2 columns, seed 3>"
    frame = made.to_frame()
    assert frame.shape == (25, 2)
    assert str(frame["n"].dtype) == "Int64"


def test_python_makes_more_rows_than_a_request() -> None:
    assert len(mediakit.data_sample("id", rows=5000)) == 5000
    assert message_of("id", rows=100_001) == "rows: must be between 1 and 100000, got 100001."
    with pytest.raises(InvalidInput, match=r"rows: must be between 1 and 1000, got 1001\."):
        mediakit.data_sample.validate({"fields": "id", "rows": 1001})


def test_locales_are_those_of_faker() -> None:
    from faker.config import AVAILABLE_LOCALES

    assert locales() == sorted(AVAILABLE_LOCALES)
    assert message_of("id", lang="de_CG") == 'lang: "de_CG" is not a locale; did you mean "de_CH"?'
    assert message_of("id", lang="q!").startswith('lang: "q!" is not a locale; use a locale such as en')


def test_lists_that_a_language_lacks_are_named() -> None:
    warnings = mediakit.data_sample("job", lang="nl", seed=1).meta["warnings"]
    assert warnings == ["job: there is no list for nl_NL, so the values are English."]


def test_shell_command_has_the_fields_as_json() -> None:
    code = snippets.write("shell", mediakit.data_sample, {"fields": {"it's": "name"}, "rows": 3})
    assert code.startswith("""mediakit data-sample '{"it'"'"'s": "name"}' --rows 3""")


def test_like_takes_the_rows_of_a_result() -> None:
    table = pd.DataFrame({"id": range(5, 35), "boat": ["sloop", "ketch", "yawl"] * 10})
    found = mediakit.data_query(table, "SELECT * FROM data")
    for given in (found, mediakit.data_sample(like=table, rows=30, seed=2)):
        made = mediakit.data_sample(like=given, rows=40, seed=1)
        assert [each["kind"] for each in made.columns] == ["id", "choice"]
        assert {row["boat"] for row in made} == {"sloop", "ketch", "yawl"}


def test_like_may_be_the_first_argument() -> None:
    made = mediakit.data_sample(pl.DataFrame({"depth": [3, 9, 4, 8]}), 20, seed=1)
    assert {3, 9} >= {min(row["depth"] for row in made), max(row["depth"] for row in made)}


def test_like_keeps_the_range_of_large_integers() -> None:
    start = 10**17
    steady = mediakit.data_sample(like={"n": [start, start + 3, start + 6]}, rows=3, seed=1)
    assert [row["n"] for row in steady] == [start, start + 3, start + 6]
    uneven = mediakit.data_sample(like={"n": [start + n * n for n in range(40)]}, rows=50, seed=1)
    assert all(start <= row["n"] <= start + 1521 for row in uneven)


def test_like_keeps_columns_whose_names_look_the_same() -> None:
    made = mediakit.data_sample(like={"n": [1, 2, 3], "n\N{ZERO WIDTH SPACE}": ["x", "y", "x"]}, seed=1)
    assert [(each["name"], each["kind"]) for each in made.columns] == [("n", "id"), ("n_2", "choice")]
    assert {row["n_2"] for row in made} <= {"x", "y"}


def test_like_without_rows_or_file_says_so() -> None:
    empty = pd.DataFrame({"id": pd.Series([], dtype="Int64"), "name": pd.Series([], dtype="string")})
    assert message_of(None, like=empty) == "like: must be a table with at least one row."
    assert message_of(None, like="boats/none.csv").startswith('like: there is no file "boats/none.csv"')


def test_kind_by_the_name_of_another_program_gets_a_suggestion() -> None:
    assert message_of({"n": "int"}) == 'fields.n: "int" is not a kind; did you mean "integer"?'
    assert message_of({"n": "timestamp"}) == 'fields.n: "timestamp" is not a kind; did you mean "datetime"?'


def test_options_may_be_values_of_numpy() -> None:
    depths = pd.Series([4, 6, 5])
    made = mediakit.data_sample(
        {
            "depth": {"kind": "integer", "min": depths.min(), "max": depths.max()},
            "boat": {"kind": "choice", "values": np.array(["sloop", "yawl"]), "weights": np.array([0.0, 1.0])},
            "day": {"kind": "date", "from": np.datetime64("2026-05-01"), "to": np.datetime64("2026-05-01")},
        },
        30,
        seed=1,
    )
    assert {(row["boat"], row["day"]) for row in made} == {("yawl", "2026-05-01")}
    assert {row["depth"] for row in made} == {4, 5, 6}
