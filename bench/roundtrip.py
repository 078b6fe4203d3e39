"""Prove that readers read what mediakit draws: `python -m bench.roundtrip`.

Every type of barcode at every scale, with and without text, on a dark page, by zxing-cpp and by zbar or libdmtx; many
random texts; and QR codes beside those of other encoders, whose size is compared.
"""

import argparse
import random
import string
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import zxingcpp
from PIL import Image

import mediakit
from mediakit.tools.barcode.symbols import MATRIX

WORDS = ["Grüße,", "señor", "Ærø", "£5", "·", "Łódź", "Ωmega", "日本語", "русский", "👋🏽", "🎉"]
CODE39 = string.digits + string.ascii_uppercase + "-. $/+%"
LATIN_1 = "".join(map(chr, range(161, 256)))
ECI_26 = b"\x1a"
"""What libdmtx leaves of the designator of UTF-8."""
PAGE = 0x33
"""Gray of a dark page."""

zxing = zxingcpp.BarcodeFormat
FORMATS = {
    "code128": zxing.Code128,
    "code39": zxing.Code39Std,
    "ean13": zxing.EAN13,
    "ean8": zxing.EAN8,
    "upca": zxing.UPCA,
    "upce": zxing.UPCE,
    "itf14": zxing.ITF,
    "datamatrix": zxing.DataMatrix,
    "pdf417": zxing.PDF417,
    "aztec": zxing.Aztec,
}
DIGITS = {"ean13": 12, "ean8": 7, "upca": 11, "upce": 7, "itf14": 13}


class Drawn(NamedTuple):
    """A picture and what it should say."""

    kind: str
    text: str
    image: Image.Image
    scale: int


def text_for(kind: str, chance: random.Random, longest: int = 60) -> str:
    """Make a text that a type can hold."""
    if kind in DIGITS:
        digits = "".join(chance.choices(string.digits, k=DIGITS[kind]))
        return chance.choice("01") + digits[1:] if kind == "upce" else digits
    length = chance.randint(1, longest)
    if kind == "code39":
        return "".join(chance.choices(CODE39, k=length))
    pools = [string.digits, string.ascii_letters + string.digits, string.printable, "".join(map(chr, range(128)))]
    pools += [LATIN_1 + string.ascii_letters] if kind == "code128" else ["".join(WORDS), string.digits + "Öß漢字€"]
    return "".join(chance.choices(chance.choice(pools), k=length))


def drawn(kind: str, data: str, scale: int, **options: Any) -> Drawn:
    made = mediakit.barcode(data, type=kind, scale=scale, **options)  # type: ignore[arg-type]
    return Drawn(kind, made.meta["text"], made.to_pil().convert("L"), made.meta["module_px"])


def on_a_dark_page(code: Drawn) -> Drawn:
    width, height = code.image.size
    page = Image.new("L", (width + 80, height + 80), PAGE)
    page.paste(code.image, (40, 40))
    return code._replace(image=page)


def expected(code: Drawn) -> str:
    """Give the text as zxing-cpp says it."""
    if code.kind == "upca":
        return f"0{code.text}"
    return code.text


def read_by_zxing(code: Drawn) -> bool:
    plain = zxingcpp.TextMode.Plain
    found = zxingcpp.read_barcodes(code.image, formats=FORMATS[code.kind], text_mode=plain)
    if code.kind == "upce":
        return [barcode.extra["UPCE"] for barcode in found] == [code.text]
    return [barcode.text for barcode in found] == [expected(code)]


def second_reader() -> Callable[[Drawn], bool | None]:
    """Give a reader of its own make: zbar, libdmtx for Data Matrix; None: it does not know the type."""
    from pylibdmtx import pylibdmtx
    from pyzbar import pyzbar

    symbols = pyzbar.ZBarSymbol
    known = {"code128": symbols.CODE128, "code39": symbols.CODE39, "itf14": symbols.I25, "ean13": symbols.EAN13}
    known |= {"ean8": symbols.EAN8, "upca": symbols.EAN13, "upce": symbols.UPCE}

    def read(code: Drawn) -> bool | None:
        if code.kind == "datamatrix" and "\0" not in code.text:
            (found,) = pylibdmtx.decode(code.image, max_count=1, timeout=5000) or [None]
            return found is not None and bytes(found.data).removeprefix(ECI_26) == code.text.encode()
        if code.kind not in known or not code.text.isascii() or (code.kind == "upce" and code.text[0] == "1"):
            return None
        width, height = code.image.size
        image = code.image.resize((width * 2, height * 2), 0) if code.scale == 1 else code.image  # it needs two pixels
        return [one.data.decode() for one in pyzbar.decode(image, symbols=[known[code.kind]])] == [expected(code)]

    return read


def on_whole_pixels(code: Drawn) -> bool:
    """Tell whether every edge of the bars is a multiple of the module away from the picture's, in two colours."""
    image, scale = code.image, code.scale
    height = image.height if code.kind in MATRIX else image.height // 2
    bars = image.crop((0, 0, image.width, height))
    modules = bars.resize((image.width // scale, max(1, height // scale)), Image.Resampling.NEAREST)
    again = modules.resize((image.width, modules.height * scale), Image.Resampling.NEAREST)
    same = again.tobytes() == image.crop((0, 0, image.width, modules.height * scale)).tobytes()
    return same and {color for _, color in bars.getcolors() or []} == {0, 255}


def every_drawing(values: int, chance: random.Random) -> Iterator[Drawn]:
    for kind in FORMATS:
        for scale in range(1, 11):
            for text in (True, False):
                for _ in range(values):
                    yield drawn(kind, text_for(kind, chance, 30), scale, include_text=text)


def prove_drawings(values: int) -> None:
    try:
        second = second_reader()
    except ImportError as missing:
        print(f"second reader: not measured: {missing}")
        second = lambda _code: None  # noqa: E731
    scores: dict[str, Counter[str]] = {kind: Counter() for kind in FORMATS}
    for code in every_drawing(values, random.Random(2026)):
        score = scores[code.kind]
        dark = on_a_dark_page(code)
        score["drawn"] += 1
        score["whole pixels"] += on_whole_pixels(code)
        score["zxing-cpp"] += read_by_zxing(code)
        score["on a dark page"] += read_by_zxing(dark)
        other = second(code)
        score["second asked"] += other is not None
        score["second read"] += bool(other)
        if not other and other is not None and score["second asked"] - score["second read"] < 3:
            print("second", code.kind, code.scale, repr(code.text))
    for kind, score in scores.items():
        print(
            f"| {kind} | "
            + " | ".join(
                f"{name} {score[name]}"
                for name in ("drawn", "whole pixels", "zxing-cpp", "on a dark page", "second read", "second asked")
            )
            + " |",
            flush=True,
        )


def prove_texts(count: int) -> None:
    chance, failed = random.Random(417), []
    for number in range(count):
        kind = list(FORMATS)[number % len(FORMATS)]
        code = drawn(kind, text_for(kind, chance, 120), chance.randint(2, 4), include_text=chance.random() < 0.5)
        if not read_by_zxing(code):
            failed.append((kind, code.scale, code.text))
    print(f"{count} random texts: {count - len(failed)} read back")
    for one in failed[:20]:
        print("  not read back:", one)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m bench.roundtrip", description=__doc__)
    parser.add_argument("--values", type=int, default=50, help="texts of each type, scale and choice of text")
    parser.add_argument("--texts", type=int, default=10_000)
    given = parser.parse_args()
    prove_drawings(given.values)
    prove_texts(given.texts)
