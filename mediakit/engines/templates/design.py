"""The HTML file of a template's style: checked, and rewritten so that its texts can be filled in and fitted."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from html import escape, unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from jinja2 import nodes

from mediakit.core.messages import nearest, quote
from mediakit.engines.fonts import FILES, Family
from mediakit.engines.templates.filters import HTML_FILTERS
from mediakit.engines.templates.html import (
    FILE_NAME,
    FILE_URL,
    MARK,
    NONCHARACTERS,
    URL_ATTRIBUTES,
    HtmlTemplate,
    attribute_problem,
    compile_html,
    css_problem_lines,
    element_problem,
    file_uri,
    find_places,
    marked,
)
from mediakit.engines.templates.language import LOOP, Language, LanguageError, path_names, paths
from mediakit.engines.templates.manifest import COLUMNS, ITEMS, LABEL, Key, KeyFormat, Manifest, Problem, item_key_names
from mediakit.engines.templates.rendering import DataError, Rendering, Tag
from mediakit.errors import InvalidInput

MAX_QR_LENGTH, MAX_BARCODE_LENGTH = 500, 40
"""Maximum lengths of keys that are encoded, in characters."""

VOID_ELEMENTS = frozenset({"area", "br", "col", "hr", "img", "wbr"})
"""Elements without an end tag."""

FIT = "data-fit"
FIT_NUMBERS = {"size": 0, "min": 0, "lines": 1, "height": 0, "line-height": 1.3, "weight": 400, "tracking": 0}
"""Numbers in `data-fit` with their defaults."""
DEFAULT_MINIMUM = 0.6
"""Smallest font size, as a share of the largest."""
TIGHT_LINE_HEIGHT = 1.12
"""Lines that are lower need space above them, so that accents of capital letters are not cut; in em."""

_INDENTATION = re.compile(r"^\s*\n\s*|\s*\n\s*$")
_LENGTH = re.compile(r"[\w\s.+*/(),%-]+", re.ASCII)
_NOT_LENGTH = re.compile(r"(?<![\w-])(?!(?:var|calc|min|max|clamp)\()[A-Za-z_]|[+-]\s+[\d.]+(?![\w.%])(?!\s*[*/])")
"""A name other than a function of CSS, or a number without a unit that is added."""
_NUMBER = re.compile(r"-?\d{1,5}(\.\d{1,4})?", re.ASCII)

_TEXT_FORMATS: tuple[KeyFormat, ...] = ("text", "url", "ascii")
_FILTER_FORMATS: Mapping[str, tuple[KeyFormat, ...]] = {"qr": _TEXT_FORMATS, "barcode": ("ascii",), "image": ("image",)}


@dataclass(frozen=True)
class Design:
    """A style of a template, ready to be filled."""

    css: str = ""
    body: HtmlTemplate | None = None
    """None if the file has errors."""
    text: str = ""
    """The fixed texts of the file."""
    families: tuple[Family, ...] = ("sans",)
    """Font families that the file uses."""
    problems: tuple[Problem, ...] = ()

    def render(self, data: Mapping[str, Any]) -> str:
        """Return the body of the page with texts.

        Raises:
            InvalidInput: A text does not fit where it is used.
        """
        assert self.body  # noqa: S101  # the caller has refused a file with errors
        try:
            return self.body.fill(Rendering(data, "blank"))
        except DataError as error:
            raise InvalidInput(f"data: {error.reason}.") from None


def load_design(file: Path, manifest: Manifest) -> Design:
    """Return the design of an HTML file with its problems."""
    problem = partial(Problem, str(file))
    try:
        source = NONCHARACTERS.sub("", file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        return Design(problems=(problem(0, f"cannot be read: {getattr(error, 'strerror', None) or error}"),))
    wrong: list[LanguageError] = []
    try:
        tags = Language(HTML_FILTERS).tags(source, wrong)
    except LanguageError as error:
        wrong.append(error)
    if wrong:
        return Design(problems=tuple(problem(*_place_of(each)) for each in wrong))
    names, parser = _Names(manifest), _DesignParser(manifest.folder, tags)
    page = parser.parse(source)
    problems = sorted([*names.problems(tags), *parser.problems], key=lambda each: each[0])
    body = None
    try:
        find_places(source, tags)
        body = None if problems else compile_html(page, Language(HTML_FILTERS))
    except LanguageError as error:
        problems = problems or [_place_of(error)]
    unused = [] if manifest.is_bundled else [problem(0, message, is_warning=True) for message in names.unused()]
    used = r'family:\s*{0}\b|Mediakit {0}\b|class="[^"]*\b{0}\b'  # in `data-fit`, as a class or as a font of CSS
    families = tuple(each for each in FILES if each == "sans" or re.search(used.format(each), source))
    found = (*(problem(*each) for each in problems), *unused)
    return Design(parser.css, body, unescape(parser.text), families, found)


Found = tuple[int, str]
"""A line, from 1, and what is wrong there."""


def _place_of(error: LanguageError) -> Found:
    return error.tag.line if error.tag else 0, error.sentence("")


class _Names:
    """Checks that the names in tags exist and fit, and notes which are printed."""

    def __init__(self, manifest: Manifest) -> None:
        self._manifest = manifest
        groups = [ITEMS, *(f"{COLUMNS}.{column}" for column in manifest.item_columns)] if manifest.item_columns else []
        labels = [f"{LABEL}.{name}" for name in manifest.labels]
        self._known: dict[str, Key | None] = {**manifest.by_name, **dict.fromkeys([*groups, *labels])}
        """Keys by the names in tags; None for labels, and for what several keys share."""
        self._used: set[str] = set()

    def problems(self, tags: Sequence[Tag]) -> Iterator[Found]:
        """Yield what is wrong with the names in tags."""
        scopes = [self._known]
        for tag in tags:
            if tag.kind == "endfor" and len(scopes) > 1:
                scopes.pop()
            if tag.expression is not None:
                try:
                    self._check(tag, tag.expression, scopes[-1])
                except (ValueError, LanguageError) as error:
                    yield tag.line, str(error)
            if tag.kind == "for":
                columns, keys = self._manifest.item_columns, self._manifest.by_name
                row = {f"{tag.variable}.{column}": keys[f"item1_{column}"] for column in columns}
                around = {name: key for name, key in scopes[-1].items() if name.partition(".")[0] != tag.variable}
                scopes.append({**around, **row, **dict.fromkeys(f"loop.{member}" for member in LOOP)})

    def unused(self) -> list[str]:
        """Return a message for each key, column and label that the file never shows."""
        columns, labels = self._manifest.item_columns, self._manifest.labels
        item_keys = item_key_names(columns)
        names = {key.name: key.name for key in self._manifest.keys if key.format != "color"}
        names = {name: shown for name, shown in names.items() if name not in item_keys}
        names |= {f"item1_{column}": f"item.{column}" for column in columns}
        names |= {f"{LABEL}.{name}": f"{LABEL}.{name}" for name in labels}
        return [f"{{{{ {shown} }}}} is never used." for name, shown in names.items() if name not in self._used]

    def _check(self, tag: Tag, expression: nodes.Expr, names: Mapping[str, Key | None]) -> None:
        if tag.kind == "for" and path_names(expression) != (ITEMS,):
            raise ValueError(f"{tag.source}: only {ITEMS} can be repeated.")
        for path, filters in paths(expression):
            name = ".".join(path)[:60]
            if name not in names:
                same = [each for each in names if each.startswith(f"{path[0]}.")]  # of the same label, row or group
                raise ValueError(
                    f"{quote(name)} is not a key of {self._manifest.name}; {nearest(name, same or list(names))}"
                )
            if tag.kind == "value":
                self._check_value(name, names[name], filters)

    def _check_value(self, name: str, key: Key | None, filters: Sequence[str]) -> None:
        """Check that a filter fits the format of the key that a tag prints."""
        self._used.add(key.name if key else name)
        kind = next((each for each in filters if each in _FILTER_FORMATS), None)
        formats = _FILTER_FORMATS[kind] if kind else _TEXT_FORMATS
        if name.startswith((f"{LABEL}.", "loop.")) or (key is None and {"length", "count"} & {*filters}):
            return
        if key is None or key.format not in formats:
            found = key.format if key else "a group of keys"
            raise ValueError(f"{quote(name)} must be a key of the format {' or '.join(formats)} here, is {found}.")
        most = {"qr": MAX_QR_LENGTH, "barcode": MAX_BARCODE_LENGTH}.get(kind or "", key.max_length)
        if key.max_length > most:
            raise ValueError(f"{name}: a text for the filter {kind} must have a max_length of at most {most}.")


@dataclass
class _Open:
    """An element or a block that is not closed yet."""

    name: str
    """Name of an element, or the tag of a block such as `{% if title %}`."""
    line: int
    attributes: Mapping[str, str] = field(default_factory=dict)
    parts: list[str] = field(default_factory=list)
    """The page so far, from the start of the element."""
    is_block: bool = False


class _DesignParser(HTMLParser):
    """Checks the HTML of a file, and writes it again.

    The page has files as data: URIs, no indentation, and `data-fit` as styles.
    """

    def __init__(self, folder: Path, tags: Sequence[Tag]) -> None:
        super().__init__(convert_charrefs=False)
        self.problems: list[Found] = []
        self.css = ""
        self.text = ""
        """The fixed texts."""
        self._folder = folder
        self._tags = tags
        self._stack = [_Open("", 0)]
        self._data, self._data_line = "", 0

    def parse(self, source: str) -> str:
        """Return the page. Problems are collected."""
        try:
            self.feed(marked(source, self._tags))
            self.close()
        except AssertionError as error:  # html.parser raises it for some declarations
            self._add_problem(self._line, f"is not valid HTML: {error}.")
        self._end_data()
        for unclosed in self._stack[1:]:
            self._add_problem(unclosed.line, f"{_shown(unclosed)} is not closed.")
        page = "".join(part for opened in self._stack for part in opened.parts)
        return MARK.sub(lambda match: self._tags[int(match[1])].source, page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._end_data()
        attributes = {name: value or "" for name, value in attrs}
        if problem := element_problem(tag):
            self._add_problem(self._line, problem)
        for name, value in attributes.items():
            if problem := self._problem_of_attribute(tag, name, value):
                self._add_problem(self._line, problem)
        start = self.get_starttag_text() or ""
        self._stack.append(_Open(tag, self._line, attributes, [self._with_files(tag, attributes, start)]))
        if tag in VOID_ELEMENTS:
            self._close_element()

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Add an element of SVG without content."""
        self.handle_starttag(tag, attrs)
        if tag not in VOID_ELEMENTS:
            self._close_element(end="")

    def handle_endtag(self, tag: str) -> None:
        self._end_data()
        if self._stack[-1].name == tag and not self._stack[-1].is_block:
            self._close_element(end=f"</{tag}>")
        elif any(opened.name == tag and not opened.is_block for opened in self._stack):
            while self._stack[-1].name != tag:
                unclosed = self._stack.pop()
                self._add_problem(unclosed.line, f"{_shown(unclosed)} is not closed before </{tag}>.")
                self._stack[-1].parts += unclosed.parts
            self._close_element(end=f"</{tag}>")
        else:
            self._add_problem(self._line, f"</{tag}> closes nothing.")

    def handle_data(self, data: str) -> None:
        """Collect text; the parser splits it at some characters."""
        if not self._data:
            self._data_line = self._line
        self._data += data

    def handle_entityref(self, name: str) -> None:
        self.handle_data(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self.handle_data(f"&#{name};")

    def handle_comment(self, data: str) -> None:  # noqa: ARG002  # it is omitted
        self._end_data()

    @property
    def _line(self) -> int:
        return self.getpos()[0]

    def _add_problem(self, line: int, message: str) -> None:
        self.problems.append((line, MARK.sub(lambda match: self._tags[int(match[1])].source, message)))

    def _problem_of_attribute(self, tag: str, name: str, value: str) -> str | None:
        if not (tags := [self._tags[int(match[1])] for match in MARK.finditer(value)]):
            return attribute_problem(tag, name, "" if self._is_file(tag, name, value) else value)
        if name in URL_ATTRIBUTES and (tag, name) != ("a", "href"):
            drawn = tags[0].expression  # a code or an image
            is_drawn = isinstance(drawn, nodes.Filter) and drawn.name in _FILTER_FORMATS
            if (tag, name) == ("img", "src") and MARK.fullmatch(value.strip()) and is_drawn:
                return None
            return f"<{tag}>: {name}: must not contain {{{{...}}}}; use {{{{ key | image }}}}, qr or barcode."
        if name == FIT and any(each.kind == "value" for each in tags):
            return f"<{tag}>: {FIT}: must not contain {{{{...}}}}; conditions are allowed."
        plain = MARK.sub("0", value) if name != "href" else ""
        return attribute_problem(tag, MARK.sub(lambda match: self._tags[int(match[1])].source, name), plain)

    def _is_file(self, tag: str, name: str, value: str) -> bool:
        return (tag, name) in (("img", "src"), ("image", "href")) and bool(FILE_NAME.fullmatch(value))

    def _with_files(self, tag: str, attributes: Mapping[str, str], start: str) -> str:
        """Return a start tag with a file of the folder as a data: URI."""
        name = next((each for each, value in attributes.items() if self._is_file(tag, each, value)), None)
        if name is None:
            return start
        try:
            uri = file_uri(self._folder, attributes[name])
        except ValueError as error:
            self._add_problem(self._line, str(error))
            return ""
        ending = "/>" if start.endswith("/>") else ">"
        return _start_tag(tag, {**attributes, name: uri}).removesuffix(">") + ending

    def _close_element(self, end: str = "") -> None:
        element = self._stack.pop()
        if element.name == "style":
            return
        element.parts.append(end)
        if FIT in element.attributes:
            try:
                element.parts = [self._fitted(element)]
            except ValueError as error:
                self._add_problem(element.line, f"<{element.name}>: {FIT}: {error}")
        self._stack[-1].parts += element.parts

    def _fitted(self, element: _Open) -> str:
        """Return a fitted element, which is omitted without a text; its content and `data-fit` must be valid."""
        content = MARK.fullmatch("".join(element.parts[1:-1]).strip())
        tag = self._tags[int(content[1])] if content else None
        found = next(paths(tag.expression), None) if tag and tag.kind == "value" and tag.expression else None
        if tag is None or found is None:
            raise ValueError("the element must contain exactly one {{ key }} of a text.")
        path = found[0]
        inner = tag.source[2:-2].strip("-+ \n")
        attributes = {name: value for name, value in element.attributes.items() if name != FIT}
        attributes |= _fit_attributes(element.attributes[FIT], attributes, path)
        opening = _start_tag(element.name, {"data-key": f"{{{{ {'.'.join(path)} }}}}", **attributes, "dir": "auto"})
        return f"{{% if {inner} %}}{opening}{{{{ {inner} }}}}</{element.name}>{{% endif %}}"

    def _end_data(self) -> None:
        """Add the collected text."""
        data, line = self._data, self._data_line
        self._data = ""
        if data and self._stack[-1].name == "style":
            self._add_css(data, line)
            return
        position = 0
        for match in MARK.finditer(data):
            self._add_text(data[position : match.start()])
            self._add_tag(self._tags[int(match[1])], match[0])
            position = match.end()
        self._add_text(data[position:])

    def _add_css(self, css: str, line: int) -> None:
        for number, text in enumerate(css.splitlines(keepends=True), line):
            try:
                self.css += FILE_URL.sub(lambda match: f"url({file_uri(self._folder, match[2])})", text)
            except ValueError as error:
                self._add_problem(number, str(error))
        plain = MARK.sub("{{", FILE_URL.sub("", css))
        self.problems += [(line + offset, message) for offset, message in css_problem_lines(plain)]

    def _add_text(self, text: str) -> None:
        text = _INDENTATION.sub("", text)  # spaces with a line break at its ends
        self.text += text
        self._stack[-1].parts.append(text)

    def _add_tag(self, tag: Tag, mark: str) -> None:
        if tag.kind in ("else", "elif", "endif", "endfor"):
            opened = self._stack[-1]
            if not opened.is_block:
                place = f"<{opened.name}> of line {opened.line}" if opened.line else "anything"
                self._add_problem(tag.line, f"{tag.source} does not close {place}.")
                return
            block = self._stack.pop()
            self._stack[-1].parts += [*block.parts, mark]
            if tag.kind in ("endif", "endfor"):
                return
            self._stack.append(_Open(block.name, block.line, is_block=True))
        elif tag.kind in ("if", "for"):
            self._stack.append(_Open(tag.source, tag.line, parts=[mark], is_block=True))
        else:
            self._stack[-1].parts.append(mark)


def _shown(opened: _Open) -> str:
    return opened.name if opened.is_block else f"<{opened.name}>"


def _start_tag(name: str, attributes: Mapping[str, str]) -> str:
    return f"<{name}" + "".join(f' {each}="{escape(value)}"' for each, value in attributes.items()) + ">"


def _fit_attributes(source: str, attributes: Mapping[str, str], path: tuple[str, ...]) -> dict[str, str]:
    """Return the attributes for a valid `data-fit="width: 600; size: 48; min: 24"`."""
    fields = _declarations(source)
    width, family, case = fields.pop("width", ""), fields.pop("family", "sans"), fields.pop("case", "")
    if family not in FILES or case not in ("", "upper"):
        raise ValueError(f"family must be {' or '.join(FILES)}, and case upper, got {quote(case or family)}.")
    plain = MARK.sub(" ", width)
    if not _LENGTH.fullmatch(plain or "0") or _NOT_LENGTH.search(plain):
        raise ValueError(f"width must be a length of CSS such as 600 or var(--page) - 40px, got {quote(width)}.")
    number = {**FIT_NUMBERS, **_numbers(fields)}
    size, lines = number["size"], max(1, int(number["lines"]))
    minimum = number["min"] or size * DEFAULT_MINIMUM
    if not 0 < minimum <= size:
        raise ValueError(f"size must be more than 0, and min at most size, got size {size:g} and min {minimum:g}.")
    style = [
        attributes.get("style", "").strip().removesuffix(";"),
        f"font-size:{size:g}px;font-weight:{number['weight']:g};letter-spacing:{number['tracking']:g}em",
        f"line-height:{number['line-height']:g}",
        f"-webkit-line-clamp:{lines}" if lines > 1 else "",
        f"max-width:{width}px" if _NUMBER.fullmatch(width) else f"max-width:calc({width})" if width else "",
        "text-transform:uppercase" if case else "",
    ]
    classes = [attributes.get("class", path[-1]), "line" if lines == 1 else "lines", family]
    return {
        "class": " ".join([*classes, *["tight"] * (number["line-height"] < TIGHT_LINE_HEIGHT)]),
        "style": ";".join(filter(None, style)),
        FIT: f"{size:g} {minimum:g} {lines} {number['height']:g} {number['line-height']:g}",
    }


def _declarations(source: str) -> dict[str, str]:
    """Return `name: value; ...` by name; each part must have a colon, and a name of its own."""
    fields: dict[str, str] = {}
    for part in filter(str.strip, source.split(";")):
        name, colon, value = (piece.strip() for piece in part.partition(":"))
        if not colon or not value or name in fields:
            raise ValueError(f"{quote(part.strip())} must be one name: value.")
        fields[name] = value
    return fields


def _numbers(fields: Mapping[str, str]) -> dict[str, float]:
    """Return the numbers of `data-fit`, of which the size is required."""
    for name, value in fields.items():
        if name not in FIT_NUMBERS:
            raise ValueError(f"{quote(name)} is not known; use {', '.join(FIT_NUMBERS)}, width, family or case.")
        if not _NUMBER.fullmatch(value):
            raise ValueError(f"{name} must be a number, got {quote(value)}.")
    if "size" not in fields:
        raise ValueError("size is required.")
    return {name: float(value) for name, value in fields.items()}
