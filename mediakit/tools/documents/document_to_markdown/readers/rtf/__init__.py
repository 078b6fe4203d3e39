"""Documents in Rich Text Format (version 1.9.1): groups, text, control words and destinations."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from lxml.html import HtmlElement

from mediakit.tools.documents.document_to_markdown.document import Document, Omitted
from mediakit.tools.documents.document_to_markdown.readers.office import (
    CHECKED,
    UNCHECKED,
    equation_text,
    field_link,
    is_symbol_font,
    symbol_text,
)
from mediakit.tools.documents.document_to_markdown.readers.office.blocks import (
    has_content,
    move_content,
    new_element,
    prepend_text,
)
from mediakit.tools.documents.document_to_markdown.readers.office.reading import Reading, image_element
from mediakit.tools.documents.document_to_markdown.readers.rtf.story import STATE_WORDS, Definitions, Font, State, Story
from mediakit.tools.documents.document_to_markdown.readers.rtf.tokens import (
    CHARACTER_WORDS,
    DESTINATIONS,
    IGNORED_DESTINATIONS,
    NAMED_CHARSETS,
    TRANSPARENT,
    Decoder,
    Group,
    Token,
    code_page,
    first_word,
    join_surrogates,
    numbers_in,
    rest_of_group,
    shown_tokens,
    subgroups,
    text_of,
    tokens,
)
from mediakit.tools.documents.document_to_markdown.tool import DocumentToMarkdownRequest as Request

_LINK_TARGET = re.compile(rb'(?:\\\\l\s{1,9}|REF\s{1,9}|HYPERLINK\s{1,9})"?#?([\w.]{1,200})')
_OMITTED = {"INCLUDEPICTURE": Omitted.LINKED_IMAGES, **dict.fromkeys(("INCLUDETEXT", "LINK"), Omitted.LINKED_DOCUMENTS)}
"""Warnings by the name of a field."""

MAX_STORIES = 20_000
"""Footnotes, headers and text boxes."""

UNSET_RESULT = 25
"""The result of a form field that shows its default (RTF 1.9.1, form fields)."""


def read(content: bytes, options: Request, outer: Reading | None = None) -> Document:
    """Read a document. Embedded objects and linked files are not opened.

    Raises:
        InvalidInput: Its groups are nested deeper than 500 levels.
    """
    linked = (name.decode("latin-1") for name in _LINK_TARGET.findall(content))
    return RtfReader(content, Reading(options, linked, outer)).read()


class RtfReader:
    """Reads one document: its text into stories, its header into definitions, and other groups by what they hold."""

    def __init__(self, content: bytes, reading: Reading) -> None:
        self._tokens = tokens(content)
        self._reading = reading
        self._root = new_element("div")
        self._edges: dict[str, list[HtmlElement]] = {"header": [], "footer": []}
        self._definitions = Definitions()
        self._decoder = Decoder()
        self._charset = "cp1252"
        self._is_optional = False
        """Whether the next control word is a destination that may be unknown."""
        self._link = ""
        """The address of a field whose result has not begun."""
        self._equation = ""
        """What the current field shows if it has no result."""
        self._author = ""
        """The author of the next comment."""
        self._object = Omitted.EMBEDDED_FILES
        """The warning for the data of the current object."""
        self._info: dict[str, str | None] = {}
        """The properties of the document."""
        self._stories = 0
        self._body_words: Mapping[str, Callable[[Story, State], None]] = {
            "plain": lambda _, state: state.reset_characters(),
            "pard": lambda _, state: state.reset_paragraph(),
            **dict.fromkeys(("par", "sect", "nestcell"), Story.end_paragraph),
            "line": lambda story, state: self._add(new_element("br"), story, state),
            "cell": Story.end_cell,
            "row": lambda story, _: story.end_row(),
        }
        """What control words of the text do."""
        self._destinations: Mapping[str, Callable[[Story, State], None]] = {
            "fonts": lambda *_: self._definitions.read_fonts(self._rest()),
            "styles": lambda _, state: self._definitions.read_styles(
                self._rest(), self._charset_of, state.fallback_characters
            ),
            "lists": lambda *_: self._definitions.read_lists(self._rest()),
            "overrides": lambda *_: self._definitions.read_overrides(self._rest()),
            "info": self._read_info,
            "instruction": self._read_instruction,
            "label": lambda story, state: setattr(story, "label", self._rest_text(state)),
            "bookmark": lambda story, state: reading.anchors.bookmark(self._rest_text(state).strip(), story.pieces),
            "note_author": lambda _, state: setattr(self, "_author", " ".join(self._rest_text(state).split())),
            "image": self._read_image,
            "object": self._skip_object,
            "note": self._read_note,
            "comment": partial(self._read_note, is_comment=True),
            "header": partial(self._read_edge, "header"),
            "footer": partial(self._read_edge, "footer"),
            "box": self._read_box,
        }
        """What reads the rest of a group by what the group holds."""

    def read(self) -> Document:
        """Return the document."""
        state, story = State(), Story(self._root, self._reading, self._definitions)
        for token in self._tokens:
            self._read_token(token, story, state)
        story.end(state)
        for index, header in enumerate(self._edges["header"]):
            self._root.insert(index, header)
        self._root.extend(self._edges["footer"])
        document = self._reading.finish(self._root)
        for name, value in self._info.items():
            setattr(document, name, value)
        return document

    def _read_group(self, story: Story, state: State) -> None:
        """Read what follows in the current group, and its end."""
        self._is_optional = False
        for token in self._tokens:
            if token.kind == "end" or self._read_token(token, story, state):
                break
        self._decoder.end_group()

    def _read_token(self, token: Token, story: Story, state: State) -> bool:
        """Read a token, and return whether it began a destination, with which its whole group was read."""
        if token.kind == "begin":
            self._read_group(story, replace(state))
        elif token.kind == "symbol" and token.name == "*":
            self._is_optional = True
        elif token.kind == "symbol" and token.name in "\r\n":
            story.end_paragraph(state)
        elif token.kind == "word" and (self._is_optional or token.name in _DESTINATION_WORDS):
            return self._begin_destination(token.name, story, state)
        elif token.kind == "word" and token.name not in CHARACTER_WORDS:
            self._decoder.end_character()
            self._read_word(token, story, state)
        else:
            font = self._definitions.fonts.get(state.font) or _NO_FONT
            charset = "latin-1" if font.is_symbol else font.charset or self._charset
            if text := self._decoder.text(token, charset, state.fallback_characters):
                name = font.name.strip()
                self._add(symbol_text(name, text) if is_symbol_font(name) else text, story, state)
        return False

    def _add(self, content: str | HtmlElement, story: Story, state: State) -> None:
        if not state.hidden:
            story.pieces.append((state.marks, content))

    def _read_word(self, token: Token, story: Story, state: State) -> None:
        name, number = token.name, 1 if token.number is None else token.number
        if name in STATE_WORDS:
            attribute, value_of = STATE_WORDS[name]
            setattr(state, attribute, value_of(number))
        elif name in self._body_words:
            self._body_words[name](story, state)
        elif name in NAMED_CHARSETS:
            self._charset = NAMED_CHARSETS[name]
        elif name == "ansicpg":
            self._charset = code_page(number)
        elif name in ("object", "objlink", "objautlink"):
            self._object = Omitted.EMBEDDED_FILES if name == "object" else Omitted.LINKED_DOCUMENTS
        else:
            story.define_row(name, number)

    def _begin_destination(self, name: str, story: Story, state: State) -> bool:
        """Read the group of a destination, and return whether it was read as a whole."""
        self._is_optional = False
        if name == "fldrslt":
            state.link, self._link = self._link or state.link, ""
        elif name == "field":  # an equation is shown if it has no result
            self._equation, before = "", len(story.pieces)
            self._read_group(story, state)
            if self._equation and not has_content(story.pieces[before:]):
                self._add(self._equation, story, state)
            return True
        elif name == "upr":  # the text without Unicode, and the same text with it
            first = next(self._tokens, None)
            if first is not None and first.kind == "begin":
                self._rest()
            elif first is not None:  # not as the specification has it
                return first.kind == "end" or self._read_token(first, story, state)
        elif name not in TRANSPARENT:
            if read := self._destinations.get(DESTINATIONS.get(name, "")):
                read(story, state)
            else:
                self._rest()
            return True
        return False

    def _rest(self) -> Group:
        return rest_of_group(self._tokens)

    def _charset_of(self, font: int) -> str:
        return (self._definitions.fonts.get(font) or _NO_FONT).charset or self._charset

    def _text_of(self, group: Group, state: State) -> str:
        return text_of(group, self._charset_of, state.font, state.fallback_characters)

    def _rest_text(self, state: State) -> str:
        return self._text_of(self._rest(), state)

    def _read_info(self, _story: Story, state: State) -> None:
        for group in subgroups(self._rest()):
            entry = next(subgroups(next(subgroups(group, "ud"), [])), group)  # of text with and without Unicode
            match name := first_word(entry):
                case "title" | "author":
                    self._info[name] = " ".join(join_surrogates(self._text_of(entry, state)).split()) or None
                case "creatim" | "revtim":
                    self._info["created" if name == "creatim" else "modified"] = _time(entry)

    def _read_instruction(self, story: Story, state: State) -> None:
        """Read the instruction of a field, which may have the data of a form field of Word 97-2003."""
        group = self._rest()
        for form in subgroups(group, "formfield"):
            story.pieces.append((state.marks, self._form_text(form, state)))
        instruction = self._text_of(group, state)
        self._link = field_link(instruction)
        self._equation = equation_text(instruction)
        name = instruction.split(None, 1)[0].upper() if instruction.strip() else ""
        if name in _OMITTED:
            self._reading.warnings.warn(_OMITTED[name])

    def _form_text(self, form: Group, state: State) -> str:
        """Return what a form field shows: a box, or the choice of a list; the field itself has other texts."""
        numbers = numbers_in(form[1:] if form[:1] == [Token("symbol", "*")] else form)
        result = numbers.get("ffres", UNSET_RESULT)
        chosen = numbers.get("ffdefres", 0) if result == UNSET_RESULT else result
        choices = [self._text_of(choice[1:], state).strip() for choice in subgroups(form, "ffl")]
        match numbers.get("fftype"):
            case 1:
                return CHECKED if chosen else UNCHECKED
            case 2 if 0 <= chosen < len(choices):
                return choices[chosen]
        return ""

    def _read_image(self, story: Story, _state: State) -> None:
        tokens = shown_tokens(self._rest())
        digits = b"".join(each.content.hex().encode() if each.kind == "binary" else each.content for each in tokens)
        if self._reading.options.images == "none":
            return
        try:
            image = bytes.fromhex("".join(digits.decode("latin-1").split()))
        except ValueError:
            image = b""
        name = self._reading.add_image(f"{len(self._reading.images)}.wmf", image, "") if image else None
        if name is None:
            self._reading.warnings.warn(Omitted.MISSING_IMAGES)
        else:
            story.pieces.append(((), image_element(name, "")))

    def _skip_object(self, _story: Story, _state: State) -> None:
        self._reading.warnings.warn(self._object)
        self._rest()

    def _read_note(self, story: Story, state: State, *, is_comment: bool = False) -> None:
        options, root = self._reading.options, new_element("div")
        author, self._author = self._author, ""
        reference = None
        if options.comments if is_comment else options.notes:
            reference = self._reading.note(str(id(root)), partial(move_content, root), "c" if is_comment else "")
        if reference is None:
            self._rest()
            return
        story.pieces.append(((), reference))
        self._read_story(root, state)
        if is_comment and author:
            prepend_text(root, f"{author}: ")

    def _read_edge(self, kind: str, _story: Story, state: State) -> None:
        if self._reading.reads_headers:
            root = new_element("div")
            self._edges[kind].append(root)
            self._read_story(root, state)
        else:
            self._rest()

    def _read_box(self, story: Story, state: State) -> None:
        root = new_element("div")
        self._read_story(root, state)
        story.builder.block_in_item().append(root)

    def _read_story(self, root: HtmlElement, state: State) -> None:
        """Read the rest of the group as a flow of its own."""
        self._stories += 1
        if self._stories > MAX_STORIES:
            self._rest()
            return
        inner, story = replace(state, link=""), Story(root, self._reading, self._definitions)
        inner.reset_paragraph()
        self._read_group(story, inner)
        story.end(inner)


_NO_FONT = Font()
_DESTINATION_WORDS = frozenset((*DESTINATIONS, *IGNORED_DESTINATIONS, *TRANSPARENT))


def _time(group: Group) -> str | None:
    """Return the time of the control words of a group. None without a date."""
    numbers = numbers_in(group)
    year, month, day = (numbers.get(name, 0) for name in ("yr", "mo", "dy"))
    if not (1 <= year <= 9999 and 1 <= month <= 12 and 1 <= day <= 31):
        return None
    hour, minute = (min(59, max(0, numbers.get(name, 0))) for name in ("hr", "min"))
    return f"{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:00"
