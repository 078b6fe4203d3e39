"""HTML to Markdown: the rendered Markdown has the same text and structure as the HTML."""

import re
from html import escape

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lxml import html
from markdown_it import MarkdownIt

from mediakit.engines.markdown.blocks import join_blocks, truncate
from mediakit.engines.markdown.html.elements import MarkdownOptions
from mediakit.engines.markdown.html.parser import body_of, parse_html
from mediakit.engines.markdown.html.writer import write_blocks

RENDERER = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def markdown(source: str, **options: object) -> str:
    blocks = write_blocks(body_of(parse_html(source)), MarkdownOptions(**options))  # type: ignore[arg-type]  # untyped
    return join_blocks(blocks)


def plain(source: str) -> str:
    return markdown(source, plain=True)


def rendered(source: str, **options: object) -> str:
    """Return the rendered Markdown of some HTML, without white space between blocks."""
    return re.sub(r">\s+<", "><", RENDERER.render(markdown(source, **options))).strip()


def words(source: str) -> str:
    return " ".join(html.fragment_fromstring(source, create_parent="div").text_content().split())


@pytest.mark.parametrize(
    "source",
    [
        "<h1>One</h1><h2>Two</h2><p>Text.</p>",
        "<p>Some <em>emphasis</em>, some <strong>strength</strong>, <s>gone</s>.</p>",
        "<p><strong><em>both</em></strong></p>",
        "<p><em>a</em> <strong>b</strong> in<em>tra</em>word</p>",
        "<ul><li>one<ul><li>inner<ul><li>innermost</li></ul></li></ul></li><li>two</li></ul>",
        '<ol start="7"><li>seven</li><li>eight</li></ol>',
        "<ul><li>first list</li></ul><ul><li>second list</li></ul>",
        "<blockquote><p>quoted</p><blockquote><p>twice</p></blockquote></blockquote>",
        '<pre><code class="language-python">def f():\n    return "```"\n</code></pre>',
        "<p>Use <code>a `tick` here</code>.</p>",
        '<p><a href="https://example.com/a%20(b)" title="A &quot;title&quot;">link</a></p>',
        "<p>one<br />\ntwo</p>",
        "<hr /><p>after</p>",
        "<ul><li><hr /></li></ul>",
        "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>",
    ],
)
def test_rendered_markdown_equals_the_html(source: str) -> None:
    def canonical(text: str) -> str:
        return re.sub(r"\s*(<[^>]+>)\s*", r"\1", text.replace("&quot;", '"')).strip()

    assert canonical(rendered(source)) == canonical(source)


@settings(max_examples=150, deadline=None)
@given(st.text(st.sampled_from("ab 1.*_`~[]()<>!#&;|\\-+=:\"'$é世\n"), min_size=1, max_size=24))
@example("1. one")
@example("* * *")
@example("[a](b)")
@example("&amp;")
@example("a\\")
def test_text_is_escaped_where_it_is_markdown_syntax(text: str) -> None:
    assert words(rendered(f"<p>{escape(text)}</p>")) == " ".join(text.split())
    assert words(rendered(f"<p><b>{escape(text)}</b>x</p>")) == words(f"<p><b>{escape(text)}</b>x</p>")
    table = f"<table><tr><th>h</th><th>i</th></tr><tr><td>{escape(text)}</td><td>z</td></tr></table>"
    assert words(rendered(table)).replace(" ", "") == f"hi{''.join(text.split())}z"


@pytest.mark.parametrize(
    "text", ["2 * 3 * 4 = 24", "snake_case_name", "1.5 - 2", "#hashtag", "a < b", "AT&T", "C:\\dir", "[sic]", "wow!"]
)
def test_text_without_markdown_syntax_is_not_escaped(text: str) -> None:
    assert markdown(f"<p>{escape(text)}</p>").replace("\\*", "*") == text


def test_pipes_in_cells_are_escaped() -> None:
    assert (
        markdown("<table><tr><th>a|b</th><th><code>c|d</code></th></tr></table>").splitlines()[0]
        == r"| a\|b | `c\|d` |"
    )


def test_merged_cells_keep_their_columns() -> None:
    source = (
        "<table><tr><th colspan=2>wide</th><th>x</th></tr><tr><td "
        "rowspan=2>tall</td><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table>"
    )
    assert markdown(source).splitlines() == [
        "| wide |  | x |",
        "| --- | --- | --- |",
        "| tall | 1 | 2 |",
        "|  | 3 | 4 |",
    ]


def test_header_cells_outside_of_a_row_are_the_header() -> None:
    source = "<table><thead><th>Tea</th><th>Price</th></thead><tbody><tr><td>Green</td><td>4</td></tr></tbody></table>"
    assert markdown(source) == "| Tea | Price |\n| --- | --- |\n| Green | 4 |"


def test_images_of_formulas_become_tex() -> None:
    source = r'<p>Let <img class="latex" src="https://s0.wp.com/latex.php?latex=x" alt="\lambda_1"> be positive.</p>'
    assert markdown(source) == r"Let $\lambda_1$ be positive."


def test_empty_columns_are_removed() -> None:
    source = "<table><tr><th>a</th><th></th><th>b</th></tr><tr><td>1</td><td>&nbsp;</td><td>2</td></tr></table>"
    assert markdown(source) == "| a | b |\n| --- | --- |\n| 1 | 2 |"


def test_layout_table_becomes_its_contents() -> None:
    assert (
        markdown("<table><tr><td><h2>Left</h2><p>text</p></td><td><p>right</p></td></tr></table>")
        == "## Left\n\ntext\n\nright"
    )


@pytest.mark.parametrize(
    "wrapper",
    [
        "<pre class='brush: python'>{}</pre>",
        "<div class='highlight highlight-source-python'><pre>{}</pre></div>",
        "<pre><code class='lang-python hljs'>{}</code></pre>",
        "<figure data-language='python'><pre>{}</pre></figure>",
        (
            "<div class='language-python'><table><tr><td "
            "class='gutter'><pre>1</pre></td><td><pre>{}</pre></td></tr></table></div>"
        ),
    ],
)
def test_code_block_has_language_of_its_attributes(wrapper: str) -> None:
    assert "```python\nx = 1\n```" in markdown(wrapper.format("x = 1"))


def test_inline_line_numbers_are_removed_from_code() -> None:
    source = "<pre><span class='lineno'>1</span>a = 1\n<span class='lineno'>2</span>b = 2</pre>"
    assert markdown(source) == "```\na = 1\nb = 2\n```"


def test_separate_block_of_line_numbers_is_removed() -> None:
    source = """<table><tr><td><pre><code><span class=lnt>1
</span><span class=lnt>2
</span></code></pre><td><pre><code class=language-c>a
b</code></pre></table>"""
    assert markdown(source) == "```c\na\nb\n```"


def test_adjacent_code_spans_stay_separate() -> None:
    assert markdown("<p><code>a</code><code>b</code><b><code>c</code></b></p>") == "`a` `b`**`c`**"


def test_checkboxes_become_task_list_items() -> None:
    source = "<ul><li><input type=checkbox checked> done<li><label><input type=checkbox> open</label></ul>"
    assert markdown(source) == "- [x] done\n- [ ] open"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            '<math><semantics><mi>x</mi><annotation encoding="application/x-tex">x^2</annotation></semantics></math>',
            "$x^2$",
        ),
        (
            (
                "<span class=katex><span class=katex-mathml><math><semantics><mi>y</mi><annotation "
                "encoding='application/x-tex'>\\frac{a}{b}</annotation></semantics></math></span><span "
                "class=katex-html aria-hidden=true>ab</span></span>"
            ),
            r"$\frac{a}{b}$",
        ),
        ('<span class="MathJax">E</span><script type="math/tex; mode=display">E=mc^2</script>', "$$E=mc^2$$"),
        ("<math><mfrac><mi>a</mi><msqrt><mi>b</mi></msqrt></mfrac></math>", r"$\frac{a}{\sqrt{b}}$"),
        (
            (
                '<span class="mwe-math-element"><math alttext="{\\displaystyle n!}"><mi>n</mi></math><img '
                'class="mwe-math-fallback-image-inline" alt="n!"></span>'
            ),
            "$n!$",
        ),
    ],
)
def test_formulas_become_tex(source: str, expected: str) -> None:
    assert markdown(f"<p>{source}</p>", include_images=True) == expected


def test_footnotes_become_github_footnotes() -> None:
    source = (
        '<p>Text<sup><a href="#fn1">1</a></sup>.</p><section class="footnotes"><ol><li id="fn1"><p>The note. '
        '<a href="#fnref1">↩</a></p></li></ol></section>'
    )
    assert markdown(source) == "Text[^1].\n\n[^1]: The note."


def test_footnotes_of_a_block_editor_become_github_footnotes() -> None:
    source = (
        '<p>Text<sup class="fn"><a href="#a1b2-c3">1</a></sup>.</p><ol class="wp-block-footnotes"><li id="a1b2-c3">'
        'The note. <a href="#a1b2-c3-link">↩</a></li></ol>'
    )
    assert markdown(source) == "Text[^1].\n\n[^1]: The note."


def test_numbered_notes_are_footnotes_without_a_class_name() -> None:
    source = (
        '<p>Tea<sup><a href="#fn1" id="r1">1</a></sup> is ready.</p><hr><ol>'
        '<li id="fn1">Black tea. <a href="#r1">↩</a></li></ol>'
    )
    assert markdown(source) == "Tea[^1] is ready.\n\n---\n\n[^1]: Black tea."


def test_references_without_a_class_name_stay_a_list() -> None:
    source = '<p>Tea<sup><a href="#cite_note-1">[1]</a></sup></p><ol><li id="cite_note-1">Tea, 2020.</li></ol>'
    assert "1. Tea, 2020." in markdown(source)


def test_steps_that_the_text_links_to_stay_a_list() -> None:
    source = '<p>Go to <a href="#note1">the first step</a>.</p><ol><li id="note1">Boil water.</li></ol>'
    assert "1. Boil water." in markdown(source)


def test_definition_list_has_definitions_below_terms() -> None:
    assert markdown("<dl><dt>Tea</dt><dd>Leaves.</dd><dd>A meal.</dd><dt>Cup</dt><dd>Vessel.</dd></dl>") == (
        "Tea\n: Leaves.\n: A meal.\n\nCup\n: Vessel."
    )


def test_lazy_image_has_its_final_address() -> None:
    source = '<p><img src="data:image/gif;base64,R0" data-src="/big.jpg" alt="A [cat]"></p>'
    assert (
        markdown(source, include_images=True, base_url="https://example.com/")
        == r"![A \[cat\]](https://example.com/big.jpg)"
    )
    assert markdown('<img srcset="a.jpg 1x, b.jpg 2x" alt="">', include_images=True) == "![](b.jpg)"
    assert markdown('<img src="a.jpg%201x,%20b.jpg%202x" alt="">', include_images=True) == "![](b.jpg)"


def test_hidden_elements_are_omitted() -> None:
    assert markdown("<p>seen</p><p hidden>a</p><div style='color:red; DISPLAY : none'>b</div>") == "seen"


@pytest.mark.parametrize("address", ["javascript:alert(1)", " java\nscript:alert(1)", "data:text/html,x", "vbscript:x"])
def test_link_with_blocked_scheme_becomes_text(address: str) -> None:
    assert markdown(f'<p><a href="{address}">text</a></p>') == "text"


def test_link_around_blocks_is_written_on_the_heading() -> None:
    assert (
        markdown('<a href="/x"><div><p>Kicker</p><h3>Title</h3><p>Words</p></div></a>')
        == "Kicker\n\n### [Title](/x)\n\nWords"
    )


def test_plain_text_has_no_markup() -> None:
    source = (
        "<h1>Title</h1><p>Some <b>bold</b> <a href='/x'>link</a>, 10<sup>6</sup> H<sub>2</sub>O.</p>"
        "<ul><li>one<ol><li>two</li></ol></li></ul><table><tr><th>Name</th><th>Age</th></tr><tr><td>Ada</td><td>36</td></tr></table>"
    )
    assert plain(source) == "Title\n\nSome bold link, 10⁶ H₂O.\n\n- one\n  1. two\n\nName  Age\nAda   36"


def test_plain_text_table_aligns_wide_characters() -> None:
    assert plain("<table><tr><th>品名</th><th>x</th></tr><tr><td>a</td><td>y</td></tr></table>") == "品名  x\na     y"


@pytest.mark.parametrize("max_chars", range(5, 120, 7))
def test_truncation_keeps_whole_blocks(max_chars: int) -> None:
    source = (
        "<p>First paragraph with words.</p><p>See <a href='https://example.com/long/address'>the link</a> here.</p>"
        "<pre>a\nb\nc</pre><table><tr><th>h</th><th>i</th></tr><tr><td>1</td><td>2</td></tr></table><ul><li>x<li>y</ul>"
    )
    blocks = write_blocks(body_of(parse_html(source)), MarkdownOptions())
    whole, _ = truncate(blocks, 10_000)
    text, truncated = truncate(blocks, max_chars)
    assert len(text) <= max_chars
    assert truncated == (len(whole) > max_chars)
    assert text.count("```") % 2 == 0
    assert text.count("](") == text.count("address)")
    assert whole.startswith(text)


def test_long_paragraph_is_truncated_after_a_sentence() -> None:
    text, truncated = truncate(
        write_blocks(parse_html("<p>One sentence. Another one. And a third.</p>"), MarkdownOptions()), 30
    )
    assert (text, truncated) == ("One sentence. Another one.", True)


@pytest.mark.parametrize("tag", ["ul><li", "ol><li", "blockquote"])
def test_long_list_item_is_truncated_after_a_sentence(tag: str) -> None:
    text, truncated = truncate(write_blocks(parse_html(f"<{tag}>{'One sentence. ' * 9}"), MarkdownOptions()), 35)
    assert text.endswith("One sentence. One sentence.")
    assert (truncated, len(text) <= 35) == (True, True)


def test_truncated_code_block_is_closed() -> None:
    text, _ = truncate(write_blocks(parse_html("<pre>" + "line\n" * 100 + "</pre>"), MarkdownOptions()), 40)
    assert text.startswith("```\nline\n")
    assert text.endswith("\n```")
    assert len(text) <= 40


@pytest.mark.parametrize("tags", ["<div>", "<dd>", "<dl><dd>", "<thead>", "<ul><li>", "<table><tr><td>", "<b>", "<h1>"])
def test_deeply_nested_text_is_kept(tags: str) -> None:
    assert "deep" in markdown(tags * 3000 + "deep")


def test_header_of_html_table_has_all_rows_that_its_cells_span() -> None:
    page = "<table><tr><th rowspan=2>a<th colspan=2>b<tr><td>c<td>d<tr><td>1<td>2<td>3</table>"
    lines = write_blocks(body_of(parse_html(page)), MarkdownOptions(keep_tables=True))[0].text.split("\n")
    assert lines.index("</thead>") == 4
    assert lines[3] == "<tr><th>c</th><th>d</th></tr>"


def test_table_whose_header_spans_all_rows_has_no_head() -> None:
    page = "<table><tr><th rowspan=2>a<th>b<tr><td>c</table>"
    text = write_blocks(body_of(parse_html(page)), MarkdownOptions(keep_tables=True))[0].text
    assert "<thead>" not in text
    assert '<th rowspan="2">a</th>' in text
