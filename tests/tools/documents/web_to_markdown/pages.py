"""Sample pages of the tests, and their conversion in this process."""

from typing import Any

from mediakit.tools.documents.web_to_markdown.convert import page_fields
from mediakit.tools.documents.web_to_markdown.request import ReadOptions

PROSE = (
    "The kettle was filled before the sun came up, and by the time the others woke, tea stood on the table, "
    "bread had been cut, and the windows were open to let the smell of rain, earth and leaves come in."
)
PAGE = f"""<!doctype html><html lang="en-GB"><head><title>Morning tea | The Tea Journal</title>
<meta property="og:site_name" content="The Tea Journal"><meta property="og:image" content="/tea.jpg">
<meta name="description" content="How a day begins."><link rel="canonical" href="/2024/tea">
<script type="application/ld+json">{{"@type": "Article", "headline": "Morning tea",
"author": {{"@type": "Person", "name": "Ada Lovelace"}}, "datePublished": "2024-03-05T08:00:00+01:00"}}</script></head>
<body><nav class="menu"><ul><li><a href="/">Home</a><li><a href="/shop">Shop</a>
<li><a href="/about">About us</a></ul></nav>
<main><article><h1>Morning tea</h1><p>{PROSE} See <a href="kinds">the kinds of tea</a>.</p>
<p>{PROSE}</p><p><img src="cup.jpg" alt="A cup"></p>
<table><caption>Heat</caption><tr><th>Kind</th><th>Degrees</th></tr>
<tr><td>Green</td><td rowspan="2">80</td></tr><tr><td>White</td></tr></table>
<p>{PROSE}</p></article></main>
<aside class="sidebar related"><h3>Related</h3><ul><li><a href="/coffee">Coffee, too, has its mornings</a></ul></aside>
<footer class="footer">© 2024 The Tea Journal. <a href="/privacy">Privacy policy</a></footer></body></html>"""
BASE = "https://journal.example/2024/"


def read(source_html: str = PAGE, **options: Any) -> dict[str, Any]:
    """Return the fields of a page, converted in this process instead of a worker."""
    return page_fields(source_html, ReadOptions(**options))
