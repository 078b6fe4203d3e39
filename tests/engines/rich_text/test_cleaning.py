"""Cleaned HTML: nothing of it runs, loads or covers, and its text stays."""

import pytest

from mediakit.engines.rich_text.cleaning import clean_html
from mediakit.engines.rich_text.rendering import render_markdown

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '<a href="javascript:alert(1)">a</a>',
    '<a href="jav&#x09;ascript:alert(1)">a</a>',
    '<a href=" &#14; javascript:alert(1)">a</a>',
    '<a href="vbscript:x">a</a>',
    '<a href="data:text/html,<script>alert(1)</script>">a</a>',
    '<a href="file:///etc/passwd">a</a>',
    '<a href="ms-msdt:/id x">a</a>',
    '<img src="file:///etc/passwd">',
    '<img src="data:text/html;base64,PHNjcmlwdD4=">',
    '<iframe src="https://example.com"></iframe>',
    '<form action="https://example.com"><input name=q><button>Go</button></form>',
    "<style>body{display:none}</style>",
    '<div style="position:fixed;inset:0;background:url(https://example.com/x)">x</div>',
    '<svg onload="alert(1)"><script>alert(1)</script></svg>',
    '<svg><foreignObject><body onload="alert(1)"></foreignObject></svg>',
    '<svg><use href="https://example.com/x.svg#a"/></svg>',
    '<svg><image href="https://example.com/x.png"/></svg>',
    '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
    '<svg><animate attributeName="href" to="javascript:alert(1)"/></svg>',
    '<svg><rect fill="url(https://example.com/x#a)"/></svg>',
    '<math><maction actiontype="statusline" xlink:href="javascript:alert(1)">x</maction></math>',
    "<math><annotation-xml encoding='text/html'><img src=x onerror=alert(1)></annotation-xml></math>",
    '<object data="x"></object><embed src="x"><applet code="x"></applet>',
    '<base href="https://example.com"><meta http-equiv="refresh" content="0;url=https://example.com">',
    '<link rel="stylesheet" href="https://example.com/x.css">',
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    '<video src="https://example.com/x" poster="javascript:alert(1)"></video>',
    '<a href="https://example.com" ping="https://example.com/p" target="_blank">a</a>',
    '<img srcset="https://example.com/x 1x" src="a.png">',
    "<textarea><img src=x onerror=alert(1)></textarea>",
]
MARKS = (
    "script", "onerror", "onload", "javascript", "vbscript", "file:", "iframe", "<form", "<button", "<style", "fixed",
    "text/html", "foreignobject", "<use href=\"http", "<image href=\"http", "animate", "url(http", "maction",
    "annotation", "<object", "<embed", "<applet", "<base", "<meta", "<link", "<video", "ping", "srcset", "<textarea",
    "ms-msdt", "target",
)  # fmt: skip


@pytest.mark.parametrize("html", HOSTILE)
@pytest.mark.parametrize("options", [{}, {"styles": True, "svg": True}])
def test_hostile_html_loses_what_runs_and_loads(html: str, options: dict[str, bool]) -> None:
    cleaned = clean_html(f"<p>before</p>{html}<p>after</p>", **options).lower()

    assert [mark for mark in MARKS if mark in cleaned] == []
    assert "before" in cleaned


@pytest.mark.parametrize("html", HOSTILE)
def test_hostile_html_in_markdown_loses_what_runs_and_loads(html: str) -> None:
    cleaned = render_markdown(f"{html}\n\nText {html} text\n").lower()

    assert [mark for mark in MARKS if f"<{mark}" in cleaned or f" {mark}=" in cleaned or f'"{mark}' in cleaned] == []


@pytest.mark.parametrize(
    "markdown",
    [
        "[a](javascript:alert(1))",
        "[a](<java\nscript:alert(1)>)",
        "[a](&#x6a;avascript:alert(1))",
        "[a][b]\n\n[b]: JaVaScRiPt:alert(1)",
        "<javascript:alert(1)>",
        "![a](file:///etc/passwd)",
        "![a](data:text/html,x)",
        '![a](x" onerror="alert(1))',
        '[a](/x "t\\" onclick=\\"y")',
        '``` x" onclick="y\n```',
    ],
)
def test_hostile_markdown_makes_no_unsafe_attribute(markdown: str) -> None:
    from lxml import html

    page = html.fragment_fromstring(render_markdown(markdown), "div")
    attributes = [(name, value) for element in page.iter() for name, value in element.items()]
    assert [name for name, _ in attributes if name.startswith("on")] == []
    unsafe = ("javascript:", "file:", "data:text")
    assert [value for name, value in attributes if name in ("href", "src") and value.lower().startswith(unsafe)] == []


def test_formatting_tables_and_details_stay() -> None:
    html = (
        '<details open=""><summary>More</summary><p>H<sub>2</sub>O <kbd>Ctrl</kbd> <mark>x</mark></p></details>'
        '<table><tbody><tr><td rowspan="2">a</td></tr></tbody></table>'
        '<img src="https://example.com/a.png" alt="b" width="20">'
    )
    assert clean_html(html) == html


def test_form_fields_of_raw_html_go_and_task_lists_stay() -> None:
    cleaned = render_markdown('- [x] done\n\n<input type="password" name="p">\n')

    assert cleaned.count("<input") == 1
    assert 'type="checkbox"' in cleaned
    assert "password" not in cleaned


def test_safe_styles_and_svg_stay_if_requested() -> None:
    cleaned = clean_html(
        '<p style="color:red;position:fixed">x</p><svg viewBox="0 0 9 9"><defs><linearGradient id="g"/></defs>'
        '<path d="M0 0L9 9" fill="url(#g)"/><path style="fill:url(#ABC)"/></svg>',
        styles=True,
        svg=True,
    )
    assert 'style="color:red"' in cleaned
    assert 'viewBox="0 0 9 9"' in cleaned
    assert 'fill="url(#g)"' in cleaned
    assert "#ABC" in cleaned
    assert "linearGradient" in cleaned


def test_backgrounds_stay_in_safe_styles_unless_they_load() -> None:
    kept = clean_html('<p style="background: #FFEECC; color: navy">a</p>', styles=True)
    loads = [
        "url(https://example.com/a.png)",
        "URL( 'https://example.com/a.png')",
        'image-set("https://example.com/a.png" 1x)',
        'src("https://example.com/a.png")',
        'image("https://example.com/a.png")',
        "-webkit-cross-fade(url(a.png), url(b.png), 50%)",
        r"\75rl(https://example.com/a.png)",
    ]
    cleaned = [
        clean_html(f"<p style='background:{value.replace(chr(39), chr(34))}'>a</p>", styles=True) for value in loads
    ]
    assert kept == '<p style="background:#ffeecc;color:navy">a</p>'
    assert cleaned == ["<p>a</p>"] * len(loads)


@pytest.mark.parametrize("name", ["border-right", "stop-color", "caption-side", "text-align", "margin-left"])
def test_harmless_properties_stay_in_safe_styles(name: str) -> None:
    assert clean_html(f'<p style="{name}:inherit">a</p>', styles=True) == f'<p style="{name}:inherit">a</p>'


@pytest.mark.parametrize(
    "name", ["position", "right", "top", "inset", "z-index", "transform", "cursor", "content", "filter"]
)
def test_properties_that_cover_or_load_are_not_in_safe_styles(name: str) -> None:
    assert name not in clean_html(f'<p style="{name}:inherit">a</p>', styles=True)


def test_background_colors_of_table_cells_stay() -> None:
    html = '<table bgcolor="silver"><tbody><tr bgcolor="#eee"><td bgcolor="#fdd">a</td></tr></tbody></table>'
    assert clean_html(html) == html


def test_styles_of_raw_html_in_markdown_stay_if_requested() -> None:
    text = 'A <span style="color:teal;position:fixed">word</span>.'
    assert render_markdown(text) == "<p>A <span>word</span>.</p>\n"
    assert render_markdown(text, styles=True) == '<p>A <span style="color:teal">word</span>.</p>\n'
