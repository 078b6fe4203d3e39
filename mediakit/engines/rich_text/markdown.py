"""Parse Markdown: CommonMark, GitHub Flavored Markdown, footnotes, definition lists, formulas and front matter."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_core import StateCore
    from markdown_it.token import Token

MAX_NESTING = 100
"""Levels of nested blocks. Deeper content is omitted."""

MAX_INLINE_NESTING = 20
"""Levels of nested links and images. Each level multiplies the time for text that only opens brackets."""

_REFUSED_LINK = re.compile(r"(?:javascript|vbscript|livescript|file|data|blob|filesystem|view-source):", re.IGNORECASE)
_IMAGE_DATA = re.compile(r"data:image/(?:png|jpe?g|gif|webp|avif|bmp|svg\+xml)[;,]", re.IGNORECASE)
_IGNORED_IN_SCHEME = re.compile(r"[\x00-\x20\x7f]+")

_DELIMITER_ROW = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?")
_CONTAINERS = re.compile(r"(?:[ \t>]|[-+*][ \t]|\d{1,9}[.)][ \t])*+")
_CELL_END = re.compile(r"(?<!\\)\|")
_FORMULA = re.compile(r"\$\$(?:[^$\\]|\\.)++\$\$|(?<![\\\d$])\$(?![\s$])(?:[^$\\]|\\.)++(?<!\s)\$(?![\d$])")
_HIDDEN_BAR = "\ufdd0"
"""Stands for a bar in a formula while blocks are parsed: a noncharacter of Unicode."""

_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]|[^\W_]+(?:['’.,\-][^\W_]+)*")
"""A word; each character of Chinese and Japanese counts as one."""

MAX_FRONT_MATTER = 20_000
"""A longer block is not front matter."""

MAX_FIELD = 500

_FRONT_MATTER = re.compile(r"\ufeff?---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_YAML_KEY = re.compile(r"^[\w-]+[ \t]*:", re.MULTILINE)

_LANGUAGE_TAG = re.compile(
    r"[A-Za-z]{2,3}(?:-[A-Za-z]{3}){0,3}(?:-[A-Za-z]{4})?(?:-(?:[A-Za-z]{2}|\d{3}))?(?:-[A-Za-z0-9]{1,8})*"
)
MAX_LANGUAGE_TAG = 35

EMPTY_ANCHOR = "section"
"""Anchor of a heading without letters and digits."""

PLAIN_TYPES = ("text", "code_inline", "math_inline", "math_inline_double")
BREAKS = ("softbreak", "hardbreak")


@dataclass(frozen=True)
class FrontMatter:
    """What the YAML block at the beginning of a document says; empty texts for what it does not."""

    title: str = ""
    author: str = ""
    """Several authors are separated by commas."""
    date: str = ""
    lang: str = ""
    """BCP 47 tag; an invalid one is ignored."""


@dataclass(frozen=True)
class Heading:
    """A heading outside of block quotes, lists and footnotes."""

    level: int
    """1 to 6."""
    text: str
    """Text without formatting."""
    anchor: str
    """`id` of the heading in HTML, by GitHub's rule."""
    number: str
    """Number such as `1.2`; empty for the title of the document. It is not part of the text."""
    is_title: bool
    """Whether the heading is the title of the document: its first block, its only heading of level 1, and equal to the
    title that the request or the front matter name, if any."""
    index: int
    """Index of its `heading_open` in the document's tokens."""


@dataclass(frozen=True)
class Document:
    """A parsed document.

    Types of tokens beyond CommonMark: `s_open`; tables; `list_item_open` with `meta["checked"]`; `alert_open` with
    `meta["kind"]`, followed by `alert_title_open`; `dl_open`, `dt_open`, `dd_open`; `footnote_ref`, and at the end
    `footnote_block_open`, `footnote_open`, `footnote_anchor`; `math_inline`, `math_inline_double` and `math_block` with
    LaTeX as content.
    """

    tokens: Sequence["Token"]
    title: str
    """The title of the request, else of the front matter, else the first heading; empty if there is none."""
    front_matter: FrontMatter
    headings: Sequence[Heading]
    words: int
    warnings: Sequence[str] = ()
    env: Mapping[str, Any] = field(default_factory=dict)
    """What the parser found beside the tokens: `references` and `footnotes`."""

    @property
    def has_title_heading(self) -> bool:
        """Whether a heading of the text is the title. If not, an output writes the title before the text."""
        return any(heading.is_title for heading in self.headings)


def parse_markdown(text: str, title: str = "") -> Document:
    """Return the parsed document of a Markdown text; a title replaces that of the text. The time grows linearly."""
    front_matter, body = _split_front_matter(text.replace("\r\n", "\n").replace("\r", "\n"))
    env: dict[str, object] = {}
    tokens = parser().parse(body.removeprefix("\ufeff"), env)
    title = title or front_matter.title
    headings = _find_headings(tokens, title)
    texts = (plain_text(token.children or ()) for token in tokens if token.type == "inline")  # no code, no raw HTML
    is_deep = any(token.level >= MAX_NESTING - 1 for token in tokens)
    return Document(
        tokens=tokens,
        title=title or (headings[0].text if headings else ""),
        front_matter=front_matter,
        headings=headings,
        words=sum(len(_WORD.findall(text)) for text in texts),
        warnings=[f"Content that is nested deeper than {MAX_NESTING} levels may have been omitted."] if is_deep else [],
        env=env,
    )


@cache
def parser() -> "MarkdownIt":
    """Return the parser, which is shared: its rules and options must not be changed."""
    markdown = _new_parser(MAX_NESTING)
    inline = _new_parser(MAX_INLINE_NESTING)

    def parse_inline(state: "StateCore") -> None:
        for token in state.tokens:
            if token.type == "inline":
                token.children = []
                inline.inline.parse(token.content, inline, state.env, token.children)

    markdown.core.ruler.at("inline", parse_inline)
    markdown.core.ruler.before("block", "hide_bars", _hide_bars)
    markdown.core.ruler.after("block", "show_bars", _show_bars)
    return markdown


def _new_parser(max_nesting: int) -> "MarkdownIt":
    from markdown_it import MarkdownIt
    from mdit_py_plugins.deflist import deflist_plugin
    from mdit_py_plugins.dollarmath import dollarmath_plugin
    from mdit_py_plugins.footnote import footnote_plugin

    from mediakit.engines.rich_text.autolinks import autolinks_plugin

    options = {"tasklists": True, "alerts": True, "strikethrough_single_tilde": True, "maxNesting": max_nesting}
    markdown = MarkdownIt("commonmark", options).enable(["table", "strikethrough"])
    markdown.validateLink = is_safe_link  # type: ignore[method-assign]
    footnote_plugin(markdown, inline=False)
    deflist_plugin(markdown)
    dollarmath_plugin(
        markdown, allow_space=False, allow_digits=False, allow_blank_lines=False, allow_labels=False, double_inline=True
    )
    autolinks_plugin(markdown)
    return markdown


def is_safe_link(url: str) -> bool:
    """Return whether an address may be in a document: not a script, not a local file, and no data but images."""
    plain = _IGNORED_IN_SCHEME.sub("", url)
    return not _REFUSED_LINK.match(plain) or bool(_IMAGE_DATA.match(plain))


def is_language(tag: str) -> bool:
    """Return whether a text is a language tag such as `en`, `pt-BR` or `zh-Hant`."""
    return len(tag) <= MAX_LANGUAGE_TAG and bool(_LANGUAGE_TAG.fullmatch(tag))


def _split_front_matter(text: str) -> tuple[FrontMatter, str]:
    """Return the front matter, a YAML mapping, and the text after it. Text between two thematic breaks stays text."""
    match = _FRONT_MATTER.match(text, 0, MAX_FRONT_MATTER)
    if not match or not _YAML_KEY.search(match[1]):
        return FrontMatter(), text
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        values = YAML(typ="safe", pure=True).load(match[1])
    except (YAMLError, ValueError, TypeError, AttributeError, KeyError, RecursionError):
        return FrontMatter(), text
    if not isinstance(values, Mapping):
        return FrontMatter(), text
    lang = _line(values.get("lang") or values.get("language"))
    front_matter = FrontMatter(
        title=_line(values.get("title")),
        author=_line(values.get("author") or values.get("authors")),
        date=_line(values.get("date")),
        lang=lang if is_language(lang) else "",
    )
    return front_matter, text[match.end() :]


def _line(value: Any) -> str:
    """Return a value as one line: the items of a list, and the `name` of a mapping."""
    if isinstance(value, Mapping):
        value = value.get("name")
    if isinstance(value, list):
        items = (item.get("name") if isinstance(item, Mapping) else item for item in value[:20])
        return ", ".join(filter(None, map(_scalar, items)))
    return _scalar(value)


def _scalar(value: Any) -> str:
    if value is None or isinstance(value, list | set | Mapping):
        return ""
    return " ".join(str(value)[:MAX_FIELD].split())


def _find_headings(tokens: Sequence["Token"], title: str = "") -> list[Heading]:
    """Return the headings of the top level, with anchors and numbers. Sets the `id` of every heading token.

    If the title of the document is known, only a heading of the same text can be it.
    """
    taken: dict[str, int] = {}
    found: list[tuple[int, int, str, str]] = []
    for index, token in enumerate(tokens):
        if token.type != "heading_open":
            continue
        text = plain_text(tokens[index + 1].children or ())
        anchor = unique(slug(text) or EMPTY_ANCHOR, taken)
        token.attrSet("id", anchor)
        if token.level == 0:
            found.append((index, int(token.tag[1]), text, anchor))
    levels = [level for _, level, _, _ in found]
    is_first_block = bool(found) and found[0][0] == 0
    has_title = is_first_block and levels[0] == 1 and levels.count(1) == 1 and title in ("", found[0][2])
    numbers = ["", *_numbers(levels[1:])] if has_title else _numbers(levels)
    return [
        Heading(level, text, anchor, number, has_title and index == 0, index)
        for (index, level, text, anchor), number in zip(found, numbers, strict=True)
    ]


def plain_text(children: Sequence["Token"]) -> str:
    """Return the text of inline tokens without formatting; images by their alternative text."""
    parts = []
    for child in children:
        if child.type in PLAIN_TYPES:
            parts.append(child.content)
        elif child.type in BREAKS:
            parts.append(" ")
        elif child.type == "image":
            parts.append(plain_text(child.children or ()))
    return " ".join("".join(parts).split())


def slug(text: str) -> str:
    """Return the anchor that GitHub makes of a heading's text, before it is made unique."""
    marks = ("Mn", "Mc", "Me", "Pc")
    kept = (
        char for char in text.strip().lower() if char in "- " or char.isalnum() or unicodedata.category(char) in marks
    )
    return "".join(kept).replace(" ", "-")


def unique(anchor: str, counts: dict[str, int]) -> str:
    """Return an anchor, with a number if it is taken: `usage`, `usage-1`, `usage-2`. Counts it as taken."""
    base, count = anchor, counts.get(anchor, 0)
    while anchor in counts:
        count += 1
        anchor = f"{base}-{count}"
    counts[base] = count
    counts.setdefault(anchor, 0)
    return anchor


def _numbers(levels: Sequence[int]) -> list[str]:
    """Return numbers such as `1.2` for levels. A level that is skipped does not count."""
    open_levels: list[int] = []
    counts: list[int] = []
    numbers = []
    for level in levels:
        while open_levels and open_levels[-1] > level:
            last = counts.pop()
            open_levels.pop()
            if not open_levels or open_levels[-1] < level:
                # The first headings were deeper than this one: it continues their numbers.
                open_levels.append(level)
                counts.append(last)
                break
        if not open_levels or open_levels[-1] < level:
            open_levels.append(level)
            counts.append(0)
        counts[-1] += 1
        numbers.append(".".join(map(str, counts)))
    return numbers


def _hide_bars(state: "StateCore") -> None:
    """Hide the bars in the formulas of tables, where they would end a cell: `| $|x|$ | length |`.

    Only in rows with more cells than the table has columns: these would lose text. All others are as GFM has them.
    """
    if "$" not in state.src or _HIDDEN_BAR in state.src:
        return
    lines = state.src.split("\n")
    columns = 0
    for index, line in enumerate(lines):
        row = _row(line)
        if columns and row:
            lines[index] = _without_bars(line, columns)
        elif index and "|" in row and _DELIMITER_ROW.fullmatch(row):
            columns = _count_cells(row)
            lines[index - 1] = _without_bars(lines[index - 1], columns)
        else:
            columns = 0
    state.src = "\n".join(lines)


def _show_bars(state: "StateCore") -> None:
    for token in state.tokens:
        token.content = token.content.replace(_HIDDEN_BAR, "|")
        token.info = token.info.replace(_HIDDEN_BAR, "|")


def _without_bars(line: str, columns: int) -> str:
    if _count_cells(_row(line)) <= columns:
        return line
    return _FORMULA.sub(lambda formula: _CELL_END.sub(_HIDDEN_BAR, formula[0]), line)


def _count_cells(row: str) -> int:
    return len(_CELL_END.findall(row)) + 1 - row.startswith("|") - (row.endswith("|") and not row.endswith("\\|"))


def _row(line: str) -> str:
    """Return a line without what block quotes and lists write before it."""
    match = _CONTAINERS.match(line)
    return line[match.end() if match else 0 :].rstrip()
