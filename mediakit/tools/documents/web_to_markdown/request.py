"""The request of `web_to_markdown`, and the options of one conversion."""

from dataclasses import KW_ONLY, dataclass
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from mediakit.core.fields import CssSelector, PublicUrl, WaitMs
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.core.texts import HtmlInput, TextRule

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


MAX_HTML_CHARACTERS = 4 * 1024 * 1024


def _check_not_blank(value: Any) -> Any:
    if isinstance(value, str) and not value.strip().strip("\ufeff"):
        raise ValueError("must not be empty.")
    return value


NotBlank = BeforeValidator(_check_not_blank)
Html = Annotated[HtmlInput, TextRule("html"), NotBlank, Field(json_schema_extra={"maxLength": MAX_HTML_CHARACTERS})]


@request
class WebToMarkdownRequest:
    """A web page and the conversion options."""

    url: Annotated[PublicUrl, NotBlank] | None = None
    """Address of a public web page, http or https. Provide either `url` or `html`."""
    _: KW_ONLY
    html: Html | None = None
    """HTML of a page, at most 4 MB (4,194,304 characters). It is parsed without a browser and no script runs."""
    base_url: PublicUrl | None = None
    """Address against which relative links in `html` are resolved. A `<base href>` in the HTML takes precedence."""
    format: Annotated[
        Format, Synonyms("to, output, type", {"markdown": "md", "text": "txt, plain", "metadata": "meta"})
    ] = "markdown"
    """Format of the content: Markdown, plain text, or metadata only."""
    main_content: Annotated[bool, Synonyms("reader, readability, article, only_main_content")] = True
    """Return only the main content, like a browser's reader view. False returns the whole page."""
    include_links: Annotated[bool, Synonyms("links")] = True
    """Include link addresses. False keeps only the text of links."""
    include_images: Annotated[bool, Synonyms("images")] = False
    """Include images in Markdown image syntax."""
    wait_ms: WaitMs = 0
    """Milliseconds to wait after the page has loaded. Requires `url`."""
    max_chars: Annotated[int, Field(ge=100, le=1_000_000), Synonyms("limit, max_length")] = 200_000
    """Maximum number of characters of content. Longer content is truncated at a paragraph."""
    front_matter: bool = False
    """Add the metadata as YAML front matter between two `---` lines."""
    selector: CssSelector | None = None
    """CSS selector of the elements to convert, instead of the main content."""
    remove: Annotated[list[CssSelector], Field(max_length=20)] | None = None
    """CSS selectors of elements to remove before the conversion."""
    wait_for: CssSelector | None = None
    """CSS selector of an element to wait for, for at most 10 seconds. Requires `url`."""

    @model_validator(mode="after")
    def _check_source(self) -> Self:
        if (self.url is None) == (self.html is None):
            raise ValueError("url, html: provide exactly one of the two.")
        if self.html is not None and (self.wait_ms or self.wait_for):
            raise ValueError("wait_ms, wait_for: require url; no page is loaded for html.")
        if self.url is not None and self.base_url is not None:
            raise ValueError("base_url: requires html; with url, the page's own address is used.")
        return self

    @model_validator(mode="after")
    def _check_front_matter(self) -> Self:
        if self.front_matter and self.format != "markdown":
            raise ValueError(f'front_matter: requires format "markdown", got "{self.format}".')
        return self
