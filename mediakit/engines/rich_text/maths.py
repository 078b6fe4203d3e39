"""LaTeX formulas as MathML, which browsers render without scripts, and the macros that a document defines."""

import re
from dataclasses import dataclass
from html import escape

MAX_EXPANSIONS = 1000
"""Macros that are replaced in a formula, with those in the texts of macros."""
MAX_DOCUMENT_EXPANSIONS = 100_000
"""Macros that are replaced in all formulas of a document."""
MAX_EXPANDED_CHARACTERS = 20_000
"""Length of a formula while its macros are replaced."""

DEFINITIONS = ("newcommand", "renewcommand", "providecommand", "def", "gdef", "let", "DeclareMathOperator")

_COMMAND = re.compile(r"\\([A-Za-z]+|.)", re.DOTALL)
_TAKES_ARGUMENT = re.compile(
    r"(?:[\^_]|\\(?:[dtc]?frac|sqrt|(?:wide)?(?:hat|tilde)|bar|vec|d?dot|(?:over|under)line|math\w+|bold\w+))\s*\Z"
)


class EndlessMacroError(ValueError):
    """A formula becomes too long when its macros are replaced, or they do not end."""


@dataclass(frozen=True)
class _Macro:
    parameters: int
    default: str | None
    """Value of the first parameter if it is omitted; None if it is required."""
    text: str

    def apply(self, rest: str) -> tuple[str, str]:
        """Return the text with the arguments that `rest` begins with, and what follows them."""
        values: list[str] = []
        if self.default is not None:
            optional = re.match(r"\s*\[([^\]]*)\]", rest)
            values.append(optional[1] if optional else self.default)
            rest = rest[optional.end() :] if optional else rest
        while len(values) < self.parameters:
            value, rest = _argument(rest)
            values.append(value)

        def fill(match: re.Match[str]) -> str:
            number = int(match[2])
            value = values[number - 1] if 0 < number <= len(values) else ""
            return f"{match[1]} {value}" if match[1] else value  # a space ends the name of a command

        return re.sub(r"(\\[A-Za-z]+)?#(\d)", fill, self.text), rest


class Macros:
    """The macros of one document, which hold for all formulas after their definition."""

    def __init__(self) -> None:
        self._macros: dict[str, _Macro] = {}
        self._left = MAX_DOCUMENT_EXPANSIONS

    def expand(self, latex: str) -> str:
        """Return a formula whose macros are replaced, without the definitions in it, which are remembered.

        Raises:
            EndlessMacroError: It becomes too long, or its macros do not end.
        """
        done, left = "", min(MAX_EXPANSIONS, self._left)
        while match := _COMMAND.search(latex):
            done += latex[: match.start()]
            latex = latex[match.end() :]
            if match[1] in DEFINITIONS:
                latex = self._define(match[1], latex)
            elif macro := self._macros.get(match[1]):
                text, latex = macro.apply(latex)
                latex = (f"{{{text}}}" if _TAKES_ARGUMENT.search(done) else text) + latex
                left -= 1
                self._left -= 1
                if left < 0 or len(done) + len(latex) > MAX_EXPANDED_CHARACTERS:
                    raise EndlessMacroError
            else:
                done += match[0]
        return done + latex

    def _define(self, kind: str, rest: str) -> str:
        """Remember a macro, and return what follows its definition."""
        name, rest = _argument(rest.removeprefix("*"))
        name = name.strip().removeprefix("\\")
        parameters, default = 0, None
        if kind in ("def", "gdef") and (match := re.match(r"((?:\s*#\d)*)\s*", rest)):
            parameters, rest = match[1].count("#"), rest[match.end() :]
        elif kind == "let":
            rest = re.sub(r"\A\s*=?", "", rest)
        elif match := re.match(r"\s*\[(\d)\](?:\s*\[([^\]]*)\])?", rest):
            parameters, default, rest = int(match[1]), match[2], rest[match.end() :]
        text, rest = _argument(rest)
        if kind == "DeclareMathOperator":
            text = f"\\operatorname{{{text}}}"
        is_known = name in self._macros and kind == "providecommand"
        if name and not is_known and text.strip() != f"\\{name}":
            self._macros[name] = _Macro(parameters, default, text)
        return rest


def _argument(text: str) -> tuple[str, str]:
    """Return the first argument, in braces or one command or letter, and what follows it."""
    text = text.lstrip()
    if not text.startswith("{"):
        match = re.match(r"\\(?:[A-Za-z]+|.)|.", text, re.DOTALL)
        return (match[0], text[match.end() :]) if match else ("", "")
    depth = 0
    for token in re.finditer(r"\\.|[{}]", text, re.DOTALL):
        depth += {"{": 1, "}": -1}.get(token[0], 0)
        if depth == 0:
            return text[1 : token.start()], text[token.end() :]
    return text[1:], ""


MAX_CHARACTERS = 5000
"""A longer formula is shown as its source."""

MAX_NAMED_COMMANDS = 5

_NUMBERING = re.compile(r"\\label\s*\{[^{}]*\}|\\(?:nonumber|notag)(?![A-Za-z])")
_UNKNOWN = re.compile(r"<mi>(\\[A-Za-z]+)</mi>")


class Formulas:
    """The formulas of one document, in their order: macros hold for the formulas after them, as with MathJax."""

    def __init__(self) -> None:
        self._macros = Macros()
        self._failed = 0
        self._unknown: dict[str, None] = {}

    def write(self, latex: str, *, block: bool) -> str:
        """Return the HTML of a formula: MathML, or its source if it cannot be converted.

        Labels are omitted: equations have no numbers.
        """
        try:
            source = self._macros.expand(_NUMBERING.sub("", latex))
            made = write_maths(source.strip() or r"\,", block=block)  # definitions alone show nothing
        except EndlessMacroError:
            made = None
        if made is None:
            self._failed += 1
            return maths_source(latex, block=block)
        self._unknown.update(dict.fromkeys(_UNKNOWN.findall(made)))
        return f'<span class="math">{made}</span>' if block else made

    def warnings(self) -> list[str]:
        """Return sentences about what is shown as LaTeX."""
        found = []
        if self._failed:
            count = f"{self._failed} formula{'s' if self._failed > 1 else ''}"
            found.append(f"{count} could not be converted and {'are' if self._failed > 1 else 'is'} shown as LaTeX.")
        if self._unknown:
            names = ", ".join([*self._unknown][:MAX_NAMED_COMMANDS])
            more = f" and {len(self._unknown) - MAX_NAMED_COMMANDS} more" * (len(self._unknown) > MAX_NAMED_COMMANDS)
            found.append(f"Unknown commands of formulas are shown as LaTeX: {names}{more}.")
        return found


_ENVIRONMENT = re.compile(
    r"\\(?P<side>begin|end)\{(?P<name>alignat|alignedat|flalign|aligned|gathered|gather|multline|eqnarray|align"
    r"|equation|displaymath|math)\*?\}(?P<argument>(?:\[[tbc]\])?(?:(?<=at\})\{\d+\}|(?<=at\*\})\{\d+\})?)"
)
_TABLE_TOKEN = re.compile(
    r"\\begin\{(?P<name>[A-Za-z]+)\*?\}|(?P<end>\\end\{)|(?P<row>\\\\)|\\.|(?P<column>&)", re.DOTALL
)


def _known_environment(match: re.Match[str]) -> str:
    """Return the start or end of an environment that latex2mathml knows, in place of one that it does not."""
    name, is_start = match["name"], match["side"] == "begin"
    if name in ("equation", "displaymath", "math"):
        return ""
    if name == "gathered":
        return "\\begin{array}{c}" if is_start else "\\end{array}"
    if name in ("gather", "multline"):
        return "\\displaylines{" if is_start else "}"
    return f"\\{match['side']}{{align*}}"


def _join_relations(latex: str) -> str:
    """Return a formula whose `eqnarray` environments have two columns: the second one of three is a relation."""
    opened: list[str] = []
    columns = 0

    def replace(match: re.Match[str]) -> str:
        nonlocal columns
        if match["name"]:
            opened.append(match["name"])
        elif match["end"]:
            del opened[-1:]
        elif opened[-1:] == ["eqnarray"] and match["row"]:
            columns = 0
        elif opened[-1:] == ["eqnarray"] and match["column"]:
            columns += 1
            return " " if columns == 2 else "&"
        return match[0]

    return _TABLE_TOKEN.sub(replace, latex)


def write_maths(latex: str, *, block: bool = False) -> str | None:
    """Return MathML of a formula without dollar signs; None if it cannot be converted."""
    from latex2mathml import converter

    source = _join_relations(latex) if "{eqnarray" in latex else latex
    source = _ENVIRONMENT.sub(_known_environment, source).strip()
    if not source or len(source) > MAX_CHARACTERS:
        return None
    try:
        return converter.convert(source, display="block" if block else "inline")
    except Exception:  # noqa: BLE001  # the library raises many kinds for formulas it cannot read
        return None


def maths_source(latex: str, *, block: bool = False) -> str:
    """Return the HTML that shows the source of a formula."""
    dollars = "$$" if block else "$"
    return f'<code class="math-source">{escape(f"{dollars}{latex.strip()}{dollars}")}</code>'
