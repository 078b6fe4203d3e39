"""LaTeX formulas as MathML, which browsers render without scripts."""

from html import escape

MAX_CHARACTERS = 5000
"""A longer formula is shown as its source."""


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
