"""Rendered Markdown: highlighted code, formulas, tables, lists and footnotes as elements."""

import pytest
from lxml import html

from mediakit.engines.rich_text.markdown import parse_markdown
from mediakit.engines.rich_text.rendering import (
    RenderOptions,
    highlight,
    highlight_css,
    render,
    render_markdown,
    token_styles,
)


def parsed(markdown: str) -> html.HtmlElement:
    return html.fragment_fromstring(render_markdown(markdown), "div")


@pytest.mark.parametrize("info", ["python", "PYTHON title=x", "{.python}", "py"])
def test_code_is_highlighted_and_keeps_its_text(info: str) -> None:
    code = parsed(f"```{info}\ndef f():\n    return '<&>'\n\n```\n").find("pre/code")

    assert code is not None
    assert code.text_content() == "def f():\n    return '<&>'\n\n"
    assert [span.text for span in code.findall("span") if span.get("class") == "k"] == ["def", "return"]


@pytest.mark.parametrize("info", ["", "text", "no-such-language", "../../x", "<b>"])
def test_code_of_unknown_language_stays_plain(info: str) -> None:
    code = parsed(f"```{info}\na <b>\n```\n").find("pre/code")

    assert code is not None
    assert (code.text_content(), len(code)) == ("a <b>\n", 0)


def test_every_color_of_code_has_a_rule() -> None:
    css = highlight_css("pre")

    assert all(f"pre .{name}" in css for name in token_styles())


def test_highlighted_code_of_any_language_keeps_its_text() -> None:
    code = '\n\n  # x\n\tif (a < 1) { return "b" } \' end\n'

    for language in ("python", "js", "html", "sql", "bash", "json", "yaml", "c++", "diff", "rust", "tex"):
        made = html.fragment_fromstring(f"<pre><code>{highlight(code, language)}</code></pre>")
        assert made.text_content() == code, language


@pytest.mark.parametrize("formula", ["$a^2$", "$$a^2$$", "$`a^2`$", "$$\na^2\n$$", "```math\na^2\n```"])
def test_formulas_become_mathml(formula: str) -> None:
    sup = parsed(f"{formula}\n").find(".//msup")

    assert sup is not None
    assert [child.tag for child in sup] == ["mi", "mn"]


@pytest.mark.parametrize("latex", ["\\frac{a", "{" * 3000, "\\begin{x}", "a" * 6000, "\\left("])
def test_formula_that_cannot_be_converted_stays_as_its_source(latex: str) -> None:
    rendered = render(parse_markdown(f"$${latex}$$\n"), RenderOptions())

    if "<math" not in rendered.html:
        assert html.fromstring(rendered.html).text_content().strip() == f"$${latex}$$"
        assert rendered.warnings == ["1 formula could not be converted and is shown as LaTeX."]


@pytest.mark.parametrize(
    ("row", "formulas", "text"),
    [
        ("| $|v|$ | speed |", 1, "speed"),
        ("$P(A|B)$ | given B", 1, "given B"),
        ("| $`|z|`$ | $$|a| + |b|$$ |", 2, ""),
        (r"| $\|v\|$ | escaped |", 1, "escaped"),
        ("| $5 | $6 |", 0, "$6"),
        ("| $a|$b |", 0, "$b"),
        ("| `$a` | b | omitted |", 0, "b"),
    ],
)
@pytest.mark.parametrize("before", ["", "> ", "1. "])
def test_bars_in_formulas_do_not_end_cells(row: str, formulas: int, text: str, before: str) -> None:
    indent = ">" if before == "> " else " " * len(before)
    page = parsed(f"{before}| A | B |\n{indent}|---|---|\n{indent}{row}\n")

    cells = page.findall(".//tbody/tr/td")
    assert len(cells) == 2
    assert len(page.findall(".//td//math")) == formulas
    assert text in (cells[1].text or "")


def test_formula_with_bars_names_a_column() -> None:
    page = parsed("| $|v|$ | unit |\n|---|---|\n| 1 | m/s |\n")

    assert [len(page.findall(f".//{path}")) for path in ("th", "th//math", "td")] == [2, 1, 2]


def test_code_and_text_around_tables_keep_their_bars() -> None:
    code = "| a | b |\n|---|---|\n| $|v|$ | c |\n"
    page = parsed(f"```\n{code}```\n\nLast $|v|$ line\n---|---\n")

    assert page.findtext("pre/code") == code
    assert "Last" in page.text_content()


@pytest.mark.parametrize(
    "definition",
    [
        r"\newcommand{\set}{\mathbb{N}}",
        r"\newcommand\set{\mathbb N}",
        r"\providecommand{\set}{\mathbb{N}}",
        r"\def\set{\mathbb N}",
    ],
)
def test_macro_of_a_formula_holds_for_the_formulas_after_it(definition: str) -> None:
    rendered = render(parse_markdown(f"$${definition}$$\n\nIn $n \\in \\set$ and $m$.\n"), RenderOptions())

    text = html.fragment_fromstring(rendered.html, "div").text_content()
    assert "ℕ" in text or "double-struck" in rendered.html
    assert "set" not in text
    assert rendered.warnings == []


def test_macro_with_a_parameter_can_be_defined_again() -> None:
    page = parsed("$\\newcommand{\\of}[1]{#1^2} \\of{a}$ $\\of{b}$ $\\renewcommand{\\of}[1]{#1_2} \\of{c}$ $\\of{d}$")

    assert [len(page.findall(f".//{tag}")) for tag in ("msup", "msub")] == [2, 2]


def test_labels_of_equations_are_not_printed() -> None:
    rendered = render(parse_markdown("$$a = b \\label{eq:ab} \\nonumber$$\n"), RenderOptions())

    assert html.fragment_fromstring(rendered.html, "div").text_content().strip() == "a=b"
    assert rendered.warnings == []


def test_unknown_commands_of_formulas_are_named() -> None:
    rendered = render(parse_markdown(r"$\fooled x$ and $\barred$ and $\fooled$ and $\alpha$"), RenderOptions())

    assert rendered.warnings == [r"Unknown commands of formulas are shown as LaTeX: \fooled, \barred."]


def test_macros_that_call_themselves_end() -> None:
    rendered = render(parse_markdown("$\\newcommand{\\loop}{x\\loop\\loop}$ $\\loop$ $y$\n"), RenderOptions())

    assert "<math" in rendered.html
    assert rendered.warnings


def test_prices_are_not_formulas() -> None:
    assert parsed("It costs $5, or $10 with tea.").find(".//math") is None


def test_table_cells_are_aligned_without_styles() -> None:
    cells = parsed("|a|b|c|\n|:-|:-:|-:|\n|1|2|3|\n").findall(".//td")

    assert [cell.get("align") for cell in cells] == ["left", "center", "right"]


def test_footnotes_link_in_both_directions() -> None:
    page = parsed("Text[^a] and[^a].\n\n[^a]: Note\n")

    targets = {str(link.get("href")).removeprefix("#") for link in page.iter("a")}
    assert targets <= {str(element.get("id")) for element in page.iter() if element.get("id")}
    assert len(targets) == 3


def test_alerts_lists_and_definitions_have_their_elements() -> None:
    page = parsed("> [!TIP]\n> Rest\n\n- [ ] a\n  1. b\n\nTerm\n: What it is\n")

    assert [each.text for each in page.find_class("markdown-alert-title")] == ["Tip"]
    assert page.xpath("count(//ul/li/ol/li)") == 1
    assert [page.findtext(".//dt"), page.findtext(".//dd")] == ["Term", "What it is"]


def test_numbers_of_headings_are_written_if_requested() -> None:
    document = parse_markdown("# T\n\n## A\n\n### B\n")
    page = html.fragment_fromstring(render(document, RenderOptions(numbered=True)).html, "div")

    assert [" ".join(page.find(f".//{tag}").text_content().split()) for tag in ("h1", "h2", "h3")] == [  # type: ignore[union-attr]
        "T",
        "1 A",
        "1.1 B",
    ]
