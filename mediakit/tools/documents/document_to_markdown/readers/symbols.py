"""Characters of symbol fonts, which Word stores by their position in the font (`w:sym`)."""

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
