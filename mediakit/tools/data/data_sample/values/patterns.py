"""Running numbers and codes in a pattern, such as `INV-####`."""

from mediakit.tools.data.data_sample.chance import Chance
from mediakit.tools.data.data_sample.plan import Options, Plan, Setting

DEFAULT = "####"
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ANY = "0123456789" + _LETTERS
_SIGNS = {"#": "0123456789", "?": _LETTERS, "*": _ANY}


def plan_sequence(options: Options, setting: Setting) -> Plan:
    """Plan texts in a pattern: `#` are the digits of a running number, `?` is any letter, `*` any letter or digit."""
    pattern, start = options.get("pattern", DEFAULT), options.get("start", 1)
    places = [sign for sign in pattern if sign in _SIGNS]
    numbers = 10 ** places.count("#")
    others = 1
    for sign in places:
        others *= 1 if sign == "#" else len(_SIGNS[sign])

    def write(number: int, rest: int) -> str:
        digits = iter(f"{number % numbers:0{places.count('#')}d}")
        written = []
        for sign in pattern:
            if sign == "#":
                written.append(next(digits))
            elif sign in _SIGNS:
                rest, place = divmod(rest, len(_SIGNS[sign]))
                written.append(_SIGNS[sign][place])
            else:
                written.append(sign)
        return "".join(written)

    def value(_entity: object, chance: Chance, row: int) -> str:
        return write(start + row if numbers > 1 else 0, chance.below(others))

    size = numbers * others
    if setting.rows <= numbers:
        return Plan(value, size)
    return Plan(value, size, lambda place: write(*divmod(place, others)))


def plan_code(options: Options, _setting: Setting) -> Plan:
    """Plan random texts in a pattern: `#` is any digit, `?` any letter, `*` any letter or digit."""
    signs = [_SIGNS.get(sign, sign) for sign in options.get("pattern", DEFAULT)]
    size = 1
    for each in signs:
        size *= len(each)

    def write(rest: int) -> str:
        written = []
        for each in signs:
            rest, place = divmod(rest, len(each))
            written.append(each[place])
        return "".join(written)

    return Plan(lambda _entity, chance, _row: write(chance.below(size)), size, write)
