"""The program of a part: what to copy, what to fill, what to repeat.

A part becomes a flat list of steps: the tags that open and close elements, copies of elements without placeholders,
values and blocks. A block may therefore reach over the borders of elements, as long as it closes as many as it opens.
"""

from dataclasses import dataclass, field

from lxml.etree import _Element as Element

from mediakit.engines.word_templates.language.expressions import Expression, Path
from mediakit.engines.word_templates.language.tags import Tag, TagKind, tag_error
from mediakit.engines.word_templates.marks import MarkedPart
from mediakit.engines.word_templates.vocabulary import MARKER, name_of


@dataclass(frozen=True)
class Open:
    """Opens a copy of an element, without its children."""

    name: str
    attributes: dict[str, str]
    text: str | None
    namespaces: dict[str | None, str] | None
    """Prefixes that the element declares; None if it has those of its parent."""


@dataclass(frozen=True)
class Close:
    """Closes the element that was opened last."""

    name: str


@dataclass(frozen=True)
class Copy:
    """A copy of an element with all that is in it."""

    element: Element
    size: int
    """How many elements it has."""


@dataclass(frozen=True)
class Fill:
    """A value, or a change of the table cell around it."""

    tag: Tag
    properties: Element | None
    """The properties of its run."""


@dataclass
class Loop:
    """Steps for each item of a list."""

    tag: Tag
    body: list["Step"] = field(default_factory=list)


@dataclass(frozen=True)
class Branch:
    """Steps of a condition; without a condition it is `else`."""

    tag: Tag
    condition: Expression | None
    body: list["Step"] = field(default_factory=list)


@dataclass
class Choice:
    """The branches of a condition, of which the first that holds counts."""

    branches: list[Branch] = field(default_factory=list)


Step = Open | Close | Copy | Fill | Loop | Choice

LOOP_IS_FIRST = Path(("loop", "first"))


def program(part: MarkedPart) -> list[Step]:
    """Return the steps that make a part.

    Raises:
        InvalidInput: A block begins and ends in places that do not match.
    """
    return _Parser(part).run()


class _Parser:
    def __init__(self, part: MarkedPart) -> None:
        self._part = part
        self._marked = {element for marker in part.markers() for element in marker.iterancestors()}
        self._stack: list[tuple[TagKind, Loop | Choice | None, list[Step]]] = [("value", None, [])]

    def run(self) -> list[Step]:
        self._flatten(self._part.root)
        if len(self._stack) > 1:
            block = self._stack[-1][1]
            tag = block.tag if isinstance(block, Loop) else block.branches[-1].tag  # type: ignore[union-attr]  # blocks only
            raise tag_error(tag, "it begins and ends in places that do not match")
        return self._steps

    @property
    def _steps(self) -> list[Step]:
        return self._stack[-1][2]

    def _flatten(self, element: Element) -> None:
        if element.tag == MARKER:
            self._tag(element)
            return
        if element not in self._marked:
            self._steps.append(Copy(element, sum(1 for _ in element.iter())))
            return
        merged = self._merged_cell(element)
        if merged:
            self._open(Choice(), merged)
        self._steps.append(_opened(element))
        for child in element:
            self._flatten(child)
        self._steps.append(Close(name_of(element)))
        if merged:
            self._close(merged)

    def _merged_cell(self, element: Element) -> Tag | None:
        """Return the tag `{% hm %}` of a cell: only the first cell of a loop is kept."""
        if element.tag != self._part.words.cell:
            return None
        tags = [self._part.tag_of(marker) for marker in element.iter(MARKER)]
        return next((tag for tag in tags if tag.kind == "hm"), None)

    def _tag(self, marker: Element) -> None:
        tag = self._part.tag_of(marker)
        if tag.kind == "for":
            loop = Loop(tag)
            self._steps.append(loop)
            self._stack.append(("for", loop, loop.body))
        elif tag.kind == "if":
            self._open(Choice(), tag, tag.expression)
        elif tag.kind in ("elif", "else"):
            self._branch(tag)
        elif tag.kind in ("endfor", "endif"):
            self._close(tag)
        elif tag.kind != "comment":
            self._steps.append(Fill(tag, marker.find(self._part.words.run_properties)))

    def _open(self, choice: Choice, tag: Tag, condition: Expression | None = LOOP_IS_FIRST) -> None:
        choice.branches.append(Branch(tag, condition))
        self._steps.append(choice)
        self._stack.append(("if", choice, choice.branches[0].body))

    def _branch(self, tag: Tag) -> None:
        kind, choice, body = self._stack.pop()
        if not isinstance(choice, Choice):
            raise tag_error(tag, "it is not in the same place as its {% if %}")
        _check_balance(choice.branches[-1].tag, body)
        choice.branches.append(Branch(tag, tag.expression))
        self._stack.append((kind, choice, choice.branches[-1].body))

    def _close(self, tag: Tag) -> None:
        kind, block, body = self._stack.pop()
        wanted = "for" if tag.kind == "endfor" else "if"
        if block is None or kind != wanted:
            raise tag_error(tag, f"it is not in the same place as its {{% {wanted} %}}")
        _check_balance(block.tag if isinstance(block, Loop) else block.branches[-1].tag, body)


def _opened(element: Element) -> Open:
    parent = element.getparent()
    namespaces = None if parent is not None and parent.nsmap == element.nsmap else element.nsmap
    attributes = {str(name): str(value) for name, value in element.attrib.items()}
    return Open(name_of(element), attributes, element.text, namespaces)


def _check_balance(tag: Tag, body: list[Step]) -> None:
    """Check that a block closes the same elements as it opens."""
    closed: list[str] = []
    opened: list[str] = []
    for step in body:
        if isinstance(step, Open):
            opened.append(step.name)
        elif isinstance(step, Close):
            if opened:
                opened.pop()
            else:
                closed.append(step.name)
    if closed[::-1] != opened:
        raise tag_error(tag, "it begins and ends in places that do not match; put both in the same paragraph or cell")
