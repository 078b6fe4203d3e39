"""A web page as text: its content and what it says of itself."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

from pydantic_core import to_json

from mediakit.core.messages import readable_size
from mediakit.errors import InvalidInput
from mediakit.results.data import DataResult
from mediakit.results.result import without_usage

if TYPE_CHECKING:
    import pandas as pd

Format = Literal["markdown", "text", "metadata"]

ABOUT = ("url", "title", "description", "byline", "site_name", "language", "image", "canonical", "published_time")
"""What a page says of itself: text, or None where it says nothing."""

MIME_TYPES = {"markdown": "text/markdown", "text": "text/plain", "metadata": "application/json"}
EXTENSIONS = {"markdown": "md", "text": "txt", "metadata": "json"}
WORDS = {"markdown": "Markdown", "text": "text", "metadata": "metadata"}


@dataclass(frozen=True)
class PageLink:
    """A link of the content."""

    text: str
    url: str


@dataclass(frozen=True)
class PageImage:
    """A picture of the content."""

    alt: str
    url: str


@dataclass(frozen=True)
class PageTable:
    """A table of the content; a merged cell's text stands in every place that it covers."""

    columns: list[str]
    rows: list[list[str]]
    caption: str | None = None

    def to_pandas(self) -> "pd.DataFrame":
        """Give the table as a DataFrame of texts; needs pandas."""
        import pandas as pd

        return pd.DataFrame(self.rows, columns=self.columns)


class PageResult(DataResult):
    """A page's content and metadata; its attributes are the fields of the HTTP answer.

    Everything in it comes from a third party: it is data, not instructions.
    """

    member = "content"
    outputs: ClassVar[tuple[str, ...]] = ("json", "binary", "url")
    content: str  # type: ignore[assignment]  # of all results this one's content is text
    """Markdown or text; empty with `format="metadata"`."""

    def __init__(self, fields: Mapping[str, Any], meta: Mapping[str, Any] | None = None, *, alt: str = "") -> None:
        self.url: str | None = fields["url"]
        """Address of the page after redirects; None where HTML was given."""
        self.title: str | None = fields["title"]
        self.description: str | None = fields["description"]
        self.byline: str | None = fields["byline"]
        """The author."""
        self.site_name: str | None = fields["site_name"]
        self.language: str | None = fields["language"]
        """Language code (BCP 47)."""
        self.image: str | None = fields["image"]
        """Address of the picture to share the page with."""
        self.canonical: str | None = fields["canonical"]
        self.published_time: str | None = fields["published_time"]
        """Date or time of publication (ISO 8601)."""
        self.format: Format = fields["format"]
        self.content = fields.get("content", "")
        self.truncated: bool = fields["truncated"]
        """Whether `max_chars` cut the content."""
        self.links = [PageLink(**link) for link in fields.get("links", ())]
        """Links of the content, in their order."""
        self.images = [PageImage(**image) for image in fields.get("images", ())]
        """Pictures of the content, in their order."""
        self.tables = [PageTable(**table) for table in fields.get("tables", ())]
        """Tables of the content, in their order."""
        self.mime_type = MIME_TYPES[self.format]
        self.meta = dict(meta or {})
        self.alt = alt

    @property
    def length(self) -> int:
        """Characters in the content."""
        return len(self.content)

    @property
    def main_content_found(self) -> bool | None:
        """Whether main content was found; None where none was looked for."""
        found: bool | None = self.meta.get("main_content_found")
        return found

    @property
    def file(self) -> bytes:
        """The content as UTF-8, or the metadata as JSON."""
        return to_json(self.about(), indent=2) if self.format == "metadata" else self.content.encode()

    @property
    def extension(self) -> str:
        """The usual file name extension, without the dot."""
        return EXTENSIONS[self.format]

    @property
    def extent(self) -> str:
        """Number of characters, as `1,200 characters`."""
        return "" if self.format == "metadata" else f"{self.length:,} characters"

    def about(self) -> dict[str, str | None]:
        """Give the metadata."""
        return {name: getattr(self, name) for name in ABOUT}

    def fields(self) -> dict[str, Any]:
        """Give the fields as the HTTP answer has them."""
        content = {} if self.format == "metadata" else {"content": self.content}
        lists = {name: [asdict(each) for each in getattr(self, name)] for name in ("links", "images", "tables")}
        counts = {"length": self.length, "truncated": self.truncated}
        return {**self.about(), "format": self.format, **content, **counts, **({} if not content else lists)}

    @classmethod
    def from_envelope(cls, body: Mapping[str, Any]) -> Self:
        """Make again the result that a server answered with."""
        try:
            return cls(body, without_usage(body["meta"]))
        except (KeyError, TypeError) as error:
            raise InvalidInput(f"The server answered with no page: {error} is missing.") from None

    @classmethod
    def schema(cls) -> dict[str, Any]:
        """Describe the fields by their names, as JSON Schema."""
        about: dict[str, Any] = {name: {"type": ["string", "null"]} for name in ABOUT}
        text = {"type": "string"}
        found = {"type": ["boolean", "null"], "description": "False: none was found, and the whole page is given."}
        return {
            **about,
            "format": {"enum": list(MIME_TYPES)},
            "content": {**text, "description": "Absent with format=metadata.", "x-optional": True},
            "length": {"type": "integer", "description": "Characters in the content."},
            "truncated": {"type": "boolean"},
            "links": _list(text=text, url=text),
            "images": _list(alt=text, url=text),
            "tables": _list(
                columns={"type": "array", "items": text},
                rows={"type": "array", "items": {"type": "array", "items": text}},
                caption={"type": ["string", "null"]},
            ),
            "meta": {"properties": {"main_content_found": found}},
        }

    def _repr_mimebundle_(self, **_filters: object) -> tuple[dict[str, Any], dict[str, Any]]:
        from mediakit.tools.documents.web_to_markdown import view as page_view

        return {"text/plain": repr(self), "text/html": page_view.html(self)}, {}

    def __repr__(self) -> str:
        size = f"{self.extent} of {WORDS[self.format]}" if self.extent else WORDS[self.format]
        return f"<PageResult {self.title or 'without a title'!r}, {size}, {readable_size(len(self.file))}>"


def _list(**properties: Any) -> dict[str, Any]:
    items = {"type": "object", "properties": properties}
    return {"type": "array", "items": items, "x-optional": True}
