"""Nothing of a hostile notebook runs, loads or covers the page."""

import json

import lxml.html
import pytest
from lxml import etree

import mediakit
from mediakit.errors import InvalidInput
from tests.tools.documents.notebook_convert.notebooks import book, code, converted, markdown, shown, stream

HTML = """
<script>document.title = "ran"</script><img src=x onerror="document.title='ran'"><a href="javascript:alert(1)">link</a>
<iframe src="https://example.com"></iframe><object data="https://example.com/x"></object>
<link rel=stylesheet href="https://example.com/x.css"><meta http-equiv=refresh content="0;url=https://example.com">
<style>@import "https://example.com/x.css"; p {background: url(https://example.com/x.png)}</style>
<div style="position:fixed;inset:0;background:url(https://example.com/x)">cover</div><base href="https://example.com">
<form action="https://example.com"><input name=a><button>send</button></form><video src="https://example.com/v"></video>
<table background="https://example.com/x"><tr><td>cell</td></tr></table></div></main></body><h1>after</h1>
<svg><script>document.title="ran"</script><use href="https://example.com/x#a"/><image href="https://example.com/x"/></svg>
"""
SVG = """<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" onload="x()">
<script>x()</script><foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><script>x()</script></body></foreignObject>
<use xlink:href="https://example.com/x#a"/><image href="https://example.com/x.png"/>
<a href="javascript:x()"><text>T</text></a>
<style>@import url(https://example.com/x.css)</style><style>b {}<!-- --> @import "https://example.com/y.css"</style>
<style>rect {fill: u<!-- -->rl(https://example.com/x#y)}</style>
<rect fill="url(https://example.com/x#y)" width="5" height="5"/>
<set attributeName="href" to="javascript:x()"/><rect fill="url(#ok)" class="kept"/></svg>"""

ADDRESSES = ("src", "href", "srcset", "data", "action", "background", "poster", "{http://www.w3.org/1999/xlink}href")


def hostile_page() -> str:
    outputs = (
        shown(text_html=HTML),
        shown(text_markdown=HTML),
        shown(image_svgxml=SVG),
        stream(HTML),
        shown(text_plain=HTML),
    )
    error = {"output_type": "error", "ename": HTML, "evalue": HTML, "traceback": [HTML]}
    raw = {"cell_type": "raw", "source": HTML, "metadata": {}}
    notebook = book(markdown(HTML), raw, code(HTML, *outputs, error), title=f"</title>{HTML}")
    notebook["metadata"]["authors"] = [{"name": HTML}]
    return mediakit.notebook_convert(json.dumps(notebook).encode()).content.decode()


def test_page_has_no_scripts_handlers_and_addresses_that_load() -> None:
    tree = lxml.html.document_fromstring(hostile_page())
    assert not tree.xpath(
        "//script | //iframe | //object | //embed | //link | //base | //form | //input | //button | //video"
    )
    assert tree.xpath("//meta/@http-equiv") == ["Content-Security-Policy"]
    for element in tree.iter(etree.Element):
        assert not [name for name in element.attrib if name.lower().startswith("on")]
        for name in ADDRESSES:
            value = element.get(name, "")
            is_link = element.tag == "a" and value.startswith("https://example.com")
            assert is_link or not value or value.startswith(("data:image/", "#")), (element.tag, name, value)
        assert "url" not in element.get("style", "")
        assert "position" not in element.get("style", "")


def test_svg_is_an_image_without_scripts_and_addresses() -> None:
    import base64

    page = converted(code("", shown(image_svgxml=SVG))).text
    encoded = lxml.html.document_fromstring(page).xpath("//img/@src")[0].partition("base64,")[2]
    svg = base64.b64decode(encoded).decode()
    assert "example.com" not in svg
    assert "script" not in svg
    assert "onload" not in svg
    assert "set " not in svg
    assert "<text>T</text>" in svg.replace("ns0:", "")
    assert "url(#ok)" in svg


@pytest.mark.parametrize(
    "svg",
    [
        '<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><svg xmlns="http://www.w3.org/2000/svg">&b;</svg>',
        "<svg>" + "<g>" * 5000 + "</g>" * 5000 + "</svg>",
        "<html><script>x</script></html>",
    ],
)
def test_svg_that_cannot_be_read_is_omitted(svg: str) -> None:
    result = converted(code("", shown(image_svgxml=svg, text_plain="instead")))
    assert "instead" in result.text
    assert "SVG" in result.meta["warnings"][0]


def test_scripts_stay_on_request_only() -> None:
    outputs = (
        shown(text_html="<div id=p></div><script>plot()</script>"),
        shown(application_javascript="go('</script>')"),
    )
    cell = code("", *outputs)
    assert "plot()" not in converted(cell).text
    page = converted(cell, scripts=True).text
    assert "<script>plot()</script>" in page
    assert r"go('<\/script>')" in page
    assert "script-src 'unsafe-inline'" in page
    markdown_page = converted(markdown("<script>plot()</script>"), scripts=True).text
    assert "<script>plot()" not in markdown_page


def test_many_cells_are_converted() -> None:
    result = converted(*[code("1", count=None) for _ in range(3000)])
    assert result.text.count("<section") == 3000


@pytest.mark.parametrize("to", ["html", "markdown", "script"])
def test_deep_and_wrong_values_are_omitted(to: str) -> None:
    deep: list[object] = []
    for _ in range(400):
        deep = [deep]
    data = {"application/json": deep, "text/html": 5, "image/png": {}, "text/plain": [[1], "ok"]}
    outputs = [{"output_type": "display_data", "data": data, "metadata": []}, None, 3, {}]
    cell = {"cell_type": "code", "source": 5, "outputs": outputs, "execution_count": -1}
    states = {"a": {"state": 5}, "b": 7}
    widgets = {"application/vnd.jupyter.widget-state+json": {"state": states}}
    content = json.dumps({"cells": [cell, 7, None], "metadata": {"widgets": widgets, "authors": {}}})
    result = mediakit.notebook_convert(content.encode(), to=to)  # type: ignore[call-overload]
    assert ("ok" in result.content.decode()) is (to != "script")


def test_widgets_inside_of_themselves_end() -> None:
    states = {"a": {"model_name": "VBoxModel", "state": {"children": ["IPY_MODEL_a"] * 50}}}
    metadata = {"widgets": {"application/vnd.jupyter.widget-state+json": {"state": states}}}
    view = {"application/vnd.jupyter.widget-view+json": {"model_id": "a"}, "text/plain": "VBox()"}
    output = {"output_type": "display_data", "data": view, "metadata": {}}
    result = mediakit.notebook_convert(json.dumps(book(code("", output), **metadata)).encode())
    assert b"VBox()" in result.content


@pytest.mark.parametrize(
    "content", [b"%PDF-1.4", b"{", b"[]", b'{"nbformat": 4}', b"\x89PNG\r\n\x1a\n", b"[" * 1_000_000, b"\xff\xfe\x00"]
)
def test_a_file_of_another_kind_is_an_error_that_names_the_field(content: bytes) -> None:
    with pytest.raises(InvalidInput, match=r"^file: "):
        mediakit.notebook_convert(content)
