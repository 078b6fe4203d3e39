"""The SVG output: texts stay texts, and the alt text is the description of the document."""

from mediakit.engines.drawing.svg import FALLBACK_FAMILIES, escape_text, font_style, text_elements
from mediakit.tools.images.chart.canvas import Canvas


def render_svg(canvas: Canvas, alt: str) -> bytes:
    """Return the chart as an SVG document."""
    request = canvas.request
    title = canvas.title or f"{request.type.capitalize()} chart"
    family, style = font_style(canvas.drawing.texts, "chart")
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{request.width}" height="{request.height}" '
        f'viewBox="0 0 {request.width} {request.height}" role="img" text-rendering="geometricPrecision" '
        f'font-family="{family}, {FALLBACK_FAMILIES}">'
        f"<title>{escape_text(title)}</title><desc>{escape_text(alt)}</desc>{style}"
    )
    return "".join((head, *background_and_shapes(canvas), *text_elements(canvas.drawing.texts), "</svg>\n")).encode()


def background_and_shapes(canvas: Canvas) -> list[str]:
    """Return the elements of the background and of the shapes."""
    request = canvas.request
    shapes = [shape.element for shape in canvas.drawing.shapes]
    if canvas.is_transparent:
        return shapes
    background = f'<rect width="{request.width}" height="{request.height}" fill="{canvas.theme.background}"/>'
    return [background, *shapes]
