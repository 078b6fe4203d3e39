"""Draw the sample label of `mediakit.samples`: python docs/label.py."""

# ruff: noqa: INP001  # a script beside the documents, not a package

from pathlib import Path

import numpy as np
import zxingcpp
from PIL import Image, ImageDraw, ImageFont

PAPER, INK, SOFT, ACCENT, TABLE = "#fffdf7", "#1c2333", "#6b7280", "#4c3f91", "#d9d2c5"


def main() -> None:
    """Draw and write it."""
    sheet = Image.new("RGB", (1200, 800), TABLE)
    draw = ImageDraw.Draw(sheet)
    draw.rounded_rectangle((70, 60, 1130, 740), 28, PAPER)
    draw.rectangle((70, 88, 84, 712), ACCENT)
    draw.text((140, 96), "Wild Blueberry", INK, ImageFont.load_default(64))
    draw.text((142, 176), "Small-batch jam from the lake house · 340 g", SOFT, ImageFont.load_default(28))
    draw.line((140, 236, 1090, 236), "#e7e1d4", 2)
    for top, (name, value) in zip((262, 332, 402), FACTS, strict=True):
        draw.text((142, top), name, SOFT, ImageFont.load_default(20))
        draw.text((142, top + 24), value, INK, ImageFont.load_default(26))
    put(sheet, "QRCode", "https://example.com/jam/blueberry", 6, (860, 262))
    draw.text((949, 455), "recipes", SOFT, ImageFont.load_default(20), anchor="mt")
    put(sheet, "EAN13", "2001234567893", 4, (142, 510), height=110)
    draw.text((350, 632), "2 001234 567893", INK, ImageFont.load_default(30), anchor="mt")
    put(sheet, "DataMatrix", "(01)02001234567893(17)271031(10)BB-0417", 6, (640, 530), gs1=True)
    draw.text((700, 672), "(17) 271031", SOFT, ImageFont.load_default(18), anchor="mt")
    put(sheet, "Code128", "LOT-0042", 2, (838, 540), height=80)
    draw.text((949, 632), "LOT-0042", INK, ImageFont.load_default(22), anchor="mt")
    sheet.save(Path(__file__).parents[1] / "mediakit" / "samples" / "label.png", optimize=True)


FACTS = (("Batch", "BB-0417"), ("Best before", "31 October 2027"), ("Keep", "cool, and away from children"))


def put(
    sheet: Image.Image,
    kind: str,
    data: str,
    module: int,
    place: tuple[int, int],
    *,
    height: int = 0,
    gs1: bool = False,
) -> None:
    """Draw a code, `module` pixels a module, bars `height` pixels high."""
    options = {"gs1": True, "force_square": True} if gs1 else {}
    code = zxingcpp.create_barcode(data, getattr(zxingcpp.BarcodeFormat, kind), **options)
    modules = Image.fromarray(np.asarray(code.to_image(scale=1, add_quiet_zones=False)))
    size = (modules.width * module, height or modules.height * module)
    sheet.paste(modules.resize(size, Image.Resampling.NEAREST), place)


if __name__ == "__main__":
    main()
