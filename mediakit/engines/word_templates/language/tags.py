"""Tags: `{{ value }}`, `{% statement %}` and `{# comment #}`, parsed from their text."""

import re
from dataclasses import dataclass
from typing import Literal

from mediakit.engines.word_templates.language.expressions import Expression
from mediakit.engines.word_templates.language.parser import parse_expression
from mediakit.engines.word_templates.language.problems import LanguageError
from mediakit.errors import InvalidInput

TagKind = Literal["value", "for", "endfor", "if", "elif", "else", "endif", "comment", "vm", "hm", "colspan", "cellbg"]
Level = Literal["", "r", "p", "tc", "tr"]

BODY = "body"
"""The label of the main part, which errors do not mention."""

OPENING: dict[TagKind, TagKind] = {"for": "endfor", "if": "endif"}
"""The tags that open a block, with those that close it."""

BLOCK_KINDS = frozenset(("for", "endfor", "if", "elif", "else", "endif"))

_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "\xa0": " ", "\n": " ", "\t": " "})
_LEVEL = re.compile(r"""(tr|tc|p|r)\s+(?=[\w"'(\[])(?!(?:and|or)\b)""")
_FOR = re.compile(r"for\s+([^\W\d]\w*)\s+in\s+(.+)", re.DOTALL)
_WORD = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True)
class Tag:
    """A tag and what it says."""

    kind: TagKind
    source: str
    """The tag as the document has it, such as `{{ client.name }}`."""
    part: str
    """The part that has it: `body`, `header 1`."""
    level: Level = ""
    """The element that the tag replaces: a run, a paragraph, a cell or a row; empty to decide by its place."""
    expression: Expression | None = None
    variable: str = ""
    """The variable of a loop."""
    joins_before: bool = False
    """Whether `{%-` joins the paragraph to the one before it."""
    joins_after: bool = False
    """Whether `-%}` joins the next paragraph to this one."""

    @property
    def is_block(self) -> bool:
        """Whether the tag opens, divides or closes a block."""
        return self.kind in BLOCK_KINDS


def place(part: str) -> str:
    """Return the part for an error message; empty for the body."""
    return "" if part == BODY else f" ({part})"


def tag_error(tag: Tag, reason: str) -> InvalidInput:
    """Return the error of a tag."""
    return InvalidInput(f'file: in "{tag.source}"{place(tag.part)}: {reason}.')


def parse_tag(source: str, part: str) -> Tag:
    """Return the tag that a text such as `{{ name | upper }}` spells.

    Raises:
        InvalidInput: It does not follow the language.
    """
    try:
        return _parsed(source, part)
    except LanguageError as error:
        shown = " ".join(source.translate(_QUOTES).split())
        if error.is_filter:
            raise InvalidInput(f"file: {error.reason} in {shown}{place(part)}.") from None
        raise InvalidInput(f'file: in "{shown}"{place(part)}: {error.reason}.') from None


def _parsed(source: str, part: str) -> Tag:
    shown = " ".join(source.translate(_QUOTES).split())
    inner = source[2:-2]
    before, after = inner.startswith("-"), inner.endswith("-")
    inner = inner[1 if inner[:1] in ("-", "+") else 0 :]
    inner = (inner[:-1] if inner.endswith(("-", "+")) else inner).translate(_QUOTES)
    found = _LEVEL.match(inner)
    level: Level = found[1] if found else ""  # type: ignore[assignment]  # one of the pattern
    text = inner[found.end() if found else 0 :].strip()
    if source.startswith("{#"):
        return Tag("comment", shown, part, level)
    if source.startswith("{{"):
        if not text:
            raise LanguageError("it has no name")
        return Tag("value", shown, part, level, parse_expression(text))
    kind, variable, expression = _statement(text)
    return Tag(kind, shown, part, level, expression, variable, before, after)


def _statement(text: str) -> tuple[TagKind, str, Expression | None]:
    word = _WORD.match(text)
    name = word[0] if word else ""
    rest = text[len(name) :].strip()
    if name == "for":
        loop = _FOR.fullmatch(text)
        if not loop:
            raise LanguageError('it must be "for name in list"')
        return "for", loop[1], parse_expression(loop[2])
    if name in ("if", "elif", "colspan", "cellbg"):
        return name, "", parse_expression(rest)  # type: ignore[return-value]  # one of the four
    if name in ("else", "endif", "endfor", "vm", "hm"):
        if rest:
            raise LanguageError(f'"{rest[:20]}" is unexpected')
        return name, "", None  # type: ignore[return-value]  # one of the five
    raise LanguageError(f'"{name or text[:20]}" is not a statement; use for, if, elif, else, endif or endfor')
