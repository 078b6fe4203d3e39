"""LaTeX formulas as MathML, which browsers render without scripts."""

import re
from html import escape

from mediakit.engines.rich_text.macros import EndlessMacroError, Macros

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
