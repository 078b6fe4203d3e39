"""Reads documents in Rich Text Format (version 1.9.1): groups, text, control words and destinations."""

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import cast

from lxml.html import HtmlElement

from mediakit.errors import InvalidInput
from mediakit.tools.documents.document_to_markdown.document import (
    EMBEDDED_FILES,
    LINKED_DOCUMENTS,
    LINKED_IMAGES,
    MISSING_IMAGES,
    Document,
    ReadOptions,
    WarningCounter,
)
from mediakit.tools.documents.document_to_markdown.readers.office import (
    CHECKED,
    UNCHECKED,
    field_link,
    is_symbol_font,
    symbol_text,
)
from mediakit.tools.documents.document_to_markdown.readers.office.blocks import (
    Anchors,
    NoteList,
    new_element,
    prepend_text,
)
from mediakit.tools.documents.document_to_markdown.readers.office.package import ImageList
from mediakit.tools.documents.document_to_markdown.readers.rtf.story import (
    STATE_WORDS,
    CellEdge,
    Definitions,
    Destination,
    Font,
    State,
    Story,
    StoryWriter,
)
from mediakit.tools.documents.document_to_markdown.readers.rtf.tokens import (
    CHARACTERS,
    DESTINATIONS,
    IGNORED_DESTINATIONS,
    NAMED_CHARSETS,
    SYMBOLS,
    TRANSPARENT,
    Token,
    begins_pair,
    code_page,
    join_surrogates,
    tokens,
)

MAX_DEPTH = 500
MAX_STORIES = 20_000
"""Footnotes, headers and text boxes."""

_LINK_TARGET = re.compile(rb'(?:\\\\l\s{1,9}|REF\s{1,9}|HYPERLINK\s{1,9})"?#?([\w.]{1,200})')
_OMITTED = {"INCLUDEPICTURE": LINKED_IMAGES, "INCLUDETEXT": LINKED_DOCUMENTS, "LINK": LINKED_DOCUMENTS}
"""Warnings by the name of a field."""

_FORM_GROUPS = {"form": ("instruction",), "choice": ("form",)}
"""Groups of form fields, and the groups that they are in."""

UNSET_RESULT = 25
"""The result of a form field that shows its default (RTF 1.9.1, form fields)."""

_COLLECTED = ("instruction", "label", "bookmark", "note_author", "image", "title", "author", "created", "modified")
"""Groups whose text is used at their end."""


def read(content: bytes, options: ReadOptions) -> Document:
    """Read a document. Embedded objects and linked files are not opened.

    Raises:
        InvalidInput: Its groups are nested deeper than 500 levels.
    """
    anchors = Anchors(name.decode("latin-1") for name in _LINK_TARGET.findall(content))
    reader = RtfReader(options, anchors)
    reader.read(content)
    for index, header in enumerate(reader.header):
        reader.root.insert(index, header)
    reader.root.extend(reader.footer)
    reader.notes.append_to(reader.root)
    anchors.resolve(reader.root)
    reader.document.images = reader.images.images
    reader.document.warnings = reader.warnings.sentences
    return reader.document


class RtfReader:
    """Reads one document: text goes into stories, definitions or values, by the destination of its group."""

    def __init__(self, options: ReadOptions, anchors: Anchors) -> None:
        self.root = new_element("div")
        self.document = Document(self.root)
        self.header: list[HtmlElement] = []
        self.footer: list[HtmlElement] = []
        self.notes = NoteList()
        self.images = ImageList()
        self.warnings = WarningCounter()
        self._options, self._anchors = options, anchors
        self._definitions = Definitions()
        self._writer = StoryWriter(self._definitions, heading_numbers=options.heading_numbers)
        self._state = State()
        self._states: list[tuple[State, Callable[[], None] | None]] = []
        """The states of the groups around, and what to do at the end of the current group."""
        self._stories = [Story(self.root, anchors)]
        self._story_count = 0
        self._charset = "cp1252"
        self._first_byte: int | None = None
        self._skipped = 0
        """Characters of text to skip after a Unicode character."""
        self._is_optional = False
        self._collected: list[str] = []
        self._numbers: dict[str, int] = {}
        """The parameters of control words in the current group of collected text."""
        self._link = ""
        """The address of a field whose result has not begun."""
        self._form_state = ""
        """What the form field shows whose instruction is read."""
        self._choices: list[str] = []
        """The choices of its list."""
        self._note_author = ""
        self._object = EMBEDDED_FILES
        """The warning for the data of the current object."""
        self._token_readers: Mapping[str, Callable[[Token], None]] = {
            "text": self._read_text,
            "word": self._read_word,
            "begin": self._begin_group,
            "end": self._end_group,
            "byte": self._read_byte,
            "symbol": self._read_symbol,
            "binary": self._read_binary,
        }
        self._word_readers: Mapping[str, Callable[[int], None]] = {
            "plain": lambda _: self._state.reset_characters(),
            "pard": lambda _: self._state.reset_paragraph(),
            "trowd": self._begin_row,
            "cellx": self._end_edge,
            "clmrg": lambda _: setattr(self._story.pending, "joins_left", True),
            "clvmrg": lambda _: setattr(self._story.pending, "joins_above", True),
            "trleft": lambda number: setattr(self._story, "row_left", number),
            "trhdr": lambda _: setattr(self._story, "is_header_row", True),
            "ansicpg": lambda number: setattr(self, "_charset", code_page(number)),
            "object": lambda _: setattr(self, "_object", EMBEDDED_FILES),
            **dict.fromkeys(("objlink", "objautlink"), lambda _: setattr(self, "_object", LINKED_DOCUMENTS)),
        }
        self._body_readers: Mapping[str, Callable[[], None]] = {
            **dict.fromkeys(("par", "sect", "nestcell"), self._end_paragraph),
            "line": lambda: None if self._state.hidden else self._add_piece(new_element("br")),
            "cell": lambda: self._writer.end_cell(self._story, self._state),
            "row": lambda: self._writer.end_row(self._story),
        }
        """What control words of the text do."""
        self._destination_readers: Mapping[str, Callable[[str], None]] = {
            **dict.fromkeys(("fonts", "styles", "lists", "overrides", "info"), self._begin_table),
            **dict.fromkeys(_COLLECTED, self._begin_collected),
            **dict.fromkeys(("note", "comment"), self._begin_note),
            **dict.fromkeys(("header", "footer"), self._begin_edge),
            "box": self._begin_box,
            "object": self._begin_object,
            "form": self._begin_form,
            "choice": self._begin_choice,
        }

    @property
    def _story(self) -> Story:
        return self._stories[-1]

    def read(self, content: bytes) -> None:
        """Read the tokens of a document.

        Raises:
            InvalidInput: Its groups are nested deeper than 500 levels.
        """
        for token in tokens(content):
            self._token_readers[token.kind](token)
        while self._states:
            self._end_group(Token("end"))
        self._end_story()

    def _begin_group(self, _token: Token) -> None:
        if len(self._states) >= MAX_DEPTH:
            raise InvalidInput(f"file: is nested deeper than {MAX_DEPTH} levels.")
        self._states.append((self._state, None))
        self._state = self._state.inherit()
        self._is_optional = False
        if self._state.destination == "styles":
            self._definitions.begin_style()

    def _end_group(self, _token: Token) -> None:
        self._first_byte = None
        if self._states:
            outer, action = self._states.pop()
            if action:
                action()
            self._state = outer
        self._skipped = 0

    def _at_end(self, action: Callable[[], None]) -> None:
        """Call a function at the end of the current group."""
        if self._states:
            self._states[-1] = (self._states[-1][0], action)

    def _read_text(self, token: Token) -> None:
        content = token.content
        if self._skipped:
            skipped = min(self._skipped, len(content))
            self._skipped -= skipped
            content = content[skipped:]
        if self._first_byte is not None and content:
            content, self._first_byte = bytes((self._first_byte,)) + content, None
        if content:
            self._add_text(self._decode(content))

    def _read_byte(self, token: Token) -> None:
        byte = token.number or 0
        if self._skipped:
            self._skipped -= 1
        elif self._first_byte is not None:
            pair, self._first_byte = bytes((self._first_byte, byte)), None
            self._add_text(self._decode(pair))
        elif begins_pair(byte, self._font.charset or self._charset):
            self._first_byte = byte
        else:
            self._add_text(self._decode(bytes((byte,))))

    def _read_binary(self, token: Token) -> None:
        if self._state.destination == "image":
            self._collected.append(token.content.hex())

    def _read_symbol(self, token: Token) -> None:
        self._first_byte = None
        if token.name == "*":
            self._is_optional = True
        elif token.name in ("\r", "\n") and self._state.destination == "body":
            self._end_paragraph()
        elif token.name in SYMBOLS:
            self._add_character(SYMBOLS[token.name])

    @property
    def _font(self) -> Font:
        return self._definitions.fonts.get(self._state.font) or Font()

    def _decode(self, content: bytes) -> str:
        """Return text in the charset of its font. Letters of symbol fonts keep their positions."""
        if content.isascii():
            return content.decode("ascii")
        if self._font.is_symbol and self._state.destination == "body":
            return content.decode("latin-1")
        return content.decode(self._font.charset or self._charset, "replace")

    def _add_text(self, text: str) -> None:
        match self._state.destination:
            case "body":
                if not self._state.hidden:
                    font = self._font.name.strip()
                    self._add_piece(symbol_text(font, text) if is_symbol_font(font) else text)
            case "styles":
                self._definitions.read_style_name(text)
            case "fonts":
                self._definitions.read_font_name(text)
            case "skip" | "lists" | "overrides" | "info":
                pass
            case "choice":
                self._choices[-1] += text
            case _:
                self._collected.append(text)

    def _add_piece(self, content: str | HtmlElement) -> None:
        self._story.pieces.append((self._state.marks, content))

    def _add_character(self, character: str) -> None:
        if self._skipped:
            self._skipped -= 1
        else:
            self._add_text(character)

    def _read_word(self, token: Token) -> None:
        self._first_byte = None
        name, number = token.name, token.number
        if self._is_optional or name in DESTINATIONS or name in IGNORED_DESTINATIONS or name in TRANSPARENT:
            self._is_optional = False
            self._begin_destination(name)
        elif name == "u" and number is not None:
            self._add_text(chr(number % 65_536))
            self._skipped = self._state.fallback_characters
        elif name in CHARACTERS:
            self._add_character(CHARACTERS[name])
        elif self._state.destination != "body" and self._read_definition(name, number or 0):
            return
        else:
            self._set_or_do(name, 1 if number is None else number)

    def _set_or_do(self, name: str, number: int) -> None:
        """Read a control word that sets a property or ends something."""
        if name in NAMED_CHARSETS:
            self._charset = NAMED_CHARSETS[name]
        elif name in STATE_WORDS:
            attribute, value_of = STATE_WORDS[name]
            setattr(self._state, attribute, value_of(number))
        elif name in self._body_readers and self._state.destination == "body":
            self._body_readers[name]()
        elif read := self._word_readers.get(name):
            read(number)

    def _read_definition(self, name: str, number: int) -> bool:
        """Read a control word inside a table of definitions, and return whether it belongs to the table."""
        match self._state.destination:
            case "fonts":
                self._definitions.read_font(name, number)
            case "styles":
                self._definitions.read_style(name, number)
            case "lists":
                self._definitions.read_list(name, number)
            case "overrides":
                self._definitions.read_override(name, number)
            case _:
                self._numbers[name] = number
                return False
        return True

    def _end_paragraph(self) -> None:
        self._writer.end_paragraph(self._story, self._state)

    def _begin_row(self, _number: int) -> None:
        story = self._story
        story.edges, story.pending, story.is_header_row, story.row_left = [], CellEdge(), False, 0

    def _end_edge(self, right: int) -> None:
        self._story.pending.right = right
        self._story.edges.append(self._story.pending)
        self._story.pending = CellEdge()

    def _begin_destination(self, name: str) -> None:
        outer = self._state.destination
        if outer == "skip" or (name in TRANSPARENT and name != "fldrslt"):
            return
        if name == "fldrslt":
            self._state.link, self._link = self._link or self._state.link, ""
            return
        kind = DESTINATIONS.get(name, "")
        begin = self._destination_readers.get(kind)
        if begin and outer in _FORM_GROUPS.get(kind, ("body", "info")):
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
                self._use_instruction(text)
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

    def _begin_form(self, _kind: str) -> None:
        """Begin the data of a form field of Word 97-2003 inside the instruction of its field."""
        self._state.destination = "form"
        self._numbers, self._choices = {}, []
        self._at_end(self._use_form)

    def _begin_choice(self, _kind: str) -> None:
        self._state.destination = "choice"
        self._choices.append("")

    def _use_form(self) -> None:
        """Find out what a form field shows: a box, or the choice of a list. The result of 25 is the default."""
        result = self._numbers.get("ffres", UNSET_RESULT)
        chosen = self._numbers.get("ffdefres", 0) if result == UNSET_RESULT else result
        match self._numbers.get("fftype"):
            case 1:
                self._form_state = CHECKED if chosen else UNCHECKED
            case 2 if 0 <= chosen < len(self._choices):
                self._form_state = self._choices[chosen].strip()

    def _use_instruction(self, text: str) -> None:
        if self._form_state:
            self._story.pieces.append((self._state.marks, self._form_state))
            self._form_state = ""
        self._link = field_link(text)
        name = text.split(None, 1)[0].upper() if text.strip() else ""
        if name in _OMITTED:
            self.warnings.warn(_OMITTED[name])

    def _time(self) -> str | None:
        """Return the time of the control words of a group. None without a date."""
        year, month, day = (self._numbers.get(name, 0) for name in ("yr", "mo", "dy"))
        if not (1 <= year <= 9999 and 1 <= month <= 12 and 1 <= day <= 31):
            return None
        hour, minute = (min(59, max(0, self._numbers.get(name, 0))) for name in ("hr", "min"))
        return f"{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:00"

    def _add_image(self, text: str) -> None:
        if self._options.images == "none":
            return
        try:
            content = bytes.fromhex("".join(text.split()))
        except ValueError:
            content = b""
        name = self.images.add(f"{len(self.images.images)}.wmf", content, "") if content else None
        if name is None:
            self.warnings.warn(MISSING_IMAGES)
            return
        image = new_element("img")
        image.set("src", name)
        self._story.pieces.append(((), image))

    def _begin_object(self, _kind: str) -> None:
        self.warnings.warn(self._object)
        self._state.destination = "skip"

    def _begin_note(self, kind: str) -> None:
        is_comment = kind == "comment"
        root = new_element("div")
        reference = None
        if self._options.comments if is_comment else self._options.notes:
            key = f"{kind} {self._story_count}"
            reference = self.notes.reference(key, partial(_move, root), "c" if is_comment else "")
        author, self._note_author = self._note_author, ""
        if reference is None:
            self._state.destination = "skip"
            return
        self._story.pieces.append(((), reference))
        self._begin_story(root, f"{author}: " if is_comment and author else "")

    def _begin_edge(self, kind: str) -> None:
        if not self._options.headers:
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
        self._stories.append(Story(root, self._anchors))
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
