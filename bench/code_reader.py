"""Compares `code_reader` with zxing-cpp, zbar and OpenCV: python -m bench.code_reader FOLDER.

The folder contains `images/` and `truth.json`: a list of {"file", "group", "truth": [{"format", "text"}]}.
Images of the group "synth" are the hard ones; images with an empty truth contain no code.
"""

import importlib
import io
import json
import re
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import zxingcpp
from PIL import Image, ImageOps

import mediakit
from bench.packages import pip_package
from bench.race import NotMeasured

Read = Callable[[bytes], list[str]]

KINDS = ("real", "hard", "without a code")
MAX_CODES = 50

HEAD = (
    "| | Images | Reader | Read | Wrong | Median ms | 95 % ms |",
    "| --- | --: | --- | --: | --: | --: | --: |",
)


@dataclass
class Score:
    """The results of one reader for one kind of images."""

    images: int = 0
    read: int = 0
    wrong: int = 0
    """Images with a text that is not in their truth; the image may contain another code that the truth omits."""
    times: list[float] = field(default_factory=list)

    def cells(self) -> list[str]:
        """Return read rate, wrong images, and median and 95th percentile of milliseconds."""
        ordered = sorted(self.times)
        percentile_95 = ordered[int(0.95 * (len(ordered) - 1))]
        rate = f"{100 * self.read / self.images:.1f} %"
        return [rate, str(self.wrong), f"{statistics.median(ordered):.1f}", f"{percentile_95:.0f}"]


def with_mediakit(content: bytes) -> list[str]:
    return mediakit.code_reader(content, max_codes=MAX_CODES).texts


def with_zxing(content: bytes) -> list[str]:
    return [code.text for code in zxingcpp.read_barcodes(_opened(content))]


def zbar() -> Read:
    sys.path.insert(0, str(pip_package("pyzbar")))
    try:
        decode = importlib.import_module("pyzbar.pyzbar").decode
    except ImportError as error:
        raise NotMeasured(f"zbar: {error}") from error
    return lambda content: [code.data.decode("utf-8", "replace") for code in decode(_opened(content))]


def opencv() -> Read:
    sys.path.insert(0, str(pip_package("opencv-python-headless")))
    try:
        cv2 = importlib.import_module("cv2")
    except ImportError as error:
        raise NotMeasured(f"OpenCV: {error}") from error
    matrix, bars = cv2.QRCodeDetector(), cv2.barcode.BarcodeDetector()

    def read(content: bytes) -> list[str]:
        pixels = np.asarray(_opened(content).convert("RGB"))[:, :, ::-1].copy()
        found = []
        for detector in (matrix, bars):
            with suppress(cv2.error):  # raised for codes that it detects and cannot decode
                found += detector.detectAndDecodeMulti(pixels)[1]
        return [text for text in found if text]

    return read


PEERS: Mapping[str, Callable[[], Read]] = {
    "mediakit": lambda: with_mediakit,
    "zxing-cpp": lambda: with_zxing,
    "zbar": zbar,
    "OpenCV": opencv,
}


def report(folder: Path) -> str:
    """Read every image with every reader and return the scores as a Markdown table."""
    truths = json.loads((folder / "truth.json").read_text("utf-8"))
    lines = list(HEAD)
    readers = dict(_readers(lines))
    scores = {kind: {name: Score() for name in readers} for kind in KINDS}
    for each in truths:
        if not all(code.get("text") for code in each["truth"]):
            continue  # the other readers return texts, not bytes
        content = (folder / "images" / each["file"]).read_bytes()
        for name, read in readers.items():
            _score(scores[_kind(each)][name], read, content, [_expected_text(code) for code in each["truth"]])
    for kind, by_name in scores.items():
        for name, score in by_name.items():
            if score.images:
                lines.append(f"| {' | '.join([kind, str(score.images), name, *score.cells()])} |")
    return "\n".join(lines)


def _readers(lines: list[str]) -> Iterator[tuple[str, Read]]:
    for name, make in PEERS.items():
        try:
            yield name, make()
        except NotMeasured as error:
            lines.append(f"| | | {name} | not measured: {error} | | | |")


def _kind(each: Mapping[str, Any]) -> str:
    if each["group"] == "synth":
        return "hard"
    return "real" if each["truth"] else "without a code"


def _score(score: Score, read: Read, content: bytes, texts: list[str]) -> None:
    start = time.perf_counter()
    found = read(content)
    score.times.append(1000 * (time.perf_counter() - start))
    score.images += 1
    actual, expected = {_comparable(text) for text in found}, {_comparable(text) for text in texts}
    score.read += bool(expected) and expected <= actual
    score.wrong += bool(actual - expected)


def _expected_text(code: Mapping[str, Any]) -> str:
    """Return the expected text of a code, without the add-on digits of a retail code."""
    text = str(code.get("text", ""))
    return text[:13] if code["format"] in ("EAN13", "UPCA", "UPCE") and text.isdecimal() else text


def _comparable(text: str) -> str:
    """Return a text in a form that is equal for all readers: GS1 without brackets, GTIN without leading zeros."""
    bare = re.sub(r"\(01\)(?=\d{14}$)|[()\x1d]|<[A-Z]{2,3}>|\s+|^\*|\*$", "", text)
    bare = re.sub(r"^01(?=\d{14}$)", "", bare)
    if re.fullmatch("[01][0-9]{7}", bare):
        bare = _expand_upce(bare)
    return bare.lstrip("0") if bare.isdecimal() else re.sub(r"^[A-Da-d](.*\d.*)[A-Da-d]$", r"\1", bare)


def _expand_upce(digits: str) -> str:
    """Return a UPC-E as UPC-A (GS1 General Specifications, 5.2.2.4.2)."""
    system, body, last, check = digits[0], digits[1:6], digits[6], digits[7]
    if last in "012":
        return f"{system}{body[:2]}{last}0000{body[2:]}{check}"
    if last in "34":
        return f"{system}{body[: int(last)]}00000{body[int(last) :]}{check}"
    return f"{system}{body}0000{last}{check}"


def _opened(content: bytes) -> Image.Image:
    with Image.open(io.BytesIO(content)) as image:
        upright = ImageOps.exif_transpose(image)
    if upright.has_transparency_data:
        flat = Image.new("RGBA", upright.size, "white")
        flat.alpha_composite(upright.convert("RGBA"))
        upright = flat
    return upright.convert("RGB")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("python -m bench.code_reader FOLDER")
    print(report(Path(sys.argv[1])))
