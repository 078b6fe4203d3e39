"""Write the sample `mediakit.samples.LANDSCAPE_EDITED`: `python docs/sample_edited.py`."""

# ruff: noqa: INP001  # a script, not part of a package

from PIL import Image, ImageDraw

from mediakit.samples import LANDSCAPE, LANDSCAPE_EDITED

QUALITY = 82
TENT = (1070, 750, 1300, 890)
"""Left, top, right and bottom; the strip to the left of it, mirrored, covers it."""


def main() -> None:
    """Write the file beside the landscape."""
    image = Image.open(LANDSCAPE).convert("RGB")
    left, top, right, bottom = TENT
    cover = image.crop((2 * left - right, top, left, bottom)).transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    image.paste(cover, (left, top))
    ImageDraw.Draw(image).ellipse((300, 120, 340, 160), fill="#fff4d6")
    image.save(LANDSCAPE_EDITED, quality=QUALITY, optimize=True)


if __name__ == "__main__":
    main()
