"""How many codes `code_reader` finds beside zxing-cpp, zbar and OpenCV: python -m bench.code_reader FOLDER.

The folder holds pictures in `images/` and `truth.json`: a list of {"file", "group", "truth": [{"format", "text"}]}.
Pictures of the group "synth" are the hard ones; those without truth hold no code.
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
MOST = 50

HEAD = (
    "| | Pictures | Reader | Read | Wrong | Median ms | 95 % ms |",
    "| --- | --: | --- | --: | --: | --: | --: |",
)


@dataclass
class Score:
    """What one reader made of one kind of pictures."""

    pictures: int = 0
    read: int = 0
    wrong: int = 0
    """Pictures with a reading that their truth does not name; it may be a second code that is really there."""
    times: list[float] = field(default_factory=list)

    def cells(self) -> list[str]:
        """Give rate, wrong pictures, median and 95th percentile of milliseconds."""
        ordered = sorted(self.times)
        late = ordered[int(0.95 * (len(ordered) - 1))]
        rate = f"{100 * self.read / self.pictures:.1f} %"
        return [rate, str(self.wrong), f"{statistics.median(ordered):.1f}", f"{late:.0f}"]


def with_mediakit(content: bytes) -> list[str]:
    return mediakit.code_reader(content, max_codes=MOST).texts


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
            with suppress(cv2.error):  # of codes that it finds and has no way to decode
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
    """Read every picture with every reader, and lay the scores out as Markdown."""
    truths = json.loads((folder / "truth.json").read_text("utf-8"))
    lines = [
        "| | Pictures | Reader | Read | Wrong | Median ms | 95 % ms |",
        "| --- | --: | --- | --: | --: | --: | --: |",
    ]
    readers = dict(_readers(lines))
    scores = {kind: {name: Score() for name in readers} for kind in KINDS}
    for each in truths:
        if not all(code.get("text") for code in each["truth"]):
            continue  # these readers say texts, not bytes
        content = (folder / "images" / each["file"]).read_bytes()
        for name, read in readers.items():
            _judge(scores[_kind(each)][name], read, content, [_said(code) for code in each["truth"]])
    for kind, by_name in scores.items():
        for name, score in by_name.items():
            if score.pictures:
                lines.append(f"| {' | '.join([kind, str(score.pictures), name, *score.cells()])} |")
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


def _judge(score: Score, read: Read, content: bytes, texts: list[str]) -> None:
    began = time.perf_counter()
    found = read(content)
    score.times.append(1000 * (time.perf_counter() - began))
    score.pictures += 1
    seen, wanted = {_plain(text) for text in found}, {_plain(text) for text in texts}
    score.read += bool(wanted) and wanted <= seen
    score.wrong += bool(seen - wanted)


def _said(code: Mapping[str, Any]) -> str:
    """Give what the truth says of a code; the digits beside a retail code are not asked for."""
    text = str(code.get("text", ""))
    return text[:13] if code["format"] in ("EAN13", "UPCA", "UPCE") and text.isdecimal() else text


def _plain(text: str) -> str:
    """Give what is the same of a text in all spellings: GS1 with and without brackets, a GTIN with its noughts."""
    bare = re.sub(r"\(01\)(?=\d{14}$)|[()\x1d]|<[A-Z]{2,3}>|\s+|^\*|\*$", "", text)
    bare = re.sub(r"^01(?=\d{14}$)", "", bare)
    if re.fullmatch("[01][0-9]{7}", bare):
        bare = _expanded(bare)
    return bare.lstrip("0") if bare.isdecimal() else re.sub(r"^[A-Da-d](.*\d.*)[A-Da-d]$", r"\1", bare)


def _expanded(digits: str) -> str:
    """Write a UPC-E out as UPC-A (GS1 General Specifications, 5.2.2.4.2)."""
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
