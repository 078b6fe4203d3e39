"""Functions that run in a worker process. Their heavy imports happen only there."""

from collections.abc import Sequence
from typing import Any

from mediakit.tools.images.code_reader.code import Mark
from mediakit.tools.images.code_reader.scan_options import ScanOptions


def scan_file(content: bytes, options: ScanOptions) -> dict[str, Any]:
    """Read the codes of a file; see `scan_file.scan`."""
    from mediakit.tools.images.code_reader import scan_file

    return scan_file.scan(content, options)


def render_overlay(content: bytes, marks: Sequence[Mark], scale: float) -> list[bytes]:
    """Render a file with a frame around each code; see `overlay.render`."""
    from mediakit.tools.images.code_reader import overlay

    return overlay.render(content, marks, scale)
