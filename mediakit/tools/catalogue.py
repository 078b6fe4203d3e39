"""The list of the tools."""

from typing import Any

import mediakit.tools.documents.web_to_markdown as _web_to_markdown
import mediakit.tools.images.barcode as _barcode
import mediakit.tools.images.capture as _capture
import mediakit.tools.images.chart as _chart
import mediakit.tools.images.code_reader as _code_reader
import mediakit.tools.images.images as _images
import mediakit.tools.images.qr as _qr
import mediakit.tools.images.screenshot as _screenshot
import mediakit.tools.pdf.pdf as _pdf
from mediakit.core.tool import Tool


class Toolbox:
    """Every tool, a line each; clients inherit them as methods."""

    barcode = _barcode.barcode
    capture = _capture.capture
    chart = _chart.chart
    code_reader = _code_reader.code_reader
    images = _images.images
    pdf = _pdf.pdf
    qr = _qr.qr
    screenshot = _screenshot.screenshot
    web_to_markdown = _web_to_markdown.web_to_markdown


TOOLS: tuple[Tool[..., Any], ...] = tuple(tool for tool in vars(Toolbox).values() if isinstance(tool, Tool))
