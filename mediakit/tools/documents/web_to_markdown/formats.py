"""The formats of page content, with their media types and names."""

from typing import Literal

Format = Literal["markdown", "text", "metadata"]

MEDIA_TYPES = {"markdown": "text/markdown", "text": "text/plain", "metadata": "application/json"}
NAMES = {"markdown": "Markdown", "text": "text", "metadata": "metadata"}
