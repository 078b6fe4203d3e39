"""SVG images as marks."""

from io import BytesIO

import pikepdf

from mediakit.engines.pdf.form_xobjects import page_form
from mediakit.engines.pdf.geometry import seen_size
from mediakit.engines.xml import clean_svg, damaged_svg
from mediakit.tools.pdf.pdf_stamp.mark import Mark


def svg_mark(pdf: pikepdf.Pdf, content: bytes, warnings: list[str]) -> Mark:
    """Return the mark of an SVG image, which stays vector. Scripts never run, and other files are never opened.

    Raises:
        InvalidInput: The image is damaged.
    """
    import vl_convert

    source_text = clean_svg(content, warnings)
    try:
        drawn = vl_convert.svg_to_pdf(source_text)
        source = pikepdf.open(BytesIO(drawn))
    except (ValueError, RuntimeError, pikepdf.PdfError) as error:
        raise damaged_svg() from error
    page = source.pages[0]
    width, height = seen_size(page)
    return Mark(pdf.copy_foreign(page_form(page)), width, height)
