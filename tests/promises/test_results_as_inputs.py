"""Every kind of result goes into every kind of input, or is an error of one line that names the way.

The documentation has the same matrix (docs/inputs.md), made of `core.media` and of what the fields state.
"""

import json
import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import pytest

import mediakit
from mediakit.core.media import TABLE_FILES, WAYS, FileKind, is_text, kind_of
from mediakit.errors import InvalidInput
from mediakit.samples import ARCHIVE, FORM, LABEL
from mediakit.tools.catalogue import all_tools

PAGE = f"<title>Tea</title><h1>Tea</h1><p>{'Boil the water. ' * 20}</p>"
ROWS = [{"city": "Berlin", "visits": 1}, {"city": "Lisbon", "visits": 2}]

CODE = cache(lambda: mediakit.qr("tea", size=100))
PAGES = cache(lambda: mediakit.pdf_merge([CODE(), CODE()]))

RESULTS: dict[str, tuple[FileKind, Callable[[], Any]]] = {
    "image": ("image", CODE),
    "animation": ("image", cache(lambda: mediakit.image_animate([CODE(), mediakit.qr("milk", size=100)]))),
    "chart": ("image", cache(lambda: mediakit.chart("bar", ROWS, width=200, height=200))),
    "SVG": ("svg", cache(lambda: mediakit.qr("tea", format="svg"))),
    "PDF": ("pdf", PAGES),
    "file": ("document", cache(lambda: mediakit.markdown_convert("# Tea", to="docx"))),
    "several files": ("archive", cache(lambda: mediakit.pdf_split(PAGES(), every=1))),
    "text": ("text", cache(lambda: mediakit.text_repair(text="CafÃ©"))),
    "HTML page": ("html", cache(lambda: mediakit.markdown_convert("# Tea\n\nBoil the water."))),
    "Markdown": ("markdown", cache(lambda: mediakit.web_to_markdown(html=PAGE))),
    "table": ("table", cache(lambda: mediakit.data_convert(rows=ROWS, to="csv"))),
    "query": ("data", cache(lambda: mediakit.data_query(rows=ROWS, sql="SELECT * FROM data"))),
    "query with a file": ("table", cache(lambda: mediakit.data_query(rows=ROWS, sql="FROM data", format="csv"))),
    "data": ("data", cache(lambda: mediakit.image_info(CODE()))),
    "verdict": ("data", cache(lambda: mediakit.validate_email("a@example.com"))),
    "verdicts": ("data", cache(lambda: mediakit.validate_email(["a@example.com", "b"]))),
}
"""Each kind of result, with the kind of its file."""

INPUTS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "text": ("file_encode", "text", {}),
    "text of a tool": ("text_repair", "text", {}),
    "html": ("web_to_markdown", "html", {}),
    "html of a template": ("mail_merge", "html", {"rows": ROWS}),
    "markdown": ("markdown_convert", "markdown", {}),
    "file": ("file_info", "file", {}),
    "document": ("document_to_markdown", "file", {}),
    "files": ("zip", "files", {}),
    "PDFs and images": ("pdf_merge", "files", {}),
    "table": ("data_convert", "file", {}),
    "table in SQL": ("data_query", "file", {"sql": "SELECT count(*) FROM data"}),
    "rows of a merge": ("mail_merge", "rows", {"html": "<p>Tea</p>"}),
    "image": ("images", "file", {"width": 5}),
    "image or PDF": ("code_reader", "file", {}),
    "pdf": ("pdf_info", "file", {}),
}
"""A tool for each kind of input, the field, and the other values of the call."""

BUILT = {"mail_merge"}
"""Tools that need a browser: the requests are made, and not run."""


def call(tool: str, **values: Any) -> Any:
    made = getattr(mediakit, tool)
    return made.build(**values) if tool in BUILT else made(**values)


def taken(tool: str, field: str) -> Sequence[FileKind]:
    return next(each.takes for each in getattr(mediakit, tool).parameters if each.name == field)


@pytest.mark.parametrize("result", RESULTS)
@pytest.mark.parametrize("place", INPUTS)
def test_result_is_accepted_or_the_error_names_the_way(place: str, result: str) -> None:
    tool, field, values = INPUTS[place]
    kind, make = RESULTS[result]
    takes = TABLE_FILES if field == "rows" else taken(tool, field)
    files = list(make()) if field == "files" and isinstance(make(), Sequence) else [make()]
    kinds = {kind_of(each._saved().mime_type) for each in files}
    assert kind in kinds or len(files) > 1
    if not takes or kinds <= set(takes):
        assert call(tool, **{field: make()}, **values)
        return
    with pytest.raises(InvalidInput) as error:
        call(tool, **{field: make()}, **values)
    way = WAYS[takes[0]]["table" if kind == "data" else kind]
    assert re.fullmatch(
        rf"{field}: must be .*, got {type(make()).__name__}( \(an? [\w ]+\))?\. {re.escape(way)}", str(error.value)
    )


@pytest.mark.parametrize("result", RESULTS)
def test_page_for_the_browser_is_html_svg_markdown_or_text(result: str) -> None:
    kind, make = RESULTS[result]
    for tool in (mediakit.pdf, mediakit.capture):
        if kind in ("html", "svg", "markdown", "text"):
            assert tool.build(html=make()).html
        else:
            with pytest.raises(InvalidInput, match=re.escape(WAYS["html"]["table" if kind == "data" else kind])):
                tool.build(html=make())


@pytest.mark.parametrize("result", RESULTS)
def test_url_does_not_take_a_result(result: str) -> None:
    with pytest.raises(
        InvalidInput, match=r"^url: must be the URL of a web page, got an? \w+\. mediakit\.capture renders HTML\.$"
    ):
        mediakit.screenshot.build(url=RESULTS[result][1]())


@pytest.mark.parametrize("result", RESULTS)
def test_short_text_is_the_text_of_a_result(result: str) -> None:
    kind, make = RESULTS[result]
    if is_text(make()._saved().mime_type):
        assert mediakit.file_encode.build(text="x", encoding="base64")
        try:
            assert mediakit.qr.build(data=make()).data
        except InvalidInput as error:
            assert str(error).startswith("data: must have at most 1500 characters")  # noqa: PT017
    else:
        with pytest.raises(InvalidInput, match=re.escape(WAYS["text"][kind])):
            mediakit.qr.build(data=make())


@pytest.mark.parametrize("result", RESULTS)
def test_chart_table_image_and_batch_take_tables(result: str) -> None:
    kind, make = RESULTS[result]
    draws: list[Callable[[], Any]] = [
        lambda: mediakit.chart.build("bar", make()),
        lambda: mediakit.table_image(make()),
        lambda: mediakit.batch("qr", make(), ignore="rest", size=100, data="tea"),
    ]
    for draw in draws:
        if result in ("table", "query", "query with a file"):
            assert draw()
            continue
        try:
            draw()
        except InvalidInput as error:
            assert "\n" not in str(error)  # noqa: PT017
            assert kind in TABLE_FILES or str(error).endswith(WAYS["table"][kind])  # noqa: PT017
        else:
            assert kind in TABLE_FILES


def test_batch_of_results_is_files_and_a_table_and_otherwise_an_error_of_one_line() -> None:
    batch = mediakit.batch("qr", {"tea": "t", "milk": "m"}, size=100)
    about = mediakit.batch("image_info", batch)
    assert mediakit.pdf_merge(batch).pages == 2
    assert mediakit.chart.build("bar", about, x="result", y="width").labels == ["tea", "milk"]
    assert mediakit.data_convert(about, "csv").text.startswith("result,format,")
    wrong: list[Callable[[], Any]] = [
        lambda: mediakit.images(batch, width=5),
        lambda: mediakit.pdf_info(batch),
        lambda: mediakit.data_convert(batch),
        lambda: mediakit.markdown_convert(batch),  # type: ignore[call-overload]
    ]
    for each in wrong:
        with pytest.raises(InvalidInput, match=r"^[^\n]*(Pass one of them|the results are files)[^\n]*$"):
            each()


def test_every_field_that_is_a_file_or_a_whole_text_states_what_it_takes() -> None:
    free = {"zip.files", "unzip.file", "file_info.file", "file_encode.file", "text_repair.file", "pdf_info.attach"}
    told = {"mail_merge.rows", "notebook_convert.file", "data_query.files"}  # other functions read or refuse them
    silent = {
        f"{tool.name}.{each.name}"
        for tool in all_tools()
        for each in tool.parameters
        if each.is_file and not each.takes
    }
    assert silent == free | told


def test_rows_of_codes_fields_and_entries_are_those_of_their_frame() -> None:
    made = mediakit.code_reader(LABEL), mediakit.pdf_form(FORM), mediakit.unzip(ARCHIVE, list_only=True)
    for result in made:
        columns = list(result.to_frame().columns)
        written = mediakit.data_convert(result, "jsonl").text.splitlines()
        assert len(written) == len(result.to_frame()) > 0
        assert set(json.loads(written[0])) >= {columns[0]}
