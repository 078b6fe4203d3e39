"""A hostile notebook in Chromium: nothing is requested, no script runs and no dialog opens."""

import json
from typing import Any

import pymupdf
import pytest
from playwright.sync_api import Browser, Dialog

import mediakit
from mediakit.core.runtime import runtime
from mediakit.engines.browser import Browser as RenderBrowser
from mediakit.engines.browser.html import PrintOptions, render_pdf
from mediakit.engines.paper import PageLayout
from mediakit.tools.documents.notebook_convert.conversion import convert
from mediakit.tools.documents.notebook_convert.tool import NotebookConvertRequest
from tests.support.browser_kit import Site
from tests.tools.documents.notebook_convert.notebooks import book, code, markdown, shown, stream

pytest_plugins = ["tests.support.browser_fixtures", "tests.support.docs_fixtures"]
pytestmark = pytest.mark.browser

RAN = "document.documentElement.dataset.ran = 'yes'; alert('ran')"

HTML = """<p id="before">text that stays</p>
<script>RAN</script><script src="SITE/script.js"></script>
<img src="x:" onerror="RAN"><img src="SITE/image.png"><img srcset="SITE/srcset.png 2x" src="SITE/src.png">
<picture><source srcset="SITE/source.png"><img src="data:,"></picture>
<a id="link" href="javascript:RAN">link</a><a href=" java&#10;script:RAN">link</a>
<a href="data:text/html,<script>RAN</script>">link</a>
<a href="SITE/ping" ping="SITE/ping">ping</a>
<iframe src="SITE/frame"></iframe><iframe srcdoc="<script>parent.RAN</script>"></iframe><embed src="SITE/embed">
<object data="SITE/object"></object><link rel="stylesheet" href="SITE/style.css">
<link rel="prefetch" href="SITE/prefetch">
<link rel="dns-prefetch" href="SITE"><link rel="preload" as="image" href="SITE/preload.png">
<meta http-equiv="refresh" content="0;url=SITE/refresh"><base href="SITE/">
<style>@import "SITE/import.css"; @font-face {font-family: f; src: url(SITE/font.woff2)} p {background:
url(SITE/css.png)}
p {background: \\75rl(SITE/escape.png)} p {background-image: image-set("SITE/set.png" 1x)} p {font-family: f}</style>
<p style="background:url(SITE/inline.png);list-style:url('SITE/list.png')">p</p><table background="SITE/table.png">
<tr><td>1</td></tr></table>
<video src="SITE/video" poster="SITE/poster.png" autoplay></video><audio src="SITE/audio" autoplay></audio>
<input autofocus onfocus="RAN" type="image" src="SITE/input.png"><details open ontoggle="RAN"><summary>s</summary>
</details>
<form action="SITE/form"><button id="send">send</button></form><body background="SITE/body.png" onload="RAN">
<svg><text>$$x$$ $y$</text><title><g id="</title><img src=x: onerror=alert('ran')>"></g></title></svg>
<math><mrow>$$x$$<title><mi id="</title><img src=x: onerror=alert('ran')>"></mi></title></mrow></math>
<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x: onerror=RAN&gt;"></mglyph></table>
</mtext></math>
SVG"""

SVG = """<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="40" height="20"
onload="RAN">
<script>RAN</script><script href="SITE/svg.js"/>
<style>@import url(SITE/svg.css); rect {fill: url(SITE/fill.svg#a)}</style>
<foreignObject width="9" height="9"><body xmlns="http://www.w3.org/1999/xhtml"><img src="SITE/foreign.png"/></body>
</foreignObject>
<use href="SITE/use.svg#a"/><use xlink:href="SITE/xlink.svg#a"/><image href="SITE/svg.png" width="5" height="5"/>
<filter id="f"><feImage href="SITE/filter.png"/></filter><rect filter="url(SITE/f.svg#f)" width="5" height="5"/>
<a href="javascript:RAN"><text>t</text></a><set attributeName="href" to="javascript:RAN"/>
<animate attributeName="href" values="SITE/animate.png" onbegin="RAN"/></svg>"""

MARKDOWN = """![image](SITE/markdown.png) [link](javascript:RAN) <SITE/auto>

![reference][r]

[r]: SITE/reference.png

$\\href{javascript:RAN}{x}$ $\\text{<img src=x: onerror="RAN">}$ $\\def\\a{<script>RAN</script>}\\a$

\\begin{equation}x\\tag{<img src=x: onerror="RAN">}\\label{"><script>RAN</script>}\\end{equation}

\\eqref{"><script>RAN</script>} <b title='$" onfocus="RAN" autofocus x="$'>b</b>

<span style="background:url(SITE/markdown-url.png)">s</span>
<p style="background: image-set('SITE/markdown-set.png' 1x)">p</p>
<p style="background:-webkit-image-set(url(SITE/webkit.png) 1x);cursor:url(SITE/cursor.png),auto">p</p>
<p style="width:expression(RAN);behavior:url(SITE/x.htc);content:url(SITE/content.png)">p</p>
"""


def hostile_notebook(address: str) -> bytes:
    """Return a notebook that has every attack in cells, outputs, metadata, attachments and widgets."""

    def filled(text: str) -> str:
        return text.replace("SVG", SVG).replace("RAN", RAN.replace('"', "'")).replace("SITE", address)

    html, svg, text = filled(HTML), filled(SVG), filled(MARKDOWN)
    state = {"model_name": "HTMLModel", "state": {"value": html, "description": html}}
    image = {"model_name": "ImageModel", "state": {"value": f"{address}/widget.png", "format": "url"}}
    widgets = {"application/vnd.jupyter.widget-state+json": {"state": {"a": state, "b": image}}}
    views = [
        {
            "output_type": "display_data",
            "data": {"application/vnd.jupyter.widget-view+json": {"model_id": model}},
            "metadata": {},
        }
        for model in ("a", "b")
    ]
    outputs = [
        shown(text_html=html),
        shown(image_svgxml=svg),
        shown(text_markdown=f"{text}\n{html}"),
        shown(text_latex=f"$\\href{{javascript:{RAN}}}{{x}} \\includegraphics{{{address}/latex.png}}$"),
        shown(application_javascript=filled("RAN")),
        shown(image_png=f"{address}/png.png"),
        shown(text_plain=html),
        stream(f"\x1b]8;;javascript:{RAN}\x07{html}"),
        {"output_type": "error", "ename": html, "evalue": html, "traceback": [html]},
        *views,
    ]
    attached = {"a.png": {"image/png": f'"><img src="{address}/attachment.png">'}}
    cells = [
        markdown(f"{text}\n{html}"),
        markdown("![a](attachment:a.png)", attachments=attached),
        {"cell_type": "raw", "source": html, "metadata": {"raw_mimetype": "text/html"}},
        code(html, *outputs),
    ]
    info = {"name": html, "file_extension": html}
    return json.dumps(book(*cells, title=f"</title>{html}", widgets=widgets, language_info=info)).encode()


class Opened:
    """A page of the site that the attacks address, with what it requested and did."""

    def __init__(self, browser: Browser, web: Site, html: str) -> None:
        self.address = web.add_page("/notebook.html", "text/html; charset=utf-8", html.encode())
        self.requests: list[str] = []
        self.dialogs: list[str] = []
        self.page = browser.new_page()
        self.page.on("dialog", self._dismiss)
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(self.address, wait_until="load")
        self.page.wait_for_timeout(300)  # a refresh, a delayed script

    def _dismiss(self, dialog: Dialog) -> None:
        self.dialogs.append(dialog.message)
        dialog.dismiss()

    def is_harmless(self, web: Site) -> bool:
        """Return whether the page requested only itself, ran no script and opened no dialog."""
        requested = {url for url in self.requests if not url.startswith("data:")}
        ran = self.page.evaluate("document.documentElement.hasAttribute('data-ran')")
        return (requested, web.hits, self.dialogs, ran) == ({self.address}, ["/notebook.html"], [], False)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_page_requests_nothing_and_runs_nothing(browser: Browser, web: Site, theme: Any) -> None:
    result = mediakit.notebook_convert(hostile_notebook(web.url("")), theme=theme)
    opened = Opened(browser, web, result.content.decode())
    assert "text that stays" in opened.page.inner_text("main")
    for link in opened.page.query_selector_all("main a:not([href^='http'])"):
        link.dispatch_event("click")
    opened.page.wait_for_timeout(100)

    assert opened.is_harmless(web)
    opened.page.close()


def test_page_is_harmless_without_its_content_security_policy(browser: Browser, web: Site) -> None:
    html = mediakit.notebook_convert(hostile_notebook(web.url(""))).content.decode()
    policy = html.partition('<meta http-equiv="Content-Security-Policy"')[2].partition(">")[0]
    assert "default-src 'none'" in policy
    opened = Opened(browser, web, html.replace(f'<meta http-equiv="Content-Security-Policy"{policy}>', ""))

    assert opened.is_harmless(web)
    opened.page.close()


def test_attacks_work_in_a_page_that_is_not_cleaned(browser: Browser, web: Site) -> None:
    """The other tests can fail."""
    html = HTML.replace("SVG", SVG).replace("RAN", RAN.replace('"', "'")).replace("SITE", web.url(""))
    opened = Opened(browser, web, html.replace('<meta http-equiv="refresh"', "<meta"))

    loaded = {"/script.js", "/image.png", "/frame", "/style.css", "/inline.png", "/svg.png", "/object", "/poster.png"}
    assert loaded <= set(web.hits)
    assert "ran" in opened.dialogs
    opened.page.close()


def test_page_to_print_requests_nothing_of_an_allowed_site(chromium: RenderBrowser, web: Site) -> None:
    page = convert(NotebookConvertRequest(hostile_notebook(web.url("")), "pdf")).content.decode()
    printed = runtime.run(render_pdf(page, PrintOptions(layout=PageLayout()), browser=chromium))

    with pymupdf.open(stream=printed.content, filetype="pdf") as document:  # type: ignore[no-untyped-call]
        assert "text that stays" in "".join(sheet.get_text() for sheet in document)
    assert web.hits == []


def test_pdf_requests_nothing(web: Site) -> None:
    result = mediakit.notebook_convert(hostile_notebook(web.url("")), "pdf")

    assert result.meta["pages"] >= 1
    assert web.hits == []
