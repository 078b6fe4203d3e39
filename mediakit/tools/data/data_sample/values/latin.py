"""Names in Latin letters without marks, for e-mail addresses."""

import unicodedata

_LETTERS = {
    "ß": "ss", "ä": "ae", "ö": "oe", "ü": "ue", "æ": "ae", "œ": "oe", "ø": "o", "å": "a", "ł": "l", "đ": "d", "ð": "d",
    "þ": "th", "ı": "i", "ħ": "h", "ñ": "n", "ə": "e",
}  # fmt: skip
_CYRILLIC = dict(
    zip(
        "абвгдежзийклмнопрстуфхцчшщъыьэюяёђјљњћџіїєґѓќѕ",
        "a b v g d e zh z i y k l m n o p r s t u f kh ts ch sh shch  y  e yu ya e dj j lj nj c dz i yi ye g gj kj dz"
        .split(" "),
        strict=False,
    )
)  # fmt: skip
_GREEK = dict(
    zip("αβγδεζηθικλμνξοπρστυφχψως", "a v g d e z i th i k l m n x o p r s t y f ch ps o s".split(), strict=True)
)
_INITIALS = "g kk n d tt r m b pp s ss  j jj ch k t p h".split(" ")
_VOWELS = "a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i".split()
_FINALS = [
    "", "k", "k", "k", "n", "n", "n", "t", "l", "k", "m", "l", "l", "l", "p", "l", "m", "p", "p", "t", "t", "ng", "t",
    "t", "k", "t", "p", "t",
]  # fmt: skip
_HANGUL_FIRST, _HANGUL_LAST = 0xAC00, 0xD7A3


def latin(name: str, language: str = "") -> str:
    """Return a name in lower case ASCII letters; empty for scripts that cannot be written so letter by letter."""
    return "".join(_letters(sign, language) for sign in unicodedata.normalize("NFC", name).lower())


def _letters(sign: str, language: str) -> str:
    if sign.isascii():
        return sign if sign.isalnum() else ""
    if sign in "äöüå" and language not in ("de", "da", "no"):
        return _plain(sign)
    if sign in _LETTERS:
        return _LETTERS[sign]
    code = ord(sign)
    if _HANGUL_FIRST <= code <= _HANGUL_LAST:
        initial, rest = divmod(code - _HANGUL_FIRST, 588)
        vowel, final = divmod(rest, 28)
        return _INITIALS[initial] + _VOWELS[vowel] + _FINALS[final]
    base = _plain(sign, ascii_only=False)
    return _CYRILLIC.get(base) or _CYRILLIC.get(sign) or _GREEK.get(base) or _plain(sign)


def _plain(sign: str, *, ascii_only: bool = True) -> str:
    parts = unicodedata.normalize("NFKD", sign)
    return "".join(part for part in parts if not unicodedata.combining(part) and (part.isascii() or not ascii_only))
