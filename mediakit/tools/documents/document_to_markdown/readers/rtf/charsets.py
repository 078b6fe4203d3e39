"""Characters of Rich Text Format: bytes in the charset of a font, and UTF-16 code units."""

CODE_PAGES = {
    0: "cp1252",
    77: "mac_roman",
    128: "cp932",
    129: "cp949",
    130: "johab",
    134: "gbk",
    136: "cp950",
    161: "cp1253",
    162: "cp1254",
    163: "cp1258",
    177: "cp1255",
    178: "cp1256",
    186: "cp1257",
    204: "cp1251",
    222: "cp874",
    238: "cp1250",
    255: "cp437",
}
"""Charsets of fonts by their number (`fcharset`)."""

SYMBOL_CHARSET = 2

_NAMED = {"mac": "mac_roman", "pc": "cp437", "pca": "cp850", "ansi": "cp1252"}
_DOUBLE_BYTE = frozenset(("cp932", "cp949", "johab", "gbk", "cp950"))


def named_charset(name: str) -> str:
    """Return the charset of a document by its control word."""
    return _NAMED[name]


def code_page(number: int) -> str:
    """Return the charset of a code page. Windows-1252 stands for unknown ones."""
    name = {65001: "utf-8", 10000: "mac_roman", 936: "gbk", 1361: "johab"}.get(number, f"cp{number}")
    try:
        "".encode(name)
    except LookupError:
        return "cp1252"
    return name


def begins_pair(byte: int, charset: str) -> bool:
    """Return whether a byte is the first one of a character of two bytes."""
    if charset not in _DOUBLE_BYTE or byte < 0x81:
        return False
    return not (charset == "cp932" and 0xA0 <= byte <= 0xDF)


def join_surrogates(text: str) -> str:
    """Return a text whose pairs of surrogates are characters. Lone ones become replacement characters."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
