"""Formulas of notebooks: numbers, references and macros, as Jupyter shows them, and no TeX in the page."""

import re

import lxml.html
import pytest

from mediakit.results.files import FileResult
from tests.tools.documents.notebook_convert.notebooks import code, converted, markdown, shown

MATHML = "//*[local-name()='math']"


def tree_of(result: FileResult) -> lxml.html.HtmlElement:
    main: lxml.html.HtmlElement = lxml.html.document_fromstring(result.content.decode()).xpath("//main")[0]
    return main


def text_of(*cells: object) -> str:
    """Return the text of the page of Markdown cells, without spaces around formulas."""
    made = converted(*[markdown(cell) if isinstance(cell, str) else cell for cell in cells])
    return " ".join(str(tree_of(made).text_content()).split()).removeprefix("Notebook ")


@pytest.mark.parametrize(
    ("cells", "text"),
    [
        ([r"\begin{equation}F = ma \label{newton}\end{equation} by \eqref{newton}"], "F=ma(1) by (1)"),
        (
            [r"First \ref{b}, then \eqref{a}.", r"\begin{equation}p\label{a}\end{equation}", r"$$q\label{b}$$"],
            "First 2, then (1). p(1) q(2)",
        ),
        (
            [r"\begin{align}a&=b\label{r1}\\c&=d\notag\\e&=f\label{r3}\end{align} \eqref{r1}, \eqref{r3}"],
            "a=b(1)c=de=f(2) (1), (2)",
        ),
        ([r"\begin{align*}a&=b\\c&=d\tag{II}\label{two}\end{align*} see $\eqref{two}$"], "a=bc=d(II) see (II)"),
        ([r"$$x \tag*{A-1}\label{star}$$ \eqref{star} \ref{star}"], "xA-1 (A-1) A-1"),
        ([r"\begin{eqnarray}a&=&b\\c&=&d\label{old}\end{eqnarray} \ref{old}"], "a=b(1)c=d(2) 2"),
        ([r"\begin{gather}a\\b\label{g}\\\end{gather} \eqref{g}"], "a(1)b(2) (2)"),
        ([r"\begin{multline}a\\b\label{m}\end{multline} \eqref{m}"], "ab(1) (1)"),
        ([r"\begin{alignat}{2}a&=b&c&=d\label{at}\end{alignat} \eqref{at}"], "a=bc=d(1) (1)"),
        ([r"$$\begin{split}a&=b\\&=c\end{split}\label{s}$$ in $y_{\ref{s}}$"], "a=b=c(1) in y1"),
        (["> $$\n> u = v \\label{quoted}\n> $$\n>\n> by \\eqref{quoted}"], "u=v(1) by (1)"),
        ([r"$$E \tag{$\star$}\label{symbol}$$ \eqref{symbol}"], "E(⋆) (⋆)"),
        ([r"# Area \label{sec:area}", r"$$a=\pi r^2$$"], "Area a=πr2"),
        ([r"\begin{subequations}\begin{align}a&=1\end{align}\end{subequations}"], "a=1(1)"),
    ],
)
def test_equations_have_numbers_and_references_name_them(cells: list[str], text: str) -> None:
    assert text_of(*cells) == text


def test_references_are_links_to_the_number_of_their_equation() -> None:
    tree = tree_of(converted(markdown(r"By \eqref{late}"), markdown(r"\begin{align}a\\b\label{late}\end{align}")))
    link = tree.xpath("//a")[0]
    target = tree.get_element_by_id(link.get("href").removeprefix("#"))
    assert (link.text_content(), target.text_content()) == ("(2)", "(2)")


def test_reference_to_an_equation_that_is_not_there_is_shown_with_a_warning() -> None:
    result = converted(markdown(r"See \eqref{gone} and $\ref{gone}$."))
    assert "See (???) and ???." in tree_of(result).text_content()
    assert result.meta["warnings"] == [
        "2 references are to equations that the notebook does not have, and are shown as ???."
    ]


def test_formulas_that_are_shown_as_latex_are_counted() -> None:
    result = converted(markdown(r"$x \oddcommand y$, $\oddcommand$, $\left($ and $z$"))
    assert result.meta["warnings"] == [
        "1 formula could not be converted and is shown as LaTeX.",
        "2 formulas have unknown commands, which are shown as LaTeX.",
    ]


@pytest.mark.parametrize(
    ("cells", "text"),
    [
        ([r"$\newcommand{\Q}{\mathbb{Q}}$", r"$x \in \Q$"], "x∈ℚ"),
        ([r"\newcommand{\Var}[1]{\operatorname{Var}(#1)}", r"$\Var{X+\Var Y}$"], "Var(X+Var(Y))"),
        ([r"$$\def\pair#1#2{\langle #1, #2\rangle}$$ $\pair{u}v$"], "⟨u,v⟩"),
        ([r"$\newcommand{\der}[2][x]{\frac{d #2}{d #1}}$ $\der{f}$, $\der[t]{g}$"], "dfdx, dgdt"),
        ([r"$\DeclareMathOperator{\rank}{rank}$ $\rank A$"], "rankA"),
        ([r"$\let\eps\varepsilon$ $\eps$"], "ε"),
        ([r"$\newcommand\half{\frac12}$ $2^\half$ $\sqrt\half$"], "212 12"),
        ([r"$\newcommand{\a}{1}$ $\providecommand{\a}{2}\renewcommand{\b}{3}\a\b$"], "13"),
        ([r"$\newcommand{\be}{\begin{equation}}\newcommand{\ee}{\end{equation}}$ $$\be x\ee$$"], "x(1)"),
    ],
)
def test_macros_hold_in_all_later_cells(cells: list[str], text: str) -> None:
    assert text_of(*cells) == text


@pytest.mark.parametrize("definition", [r"\def\a{\a\a}", r"\def\a{\b}\def\b{\a x}", r"\def\a#1{#1#1}\def\b{\a{\a{}}}"])
def test_macros_without_an_end_are_shown_as_source(definition: str) -> None:
    uses = r"\a" + "{\\a" * 300 + "}" * 300
    result = converted(markdown(f"${definition}{uses}\\b$ and the rest"))
    assert "and the rest" in tree_of(result).text_content()
    assert result.meta["warnings"] == ["1 formula could not be converted and is shown as LaTeX."]


def test_many_uses_of_a_macro_without_an_end_are_shown_as_source() -> None:
    result = converted(markdown("$\\def\\a{x\\a}$" + " $\\a$" * 20_000 + " last"))
    assert str(tree_of(result).text_content()).rstrip().endswith("last")
    assert result.meta["warnings"] == ["20,000 formulas could not be converted and are shown as LaTeX."]


@pytest.mark.parametrize(
    ("source", "rows"),
    [
        ("| a | b |\n|---|---|\n| $\\{n : |n| > 2\\}$ | set |", [(1, "set")]),
        ("| $|u|$ | b |\n|---|---|\n| $\\|u\\|$ | $P(A|B)$ |\n| text | $|a|+|b|$ |", [(1, ""), (0, "|a|+|b|")]),
        ("| a | b |\n|---|---|\n| $$|z|$$ | display |", [(1, "display")]),
        ("> | a | b |\n> |---|---|\n> | $|q|$ | quoted |", [(1, "quoted")]),
        ("| a | b |\n|---|---|\n| $5 | $6 |", [(0, "$6")]),
    ],
)
def test_bars_in_formulas_do_not_end_cells_of_tables(source: str, rows: list[tuple[int, str]]) -> None:
    found = [row.xpath("td") for row in tree_of(converted(markdown(source))).xpath("//tbody/tr")]
    assert [len(row) for row in found] == [2] * len(rows)
    for cells, (formulas, text) in zip(found, rows, strict=True):
        assert len(cells[0].xpath(f".{MATHML}")) == formulas
        assert text in cells[1].text_content()


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("`\\eqref{a}` and ``$x|y$``", "\\eqref{a} and $x|y$"),
        ("```\n$x$ \\ref{b}\n```", "$x$ \\ref{b}"),
        ('- item\n\n    ```json\n    {"a": "$x$"}\n    ```', 'item {"a": "$x$"}'),
        ("```$a$``` is code", "$a$ is code"),
        ("text\n\n    $indented_1$", "text $indented_1$"),
        ("It costs $5 or $6, or US$ 7, or \\$8.", "It costs $5 or $6, or US$ 7, or $8."),
        ("<b title='$x$'>$y$</b>", "y"),
    ],
)
def test_code_prices_and_attributes_keep_their_dollar_signs(source: str, text: str) -> None:
    assert text_of(source) == text


@pytest.mark.parametrize(
    ("source", "formulas"),
    [("2$\\times$3", 1), ("**$a$**b and *$c$*d", 2), ("$\\text{if $x$}$", 1), ("$`a_1`$", 1), ("<p>$a|b$</p>", 1)],
)
def test_formulas_are_found_beside_digits_and_marks(source: str, formulas: int) -> None:
    tree = tree_of(converted(markdown(source)))
    assert len(tree.xpath(MATHML)) == formulas
    assert "$" not in tree.text_content()
    assert "*" not in tree.text_content()


def test_formulas_of_outputs_share_numbers_and_macros_with_the_text() -> None:
    outputs = (
        shown(text_latex="\\begin{equation}\\R\\label{out}\\end{equation}"),
        shown(text_latex="both $a$ and <i> $$b\\label{b}$$"),
        shown(text_markdown="by $|x|$ \\eqref{out}"),
        shown(text_html="<td>\\(y\\) \\eqref{b}</td><code>$z$</code> \\[text\\"),
    )
    text = text_of(r"$\newcommand{\R}{\mathbb{R}}$ \eqref{out}", code("", *outputs))
    assert text == "(1) ℝ(1)both a and <i> b(2)by |x| (1) y (2)$z$ \\[text\\"


def test_texts_of_images_and_formulas_in_html_stay() -> None:
    svg = '<svg viewBox="0 0 9 9"><text>$$x$$</text></svg><math><mi>$y$</mi></math>'
    tree = tree_of(converted(code("", shown(text_html=f"<p>a</p>{svg}"))))
    assert tree.xpath("//*[local-name()='text']")[0].text_content() == "$$x$$"
    assert [formula.text_content() for formula in tree.xpath(MATHML)] == ["$y$"]


def test_outputs_that_exclude_themselves_from_mathjax_stay() -> None:
    table = '<table class="dataframe tex2jax_ignore mathjax_ignore"><tr><td>$a$</td></tr></table>'
    tree = tree_of(converted(code("", shown(text_html=table), shown(text_html=table.replace("_ignore", "")))))
    assert [cell.text_content() for cell in tree.xpath("//td")] == ["$a$", "a"]


def test_no_placeholder_is_left_and_same_formulas_give_same_bytes() -> None:
    cells = [markdown("# On $x$\n\n![an $y$](a.png) [$z$](http://example.com/$q$ 'the $t$')\n\n<!-- $c$ -->\n\n$5")]
    first, second = (converted(*cells).content for _ in range(2))
    assert first == second
    assert b"formula" not in first.partition(b"<main")[2]


@pytest.mark.parametrize(
    "part", ["\\begin{align}", "\\\\[", "\\newcommand{\\a}{", "$ ", "$\\text{", "\\eqref{", "> $a\n"]
)
def test_many_starts_of_formulas_without_an_end_are_text(part: str) -> None:
    text = part * (50_000 // len(part)) + "last"
    assert text_of(text).endswith("last")


def test_formulas_of_a_hostile_notebook_are_text() -> None:
    sources = (
        r"$\href{javascript:alert(1)}{x} \text{<script>alert(1)</script><img src=x onerror=alert(1)>}$",
        r"$$a\tag{<img src=x onerror=alert(2)>}\label{t}$$ \eqref{t}",
        r"$$a\label{\"><script>alert(3)</script>}$$ \eqref{\"><script>alert(3)</script>}",
        r"$\newcommand{\x}{<script>alert(4)</script>}$ $\x$ <b title='$\" onclick=alert(5) x=\"$'>b</b>",
        r"$\unknown{<svg onload=alert(6)>}$ $\def\z#1{\style{position:fixed}{#1}}\z{x}$",
    )
    page = converted(*map(markdown, sources), code("", shown(text_latex=sources[0]), shown(text_html=sources[1])))
    tree = tree_of(page)
    assert not tree.xpath("//script | //img | //*[local-name()='svg']")
    for element in tree.iter():
        assert not [name for name in element.attrib if name.startswith("on") or name == "style"]
        assert not str(element.get("href", "#")).startswith("javascript")
    assert re.search(r"<a href=\"#equation-\d+\">\(&lt;img src=x", page.text)
