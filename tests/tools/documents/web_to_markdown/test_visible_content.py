"""What a visitor of a page sees is in the result: headings, buttons, panels, symbols, formulas, lines, code, tables."""

import re
from typing import Any

import pytest

from tests.tools.documents.web_to_markdown.pages import read

PARAGRAPHS = [
    f"Morning {number}: the kettle was filled before the sun came up, and by the time the others woke, tea stood "
    "on the table, bread had been cut, and the windows were open to let the smell of rain come in."
    for number in range(6)
]
BEFORE = "".join(f"<p>{text}</p>" for text in PARAGRAPHS[:3])
AFTER = "".join(f"<p>{text}</p>" for text in PARAGRAPHS[3:])


def convert(source: str, **options: Any) -> str:
    page = (
        "<html><head><title>Morning tea</title></head><body><nav><a href='/'>Home</a> <a href='/b'>Shop</a></nav>"
        f"<main><article><h1>Morning tea</h1>{BEFORE}{source}{AFTER}</article></main><footer>© 2024</footer></body>"
    )
    return str(read(page, **options)["content"])


EDIT = '<a href="/w/index.php?title=Tea&amp;action=edit&amp;section=1" title="Edit section">edit</a>'


@pytest.mark.parametrize("base_url", ["", "https://wiki.example/Tea"])
@pytest.mark.parametrize(
    "row",
    [
        (
            f'<div class="mw-heading mw-heading2"><h2 id="a">{{}}</h2><span class="mw-editsection">'
            f"<span>[</span>{EDIT}<span>]</span></span></div>"
        ),
        (
            f'<h2><span class="mw-headline">{{}}</span><span class="mw-editsection">'
            f"<span>[</span>{EDIT}<span> | </span>{EDIT}<span>]</span></span></h2>"
        ),
        f'<h2><span class="editsection">[{EDIT}]</span> <span class="mw-headline">{{}}</span></h2>',
        '<header class="row"><h2>{}</h2><a href="/share?s=1">Share this section</a></header>',
        '<div class="title-row"><h3>{}</h3><a href="#top">Back to top</a></div>',
        (
            '<div class="d-flex"><div><h2>{}</h2></div><div><a href="/print">Print</a> <a href="/mail">'
            "E-mail</a></div></div>"
        ),
        '<div class="heading"><h2>{}</h2><a class="anchor" href="#x" aria-label="Link to this heading">#</a></div>',
        '<div><a href="/all">All parts</a><h2>{}</h2></div>',
    ],
)
def test_headings_beside_links_are_kept_without_edit_links(row: str, base_url: str) -> None:
    names = ("Water", "Leaves", "Cups")
    sections = "".join(
        f"{row.format(name)}<p>{text} {name}.</p>" for name, text in zip(names, PARAGRAPHS, strict=False)
    )
    found = convert(sections, base_url=base_url)
    headings = [line.lstrip("# ") for line in found.splitlines() if line.startswith(("## ", "### "))]
    assert headings == list(names)
    assert "edit" not in found


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            (
                "<h3><button aria-expanded=true aria-controls=a>How hot is tea?</button></h3><div id=a><p>Very "
                "hot.</p></div>"
            ),
            "### How hot is tea?",
        ),
        (
            "<dl><dt><button type=button>How hot is tea?</button></dt><dd>Very hot, for most people.</dd></dl>",
            "How hot is tea?",
        ),
        (
            "<button class=accordion>How hot is tea</button><div class=panel><p>Very hot, for most people.</p></div>",
            "**How hot is tea**",
        ),
        (
            "<p>The <button class=term>infusion</button> takes three minutes, as <button>Ada</button> said.</p>",
            "The infusion takes three minutes, as Ada said.",
        ),
        (
            (
                "<ul><li><button>Green tea</button>: grassy and light.</li><li><button>Black tea</button>: "
                "strong.</li></ul>"
            ),
            "- Green tea: grassy and light.\n- Black tea: strong.",
        ),
        (
            "<table><tr><th>Kind<th>Taste</tr><tr><td><button>Green tea</button><td>Grassy</tr></table>",
            "| Green tea | Grassy |",
        ),
        (
            "<button class=card><h3>Green tea</h3><p>It is steamed, and tastes of grass and of the sea.</p></button>",
            "### Green tea\n\nIt is steamed",
        ),
        (
            "<details><summary><button>More on tea</button></summary><p>Tea is a plant of Asia.</p></details>",
            "**More on tea**",
        ),
        (
            "<div class=faq><button aria-expanded=true>How hot is tea?</button><div><p>Very hot.</p></div></div>",
            "How hot is tea?",
        ),
    ],
)
def test_text_of_buttons_is_content(source: str, expected: str) -> None:
    assert expected in convert(source)
    assert expected in convert(source, main_content=False)
    plain = convert(source, format="text")
    assert all(word in plain for word in re.findall(r"\w+", expected))


def test_buttons_that_do_something_are_only_in_the_whole_page() -> None:
    source = (
        "<div><button>Share</button> <button class='btn-copy'>Copy link</button></div><pre>x = 1<button>"
        "Copy</button></pre>"
    )
    assert not re.search("Share|Copy", convert(source))
    found = convert(source, main_content=False)
    assert "Share" in found
    assert "```\nx = 1\n```" in found


ANSWER = "Yes, you can return any tin within thirty days, as long as it is closed and in its box."


@pytest.mark.parametrize(
    "source",
    [
        (
            "<h3><button aria-expanded=false aria-controls=p1>May I return it?</button></h3><div id=p1 "
            "hidden><p>{}</p></div>"
        ),
        (
            "<h3><button aria-expanded=false aria-controls=p1>May I return it?</button></h3><div id=p1 "
            "style='display: none'><p>{}</p></div>"
        ),
        (
            "<h3><button id=b aria-expanded=false>May I return it?</button></h3><div role=region "
            "aria-labelledby=b hidden><p>{}</p></div>"
        ),
        (
            "<div class=card-header><button data-bs-toggle=collapse data-bs-target='#c1'>May I return "
            "it?</button></div><div id=c1 class=collapse hidden><p>{}</p></div>"
        ),
        (
            "<a data-toggle=collapse href='#c2'>May I return it?</a><div id=c2 class='panel-collapse' "
            "style='display:none'><p>{}</p></div>"
        ),
        (
            "<div role=tablist><button role=tab aria-controls=t1>Tea</button><button role=tab "
            "aria-controls=t2>Return</button></div><div id=t1 role=tabpanel><p>Tea is a plant of Asia.</p>"
            "</div><div id=t2 role=tabpanel hidden><p>{}</p></div>"
        ),
        "<details><summary>May I return it?</summary><p>{}</p></details>",
        "<dl class=faq><dt>May I return it?</dt><dd style='display:none'>{}</dd></dl>",
        (
            "<h3 class=accordion-title>May I return it?</h3><div class=accordion-content "
            "style='display:none'><p>{}</p></div>"
        ),
        "<button class=accordion>May I return it?</button><div class=panel hidden><p>{}</p></div>",
        (
            "<ul class=tabs><li><a href='#t1'>Tea</a></li><li><a href='#t2'>Return</a></li></ul><div id=t1>"
            "<p>Tea is a plant.</p></div><div id=t2 style='display:none'><p>{}</p></div>"
        ),
        "<h4 role=button aria-expanded=false>May I return it?</h4><div hidden><p>{}</p></div>",
    ],
)
def test_content_of_closed_panels_is_kept(source: str) -> None:
    assert ANSWER in convert(source.format(ANSWER))
    assert ANSWER in convert(source.format(ANSWER), main_content=False)


@pytest.mark.parametrize(
    "source",
    [
        (
            "<button data-bs-toggle=modal data-bs-target='#m'>Open</button><div id=m class=modal "
            "style='display:none'><p>{}</p></div>"
        ),
        (
            "<button aria-controls=m aria-expanded=false>Details</button><div id=m role=dialog "
            "aria-modal=true hidden><p>{}</p></div>"
        ),
        (
            "<div id=cookie-banner hidden><button aria-controls=ck aria-expanded=false>Purposes</button><div "
            "id=ck hidden><p>{}</p></div></div>"
        ),
        "<button aria-haspopup=true aria-controls=mn>More</button><div id=mn hidden><p>{}</p></div>",
        "<nav hidden id=nv><p>{}</p></nav><button aria-controls=nv aria-expanded=false>Menu</button>",
        "<template id=tp><p>{}</p></template><button aria-controls=tp>More</button>",
        "<p hidden>{}</p>",
        "<div style='display:none'><p>{}</p></div>",
        (
            "<button aria-controls=se aria-expanded=false>Search</button><div id=se hidden><input "
            "type=search><p>{}</p></div>"
        ),
        "<a href='#tt' aria-controls=tt>tea</a><span id=tt role=tooltip hidden>{}</span>",
    ],
)
def test_hidden_elements_that_no_reader_opens_are_removed(source: str) -> None:
    assert ANSWER not in convert(source.format(ANSWER))
    assert ANSWER not in convert(source.format(ANSWER), main_content=False)


@pytest.mark.parametrize(
    "header",
    [
        "<header><button aria-controls=p aria-expanded=false>Solutions</button></header><div id=p hidden>{}</div>",
        (
            "<nav><a href='#p' data-bs-toggle=collapse>Opening hours</a></nav>"
            "<div id=p class=collapse style='display:none'>{}</div>"
        ),
        "<header><nav><button data-bs-target='#p'>Shop</button></nav></header><div id=p class=panel hidden>{}</div>",
    ],
)
def test_panels_that_the_header_of_a_page_opens_are_removed(header: str) -> None:
    page = f"<body>{header.format(f'<p>{ANSWER}</p>' * 3)}<main><article>{BEFORE}{AFTER}</article></main></body>"
    assert ANSWER not in read(page)["content"]
    assert ANSWER not in read(page, main_content=False)["content"]


def test_panels_of_tabs_in_a_nav_element_are_kept() -> None:
    tabs = (
        "<nav><div role=tablist><button role=tab data-bs-toggle=tab data-bs-target='#a'>Tea</button>"
        "<button role=tab data-bs-toggle=tab data-bs-target='#b'>Return</button></div></nav>"
        f"<div id=a role=tabpanel>{BEFORE}</div><div id=b role=tabpanel hidden><p>{ANSWER}</p></div>"
    )
    assert f"**Return**\n\n{ANSWER}" in read(f"<body><div><h1>Tea</h1>{AFTER}{tabs}</div></body>")["content"]


def test_labels_of_tabs_are_above_their_panels() -> None:
    source = (
        "<div role=tablist><button role=tab aria-controls=n>npm</button><button role=tab aria-controls=y>yarn</button>"
        "</div><div id=n role=tabpanel><pre>npm add tea</pre></div>"
        "<div id=y role=tabpanel hidden><pre>yarn add tea</pre></div>"
    )
    found = convert(source)
    assert "**npm**\n\n```\nnpm add tea\n```\n\n**yarn**\n\n```\nyarn add tea\n```" in found


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<p>Great <img class=emoji alt='🎉' src=1f389.png> news for everybody.</p>", "Great 🎉 news"),
        ("<p>Great news for everybody <img class='wp-smiley' alt=':-)' src=s.gif></p>", "everybody :-)"),
        ("<p>Well done <img alt='👍🏽' src='thumb.svg'></p>", "Well done 👍🏽"),
        (
            (
                "<table><tr><th>Tea<th>Hot</tr><tr><td>Green<td><img alt='✅' src=y.png></tr><tr><td>Ice<td><img "
                "alt='❌' src=n.png></tr></table>"
            ),
            "| Green | ✅ |\n| Ice | ❌ |",
        ),
        (
            (
                "<table><tr><th>Tea<th>Hot</tr><tr><td>Green<td><img alt=Yes src=y.svg width=16></tr><tr><td>"
                "Ice<td><img alt=No src=n.svg></tr></table>"
            ),
            "| Green | Yes |\n| Ice | No |",
        ),
        (
            (
                "<p>See <a href='https://x.example/b'><img src=pdf.svg alt='the brochure'></a> for the times in "
                "summer.</p>"
            ),
            "[the brochure](https://x.example/b)",
        ),
        (
            "<p><a href='https://x.example/b'><img src=logo.svg alt='The brochure'></a></p>",
            "[The brochure](https://x.example/b)",
        ),
        (
            "<ul><li><img alt='✔' src=a.png> Hot water</li><li><img alt='✔' src=a.png> Leaves</li></ul>",
            "- ✔ Hot water\n- ✔ Leaves",
        ),
        (
            "<p>Press <img src=save.png alt='the Save button'> to keep the recipe for tomorrow.</p>",
            "Press the Save button to keep",
        ),
    ],
)
def test_alternative_text_of_symbols_and_links_is_kept(source: str, expected: str) -> None:
    assert expected in convert(source)
    assert expected in convert(source, main_content=False)


def test_label_of_a_drawing_in_a_cell_is_kept() -> None:
    source = "<table><tr><th>Tea<th>Hot</tr><tr><td>Green<td><svg aria-label=Yes role=img></svg></tr></table>"
    assert "| Green | Yes |" in convert(source)


def test_alternative_text_of_illustrations_is_omitted() -> None:
    source = (
        "<figure><img src=a.jpg alt='Ada at tea'></figure><p><img src=b.jpg alt='A cup'></p><p><a "
        "href=c.jpg><img src=d.jpg alt='A pot'></a></p>"
    )
    assert not re.search("Ada at|A cup|A pot", convert(source, main_content=False))


def test_images_of_symbols_are_text_where_images_are_included() -> None:
    assert "Great 🎉 news" in convert("<p>Great <img class=emoji alt='🎉' src=a.png> news</p>", include_images=True)


SQUARE = (
    "<math><semantics><msup><mi>x</mi><mn>2</mn></msup><annotation "
    "encoding='application/x-tex'>{}x^{{2}}{}</annotation></semantics></math>"
)


@pytest.mark.parametrize(
    "formula",
    [
        (
            (
                "<span class=mwe-math-element><span class='mwe-math-mathml-inline mwe-math-mathml-a11y' "
                "style='display: none;'>"
            )
            + SQUARE.format("{\\displaystyle ", "}")
            + "</span><img src=render.svg class='mwe-math-fallback-image-inline' alt='{\\displaystyle x^{2}}'></span>"
        ),
        (
            "<span class=mwe-math-element><img src=render.svg class='mwe-math-fallback-image-inline' "
            "alt='{\\displaystyle x^{2}}'></span>"
        ),
        (
            f"<span><span style='display:none'>{SQUARE.format('', '')}</span><img src=f.png "
            "class=math-fallback alt='x squared'></span>"
        ),
        (
            "<span class=katex data-math='x^{2}'><span class=katex-html aria-hidden=true><span>x</span><span>"
            "2</span></span></span>"
        ),
        (
            f"<span class=katex><span class=katex-mathml>{SQUARE.format('', '')}</span><span class=katex-html "
            "aria-hidden=true>x2</span></span>"
        ),
        "<img src='https://latex.codecogs.com/svg.image?\\inline&space;x^{2}' alt=''>",
        "<img src='https://latex.codecogs.com/gif.latex?%5Cdpi%7B110%7D%20x%5E%7B2%7D'>",
        "<img src='https://www.zhihu.com/equation?tex=x%5E%7B2%7D' alt='x^{2}'>",
        (
            "<mjx-container class=MathJax jax=SVG><svg><g></g></svg>"
            f"<mjx-assistive-mml>{SQUARE.format('', '')}</mjx-assistive-mml></mjx-container>"
        ),
        "<mjx-container class=MathJax jax=SVG><svg><g data-mml-node=math data-latex='x^{2}'></g></svg></mjx-container>",
        (
            "<mjx-container jax=CHTML><mjx-math aria-hidden=true><mjx-c></mjx-c></mjx-math>"
            f"<mjx-assistive-mml>{SQUARE.format('', '')}</mjx-assistive-mml></mjx-container>"
        ),
        "<span class=MathJax_Preview>x2</span><span class=MathJax>x2</span><script type='math/tex'>x^{2}</script>",
        (
            "<span class=MathJax_SVG data-mathml='&lt;math&gt;&lt;msup&gt;&lt;mi&gt;x&lt;/mi&gt;&lt;mn&gt;"
            "2&lt;/mn&gt;&lt;/msup&gt;&lt;/math&gt;'><svg></svg></span>"
        ),
        "<span class='math inline'>\\(x^{2}\\)</span>",
        "<amp-mathml layout=container inline data-formula='\\[x^{2}\\]'></amp-mathml>",
        "<img class='tex' src='f.png' alt='$x^{2}$'>",
        "<img class='tex-image' src='f.png' alt='$x^{2}$'>",
        "<img src='https://tex.z-dn.net/?f=x%5E%7B2%7D'>",
        "<img src='https://chart.googleapis.com/chart?cht=tx&amp;chl=x%5E%7B2%7D'>",
        "<script type='Math/TeX'>x^{2}</script>",
    ],
)
def test_formulas_are_tex_once(formula: str) -> None:
    for options in ({}, {"main_content": False}, {"base_url": "https://x.example/a"}):
        found = convert(f"<p>The area is {formula} in square metres, as everybody in the room knows.</p>", **options)
        assert "The area is $x^{2}$ in square metres" in found
    assert "The area is x^{2} in square metres" in convert(
        f"<p>The area is {formula} in square metres.</p>", format="text"
    )


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<p>Ships: <img class='text-center' src=a.png alt='speed = 5'> knots</p>", "Ships: ![speed = 5](a.png) knots"),
        (
            "<table><tr><th>Tea<th>Sum</tr><tr><td>Green<td data-formula='=A1*2'>12</tr></table>",
            "| Tea | Sum |\n| --- | --- |\n| Green | 12 |",
        ),
        ("<div data-expr='isOpen'><p>Tea is ready.</p></div>", "Tea is ready."),
    ],
)
def test_other_images_and_attributes_are_not_formulas(source: str, expected: str) -> None:
    formula = "<p>Let <span data-tex='x'>x</span> be tea.</p>"
    assert expected in convert(formula + source, include_images=True, main_content=False)


def test_drawn_formula_without_a_source_keeps_its_text() -> None:
    assert "area is x2 today" in convert(
        "<p>The area is <span class=katex><span class=katex-html>x2</span></span> today.</p>"
    )


LINES = "River Office\nMill Lane 5\nSteinau"


@pytest.mark.parametrize(
    "source",
    [
        "<p style='white-space: pre-line'>{}</p>",
        "<div style='color: red; white-space:pre-wrap;'>{}</div>",
        "<div style='white-space: break-spaces'><b>Office:</b> <span>{}</span></div>",
        "<style>.poem, .other {{ color: red; white-space: pre-wrap }}</style><div class=poem>{}</div>",
        (
            "<style>@media screen {{ .poem p {{ white-space: pre-line !important; }} }}</style><div "
            "class=poem><p>{}</p></div>"
        ),
        "<p class='text-lg whitespace-pre-wrap'>{}</p>",
        "<blockquote style='white-space: pre-line'>{}</blockquote>",
        "<p style='white-space-collapse: preserve'>{}</p>",
        "<ul style='white-space: pre-line'><li>{}</li></ul>",
    ],
)
def test_line_breaks_are_kept_where_the_style_keeps_them(source: str) -> None:
    for options in ({}, {"main_content": False}, {"format": "text"}):
        found = convert(source.format(LINES), **options)
        lines = [line.strip(" >") for line in found.splitlines()]
        start = next(index for index, line in enumerate(lines) if line.endswith("River Office"))
        assert lines[start + 1 : start + 3] == ["Mill Lane 5", "Steinau"]


@pytest.mark.parametrize(
    "source",
    [
        "<p>{}</p>",
        "<div style='white-space: pre-wrap'><p style='white-space: normal'>{}</p></div>",
        "<style>@media print {{ p {{ white-space: pre }} }}</style><p>{}</p>",
        "<p style='white-space: nowrap'>{}</p>",
    ],
)
def test_other_line_feeds_are_spaces(source: str) -> None:
    assert LINES.replace("\n", " ") in convert(source.format(LINES))


def test_empty_line_of_preserved_text_starts_a_paragraph() -> None:
    assert "One\n\nTwo" in convert("<div style='white-space: pre-wrap'>One\n\nTwo</div>")


CODE = "def f(x):\n    return x + 1"
SPANS = '<span class="k">def</span> f(x):\n    <span class="k">return</span> x + 1'


@pytest.mark.parametrize(
    "source",
    [
        (
            '<div class="highlight"><table class="highlighttable"><tr><td class="linenos"><div '
            'class="linenodiv"><pre>1\n2</pre></div></td><td class="code"><div><pre><span></span>'
            f"<code>{SPANS}\n</code></pre></div></td></tr></table></div>"
        ),
        (
            '<figure class="highlight py"><table><tr><td class="gutter"><pre><span class="line">1</span><br>'
            '<span class="line">2</span><br></pre></td><td class="code"><pre><span class="line">def '
            'f(x):</span><br><span class="line">    return x + 1</span><br></pre></td></tr></table></figure>'
        ),
        (
            '<div class="gist"><table class="highlight"><tr><td class="blob-num" data-line-number="1"></td>'
            '<td class="blob-code">def f(x):</td></tr><tr><td class="blob-num" data-line-number="2"></td><td '
            'class="blob-code">    return x + 1</td></tr></table></div>'
        ),
        (
            '<div class="syntaxhighlighter python"><table><tr><td class="gutter"><div class="line number1">'
            '1</div><div class="line number2">2</div></td><td class="code"><div class="container"><div '
            'class="line number1"><code>def f(x):</code></div><div class="line number2"><code '
            'class="spaces">&nbsp;&nbsp;&nbsp;&nbsp;</code><code>return x + 1</code></div></div></td></tr>'
            "</table></div>"
        ),
        (
            '<pre class="chroma"><code><span style="display:flex;"><span '
            'style="white-space:pre;-webkit-user-select:none;user-select:none;margin-right:0.4em">1</span>'
            '<span>def f(x):\n</span></span><span style="display:flex;"><span style="white-space:pre;'
            'user-select:none">2</span><span>    return x + 1\n</span></span></code></pre>'
        ),
        (
            '<div class="highlight"><table class="lntable"><tr><td class="lntd"><pre class="chroma"><code>'
            '<span class="lnt">1\n</span><span class="lnt">2\n</span></code></pre></td><td class="lntd"><pre '
            'class="chroma"><code>def f(x):\n    return x + 1\n</code></pre></td></tr></table></div>'
        ),
        (
            '<style>.ln { user-select: none }</style><pre><code><span class="ln">1</span>def f(x):\n<span '
            'class="ln">2</span>    return x + 1\n</code></pre>'
        ),
        f'<div style="display:flex"><pre class="gutter-left">1\n2</pre><pre><code>{SPANS}</code></pre></div>',
        (
            '<div class="code-block" style="display:flex"><div class="lines"><div>1</div><div>2</div></div>'
            f"<div><pre><code>{SPANS}</code></pre></div></div>"
        ),
        (
            '<table class="rouge-table"><tbody><tr><td class="rouge-gutter gl"><pre class="lineno">'
            f'1\n2\n</pre></td><td class="rouge-code"><pre>{SPANS}\n</pre></td></tr></tbody></table>'
        ),
        '<pre><code><span class="num">1</span>def f(x):\n<span class="num">2</span>    return x + 1</code></pre>',
        (
            '<pre class="prettyprint linenums"><ol class="linenums"><li class="L0">def f(x):</li><li '
            'class="L1">    return x + 1</li></ol></pre>'
        ),
        f'<code style="display:block; white-space:pre">{SPANS}</code>',
    ],
)
def test_code_is_one_block_without_line_numbers(source: str) -> None:
    for options in ({}, {"main_content": False}):
        blocks = re.findall(r"^```\w*\n(.*?)\n```$", convert(source, **options), re.DOTALL | re.MULTILINE)
        assert [block.rstrip() for block in blocks] == [CODE]
        assert not re.search(r"^\W*[12](?:\s+2)?\W*$", convert(source, **options), re.MULTILINE)


def test_language_of_a_listing_in_a_table_is_kept() -> None:
    source = (
        '<div class="highlight-python"><table><tr><td class="linenos"><pre>1</pre></td><td class="code">'
        "<pre>x = 1</pre></td></tr></table></div>"
    )
    assert "```python\nx = 1\n```" in convert(source)


def test_table_of_numbers_and_code_is_not_a_listing() -> None:
    source = (
        "<table><tr><th>Status<th>Name</tr><tr><td>1<td><code>OK</code></tr><tr><td>2<td><code>Lost</code></tr></table>"
    )
    assert "| 1 | `OK` |\n| 2 | `Lost` |" in convert(source)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            '<iframe width=560 height=315 src="https://www.youtube.com/embed/abc123" title="How tea grows"></iframe>',
            "[How tea grows](https://www.youtube.com/embed/abc123)",
        ),
        (
            '<div class="video"><iframe data-src="https://player.vimeo.com/video/7" title="Vimeo"></iframe></div>',
            "https://player.vimeo.com/video/7",
        ),
        ('<audio controls src="https://x.example/bell.mp3"></audio>', "[bell.mp3](https://x.example/bell.mp3)"),
        (
            '<video controls poster=p.jpg><source src="/film.webm"><source src="/film.mp4">No player.</video>',
            "[film.webm](/film.webm)",
        ),
        (
            '<object data="/plan.pdf" type="application/pdf"><a href="/plan.pdf">The plan</a></object>',
            "[The plan](/plan.pdf)",
        ),
        ('<video controls><p>No player: <a href="/film.mp4">get the film</a></p></video>', "[get the film](/film.mp4)"),
        ('<embed src="/tune.ogg" type="audio/ogg">', "[tune.ogg](/tune.ogg)"),
        (
            (
                '<figure><iframe src="https://maps.example/m?q=tea" title="Map of the hills"></iframe>'
                "<figcaption>The hills</figcaption></figure>"
            ),
            "[Map of the hills](https://maps.example/m?q=tea)",
        ),
        ('<lite-youtube videoid="abc123" playlabel="x"></lite-youtube>', "https://www.youtube.com/watch?v=abc123"),
        ('<p>Listen: <audio controls src="/a.mp3" title="A song"></audio></p>', "Listen: [A song](/a.mp3)"),
    ],
)
def test_embeds_are_links(source: str, expected: str) -> None:
    assert expected in convert(source)
    assert expected in convert(source, main_content=False)


def test_embed_that_a_script_would_load_is_one_link() -> None:
    source = (
        "<div><iframe data-src='https://x.example/v/7'></iframe></div>"
        "<noscript><iframe src='https://x.example/v/7'></iframe></noscript>"
        "<noscript><iframe src='https://x.example/v/8'></iframe></noscript>"
    )
    found = convert(source, main_content=False)
    assert (found.count("/v/7"), found.count("/v/8")) == (1, 1)


def test_embed_without_a_title_is_its_address_in_plain_text() -> None:
    assert "https://x.example/v/7" in convert('<iframe src="https://x.example/v/7"></iframe>', format="text")


@pytest.mark.parametrize(
    "source",
    [
        '<iframe src="https://ad.doubleclick.net/x" width=300 height=250></iframe>',
        '<iframe src="https://x.example/measure" width=0 height=0></iframe>',
        '<iframe src="https://www.googletagmanager.com/ns.html?id=1" style="display:none"></iframe>',
        '<iframe src="about:blank"></iframe>',
        '<video autoplay muted loop src="/background.mp4"></video>',
    ],
)
def test_invisible_embeds_and_advertisements_are_omitted(source: str) -> None:
    found = convert(source, main_content=False)
    assert not re.search("doubleclick|measure|googletag|blank|background", found)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            (
                "<table><thead><tr><th>Option<th>Example</tr></thead><tr><td>hot<td><pre>"
                "brew -h\nbrew --hot</pre></tr></table>"
            ),
            "| hot | `brew -h`<br>`brew --hot` |",
        ),
        (
            "<table><tr><th>Plan<th>Free<th>Pro</tr><tr><td>Price<td><h3>0 €</h3><td><h3>9 €</h3></tr></table>",
            "| Price | 0 € | 9 € |",
        ),
        (
            (
                "<table><thead><tr><th>Tea<th>Steps</tr></thead><tr><td>Green<td><ul><li>Boil</li><li>Wait</li>"
                "</ul></tr></table>"
            ),
            "| Green |",
        ),
        (
            "<table><tr><th>Tea<th>Notes</tr><tr><td>Green<td><p>a</p><p>b</p><p>c</p><p>d</p></tr></table>",
            "| Green | a<br>b<br>c<br>d |",
        ),
        ("<table><tr><th>Tea<td><h2>Green</h2></tr><tr><th>Heat<td><hr>80</tr></table>", "| Tea | Green |"),
        (
            (
                "<table><thead><tr><th>Tea<th>Data</tr></thead><tr><td>Green<td><table><tr><td>1<td>2</tr>"
                "</table></tr></table>"
            ),
            "<td>Green</td><td><table>",
        ),
        (
            (
                "<table><thead><tr><th>A<th>B</tr></thead><tr><td><section>x</section><td><article>y</article>"
                "</tr></table>"
            ),
            "| x | y |",
        ),
        (
            "<table><tr><th colspan=2>All</tr><tr><th>A<th>B</tr><tr><td>x<td><pre>run</pre></tr></table>",
            "| x | `run` |",
        ),
    ],
)
def test_tables_with_header_cells_stay_tables(source: str, expected: str) -> None:
    assert expected in convert(source)
    assert expected in convert(source, main_content=False)


@pytest.mark.parametrize(
    "element",
    ["<embed src=talk.pdf>", "<object data=x.swf><param name=a><embed src=x.swf></object>"],
)
def test_text_after_an_element_without_end_tag_is_kept(element: str) -> None:
    found = convert(f"<div>{element}</div><p>{PARAGRAPHS[0]} After it.</p>", main_content=False)
    assert "After it." in found
    assert PARAGRAPHS[5] in found


@pytest.mark.parametrize("main_content", [True, False])
def test_text_after_an_unquoted_source_is_kept(main_content: bool) -> None:
    sources = "<picture><source srcset=kettle.webp><img src=kettle.jpg alt=Kettle></picture>"
    found = convert(sources, main_content=main_content, include_images=True)
    assert "![Kettle](kettle.jpg)" in found
    assert PARAGRAPHS[5] in found


def test_items_of_a_list_of_tabs_are_written_above_their_panels() -> None:
    tabs = (
        '<div><ul role="tablist"><li role="tab">Green</li><li role="tab">Black</li></ul><div class="margin">'
        '<div role="tabpanel">Steam the leaves.</div><div role="tabpanel" hidden>Oxidize them.</div></div></div>'
    )
    assert "**Green**\n\nSteam the leaves.\n\n**Black**\n\nOxidize them." in convert(tabs)


def test_labels_of_python_markdown_tabs_are_written_above_their_blocks() -> None:
    tabs = (
        '<div class="tabbed-set"><div class="tabbed-labels"><label for="a">Pot</label><label for="b">Cup</label></div>'
        '<div class="tabbed-content"><div class="tabbed-block"><p>Six spoons.</p></div>'
        '<div class="tabbed-block"><p>One spoon.</p></div></div></div>'
    )
    assert "**Pot**\n\nSix spoons.\n\n**Cup**\n\nOne spoon." in convert(tabs)


def test_tabs_without_a_panel_for_each_stay_a_list() -> None:
    tabs = '<ul role="tablist"><li role="tab">Green</li><li role="tab">Black</li></ul><div role="tabpanel">Steam.</div>'
    assert "- Green\n- Black" in convert(tabs, main_content=False)


LOADER = '<script src="https://cdn.example/mathjax@3/es5/tex-mml-chtml.js"></script>'


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (r"<p>So \(t_1 * t_2\) holds.</p>", "So $t_1 * t_2$ holds."),
        (r"<p>\[ \sum_{i} t_i*2 \]</p>", r"$$\sum_{i} t_i*2$$"),
        (r"<p>$$ a*b*c $$</p>", "$$a*b*c$$"),
        (r"<p>\begin{align} a_1 &amp;= b_1 \end{align}</p>", r"$$\begin{align} a_1 &= b_1 \end{align}$$"),
        (r"<p>A <b>pot</b> of \(x_1\), $5 or $6.</p>", "A **pot** of $x_1$, $5 or $6."),
        (r"<p>Write <code>\(x\)</code>.</p>", r"Write `\(x\)`."),
    ],
)
def test_tex_in_a_text_is_a_formula_if_a_script_draws_it(source: str, expected: str) -> None:
    assert expected in convert(f"{source}{LOADER}")
    if "code" not in source:
        assert expected not in convert(source)


def test_dollar_signs_are_delimiters_if_the_page_says_so() -> None:
    setting = "<script>MathJax = {tex: {inlineMath: [['$', '$']]}}</script>"
    assert "mass $m_1*m_2$ of" in convert(f"<p>The mass $m_1*m_2$ of $5.</p>{setting}{LOADER}")


@pytest.mark.parametrize(
    ("reference", "note"),
    [
        (
            '<a class="footnote-reference brackets" href="#n2" id="r1" role="doc-noteref">[1]</a>',
            (
                '<aside class="footnote-list brackets"><aside class="footnote brackets" id="n2" role="doc-footnote">'
                '<span class="label"><span>[</span><a role="doc-backlink" href="#r1">1</a><span>]</span></span>'
                "<p>Boil it twice.</p></aside></aside>"
            ),
        ),
        (
            '<sup class="footnote">[<a id="_ref_1" href="#_def_1">1</a>]</sup>',
            '<div id="footnotes"><div class="footnote" id="_def_1"><a href="#_ref_1">1</a>. Boil it twice.</div></div>',
        ),
        (
            '<a epub:type="noteref" href="#n1">1</a>',
            '<aside epub:type="footnote" id="n1"><p>Boil it twice.</p></aside>',
        ),
        (
            (
                '<span class="ltx_note"><sup class="ltx_note_mark">1</sup><span class="ltx_note_outer">'
                '<span class="ltx_note_content"><sup class="ltx_note_mark">1</sup>'
                '<span class="ltx_tag ltx_tag_note">1</span>Boil it twice.</span></span></span>'
            ),
            "",
        ),
        (
            (
                '<sup data-mfn="1"><a href="javascript:void(0)">1</a></sup>'
                '<span class="modern-footnotes-footnote__note" data-mfn="1">Boil it twice.</span>'
            ),
            "",
        ),
    ],
)
def test_footnotes_of_more_generators_have_no_marks_and_no_back_links(reference: str, note: str) -> None:
    found = convert(f"<p>The water{reference} is soft.</p>{note}")
    assert "The water[^1] is soft." in found
    assert "[^1]: Boil it twice." in found


def test_back_links_of_a_note_with_several_references_are_removed() -> None:
    mark = '<sup id="cite_ref-A_1-{0}" class="reference"><a href="#cite_note-A-1">[1]</a></sup>'
    links = " ".join(f'<a href="#cite_ref-A_1-{n}"><sup><i><b>{"ab"[n]}</b></i></sup></a>' for n in (0, 1))
    notes = (
        f'<ol class="references"><li id="cite_note-A-1"><span class="mw-cite-backlink">^ {links}</span> '
        '<span class="reference-text">Okakura, 1906.</span></li></ol>'
    )
    found = convert(f"<p>Tea{mark.format(0)} and more{mark.format(1)}.</p>{notes}")
    assert "[^1]: Okakura, 1906." in found
    assert "cite_ref" not in found


def test_callouts_and_sources_of_quotes_are_part_of_the_text() -> None:
    callout = '<aside class="theme-admonition alert"><div>info</div><div><p>Keep the lid on.</p></div></aside>'
    quotes = [
        f"<blockquote><p>Tea is a work of art.</p><footer>{source}</footer></blockquote>"
        for source in ("— Kakuzō", "Okakura in <cite>The Book of Tea</cite>", "Ann, buyer")
    ]
    found = convert(callout + "".join(quotes))
    assert "Keep the lid on." in found
    assert "> — Kakuzō" in found
    assert "> Okakura in The Book of Tea" in found
    assert "Ann, buyer" not in found


def test_frame_with_its_own_source_is_part_of_the_page() -> None:
    frame = f'<iframe srcdoc="&lt;p&gt;{PARAGRAPHS[0]} In the frame.&lt;/p&gt;"></iframe>'
    assert "In the frame." in convert(frame)


def test_permalinks_of_terms_are_removed() -> None:
    found = convert('<dl><dt id="a">Oolong<a class="headerlink" href="#a">¶</a></dt><dd>Half oxidized.</dd></dl>')
    assert "Oolong\n: Half oxidized." in found


def test_code_names_its_language_once_and_has_no_numbers_after_it() -> None:
    block = (
        '<div class="language-ts"><span class="lang">ts</span><pre><code>let a = 1\n  b()</code></pre>'
        '<div class="line-numbers-wrapper"><span>1</span><br><span>2</span><br></div></div>'
    )
    found = convert(block, main_content=False)
    assert "rain come in.\n\n```ts\nlet a = 1\n  b()\n```\n\nMorning" in found


def test_language_of_a_listing_in_confluence_is_written() -> None:
    block = '<pre class="syntaxhighlighter-pre" data-syntaxhighlighter-params="brush: java; gutter: false">int x;</pre>'
    assert "```java\nint x;\n```" in convert(block)


def test_images_of_amp_pages_and_elements_with_the_role_of_images_are_images() -> None:
    image = '<amp-img src="/pot.jpg" width="600" height="400" alt="Pot"></amp-img>'
    rows = (
        "<tr><th>Tea</th><th>Stars</th></tr><tr><td>Oolong</td><td><i role={0}img{0} aria-label='4 of 5'></i></td></tr>"
    )
    assert "![Pot](/pot.jpg)" in convert(image, include_images=True)
    for quote in ("'", '"', ""):
        assert "| Oolong | 4 of 5 |" in convert(f"<table>{rows.format(quote)}</table>")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<pre>print(1)</pre><pre>1</pre>", "```\nprint(1)\n```\n\n```\n1\n```"),
        ("<pre>print(1)</pre><p>1</p>", "```\nprint(1)\n```\n\n1"),
        ("<div>In <span class=lang>go</span> we write <pre class=language-go>x</pre></div>", "In go we write"),
        ("<div><span class=lang>python</span><pre>x = 1</pre></div>", "python\n\n```\nx = 1\n```"),
    ],
)
def test_output_and_words_beside_code_are_kept(source: str, expected: str) -> None:
    assert expected in convert(source, main_content=False)


def test_link_with_words_is_part_of_a_footnote() -> None:
    notes = '<ol class="footnotes"><li id="n1">As in <a href="#r1">the part on tea</a>. <a href="#r1">↩</a></li></ol>'
    found = convert(f'<p>The water<sup id="r1"><a href="#n1">1</a></sup> is soft.</p>{notes}')
    assert "[^1]: As in [the part on tea](#r1).\n" in found


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            '<div role="img" aria-label="A pot"><img src="/pot.jpg" width=600 height=400 alt=Pot></div>',
            "![Pot](/pot.jpg)",
        ),
        ("<p>Stars<i role='img' aria-label='Loading' hidden></i>.</p>", "Stars."),
    ],
)
def test_label_of_an_image_role_never_replaces_an_image(source: str, expected: str) -> None:
    assert expected in convert(source, include_images=True)


def test_labels_inside_of_tabs_are_not_counted_twice() -> None:
    tabs = "".join(
        f'<button role="tab" aria-controls="{name}"><label>{name}</label></button>' for name in ("Green", "Black")
    )
    panels = '<div id="Green" role="tabpanel">Steam.</div><div id="Black" role="tabpanel">Oxidize.</div>'
    found = convert(f'<div role="tablist">{tabs}</div>{panels}', main_content=False)
    assert "**Green**\n\nSteam.\n\n**Black**\n\nOxidize." in found


def test_tex_is_text_in_a_page_that_only_writes_about_a_script() -> None:
    found = convert("<p>MathJax draws what is in $$, such as \\(x\\), up to the next $$.</p>", main_content=False)
    assert "in $$, such as \\\\(x\\\\), up to the next $$." in found


def test_formula_environments_are_read_up_to_their_own_end() -> None:
    formula = r"\begin{align} \begin{aligned} a &amp;= b \end{aligned} \end{align}"
    expected = r"$$\begin{align} \begin{aligned} a &= b \end{aligned} \end{align}$$"
    found = convert(f"<p>{formula}</p><p>" + r"\(" * 60_000 + f"</p>{LOADER}", main_content=False)
    assert expected in found


def test_invisible_frames_with_their_own_source_are_omitted() -> None:
    frames = "".join(f'<iframe {each} srcdoc="<p>Counter</p>"></iframe>' for each in ("hidden", "width=0 height=0"))
    assert "Counter" not in convert(frames, main_content=False)
