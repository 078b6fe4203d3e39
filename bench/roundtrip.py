"""Prove that readers read what mediakit draws, and that it is no larger than it must be: `python -m bench.roundtrip`.

Barcodes of every type at every scale, with and without text, also on a dark page, read by zxing-cpp, by tapirscan and,
where they are installed and know the type, by zbar or libdmtx; barcodes of many random texts; QR codes of random texts
in every style; and the size of QR codes beside other encoders'.
"""

import argparse
import json
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import tapirscan
import zxingcpp
from PIL import Image

import mediakit
from bench import texts
from bench.packages import npm_package, pip_package
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
"""What libdmtx leaves of the designator of UTF-8."""
PAGE = 0x33
"""Gray of a dark page."""


class Drawn(NamedTuple):
    """A picture and what it should say."""

    kind: str
    text: str
    image: Image.Image
    module: int
    """Its pixels."""


Reader = Callable[[Drawn], bool | None]
"""Says whether it reads the text; None: it does not know the type, or such characters."""


def drawn(kind: str, data: str, scale: int, **options: Any) -> Drawn:
    made = mediakit.barcode(data, type=kind, scale=scale, **options)  # type: ignore[arg-type]
    return Drawn(kind, made.meta["text"], made.to_pil().convert("L"), made.meta["module_px"])


def on_a_dark_page(code: Drawn) -> Drawn:
    width, height = code.image.size
    page = Image.new("L", (width + 80, height + 80), PAGE)
    page.paste(code.image, (40, 40))
    return code._replace(image=page)


def by_zxing(code: Drawn) -> bool:
    found = zxingcpp.read_barcodes(code.image, formats=FORMATS[code.kind], text_mode=zxingcpp.TextMode.Plain)
    if code.kind == "upce":
        return code.text in [barcode.extra["UPCE"] for barcode in found]
    return as_ean(code) in [barcode.text for barcode in found]


def by_tapirscan(code: Drawn) -> bool:
    kind = {"itf14": "ITF"}.get(code.kind, FORMATS[code.kind].name.removesuffix("Std"))
    return code.text in [barcode.text for barcode in tapirscan.scan(code.image, formats=kind).barcodes]


def by_a_third() -> Reader:
    """Give zbar for linear types, libdmtx for Data Matrix. Small modules grow for them: they need three pixels."""
    try:
        from pylibdmtx import pylibdmtx
        from pyzbar import pyzbar
    except ImportError as missing:
        print(f"zbar and libdmtx: not measured: {missing}")
        return lambda _code: None

    symbols = pyzbar.ZBarSymbol
    known = {"code128": symbols.CODE128, "code39": symbols.CODE39, "itf14": symbols.I25, "ean13": symbols.EAN13}
    known |= {"ean8": symbols.EAN8, "upca": symbols.EAN13, "upce": symbols.UPCE}

    def read(code: Drawn) -> bool | None:
        grown = code.image.resize((code.image.width * 2, code.image.height * 2), Image.Resampling.NEAREST)
        image = grown if code.module < 3 else code.image
        if code.kind == "datamatrix" and "\0" not in code.text:
            (found,) = pylibdmtx.decode(image, max_count=1, timeout=5000) or [None]
            return found is not None and bytes(found.data).removeprefix(ECI_26) == code.text.encode()
        if code.kind not in known or not code.text.isascii() or (code.kind == "upce" and code.text[0] == "1"):
            return None
        return as_ean(code) in [one.data.decode() for one in pyzbar.decode(image, symbols=[known[code.kind]])]

    return read


def as_ean(code: Drawn) -> str:
    """Give the text as readers say it: UPC-A as EAN-13."""
    return f"0{code.text}" if code.kind == "upca" else code.text


def on_whole_pixels(code: Drawn) -> bool:
    """Tell whether the bars can be scaled down to a pixel a module and up again, in two colours."""
    image, module = code.image, code.module
    height = image.height if code.kind in MATRIX_FORMATS else image.height // 2 // module * module
    bars = image.crop((0, 0, image.width, height))
    modules = bars.resize((image.width // module, height // module), Image.Resampling.NEAREST)
    same = modules.resize(bars.size, Image.Resampling.NEAREST).tobytes() == bars.tobytes()
    return same and {color for _, color in bars.getcolors() or []} == {0, 255}


def every_drawing(kind: str, values: int) -> Iterator[Drawn]:
    chance = random.Random(f"{kind} 2026")
    for scale in range(1, 11):
        for text in (True, False):
            for _ in range(values):
                yield drawn(kind, texts.for_barcode(kind, chance, 30), scale, include_text=text)


def prove_drawings(values: int) -> None:
    print(f"\n{values} texts at each of 10 scales, with and without text:\n")
    print("| type | drawn | whole pixels | zxing-cpp | on a dark page | tapirscan | on a dark page | zbar, libdmtx |")
    print("| --- | --: | --: | --: | --: | --: | --: | --: |")
    third = by_a_third()
    for kind in FORMATS:
        score: Counter[str] = Counter()
        for code in every_drawing(kind, values):
            dark, other = on_a_dark_page(code), third(code)
            score += Counter(
                drawn=1,
                pixels=on_whole_pixels(code),
                zxing=by_zxing(code),
                zxing_dark=by_zxing(dark),
                tapirscan=by_tapirscan(code),
                tapirscan_dark=by_tapirscan(dark),
                known=other is not None,
                third=bool(other),
            )
        columns = ("drawn", "pixels", "zxing", "zxing_dark", "tapirscan", "tapirscan_dark")
        known = f"{score['third']} of {score['known']}" if score["known"] else ""
        print(f"| {kind} | {' | '.join(str(score[name]) for name in columns)} | {known} |", flush=True)


def prove_texts(count: int) -> None:
    chance, score = random.Random(417), Counter[str]()
    for number in range(count):
        kind = list(FORMATS)[number % len(FORMATS)]
        data, text = texts.for_barcode(kind, chance, 120), chance.random() < 0.5
        code = drawn(kind, data, chance.randint(2, 4), include_text=text)
        score += Counter({"by zxing-cpp": by_zxing(code), "by tapirscan": by_tapirscan(code)})
    print(f"\n{count} random texts as barcodes: {dict(score)}", flush=True)


def prove_qr(count: int) -> None:
    chance, score = random.Random(18004), Counter[str]()
    looks: list[Mapping[str, Any]] = [{}, {"style": "rounded"}, {"style": "dots"}]
    looks += [{"logo": LOGO, **look} for look in looks]
    for number in range(count):
        data, look = texts.for_qr(chance), looks[number % len(looks)]
        try:
            image = mediakit.qr(
                data, size=chance.randint(300, 1200), margin=4, ecc=chance.choice("LM"), **look
            ).to_pil()
        except InvalidInput as refusal:
            score[f"refused: {refusal.message.partition(':')[0]}"] += 1
            continue
        gray = image.convert("L")
        score["by zxing-cpp"] += data.encode() in [one.bytes for one in zxingcpp.read_barcodes(gray)]
        score["by tapirscan"] += data in [one.text for one in tapirscan.scan(gray, formats="QRCode").barcodes]
    print(f"\n{count} random texts as QR codes, in three styles, with and without a logo: {dict(score)}", flush=True)


def compare_sizes(count: int) -> None:
    """Compare with what other encoders make of the same text at the same level; 0: the text does not fit."""
    chance = random.Random(29)
    cases = [(texts.for_qr(chance), chance.choice("LMQH")) for _ in range(count)]
    environment = os.environ | {"NODE_PATH": str(npm_package("qrcode"))}
    command = ["node", str(HERE / "qr_sizes.cjs")]
    answer = subprocess.run(
        command, input=json.dumps(cases), env=environment, capture_output=True, text=True, check=True
    )
    others = {
        "qrcode (Node)": json.loads(answer.stdout),
        "segno": map(_by_segno, cases),
        "qrcode": map(_by_qrcode, cases),
    }
    ours = [_by_us(case) for case in cases]
    for name, sides in others.items():
        score = Counter[str]()
        for (text, _), our, side in zip(cases, ours, sides, strict=True):
            verdict = "equal" if our == side else "smaller" if our and (our < side or not side) else "larger"
            score[f"{'ASCII' if text.isascii() else 'other'}, {verdict}"] += 1
        print(f"QR codes beside {name}: {dict(sorted(score.items()))}", flush=True)


def _by_us(case: tuple[str, str]) -> int:
    try:
        return int(mediakit.qr(case[0], ecc=case[1], format="svg").meta["version"]) * 4 + 17  # type: ignore[arg-type]
    except InvalidInput:
        return 0


def _by_segno(case: tuple[str, str]) -> int:
    import segno  # type: ignore[import-not-found]  # it is a peer, installed when it is measured

    try:  # With the designator and the character set that ours have; what it picks itself, readers guess wrong.
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


def _by_qrcode(case: tuple[str, str]) -> int:
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
    parser.add_argument("--values", type=int, default=50, help="texts of each type, scale and choice of text")
    parser.add_argument("--texts", type=int, default=10_000, help="random texts as barcodes; a tenth as many QR codes")
    given = parser.parse_args()
    sys.path.insert(0, str(pip_package("segno")))
    compare_sizes(given.texts // 10)
    prove_qr(given.texts // 10)
    prove_texts(given.texts)
    prove_drawings(given.values)


if __name__ == "__main__":
    main()
