r"""Formulas in Markdown of notebooks. Jupyter also finds bare environments, and formulas between `\\[` and `\\]`."""

import re

_ENVIRONMENTS = "equation|align|alignat|gather|multline|eqnarray|flalign|displaymath|math|split|aligned|gathered"
_MARKED = re.compile(
    r"^(?P<fence>[ \t]{0,3}(?:`{3,}+|~{3,}+))[^\n]*\n(?:.{0,20000}?\n)??(?P=fence)[^\n]*$"
    r"|(?<!`)(?P<ticks>`++).{1,1000}?(?<!`)(?P=ticks)(?!`)"
    r"|\$\$.{1,5000}?\$\$"
    rf"|^[ \t]*\\begin\{{(?P<name>(?:{_ENVIRONMENTS})\*?)\}}(?P<body>.{{0,5000}}?)\\end\{{(?P=name)\}}"
    r"|\\\\\[(?P<block>.{1,5000}?)\\\\\]"
    r"|\\\\\((?P<inline>[^\n]{1,2000}?)\\\\\)"
    r"|(?<![\\$\w])\$[ \t]*(?P<spaced>[^\n$]{0,500}?[\\^_=][^\n$]{0,500}?)[ \t]*\$(?![\d$])",
    re.DOTALL | re.MULTILINE,
)
"""Code and formulas. Only formulas with a named group are written otherwise. Lengths are limited for linear time."""


def mark_formulas(markdown: str) -> str:
    """Return Markdown whose formulas all stand between dollar signs."""
    if "$" not in markdown and "\\" not in markdown:
        return markdown
    return _MARKED.sub(_marked, markdown)


def _marked(match: re.Match[str]) -> str:
    if match["name"]:
        return f"\n$$\n\\begin{{{match['name']}}}{_without_blank_lines(match['body'])}\\end{{{match['name']}}}\n$$\n"
    if match["block"]:
        return f"\n$$\n{_without_blank_lines(match['block']).strip()}\n$$\n"
    if match["inline"]:
        return f"${match['inline'].strip()}$"
    if match["spaced"]:
        return f"${match['spaced'].strip()}$"
    return match[0]


def _without_blank_lines(text: str) -> str:
    return re.sub(r"\n\s*\n", "\n", text)


def formula_of(text: str) -> str:
    """Return the LaTeX of a `text/latex` output, without the dollar signs or brackets around it."""
    latex = text.strip()
    for start, end in (("$$", "$$"), ("$", "$"), ("\\[", "\\]"), ("\\(", "\\)")):
        if latex.startswith(start) and latex.endswith(end) and len(latex) > len(start) + len(end):
            return latex[len(start) : -len(end)].strip()
    return latex
