"""The options of one conversion, and the formats of page content."""

from dataclasses import dataclass
from typing import Literal

Format = Literal["markdown", "text", "metadata"]

MEDIA_TYPES = {"markdown": "text/markdown", "text": "text/plain", "metadata": "application/json"}
NAMES = {"markdown": "Markdown", "text": "text", "metadata": "metadata"}


@dataclass(frozen=True)
class ReadOptions:
    """What to extract from a page and how to write it."""

    url: str | None = None
    """Address that the page was loaded from."""
    base_url: str = ""
    """Address against which relative ones are resolved. If empty, they stay relative."""
    format: Format = "markdown"
    main_content: bool = True
    include_links: bool = True
    include_images: bool = False
    max_chars: int = 200_000
    front_matter: bool = False
    selector: str | None = None
    remove: tuple[str, ...] = ()
