"""The kinds of fields."""

from collections.abc import Mapping

from mediakit.engines.tables.model import ColumnType
from mediakit.tools.data.data_sample import formula, options
from mediakit.tools.data.data_sample.plan import Kind, Options, Plan, Setting, of
from mediakit.tools.data.data_sample.values import codes, ibans, moments, numbers, patterns, phones, tax_ids, texts

KINDS_VERSION = "1"
"""Changes with the values that kinds make for a seed."""

_AMOUNT = {"min": options.number(), "max": options.number()}
_WORD_LENGTH = 7
"""Characters of a word with its space, on average."""


def _phone(_options: Options, setting: Setting) -> Plan:
    country = setting.country
    return Plan(lambda place, chance, _row: phones.make_phone(chance, country, place.phone))


def _sku(_options: Options, setting: Setting) -> Plan:
    if "product" in setting.kinds or "category" in setting.kinds:
        return of("sku")(_options, setting)
    return patterns.plan_code({"pattern": "???-####"}, setting)


def _choice_type(given: Options) -> ColumnType:
    first = given["values"][0]
    if isinstance(first, bool):
        return "boolean"
    if isinstance(first, str):
        return "text"
    return "integer" if all(isinstance(value, int) for value in given["values"]) else "number"


def _longest_choice(given: Options) -> int:
    return max(len(str(value)) for value in given["values"])


def _longest_pattern(given: Options) -> int:
    return len(given.get("pattern", patterns.DEFAULT))


_PATTERN = {"pattern": options.text(options.MAX_PATTERN_LENGTH)}
KINDS: Mapping[str, Kind] = {
    "id": Kind("integer", numbers.plan_id, {"start": options.integer(), "step": options.step}),
    "uuid": Kind("text", codes.plan_uuid),
    "first_name": Kind("text", of("first"), entity="person"),
    "last_name": Kind("text", of("last"), entity="person"),
    "name": Kind("text", of("name"), entity="person"),
    "gender": Kind("text", of("gender"), entity="person"),
    "age": Kind(
        "integer",
        numbers.plan_age,
        {"min": options.integer(0, 150), "max": options.integer(0, 150)},
        check=numbers.check_range,
    ),
    "email": Kind("text", of("email"), entity="person"),
    "phone": Kind("text", _phone, entity="place"),
    "company": Kind("text", texts.plan_company),
    "job": Kind("text", texts.plan_job, longest=lambda _given: 60),
    "address": Kind("text", of("address"), entity="place", longest=lambda _given: 60),
    "street": Kind("text", of("street"), entity="place"),
    "city": Kind("text", of("city"), entity="place"),
    "postcode": Kind("text", of("postcode"), entity="place"),
    "country": Kind("text", of("name"), entity="country"),
    "country_code": Kind("text", of("code"), entity="country"),
    "latitude": Kind("number", of("latitude"), entity="place"),
    "longitude": Kind("number", of("longitude"), entity="place"),
    "date": Kind(
        "date",
        moments.plan_date,
        {"from": options.day, "to": options.day, "step": options.integer(1, 366)},
        check=moments.check_steps,
    ),
    "datetime": Kind(
        "datetime",
        moments.plan_datetime,
        {
            "from": options.moment,
            "to": options.moment,
            "time_zone": options.zone,
            "step": options.integer(1, options.MAX_STEP_SECONDS),
        },
        check=moments.check_steps,
    ),
    "time": Kind("time", moments.plan_time, {"from": options.clock, "to": options.clock}, check=moments.check_clock),
    "integer": Kind(
        "integer",
        numbers.plan_integer,
        {"min": options.integer(), "max": options.integer(), "mean": options.number(), "std": options.number(0)},
        check=numbers.check_range,
    ),
    "number": Kind(
        "number",
        numbers.plan_number,
        {**_AMOUNT, "decimals": options.integer(0, 10), "mean": options.number(), "std": options.number(0)},
        check=numbers.check_range,
    ),
    "boolean": Kind("boolean", numbers.plan_boolean, {"pct": options.number(0, 100)}),
    "choice": Kind(
        _choice_type,
        texts.plan_choice,
        {"values": options.choices, "weights": options.weights},
        check=texts.check_choice,
        longest=_longest_choice,
    ),
    "text": Kind(
        "text",
        texts.plan_text,
        {"words": options.integer(1, options.MAX_WORDS)},
        longest=lambda given: _WORD_LENGTH * given.get("words", texts.DEFAULT_WORDS),
    ),
    "sentence": Kind("text", texts.plan_sentence, longest=lambda _given: _WORD_LENGTH * texts.MAX_SENTENCE_WORDS),
    "paragraph": Kind(
        "text",
        texts.plan_paragraph,
        longest=lambda _given: _WORD_LENGTH * texts.MAX_SENTENCE_WORDS * texts.MAX_SENTENCES,
    ),
    "url": Kind("text", codes.plan_url),
    "ipv4": Kind("text", codes.plan_ipv4),
    "color": Kind("text", codes.plan_color),
    "currency": Kind("text", texts.plan_currency),
    "price": Kind("number", numbers.plan_price, {**_AMOUNT, "decimals": options.integer(0, 10)}, entity="product"),
    "iban": Kind("text", codes.plan_iban, {"country": options.one_of(ibans.COUNTRIES)}),
    "tax_id": Kind("text", codes.plan_tax_id, {"country": options.one_of(tax_ids.COUNTRIES)}),
    "sku": Kind("text", _sku, entity="product"),
    "ean13": Kind("text", codes.plan_ean13),
    "product": Kind("text", of("name"), entity="product"),
    "category": Kind("text", of("category"), entity="product"),
    "percent": Kind("number", numbers.plan_percent, {**_AMOUNT, "decimals": options.integer(0, 10)}),
    "sequence": Kind(
        "text", patterns.plan_sequence, {**_PATTERN, "start": options.integer(0)}, longest=_longest_pattern
    ),
    "code": Kind("text", patterns.plan_code, _PATTERN, longest=_longest_pattern),
    "formula": Kind("number", formula.plan_formula, {"formula": options.text(options.MAX_FORMULA_LENGTH)}),
}
"""The kinds by name."""

ADDRESS_KINDS = frozenset(("address", "street", "city", "postcode", "latitude", "longitude", "phone"))
"""Kinds that are in the country of the language, so that `country` is this one beside them."""
