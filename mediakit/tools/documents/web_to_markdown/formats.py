"""The formats of page content, with their media types, file extensions and names."""

from typing import Literal

Format = Literal["markdown", "text", "metadata"]

MEDIA_TYPES: dict[Format, str] = {"markdown": "text/markdown", "text": "text/plain", "metadata": "application/json"}
EXTENSIONS: dict[Format, str] = {"markdown": "md", "text": "txt", "metadata": "json"}
NAMES: dict[Format, str] = {"markdown": "Markdown", "text": "text", "metadata": "metadata"}
