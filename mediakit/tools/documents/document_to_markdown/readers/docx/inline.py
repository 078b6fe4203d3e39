"""The inline content of a paragraph of Word: runs, links, fields, form fields, images, notes and formulas."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from lxml.html import HtmlElement

from mediakit.tools.documents.document_to_markdown.document import Omitted
from mediakit.tools.documents.document_to_markdown.readers.docx.embedded import WordReading, read_drawing
from mediakit.tools.documents.document_to_markdown.readers.docx.styles import (
    TRANSPARENT,
    VAL,
    child_value,
    is_on,
    run_format,
)
from mediakit.tools.documents.document_to_markdown.readers.office import (
    CHECKED,
    MAX_INSTRUCTION_CHARACTERS,
    MC,
    UNCHECKED,
    Element,
    M,
    R,
    W,
    equation_text,
    field_link,
    integer,
    symbol_character,
    symbol_text,
)
from mediakit.tools.documents.document_to_markdown.readers.office.blocks import Marks, Piece, has_content, new_element
from mediakit.tools.documents.document_to_markdown.readers.office.formulas import formula_element

MAX_OPEN_FIELDS = 50
W14 = "{http://schemas.microsoft.com/office/word/2010/wordml}"

_KNOWN_EXTENSIONS = frozenset(("w14", "w15", "w16", "w16se", "w16cid", "wps", "wpg", "wpc", "wpi", "wp14", "a14"))
"""Extensions of Word that the readers know; of others, the fallback is read (ISO/IEC 29500-3)."""


@dataclass(slots=True)
class OpenField:
    """A field that has begun and not ended."""

    form: Element | None
    """The data of a form field of Word 97-2003 (ISO/IEC 29500-1, 17.16.17)."""
    instruction: str = ""
    has_result: bool = False
    """Whether its result has begun: text is shown from here on."""
    link: str = ""
    shows_text: bool = False
    """Whether its result has text."""


def form_state(form: Element | None, *, has_result: bool) -> str:
    """Return what a form field shows: a box, the choice of a list, or the default of a text without a result.

    Empty for other fields, which have no data of a form.
    """
    if form is None:
        return ""
    box, choices = form.find(f"{W}checkBox"), form.find(f"{W}ddList")
    if box is not None:
        state = next((each for name in ("checked", "default") for each in box.iterchildren(f"{W}{name}")), None)
        return CHECKED if state is not None and is_on(state) else UNCHECKED
    if choices is not None:
        names = [choice.get(VAL) or "" for choice in choices.iterchildren(f"{W}listEntry")]
        index = integer(child_value(choices, f"{W}result") or child_value(choices, f"{W}default"))
        return names[index] if 0 <= index < len(names) else ""
    return "" if has_result else child_value(form.find(f"{W}textInput"), f"{W}default") or ""


Handler = Callable[[Element, Marks], None]


class InlineReader:
    """Reads the paragraphs of one part. Fields may begin in one paragraph and end in another."""

    def __init__(self, reading: WordReading, part: str, note: Callable[[Element], HtmlElement | None]) -> None:
        """Prepare. `note` returns the reference to a note for its mark in the text; None if it is not read."""
        self._reading, self._part, self._note = reading, part, note
        self._fields: list[OpenField] = []
        """The fields around the current position, from the outermost."""
        self._pieces: list[Piece] = []
        self._boxes: list[Element | HtmlElement] = []
        self._link = ""
        self._paragraph_font = self._font = ""
        """The symbol font of the paragraph, and of the current run; empty for other fonts."""
        self._handlers: Mapping[object, Handler] = {
            f"{W}r": self._run,
            f"{W}hyperlink": self._hyperlink,
            f"{W}fldSimple": lambda each, marks: self._linked(each, field_link(each.get(f"{W}instr") or ""), marks),
            f"{W}sdt": self._control,
            f"{W}subDoc": lambda *_: reading.warnings.warn(Omitted.LINKED_DOCUMENTS),
            f"{W}bookmarkStart": lambda each, _: reading.anchors.bookmark(each.get(f"{W}name") or "", self._pieces),
            f"{W}ruby": self._ruby,
            **dict.fromkeys((f"{M}oMath", f"{M}oMathPara"), self._formulas),
            f"{MC}AlternateContent": self._alternate,
            **dict.fromkeys(TRANSPARENT - {f"{W}sdt", f"{W}fldSimple"}, self._children),
        }
        self._run_handlers: Mapping[object, Handler] = {
            f"{W}t": lambda element, marks: self._text(element.text or "", marks),
            **dict.fromkeys((f"{W}tab", f"{W}ptab"), lambda _, marks: self._text("\t", marks)),
            **dict.fromkeys((f"{W}br", f"{W}cr"), self._break),
            f"{W}noBreakHyphen": lambda _, marks: self._text("\u2011", marks),
            f"{W}sym": self._symbol,
            f"{W}fldChar": self._field_character,
            f"{W}instrText": self._instruction,
            **dict.fromkeys((f"{W}drawing", f"{W}pict", f"{W}object"), self._drawing),
            **dict.fromkeys((f"{W}{kind}Reference" for kind in ("footnote", "endnote", "comment")), self._reference),
            f"{W}ruby": self._ruby,
            f"{MC}AlternateContent": self._alternate,
        }

    def read(self, paragraph: Iterable[Element], font: str) -> tuple[list[Piece], list[Element | HtmlElement]]:
        """Return the content of a paragraph, and the text boxes, charts and diagrams that are written after it.

        The font is that of its style if it is a symbol font.
        """
        self._pieces, self._boxes = [], []
        self._paragraph_font = self._font = font
        self._children(paragraph, ())
        while self._fields and not self._fields[-1].has_result:  # an instruction must not hide the rest of the document
            self._fields.pop()
        return self._pieces, self._boxes

    def _children(self, parent: Iterable[Element], marks: Marks) -> None:
        for child in parent:
            if handler := self._handlers.get(child.tag):
                handler(child, marks)

    def _run(self, run: Element, marks: Marks) -> None:
        properties = run.find(f"{W}rPr")
        self._font = self._paragraph_font
        if properties is not None:
            added = run_format(properties, self._reading.styles)
            if added is None:  # hidden, but for the parts of fields
                before = len(self._pieces)
                for child in run.iterchildren(f"{W}fldChar", f"{W}instrText"):
                    self._run_handlers[child.tag](child, ())
                del self._pieces[before:]  # what a hidden field shows
                return
            marks += added[0]
            self._font = self._paragraph_font if added[1] is None else added[1]
        self._run_children(run, marks)

    def _run_children(self, run: Element, marks: Marks) -> None:
        for child in run:
            if handler := self._run_handlers.get(child.tag):
                handler(child, marks)

    @property
    def _is_hidden(self) -> bool:
        """Whether text here is part of an instruction and not shown."""
        return any(not each.has_result for each in self._fields)

    def _text(self, text: str, marks: Marks) -> None:
        if text and not self._is_hidden:
            if not text.isspace():
                self._show_in_fields()
            self._add(symbol_text(self._font, text) if self._font else text, marks)

    def _show_in_fields(self) -> None:
        for each in self._fields:
            each.shows_text = True

    def _add(self, content: str | HtmlElement, marks: Marks) -> None:
        link = self._link or next((each.link for each in reversed(self._fields) if each.link), "")
        if link:
            marks = (("a", link), *marks)
        self._pieces.append((marks, content))

    def _break(self, element: Element, marks: Marks) -> None:
        if not self._is_hidden:
            is_of_page = element.get(f"{W}type") in ("page", "column")
            self._add(" " if is_of_page else new_element("br"), marks)

    def _symbol(self, element: Element, marks: Marks) -> None:
        character = symbol_character(element.get(f"{W}font") or "", element.get(f"{W}char") or "")
        if character and not self._is_hidden:
            self._show_in_fields()
            self._add(character, marks)

    def _instruction(self, element: Element, _marks: Marks) -> None:
        if self._fields and not self._fields[-1].has_result:
            innermost = self._fields[-1]
            innermost.instruction += (element.text or "")[: MAX_INSTRUCTION_CHARACTERS - len(innermost.instruction)]

    def _field_character(self, element: Element, marks: Marks) -> None:
        kind = element.get(f"{W}fldCharType")
        if kind == "begin" and len(self._fields) < MAX_OPEN_FIELDS:
            self._fields.append(OpenField(element.find(f"{W}ffData")))
        elif kind == "separate" and self._fields:
            self._fields[-1].has_result = True
            self._fields[-1].link = field_link(self._fields[-1].instruction)
        elif kind == "end" and self._fields:
            ended = self._fields.pop()
            if ended.shows_text:
                return
            # What a field without a result shows belongs to the text, or to the instruction that it is in.
            shown = form_state(ended.form, has_result=ended.has_result) or equation_text(ended.instruction)
            if shown and not self._is_hidden:
                self._add(shown, marks)
            elif self._fields:
                self._fields[-1].instruction += equation_text(ended.instruction)

    def _control(self, element: Element, marks: Marks) -> None:
        """Read a content control. A check box without content shows its state."""
        before = len(self._pieces)
        self._children(element, marks)
        box = element.find(f"{W}sdtPr/{W14}checkbox")
        if box is not None and not has_content(self._pieces[before:]):
            state = box.find(f"{W14}checked")
            is_checked = state is not None and state.get(f"{W14}val") in ("1", "true", "on")
            self._text(CHECKED if is_checked else UNCHECKED, marks)

    def _hyperlink(self, element: Element, marks: Marks) -> None:
        relationship = self._reading.package.relationships(self._part).get(element.get(f"{R}id") or "")
        address = relationship.target if relationship and relationship.is_external else ""
        anchor = element.get(f"{W}anchor")
        self._linked(element, f"{address}#{anchor}" if anchor else address, marks)

    def _linked(self, element: Element, link: str, marks: Marks) -> None:
        outer = self._link
        self._link = link or outer
        self._children(element, marks)
        self._link = outer

    def _ruby(self, element: Element, marks: Marks) -> None:
        self._children(element.iterfind(f"{W}rubyBase/*"), marks)

    def _formulas(self, element: Element, _marks: Marks) -> None:
        display = element.tag == f"{M}oMathPara"
        for each in element.iterchildren(f"{M}oMath") if display else (element,):
            formula = formula_element(each, display=display)
            if formula is not None and not self._is_hidden:
                self._add(formula, ())

    def _alternate(self, element: Element, marks: Marks) -> None:
        """Read one choice of alternate content."""
        for child in element:
            required = (child.get("Requires") or "").split()
            if child.tag == f"{MC}Fallback" or (required and _KNOWN_EXTENSIONS.issuperset(required)):
                self._children(child, marks)
                self._run_children(child, marks)
                return

    def _drawing(self, element: Element, marks: Marks) -> None:
        if self._is_hidden:
            return
        for shown in read_drawing(self._reading, self._part, element):
            if isinstance(shown, HtmlElement) and shown.tag == "img":
                self._add(shown, marks)
            else:
                self._boxes.append(shown)

    def _reference(self, element: Element, _marks: Marks) -> None:
        reference = None if self._is_hidden else self._note(element)
        if reference is not None:
            self._pieces.append(((), reference))
