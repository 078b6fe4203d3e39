"""How columns are made: options of kinds, random numbers, locales, and the plan of a table."""

import datetime as dt
import math
import random
import re
from bisect import bisect
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.util import find_spec
from itertools import accumulate
from pathlib import Path
from statistics import NormalDist
from typing import Any, Generic, TypeVar

from mediakit.core.messages import nearest, quote
from mediakit.engines.tables.model import ColumnType

T = TypeVar("T")

_STANDARD = NormalDist()
_SMALLEST = 2.0**-53
_EXACT = 2**40
"""Below, a float has bits enough for an even draw."""


class Chance:
    """Draws from a generator of its own.

    Only `random` and `getrandbits` of Python's generator are used, whose sequence Python guarantees.
    """

    def __init__(self, *seed: object) -> None:
        generator = random.Random("/".join(map(str, seed)))  # noqa: S311  # sample data is not a secret
        self.random = generator.random
        self.bits = generator.getrandbits

    def below(self, end: int) -> int:
        """Return an integer from 0 up to, but without, `end`."""
        return int(self.random() * end) if end < _EXACT else self.bits(end.bit_length() + 64) % end

    def between(self, first: int, last: int) -> int:
        """Return an integer of a range, both ends included."""
        return first + self.below(last - first + 1)

    def pick(self, items: Sequence[T]) -> T:
        """Return an item; all are equally likely."""
        return items[int(self.random() * len(items))]

    def digits(self, count: int) -> str:
        """Return decimal digits."""
        return f"{self.below(10**count):0{count}d}" if count else ""

    def fill(self, mask: str) -> str:
        """Return a text in which each `#` is a digit and each `?` is a capital letter."""
        return "".join(
            str(self.below(10)) if sign == "#" else chr(65 + self.below(26)) if sign == "?" else sign for sign in mask
        )

    def normal(self, mean: float, std: float) -> float:
        """Return a normally distributed number."""
        return mean + std * _STANDARD.inv_cdf(self.random() or _SMALLEST)

    def sample(self, size: int, count: int) -> list[int]:
        """Return different integers from 0 up to, but without, `size`, in random order."""
        moved: dict[int, int] = {}
        drawn = []
        for place in range(count):
            other = place + self.below(size - place)
            drawn.append(moved.get(other, other))
            moved[other] = moved.get(place, place)
        return drawn


class Weighted(Generic[T]):
    """Items with weights."""

    def __init__(self, items: Sequence[T], weights: Sequence[float] | None = None) -> None:
        self.items = items
        self._weights = weights

    @cached_property
    def _sums(self) -> list[float]:
        return list(accumulate(self._weights or ()))

    def draw(self, chance: Chance) -> T:
        """Return an item."""
        if self._weights is None:
            return chance.pick(self.items)
        place = bisect(self._sums, chance.random() * self._sums[-1])
        return self.items[min(place, len(self.items) - 1)]


def weighted(source: Any) -> Weighted[Any]:
    """Return the items of a list, or of a mapping with their weights."""
    if isinstance(source, dict):
        return Weighted(list(source), list(source.values()))
    return Weighted(sorted(source) if isinstance(source, set | frozenset) else list(source))


@cache
def locales() -> list[str]:
    """Return the locales of Faker, by the names of its folders: checking a request does not import it."""
    spec = find_spec("faker")
    folders = [Path(folder, "providers") for folder in (spec and spec.submodule_search_locations) or ()]
    return sorted({found.parent.name for folder in folders for found in folder.glob("*/*/__init__.py")})


_MAIN = {
    "ar": "ar_SA", "bn": "bn_BD", "da": "da_DK", "de": "de_DE", "el": "el_GR", "en": "en_US", "es": "es_ES",
    "fr": "fr_FR", "it": "it_IT", "nl": "nl_NL", "pt": "pt_PT", "th": "th_TH", "zh": "zh_CN",
}  # fmt: skip
"""The locale of a language that has several."""

_COUNTRIES = {"ar_AA": "SA", "dk_DK": "DK", "es_CA": "ES", "fr_QC": "CA", "la": "US", "ng_NG": "NG", "sw": "KE"}


def locale_of(lang: str) -> str:
    """Return the locale of a language or locale, such as `es_ES` for `es` and `de_DE` for `de-DE`.

    Raises:
        ValueError: It is unknown.
    """
    language, _, country = lang.replace("-", "_").partition("_")
    wanted = f"{language.lower()}_{country.upper()}" if country else language.lower()
    wanted = _MAIN.get(wanted, wanted)
    names = locales()
    found = wanted if wanted in names else next((name for name in names if name.startswith(f"{wanted}_")), None)
    if found is None:
        hint = nearest(lang, names)
        hint = hint if hint.startswith("did you mean") else "use a locale such as en, es, es_MX, de_DE or ja_JP."
        raise ValueError(f"{quote(lang)} is not a locale; {hint}")
    return found


def country_of(locale: str) -> str:
    """Return the ISO 3166 code of a locale's country."""
    return _COUNTRIES.get(locale, locale[-2:])


def language_of(locale: str) -> str:
    """Return the language of a locale."""
    return locale.partition("_")[0]


Check = Callable[[Any], Any]
"""Returns the value of an option, or raises a ValueError that says what it must be."""

MAX_NUMBER = 10**15
MAX_INTEGER = 10**18 - 1
MAX_CHOICES = 1000
MAX_CHOICE_LENGTH = 1000
MAX_PATTERN_LENGTH = 100
MAX_WORDS = 200
MAX_FORMULA_LENGTH = 500
MAX_STEP_SECONDS = 31_622_400

_FIRST_DAY, _LAST_DAY = dt.date(1, 1, 2), dt.date(9999, 12, 30)
_ZONE = re.compile(r"[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+){0,2}")


def integer(least: int = -MAX_INTEGER, greatest: int = MAX_INTEGER) -> Check:
    """Return the check of an integer."""

    def check(value: Any) -> int:
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= greatest:
            raise ValueError(f"must be an integer from {least} to {greatest}, got {quote(value)}.")
        return value

    return check


def number(least: float = -MAX_NUMBER, greatest: float = MAX_NUMBER) -> Check:
    """Return the check of a number."""

    def check(value: Any) -> float:
        ok = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
        if not ok or not least <= value <= greatest:
            raise ValueError(f"must be a number from {least:g} to {greatest:g}, got {quote(value)}.")
        return value  # type: ignore[no-any-return]

    return check


def step(value: Any) -> int:
    """Check the step of an id: an integer other than 0."""
    if not (found := integer()(value)):
        raise ValueError("must not be 0.")
    return int(found)


def boolean(value: Any) -> bool:
    """Check a boolean."""
    if not isinstance(value, bool):
        raise ValueError(f"must be true or false, got {quote(value)}.")  # noqa: TRY004  # as all checks
    return value


def text(longest: int) -> Check:
    """Return the check of a text."""

    def check(value: Any) -> str:
        if not isinstance(value, str) or not 0 < len(value) <= longest or not value.isprintable():
            raise ValueError(f"must be text of 1 to {longest} printable characters, got {quote(value)}.")
        return value

    return check


def choices(value: Any) -> list[Any]:
    """Check the values of a choice: texts, numbers or booleans."""
    if isinstance(value, Mapping) or not isinstance(value, Sequence) or isinstance(value, str):
        raise ValueError(f"must be an array, got {quote(value)}.")  # noqa: TRY004  # as all checks
    if not 1 <= len(value) <= MAX_CHOICES:
        raise ValueError(f"must have 1 to {MAX_CHOICES} values, got {len(value)}.")
    kinds = {bool: "boolean", str: "text", int: "number", float: "number"}
    if len({kinds.get(type(item)) for item in value}) != 1 or type(value[0]) not in kinds:
        raise ValueError("must all be texts, all be numbers or all be booleans.")
    for item in value:
        if isinstance(item, str) and len(item) > MAX_CHOICE_LENGTH:
            raise ValueError(f"must have texts of at most {MAX_CHOICE_LENGTH} characters, got {len(item)}.")
        if isinstance(item, int | float):
            number()(float(item))
    return list(value)


def weights(value: Any) -> list[float]:
    """Check weights: numbers that are not negative, and not all 0."""
    check = number(0)
    if not isinstance(value, list | tuple) or not value:
        raise ValueError(f"must be an array of numbers, got {quote(value)}.")
    found = [check(item) for item in value]
    if not sum(found):
        raise ValueError("must not all be 0.")
    return found


def day(value: Any) -> dt.date:
    """Check a date in ISO 8601."""
    if isinstance(value, dt.datetime):
        value = value.date()
    try:
        found = value if isinstance(value, dt.date) else dt.date.fromisoformat(value)
    except (TypeError, ValueError):
        raise ValueError(f"must be a date such as 2024-01-31, got {quote(value)}.") from None
    if not _FIRST_DAY <= found <= _LAST_DAY:
        raise ValueError(f"must be from {_FIRST_DAY} to {_LAST_DAY}, got {quote(value)}.")
    return found


def moment(value: Any) -> dt.datetime:
    """Check a date, or a date and time without offset, in ISO 8601."""
    try:
        found = value if isinstance(value, dt.datetime) else dt.datetime.fromisoformat(str(value))
    except ValueError:
        raise ValueError(f"must be a date and time such as 2024-01-31T09:30:00, got {quote(value)}.") from None
    if found.tzinfo is not None:
        raise ValueError(f"must have no offset, because time_zone says it, got {quote(str(value))}.")
    day(found.date())
    return found.replace(microsecond=0)


def clock(value: Any) -> dt.time:
    """Check a time of day in ISO 8601."""
    try:
        found = value if isinstance(value, dt.time) else dt.time.fromisoformat(value)
    except (TypeError, ValueError):
        raise ValueError(f"must be a time such as 09:30, got {quote(value)}.") from None
    return found.replace(microsecond=0, tzinfo=None)


def zone(value: Any) -> str:
    """Check the name of a time zone."""
    from zoneinfo import ZoneInfo

    if isinstance(value, str) and _ZONE.fullmatch(value):
        with suppress(ValueError, OSError, KeyError):
            return ZoneInfo(value).key
    raise ValueError(f"must be a time zone such as Europe/Madrid or UTC, got {quote(value)}.")


def one_of(names: Sequence[str]) -> Check:
    """Return the check of a code of capital letters."""

    def check(value: Any) -> str:
        code = value.upper() if isinstance(value, str) else value
        if code not in names:
            raise ValueError(f"must be one of {', '.join(names)}, got {quote(value)}.")
        return str(code)

    return check


Options = Mapping[str, Any]


@dataclass(frozen=True)
class Field:
    """A field of the table."""

    name: str
    kind: str
    options: Options = field(default_factory=dict)
    null_pct: float = 0
    unique: bool = False
    avoided: frozenset[str] = frozenset()
    """Texts that are not made: those of the table that `like` is."""


@dataclass(frozen=True)
class Setting:
    """What all fields of a table share."""

    locale: str
    seed: int
    rows: int
    kinds: frozenset[str]
    """The kinds of the table's fields."""

    @cached_property
    def language(self) -> str:
        """The language of the locale."""
        return language_of(self.locale)

    @cached_property
    def country(self) -> str:
        """ISO 3166 code of the locale's country."""
        return country_of(self.locale)


@dataclass(frozen=True)
class Plan:
    """How the values of a field are made."""

    value: Callable[[Any, Chance, int], Any]
    """Returns the value of a row from what the row has (a person, a place...), random numbers, and the row's number."""
    size: int | None = None
    """How many different values there are; None where that is not known."""
    value_at: Callable[[int], Any] | None = None
    """Returns one of the different values by its number, so that they can be drawn without repeating one."""

    @classmethod
    def even(cls, size: int, value_at: Callable[[int], Any]) -> "Plan":
        """Return a plan in which all of so many values are equally likely."""
        return cls(lambda _entity, chance, _row: value_at(chance.below(size)), size, value_at)


@dataclass(frozen=True)
class Kind:
    """A kind of field."""

    type: ColumnType | Callable[[Options], ColumnType]
    plan: Callable[[Options, Setting], Plan] | None = None
    """How the values are made; None for what the row has, which is a member of the kind's name."""
    options: Mapping[str, Check] = field(default_factory=dict)
    entity: str = ""
    """What of the row the value comes from: `person`, `place`, `country` or `product`; empty for nothing."""
    check: Callable[[Options], None] | None = None
    """Checks options that depend on each other; raises a ValueError."""
    longest: Callable[[Options], int] = lambda _options: 20
    """Returns the number of characters of the longest value."""

    def type_of(self, options: Options) -> ColumnType:
        """Return the type of the column."""
        return self.type(options) if callable(self.type) else self.type
