"""Numbers: identifiers, integers, decimals, percentages and booleans."""

from collections.abc import Callable

from mediakit.tools.data.data_sample.chance import Chance
from mediakit.tools.data.data_sample.plan import Options, Plan, Setting

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
        draw = _around(options, 0)
        return Plan(lambda _entity, chance, _row: int(draw(chance)))
    low, high = map(int, limits(options))
    size = high - low + 1
    return Plan(lambda _entity, chance, _row: low + chance.below(size), size, lambda place: low + place)


def plan_number(options: Options, _setting: Setting) -> Plan:
    """Plan decimal numbers of a range, or around a mean."""
    decimals = options.get("decimals", 2)
    if "mean" in options or "std" in options:
        draw = _around(options, decimals)
        return Plan(lambda _entity, chance, _row: draw(chance))
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
        return Plan(lambda product, _chance, _row: _rounded(product.price * factor, decimals))
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


def _around(options: Options, decimals: int) -> Callable[[Chance], float]:
    mean, std = options.get("mean", 0), options.get("std", 1)
    low, high = options.get("min", -float("inf")), options.get("max", float("inf"))

    def draw(chance: Chance) -> float:
        for _ in range(_MAX_REDRAWS):
            value = chance.normal(mean, std)
            if low <= value <= high:
                break
        return _rounded(min(max(value, low), high), decimals)

    return draw
