"""Cells of another type than their column: mixed types, dates in two orders, zeros that are lost."""

import re
from collections.abc import Iterator
from typing import Literal

import numpy as np
import numpy.typing as npt

from mediakit.core.messages import counted
from mediakit.tools.data.data_profile import semantics
from mediakit.tools.data.data_profile.column_values import CODES, PADDED_CODES, PHONES, Mask, Observed, names_identifier
from mediakit.tools.data.data_profile.problems.spellings import is_null_word
from mediakit.tools.data.data_profile.problems.values import Problem, shown

_SAMPLE = 200
_LEAST_SHARE = 0.5
_ORDER_NAMES = {"ymd": "year-month-day", "dmy": "day-month-year", "mdy": "month-day-year", "d mon y": "month by name"}


def check_date_order(observed: Observed) -> Iterator[Problem]:
    """Find ambiguous dates, dates in several orders, and days that the calendar does not have."""
    if not observed.is_text or not observed.distinct:
        return
    sample = observed.distinct[:: max(1, len(observed.distinct) // _SAMPLE)][:_SAMPLE]
    if sum(semantics.read(value) is not None for value in sample) < 0.3 * len(sample):
        return
    written = [semantics.read(value) for value in observed.distinct]
    if observed.total([one is not None for one in written]) < _LEAST_SHARE * observed.count:
        return
    places = observed.places_of([one is not None and not one.orders for one in written])
    if len(places):
        example = shown(observed.values[places[0]])
        what = "date does" if len(places) == 1 else "dates do"
        sentence = f'{len(places):,} {what} not exist in the calendar, such as "{example}".'
        yield Problem.at(observed, "impossible_dates", places, sentence, "Look the dates up, or clear them.")
    yield from _orders(observed, written)


def _orders(observed: Observed, written: list[semantics.Written | None]) -> Iterator[Problem]:
    """Find dates in several orders, or in an order that no cell decides."""
    counts = {
        order: observed.total([one is not None and one.orders == (order,) for one in written])
        for order in ("ymd", "dmy", "mdy", "d mon y")
    }
    both = [one is not None and len(one.orders) == 2 and not observed.is_declared for one in written]
    unclear = observed.places_of(both)
    used = [order for order in counts if counts[order]]
    is_undecided = len(unclear) > 0 and not counts["dmy"] and not counts["mdy"]
    if len(used) > 1 or (used and is_undecided):
        usual = max(used, key=lambda order: counts[order])
        others = observed.places_of(
            [one is not None and one.orders != () and usual not in one.orders for one in written]
        )
        ways = [f"{_ORDER_NAMES[order]} ({counts[order]:,})" for order in used]
        ways += [f"day or month first ({len(unclear):,})"] if is_undecided else []
        sentence = f"the dates are written in several orders: {', '.join(ways)}."
        fix = "Write all dates as 2024-12-31, the order of ISO 8601."
        yield Problem.at(observed, "dates_in_two_orders", others, sentence, fix)
    if is_undecided or (len(unclear) and counts["dmy"] and counts["mdy"]):
        example = shown(observed.values[unclear[0]])
        what = "date does" if len(unclear) == 1 else "dates do"
        sentence = f'{len(unclear):,} {what} not show whether the day or the month is first, such as "{example}".'
        yield Problem.at(
            observed, "dates_ambiguous", unclear, sentence, "Set `dates` to dmy or mdy, or write ISO 8601."
        )


_DIGITS = re.compile(r"\d+")
_LEAST_WIDTH = 3
_MOST_LOST = 4
_USUAL_SHARE = 0.5
_SPARSE = 3
"""The range of codes must be this many times their number, or they are a sequence of numbers."""


def check_leading_zeros(observed: Observed) -> Iterator[Problem]:
    """Find codes that are shorter than the others of their column, which have one width."""
    if not (observed.is_text or observed.type == "integer") or not observed.distinct:
        return
    if observed.is_text and not _DIGITS.fullmatch(observed.distinct[0].strip()):
        return
    if not observed.is_text and not (observed.words & (PADDED_CODES | CODES) or observed.semantic == "postcode"):
        return
    if observed.is_text and not observed.is_padded and len(set(map(len, observed.distinct))) == 1:
        return
    texts = [str(value).strip() for value in observed.distinct]
    if not all(texts) or not "".join(texts).isdecimal() or not _are_codes(observed, texts):
        return
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    width = int(lengths.max())
    is_short = lengths < width
    usual = observed.total(~is_short) / observed.count
    if width < _LEAST_WIDTH or not is_short.any() or usual < _USUAL_SHARE or width - lengths.min() > _MOST_LOST:
        return
    places = observed.places_of(is_short)
    example = shown(observed.values[places[0]])
    verb = "has" if len(places) == 1 else "have"
    sentence = (
        f"{counted(len(places), 'code')} {verb} fewer than {width} digits, such as {example}; "
        "leading zeros were probably lost."
    )
    fix = f"Pad the codes with zeros to {width} digits, and keep the column as text."
    yield Problem.at(observed, "leading_zeros_lost", places, sentence, fix)


def _are_codes(observed: Observed, texts: list[str]) -> bool:
    """Return whether digits are codes: by the name of their column, or because some have kept their zeros."""
    if observed.is_text and any(text.startswith("0") and len(text) > 1 for text in texts):
        return True
    if observed.words & PADDED_CODES or observed.semantic == "postcode":
        return True
    if not observed.words & CODES:
        return False
    numbers = [int(text) for text in texts]
    return max(numbers) - min(numbers) >= _SPARSE * len(numbers)


Look = Literal["null", "number", "amount", "date", "word", "code"]
Looks = npt.NDArray[np.str_]
"""What each distinct value looks like."""

_GROUP = "[., '\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{RIGHT SINGLE QUOTATION MARK}]"
_NUMERAL = rf"(?:[1-9]\d{{0,2}}(?:{_GROUP}\d{{3}})+|0|[1-9]\d*)"
_PLAIN = rf"[-+\N{{MINUS SIGN}}]?{_NUMERAL}?(?:(?<=\d)[.,]|[.,](?=\d))?\d*(?:[eE][-+]?\d+)?"
_NUMBER = re.compile(rf"(?=[^\d]{{0,2}}\d){_PLAIN}")
_CURRENCY = r"(?:[$€£¥₹₩₽]|US\$|EUR|USD|GBP|CHF|JPY|SEK|NOK|DKK|PLN|MXN|BRL|CAD|AUD|INR|CNY)"
_UNIT = rf"(?:{_CURRENCY}|%|‰|kg|g|mg|t|lbs?|oz|km|m|cm|mm|mi|ft|in|l|ml|m2|m²|h|hrs?|min|s|sec|ms|°C|°F|kWh|[KMG]B)"
_AMOUNT = re.compile(rf"(?=.*\d)[-+]?(?:{_CURRENCY} ?[-+]?{_PLAIN}|{_PLAIN} ?{_UNIT})", re.IGNORECASE)
_CODE = re.compile(r"(?=\S*\d)\S.{0,30}")
_SHARE_OF_ONE_TYPE = 0.5
_LEAST_SHARE_OF_NUMBERS = 0.02
_MANY_CHARACTERS = 30
_LONGEST = 60
_CODE_WIDTH = 4
_LEAST_CELLS = 3
_LONGEST_NUMBER = 15
_TYPE_SAMPLE = 400
_NOT_NUMBERS = ("phone", "postcode", "uuid", "iban", "email", "url", "id", "country")


def check_types(observed: Observed) -> Iterator[Problem]:
    """Find cells of another type than most cells of the column, and numbers stored as text."""
    if not observed.is_text or observed.is_declared or not observed.distinct:
        return
    if observed.semantic in _NOT_NUMBERS and observed.semantic != "id":
        return
    sample = [look(value) for value in observed.distinct[:_TYPE_SAMPLE]]
    if not set(sample) & {"number", "amount", "date"} and len(observed.distinct) > _TYPE_SAMPLE:
        sample = [look(value) for value in observed.distinct[:: max(1, len(observed.distinct) // _TYPE_SAMPLE)]]
        if not set(sample) & {"number", "amount", "date"}:
            return
    looks = np.array(_looks(observed.distinct))
    yield from _mixed(observed, looks)
    yield from _numbers(observed, looks)


_SAME_DIGITS = str.maketrans("12345678", "99999999")


def _looks(texts: list[str]) -> list[Look]:
    """Return what each text looks like; texts that differ in digits only look the same, unless they may be dates."""
    joined = "\n".join(texts)
    if joined.count("\n") >= len(texts) or "m2" in joined.casefold():  # a digit of a unit
        return list(map(look, texts))
    joined = joined.translate(_SAME_DIGITS)
    while "90" in joined:  # zeros tell something where they begin a number
        joined = joined.replace("90", "99")
    shapes = joined.split("\n")
    examples = dict(zip(shapes, texts, strict=True))
    found = {shape: None if semantics.has_form(text) else look(text) for shape, text in examples.items()}
    return [found[shape] or look(text) for shape, text in zip(shapes, texts, strict=True)]


def look(value: str) -> Look:
    """Return what a text looks like."""
    text = value.strip()
    if is_null_word(text):
        return "null"
    if len(text) > _LONGEST:
        return "word"
    if _NUMBER.fullmatch(text):
        return "number"
    if semantics.read(text):
        return "date"
    if text[:1].isdigit() or text[-1:].isdigit() or text[:1] in "-+":
        return "amount" if _AMOUNT.fullmatch(text) else "code" if _CODE.fullmatch(text) else "word"
    return "amount" if _AMOUNT.fullmatch(text) else "code" if any(map(str.isdigit, text)) else "word"


def _mixed(observed: Observed, looks: Looks) -> Iterator[Problem]:
    total = observed.total(looks != "null")
    for kind, wanted in (("number", ("number", "amount")), ("date", ("date",))):
        fits = np.isin(looks, wanted)
        others = ~fits & (looks != "null")
        share = observed.total(fits) / total if total else 0
        if not 0 < share < 1 or observed.total(fits) < _LEAST_CELLS:
            continue
        if share >= _SHARE_OF_ONE_TYPE and not _are_mixed_codes(observed, looks, others, share):
            yield _mixture(observed, kind, others, " not")
            return
        if kind == "number" and _are_plain_words(observed, looks, fits, share):
            yield _mixture(observed, kind, fits, "")
            return


def _are_mixed_codes(observed: Observed, looks: Looks, others: Mask, share: float) -> bool:
    """Return whether the cells that are not numbers are codes like them, such as 12a among house numbers."""
    codes = observed.total(others & (looks == "code"))
    if observed.words & (PADDED_CODES | PHONES):
        return codes == observed.total(others)
    return share < 0.95 and codes > 0.5 * observed.total(others)  # shares of cells


def _are_plain_words(observed: Observed, looks: Looks, fits: Mask, share: float) -> bool:
    """Return whether the numbers stand among words without digits, which are short."""
    rest = [value for value, is_number, kind in zip(observed.distinct, fits, looks, strict=True)
            if not is_number and kind != "null"]  # fmt: skip
    has_digits = any(kind in ("code", "date") for kind in looks)
    if has_digits or share < _LEAST_SHARE_OF_NUMBERS or not rest:
        return False
    return sum(map(len, rest)) / len(rest) <= _MANY_CHARACTERS


def _mixture(observed: Observed, kind: str, wrong: Mask, negation: str) -> Problem:
    places = observed.places_of(wrong)
    example = shown(observed.values[places[0]])
    what = f"is{negation} a {kind}" if len(places) == 1 else f"are{negation} {kind}s"
    rest = f"all others are {kind}s" if negation else "all others are words"
    sentence = f'{counted(len(places), "cell")} {what}, such as "{example}"; {rest}.'
    fix = (
        f"Correct these cells, or clear them, so that the column can be read as {kind}s."
        if negation
        else "Check whether these cells belong to the column."
    )
    return Problem.at(observed, "mixed_types", places, sentence, fix)


def _numbers(observed: Observed, looks: Looks) -> Iterator[Problem]:
    fits = np.isin(looks, ("number", "amount"))
    if not fits.any() or not (fits | (looks == "null")).all() or _is_code_column(observed, looks):
        return
    texts = [place for place in observed.places_of(fits) if isinstance(observed.cells[place], str)]
    if not texts:
        return
    example = shown(observed.values[texts[0]])
    verb = "is" if len(texts) == 1 else "are"
    sentence = f'{counted(len(texts), "number")} {verb} stored as text, such as "{example}".'
    fix = "Remove signs and units, write one decimal mark, and store the cells as numbers."
    yield Problem.at(observed, "numbers_as_text", texts, sentence, fix)


def _is_code_column(observed: Observed, looks: Looks) -> bool:
    """Return whether a column of digits holds codes, which are not quantities."""
    if observed.words & (PADDED_CODES | CODES | PHONES) or names_identifier(observed.words):
        return True
    distinct = observed.distinct
    texts = [distinct[place].strip() for place in np.flatnonzero(looks != "null").tolist()]
    if not "".join(texts).isdecimal():
        return any(text.startswith("+") for text in texts)
    widths = {len(text) for text in texts}
    is_fixed = len(widths) == 1 and min(widths) >= _CODE_WIDTH and len(texts) > 1
    return is_fixed or max(widths) > _LONGEST_NUMBER or any(text.startswith("0") and len(text) > 1 for text in texts)
