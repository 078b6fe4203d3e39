r"""Macros of LaTeX that a document defines: `\newcommand`, `\def`, `\let` and `\DeclareMathOperator`."""

import re
from dataclasses import dataclass

MAX_EXPANSIONS = 1000
"""Macros that are replaced in a formula, with those in the texts of macros."""
MAX_DOCUMENT_EXPANSIONS = 100_000
"""Macros that are replaced in all formulas of a document."""
MAX_CHARACTERS = 20_000
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
                if left < 0 or len(done) + len(latex) > MAX_CHARACTERS:
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
