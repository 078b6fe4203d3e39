"""Words of word processors: names of styles in many languages, codes of fields, symbol fonts, and XML namespaces."""

import json
import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Literal, TypeAlias

from lxml.etree import _Element

Element: TypeAlias = _Element

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
DIAGRAM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"

Role = Literal["", "title", "code", "quote", "term", "definition", "list", "bullet", "number"]

MAX_HEADING_LEVEL = 6

_HEADING = re.compile(
    r"(?:heading|überschrift|titre|título|titulo|titolo|kop|rubrik|overskrift|otsikko|nagłówek|nadpis|címsor|başlık|"
    r"заголовок|επικεφαλίδα|见出し|見出し|标题|標題|제목|titlu|antraštė|naslov)\s*(\d)",
)
_FOLDER = Path(__file__).parent
_NAMES: Mapping[str, frozenset[str]] = {
    role: frozenset(names) for role, names in json.loads((_FOLDER / "style_names.json").read_text("utf-8")).items()
}
"""Names of styles by role, in lower case and, but for titles, without spaces, hyphens and underscores."""
_ROLES: tuple[Role, ...] = ("code", "quote", "term", "definition", "list")
_LIST_STYLE = re.compile(r"list(bullet|number)(\d?)")


def integer(text: str | None, default: int = 0) -> int:
    """Return an attribute as a whole number; the default for other text, and for more than 14 digits."""
    text = (text or "").strip()
    return int(text) if text.removeprefix("-").isdecimal() and len(text) < 15 else default


def named_level(name: str) -> int:
    """Return the level of a heading style by its name in lower case; 0 for other styles."""
    match = _HEADING.fullmatch(name)
    return min(MAX_HEADING_LEVEL, max(1, int(match[1]))) if match else 0


def style_role(name: str) -> Role:
    """Return the role of the paragraphs of a style by its name in lower case. Empty for other styles."""
    if name in _NAMES["titles"]:
        return "title"
    key = re.sub(r"[\s_-]", "", name)
    if match := _LIST_STYLE.fullmatch(key):
        return "bullet" if match[1] == "bullet" else "number"
    return next((role for role in _ROLES if key in _NAMES[role]), "")


def list_depth(name: str) -> int:
    """Return how deep a list style such as `list bullet 3` indents, by its name in lower case; 0 for other styles."""
    match = _LIST_STYLE.fullmatch(name.replace(" ", ""))
    return max(0, int(match[2] or 1) - 1) if match else 0


def is_code_style(name: str) -> bool:
    """Return whether a character style marks code, by its name in lower case."""
    return name.replace(" ", "") in _NAMES["inline code"]


MAX_INSTRUCTION_CHARACTERS = 10_000

_ARGUMENT = re.compile(r'"((?:[^"\\]|\\.)*)"|(\\[a-zA-Z])|(\S+)')
_ESCAPED = re.compile(r"\\(.)")
_REFERENCES = frozenset(("REF", "PAGEREF", "NOTEREF"))


def field_link(instruction: str) -> str:
    """Return the address that a HYPERLINK or a reference with the switch `h` links to. Empty for other fields."""
    name, arguments, switches = _parse(instruction[:MAX_INSTRUCTION_CHARACTERS])
    if name == "HYPERLINK":
        address = arguments[0] if arguments else ""
        anchor = switches.get("\\l", "")
        return f"{address}#{anchor}" if anchor else address
    if name in _REFERENCES and arguments and "\\h" in switches:
        return f"#{arguments[0]}"
    return ""


def _parse(instruction: str) -> tuple[str, list[str], dict[str, str]]:
    """Return the name of a field, its arguments, and its switches with the argument that follows each of them."""
    name, arguments, switches = "", [], {}
    switch = ""
    for quoted, found_switch, word in _ARGUMENT.findall(instruction):
        value = _ESCAPED.sub(r"\1", quoted) if quoted else word
        if found_switch:
            switch = found_switch.lower()
            switches[switch] = ""
        elif not name:
            name = value.upper()
        elif switch in ("\\l", "\\o", "\\t", "\\m", "\\n"):
            switches[switch] = value
            switch = ""
        else:
            arguments.append(value)
    return name, arguments, switches


_SWITCH = re.compile(r"\\\*\s*(?:\"[^\"]*\"|\S+)")
"""A format of the field, such as `\\* jc2`."""
_EQUATION = re.compile(
    r"\\(?P<command>[a-z])(?:\s*\\[a-z]{2,3}(?:\s*-?\d+|\s*\\\S)?)*\s*\(|(?P<sign>[(),;])|\\?(?P<text>.)",
    re.IGNORECASE | re.DOTALL,
)
"""A command such as `\\o\\ad(` with its options, what separates and ends its arguments, and a character of a text."""


def equation_text(instruction: str) -> str:
    """Return what a field EQ shows, as plain text; empty for other fields (ISO/IEC 29500-1, 17.16.5.17).

    Of characters above each other, such as those with a phonetic guide, it has the last one, which is the text.
    """
    source = instruction[:MAX_INSTRUCTION_CHARACTERS].strip()
    if not re.match(r"EQ\b", source, re.IGNORECASE):
        return ""
    opened: list[tuple[str, list[str]]] = [("", [""])]
    for match in _EQUATION.finditer(_SWITCH.sub("", source[2:])):
        command, arguments = opened[-1]
        if match["command"] or match["sign"] == "(":
            opened.append(((match["command"] or "(").lower(), [""]))
        elif match["sign"] == ")" and command:
            del opened[-1]
            opened[-1][1][-1] += _equation_part(command, arguments)
        elif match["sign"] in (",", ";") and command not in ("", "("):
            arguments.append("")
        else:
            arguments[-1] += match[0].removeprefix("\\")
    return "".join(arguments[-1] for _, arguments in opened).strip()


def _equation_part(command: str, arguments: list[str]) -> str:
    """Return what a command of an EQ field shows: a fraction, a root, a bracket, or its arguments."""
    parts = [each.strip() for each in arguments]
    match command:
        case "f":
            return "/".join(each if each.isalnum() else f"({each})" for each in parts)
        case "r":
            return f"{parts[0] if len(parts) > 1 else ''}√({parts[-1]})"
        case "b" | "(":
            return f"({parts[-1]})"
        case "o":
            return parts[-1]
    return " ".join(parts)


MAX_NUMBER = 100_000

_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
    (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip


def numeral(number: int, number_format: str) -> str:
    """Return a number as a format of numbers writes it (ISO/IEC 29500-1, 17.18.59); as decimal if it is not known."""
    number = max(0, min(MAX_NUMBER, number))
    if number_format == "none":
        return ""
    if number_format == "decimalZero":
        return f"{number:02}"
    name = number_format.lower()
    text = _NUMERALS.get(name.replace("upper", "").replace("lower", ""), str)(number)
    return text.upper() if "upper" in name else text


def _letters(number: int) -> str:
    repeats, letter = divmod(number - 1, 26)
    return chr(ord("a") + letter) * min(repeats + 1, 50) if number else "0"


def _roman(number: int) -> str:
    text, rest = "", number
    for value, digits in _ROMAN if number < 5000 else ():
        repeats, rest = divmod(rest, value)
        text += digits * repeats
    return text or str(number)


def _ordinal(number: int) -> str:
    suffix = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{suffix}"


def _chinese(number: int) -> str:
    """Return a number below 10,000 in Chinese, such as 二十一 for 21; 10 to 19 begin with ten."""
    if not 0 < number < 10_000:
        return str(number)
    text = ""
    for place, digit in zip("千百十 ", f"{number:04}", strict=True):
        if digit != "0":
            text += (_CHINESE_DIGITS[int(digit)] + place).strip()
        elif text and not text.endswith("〇") and number % 10 ** (4 - "千百十 ".index(place)):
            text += "〇"
    return text.removeprefix("一") if 10 <= number < 20 else text


def _sequence(characters: str) -> Callable[[int], str]:
    return lambda number: characters[number - 1] if 0 < number <= len(characters) else str(number)


_CHINESE_DIGITS = "〇一二三四五六七八九"
_NUMERALS: dict[str, Callable[[int], str]] = {
    "letter": _letters,
    "roman": _roman,
    "ordinal": _ordinal,
    "decimalenclosedcircle": _sequence("①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"),
    "decimalfullwidth": lambda number: "".join(chr(0xFEE0 + ord(digit)) for digit in str(number)),
    "russian": _sequence("абвгдежзиклмнопрстуфхцчшщэюя"),
    **dict.fromkeys(("chinesecounting", "chinesecountingthousand", "taiwanesecounting"), _chinese),
    "japanesecounting": lambda number: re.sub("〇|一(?=[百千])", "", _chinese(number)),
    "ideographdigital": lambda number: "".join(_CHINESE_DIGITS[int(digit)] for digit in str(number)),
    "ideographtraditional": _sequence("甲乙丙丁戊己庚辛壬癸"),
    "ganada": _sequence("가나다라마바사아자차카타파하"),
}
"""Writers of numbers by the name of the format in lower case, without `upper` and `lower`."""

CHECKED, UNCHECKED = "☒", "☐"
_BOXES = {**dict.fromkeys("☐◻□", False), **dict.fromkeys("☑☒", True)}


def box_state(bullet: str) -> bool | None:
    """Return whether a bullet is a checked box. None for other bullets."""
    return _BOXES.get(bullet)


_FONTS: Mapping[str, str] = json.loads((_FOLDER / "symbol_fonts.json").read_text("utf-8"))
"""Characters from position 0x20 on, by the name of the font in lower case; U+FFFD where there is none.

Those are the characters that Unicode 7 encoded for these fonts. A common character that looks alike is in place of a
rare one that few fonts have, such as ✓ for U+1F5F8, and a plain arrow in place of its variants.
"""


def is_symbol_font(font: str) -> bool:
    """Return whether a font has symbols in place of letters."""
    return _font_key(font) in _FONTS


def symbol_text(font: str, text: str) -> str:
    """Return what a text shows in a font: in symbol fonts, symbols in place of the letters that store them.

    Word stores symbols by their position in the font, as a letter or in the private use area: `F0B7` is position B7.
    Text of other fonts is returned unchanged.
    """
    characters = _FONTS.get(_font_key(font))
    if characters is None:
        return text
    return "".join(_symbol(characters, character) for character in text)


def _symbol(characters: str, stored: str) -> str:
    position = ord(stored)
    is_private = 0xF000 <= position <= 0xF0FF
    if not is_private and (position > 0xFF or stored in " \t\n\r\xa0"):
        return stored
    index = (position & 0xFF) - 0x20
    shown = characters[index] if 0 <= index < len(characters) else "\ufffd"
    return shown if shown != "\ufffd" else "" if is_private else stored


@lru_cache(maxsize=500)
def _font_key(font: str) -> str:
    key = " ".join(font.lower().split())
    return "symbol" if key in ("symbolmt", "symbol mt") else key


def symbol_character(font: str, code: str) -> str:
    """Return the character of a symbol by its hexadecimal position in a font. Empty if the font is unknown."""
    try:
        shown = symbol_text(font, chr(int(code, 16)))
    except (ValueError, OverflowError):
        return ""
    return shown if shown and unicodedata.category(shown) not in ("Cc", "Cn", "Co", "Cs") else ""
