"""A parsed Markdown document: its tokens and what is known about them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from markdown_it.token import Token


@dataclass(frozen=True)
class FrontMatter:
    """What the YAML block at the beginning of a document says; empty texts for what it does not."""

    title: str = ""
    author: str = ""
    """Several authors are separated by commas."""
    date: str = ""
    lang: str = ""
    """BCP 47 tag; an invalid one is ignored."""


@dataclass(frozen=True)
class Heading:
    """A heading outside of block quotes, lists and footnotes."""

    level: int
    """1 to 6."""
    text: str
    """Text without formatting."""
    anchor: str
    """`id` of the heading in HTML, by GitHub's rule."""
    number: str
    """Number such as `1.2`; empty for the title of the document. It is not part of the text."""
    is_title: bool
    """Whether the heading is the title of the document: its first block, its only heading of level 1, and equal to the
    title that the request or the front matter name, if any."""
    index: int
    """Index of its `heading_open` in the document's tokens."""


@dataclass(frozen=True)
class Document:
    """A parsed document.

    Types of tokens beyond CommonMark: `s_open`; tables; `list_item_open` with `meta["checked"]`; `alert_open` with
    `meta["kind"]`, followed by `alert_title_open`; `dl_open`, `dt_open`, `dd_open`; `footnote_ref`, and at the end
    `footnote_block_open`, `footnote_open`, `footnote_anchor`; `math_inline`, `math_inline_double` and `math_block` with
    LaTeX as content.
    """

    tokens: Sequence["Token"]
    title: str
    """The title of the request, else of the front matter, else the first heading; empty if there is none."""
    front_matter: FrontMatter
    headings: Sequence[Heading]
    words: int
    warnings: Sequence[str] = ()
    env: Mapping[str, Any] = field(default_factory=dict)
    """What the parser found beside the tokens: `references` and `footnotes`."""

    @property
    def has_title_heading(self) -> bool:
        """Whether a heading of the text is the title. If not, an output writes the title before the text."""
        return any(heading.is_title for heading in self.headings)
