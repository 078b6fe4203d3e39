"""Images as marks: raster images keep their data and transparency, SVG stays vector."""

import pikepdf
from pikepdf import Dictionary

from mediakit.engines.pdf.form_xobjects import make_form
from mediakit.engines.pdf.image_loading import load_image
from mediakit.engines.pdf.kinds import describe, image_format, is_pdf
from mediakit.engines.raster.source import read_header
from mediakit.engines.xml import is_svg
from mediakit.errors import InvalidInput
from mediakit.tools.pdf.pdf_stamp.mark import Mark
from mediakit.tools.pdf.pdf_stamp.svg_marks import svg_mark

KINDS = ("png", "jpeg", "webp", "avif")


def image_mark(pdf: pikepdf.Pdf, content: bytes, warnings: list[str]) -> Mark:
    """Return the mark of an image, one point for each pixel.

    Raises:
        InvalidInput: The file is not such an image, is damaged or too large.
    """
    if is_svg(content):
        return svg_mark(pdf, content, warnings)
    kind = image_format(content)
    if kind not in KINDS:
        hint = " Send a PDF as pdf." if is_pdf(content) else ""
        raise InvalidInput(f"image: must be a PNG, JPEG, WebP, AVIF or SVG image, got {describe(content)}.{hint}")
    try:
        loaded = load_image(content, kind)
    except InvalidInput as error:
        raise InvalidInput(error.message.replace("file:", "image:", 1)) from error
    if read_header(content).animated:
        warnings.append("image: is animated; only its first frame is shown.")
    width, height = loaded.seen_size
    resources = Dictionary(XObject=Dictionary(Image=loaded.write(pdf)))
    drawing = f"{loaded.matrix(width, height)} cm /Image Do".encode()
    return Mark(make_form(pdf, drawing, (0, 0, width, height), resources), width, height)
