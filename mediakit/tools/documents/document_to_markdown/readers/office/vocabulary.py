"""Words of word processors: names of styles in many languages, codes of fields, symbol fonts, and XML namespaces."""

import re
from typing import Literal

Role = Literal["", "title", "code", "quote", "term", "definition", "list", "bullet", "number"]

MAX_HEADING_LEVEL = 6

_HEADING = re.compile(
    r"(?:heading|überschrift|titre|título|titulo|titolo|kop|rubrik|overskrift|otsikko|nagłówek|nadpis|címsor|başlık|"
    r"заголовок|επικεφαλίδα|见出し|見出し|标题|標題|제목|titlu|antraštė|naslov)\s*(\d)",
)
_TITLES = frozenset(
    ("title", "titel", "titre", "título", "titolo", "название", "标题", "標題", "表題", "제목", "tytuł")
)
_ROLES: tuple[tuple[Role, frozenset[str]], ...] = (
    (
        "code",
        frozenset(
            (
                "sourcecode", "code", "codeblock", "codeblocks", "htmlpreformatted", "preformattedtext", "preformatted",
                "macro", "macrotext", "verbatim", "listing", "programlisting", "quellcode", "quelltext",
                "htmlvorformatiert", "préformatéhtml", "vorformatiertertext", "textepréformaté", "codigo", "código",
            )
        ),
    ),
    (
        "quote",
        frozenset(
            (
                "quote", "intensequote", "blocktext", "blockquote", "blockquotation", "quotations", "zitat",
                "intensiveszitat", "intensivzitat", "citation", "citationintense", "cita", "citadestacada",
                "citazione", "citazioneintensa", "citat", "citaat", "duidelijkcitaat", "quotedtext",
            )
        ),
    ),
    ("term", frozenset(("definitionterm",))),
    ("definition", frozenset(("definition",))),
)  # fmt: skip
_INLINE_CODE = frozenset(
    (
        "verbatimchar", "htmlcode", "htmlkeyboard", "htmlsample", "htmltypewriter", "sourcetext", "code", "codechar",
        "inlinecode", "codeinline", "sourcecodechar", "htmlpreformattedchar", "teletype",
    )
)  # fmt: skip
_LIST_STYLE = re.compile(r"list(bullet|number)\d?")
_LIST_PARAGRAPHS = frozenset(("listparagraph", "listenabsatz", "listcontinue", "paragraphedeliste", "párrafodelista"))


def named_level(name: str) -> int:
    """Return the level of a heading style by its name in lower case; 0 for other styles."""
    match = _HEADING.fullmatch(name)
    return min(MAX_HEADING_LEVEL, max(1, int(match[1]))) if match else 0


def style_role(name: str) -> Role:
    """Return the role of the paragraphs of a style by its name in lower case. Empty for other styles."""
    if name in _TITLES:
        return "title"
    key = re.sub(r"[\s_-]", "", name)
    for role, names in _ROLES:
        if key in names:
            return role
    if match := _LIST_STYLE.fullmatch(key):
        return "bullet" if match[1] == "bullet" else "number"
    return "list" if key in _LIST_PARAGRAPHS else ""


def is_code_style(name: str) -> bool:
    """Return whether a character style marks code, by its name in lower case."""
    return name.replace(" ", "") in _INLINE_CODE


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


_SYMBOL = " !∀#∃%&∍()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼"
_SYMBOL_HIGH = "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪\ufffd〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭"
_WINGDINGS = {
    0x21: "✏", 0x22: "✂", 0x28: "☎", 0x2A: "✉", 0x36: "⌛", 0x3F: "✍", 0x41: "✌", 0x43: "👍", 0x44: "👎",
    0x45: "☜", 0x46: "☞", 0x47: "☝", 0x48: "☟", 0x4A: "☺", 0x4C: "☹", 0x4D: "💣", 0x4E: "☠", 0x51: "✈",
    0x52: "☼", 0x54: "❄", 0x58: "✠", 0x59: "✡", 0x5A: "☪", 0x6C: "●", 0x6D: "❍", 0x6E: "■", 0x6F: "□",
    0x71: "❑", 0x72: "❒", 0x73: "⬧", 0x74: "⧫", 0x75: "◆", 0x76: "❖", 0x77: "⬥", 0x78: "⌧", 0x7A: "⌘",
    0x80: "⓪", **{0x81 + number: chr(0x2460 + number) for number in range(10)},
    0x8B: "⓿", **{0x8C + number: chr(0x2776 + number) for number in range(10)},
    0x9E: "·", 0x9F: "•", 0xA1: "○", 0xA4: "◉", 0xA7: "▪", 0xA8: "◻", 0xAA: "✦", 0xAB: "★", 0xB6: "☆",
    0xD5: "⌫", 0xD6: "⌦", 0xD8: "➢", 0xDC: "➲", 0xDF: "←", 0xE0: "→", 0xE1: "↑", 0xE2: "↓", 0xE3: "↖",
    0xE4: "↗", 0xE5: "↙", 0xE6: "↘", 0xE8: "➔", 0xEF: "⇦", 0xF0: "⇨", 0xF1: "⇧", 0xF2: "⇩", 0xF3: "⬄",
    0xFB: "✗", 0xFC: "✓", 0xFD: "☒", 0xFE: "☑",
}  # fmt: skip
_WINGDINGS_2 = {
    0x4F: "✗", 0x50: "✓", 0x51: "☒", 0x52: "☑", 0x53: "☒", 0x54: "☒", 0x97: "●", 0xA2: "■", 0xA3: "□",
    0x95: "•", 0x96: "•",
}  # fmt: skip
_WINGDINGS_3 = {0x66: "←", 0x67: "→", 0x68: "↑", 0x69: "↓", 0x7D: "▶", 0x7C: "◀", 0x70: "▲", 0x71: "▼"}

FONTS: dict[str, dict[int, str]] = {
    "symbol": {
        **{0x20 + offset: character for offset, character in enumerate(_SYMBOL)},
        **{0xA0 + offset: character for offset, character in enumerate(_SYMBOL_HIGH)},
    },
    "wingdings": _WINGDINGS,
    "wingdings 2": _WINGDINGS_2,
    "wingdings 3": _WINGDINGS_3,
}
"""Characters by position, for each font in lower case."""


def symbol_character(font: str, code: str) -> str:
    """Return the Unicode character of a symbol.

    Args:
        font: Name of the font.
        code: Hexadecimal position in the font, usually in the private use area: `F0B7` is position B7.
    """
    try:
        position = int(code, 16)
    except ValueError:
        return ""
    table = FONTS.get(font.strip().lower())
    if table is None:
        is_text = 0x20 <= position < 0xD800 or 0xF900 <= position < 0xFFFE
        return chr(position) if is_text else ""
    return table.get(position & 0xFF, "")
