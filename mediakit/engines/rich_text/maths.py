"""LaTeX formulas as MathML, which browsers render without scripts."""

import re
from html import escape

MAX_CHARACTERS = 5000
"""A longer formula is shown as its source."""

MAX_DEFINITIONS = 2000
"""Characters of the macros that a document defines; later ones hold in their own formula only."""

MAX_NAMED_COMMANDS = 5

_NUMBERING = re.compile(r"\\label\s*\{[^{}]*\}|\\(?:nonumber|notag)(?![A-Za-z])")
_DEFINES = re.compile(r"\\(?:re)?newcommand(?![A-Za-z])|\\providecommand(?![A-Za-z])")
_DEFINITION = re.compile(
    r"\\(?:newcommand|def|DeclareMathOperator\*?)\s*\{?\s*(\\[A-Za-z]+)\s*\}?\s*(?:\[\d\]|#\d)*\s*"
    r"\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}"
)
_COMMAND = re.compile(r"\\[A-Za-z]+")
_UNKNOWN = re.compile(r"<mi>(\\[A-Za-z]+)</mi>")


class Formulas:
    """The formulas of one document, in their order: macros hold for the formulas after them, as with MathJax."""

    def __init__(self) -> None:
        self._macros: dict[str, str] = {}
        """Definitions by name, such as `\\R`."""
        self._failed = 0
        self._unknown: dict[str, None] = {}

    def write(self, latex: str, *, block: bool) -> str:
        """Return the HTML of a formula: MathML, or its source if it cannot be converted.

        Labels are omitted: equations have no numbers.
        """
        source = _DEFINES.sub(r"\\newcommand", _NUMBERING.sub("", latex))
        used = not self._macros.keys().isdisjoint(_COMMAND.findall(source))
        made = write_maths("".join(self._macros.values()) + source, block=block) if used else None
        made = made or write_maths(source, block=block)
        for definition in _DEFINITION.finditer(source[:MAX_CHARACTERS]):
            self._macros[definition[1]] = definition[0]
            if sum(map(len, self._macros.values())) > MAX_DEFINITIONS:
                del self._macros[definition[1]]
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


def write_maths(latex: str, *, block: bool = False) -> str | None:
    """Return MathML of a formula; None if it cannot be converted.

    Args:
        latex: The formula without dollar signs.
        block: Whether it stands on a line of its own.
    """
    from latex2mathml import converter

    source = latex.strip()
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
