"""The notebook view of a page."""

import re
from typing import Any

import lxml.html

import mediakit
from tests.tools.documents.web_to_markdown.pages import PROSE


def notebook_html(page: str, **options: Any) -> str:
    shown, _ = mediakit.web_to_markdown(html=page, **options)._repr_mimebundle_()
    assert set(shown) == {"text/plain", "text/html"}
    return str(shown["text/html"])


def test_notebook_view_renders_headings_lists_tables_links_and_code() -> None:
    shown = notebook_html(
        f"<h2>Tea</h2><p>{PROSE} <a href=https://tea.example/a?b=1&amp;c=2>More</a> <s>old</s></p><ul><li>Oolong</ul>"
        "<table><tr><th>Leaf<tr><td>green</table><pre><code class=language-py>a &lt; b</code></pre>",
        main_content=False,
    )
    page = lxml.html.fromstring(shown)
    assert [page.findtext(f".//{tag}") for tag in ("h2", "li", "th", "td", "s")] == [
        "Tea",
        "Oolong",
        "Leaf",
        "green",
        "old",
    ]
    assert page.findtext(".//pre/code") == "a < b\n"
    (link,) = page.iter("a")
    assert (link.get("href"), link.get("target")) == ("https://tea.example/a?b=1&c=2", "_blank")
    assert link.get("rel") == "noopener noreferrer nofollow"


def test_notebook_view_runs_and_loads_nothing() -> None:
    shown = notebook_html(
        "<title>&lt;script&gt;alert(1)&lt;/script&gt;</title><p>&lt;img src=x onerror=alert(1)&gt; "
        f"$\\href{{javascript:x}}{{y}}$</p><p>{PROSE}<img src='https://tracker.example/x.gif' alt='A &lt;b&gt; pot'>"
        "<a href='javascript:alert(1)'>one</a> <a href='/api/shutdown'>two</a> <a href='data:text/html,x'>three</a>"
        "<p>[four](javascript:alert) &lt;style&gt;* {{}}&lt;/style&gt; ```&lt;script&gt;",
        include_images=True,
        main_content=False,
    )
    assert not re.search(r"<(?!/?(?:div|bdi|p|a|em|code)\b)", shown)
    assert not re.search(r"<[^>]*(?:\bon\w+=|javascript:|data:|/api|tracker)", shown)
    assert "[A &lt;b&gt; pot]" in shown
    assert "mathjax_ignore" in shown


def test_notebook_view_truncates_long_pages_with_a_note() -> None:
    shown = notebook_html("".join(f"<p>{number} {PROSE}" for number in range(400)))
    assert len(shown) < 30_000
    assert re.search(r"… and [\d,]+ more characters in \.content", shown)
