"""Parses the HTML file of a template's style."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

from mediakit.engines.templates.items import item_key_names
from mediakit.engines.templates.manifest import Manifest
from mediakit.engines.templates.markup.directives import Directives, Place
from mediakit.engines.templates.markup.folder_files import FILE_URL, file_uri, is_file_name, with_file_uris
from mediakit.engines.templates.markup.nodes import Condition, Html, Items, Node, Section
from mediakit.engines.templates.markup.placeholders import PLACEHOLDER, Placeholders
from mediakit.engines.templates.markup.problems import Problem
from mediakit.engines.templates.markup.safety import (
    VOID_ELEMENTS,
    attribute_problem,
    css_problem_lines,
    element_problem,
)
from mediakit.engines.templates.markup.scope import ITEMS

IF = "if"

_INDENTATION = re.compile(r"^\s*\n\s*|\s*\n\s*$")


@dataclass
class _Open:
    """An element or section that is not closed yet."""

    name: str
    """Tag of an element, or the opening of a section such as `#title`."""
    line: int
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Node] = field(default_factory=list)
    numbers: tuple[str, ...] = ()
    """Names of the numbers that are defined inside of it."""
    is_section: bool = False


class MarkupParser(HTMLParser):
    """Reads a file into nodes, CSS and problems."""

    def __init__(self, manifest: Manifest, file: str) -> None:
        super().__init__(convert_charrefs=False)
        self.problems: list[Problem] = []
        self.css = ""
        self.text = ""
        """The fixed texts."""
        self._file = file
        self._placeholders = Placeholders(manifest)
        self._directives = Directives(self._placeholders)
        self._columns = manifest.item_columns
        self._folder = manifest.folder
        self._stack = [_Open("", 0)]
        self._data, self._data_line = "", 0

    def parse(self, source: str) -> tuple[Node, ...]:
        """Return the nodes of a file. Problems are collected."""
        try:
            self.feed(source)
            self.close()
        except AssertionError as error:  # html.parser raises it for some declarations
            self._add_problem(self._line, f"is not valid HTML: {error}.")
        self._end_data()
        for unclosed in self._stack[1:]:
            self._add_problem(unclosed.line, f"{_shown(unclosed)} is not closed.")
        self.problems.sort(key=lambda problem: problem.line)
        return tuple(self._stack[0].children)

    def unused(self, manifest: Manifest) -> list[str]:
        """Return a message for each key, column and label that the file never shows."""
        item_keys = item_key_names(manifest.item_columns)
        keys = [key.name for key in manifest.keys if key.format != "color" and key.name not in item_keys]
        columns = [f"{ITEMS}.{column}" for column in manifest.item_columns]
        names = [*keys, *columns, *(f"label:{name}" for name in manifest.labels)]
        return [f"{{{{{name}}}}} is never used." for name in names if name not in self._placeholders.used]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open an element."""
        self._end_data()
        attributes = {name: self._attribute_value(tag, name, value or "") for name, value in attrs}
        if problem := element_problem(tag):
            self._add_problem(self._line, problem)
        for name, value in attributes.items():
            if "{{" not in value and (problem := attribute_problem(tag, name, value)):
                self._add_problem(self._line, problem)
        numbers = self._directives.defined_names(attributes)
        self._stack.append(_Open(tag, self._line, attributes, numbers=(*self._stack[-1].numbers, *numbers)))
        if tag in VOID_ELEMENTS:
            self._close_element()

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Add an element of SVG without content."""
        self.handle_starttag(tag, attrs)
        if tag not in VOID_ELEMENTS:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close an element."""
        self._end_data()
        if self._stack[-1].name == tag and not self._stack[-1].is_section:
            self._close_element()
        elif any(opened.name == tag and not opened.is_section for opened in self._stack):
            while self._stack[-1].name != tag:
                unclosed = self._stack.pop()
                self._add_problem(unclosed.line, f"{_shown(unclosed)} is not closed before </{tag}>.")
                self._stack[-1].children += unclosed.children
            self._close_element()
        else:
            self._add_problem(self._line, f"</{tag}> closes nothing.")

    def handle_data(self, data: str) -> None:
        """Collect text; the parser splits it at some characters."""
        if not self._data:
            self._data_line = self._line
        self._data += data

    def handle_entityref(self, name: str) -> None:
        """Collect a reference such as `&copy;`."""
        self.handle_data(f"&{name};")

    def handle_charref(self, name: str) -> None:
        """Collect a reference such as `&#169;`."""
        self.handle_data(f"&#{name};")

    def _attribute_value(self, tag: str, name: str, value: str) -> str:
        """Return the value, with the file of an image as a data: URI."""
        if (tag, name) not in (("img", "src"), ("image", "href")) or not is_file_name(value):
            return value
        try:
            return file_uri(self._folder, value)
        except ValueError as error:
            self._add_problem(self._line, str(error))
            return ""

    @property
    def _line(self) -> int:
        return self.getpos()[0]

    @property
    def _row_columns(self) -> tuple[str, ...]:
        return self._columns if any(opened.name == f"#{ITEMS}" for opened in self._stack) else ()

    def _add_problem(self, line: int, message: str) -> None:
        self.problems.append(Problem(self._file, line, message))

    def _close_element(self) -> None:
        element = self._stack.pop()
        if element.name == "style":
            return
        try:
            nodes = self._directives.nodes(
                element.name, element.attributes, element.children, Place(self._row_columns, element.numbers)
            )
        except ValueError as error:
            self._add_problem(element.line, f"<{element.name}>: {error}")
            nodes = element.children
        self._stack[-1].children += nodes

    def _end_data(self) -> None:
        """Turn the collected text into nodes."""
        data, line = self._data, self._data_line
        self._data = ""
        if data and self._stack[-1].name == "style":
            self._add_css(data, line)
            return
        for index, part in enumerate(PLACEHOLDER.split(data)):
            try:
                self._add_placeholder(part.strip(), line) if index % 2 else self._add_text(part)
            except ValueError as error:
                self._add_problem(line + _lines_before_braces(part), str(error))
            line += part.count("\n")

    def _add_css(self, css: str, line: int) -> None:
        for number, text in enumerate(css.splitlines(keepends=True), line):
            try:
                self.css += with_file_uris(text, self._folder)
            except ValueError as error:
                self._add_problem(number, str(error))
        for offset, message in css_problem_lines(FILE_URL.sub("", css)):
            self._add_problem(line + offset, message)

    def _add_text(self, text: str) -> None:
        """Add fixed text; spaces with a line break at its ends are indentation."""
        if "{{" in text or "}}" in text:
            raise ValueError("{{ and }} must be in pairs.")
        text = _INDENTATION.sub("", text)
        if text:
            self.text += text
            self._stack[-1].children.append(Html(text))

    def _add_placeholder(self, content: str, line: int) -> None:
        if content[:1] in ("#", "^"):
            self._open_section(content, line)
        elif content[:1] == "/":
            self._close_section(content[1:].strip())
        else:
            self._stack[-1].children.append(self._placeholders.node(content, self._row_columns))

    def _open_section(self, content: str, line: int) -> None:
        name = content[0] + " ".join(content[1:].split())
        self._stack.append(_Open(name, line, numbers=self._stack[-1].numbers, is_section=True))
        if name[1:].split(" ")[0] != IF:
            self._placeholders.check_names(tuple(name[1:].split()), self._row_columns)

    def _close_section(self, name: str) -> None:
        section = self._stack[-1]
        names = section.name[1:]
        if not section.is_section or " ".join(name.split()) != (IF if _is_if(names) else names):
            opened = f"{_shown(section)} of line {section.line}" if section.line else "anything"
            raise ValueError(f"{{{{/{name}}}}} does not close {opened}.")
        self._stack.pop()
        self._stack[-1].children.append(self._section_node(section))

    def _section_node(self, section: _Open) -> Node:
        names, children, inverted = section.name[1:], tuple(section.children), section.name[0] == "^"
        if _is_if(names):
            expression = self._directives.expression(names.removeprefix(IF), Place(self._row_columns, section.numbers))
            return Condition(expression, children, inverted=inverted)
        if names == ITEMS and not inverted:
            return Items(children)
        return Section(tuple(names.split()), children, inverted=inverted)


def _lines_before_braces(text: str) -> int:
    """Return the number of lines before braces that are not in pairs."""
    unpaired = re.search(r"\{\{|\}\}", text)
    return text.count("\n", 0, unpaired.start()) if unpaired else 0


def _is_if(names: str) -> bool:
    return names.split(" ", maxsplit=1)[0] == IF


def _shown(opened: _Open) -> str:
    return f"{{{{{opened.name}}}}}" if opened.is_section else f"<{opened.name}>" if opened.name else ""
