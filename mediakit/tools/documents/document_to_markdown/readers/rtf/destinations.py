"""Destinations of Rich Text Format: fields, notes, images, headers, text boxes and properties."""

from collections.abc import Callable
from functools import partial
from typing import cast

from lxml.html import HtmlElement

from mediakit.tools.documents.document_to_markdown.document import Document, ReadOptions
from mediakit.tools.documents.document_to_markdown.readers.office.blocks import (
    Anchors,
    NoteList,
    new_element,
    prepend_text,
)
from mediakit.tools.documents.document_to_markdown.readers.office.package import ImageList
from mediakit.tools.documents.document_to_markdown.readers.office.vocabulary import field_link
from mediakit.tools.documents.document_to_markdown.readers.rtf.charsets import join_surrogates
from mediakit.tools.documents.document_to_markdown.readers.rtf.control_words import DESTINATIONS, TRANSPARENT
from mediakit.tools.documents.document_to_markdown.readers.rtf.state import Destination, Story
from mediakit.tools.documents.document_to_markdown.readers.rtf.story_writer import StoryWriter
from mediakit.tools.documents.document_to_markdown.readers.rtf.text_reader import TextReader

MAX_STORIES = 20_000
"""Footnotes, headers and text boxes."""

_COLLECTED = ("instruction", "label", "bookmark", "note_author", "image", "title", "author", "created", "modified")
"""Groups whose text is used at their end."""


class DestinationReader(TextReader):
    """Reads groups that begin with a destination."""

    def __init__(self, options: ReadOptions, anchors: Anchors) -> None:
        super().__init__()
        self.options = options
        self.notes = NoteList()
        self.images = ImageList()
        self.document = Document(self.root)
        self.header: list[HtmlElement] = []
        self.footer: list[HtmlElement] = []
        self._anchors = anchors
        self._writer = StoryWriter(self._definitions, anchors)
        self._numbers: dict[str, int] = {}
        """The parameters of control words in the current group of collected text."""
        self._link = ""
        """The address of a field whose result has not begun."""
        self._note_author = ""
        self._story_count = 0
        self._beginners: dict[str, Callable[[str], None]] = {
            **dict.fromkeys(("fonts", "styles", "lists", "overrides", "info"), self._begin_table),
            **dict.fromkeys(_COLLECTED, self._begin_collected),
            **dict.fromkeys(("note", "comment"), self._begin_note),
            **dict.fromkeys(("header", "footer"), self._begin_edge),
            "box": self._begin_box,
        }

    def _begin_destination(self, name: str) -> None:
        outer = self._state.destination
        if outer == "skip" or (name in TRANSPARENT and name != "fldrslt"):
            return
        if name == "fldrslt":
            self._state.link, self._link = self._link or self._state.link, ""
            return
        kind = DESTINATIONS.get(name, "")
        begin = self._beginners.get(kind)
        if begin and outer in ("body", "info"):
            begin(kind)
        else:
            self._state.destination = "skip"

    def _begin_table(self, kind: str) -> None:
        """Begin a table of definitions, or the properties of the document."""
        self._state.destination = cast("Destination", kind)

    def _begin_collected(self, kind: str) -> None:
        """Collect the text of a group, and use it at the end of the group."""
        self._state.destination = cast("Destination", kind)
        self._collected = []
        self._numbers = {}
        self._at_end(partial(self._use_collected, kind))

    def _use_collected(self, kind: str) -> None:
        text = "".join(self._collected)
        self._collected = []
        match kind:
            case "instruction":
                self._link = field_link(text)
            case "label":
                self._story.label = text
            case "bookmark":
                self._anchors.bookmark(text.strip(), self._story.pieces)
            case "note_author":
                self._note_author = " ".join(text.split())
            case "image":
                self._add_image(text)
            case "title" | "author":
                setattr(self.document, kind, " ".join(join_surrogates(text).split()) or None)
            case "created" | "modified":
                setattr(self.document, kind, self._time())

    def _time(self) -> str | None:
        """Return the time of the control words of a group. None without a date."""
        year, month, day = (self._numbers.get(name, 0) for name in ("yr", "mo", "dy"))
        if not (1 <= year <= 9999 and 1 <= month <= 12 and 1 <= day <= 31):
            return None
        hour, minute = (min(59, max(0, self._numbers.get(name, 0))) for name in ("hr", "min"))
        return f"{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:00"

    def _add_image(self, text: str) -> None:
        if self.options.images == "none":
            return
        try:
            content = bytes.fromhex("".join(text.split()))
        except ValueError:
            return
        name = self.images.add(f"{len(self.images.images)}.wmf", content, "")
        if name:
            image = new_element("img")
            image.set("src", name)
            self._story.pieces.append(((), image))

    def _begin_note(self, kind: str) -> None:
        is_comment = kind == "comment"
        root = new_element("div")
        key = f"{kind} {self._story_count}"
        reference = None
        if self.options.comments if is_comment else self.options.notes:
            reference = self.notes.reference(key, partial(_move, root), "c" if is_comment else "")
        author, self._note_author = self._note_author, ""
        if reference is None:
            self._state.destination = "skip"
            return
        self._story.pieces.append(((), reference))
        self._begin_story(root, f"{author}: " if is_comment and author else "")

    def _begin_edge(self, kind: str) -> None:
        if not self.options.headers:
            self._state.destination = "skip"
            return
        root = new_element("div")
        (self.header if kind == "header" else self.footer).append(root)
        self._begin_story(root)

    def _begin_box(self, _kind: str) -> None:
        story = self._story
        root = new_element("div")
        self._begin_story(root)
        self._states[-1] = (self._states[-1][0], lambda: self._end_box(story, root))

    def _end_box(self, story: Story, root: HtmlElement) -> None:
        self._end_story()
        (story.cell or story.builder).block_in_item().append(root)

    def _begin_story(self, root: HtmlElement, prefix: str = "") -> None:
        self._story_count += 1
        if self._story_count > MAX_STORIES:
            self._state.destination = "skip"
            return
        self._stories.append(Story(root))
        self._state.destination = "body"
        self._state.link = ""
        self._state.reset_paragraph()
        self._at_end(lambda: self._end_noted_story(prefix))

    def _end_noted_story(self, prefix: str) -> None:
        root = self._story.root
        self._end_story()
        if prefix:
            prepend_text(root, prefix)

    def _end_story(self) -> None:
        """Write the last paragraph of a story, which may have no end."""
        story = self._stories[-1]
        if story.pieces and self._state.destination == "body":
            self._writer.end_paragraph(story, self._state)
        self._writer.end_table(story)
        if len(self._stories) > 1:
            self._stories.pop()


def _move(source: HtmlElement, target: HtmlElement) -> None:
    target.text = source.text
    for child in list(source):
        target.append(child)
