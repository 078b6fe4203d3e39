"""Random texts for codes. The same seed returns the same texts."""

import random
import string
from collections.abc import Callable

from mediakit import payloads

DATA_DIGITS = {"ean13": 12, "ean8": 7, "upca": 11, "upce": 7, "itf14": 13}
CODE39 = string.digits + string.ascii_uppercase + "-. $/+%"
ALPHANUMERIC = string.digits + string.ascii_uppercase + " $%*+-./:"
ASCII = "".join(map(chr, range(128)))
LATIN_1 = "".join(map(chr, range(161, 256)))
WORDS = ["Straße", "señor", "Ærø", "£5", "·", "Łódź", "Ωmega", "日本語", "русский", "👋🏽", "🎉", "coffee", "2026"]


def for_barcode(kind: str, chance: random.Random, max_length: int) -> str:
    """Return a text that a type of barcode can encode."""
    if kind in DATA_DIGITS:
        digits = _text(string.digits, DATA_DIGITS[kind], chance)
        return chance.choice("01") + digits[1:] if kind == "upce" else digits
    pools = [string.digits, string.ascii_letters + string.digits, string.printable, ASCII]
    pools += [LATIN_1 + string.ascii_letters] if kind == "code128" else ["".join(WORDS), string.digits + "Öß漢字€"]
    return _text(CODE39 if kind == "code39" else chance.choice(pools), chance.randint(1, max_length), chance)


def for_qr(chance: random.Random) -> str:
    """Return a text of a kind that is common in QR codes."""
    return chance.choice(QR_TEXTS)(chance)


def _text(pool: str, length: int, chance: random.Random) -> str:
    return "".join(chance.choices(pool, k=length))


def _words(count: int, chance: random.Random) -> str:
    return " ".join(chance.choices(WORDS, k=count))


def _wifi(chance: random.Random) -> str:
    return payloads.wifi(_text(string.ascii_letters, 8, chance), password=_text(string.ascii_letters, 12, chance))


def _contact(chance: random.Random) -> str:
    phone, email = f"+4930{_text(string.digits, 7, chance)}", f"{_text(string.ascii_lowercase, 7, chance)}@example.com"
    return payloads.contact(_words(2, chance), phone=phone, email=email, organization=_words(3, chance))


QR_TEXTS: list[Callable[[random.Random], str]] = [
    lambda chance: f"https://example.com/{_text(string.ascii_lowercase + '/-', chance.randint(1, 80), chance)}",
    lambda chance: _text(string.digits, chance.randint(1, 300), chance),
    lambda chance: _text(ALPHANUMERIC, chance.randint(1, 200), chance),
    lambda chance: _text(string.printable, chance.randint(1, 300), chance),
    lambda chance: _text(string.digits, 20, chance) + _text(string.ascii_lowercase, 10, chance),
    _wifi,
    _contact,
    lambda chance: _words(chance.randint(1, 25), chance),
    lambda chance: _text("日本語東京都渋谷区テスト", chance.randint(1, 100), chance),
    lambda chance: _text("äöüßéèñ abcdefgh", chance.randint(1, 200), chance),
    lambda chance: _text("😀🎉👋 abc", chance.randint(1, 60), chance),
]
