"""Dates and times. They never depend on the clock."""

import datetime as dt

from mediakit.tools.data.data_sample.chance import Chance
from mediakit.tools.data.data_sample.plan import Options, Plan, Setting

FIRST_DAY, LAST_DAY = dt.date(2023, 1, 1), dt.date(2025, 12, 31)
"""The range of dates that no option sets."""


def check_moments(options: Options) -> None:
    """Check that `from` is not after `to`."""
    first, last = _range(options)
    if first > last:
        raise ValueError(f"from must not be after to, got {first} and {last}.")


def check_steps(options: Options) -> None:
    """Check the range, and that `step` comes without an end."""
    check_moments(options)
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
    start, size = first.toordinal(), (last - first).days + 1
    if "step" in options:
        step = options["step"]
        return Plan(lambda _entity, _chance, row: _date(start + row * step))
    return Plan(lambda _entity, chance, _row: _date(start + chance.below(size)), size, lambda at: _date(start + at))


def plan_datetime(options: Options, _setting: Setting) -> Plan:
    """Plan dates and times to the second, as ISO 8601 text, with an offset if there is a time zone."""
    first, last = _range(options)
    zone = _zone(options)
    start = first.replace(tzinfo=zone).astimezone(dt.UTC) if zone else first
    end = last.replace(tzinfo=zone).astimezone(dt.UTC) if zone else last
    size = max(int((end - start).total_seconds()) + 1, 1)

    def at(seconds: int) -> str:
        found = start + dt.timedelta(seconds=seconds)
        return (found.astimezone(zone) if zone else found).isoformat()

    if "step" in options:
        step = options["step"]
        return Plan(lambda _entity, _chance, row: at(row * step))
    return Plan(lambda _entity, chance, _row: at(chance.below(size)), size, at)


def plan_time(options: Options, _setting: Setting) -> Plan:
    """Plan times of day to the second, as ISO 8601 text."""
    first, last = _clock(options)
    size = last - first + 1

    def at(place: int) -> str:
        minutes, seconds = divmod(first + place, 60)
        return f"{minutes // 60:02d}:{minutes % 60:02d}:{seconds:02d}"

    def value(_entity: object, chance: Chance, _row: int) -> str:
        return at(chance.below(size))

    return Plan(value, size, at)


def _date(ordinal: int) -> str:
    return dt.date.fromordinal(ordinal).isoformat()


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


def _zone(options: Options) -> dt.tzinfo | None:
    if "time_zone" not in options:
        return None
    from zoneinfo import ZoneInfo

    return ZoneInfo(options["time_zone"])


def _clock(options: Options) -> tuple[int, int]:
    first, last = options.get("from", dt.time()), options.get("to", dt.time(23, 59, 59))
    return _seconds(first), _seconds(last)


def _seconds(time: dt.time) -> int:
    return time.hour * 3600 + time.minute * 60 + time.second
