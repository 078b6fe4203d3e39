"""Makes a template of Jinja from a part of a Word file: tags become markers, which are moved to where they count.

Word splits the text of a tag over runs. Here each tag becomes one element, a marker. The markers of a block then move
to the level that they repeat: text, paragraphs, cells or rows. A tag may name its level, as in templates of docxtpl:
`{%tr for row in rows %}` replaces its row. Without a level, tags alone in their paragraphs repeat the paragraphs
between them, tags in the first and the last cell of rows repeat these rows, and all others the text between them.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise

from lxml import etree
from lxml.etree import _Element as Element

from mediakit.core.messages import quote
from mediakit.engines.templates.filters import Filter, ValueProblem
from mediakit.engines.templates.language import OPENING, STATEMENTS, Language, LanguageError, find_blocks, find_tags
from mediakit.engines.templates.rendering import DASH, DataError, Rendering, Tag
from mediakit.engines.word_templates.package import SPACE, cell_columns, remove, set_property, split, words_of

BRACE = "\ufdd0"
"""Stands for a brace of the document while Jinja has its text."""
MAX_SPAN = 63
"""Columns of a table in Word."""

_PRIVATE = re.compile("[\ufdd0-\ufdef]")
_MARKER = "mediakit-tag"
_MARKED = re.compile(rf'<{_MARKER}[^>]*? n="(\d+)"[^>]*/>|(?<="){_MARKER}-(\d+)(?=")')
_LEVEL = re.compile(r"""(tr|tc|p|r)\s+(?=[\w"'(\[])(?!(?:and|or)\b)""")
_ESCAPED = re.compile(r"(?<=\{)_(?=[{%])|(?<=[}%])_(?=\})")
"""How templates of docxtpl write braces that are not tags: `{_{ name }_}` is printed as `{{ name }}`."""
_COLOR = re.compile(r"#?([0-9a-fA-F]{6}|auto)", re.ASCII)
_CELL_ORDER = ("cnfStyle", "tcW", "gridSpan", "hMerge", "vMerge", "tcBorders", "shd")
"""The order of a cell's properties (ECMA-376, 17.4.69)."""


def _cell_columns(value: object, columns: int = 1) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value * columns <= MAX_SPAN:
        raise ValueProblem(f"is the columns of a cell, and must be between 1 and {MAX_SPAN}, got {quote(value)}")
    return value * columns


def _cell_color(value: object) -> str:
    found = _COLOR.fullmatch("auto" if value in (None, "") else value if isinstance(value, str) else "")
    if not found:
        raise ValueProblem(
            f'is the color of a cell, and must be six hexadecimal digits such as "ffee00", got {quote(value)}'
        )
    return found[1]


LANGUAGE = Language(
    {"colspan": Filter(_cell_columns, (0, 1)), "cellbg": Filter(_cell_color)},
    statements=("vm", "hm", "colspan", "cellbg"),
)


class Part:
    """A part whose tags are markers: elements with the number of their tag."""

    def __init__(self, root: Element, label: str) -> None:
        self.root = root
        self.label = label
        """The part in errors: `body`, `header 1`."""
        self.words = words = words_of(root)
        self.warnings: list[str] = []
        self._tags: list[Tag] = []
        self._levels: list[str] = []
        self._wrappers = words.all(
            "hyperlink", "ins", "moveTo", "smartTag", "sdt", "sdtContent", "fldSimple", "customXml", "dir", "bdo"
        )
        """The elements that hold runs inside a paragraph."""
        self._properties = words.all("pPr", "rPr", "sdtPr", "sdtEndPr", "smartTagPr", "customXmlPr", "fldData")
        self._invisible = words.all("proofErr", "bookmarkStart", "bookmarkEnd", "lastRenderedPageBreak")
        self._characters = {words("tab"): "\t", words("br"): "\n", words("cr"): "\n", words("noBreakHyphen"): "-"}

    def mark(self) -> None:
        """Replace the tags by markers.

        Raises:
            LanguageError: A tag does not follow the language, or a block is not closed.
        """
        etree.strip_elements(self.root, _MARKER, with_tail=False)
        for paragraph in list(self.root.iter(self.words("p"))):
            self._mark(paragraph)
        self._drop_comments()
        self._join_paragraphs()
        find_blocks(self.tags)

    @property
    def tags(self) -> list[Tag]:
        """The tags in the order of the part."""
        return [self._tag(marker) for marker in self._markers()]

    def place(self, kept: Rendering | None = None) -> None:
        """Move each marker to where its tag counts.

        The tags of blocks whose list or condition is not in the kept data become text again.

        Raises:
            LanguageError: A block begins and ends in places that do not match.
        """
        if kept:
            self._keep(kept)
        for markers in self._blocks():
            self._place(markers)
        for marker in reversed(self._markers()):  # from the end, so that each split moves little
            self._lift(marker)
        reason = "it begins and ends in places that do not match; put both in the same paragraph or cell"
        try:
            find_blocks(self.tags)
        except LanguageError as error:
            raise LanguageError(reason, error.tag) from None
        for markers in self._blocks():
            for first, second in pairwise(markers):
                if _names_between(first, second) != _names_between(second, first):
                    raise LanguageError(reason, self._tag(first))

    def _keep(self, rendering: Rendering) -> None:
        markers, variables, position = self._markers(), ["loop"], 0
        blocks = {block[0]: block for block in self._blocks()}
        while position < len(markers):
            tag = self._tag(markers[position])
            block = blocks.get(markers[position], [markers[position]])
            if tag.kind != "value" and any(self._is_missing(marker, variables, rendering) for marker in block):
                last = markers.index(block[-1], position)
                for marker in markers[position : last + 1]:
                    _detach(marker, self._tag(marker).source)
                position = last
            elif tag.kind == "for":
                variables.append(tag.variable)
            elif tag.kind == "endfor":
                variables.pop()
            position += 1

    def source(self) -> str:
        """Return the part as a template of Jinja."""
        for marker in self._markers():
            for control in marker.iterancestors(self.words("sdt")):  # a data source would replace its values in Word
                for name in ("dataBinding", "showingPlcHdr"):
                    remove(*control.findall(self.words("sdtPr", name)))
        self._change_cells()
        xml = _PRIVATE.sub("", etree.tostring(self.root, encoding="unicode")).replace("{", BRACE)
        texts = {str(number): tag.text for number, tag in enumerate(self._tags)}
        return _MARKED.sub(lambda match: texts.get(match[1] or match[2], ""), xml)

    # Marking.

    def _mark(self, paragraph: Element) -> None:
        pieces: list[tuple[Element, int, str]] = []
        text = ""
        for run in self._runs(paragraph):
            for element in run:
                is_text = element.tag == self.words("t")
                piece = (element.text or "") if is_text else self._characters.get(str(element.tag), "")
                if piece:
                    pieces.append((element, len(text), piece))
                    text += piece
        if "{" not in text and "_}" not in text:
            return
        try:
            spans = list(find_tags(text))
        except LanguageError as error:
            raise LanguageError(f"{error.reason} in its paragraph", error.tag) from None
        edits: list[tuple[int, int, Element | None]] = [
            (*match.span(), None)
            for match in _ESCAPED.finditer(text)
            if not any(start < match.start() < end for start, end in spans)
        ]
        edits += [(start, end, self._new_marker(text[start:end])) for start, end in spans]
        for start, end, marker in sorted(edits, key=lambda edit: edit[0], reverse=True):
            covered = [each for each in pieces if each[1] < end and start < each[1] + len(each[2])]
            self._replace(covered, start, end, marker)

    def _runs(self, element: Element) -> Iterator[Element]:
        """Yield the runs of a paragraph; not those of deleted text and of text boxes in it."""
        for child in element:
            if child.tag == self.words("r"):
                yield child
            elif child.tag in self._wrappers:
                yield from self._runs(child)

    def _replace(self, pieces: list[tuple[Element, int, str]], start: int, end: int, marker: Element | None) -> None:
        """Remove the characters from `start` to `end`; the marker comes into the element of the first one."""
        for element, at, _ in pieces:
            if element.tag != self.words("t"):
                remove(element)
                continue
            text = element.text or ""
            before, after = text[: max(0, start - at)], text[end - at :]
            element.text = before + after
            if marker is not None and at <= start:
                element.text, marker.tail = before, after
                element.insert(0, marker)
            if self.words.is_word:
                element.set(SPACE, "preserve")

    def _new_marker(self, source: str) -> Element:
        source = source.replace("\n", " ").replace("\t", " ")
        inner = source[2:-2]  # Jinja does not know levels, and dashes join paragraphs
        inner = inner[1 if inner[:1] in ("-", "+") else 0 : -1 if inner[-1:] in ("-", "+") else None]
        level = _LEVEL.match(inner)
        bare = f"{source[:2]}{f' {inner[level.end() :]}' if level else inner}{source[-2:]}"
        tag = LANGUAGE.tag(bare)
        self._tags.append(tag._replace(source=source, text="" if tag.kind == "comment" else bare))
        self._levels.append(level[1] if level and level[1] != "r" else "")
        return etree.Element(_MARKER, n=str(len(self._tags) - 1))

    def _markers(self) -> list[Element]:
        return list(self.root.iter(_MARKER))

    def _tag(self, marker: Element) -> Tag:
        return self._tags[int(marker.get("n", ""))]

    def _level(self, marker: Element) -> str:
        return self._levels[int(marker.get("n", ""))]

    def _ancestor(self, element: Element, local: str) -> Element | None:
        return next(element.iterancestors(self.words(local)), None) if local else None

    def _blocks(self) -> list[list[Element]]:
        """Return the markers of each loop and condition; the outer ones come first."""
        markers = self._markers()
        return [[markers[number] for number in block] for block in find_blocks(self.tags)]

    def _is_missing(self, marker: Element, variables: list[str], rendering: Rendering) -> bool:
        """Return whether a tag needs a value that the data does not have; loop variables are never missing."""
        tag, probe = self._tag(marker), Rendering(rendering.data, "blank")
        if tag.expression:
            with suppress(DataError):
                LANGUAGE.from_string(f"{{% if {tag.code} %}}{{% endif %}}").fill(probe)
        return any(path.partition(".")[0] not in variables for path in probe.missing)

    # Placing.

    def _drop_comments(self) -> None:
        """Remove comments, with the paragraph, cell or row that they name."""
        for marker in self._markers():
            if self._tag(marker).kind == "comment" and self.root in marker.iterancestors():
                if (target := self._ancestor(marker, self._level(marker))) is None:
                    _detach(marker)
                else:
                    remove(target)

    def _join_paragraphs(self) -> None:
        """Join each paragraph that begins with `{%-` to the one before it, and one that ends with `-%}` to the next."""
        for marker in self._markers():
            source, paragraph = self._tag(marker).source, self._ancestor(marker, "p")
            if paragraph is not None and source[2] == "-" and not self._has_text(marker, paragraph, before=True):
                paragraph = self._joined(paragraph.getprevious(), paragraph)
            if paragraph is not None and source[-3] == "-" and not self._has_text(marker, paragraph, before=False):
                self._joined(paragraph, paragraph.getnext())

    def _has_text(self, marker: Element, paragraph: Element, *, before: bool) -> bool:
        is_before = True
        for element in paragraph.iter(self.words("t"), _MARKER):
            is_before = is_before and element is not marker
            if (element.tail if element.tag == _MARKER else element.text) and is_before == before:
                return True
        return False

    def _joined(self, first: Element | None, second: Element | None) -> Element | None:
        """Move the content of the second paragraph into the first, and return the one that has it."""
        if first is None or second is None or {first.tag, second.tag} != {self.words("p")}:
            return second if first is None or first.tag != self.words("p") else first
        first.extend([child for child in second if child.tag != self.words("pPr")])
        remove(second)
        return first

    def _place(self, markers: list[Element]) -> None:
        levels = [self._level(marker) for marker in markers]
        rows = {self._ancestor(marker, "tr") for marker in markers}
        if set(levels) == {"tr"} and len(rows) == 1 and (row := rows.pop()) is not None:
            self._surround_rows(markers, [row] * len(markers))
        elif any(levels):
            for marker in markers:
                self._replace_ancestor(marker, self._level(marker))
        elif self._are_alone(markers):
            for marker in markers:
                self._replace_ancestor(marker, "p")
        elif self.words.is_word and (around := self._rows_of(markers)):
            self._surround_rows(markers, around)

    def _replace_ancestor(self, marker: Element, local: str) -> None:
        """Replace the paragraph, cell or row around a marker by the markers of its blocks; warn of lost text."""
        if (target := self._ancestor(marker, local)) is None:
            return
        if text := " ".join(self._text(target).split())[:60]:
            kind, source = {"p": "paragraph", "tc": "table cell", "tr": "table row"}[local], self._tag(marker).source
            self.warnings.append(f'The text "{text}" was removed: {source} replaces its {kind}.')
        markers = [each for each in target.iter(_MARKER) if self._tag(each).kind in STATEMENTS]
        for each in markers:
            target.addprevious(_detach(each))
        if local != "p" or target.find(self.words("pPr", "sectPr")) is None:
            remove(target)
            return
        remove(
            *(each for each in list(target) if each.tag != self.words("pPr"))
        )  # it ends a section, and stays outside
        if self._tag(marker).kind in OPENING:
            markers[0].addprevious(target)

    def _text(self, element: Element) -> str:
        """Return the text of an element with its placeholders."""
        parts = []
        for each in element.iter(self.words("t"), _MARKER):
            if each.tag != _MARKER:
                parts.append(each.text or "")
            else:
                tag = self._tag(each)
                parts += [tag.source if tag.kind == "value" else "", each.tail or ""]
        return "".join(parts)

    def _are_alone(self, markers: list[Element]) -> bool:
        """Return whether each marker is the only content of a paragraph, and these paragraphs are siblings."""
        paragraphs = {self._ancestor(marker, "p") for marker in markers}
        known = [each for each in paragraphs if each is not None]
        is_in_siblings = len(known) == len(paragraphs) > 1 and len({each.getparent() for each in known}) == 1
        return is_in_siblings and all(map(self._has_only_tags, known))

    def _has_only_tags(self, element: Element) -> bool:
        """Return whether a paragraph has tags of blocks and nothing else that is seen."""
        if element.find(self.words("pPr", "sectPr")) is not None:
            return False
        for child in element:
            if child.tag == _MARKER:
                is_empty = self._tag(child).kind != "value" and not (child.tail or "").strip()
            elif child.tag in self._wrappers or child.tag in (self.words("r"), self.words("t")):
                is_empty = not (child.text or "").strip() and self._has_only_tags(child)
            else:
                is_empty = child.tag in self._properties or child.tag in self._invisible
            if not is_empty:
                return False
        return True

    def _rows_of(self, markers: list[Element]) -> list[Element]:
        """Return the rows of markers in the first and last cells of one table; empty if they repeat something else."""
        cells = [cell for marker in markers if (cell := self._ancestor(marker, "tc")) is not None]
        rows = [row for cell in cells if (row := cell.getparent()) is not None and row.tag == self.words("tr")]
        if len(rows) < len(markers) or len(set(cells)) == 1 or len({row.getparent() for row in rows}) > 1:
            return []
        is_around = next(rows[0].iter(self.words("tc"))) is cells[0] and self._is_last(cells[-1])
        return rows if is_around or self._have_only_tags(rows) else []

    def _is_last(self, cell: Element) -> bool:
        return next(cell.itersiblings(self.words("tc")), None) is None

    def _have_only_tags(self, rows: list[Element]) -> bool:
        paragraphs = (paragraph for row in rows for paragraph in row.iter(self.words("p")))
        return len(set(rows)) == len(rows) and all(map(self._has_only_tags, paragraphs))

    def _surround_rows(self, markers: list[Element], rows: list[Element]) -> None:
        """Move markers before and behind their rows; rows that have nothing else are replaced by their markers."""
        if self._have_only_tags(rows):
            for marker in markers:
                self._replace_ancestor(marker, "tr")
            return
        for number, (marker, row) in enumerate(zip(markers, rows, strict=True)):
            paragraph, cell = self._ancestor(marker, "p"), self._ancestor(marker, "tc")
            is_behind = number > 0 and (marker is markers[-1] or (cell is not None and self._is_last(cell)))
            (row.addnext if is_behind else row.addprevious)(_detach(marker))
            parent = None if paragraph is None else paragraph.getparent()
            if paragraph is None or parent is None or next(paragraph.iter(_MARKER), None) is not None:
                continue
            if self._has_only_tags(paragraph) and len(parent.findall(self.words("p"))) > 1:
                parent.remove(paragraph)  # it had only the tag, and its cell has others

    def _lift(self, marker: Element) -> None:
        """Move the marker of a block out of the text, run, links and controls of its paragraph, by splitting them."""
        if self._tag(marker).kind not in STATEMENTS:
            return
        while (parent := marker.getparent()) is not None and self._ancestor(parent, "p") is not None:
            if parent.tag not in self._wrappers and parent.tag not in (self.words("r"), self.words("t")):
                return
            split(parent, marker, self._properties)

    # Writing.

    def _change_cells(self) -> None:
        """Change cells as the tags in them, and in loops, ask in templates of docxtpl."""
        loops = 0
        for marker in self._markers():
            tag = self._tag(marker)
            loops += (tag.kind == "for") - (tag.kind == "endfor")
            if tag.kind not in ("vm", "hm", "colspan", "cellbg"):
                continue
            cell = self._ancestor(marker, "tc")
            if cell is None or (tag.kind in ("vm", "hm") and not loops):
                raise LanguageError(f"it must be in a {'table cell' if cell is None else 'loop'}", tag)
            _detach(marker)
            if tag.kind == "vm":
                self._set(cell, "vMerge", val=self._attribute('{{ "restart" if loop.first else "continue" }}'))
            elif tag.kind == "hm":
                columns = cell_columns(cell, self.words)
                self._set(cell, "gridSpan", val=self._attribute(f"{{{{ loop.length | colspan({columns}) }}}}"))
                cell.addprevious(self._new_marker("{% if loop.first %}"))
                cell.addnext(self._new_marker("{% endif %}"))
            elif tag.kind == "colspan":
                self._set(cell, "gridSpan", val=self._attribute(f"{{{{ ({tag.code}) | colspan }}}}"))
            else:
                fill = self._attribute(f"{{{{ ({tag.code}) | cellbg }}}}")
                self._set(cell, "shd", val="clear", color="auto", fill=fill)

    def _attribute(self, source: str) -> str:
        """Return what stands for a tag in an attribute."""
        self._tags.append(LANGUAGE.tag(source.replace(DASH, "-")))
        return f"{_MARKER}-{len(self._tags) - 1}"

    def _set(self, cell: Element, local: str, **attributes: str) -> None:
        if (properties := cell.find(self.words("tcPr"))) is None:
            properties = etree.Element(self.words("tcPr"))
            cell.insert(0, properties)
        set_property(properties, _CELL_ORDER, self.words, local, **attributes)


def _detach(marker: Element, text: str = "") -> Element:
    """Remove a marker, whose place a text may take, and return it without the text behind it."""
    parent, before = marker.getparent(), marker.getprevious()
    text += marker.tail or ""
    marker.tail = None
    if before is not None:
        before.tail = (before.tail or "") + text
    elif parent is not None:
        parent.text = (parent.text or "") + text
    if parent is not None:
        parent.remove(marker)
    return marker


def _names_between(first: Element, second: Element) -> list[str]:
    """Return the names of the elements around the first that are not around the second, the inner ones first."""
    others = set(second.iterancestors())
    return [str(each.tag) for each in first.iterancestors() if each not in others]
