"""Notebooks as web pages."""

import json
import re

import lxml.html
import pytest

import mediakit
from mediakit.errors import InvalidInput
from mediakit.results.files import FileResult
from mediakit.samples import NOTEBOOK
from tests.tools.documents.notebook_convert.notebooks import PNG, book, code, converted, markdown, shown, stream


def tree_of(result: FileResult) -> lxml.html.HtmlElement:
    return lxml.html.document_fromstring(result.text)


def text_of(result: FileResult) -> str:
    return str(tree_of(result).xpath("//body")[0].text_content())


@pytest.fixture(scope="module")
def sample() -> FileResult:
    result = mediakit.notebook_convert(NOTEBOOK)
    assert isinstance(result, FileResult)
    return result


def test_page_has_text_code_and_outputs_in_their_order(sample: FileResult) -> None:
    text = text_of(sample)
    parts = (
        "Depths of a mountain lake",
        "from math import sqrt",
        "31.5",
        "deepest: Deep point",
        "UserWarning",
        "KeyError",
    )
    places = [text.index(part) for part in parts]
    assert places == sorted(places)
    assert sample.filename == "lake.html"
    assert sample.meta["title"] == "Depths of a mountain lake"
    assert (sample.meta["cells"], sample.meta["language"], sample.meta["hidden"]) == (13, "python", 1)
    assert sample.meta["warnings"] == []


def test_page_is_one_file_that_loads_nothing(sample: FileResult) -> None:
    tree = tree_of(sample)
    assert not tree.xpath("//script | //link | //iframe")
    assert all(source.startswith("data:") for source in tree.xpath("//@src"))
    policy = tree.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")[0]
    assert policy.startswith("default-src 'none'; img-src data:;")


def test_data_frame_is_a_table_and_latex_is_mathml(sample: FileResult) -> None:
    tree = tree_of(sample)
    cells = [cell.text_content() for cell in tree.xpath("//table//tr[td]")[1].xpath("th | td")]
    assert cells == ["Deep point", "31.5", "6.2", "7.4"]
    assert len(tree.xpath("//*[local-name()='math']")) >= 4
    assert "\\frac" not in "".join(tree.xpath("//section[contains(@class, 'markdown')]//text()"))


def test_terminal_colors_are_classes() -> None:
    page = converted(code("", stream("\x1b[1;31mno\x1b[0m \x1b[38;5;208myes\x1b[0m"))).text
    assert '<span class="ansi-bold ansi-red">no</span> <span style="color:#ff8700">yes</span>' in page


def test_dark_theme_has_a_dark_page(sample: FileResult) -> None:
    dark = converted(markdown("text"), theme="dark").text
    assert "--page:#14171d" in dark
    assert "--scheme:dark" in dark
    assert "--scheme:light" in sample.text


def test_richest_form_of_an_output_is_shown() -> None:
    page = converted(code("", shown(image_png=PNG, text_html="<b>no</b>", text_plain="neither"))).text
    assert f'src="data:image/png;base64,{PNG}"' in page
    assert "neither" not in page


@pytest.mark.parametrize(
    ("forms", "expected"),
    [
        ({"text_html": "<table><tr><td>7</td></tr></table>", "text_plain": "x"}, "<td>7</td>"),
        ({"text_markdown": "**bold**", "text_plain": "x"}, "<strong>bold</strong>"),
        ({"text_latex": "$a^2$", "text_plain": "x"}, "<msup>"),
        ({"text_latex": "\\notlatex{", "text_plain": "x"}, "notlatex"),
        ({"application_json": {"a": [1]}}, '"a": [\n'),
        ({"text_x-rst": "*rst*"}, "<pre>*rst*</pre>"),
        ({"image_png": "no base64!", "text_plain": "fallback"}, "fallback"),
        ({"image_svgxml": "<svg", "text_plain": "fallback"}, "fallback"),
        ({"text_html": "<script>x</script>", "text_plain": "Figure()"}, "Figure()"),
        ({"application_javascript": "x", "text_plain": "<Script object>"}, "&lt;Script object&gt;"),
    ],
)
def test_every_kind_of_output_has_a_form(forms: dict[str, object], expected: str) -> None:
    assert expected in converted(code("", shown(**forms))).text


def test_output_without_a_static_form_is_omitted_with_a_warning() -> None:
    result = converted(code("x = 1", shown(application_javascript="alert(1)")))
    assert "alert(1)" not in result.text
    assert result.meta["warnings"] == [
        "1 output has no form that can be shown without scripts, and was omitted.",
    ]


def test_images_of_the_web_are_links_and_missing_files_are_texts() -> None:
    text = "![lake](https://example.com/lake.png) ![map](map.png)"
    result = converted(markdown(text), code("", shown(text_html='<img src="http://example.com/a.png">')))
    tree = tree_of(result)
    assert not tree.xpath("//img")
    assert tree.xpath("//a/@href") == ["https://example.com/lake.png", "http://example.com/a.png"]
    assert "map" in text_of(result)
    assert [warning[:8] for warning in result.meta["warnings"]] == ["2 images", "1 image "]


def test_attachment_is_embedded() -> None:
    cell = markdown("![my logo](attachment:my%20logo.png)", attachments={"my logo.png": {"image/png": PNG}})
    image = tree_of(converted(cell)).xpath("//img")[0]
    assert (image.get("alt"), image.get("src")) == ("my logo", f"data:image/png;base64,{PNG}")


def test_damaged_attachment_is_not_called_a_missing_file() -> None:
    cell = markdown("![map](attachment:map.png)", attachments={"map.png": {"image/png": "bm90IGFuIGltYWdl"}})
    result = converted(cell)
    assert "map" in text_of(result)
    assert result.meta["warnings"] == ["1 image is damaged and was omitted."]


@pytest.mark.parametrize(
    ("options", "visible"),
    [
        ({}, {"code", "output", "kept"}),
        ({"hide_code": True}, {"output", "no code"}),
        ({"hide_outputs": True}, {"code", "no output", "kept"}),
        ({"remove_tags": []}, {"code", "output", "removed", "kept"}),
        ({"remove_tags": ["mine"]}, {"code", "output", "removed"}),
    ],
)
def test_parts_and_tagged_cells_are_hidden(options: dict[str, object], visible: set[str]) -> None:
    cells = (
        code("the_code", stream("the output")),
        code("code_without_output", stream("unseen output"), tags=("hide-output",)),
        code("unseen_code", stream("output without code"), tags=("remove_input",)),
        code("removed_cell", tags=("hide_cell",)),
        code("kept_cell", tags=("mine",)),
    )
    text = text_of(converted(*cells, **options))  # type: ignore[arg-type]
    found = {"code": "the_code", "output": "the output", "removed": "removed_cell", "kept": "kept_cell"}
    seen = {name for name, part in found.items() if part in text}
    assert seen == visible & found.keys()
    assert "unseen" not in text


def test_prompts_are_hidden_on_request() -> None:
    cell = code("x", count=12)
    assert "[12]" in text_of(converted(cell))
    assert "[12]" not in text_of(converted(cell, hide_prompts=True))


@pytest.mark.parametrize(
    ("cells", "metadata", "title", "expected"),
    [
        ([markdown("# From *heading*")], {"title": "From metadata"}, "From call", "From call"),
        ([markdown("# From *heading*")], {"title": "From metadata"}, None, "From metadata"),
        ([markdown("text\n\n```\n# code\n```\n\n## From *heading* ##")], {}, None, "From heading"),
        ([markdown("Underlined\n===")], {}, None, "Underlined"),
        ([markdown("text")], {}, None, "file name"),
    ],
)
def test_title_is_found(cells: list[object], metadata: dict[str, str], title: str | None, expected: str) -> None:
    content = json.dumps(book(*cells, **metadata))
    file = {"name": "file name.ipynb", "file": content.encode()}
    result = mediakit.notebook_convert(file, title=title)
    assert result.meta["title"] == expected
    assert f"<title>{expected}</title>" in result.content.decode()


def test_object_of_a_notebook_is_a_file() -> None:
    result = mediakit.notebook_convert(book(markdown("# From an object")))
    assert b"From an object</h1>" in result.content


def test_saved_widgets_are_shown_with_their_values() -> None:
    states = {
        "box": {"model_name": "VBoxModel", "state": {"children": ["IPY_MODEL_slider", "IPY_MODEL_choice"]}},
        "slider": {"model_name": "IntSliderModel", "state": {"description": "Depth", "value": 7}},
        "choice": {
            "model_name": "DropdownModel",
            "state": {"description": "Lake", "_options_labels": ["North", "South"], "index": 1},
        },
    }
    metadata = {"widgets": {"application/vnd.jupyter.widget-state+json": {"state": states}}}
    view = {"application/vnd.jupyter.widget-view+json": {"model_id": "box"}, "text/plain": "VBox()"}
    lost = {"application/vnd.jupyter.widget-view+json": {"model_id": "lost"}, "text/plain": "Lost()"}
    outputs = [{"output_type": "display_data", "data": data, "metadata": {}} for data in (view, lost)]
    result = mediakit.notebook_convert(json.dumps(book(code("w", *outputs), **metadata)).encode())
    assert isinstance(result, FileResult)
    text = re.sub(r"\s+", " ", text_of(result))
    assert "Depth 7" in text
    assert "Lake South" in text
    assert "VBox()" not in text
    assert "Lost()" in text
    assert result.meta["warnings"] == ["1 widget has no saved state; its text form is shown."]


def test_styles_of_a_table_stay_inside_of_it() -> None:
    html = "<style>#T td {background-color: #ff0000; position: fixed} body {color: red}</style><table id='T'><tr><td>1"
    page = converted(code("", shown(text_html=html))).text
    assert ".html-output-1 #T td{background-color:#ff0000}" in page
    assert ".html-output-1 body{color:red}" in page
    assert "position" not in page.partition("</head>")[2]


def test_links_between_headings_work() -> None:
    tree = tree_of(converted(markdown("# Two Words\n\n[up](#Two-Words)")))
    assert tree.xpath("//h1/@id") == ["Two-Words"]


@pytest.mark.parametrize(
    ("source", "formulas"),
    [
        ("\\begin{align}\na &= b\n\\end{align}", 1),
        ("$ \\alpha $ and $\\beta$", 2),
        ("\\\\[ x^2 \\\\] and \\\\( y \\\\)", 2),
        ("`$\\alpha$` and it costs $5 or $6", 0),
    ],
)
def test_formulas_are_found_where_jupyter_finds_them(source: str, formulas: int) -> None:
    assert converted(markdown(source)).text.count("<math") == formulas


@pytest.mark.parametrize(
    ("html", "kept"),
    [
        ('<span style="color: DarkOrange">a</span>', '<span style="color:DarkOrange">a</span>'),
        ('<font color="#0A0">a</font>', '<font color="#0A0">a</font>'),
        ('<mark style="background:#FFFF00">a</mark>', '<mark style="background:#ffff00">a</mark>'),
        ('<b style="background-color:rgb(1, 2, 3);top:0">a</b>', '<b style="background-color:rgb(1, 2, 3)">a</b>'),
        ('<div style="border: 1px solid red; padding: 4px">a</div>', 'style="border:1px solid red;padding:4px"'),
        ('<p style="text-align:center;position:absolute;z-index:9">a</p>', '<p style="text-align:center">a</p>'),
        ('<table><tr><td bgcolor="#fdd">a</td></tr></table>', '<td bgcolor="#fdd">a</td>'),
        ('<div class="alert alert-warning">a</div>', '<div class="alert alert-warning">a</div>'),
        ('<i style="background:url(https://example.com/a.png);color:red">a</i>', "<i>a</i>"),
    ],
)
def test_colors_and_boxes_of_markdown_and_of_outputs_stay(html: str, kept: str) -> None:
    text = f"Before {html} after" if not html.startswith(("<div", "<p", "<table")) else html
    result = converted(markdown(text), code("", shown(text_html=html), shown(text_markdown=text)))
    assert result.text.count(kept) == 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"to": "pdf", "theme": "dark"}, "theme: dark goes with to=html."),
        ({"to": "script", "scripts": True}, "scripts: goes with to=html."),
        ({"to": "pdf", "margin": 5, "page_numbers": True}, "page_numbers: requires margin of at least 10 mm, got 5."),
    ],
)
def test_options_that_do_not_go_together_are_errors(options: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        converted(markdown("x"), **options)  # type: ignore[arg-type]
    assert str(raised.value) == message
