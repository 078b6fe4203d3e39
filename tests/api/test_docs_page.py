"""The API documentation page in a real browser: content, calls, errors, snippets, and privacy of the key."""

import base64
import io
import json
import re
import threading
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import KW_ONLY
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pymupdf
import pytest
import uvicorn
from playwright.sync_api import Browser, FilePayload, Page, Route, expect
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

import mediakit
from mediakit.api.app import create_app
from mediakit.api.openapi import document, errors_of
from mediakit.core.inputs import Files, files_of
from mediakit.core.request import request
from mediakit.core.tool import Tool, tool
from mediakit.results.files import FileResult
from mediakit.samples import LABEL, LANDSCAPE
from mediakit.server import Server, config, listen
from mediakit.tools.catalogue import all_tools
from tests.support.docs_kit import Visit, open_visit, response_of
from tests.support.openapi_kit import json_body

pytest_plugins = ["tests.support.docs_fixtures"]
pytestmark = pytest.mark.browser

PREFIX = "/user/ann/proxy/8000"


def test_page_loads_only_from_its_server_without_console_errors(visit: Visit) -> None:
    visit.open()
    for each in all_tools():
        visit.open(each.command)
    assert {urlsplit(url).netloc for url in visit.requests if not url.startswith("data:")} == {
        urlsplit(visit.url).netloc
    }
    assert visit.console_errors == []


def as_javascript_number(value: Any) -> Any:
    """Return a number as JavaScript formats it."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


@pytest.fixture(scope="module")
def overview(browser: Browser, server: Server) -> Iterator[Page]:
    """The overview, from which each tool is opened."""
    with open_visit(browser, server.url, server.key) as visit:
        yield visit.open()


@pytest.mark.parametrize("tool", all_tools(), ids=lambda tool: tool.name)
def test_page_shows_every_field_and_error_of_tool(tool: Tool[..., Any], overview: Page) -> None:
    page = overview
    page.get_by_role("navigation").get_by_role("link", name=tool.path, exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(tool.summary.removesuffix("."))
    form = page.get_by_role("form", name=f"Try {tool.path}")
    for parameter in tool.parameters:
        expect(form.get_by_label(parameter.name, exact=True)).to_be_visible()
        text = form.locator(".field", has=page.locator(f"#field-{parameter.name}-label")).inner_text()
        assert parameter.help.replace("`", "") in text
        bounds = [parameter.minimum, parameter.maximum, *parameter.choices]
        assert all(str(bound) in text for bound in bounds if bound is not None)
        default = (
            parameter.default
            if isinstance(parameter.default, str)
            else json.dumps(as_javascript_number(parameter.default), separators=(",", ":"))
        )
        # Some defaults depend on other fields; their help says so.
        shown = text.replace('Default: "', "default ").replace("Default: ", "default ")
        assert parameter.default is None or f"default {default}" in shown
    text = page.get_by_role("main").inner_text()
    assert all(str(error.status) in text for error in errors_of(tool))
    returned = tool.produces if "binary" in tool.wire.outputs else ("application/json",)
    assert all(kind in text for kind in (*tool.spec.raw, *returned))


def test_call_shows_image_and_meta(visit: Visit) -> None:
    page = visit.open("qr")
    page.get_by_label("data", exact=True).fill("hello")
    page.get_by_label("size", exact=True).fill("300")
    visit.send()
    image = page.get_by_role("region", name="Response").get_by_role("img")
    expect(image).to_be_visible()
    assert image.evaluate("image => [image.naturalWidth, image.naturalHeight]") == [300, 300]
    expect(page.get_by_role("region", name="Response")).to_contain_text("png")
    expect(page.get_by_text("Unlimited")).to_be_visible()
    assert visit.console_errors == []


@pytest.mark.parametrize("output", ["binary", "url"])
def test_binary_and_url_output_show_image(output: str, visit: Visit) -> None:
    page = visit.open("qr")
    page.get_by_label("output", exact=True).select_option(output)
    visit.send()
    expect(page.get_by_role("region", name="Response").get_by_role("img")).to_be_visible()
    link = page.get_by_role("link", name="Download" if output == "binary" else "Open link")
    expect(link).to_have_attribute("href", re.compile("^blob:" if output == "binary" else f"^{visit.url}/files/"))


def test_selected_file_is_sent(visit: Visit) -> None:
    page = visit.open_empty("images")
    page.get_by_label("file", exact=True).set_input_files(LANDSCAPE)
    page.get_by_label("width", exact=True).fill("160")
    visit.send()
    image = page.get_by_role("region", name="Response").get_by_role("img")
    expect(image).to_be_visible()
    assert image.evaluate("image => [image.naturalWidth, image.naturalHeight]") == [160, 100]
    expect(page.get_by_role("tabpanel")).to_contain_text("-F file=@landscape.jpg")


def test_error_is_shown_at_its_field(visit: Visit) -> None:
    page = visit.open("qr")
    page.get_by_label("size", exact=True).fill("nine")
    visit.send()
    expect(page.get_by_role("alert")).to_contain_text('size: must be an integer, got "nine".')
    expect(page.get_by_label("size", exact=True)).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_label("size", exact=True)).to_be_focused()
    page.get_by_label("size", exact=True).fill("90")
    visit.send()
    expect(page.get_by_role("region", name="Response").get_by_role("img")).to_be_visible()
    expect(page.get_by_label("size", exact=True)).to_have_attribute("aria-invalid", "false")


def test_call_without_key_focuses_key_field(visit: Visit) -> None:
    page = visit.open("status")
    visit.send(key="")
    expect(page.get_by_role("alert")).to_contain_text("Missing API key.")
    expect(page.get_by_label("API key")).to_be_focused()


def test_key_is_not_stored(visit: Visit) -> None:
    page = visit.open("qr")
    visit.send()
    expect(page.get_by_role("region", name="Response").get_by_role("img")).to_be_visible()
    for language in ("curl", "Python", "JavaScript"):
        page.get_by_role("tab", name=language).click()
        assert visit.key not in page.get_by_role("tabpanel").inner_text()
    assert page.evaluate("[localStorage.length, sessionStorage.length, document.cookie]") == [0, 0, ""]
    assert visit.key not in page.url
    page.reload()
    expect(page.get_by_label("API key")).to_have_value("")


def test_snippets_follow_form_values(visit: Visit) -> None:
    page = visit.open("qr")
    page.get_by_label("data", exact=True).fill("it's")
    page.get_by_label("ecc", exact=True).select_option("H")
    code = page.get_by_role("tabpanel")
    expect(code).to_contain_text("""-d '{"data":"it'\\''s","ecc":"H","output":"binary"}'""")
    page.get_by_role("tab", name="curl").press("ArrowRight")
    expect(page.get_by_role("tab", name="Python")).to_be_focused()
    expect(code).to_contain_text('client.qr(data="it\'s", ecc="H")')
    page.get_by_role("tab", name="JavaScript").click()
    expect(code).to_contain_text(f'fetch("{visit.url}/qr"')


def test_filename_suffix_matches_media_type(visit: Visit) -> None:
    page = visit.open("pdf")
    page.get_by_label("format", exact=True).select_option("A5")
    expect(page.get_by_role("tabpanel")).to_contain_text("-o pdf.pdf")
    visit.send()
    expect(page.get_by_role("link", name="Download")).to_have_attribute("download", "pdf.pdf")
    page = visit.open("qr")
    page.get_by_label("format", exact=True).select_option("svg")
    expect(page.get_by_role("tabpanel")).to_contain_text("-o qr.svg")


def test_html_in_openapi_document_is_shown_as_text(visit: Visit) -> None:
    evil = "<img src=x onerror=alert(1)>"
    description = document(all_tools())
    operation = description["paths"]["/qr"]["post"]
    operation |= {"summary": evil, "description": evil}
    json_body(description, "/qr")["properties"]["data"]["description"] = evil

    def fulfill(route: Route) -> None:
        route.fulfill(json=description)

    visit.page.route("**/openapi.json", fulfill)
    page = visit.open("qr")
    expect(page.get_by_role("heading", level=1)).to_have_text(evil)
    expect(page.get_by_text(evil)).to_have_count(3)
    expect(page.get_by_role("main").locator("img")).to_have_count(0)


def test_page_fits_narrow_screen(browser: Browser, server: Server) -> None:
    narrow = {"viewport": {"width": 400, "height": 800}}
    with open_visit(browser, server.url, server.key, **narrow) as visit:
        for tool in ("", *(tool.command for tool in all_tools())):
            page = visit.open(tool)
            assert page.evaluate("document.documentElement.scrollWidth") == 400


def test_page_works_below_proxy_prefix(browser: Browser, server: Server) -> None:
    with run_behind_proxy() as url, open_visit(browser, url, server.key) as visit:
        page = visit.open("qr")
        visit.send()
        expect(page.get_by_role("region", name="Response").get_by_role("img")).to_be_visible()
        panel = page.get_by_role("tabpanel")
        expect(panel).to_contain_text("# Run this where the notebook runs")
        expect(panel).to_contain_text(f"curl http://127.0.0.1:{PREFIX.rpartition('/')[2]}/qr")
        assert visit.console_errors == []


@request
class CountRequest:
    """Files to count."""

    files: Files
    """The files."""
    _: KW_ONLY
    label: str = "files"
    """A label."""


@tool(CountRequest, tag="Data", produces=("text/plain",))
async def count(request: CountRequest) -> FileResult:
    """Count files."""
    names = ", ".join(file.name for file in files_of(request.files))
    return FileResult(b"", "text/plain", "count.txt", {"label": request.label, "names": names})


def test_several_files_are_sent_with_their_names(browser: Browser, server: Server) -> None:
    with run_behind_proxy(count) as url, open_visit(browser, url, server.key) as visit:
        page = visit.open("count")
        expect(page.get_by_role("tabpanel")).to_contain_text("-F files=@a.pdf")
        page.get_by_label("files", exact=True).set_input_files([LANDSCAPE, LABEL])
        page.get_by_label("label", exact=True).fill("two")
        visit.send()
        expect(page.get_by_role("region", name="Response")).to_contain_text("landscape.jpg, label.png")
        code = page.get_by_role("tabpanel")
        expect(code).to_contain_text("-F files=@landscape.jpg")
        expect(code).to_contain_text("-F files=@label.png")
        expect(code).to_contain_text("--form-string label=two")
        page.get_by_role("tab", name="JavaScript").click()
        expect(code).to_contain_text('form.append("files", await openAsBlob("label.png"), "label.png");')
        assert visit.console_errors == []


def file_named(name: str, content: bytes, media_type: str = "") -> FilePayload:
    return {"name": name, "mimeType": media_type, "buffer": content}


@pytest.fixture(scope="module")
def two_pdfs() -> list[FilePayload]:
    return [file_named(f"{text}.pdf", mediakit.pdf(f"<h1>{text}</h1>").content) for text in ("first", "second")]


def test_pdf_merge_merges_files_in_the_order_of_the_list(visit: Visit, two_pdfs: list[FilePayload]) -> None:
    page = visit.open_empty("pdf-merge")
    chooser = page.get_by_label("files", exact=True)
    for each in (*two_pdfs, file_named("third.pdf", b"")):
        chooser.set_input_files(each)
    names = page.get_by_role("list", name="Files of files").locator(".file-name")
    expect(names).to_have_text(["first.pdf", "second.pdf", "third.pdf"])
    expect(page.get_by_role("button", name="Move first.pdf up")).to_be_disabled()
    page.get_by_role("button", name="Remove third.pdf").click()
    page.get_by_role("button", name="Move second.pdf up").click()
    expect(names).to_have_text(["second.pdf", "first.pdf"])
    visit.send()
    expect(response_of(page).get_by_role("link", name="Open the PDF")).to_have_attribute("href", re.compile("^blob:"))
    link = response_of(page).get_by_role("link", name="Download")
    expect(link).to_have_attribute("download", "pdf-merge.pdf")
    with page.expect_download() as download:
        link.click()
    with pymupdf.open(download.value.path()) as pdf:  # type: ignore[no-untyped-call]
        assert [sheet.get_text().strip() for sheet in pdf] == ["second", "first"]
    assert visit.console_errors == []


def test_snippets_of_pdf_merge_pass_list_of_files_and_hide_password(visit: Visit, two_pdfs: list[FilePayload]) -> None:
    page = visit.open("pdf-merge")
    page.get_by_label("files", exact=True).set_input_files([two_pdfs[0], file_named("b;2.pdf", two_pdfs[1]["buffer"])])
    page.get_by_label("toc", exact=True).check()
    password = page.get_by_label("password", exact=True)
    expect(password).to_have_attribute("type", "password")
    password.fill("hunter2")
    code = page.get_by_role("tabpanel")
    assert code.inner_text().split(" \\\n  ")[2:] == [
        "-F files=@first.pdf",
        """-F 'files=@"b;2.pdf"'""",
        "--form-string toc=true",
        "--form-string password=...",
        "-o pdf-merge.pdf",
    ]
    page.get_by_role("tab", name="Python").click()
    expect(code).to_contain_text('files=[Path("first.pdf"), Path("b;2.pdf")]')
    expect(code).to_contain_text('password="..."')
    page.get_by_role("tab", name="JavaScript").click()
    expect(code).to_contain_text('form.append("files", await openAsBlob("first.pdf"), "first.pdf");')
    expect(code).to_contain_text('form.append("password", "...");')
    assert "hunter2" not in page.content()


def test_file_above_limit_is_not_sent(visit: Visit, tmp_path: Path) -> None:
    large = tmp_path / "large.pdf"
    with large.open("wb") as file:
        file.truncate(20 * 1024 * 1024 + 1)
    page = visit.open("pdf-merge")
    expect(page.get_by_text("up to 20 files, at most 20 MB each")).to_be_visible()
    page.get_by_label("files", exact=True).set_input_files(large)
    visit.send()
    expect(page.get_by_role("alert")).to_contain_text("files: must be at most 20 MB, got 21.0 MB in large.pdf.")
    assert not any(url.endswith("/pdf-merge") for url in visit.requests)


TABLE = "id;price\n007;1,50\n008;2,25\n"


def convert_table(visit: Visit, **options: str) -> Page:
    page = visit.open("data-convert")
    page.get_by_label("file", exact=True).set_input_files(file_named("été 1.csv", TABLE.encode(), "text/csv"))
    for name, value in options.items():
        page.get_by_label(name, exact=True).select_option(value)
    visit.send()
    expect(response_of(page).get_by_role("link", name="Download")).to_be_visible()
    return page


@pytest.mark.parametrize("options", [{}, {"output": "binary"}], ids=["json", "binary"])
def test_data_convert_shows_json_file_as_text_with_its_name(options: dict[str, str], visit: Visit) -> None:
    page = convert_table(visit, **options)
    expect(response_of(page).get_by_role("columnheader")).to_have_text(["id", "price"])
    expect(response_of(page).get_by_role("cell")).to_have_text(["007", "1.5", "008", "2.25"])
    response_of(page).get_by_role("button", name="Text").click()
    shown = json.loads(response_of(page).locator("pre").inner_text())
    assert shown == [{"id": "007", "price": 1.5}, {"id": "008", "price": 2.25}]
    expect(response_of(page).get_by_role("link", name="Download")).to_have_attribute("download", "été 1.json")
    expect(response_of(page)).to_contain_text("id, price")
    assert visit.console_errors == []


def test_data_convert_shows_html_as_text(visit: Visit) -> None:
    page = convert_table(visit, to="html")
    expect(response_of(page).locator("pre")).to_contain_text("<table>")
    expect(response_of(page).locator("table")).to_have_count(0)


def test_data_convert_offers_workbook_for_download(visit: Visit) -> None:
    page = convert_table(visit, to="xlsx")
    expect(page.get_by_role("tabpanel")).to_contain_text("-F 'file=@été 1.csv'")
    expect(page.get_by_role("tabpanel")).to_contain_text("--form-string to=xlsx")
    expect(page.get_by_role("tabpanel")).to_contain_text("-o data-convert.xlsx")
    with page.expect_download() as download:
        response_of(page).get_by_role("link", name="Download").click()
    assert download.value.suggested_filename == "été 1.xlsx"
    assert download.value.path().read_bytes().startswith(b"PK")


def test_rows_are_sent_as_json(visit: Visit) -> None:
    page = visit.open_empty("data-convert")
    page.get_by_label("rows", exact=True).fill('[{"a": 1, "b": 2}]')
    page.get_by_label("columns", exact=True).fill('[{"name": "b", "as": "c"}]')
    page.get_by_label("to", exact=True).select_option("csv")
    visit.send()
    expect(response_of(page).get_by_role("columnheader")).to_have_text(["c"])
    expect(response_of(page).get_by_role("cell")).to_have_text(["2"])


def test_response_with_data_shows_its_fields(visit: Visit) -> None:
    page = visit.open("code-reader")
    page.get_by_label("file", exact=True).set_input_files(
        file_named("code.png", mediakit.qr("hello").content, "image/png")
    )
    visit.send()
    expect(response_of(page).get_by_role("row")).to_contain_text(["format", "hello"])
    response_of(page).get_by_role("button", name="JSON").click()
    expect(response_of(page).locator("pre")).to_contain_text('"text": "hello"')


def test_output_with_one_choice_is_not_shown(visit: Visit) -> None:
    description = document(all_tools())
    json_body(description, "/code-reader")["properties"]["output"]["enum"] = ["json"]
    visit.page.route("**/openapi.json", lambda route: route.fulfill(json=description))
    page = visit.open("code-reader")
    expect(page.get_by_label("max_codes", exact=True)).to_be_visible()
    expect(page.get_by_label("output", exact=True)).to_have_count(0)


def test_warnings_are_shown_above_meta(visit: Visit) -> None:
    visit.page.route(
        "**/qr",
        lambda route: route.fulfill(
            json={
                "success": True,
                "url": "https://example.com/page",
                "image": base64.b64encode(mediakit.qr("hello").content).decode(),
                "mime_type": "image/png",
                "meta": {"warnings": ["low contrast"], "sheet": None, "used": 1, "remaining": 1, "unlimited": False},
            }
        ),
    )
    page = visit.open("qr")
    visit.send()
    expect(page.get_by_role("list", name="Warnings")).to_have_text("low contrast")
    expect(response_of(page).locator("dt", has_text="sheet")).to_have_count(0)


def test_files_of_zip_are_listed(visit: Visit) -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("page-1.png", b"x" * 1500)
        file.writestr("größe/page-2.png", b"y")
        file.comment = b"made by a test"
    headers = {"content-disposition": 'attachment; filename="pages.zip"', "content-type": "application/zip"}
    visit.page.route("**/qr", lambda route: route.fulfill(body=archive.getvalue(), headers=headers))
    page = visit.open("qr")
    visit.send()
    entries = response_of(page).get_by_role("list", name="Files of the ZIP file").get_by_role("listitem")
    expect(entries).to_have_text(["page-1.png1.5 kB", "größe/page-2.png1 B"])
    expect(response_of(page).get_by_role("link", name="Download")).to_have_attribute("download", "pages.zip")


def test_csv_file_is_shown_as_table_and_text(visit: Visit) -> None:
    content = 'name,note,total\r\nAna,"a ""b"", c",1.5\r\nBen,"two\nlines",20\r\n'
    headers = {"content-disposition": 'attachment; filename="t.csv"', "content-type": "text/csv"}
    visit.page.route("**/qr", lambda route: route.fulfill(body=content, headers=headers))
    page = visit.open("qr")
    visit.send()
    expect(response_of(page).get_by_role("columnheader")).to_have_text(["name", "note", "total"])
    expect(response_of(page).get_by_role("cell")).to_have_text(["Ana", 'a "b", c', "1.5", "Ben", "two lines", "20"])
    response_of(page).get_by_role("button", name="Text").click()
    expect(response_of(page).locator("pre")).to_contain_text('Ana,"a ""b"", c",1.5')


def test_link_in_data_is_not_decoded_as_image(visit: Visit) -> None:
    visit.page.route(
        "**/web-to-markdown",
        lambda route: route.fulfill(
            json={"success": True, "content": "# Hi", "image": "https://example.com/a.png", "meta": {"used": 1}}
        ),
    )
    page = visit.open("web-to-markdown")
    visit.send()
    expect(response_of(page)).to_contain_text("https://example.com/a.png")
    expect(response_of(page).get_by_role("img")).to_have_count(0)


def test_overview_groups_tools_by_tag_in_order(visit: Visit) -> None:
    page = visit.open()
    tags = [*dict.fromkeys(tool.spec.tag for tool in all_tools()), "Account"]
    expect(page.get_by_role("main").locator(".group h2")).to_have_text(tags)
    expect(page.get_by_role("navigation").locator("h2")).to_have_text(tags)


def test_narrow_screen_selects_page_from_list(browser: Browser, server: Server) -> None:
    narrow = {"viewport": {"width": 400, "height": 800}}
    with open_visit(browser, server.url, server.key, **narrow) as visit:
        page = visit.open()
        page.get_by_label("Page", exact=True).select_option("/pdf-merge")
        expect(page.get_by_role("heading", level=1)).to_have_text("Merge PDFs and images into one PDF")
        expect(page.get_by_label("Page", exact=True)).to_have_value("/pdf-merge")


class StripPrefix:
    """Serves an app below a path prefix, which is removed from its requests, like a proxy."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
        elif scope["path"].startswith(PREFIX):
            path = scope["path"].removeprefix(PREFIX)
            await self.app({**scope, "path": path, "raw_path": path.encode()}, receive, send)
        else:
            await Response(status_code=404)(scope, receive, send)


@contextmanager
def run_behind_proxy(*tools: Tool[..., Any]) -> Iterator[str]:
    sock = listen("127.0.0.1", 0)
    app = create_app(tools=tools) if tools else create_app()
    running = uvicorn.Server(config(StripPrefix(app)))
    thread = threading.Thread(target=running.run, kwargs={"sockets": [sock]})
    thread.start()
    while not running.started:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{sock.getsockname()[1]}{PREFIX}"
    running.should_exit = True
    thread.join()
