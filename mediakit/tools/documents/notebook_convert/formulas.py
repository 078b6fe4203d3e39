r"""Formulas of a notebook as MathML, with their macros, numbers and references, as MathJax shows them in Jupyter.

Like Jupyter, take the formulas out of Markdown before it is parsed: their bars, stars and underscores are not markup,
in tables neither. They stand between dollar signs, between `\\[` and `\\]`, between `\\(` and `\\)`, and in bare
environments.
Equations have numbers as in AMS-LaTeX: one for each row of `align`, none for `$$`, unless it has a label or a tag.
"""

import re
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from html import escape, unescape

from mediakit.engines.notebooks import formula_of
from mediakit.engines.rich_text.maths import EndlessMacroError, Macros
from mediakit.tools.documents.notebook_convert.selection import Remarks

UNKNOWN = "???"
"""What is shown for a reference to an equation that the notebook does not have."""

_ENVIRONMENTS = (
    "equation|align|alignat|gather|multline|eqnarray|flalign|displaymath|math|split|aligned|alignedat|gathered"
    "|cases|array|smallmatrix|[bBpvV]?matrix"
)
_TEXT_COMMAND = r"(?:text(?:rm|normal)?|mbox|hbox)\{"
_TEXT_IN_FORMULA = rf"\\{_TEXT_COMMAND}(?:[^{{}}\n]|\{{[^{{}}\n]{{0,200}}\}}){{0,500}}\}}"
_PRICE = r"\d[^\s$\\^_=<>+*/{}|]*\s[^$\\^_=<>+*/{}|]{0,200}\$"
_FENCED_CODE = (
    r"^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(?P<fence>`{3,}+(?=[^`\n]*$)|~{3,}+)[^\n]*\n"
    r"(?:.{0,20000}?\n)??(?:[ \t>]*(?P=fence)[^\n]*$|\Z)"
)
_CODE_IN_TEXT = r"(?<!`)(?P<ticks>`++).{1,1000}?(?<!`)(?P=ticks)(?!`)"
_INLINE = (
    r"(?<![\\$\d])\$(?P<inline>`[^$`\n]{1,2000}`|"
    rf"(?![\s$]|{_PRICE})(?:{_TEXT_IN_FORMULA}|(?!\n\s*\n)[^$\\`]|\\(?!{_TEXT_COMMAND}).){{1,2000}}?)(?<!\s)\$(?![\d$])"
)
"""Between dollar signs without spaces inside of them. A text inside of the formula may have formulas in it."""
_FORMULAS = (
    r"(?<!\\)\$\$(?P<double>(?:(?!\n[ \t]*\n|\$\$).){1,5000})\$\$",
    rf"(?P<environment>\\begin\{{(?P<name>(?:{_ENVIRONMENTS})\*?)\}}.{{0,5000}}?\\end\{{(?P=name)\}})",
    r"\\\\\[(?P<block>(?:(?!\\\\\[).){1,5000}?)\\\\\]",
    r"\\\\\((?P<bracket>[^\n]{1,2000}?)\\\\\)",
    _INLINE,
    # with spaces inside of them, if something of TeX is there, too
    r"(?<![\\$\w])\$(?=[^\n$]{0,500}[\\^_=])[ \t]*(?P<spaced>[^\n$]{1,1000}?)[ \t]*\$(?![\d$])",
    # beside digits, if there is a command
    r"(?<![\\$])\$(?=[^\n$`]{0,500}\\[A-Za-z])(?P<command>[^\s$`][^\n$`]{1,1000})\$(?!\$)",
    # outside of dollar signs
    r"(?P<reference>\\(?:eq)?ref\{[^{}$\n]{1,200}\})",
    r"^[ \t]*(?P<macro>\\(?:(?:re)?newcommand|def|DeclareMathOperator)\b[^\n]{1,2000})$",
    r"(?P<invisible>\\label\{[^{}$\n]{1,200}\}|\\(?:begin|end)\{subequations\})",
    r"(?<!\\)(?P<dollar>\$)",
)
_MARKED = re.compile("|".join((_FENCED_CODE, _CODE_IN_TEXT, *_FORMULAS)), re.DOTALL | re.MULTILINE)
"""Code, which stays as it is, formulas, and other dollar signs. Lengths are limited for linear time."""
_BLANK_LINES = re.compile(r"\n\s*\n")
_QUOTE_MARK = re.compile(r"\n[ \t]*>[> \t]*")
_HTML_TOKEN = re.compile(r'<(?P<end>/?)(?P<name>[a-zA-Z][\w-]*)(?:[^>"]|"[^"]*")*>')

_ROW_TOKEN = re.compile(
    r"(?P<row>\\\\\*?(?:[ \t]*\[[^\]\n]{0,20}\])?)|(?P<open>\\begin\b|\{)|(?P<close>\\end\b|\})|(?P<cell>&)|\\."
)
_WHOLE = re.compile(r"\s*\\begin\{(?P<name>[a-z]+)(?P<star>\*?)\}(?P<body>.*)\\end\{(?P=name)(?P=star)\}\s*", re.DOTALL)
_LABEL = re.compile(r"\\label\s*\{([^{}]*)\}")
_TAG = re.compile(r"\\tag\s*(\*?)\s*\{((?:[^{}]|\{[^{}]*\})*)\}")
_NOT_NUMBERED = re.compile(r"\\(?:nonumber|notag)(?![A-Za-z])")
_IGNORED = re.compile(
    r"\\require\s*\{[^{}]*\}|\\(?:begin|end)\{subequations\}|\\(?:allowbreak|displaybreak)(?![A-Za-z])"
)
_TEXT_WITH_FORMULA = re.compile(
    r"\\(?:text(?:rm|normal)?|mbox|hbox)\{((?:[^{}$]*\$(?:[^{}$]|\{[^{}$]*\})*\$)+[^{}$]*)\}"
)
_REFERENCE = re.compile(r"\\(?P<kind>eqref|ref)\s*\{(?P<label>[^{}]*)\}")
_UNKNOWN_COMMAND = re.compile(r"<mi>\\[A-Za-z]")
_TABLE_TOKEN = re.compile(r"<(?P<end>/?)(?P<name>mtable|mtr)\b[^>]*>")

KEPT = ("code", "pre", "svg", "math")
"""Elements whose text stays as it is. HTML inside of the last two would end them, and what follows was not cleaned for
this."""

ONE_NUMBER = frozenset(("equation", "multline"))
NUMBER_A_ROW = frozenset(("align", "alignat", "flalign", "gather", "eqnarray"))


@dataclass
class _Formula:
    """A formula of the page."""

    source: str
    """As the notebook has it, with its dollar signs."""
    latex: str
    block: bool
    """Whether it stands on a line of its own."""
    numbers: Sequence[str] = ()
    """What is shown beside its rows; empty for a row without a number."""
    anchor: int = 0
    """Number of its first anchor."""
    has_rows: bool = False
    """Whether it is an environment with a number for each row."""
    failed: bool = False

    @property
    def is_shown(self) -> bool:
        """Whether anything is left of it: not of definitions of macros."""
        return self.failed or bool(self.latex)


@dataclass
class Formulas:
    """The formulas of one notebook. Take them out of all its parts in order, then put all of them into the page."""

    remarks: Remarks
    macros: Macros = field(default_factory=Macros)
    _formulas: list[_Formula] = field(default_factory=list)
    _labels: dict[str, tuple[str, int]] = field(default_factory=dict)
    """The number of an equation and of its anchor, by its label."""
    _count: int = 0
    _anchors: int = 0
    _mark: str = field(default_factory=lambda: f"formula{secrets.token_hex(8)}n")
    """Start of a placeholder, which no notebook can have."""

    def take_out(self, markdown: str) -> str:
        """Return Markdown whose formulas are placeholders."""
        if "$" not in markdown and "\\" not in markdown:
            return markdown

        def replace(match: re.Match[str]) -> str:
            kind = match.lastgroup or ""
            if kind in ("fence", "ticks"):
                return match[0]
            latex = match[kind].strip("`") if kind == "inline" else match[kind]
            start = markdown.rfind("\n", 0, match.start()) + 1
            if markdown[start : match.start()].lstrip().startswith(">"):
                latex = _QUOTE_MARK.sub("\n", latex)
            return self._add(match[0], latex, block=kind in ("double", "environment", "block"))

        return _MARKED.sub(replace, markdown)

    def take_out_of_html(self, html: str) -> str:
        """Return clean HTML whose formulas are placeholders, but for those in code and images.

        Outputs with a class that excludes them from MathJax, as pandas writes it, stay as they are.
        """
        if ("$" not in html and "\\" not in html) or "mathjax_ignore" in html:
            return html

        def take_out(text: str) -> str:
            doubled = re.sub(r"\\(?=[][()])", r"\\\\", unescape(text))  # as Markdown has them
            return escape(re.sub(r"\\\\(?=[][()])", r"\\", self.take_out(doubled)), quote=False)

        return _map_html(html, text=take_out)

    def add(self, latex: str) -> str:
        """Return the HTML of a `text/latex` output with placeholders: a formula, or a text with formulas."""
        formula = formula_of(latex)
        if re.search(r"(?<!\\)\$", formula):
            return escape(self.take_out(latex.strip()), quote=False)
        return self._add(latex, formula, block=True)

    def _add(self, source: str, latex: str, *, block: bool) -> str:
        formula = _Formula(source, _BLANK_LINES.sub("\n", latex).strip(), block)
        try:
            self._prepare(formula)
        except EndlessMacroError:
            formula.failed = True
        self._formulas.append(formula)
        return f"{self._mark}{len(self._formulas) - 1}n"

    def _prepare(self, formula: _Formula) -> None:
        """Replace macros, and take labels and tags out of a formula."""
        latex = _IGNORED.sub("", self.macros.expand(formula.latex))
        latex = _TEXT_WITH_FORMULA.sub(_divide_text, latex)
        whole = _WHOLE.fullmatch(latex)
        name = whole["name"] if whole else ""
        has_number = name in ONE_NUMBER | NUMBER_A_ROW and not (whole and whole["star"])
        may_have_number = formula.block and name not in ONE_NUMBER | NUMBER_A_ROW
        rows = [latex]
        if whole and name in NUMBER_A_ROW:
            formula.has_rows = True
            rows = _rows(whole["body"], name)
        formula.anchor = self._anchors + 1
        formula.numbers = [self._number(row, has_number=has_number, may_have_number=may_have_number) for row in rows]
        rows = [_NOT_NUMBERED.sub("", _TAG.sub("", _LABEL.sub("", row))) for row in rows]
        body = " \\\\ ".join(rows).strip()
        formula.latex = f"\\begin{{{name}}}{body}\\end{{{name}}}" if formula.has_rows else body

    def _number(self, row: str, *, has_number: bool, may_have_number: bool) -> str:
        """Return what is shown beside a row, and remember its labels.

        Args:
            row: LaTeX of the row.
            has_number: Whether its environment has numbers.
            may_have_number: Whether it has a number if it has a label.
        """
        labels, tag = _LABEL.findall(row), _TAG.search(row)
        self._anchors += 1
        if tag:
            number = _plain(tag[2])
        elif not _NOT_NUMBERED.search(row) and (has_number or (may_have_number and labels)):
            self._count += 1
            number = f"{self._count}"
        else:
            return ""
        for label in labels:
            self._labels.setdefault(label.strip(), (number, self._anchors))
        return number if tag and tag[1] else f"({number})"

    def show_source(self, html: str) -> str:
        """Return clean HTML in which the placeholders inside of tags and code are the sources of their formulas."""
        if self._mark not in html:
            return html

        def show(html: str) -> str:
            return self._replaced(html, lambda formula: escape(formula.source))

        return _map_html(html, tag=show, kept=show)

    def put_into(self, page: str) -> str:
        """Return HTML whose placeholders are formulas, without the paragraphs that only define macros."""
        placeholder = rf"{self._mark}(\d+)n"

        def without_definitions(paragraph: re.Match[str]) -> str:
            numbers = map(int, re.findall(placeholder, paragraph[0]))
            return paragraph[0] if any(self._formulas[number].is_shown for number in numbers) else ""

        page = re.sub(rf"<p>\s*(?:{placeholder}\s*)+</p>\n?", without_definitions, page)
        return self._replaced(page, self._html)

    def _replaced(self, html: str, write: Callable[[_Formula], str]) -> str:
        return re.sub(rf"{self._mark}(\d+)n", lambda match: write(self._formulas[int(match[1])]), html)

    def _html(self, formula: _Formula) -> str:
        from mediakit.engines.rich_text.cleaning import clean_html
        from mediakit.engines.rich_text.maths import maths_source, write_maths

        if not formula.is_shown or formula.latex == "$":  # it defined macros, or is the sign of a currency
            return formula.latex
        if reference := _REFERENCE.fullmatch(formula.latex):
            text, anchor = self._reference(reference)
            return f'<a href="#equation-{anchor}">{escape(text)}</a>' if anchor else text
        latex = _REFERENCE.sub(lambda match: f"\\text{{{self._reference(match)[0]}}}", formula.latex)
        made = None if formula.failed else write_maths(latex, block=formula.block)
        if made is None:
            self.remarks.add("formula")
            return maths_source(formula_of(formula.source), block=formula.block)
        made = clean_html(made)
        if _UNKNOWN_COMMAND.search(made):
            self.remarks.add("command")
        if any(formula.numbers) and "</math>" in made:
            made = _numbered(made, formula)
        return f'<span class="math">{made}</span>' if formula.block else made

    def _reference(self, match: re.Match[str]) -> tuple[str, int]:
        """Return the text of a reference, and the number of its anchor; 0 if there is no such equation."""
        number, anchor = self._labels.get(match["label"].strip(), (UNKNOWN, 0))
        if not anchor:
            self.remarks.add("reference")
        return f"({number})" if match["kind"] == "eqref" else number, anchor


def _map_html(
    html: str, *, tag: Callable[[str], str] = str, kept: Callable[[str], str] = str, text: Callable[[str], str] = str
) -> str:
    """Return clean HTML whose tags, texts of elements in `KEPT`, and other texts are what functions return for them."""
    parts, position, depth = [], 0, 0
    for token in _HTML_TOKEN.finditer(html):
        parts += [(kept if depth else text)(html[position : token.start()]), tag(token[0])]
        position = token.end()
        if token["name"].lower() in KEPT:
            depth += -1 if token["end"] else 1
    return "".join((*parts, (kept if depth else text)(html[position:])))


def _rows(body: str, name: str) -> list[str]:
    """Return the rows of an environment, all with the same number of cells."""
    rows: list[list[str]] = [[]]
    body = re.sub(r"\A\s*\{\d+\}", "", body) if name == "alignat" else body
    depth = start = 0
    for token in _ROW_TOKEN.finditer(body):
        depth += bool(token["open"]) - bool(token["close"])
        if depth == 0 and (token["row"] or token["cell"]):
            rows[-1].append(body[start : token.start()])
            start = token.end()
            if token["row"]:
                rows.append([])
    rows[-1].append(body[start:])
    if len(rows) > 1 and not "".join(rows[-1]).strip():
        rows.pop()
    if name == "eqnarray":  # the columns of the sign of relation and of the right side become one
        rows = [[cells[0], "".join(cells[1:])] for cells in rows]
    width = max(map(len, rows))
    return ["&".join(cells + [""] * (width - len(cells))) for cells in rows]


def _divide_text(match: re.Match[str]) -> str:
    """Return a text in a formula, and the formulas in this text, one after the other."""
    parts = enumerate(match[1].split("$"))
    return "".join(part if number % 2 else f"\\text{{{part}}}" for number, part in parts if part)


def _plain(tag: str) -> str:
    """Return the text of a tag, which may have formulas in it."""
    from mediakit.engines.rich_text.maths import write_maths

    latex = tag.replace("$", "").strip()
    made = write_maths(latex) if "\\" in latex else None
    return unescape(re.sub(r"<[^>]*>", "", made)) if made else latex


def _numbered(mathml: str, formula: _Formula) -> str:
    """Return MathML with the numbers of its rows at the right margin."""
    start, end = mathml.index(">") + 1, mathml.rindex("</math>")
    inner = mathml[start:end]
    if not formula.has_rows:
        inner = f'<mtable displaystyle="true"><mtr><mtd>{inner}</mtd></mtr></mtable>'
    parts, position, depth, row = [], 0, 0, 0
    for token in _TABLE_TOKEN.finditer(inner):
        parts.append(inner[position : token.start()])
        position = token.end()
        depth += (-1 if token["end"] else 1) if token["name"] == "mtable" else 0
        tag = token[0]
        if depth == 1 and token["name"] == "mtable" and not token["end"]:
            tag = f'{tag[:-1]} class="numbered">'
        elif depth == 1 and token["name"] == "mtr" and not token["end"]:
            tag = f'{tag}<mtd class="margin"></mtd>'
        elif depth == 1 and token["name"] == "mtr":
            number = formula.numbers[row] if row < len(formula.numbers) else ""
            anchor = f' id="equation-{formula.anchor + row}"' if number else ""
            text = f"<mtext>{escape(number)}</mtext>" if number else ""
            tag = f'<mtd class="margin number"{anchor}>{text}</mtd>{tag}'
            row += 1
        parts.append(tag)
    return f"{mathml[:start]}{''.join(parts)}{inner[position:]}{mathml[end:]}"
