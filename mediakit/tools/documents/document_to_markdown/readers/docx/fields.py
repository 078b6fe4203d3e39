"""The fields around a position in a Word document, whose parts are in any runs."""

from dataclasses import dataclass, field

from mediakit.tools.documents.document_to_markdown.readers.office.vocabulary import (
    MAX_INSTRUCTION_CHARACTERS,
    field_link,
)

MAX_OPEN_FIELDS = 50


@dataclass(slots=True)
class OpenField:
    """A field that has begun and not ended."""

    instruction: list[str] = field(default_factory=list)
    has_result: bool = False
    """Whether its result has begun: text is shown from here on."""
    link: str = ""


class OpenFields:
    """The fields around the current position. Their parts are in any runs, also of other paragraphs."""

    def __init__(self) -> None:
        self._open: list[OpenField] = []
        self._ignored = 0

    def begin(self) -> None:
        """Begin a field."""
        if len(self._open) < MAX_OPEN_FIELDS:
            self._open.append(OpenField())
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

    def end(self) -> None:
        """End the innermost field."""
        if self._ignored:
            self._ignored -= 1
        elif self._open:
            self._open.pop()

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
