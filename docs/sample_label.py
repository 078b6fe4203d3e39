"""Write the sample image `mediakit.samples.LABEL`: `python docs/sample_label.py`."""

# ruff: noqa: INP001  # a script, not part of a package

from pathlib import Path

import numpy as np
import zxingcpp
from PIL import Image, ImageDraw, ImageFont

BACKGROUND_COLOR, LABEL_COLOR = "#d9d2c5", "#fffdf7"
TEXT_COLOR, MUTED_COLOR, ACCENT_COLOR = "#1c2333", "#6b7280", "#4c3f91"


def main() -> None:
    """Draw the label and write it to `mediakit/samples/label.png`."""
    image = Image.new("RGB", (1200, 800), BACKGROUND_COLOR)
    draw = ImageDraw.Draw(image)
    draw.rounded_rectangle((70, 60, 1130, 740), 28, LABEL_COLOR)
    draw.rectangle((70, 88, 84, 712), ACCENT_COLOR)
    draw.text((140, 96), "Wild Blueberry", TEXT_COLOR, ImageFont.load_default(64))
    draw.text((142, 176), "Small-batch jam from the lake house · 340 g", MUTED_COLOR, ImageFont.load_default(28))
    draw.line((140, 236, 1090, 236), "#e7e1d4", 2)
    for top, (name, value) in zip((262, 332, 402), FACTS, strict=True):
        draw.text((142, top), name, MUTED_COLOR, ImageFont.load_default(20))
        draw.text((142, top + 24), value, TEXT_COLOR, ImageFont.load_default(26))
    _add_code(image, "QRCode", "https://example.com/jam/blueberry", 6, (860, 262))
    draw.text((949, 455), "recipes", MUTED_COLOR, ImageFont.load_default(20), anchor="mt")
    _add_code(image, "EAN13", "2001234567893", 4, (142, 510), height=110)
    draw.text((350, 632), "2 001234 567893", TEXT_COLOR, ImageFont.load_default(30), anchor="mt")
    _add_code(image, "DataMatrix", "(01)02001234567893(17)271031(10)BB-0417", 6, (640, 530), gs1=True)
    draw.text((700, 672), "(17) 271031", MUTED_COLOR, ImageFont.load_default(18), anchor="mt")
    _add_code(image, "Code128", "LOT-0042", 2, (838, 540), height=80)
    draw.text((949, 632), "LOT-0042", TEXT_COLOR, ImageFont.load_default(22), anchor="mt")
    image.save(Path(__file__).parents[1] / "mediakit" / "samples" / "label.png", optimize=True)


FACTS = (("Batch", "BB-0417"), ("Best before", "31 October 2027"), ("Keep", "cool, and away from children"))


def _add_code(
    image: Image.Image,
    symbology: str,
    data: str,
    module_size: int,
    position: tuple[int, int],
    *,
    height: int = 0,
    gs1: bool = False,
) -> None:
    """Add a code to the image.

    Args:
        image: The image to change.
        symbology: Name of the format in zxing-cpp.
        data: Text to encode.
        module_size: Pixels per module.
        position: Left and top of the code in pixels.
        height: Height of the bars in pixels; 0 keeps the modules square.
        gs1: Whether `data` is GS1 syntax with application identifiers in parentheses.
    """
    options = {"gs1": True, "force_square": True} if gs1 else {}
    code = zxingcpp.create_barcode(data, getattr(zxingcpp.BarcodeFormat, symbology), **options)
    modules = Image.fromarray(np.asarray(code.to_image(scale=1, add_quiet_zones=False)))
    size = (modules.width * module_size, height or modules.height * module_size)
    image.paste(modules.resize(size, Image.Resampling.NEAREST), position)


if __name__ == "__main__":
    main()
