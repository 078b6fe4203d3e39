"""Code blocks: their text without line numbers, also of listings in tables and columns, and their language."""

import re
from collections.abc import Iterator
from itertools import chain, islice, pairwise, takewhile

from lxml import etree
from lxml.html import HtmlElement

from mediakit.engines.markdown.blocks import Block, fenced_code
from mediakit.engines.markdown.html.collector import BlockWriter
from mediakit.engines.markdown.html.elements import (
    BLOCK_ELEMENTS,
    IGNORED_ELEMENTS,
    class_names,
    has_text,
    tag_name,
    word_set,
)

_LANGUAGE_CLASS = re.compile(
    r"(?:^|\s)(?:lang(?:uage)?|highlight-(?:source|text)|highlight|brush|code)[-:]\s*([\w+#.-]{1,30})", re.IGNORECASE
)
_LANGUAGES = word_set(
    "bash sh shell zsh console powershell python py python3 ruby rb perl php java javascript js jsx typescript "
    "ts tsx json json5 yaml yml toml "
    "ini xml html css scss sass less sql c cpp c++ csharp cs c# objc go golang rust swift kotlin scala haskell "
    "elixir erlang "
    "clojure lua r matlab julia dart diff dockerfile makefile nginx graphql markdown md tex latex vim groovy "
    "fortran ocaml "
    "lisp scheme text plaintext svelte vue http asm nasm protobuf terraform hcl"
)
"""Class names that are languages without a prefix such as `language-`."""

_NO_LANGUAGE = word_set(
    "none plain nohighlight no-highlight default wrap block table toolbar box container wrapper example text "
    "plaintext lines copy sample hljs"
)
LINE_NUMBERS_CLASS = re.compile(
    r"(?:^|[\s_-])(?:gutter|line-?num(?:ber)?s?(?:-rows|-wrapper)?|linenos?|lineno-?\w*|linenodiv|lnum|lnt?|ln-num|blob-num|rouge-gutter|"
    r"hljs-ln-n(?:umbers)?|line_number|CodeMirror-(?:linenumber|gutter-wrapper)|copy-?(?:btn|button|code)?|clipboard-copy)(?:$|\s)",
    re.IGNORECASE,
)
"""Classes of line numbers and copy buttons."""

_NOT_SELECTABLE = re.compile(r"user-select\s*:\s*none", re.IGNORECASE)
"""Style of what is beside the code, as line numbers and prompts are: visitors do not select and copy it."""

_CODE_CONTAINERS = ("pre", "code", "ol", "table")
"""Elements whose class names say that the code inside has line numbers."""

_NOT_CODE = IGNORED_ELEMENTS | {"button"}

_LABEL_CLASSES = word_set("lang language code-lang code-language")
_LANGUAGE_VALUE = re.compile(r"[\w+#.-]{1,30}")
_LANGUAGE_ATTRIBUTES = ("data-lang", "data-language", "data-code-language")
MAX_WRAPPERS = 6
MAX_LANGUAGE_ELEMENTS = 8
"""Elements whose attributes are searched for a language."""


def write_code_block(writer: BlockWriter, element: HtmlElement, _previous: Block | None) -> list[Block]:
    """Write a code block."""
    text = code_text(element)
    if not text.strip() and (element.find("code") is None or element.text_content().strip()):
        return []
    if writer.options.plain:
        return [Block("code", text.strip("\n"))] if text.strip() else []
    return [Block("code", fenced_code(text, code_language(element)))]


def code_text(block: HtmlElement) -> str:
    """Return the text of a code block without line numbers and copy buttons."""
    pieces: list[str] = []
    _collect(block, pieces)
    text = "".join(pieces).replace("\r\n", "\n").replace("\r", "\n")
    return text.removeprefix("\n") if (block.text or "").startswith(("\n", "\r\n")) else text


def code_language(block: HtmlElement) -> str:
    """Return the language in the attributes of a code block or its wrappers. Empty if there is none."""
    ancestors = islice(block.iterancestors("div", "figure", "table", "td", "tr", "tbody"), MAX_WRAPPERS)
    wrappers = takewhile(lambda ancestor: len(ancestor.findall(".//pre")) <= 2, ancestors)
    for element in islice(chain((block,), block.iter("code"), wrappers), MAX_LANGUAGE_ELEMENTS):
        for attribute in (*_LANGUAGE_ATTRIBUTES, "lang" if tag_name(element) == "code" else ""):
            if attribute and _LANGUAGE_VALUE.fullmatch(element.get(attribute) or ""):
                return str(element.get(attribute)).lower()
        classes = f"{class_names(element)} {element.get('data-syntaxhighlighter-params') or ''}"
        marked = (match[1].lower() for match in _LANGUAGE_CLASS.finditer(classes))
        plain = (name for name in classes.lower().split() if name in _LANGUAGES)
        if language := next((name for name in chain(marked, plain) if name not in _NO_LANGUAGE), ""):
            return language
    return ""


def _collect(element: HtmlElement, pieces: list[str]) -> None:
    tag = tag_name(element)
    if tag == "br":
        pieces.append("\n")
        return
    is_number = tag not in _CODE_CONTAINERS and LINE_NUMBERS_CLASS.search(class_names(element))
    style = element.get("style") if tag != "pre" else None
    if is_number or tag in _NOT_CODE or (style and _NOT_SELECTABLE.search(style)):
        return
    starts_line = tag in BLOCK_ELEMENTS and tag not in ("pre", "table", "tbody", "td", "th")
    if starts_line:
        _end_line(pieces)
    pieces.append(element.text or "")
    for child in element:
        _collect(child, pieces)
        pieces.append(child.tail or "")
    if starts_line:
        _end_line(pieces)


def _end_line(pieces: list[str]) -> None:
    last = next((piece for piece in reversed(pieces) if piece), "\n")
    if not last.endswith("\n"):
        pieces.append("\n")


MAX_LINES = 5_000
"""Lines of one listing. Longer ones are not searched for line numbers."""

_CODE_NAME = re.compile(
    r"(?:^|[\s_-])(?:code|blob-code|js-file-line|highlight\w*|syntaxhighlighter|codehilite|source|lnt(?:able|d)|gist)"
    r"(?:$|[\s_-])",
    re.IGNORECASE,
)
_EDITOR_LINES = {"CodeMirror-code": "CodeMirror-line", "cm-content": "cm-line", "view-lines": "view-line"}
"""Class names of the text of code editors, and of its lines."""

_KEPT_LINES = re.compile(r"white-space\s*:\s*(?:pre|break-spaces)", re.IGNORECASE)
_NUMBERS = re.compile(r"\s*\d{1,6}[.:|]?(?:\s+\d{1,6}[.:|]?)*\s*")
_find_code = etree.XPath("descendant::pre | descendant::code[contains(@style, 'white-space')]")


def normalize_code(root: HtmlElement, html: str) -> None:
    """Make one `pre` element without line numbers of each listing of a page with this HTML."""
    for table in list(root.iter("table")):
        _rewrite_table(table)
    for element in list(root.iter("div")) if any(name in html for name in _EDITOR_LINES) else []:
        names = class_names(element).split()
        line_name = next((_EDITOR_LINES[name] for name in names if name in _EDITOR_LINES), "")
        if line_name and (
            lines := [line for line in element.iterdescendants() if line_name in class_names(line).split()]
        ):
            _replace(element, lines, class_names(element))
    for block in _find_code(root):
        if block.tag == "code" and _KEPT_LINES.search(block.get("style") or ""):
            is_block = "\n" in block.text_content().strip() and next(block.iterancestors("pre"), None) is None
            block.tag = "pre" if is_block else "code"
        if block.tag == "pre" and block.getparent() is not None:
            _drop_language_beside(block)
            _drop_number_column(block)
            _drop_inline_numbers(block)


def _rewrite_table(table: HtmlElement) -> None:
    """Replace a table whose cells are the lines of a listing, or all of its numbers and all of its code."""
    has_header = any(not _NUMBERS.fullmatch(cell.text_content()) for cell in table.iter("th", "thead"))
    if has_header or next(table.iterdescendants("table"), None) is not None:
        return
    rows = list(table.iter("tr"))
    if not rows or len(rows) > MAX_LINES or not (listed := [_code_cell(row) for row in rows]):
        return
    cells = [cell for cell in listed if cell is not None]
    if len(cells) < len(rows) or not cells:
        return
    is_marked = any(_CODE_NAME.search(class_names(element)) for element in (table, *cells)) or any(
        next(cell.iter("pre"), None) is not None for cell in cells
    )
    numbers = [" ".join(row[0].itertext()) if len(row) > 1 else "" for row in rows]
    if is_marked and _are_consecutive(" ".join(numbers)):
        names = " ".join(class_names(element) for element in (table, *cells[:1]))
        block = next(cells[0].iter("pre"), None) if len(cells) == 1 else None
        _replace(table, [block] if block is not None else cells, names)


def _code_cell(row: HtmlElement) -> HtmlElement | None:
    """Return the cell with the code of a row whose other cells are empty or contain line numbers."""
    cells = list(row.iterchildren("td", "th"))
    if not 1 < len(cells) <= 3:
        return None
    *others, last = cells
    is_number = all(
        _NUMBERS.fullmatch(text) or not text.strip() for text in ("".join(cell.itertext()) for cell in others)
    )
    is_code = _CODE_NAME.search(class_names(last)) or next(last.iter("pre", "code"), None) is not None
    is_numbered = LINE_NUMBERS_CLASS.search(class_names(cells[0])) or cells[0].get("data-line-number")
    return last if is_number and (is_numbered or is_code) else None


def _replace(element: HtmlElement, lines: list[HtmlElement], names: str) -> None:
    """Make a `pre` element that contains lines of code of an element."""
    codes = [code for line in lines[:1] for code in (line, *line.iter("code"))]
    language = next((code.get("data-lang") or "" for code in codes), "")
    text = "\n".join(code_text(line).strip("\n") for line in lines).replace("\xa0", " ")
    names = " ".join((names, *map(class_names, codes)))
    del element[:]
    element.attrib.clear()
    element.tag, element.text = "pre", text
    element.set("class", names)
    if language:
        element.set("data-lang", language)


def _drop_number_column(block: HtmlElement) -> None:
    """Remove an element beside a listing that contains only the numbers of its lines."""
    count = len(code_text(block).strip("\n").split("\n"))
    for beside in _elements_beside(block):
        text = " ".join(filter(str.strip, beside.itertext()))
        if not _NUMBERS.fullmatch(text) or not _are_consecutive(text):
            continue
        numbers = len(re.findall(r"\d+", text))
        if abs(numbers - count) <= 1 or LINE_NUMBERS_CLASS.search(class_names(beside)):
            beside.drop_tree()
            return


def _drop_language_beside(block: HtmlElement) -> None:
    """Remove the label before a listing that only names its language, if the listing states it too."""
    label, parent = block.getprevious(), block.getparent()
    if label is None or parent is None or _LABEL_CLASSES.isdisjoint(class_names(label).split()):
        return
    before = label.getprevious()
    around = f"{label.tail or ''}{(parent.text if before is None else before.tail) or ''}"
    language = code_language(block)
    if language and label.text_content().strip().lower() in (language, *_LANGUAGES) and not around.strip():
        label.drop_tree()


def _elements_beside(block: HtmlElement) -> Iterator[HtmlElement]:
    """Yield the elements before a listing and before wrappers that contain only it, and the line numbers after it."""
    following = block.getnext()  # numbers without such a name are what the code prints
    if following is not None and LINE_NUMBERS_CLASS.search(class_names(following)):
        yield following
    element: HtmlElement | None = block
    for _ in range(4):
        if element is None:
            return
        previous = element.getprevious()
        if previous is not None and not (previous.tail or "").strip():
            yield previous
        parent = element.getparent()
        if parent is None or tag_name(parent) not in ("div", "figure", "code", "section", "td") or len(parent) > 4:
            return
        if any(child is not element and child is not previous and has_text(child) for child in parent):
            return
        element = parent


def _drop_inline_numbers(block: HtmlElement) -> None:
    """Remove elements in a listing that are the consecutive numbers of its lines."""
    found: dict[str, list[HtmlElement]] = {}
    for element in block.iterdescendants("span", "a", "i", "b", "em", "div", "td"):
        text = element.get("data-line-number") or "" if not len(element) and not element.text else element.text or ""
        if not len(element) and text.strip().isdecimal():
            found.setdefault(f"{tag_name(element)}.{class_names(element)}", []).append(element)
    lines = len(code_text(block).strip("\n").split("\n"))
    for elements in found.values():
        numbers = " ".join(element.text or "" for element in elements)
        if len(elements) > 1 and abs(len(elements) - lines) <= 1 and _are_consecutive(numbers):
            for element in elements:
                element.drop_tree()


def _are_consecutive(text: str) -> bool:
    """Return whether the numbers in a text follow each other. Also true without numbers."""
    numbers = [int(number) for number in re.findall(r"\d{1,9}", text)]
    return all(second == first + 1 for first, second in pairwise(numbers))
