"""Inline images in gray."""

import zlib

import pikepdf

GRAY_SPACES = ("/DeviceGray", "/G", "/CalGray")


def gray_inline_image(data: bytes) -> bytes | None:
    """Return an inline image in gray, or None for masks and images that are gray.

    Args:
        data: From `BI` to `EI`.

    Raises:
        ValueError: It cannot be decoded.
    """
    try:
        with pikepdf.new() as pdf:
            [instruction] = pikepdf.parse_content_stream(pdf.make_stream(data))
            image = instruction.iimage  # type: ignore[union-attr]  # the only instruction is an image
            if image.image_mask or str(image.colorspace) in GRAY_SPACES:
                return None
            pixels = image.as_pil_image().convert("L")
    except (
        pikepdf.PdfError,
        pikepdf.models.image.UnsupportedImageTypeError,
        NotImplementedError,
        AttributeError,
    ) as error:
        raise ValueError(str(error)) from error
    samples = zlib.compress(pixels.tobytes(), 9)
    entries = f"/W {pixels.width} /H {pixels.height} /BPC 8 /CS /G /F /Fl"
    return b"BI " + entries.encode() + b" ID " + samples + b"\nEI"
