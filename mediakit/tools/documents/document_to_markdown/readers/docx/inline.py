"""The inline content of a paragraph of Word: runs, links, fields, form fields, images, notes and formulas."""

from collections.abc import Callable
from dataclasses import dataclass, field

from lxml.html import HtmlElement

from mediakit.tools.documents.document_to_markdown.document import LINKED_DOCUMENTS
from mediakit.tools.documents.document_to_markdown.readers.docx.parts import Drawing, WordContext, read_drawing
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
    field_link,
    integer,
    symbol_character,
    symbol_text,
)
from mediakit.tools.documents.document_to_markdown.readers.office.blocks import Marks, Piece, has_content, new_element
from mediakit.tools.documents.document_to_markdown.readers.office.formulas import formula_tex

MAX_OPEN_FIELDS = 50
W14 = "{http://schemas.microsoft.com/office/word/2010/wordml}"


@dataclass(slots=True)
class OpenField:
    """A field that has begun and not ended."""

    instruction: list[str] = field(default_factory=list)
    has_result: bool = False
    """Whether its result has begun: text is shown from here on."""
    link: str = ""
    form: Element | None = None
    """The data of a form field of Word 97-2003 (ISO/IEC 29500-1, 17.16.17)."""
    shows_text: bool = False
    """Whether its result has text."""


class OpenFields:
    """The fields around the current position. Their parts are in any runs, also of other paragraphs."""

    def __init__(self) -> None:
        self._open: list[OpenField] = []
        self._ignored = 0

    def begin(self, form: Element | None) -> None:
        """Begin a field. It may have the data of a form field."""
        if len(self._open) < MAX_OPEN_FIELDS:
            self._open.append(OpenField(form=form))
        else:
            self._ignored += 1

    def add_instruction(self, text: str) -> None:
        """Add a part of the instruction of the innermost field."""
        if self._open and not self._open[-1].has_result:
            self._open[-1].instruction.append(text[:MAX_INSTRUCTION_CHARACTERS])

    def separate(self) -> None:
        """End the instruction and begin the result."""
        if self._open and not self._ignored:
            innermost = self._open[-1]
            innermost.has_result = True
            innermost.link = field_link("".join(innermost.instruction))

    def end(self) -> str:
        """End the innermost field, and return the state of a form field whose result has no text."""
        if self._ignored:
            self._ignored -= 1
        elif self._open:
            ended = self._open.pop()
            if ended.form is not None and not ended.shows_text:
                return form_state(ended.form, has_result=ended.has_result)
        return ""

    def add_text(self) -> None:
        """Note that the results of the fields here have text."""
        for each in self._open:
            each.shows_text = True

    def end_paragraph(self) -> None:
        """Drop the fields whose instruction has not ended, so that they do not hide the rest of the document."""
        while self._open and not self._open[-1].has_result:
            self._open.pop()
        self._ignored = 0

    @property
    def is_hidden(self) -> bool:
        """Whether text here is part of an instruction and not shown."""
        return any(not each.has_result for each in self._open)

    @property
    def link(self) -> str:
        """The address of the innermost field that is a link. Empty if there is none."""
        return next((each.link for each in reversed(self._open) if each.link), "")


def form_state(form: Element, *, has_result: bool) -> str:
    """Return what a form field shows: a box, the choice of a list, or the default of a text without a result."""
    box, choices = form.find(f"{W}checkBox"), form.find(f"{W}ddList")
    if box is not None:
        state = next((each for name in ("checked", "default") for each in box.iterchildren(f"{W}{name}")), None)
        return CHECKED if state is not None and is_on(state) else UNCHECKED
    if choices is not None:
        names = [choice.get(VAL) or "" for choice in choices.iterchildren(f"{W}listEntry")]
        index = integer(child_value(choices, f"{W}result") or child_value(choices, f"{W}default"))
        return names[index] if 0 <= index < len(names) else ""
    return "" if has_result else child_value(form.find(f"{W}textInput"), f"{W}default") or ""


_KNOWN_EXTENSIONS = frozenset(("w14", "w15", "w16", "w16se", "w16cid", "wps", "wpg", "wpc", "wpi", "wp14", "a14"))
"""Extensions of Word that the readers know; of others, the fallback is read (ISO/IEC 29500-3)."""


@dataclass
class Inline:
    """The inline content of a paragraph."""

    pieces: list[Piece] = field(default_factory=list)
    boxes: list[Drawing] = field(default_factory=list)
    """Text boxes, charts and diagrams, which are written after the paragraph."""


class InlineReader:
    """Reads the paragraphs of one part. Fields may begin in one paragraph and end in another."""

    def __init__(self, context: WordContext, part: str, notes: "NoteReader | None" = None) -> None:
        self.context = context
        self.part = part
        self._notes = notes
        self._fields = OpenFields()
        self._inline = Inline()
        self._link = ""
        self._paragraph_font = self._font = ""
        """The symbol font of the paragraph, and of the current run; empty for other fonts."""
        self._handlers: dict[object, Callable[[Element, Marks], None]] = {
            f"{W}r": self._run,
            f"{W}hyperlink": self._hyperlink,
            f"{W}fldSimple": self._simple_field,
            f"{W}sdt": self._control,
            f"{W}subDoc": lambda *_: self.context.warnings.warn(LINKED_DOCUMENTS),
            f"{W}bookmarkStart": self._bookmark,
            f"{W}ruby": self._ruby,
            f"{M}oMath": self._formula,
            f"{M}oMathPara": self._display_formula,
            f"{MC}AlternateContent": self._alternate,
        }
        self._run_handlers: dict[object, Callable[[Element, Marks], None]] = {
            f"{W}t": lambda element, marks: self._text(element.text or "", marks),
            f"{W}tab": lambda _, marks: self._text("\t", marks),
            f"{W}ptab": lambda _, marks: self._text("\t", marks),
            f"{W}br": self._break,
            f"{W}cr": self._break,
            f"{W}noBreakHyphen": lambda _, marks: self._text("\u2011", marks),
            f"{W}sym": self._symbol,
            f"{W}fldChar": self._field_character,
            f"{W}instrText": lambda element, _: self._fields.add_instruction(element.text or ""),
            f"{W}drawing": self._drawing,
            f"{W}pict": self._drawing,
            f"{W}object": self._drawing,
            f"{W}footnoteReference": self._note,
            f"{W}endnoteReference": self._note,
            f"{W}commentReference": self._note,
            f"{W}ruby": self._ruby,
            f"{MC}AlternateContent": self._alternate,
        }

    def read(self, paragraph: Element, font: str = "") -> Inline:
        """Return the inline content of a paragraph.

        Args:
            paragraph: The paragraph.
            font: The font of its style if it is a symbol font.
        """
        self._inline = Inline()
        self._paragraph_font = self._font = font
        self._children(paragraph, ())
        self._fields.end_paragraph()
        return self._inline

    def read_bookmark(self, element: Element, pieces: list[Piece]) -> None:
        """Append the anchor of a bookmark between paragraphs to the pieces of the next paragraph."""
        self.context.anchors.bookmark(element.get(f"{W}name") or "", pieces)

    def _children(self, parent: Element, marks: Marks) -> None:
        for child in parent:
            handler = self._handlers.get(child.tag)
            if handler:
                handler(child, marks)
            elif child.tag in TRANSPARENT:
                self._children(child, marks)

    def _run(self, run: Element, marks: Marks) -> None:
        properties = run.find(f"{W}rPr")
        self._font = self._paragraph_font
        if properties is not None:
            added = run_format(properties, self.context.styles)
            if added is None:  # hidden
                self._hidden_run(run)
                return
            marks += added.marks
            self._font = self._paragraph_font if added.font is None else added.font
        self._run_children(run, marks)

    def _run_children(self, run: Element, marks: Marks) -> None:
        for child in run:
            handler = self._run_handlers.get(child.tag)
            if handler:
                handler(child, marks)

    def _hidden_run(self, run: Element) -> None:
        """Read only the parts of fields in a hidden run."""
        for child in run.iterchildren(f"{W}fldChar", f"{W}instrText"):
            self._run_handlers[child.tag](child, ())

    def _text(self, text: str, marks: Marks) -> None:
        if text and not self._fields.is_hidden:
            if not text.isspace():
                self._fields.add_text()
            self._add(symbol_text(self._font, text) if self._font else text, marks)

    def _add(self, content: str | HtmlElement, marks: Marks) -> None:
        link = self._link or self._fields.link
        if link:
            marks = (("a", link), *marks)
        self._inline.pieces.append((marks, content))

    def _break(self, element: Element, marks: Marks) -> None:
        if self._fields.is_hidden:
            return
        if element.get(f"{W}type") in ("page", "column"):
            self._add(" ", marks)
        else:
            self._add(new_element("br"), marks)

    def _symbol(self, element: Element, marks: Marks) -> None:
        character = symbol_character(element.get(f"{W}font") or "", element.get(f"{W}char") or "")
        if character and not self._fields.is_hidden:
            self._fields.add_text()
            self._add(character, marks)

    def _field_character(self, element: Element, marks: Marks) -> None:
        match element.get(f"{W}fldCharType"):
            case "begin":
                self._fields.begin(element.find(f"{W}ffData"))
            case "separate":
                self._fields.separate()
            case "end":
                state = self._fields.end()
                if state and not self._fields.is_hidden:
                    self._add(state, marks)

    def _control(self, element: Element, marks: Marks) -> None:
        """Read a content control. A check box without content shows its state."""
        before = len(self._inline.pieces)
        self._children(element, marks)
        box = element.find(f"{W}sdtPr/{W14}checkbox")
        if box is not None and not has_content(self._inline.pieces[before:]):
            state = box.find(f"{W14}checked")
            is_checked = state is not None and state.get(f"{W14}val") in ("1", "true", "on")
            self._text(CHECKED if is_checked else UNCHECKED, marks)

    def _simple_field(self, element: Element, marks: Marks) -> None:
        self._linked(element, field_link(element.get(f"{W}instr") or ""), marks)

    def _hyperlink(self, element: Element, marks: Marks) -> None:
        relationship = self.context.package.relationships(self.part).get(element.get(f"{R}id") or "")
        address = relationship.target if relationship and relationship.is_external else ""
        anchor = element.get(f"{W}anchor")
        self._linked(element, f"{address}#{anchor}" if anchor else address, marks)

    def _linked(self, element: Element, link: str, marks: Marks) -> None:
        outer = self._link
        self._link = link or outer
        self._children(element, marks)
        self._link = outer

    def _bookmark(self, element: Element, _marks: Marks) -> None:
        self.read_bookmark(element, self._inline.pieces)

    def _ruby(self, element: Element, marks: Marks) -> None:
        base = element.find(f"{W}rubyBase")
        if base is not None:
            self._children(base, marks)

    def _formula(self, element: Element, _marks: Marks) -> None:
        self._add_formula(element, display=False)

    def _display_formula(self, element: Element, _marks: Marks) -> None:
        for formula in element.iterchildren(f"{M}oMath"):
            self._add_formula(formula, display=True)

    def _add_formula(self, element: Element, *, display: bool) -> None:
        tex = formula_tex(element)
        if tex and not self._fields.is_hidden:
            math = new_element("math")
            math.set("alttext", tex)
            if display:
                math.set("display", "block")
            self._add(math, ())

    def _alternate(self, element: Element, marks: Marks) -> None:
        """Read one choice of alternate content."""
        for child in element:
            required = (child.get("Requires") or "").split()
            if child.tag == f"{MC}Fallback" or (required and _KNOWN_EXTENSIONS.issuperset(required)):
                self._children(child, marks)
                self._run_children(child, marks)
                return

    def _drawing(self, element: Element, marks: Marks) -> None:
        if self._fields.is_hidden:
            return
        for drawing in read_drawing(self.context, self.part, element):
            if drawing.image is not None:
                self._add(drawing.image, marks)
            else:
                self._inline.boxes.append(drawing)

    def _note(self, element: Element, _marks: Marks) -> None:
        if self._notes is None or self._fields.is_hidden:
            return
        reference = self._notes(element)
        if reference is not None:
            self._inline.pieces.append(((), reference))


NoteReader = Callable[[Element], HtmlElement | None]
"""Returns the reference to a note for its mark in the text. None if notes are not read."""
