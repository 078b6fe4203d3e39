"""The modules and finder patterns of a styled code, as pixels and as SVG."""

from PIL import Image

from mediakit.tools.images.qr import box_modules, finders, module_shapes, square
from mediakit.tools.images.qr.finders import Finder
from mediakit.tools.images.qr.request import QrRequest, Style

OWN_FINDERS = ("square", "rounded", "dots")
"""Styles that render the finder patterns as modules."""


def render(symbol: Image.Image, request: QrRequest, scale: int) -> Image.Image:
    """Render a symbol black on white with antialiased edges, `scale` pixels per module."""
    finder = _finder(request)
    if finder is None:
        return _modules(symbol, request.style, scale)
    image = _modules(finders.without_finders(symbol), request.style, scale)
    finders.paste(image, finder, scale)
    return image


def svg(symbol: Image.Image, request: QrRequest) -> str:
    """Return a symbol as SVG elements, in modules."""
    finder, margin, paint = _finder(request), request.margin, request.paint.svg_paint
    if finder is None:
        return _svg_modules(symbol, request.style, margin, paint)
    modules = _svg_modules(finders.without_finders(symbol), request.style, margin, paint)
    return modules + finders.svg_path(finder, symbol.width, margin, paint)


def _finder(request: QrRequest) -> Finder | None:
    """Return the shape of the finder patterns; None if they are rendered as modules."""
    if request.finder or request.style in OWN_FINDERS:
        return request.finder
    return "leaf" if request.style == "leaf" else "rounded"


def _modules(symbol: Image.Image, style: Style, scale: int) -> Image.Image:
    match style:
        case "square":
            return symbol.resize((symbol.width * scale, symbol.height * scale), Image.Resampling.NEAREST)
        case "rounded" | "dots":
            return module_shapes.render(symbol, style, scale)
        case _:
            return box_modules.render(symbol, style, scale)


def _svg_modules(symbol: Image.Image, style: Style, margin: int, paint: str) -> str:
    match style:
        case "square":
            return square.svg_modules(symbol, margin, paint)
        case "rounded" | "dots":
            return module_shapes.svg_path(symbol, style, margin, paint)
        case _:
            return box_modules.svg_path(symbol, style, margin, paint)
