"""Web pages read: the main content of a page, and what it says of itself."""

from dataclasses import dataclass
from typing import Any

from mediakit.tools.documents.web_to_markdown.result import Format

__all__ = ["Wanted", "read"]

SECONDS = 10.0
"""How long a conversion may take."""

MEMORY = 1_000_000_000
"""Bytes that it may need."""


@dataclass(frozen=True)
class Wanted:
    """What is asked of a page."""

    url: str | None = None
    """Where the page was found."""
    base: str = ""
    """Address that relative ones start from; empty: they stay relative."""
    format: Format = "markdown"
    main_content: bool = True
    links: bool = True
    images: bool = False
    max_chars: int = 200_000
    front_matter: bool = False
    selector: str | None = None
    remove: tuple[str, ...] = ()


async def read(html: str, wanted: Wanted) -> dict[str, Any]:
    """Read a page in a process that can be killed.

    Returns:
        The fields of the answer by name, and `main_content_found`.

    Raises:
        InvalidInput: A selector is wrong or matches nothing.
        NotConvertible: It takes too long, or more memory than it may have.
    """
    from mediakit.engines import workers
    from mediakit.errors import NotConvertible
    from mediakit.tools.documents.web_to_markdown.reader.reading import fields

    try:
        return await workers.run(fields, html, wanted, seconds=SECONDS, memory=MEMORY)
    except workers.TookTooLong:
        raise NotConvertible(f"The page took more than {SECONDS:g} seconds to convert; it is too complex.") from None
    except workers.WorkerFailed:
        raise NotConvertible("The page is too complex to convert.") from None
