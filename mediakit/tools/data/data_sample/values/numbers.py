"""Numbers, dates and times."""

import datetime as dt

from mediakit.tools.data.data_sample.plan import Chance, Options, Plan, Setting

_MAX_REDRAWS = 50
_DEFAULT_WIDTH = 1000


def check_range(options: Options) -> None:
    """Check that `min` is not above `max`."""
    low, high = limits(options)
    if low > high:
        raise ValueError(f"min must not be greater than max, got {low:g} and {high:g}.")


def limits(options: Options, low: float = 0, high: float = _DEFAULT_WIDTH) -> tuple[float, float]:
    """Return the least and the greatest value; a missing one is far enough from the other."""
    width = high - low
    if "max" in options and options["max"] < low:
        low = options["max"] - width
    low = options.get("min", low)
    return low, options.get("max", high if low < high else low + width)


def plan_id(options: Options, setting: Setting) -> Plan:
    """Plan running numbers."""
    start, step = options.get("start", 1), options.get("step", 1)
    return Plan(lambda _entity, _chance, row: start + row * step, setting.rows)


def plan_integer(options: Options, _setting: Setting) -> Plan:
    """Plan integers of a range, or around a mean."""
    if "mean" in options or "std" in options:
        return _around(options, 0)
    low, high = map(int, limits(options))
    return Plan.even(high - low + 1, lambda place: low + place)


def plan_number(options: Options, _setting: Setting) -> Plan:
    """Plan decimal numbers of a range, or around a mean."""
    decimals = options.get("decimals", 2)
    if "mean" in options or "std" in options:
        return _around(options, decimals)
    return _decimals(*limits(options), decimals)


def plan_percent(options: Options, _setting: Setting) -> Plan:
    """Plan percentages."""
    return _decimals(*limits(options, 0, 100), options.get("decimals", 1))


def plan_age(options: Options, _setting: Setting) -> Plan:
    """Plan ages of adults, of which fewer are old."""
    low, high = (int(limit) for limit in limits(options, 18, 90))
    size = high - low + 1

    def value(_entity: object, chance: Chance, _row: int) -> int:
        return low + int(size * min(chance.random(), (chance.random() + chance.random()) / 2 + 0.1))

    return Plan(value, size, lambda place: low + place)


def plan_price(options: Options, setting: Setting) -> Plan:
    """Plan prices: that of the row's product, or one of a range, of which more are low."""
    decimals = options.get("decimals", 0 if setting.country == "JP" else 2)
    if "product" in setting.kinds and not options.keys() & {"min", "max"}:
        factor = 100 if setting.country == "JP" else 1
        return Plan(lambda product, _chance, _row: _rounded(product["price"] * factor, decimals))
    low, high = limits(options, 1, 500)

    def value(_entity: object, chance: Chance, _row: int) -> float:
        return _rounded(low + (high - low) * chance.random() ** 2, decimals)

    return Plan(value, _steps(low, high, decimals))


def plan_boolean(options: Options, _setting: Setting) -> Plan:
    """Plan booleans."""
    share = options.get("pct", 50) / 100
    return Plan(lambda _entity, chance, _row: chance.random() < share, 2, lambda place: place == 0)


def _decimals(low: float, high: float, decimals: int) -> Plan:
    width, size = high - low, _steps(low, high, decimals)

    def value_at(place: int) -> float:
        return _rounded(low + place / 10**decimals, decimals)

    return Plan(lambda _entity, chance, _row: _rounded(low + width * chance.random(), decimals), size, value_at)


def _steps(low: float, high: float, decimals: int) -> int:
    count: float = (high - low) * 10**decimals
    return round(count) + 1


def _rounded(value: float, decimals: int) -> float:
    return round(value, decimals) if decimals else round(value)


def _around(options: Options, decimals: int) -> Plan:
    mean, std = options.get("mean", 0), options.get("std", 1)
    low, high = options.get("min", -float("inf")), options.get("max", float("inf"))

    def value(_entity: object, chance: Chance, _row: int) -> float:
        for _ in range(_MAX_REDRAWS):
            drawn = chance.normal(mean, std)
            if low <= drawn <= high:
                break
        return _rounded(min(max(drawn, low), high), decimals)

    return Plan(value)


FIRST_DAY, LAST_DAY = dt.date(2023, 1, 1), dt.date(2025, 12, 31)
"""The range of dates that no option sets."""


def check_steps(options: Options) -> None:
    """Check that `from` is not after `to`, and that `step` comes without an end."""
    first, last = _range(options)
    if first > last:
        raise ValueError(f"from must not be after to, got {first} and {last}.")
    if "step" in options and "to" in options:
        raise ValueError("to does not go with step, which goes on for all rows.")


def check_clock(options: Options) -> None:
    """Check that a time is not after another."""
    first, last = _clock(options)
    if first > last:
        raise ValueError("from must not be after to.")


def plan_date(options: Options, _setting: Setting) -> Plan:
    """Plan dates, as ISO 8601 text."""
    first, last = _days(options)
    start, step = first.toordinal(), options.get("step", 1)

    def at(place: int) -> str:
        return dt.date.fromordinal(start + place * step).isoformat()

    if "step" in options:
        return Plan(lambda _entity, _chance, row: at(row))
    return Plan.even((last - first).days + 1, at)


def plan_datetime(options: Options, _setting: Setting) -> Plan:
    """Plan dates and times to the second, as ISO 8601 text, with an offset if there is a time zone."""
    from zoneinfo import ZoneInfo

    first, last = _range(options)
    zone = ZoneInfo(options["time_zone"]) if "time_zone" in options else None
    start = first.replace(tzinfo=zone).astimezone(dt.UTC) if zone else first
    end = last.replace(tzinfo=zone).astimezone(dt.UTC) if zone else last
    size = max(int((end - start).total_seconds()) + 1, 1)

    def at(seconds: int) -> str:
        found = start + dt.timedelta(seconds=seconds)
        return (found.astimezone(zone) if zone else found).isoformat()

    if "step" in options:
        step = options["step"]
        return Plan(lambda _entity, _chance, row: at(row * step))
    return Plan.even(size, at)


def plan_time(options: Options, _setting: Setting) -> Plan:
    """Plan times of day to the second, as ISO 8601 text."""
    first, last = _clock(options)

    def at(place: int) -> str:
        minutes, seconds = divmod(first + place, 60)
        return f"{minutes // 60:02d}:{minutes % 60:02d}:{seconds:02d}"

    return Plan.even(last - first + 1, at)


def _days(options: Options) -> tuple[dt.date, dt.date]:
    """Return the first and last day; a missing one is as far from the other as the range that no option sets."""
    width = LAST_DAY - FIRST_DAY
    first, last = options.get("from"), options.get("to")
    if first is None and last is None:
        return FIRST_DAY, LAST_DAY
    if first is None:
        assert last is not None  # noqa: S101  # for mypy
        return _shifted(last, -width), last
    return first, _shifted(first, width) if last is None else last


def _shifted(day: dt.date, width: dt.timedelta) -> dt.date:
    ordinal = min(max(day.toordinal() + width.days, 2), dt.date.max.toordinal() - 1)
    return dt.date.fromordinal(ordinal)


def _range(options: Options) -> tuple[dt.datetime, dt.datetime]:
    ends = {name: value for name, value in options.items() if name in ("from", "to")}
    days = {name: value.date() if isinstance(value, dt.datetime) else value for name, value in ends.items()}
    first, last = _days(days)
    begin, end = ends.get("from", first), ends.get("to", last)
    is_whole_day = not isinstance(end, dt.datetime) or end.time() == dt.time()
    if not isinstance(begin, dt.datetime):
        begin = dt.datetime.combine(begin, dt.time())
    if is_whole_day:
        end = dt.datetime.combine(end, dt.time(23, 59, 59))
    return begin, end


def _clock(options: Options) -> tuple[int, int]:
    ends = options.get("from", dt.time()), options.get("to", dt.time(23, 59, 59))
    first, last = (time.hour * 3600 + time.minute * 60 + time.second for time in ends)
    return first, last
