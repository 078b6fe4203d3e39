"""Builds the elements of a document from the structure tree of a tagged PDF."""

from collections.abc import Sequence
from dataclasses import replace

from mediakit.engines.pdf.reading.markdown.code import code_text
from mediakit.engines.pdf.reading.markdown.column import Column
from mediakit.engines.pdf.reading.markdown.elements import (
    Code,
    Element,
    Figure,
    Heading,
    Item,
    ListOf,
    Paragraph,
    Quote,
    TableOf,
)
from mediakit.engines.pdf.reading.markdown.hyphens import Hyphens
from mediakit.engines.pdf.reading.markdown.measures import Measures
from mediakit.engines.pdf.reading.markdown.rows import Row, cut_number, find_marker, joined_row
from mediakit.engines.pdf.reading.markdown.runs import Run, StyledLine, join_runs
from mediakit.engines.pdf.reading.markdown.tag_tree import Tag, TagTree
from mediakit.engines.pdf.reading.markdown.tagged_lines import as_read, has_letters
from mediakit.engines.pdf.reading.markdown.tagged_tables import read_table

HEADINGS = {"Title": 1, **{f"H{level}": min(level, 6) for level in range(1, 10)}}
SECTIONS = ("Sect", "Art", "Part")
CONTAINERS = ("Document", "DocumentFragment", "Div", "Aside", "Index", "TOC", *SECTIONS)
BLOCKS = frozenset(
    (*CONTAINERS, *HEADINGS, "H", "P", "L", "LI", "LBody", "Table", "BlockQuote", "Caption", "TOCI", "Note", "FENote")
)
NOTES = ("Note", "FENote")
OMITTED = ("Artifact", "Private")
MARKS = {"Em": "italic", "Strong": "bold", "Code": "mono"}
"""Attributes of the runs in inline elements."""

MEANINGFUL = {*HEADINGS, "H", "L", "Table", "Code", "BlockQuote", "TOC"}
"""Elements that say more than which lines are a paragraph."""

MIN_COVERAGE = 0.7
"""Share of the letters that must be in elements; running headers are in none."""

SAME_LINE = 0.3
"""Difference of the baselines of one line, in sizes of the font."""


def is_usable(tree: TagTree) -> bool:
    """Return whether the tags describe most of the text, and more than paragraphs."""
    letters = sum(len(line.text.strip()) for line in tree.root.lines())
    return letters > 0 and letters >= MIN_COVERAGE * tree.letters and not MEANINGFUL.isdisjoint(tree.root.names())


class TaggedDocument:
    """The elements of a tagged PDF."""

    def __init__(self, tree: TagTree) -> None:
        lines = list(tree.root.lines())
        rows = _rows(lines)
        column = Column(0, rows, min(row.x0 for row in rows), max(row.x1 for row in rows))
        self._measures = Measures([column])
        self._hyphens = Hyphens(row.text for row in rows)
        self._notes: list[Element] = []
        self._section = 0
        self._root = tree.root

    def elements(self) -> list[Element]:
        """Return the elements in logical order, notes at the end."""
        found = self._parts(self._root)
        return found + self._notes

    def table(self, tag: Tag) -> TableOf | None:
        """Return a table, or None if it has no text."""
        return read_table(tag, lambda cell: self._runs(_inline(cell)))

    def _parts(self, tag: Tag) -> list[Element]:
        """Return the elements inside one; text between them makes paragraphs."""
        found: list[Element] = []
        pending: list[StyledLine] = []
        is_tagged_code = False
        for child in tag.children:
            if isinstance(child, StyledLine):
                pending.append(child)
            elif not self._is_block(child, tag):
                pending += _inline(child)
                is_tagged_code = is_tagged_code or "Code" in child.names()
            else:
                found += [*self._text(pending, is_tagged_code=is_tagged_code), *self._elements(child)]
                pending, is_tagged_code = [], False
        return _merged_code(found + self._text(pending, is_tagged_code=is_tagged_code))

    def _elements(self, tag: Tag) -> list[Element]:
        if tag.name in OMITTED:
            return []
        if tag.name in HEADINGS or tag.name == "H":
            return self._heading(tag)
        if tag.name in NOTES:
            self._notes += self._parts(tag)
            return []
        read = {
            "L": self._list,
            "Table": self._table,
            "Code": self._code,
            "BlockQuote": self._quote,
            "Figure": self._figure,
            "Formula": self._figure,
            **dict.fromkeys(SECTIONS, self._section_parts),
        }.get(tag.name, self._parts)
        return read(tag)

    def _code(self, tag: Tag) -> list[Element]:
        return [Code(code_text(_rows(list(tag.lines())), self._measures))]

    def _quote(self, tag: Tag) -> list[Element]:
        parts = self._parts(tag)
        return [Quote(parts)] if parts else []

    def _figure(self, tag: Tag) -> list[Element]:
        """Return the description of a figure and its caption; the text in a figure without a description."""
        if not tag.alt:
            return self._parts(tag)
        return [
            Figure(tag.alt),
            *(part for child in tag.tags if child.name == "Caption" for part in self._parts(child)),
        ]

    def _section_parts(self, tag: Tag) -> list[Element]:
        self._section += 1
        parts = self._parts(tag)
        self._section -= 1
        return parts

    def _heading(self, tag: Tag) -> list[Element]:
        level = HEADINGS.get(tag.name) or min(6, max(1, self._section))
        runs = self._runs(_inline(tag))
        return [Heading(runs, level)] if runs else []

    def _text(self, lines: Sequence[StyledLine], *, is_tagged_code: bool) -> list[Element]:
        """Return lines as a paragraph, or as code if all are of a fixed width and tags do not say that it is inline."""
        rows = _rows(lines)
        if not any(row.text.strip() for row in rows):
            return []
        if all(row.is_mono for row in rows) and not is_tagged_code:
            return [Code(code_text(rows, self._measures))]
        return [Paragraph(join_runs((row.runs for row in rows), self._hyphens))]

    def _runs(self, lines: Sequence[StyledLine]) -> list[Run]:
        return join_runs((row.runs for row in _rows(lines)), self._hyphens)

    def _list(self, tag: Tag) -> list[Element]:
        captions: list[Element] = []
        items: list[Item] = []
        for child in tag.tags:
            if child.name == "L" and items:
                items[-1].parts += self._list(child)
            elif child.name in ("LI", "LBody"):
                items.append(self._item(child))
            else:
                captions += self._elements(child)
        kept = [item for item in items if item.parts]
        if not all(item.number is not None for item in kept):
            for item in kept:
                item.number = None
        return [*captions, *([ListOf(kept)] if kept else [])]

    def _item(self, tag: Tag) -> Item:
        label = "".join(line.text for child in tag.tags if child.name == "Lbl" for line in child.lines()).strip()
        body = replace(tag, children=[c for c in tag.children if not (isinstance(c, Tag) and c.name == "Lbl")])
        number = label.strip("().")
        item = Item(int(number) if number.isdecimal() and len(number) < 10 else None)
        if not label:
            _take_marker(body, item)
        item.parts = self._parts(body)
        return item

    def _table(self, tag: Tag) -> list[Element]:
        captions = [part for child in tag.tags if child.name == "Caption" for part in self._parts(child)]
        table = self.table(tag)
        return [*captions, *([table] if table else [])]

    def _is_block(self, tag: Tag, parent: Tag) -> bool:
        if tag.name == "Code":
            return _is_code_block(tag, parent)
        if tag.name in ("Figure", "Formula"):
            return bool(tag.alt) or any(self._is_block(child, tag) for child in tag.tags)
        return tag.name in BLOCKS or any(self._is_block(child, tag) for child in tag.tags)


def _is_code_block(tag: Tag, parent: Tag) -> bool:
    """Return whether code stands for itself: it is outside of paragraphs, or has lines and no text beside it."""
    if parent.name in (*CONTAINERS, "NonStruct", "BlockQuote"):
        return True
    beside = [
        child for child in parent.children if child is not tag and not (isinstance(child, Tag) and child.name == "Lbl")
    ]
    return len(_rows(list(tag.lines()))) > 1 and not any(
        line.text.strip() for child in beside for line in (child.lines() if isinstance(child, Tag) else [child])
    )


def _inline(tag: Tag) -> list[StyledLine]:
    """Return the lines of an element, in the style that its type and those inside it stand for."""
    found: list[StyledLine] = []
    for child in tag.children:
        if isinstance(child, StyledLine):
            found.append(child)
        elif child.name not in OMITTED:
            found += _inline(child)
    attribute = MARKS.get(tag.name)
    if attribute is None:
        return found
    marked = [replace(line, runs=[replace(run) for run in line.runs]) for line in found]
    for run in (run for line in marked for run in line.runs):
        setattr(run, attribute, True)
    return marked


def _rows(lines: Sequence[StyledLine]) -> list[Row]:
    """Return the rows of lines in logical order: neighbors on one baseline are one row."""
    groups: list[list[StyledLine]] = []
    for line in lines:
        last = groups[-1][-1] if groups else None
        may_follow = last is not None and (line.x0 >= last.x0 or has_letters([last, line]))
        if last and may_follow and abs(last.y - line.y) < SAME_LINE * max(last.size, line.size):
            groups[-1].append(line)
        else:
            groups.append([line])
    return [
        joined_row([replace(line, runs=[replace(run) for run in line.runs]) for line in as_read(group)])
        for group in groups
    ]


def _take_marker(body: Tag, item: Item) -> None:
    """Take the bullet or number that is in the text of an item without a label."""
    first = next(body.lines(), None)
    if first is None:
        return
    row = joined_row([first])
    find_marker(row, ())
    if row.number:
        item.number = int(row.number)
        cut_number(row)
    first.runs = row.runs
    first.text = row.text


def _merged_code(elements: Sequence[Element]) -> list[Element]:
    """Return elements with code blocks that follow each other as one: word processors tag each line."""
    found: list[Element] = []
    for element in elements:
        if isinstance(element, Code) and found and isinstance(found[-1], Code):
            found[-1] = Code(f"{found[-1].text}\n{element.text}")
        else:
            found.append(element)
    return found
