"""The options of one conversion."""

from dataclasses import dataclass

from mediakit.tools.documents.web_to_markdown.formats import Format


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
