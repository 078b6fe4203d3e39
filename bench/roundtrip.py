"""Decode the codes that mediakit creates with several libraries: `python -m bench.roundtrip`.

The command decodes barcodes of all types and scales, with and without text, also on a dark background, with zxing-cpp,
tapirscan and, if installed, zbar or libdmtx; barcodes with many random texts; and QR codes with random texts in all
styles. It also compares the size of QR codes with that of other encoders.
"""

import argparse
import json
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import version
from typing import Any, NamedTuple

import tapirscan
import zxingcpp
from PIL import Image

import mediakit
from bench import figures, texts
from bench.packages import NPM, PYPI, npm_package, pip_package
from bench.worker import HERE
from mediakit.errors import InvalidInput
from mediakit.samples import LOGO
from mediakit.tools.images.barcode.symbols import MATRIX_FORMATS

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
ECI_26 = b"\x1a"
"""What libdmtx returns for the ECI designator of UTF-8."""

DARK_BACKGROUND = 0x33
"""Gray level."""

PADDING = 40
"""Pixels of background on each side of a code."""

MIN_MODULE_PIXELS = 3
"""Pixels of a module that zbar and libdmtx need."""


COMMAND = "python -m bench.roundtrip"
READERS = f"zxing-cpp {version('zxing-cpp')} and tapirscan {version('tapirscan')} decode"


class Code(NamedTuple):
    """The image of a code and its text."""

    kind: str
    text: str
    image: Image.Image
    module: int
    """Pixels of a module."""


Reader = Callable[[Code], bool | None]
"""Returns whether the text is decoded. None if the library does not support the type or the characters."""


def create(kind: str, data: str, scale: int, **options: Any) -> Code:
    """Create a barcode."""
    result = mediakit.barcode(data, type=kind, scale=scale, **options)  # type: ignore[arg-type]
    return Code(kind, result.meta["text"], result.to_pil().convert("L"), result.meta["module_px"])


def on_dark_background(code: Code) -> Code:
    """Return a code on a dark background."""
    width, height = code.image.size
    canvas = Image.new("L", (width + 2 * PADDING, height + 2 * PADDING), DARK_BACKGROUND)
    canvas.paste(code.image, (PADDING, PADDING))
    return code._replace(image=canvas)


def is_decoded_by_zxing(code: Code) -> bool:
    """Return whether zxing-cpp decodes the text."""
    found = zxingcpp.read_barcodes(code.image, formats=FORMATS[code.kind], text_mode=zxingcpp.TextMode.Plain)
    if code.kind == "upce":
        return code.text in [barcode.extra["UPCE"] for barcode in found]
    return ean_text(code) in [barcode.text for barcode in found]


def is_decoded_by_tapirscan(code: Code) -> bool:
    """Return whether tapirscan decodes the text."""
    kind = {"itf14": "ITF"}.get(code.kind, FORMATS[code.kind].name.removesuffix("Std"))
    return code.text in [barcode.text for barcode in tapirscan.scan(code.image, formats=kind).barcodes]


def zbar_and_libdmtx() -> Reader:
    """Return a function that decodes linear types with zbar and Data Matrix with libdmtx. Small codes are enlarged."""
    try:
        from pylibdmtx import pylibdmtx
        from pyzbar import pyzbar
    except ImportError as missing:
        print(f"zbar and libdmtx are not measured: {missing}")
        return lambda _code: None

    symbols = pyzbar.ZBarSymbol
    supported = {"code128": symbols.CODE128, "code39": symbols.CODE39, "itf14": symbols.I25, "ean13": symbols.EAN13}
    supported |= {"ean8": symbols.EAN8, "upca": symbols.EAN13, "upce": symbols.UPCE}

    def read(code: Code) -> bool | None:
        enlarged = code.image.resize((code.image.width * 2, code.image.height * 2), Image.Resampling.NEAREST)
        image = enlarged if code.module < MIN_MODULE_PIXELS else code.image
        if code.kind == "datamatrix" and "\0" not in code.text:
            (found,) = pylibdmtx.decode(image, max_count=1, timeout=5000) or [None]
            return found is not None and bytes(found.data).removeprefix(ECI_26) == code.text.encode()
        if code.kind not in supported or not code.text.isascii() or (code.kind == "upce" and code.text[0] == "1"):
            return None
        return ean_text(code) in [found.data.decode() for found in pyzbar.decode(image, symbols=[supported[code.kind]])]

    return read


def ean_text(code: Code) -> str:
    """Return the text as the libraries return it: UPC-A as EAN-13."""
    return f"0{code.text}" if code.kind == "upca" else code.text


def is_on_whole_pixels(code: Code) -> bool:
    """Return whether the code has two colors and can be scaled to one pixel per module and back without loss."""
    image, module = code.image, code.module
    height = image.height if code.kind in MATRIX_FORMATS else image.height // 2 // module * module
    bars = image.crop((0, 0, image.width, height))
    modules = bars.resize((image.width // module, height // module), Image.Resampling.NEAREST)
    is_equal = modules.resize(bars.size, Image.Resampling.NEAREST).tobytes() == bars.tobytes()
    return is_equal and {color for _, color in bars.getcolors() or []} == {0, 255}


def all_variants(kind: str, values: int) -> Iterator[Code]:
    """Yield barcodes of a type with random texts at all scales, with and without text."""
    chance = random.Random(f"{kind} 2026")
    for scale in range(1, 11):
        for text in (True, False):
            for _ in range(values):
                yield create(kind, texts.for_barcode(kind, chance, 30), scale, include_text=text)


def measure_scales(values: int) -> Iterator[dict[str, str]]:
    """Print how many barcodes of each type are decoded, and yield the sums."""
    print(f"\n{values} texts at each of 10 scales, with and without text:\n")
    print("| type | codes | whole pixels | zxing-cpp | dark background | tapirscan | dark background | zbar, libdmtx |")
    print("| --- | --: | --: | --: | --: | --: | --: | --: |")
    read, total = zbar_and_libdmtx(), Counter[str]()
    for kind in FORMATS:
        score: Counter[str] = Counter()
        for code in all_variants(kind, values):
            dark, is_decoded = on_dark_background(code), read(code)
            score += Counter(
                codes=1,
                pixels=is_on_whole_pixels(code),
                zxing=is_decoded_by_zxing(code),
                zxing_dark=is_decoded_by_zxing(dark),
                tapirscan=is_decoded_by_tapirscan(code),
                tapirscan_dark=is_decoded_by_tapirscan(dark),
                supported=is_decoded is not None,
                decoded=bool(is_decoded),
            )
        total += score
        columns = ("codes", "pixels", "zxing", "zxing_dark", "tapirscan", "tapirscan_dark")
        decoded = f"{score['decoded']} of {score['supported']}" if score["supported"] else ""
        print(f"| {kind} | {' | '.join(str(score[name]) for name in columns)} | {decoded} |", flush=True)
    work = f"{total['codes']:,} barcodes of ten types at ten scales, decoded"
    yield figures.check(work, f"{total['zxing']:,} and {total['tapirscan']:,}", READERS, COMMAND)
    work = f"{total['codes']:,} barcodes on a dark background, decoded"
    yield figures.check(work, f"{total['zxing_dark']:,} and {total['tapirscan_dark']:,}", READERS, COMMAND)
    yield figures.check("Bars at whole pixels, in exactly two colors", f"{total['pixels']:,}", "", COMMAND)


def measure_texts(count: int) -> dict[str, str]:
    """Print and return how many barcodes with random texts are decoded."""
    chance, score = random.Random(417), Counter[str]()
    for number in range(count):
        kind = list(FORMATS)[number % len(FORMATS)]
        data, text = texts.for_barcode(kind, chance, 120), chance.random() < 0.5
        code = create(kind, data, chance.randint(2, 4), include_text=text)
        score += Counter({"zxing-cpp": is_decoded_by_zxing(code), "tapirscan": is_decoded_by_tapirscan(code)})
    print(f"\n{count} barcodes with random texts, decoded by: {dict(score)}", flush=True)
    work = f"{count:,} barcodes of random texts of up to 120 characters, decoded"
    return figures.check(work, f"{score['zxing-cpp']:,} and {score['tapirscan']:,}", READERS, COMMAND)


def measure_qr(count: int) -> dict[str, str]:
    """Print and return how many QR codes with random texts are decoded."""
    chance, score = random.Random(18004), Counter[str]()
    variants: list[Mapping[str, Any]] = [{}, {"style": "rounded"}, {"style": "dots"}]
    variants += [{"logo": LOGO, **options} for options in variants]
    for number in range(count):
        data, options = texts.for_qr(chance), variants[number % len(variants)]
        try:
            image = mediakit.qr(
                data, size=chance.randint(300, 1200), margin=4, ecc=chance.choice("LM"), **options
            ).to_pil()
        except InvalidInput as error:
            score[f"rejected: {error.message.partition(':')[0]}"] += 1
            continue
        gray = image.convert("L")
        score["zxing-cpp"] += data.encode() in [found.bytes for found in zxingcpp.read_barcodes(gray)]
        score["tapirscan"] += data in [found.text for found in tapirscan.scan(gray, formats="QRCode").barcodes]
    print(
        f"\n{count} QR codes with random texts in three styles, with and without a logo, decoded by: {dict(score)}",
        flush=True,
    )
    rejected = sum(number for name, number in score.items() if name.startswith("rejected"))
    work = f"{count - rejected:,} QR codes in three styles, with and without a logo, decoded"
    return figures.check(work, f"{score['zxing-cpp']:,} and {score['tapirscan']:,}", READERS, COMMAND)


def compare_sizes(count: int) -> Iterator[dict[str, str]]:
    """Compare the size of QR codes with those of other encoders for the same text and error correction level.

    The other two encoders write UTF-8 without declaring it, which makes codes of other characters smaller.
    """
    chance = random.Random(29)
    cases = [(texts.for_qr(chance), chance.choice("LMQH")) for _ in range(count)]
    environment = os.environ | {"NODE_PATH": str(npm_package("qrcode"))}
    command = ["node", str(HERE / "qr_sizes.cjs")]
    process = subprocess.run(
        command, input=json.dumps(cases), env=environment, capture_output=True, text=True, check=True
    )
    others = {
        f"qrcode {NPM['qrcode']} (Node)": json.loads(process.stdout),
        f"segno {PYPI['segno']}": map(_size_of_segno, cases),
        f"qrcode {version('qrcode')} (Python)": map(_size_of_qrcode, cases),
    }
    ours = [_size_of_mediakit(case) for case in cases]
    for name, sides in others.items():
        score = Counter[str]()
        for (text, _), our, side in zip(cases, ours, sides, strict=True):
            relation = "equal" if our == side else "smaller" if our and (our < side or not side) else "larger"
            score[f"{'ASCII' if text.isascii() else 'other'}, {relation}"] += 1
        print(f"Size of QR codes compared with {name}: {dict(sorted(score.items()))}", flush=True)
        smaller, larger = (score[f"ASCII, {each}"] + score[f"other, {each}"] for each in ("smaller", "larger"))
        declared = "with the same character set" if "segno" in name else "where other characters declare UTF-8"
        work = f"Size of {len(cases):,} QR codes, {declared}"
        yield figures.check(work, f"{smaller} smaller, {larger} larger", name, COMMAND)


def _size_of_mediakit(case: tuple[str, str]) -> int:
    """Return the modules on a side. 0 if the text is too long."""
    try:
        return int(mediakit.qr(case[0], ecc=case[1], format="svg").meta["version"]) * 4 + 17  # type: ignore[arg-type]
    except InvalidInput:
        return 0


def _size_of_segno(case: tuple[str, str]) -> int:
    import segno  # type: ignore[import-not-found]  # installed for the benchmark

    try:  # With the same ECI designator and character set: readers misinterpret the one that segno chooses itself.
        code = segno.make_qr(
            case[0],
            error=case[1],
            boost_error=False,
            encoding=None if case[0].isascii() else "utf-8",
            eci=not case[0].isascii(),
        )
    except segno.DataOverflowError:
        return 0
    return int(code.symbol_size(border=0)[0])


def _size_of_qrcode(case: tuple[str, str]) -> int:
    import qrcode

    code = qrcode.QRCode(error_correction={"L": 1, "M": 0, "Q": 3, "H": 2}[case[1]])
    code.add_data(case[0])
    try:
        code.make()
    except ValueError:
        return 0
    return int(code.modules_count)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.roundtrip", description=__doc__)
    parser.add_argument("--values", type=int, default=22, help="texts for each type and scale, with and without text")
    parser.add_argument(
        "--texts", type=int, default=10_000, help="barcodes with random texts; a tenth as many QR codes"
    )
    arguments = parser.parse_args()
    sys.path.insert(0, str(pip_package("segno")))
    rows = [*compare_sizes(arguments.texts // 10), measure_qr(arguments.texts // 10), measure_texts(arguments.texts)]
    figures.store("quality_roundtrip", [*measure_scales(arguments.values), *reversed(rows)])


if __name__ == "__main__":
    main()
