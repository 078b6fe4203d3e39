"""Samples on the documentation page: each tool opens with values that work, and its response is displayed."""

import base64
import io
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from mediakit import samples
from mediakit.core.tool import Tool
from mediakit.server import Server
from mediakit.tools.catalogue import all_tools
from tests.support.docs_kit import Visit, open_visit, response_of
from tests.support.web_page import URL

pytest_plugins = ["tests.support.docs_fixtures"]
pytestmark = pytest.mark.browser

SAMPLES = Path(samples.__file__).parent


@pytest.fixture(scope="module")
def samples_visit(browser: Browser, server: Server) -> Iterator[Visit]:
    """A visit in which each tool is opened once."""
    with open_visit(browser, server.url, server.key) as visit:
        replace_public_address(visit.page)
        yield visit


def replace_public_address(page: Page) -> None:
    """Replace https://example.com in samples, because tests have no access to the internet."""

    def fulfill(route: Route) -> None:
        document = json.loads(route.fetch().text())
        for methods in document["paths"].values():
            content = methods.get("post", {}).get("requestBody", {}).get("content", {})
            for example in content.get("application/json", {}).get("examples", {}).values():
                if "url" in example["value"]:
                    example["value"]["url"] = URL
        route.fulfill(json=document)

    page.route("**/openapi.json", fulfill)


@pytest.mark.parametrize("tool", all_tools(), ids=lambda tool: tool.name)
def test_first_sample_of_tool_succeeds_and_displays(tool: Tool[..., Any], samples_visit: Visit) -> None:
    samples_visit.console_errors.clear()
    page = samples_visit.open(tool.command)
    expect(page.get_by_role("form", name=f"Try {tool.path}")).to_be_visible()
    with page.expect_response(f"**{tool.path}") as answer:
        samples_visit.send()
    assert answer.value.status == 200
    response = response_of(page)
    expect(response).to_have_attribute("aria-busy", "false")
    body = answer.value.json()
    if "image" in body and not tool.wire.is_data:  # the image of web_to_markdown is an address
        expect(response.get_by_role("img")).to_be_visible()
        assert response.get_by_role("img").evaluate("image => image.decode().then(() => image.naturalWidth)") > 100
    elif "pdf" in body:
        # Chromium's headless shell has no PDF viewer, like browsers of phones; there the page links to the PDF.
        has_viewer = page.evaluate("navigator.pdfViewerEnabled")
        shown = response.locator("iframe") if has_viewer else response.get_by_role("link", name="Open the PDF")
        expect(shown).to_have_attribute("src" if has_viewer else "href", re.compile("^blob:"))
    elif body.get("mime_type") == "application/zip":
        with ZipFile(io.BytesIO(base64.b64decode(body["file"]))) as archive:
            names = archive.namelist()
        assert names
        expect(response.get_by_role("list", name="Files of the ZIP file").locator(".file-name")).to_have_text(names)
    elif tool.wire.is_data:
        expect(response.get_by_role("term").first).to_be_visible()
    elif body.get("mime_type", "").partition(";")[0] in ("text/plain", "text/html"):
        expect(response.locator("pre").first).to_be_visible()
    else:
        expect(response.get_by_role("table")).to_be_visible()
    assert samples_visit.console_errors == []


def test_data_with_pdf_shows_the_pdf_and_the_fields(visit: Visit) -> None:
    page = visit.open("pdf-form")
    page.get_by_role("button", name="A filled form", exact=True).click()
    visit.send()
    response = response_of(page)
    expect(response.get_by_role("link", name="Download")).to_have_attribute("download", "pdf-form.pdf")
    response.get_by_role("button", name="Fields").click()
    expect(response.get_by_role("row").nth(1)).to_be_visible()
    expect(response.get_by_role("term").filter(has_text=re.compile("^pdf$"))).to_have_count(0)
    assert visit.console_errors == []


@pytest.mark.parametrize("tool", ["pdf-form", "pdf-info"])
def test_code_of_data_with_optional_pdf_saves_no_pdf(tool: str, visit: Visit) -> None:
    page = visit.open(tool)
    expect(page.locator(".file-name").first).to_be_visible()
    expect(page.get_by_role("tabpanel")).to_contain_text(f"/{tool}")
    expect(page.get_by_role("tabpanel")).not_to_contain_text("-o ")


def test_status_shows_fields_of_account(visit: Visit) -> None:
    page = visit.open("status")
    visit.send()
    expect(response_of(page).get_by_role("term").first).to_have_text("plan")
    expect(response_of(page)).to_contain_text("unlimited")


def test_sample_files_are_downloads_and_own_files_replace_them(visit: Visit) -> None:
    page = visit.open("pdf-merge")
    names = page.get_by_role("list", name="Files of files").locator(".file-name")
    expect(names).to_have_text(["report.pdf", "landscape.jpg"])
    with page.expect_download() as download:
        names.first.click()
    assert download.value.path().read_bytes() == samples.REPORT.read_bytes()
    page.get_by_label("files", exact=True).set_input_files(samples.LOGO)
    expect(names).to_have_text(["logo.png"])
    page.get_by_label("files", exact=True).set_input_files(samples.LABEL)
    expect(names).to_have_text(["logo.png", "label.png"])


def test_sample_button_fills_form_and_is_marked(visit: Visit) -> None:
    page = visit.open("qr")
    expect(page.get_by_role("button", name="A link", pressed=True)).to_be_visible()
    page.get_by_role("button", name="Brand colors").click()
    expect(page.get_by_role("button", name="Brand colors", pressed=True)).to_be_visible()
    expect(page.get_by_label("dark", exact=True)).to_have_value("#0f3d3e")
    page.get_by_role("button", name="Empty form").click()
    expect(page.get_by_label("data", exact=True)).to_have_value("")


COMMANDS = {
    "curl": ["bash", "-ec"],
    "JavaScript": ["node", "--input-type=module", "--eval"],
    "Python": [sys.executable, "-c"],
}


@pytest.mark.parametrize("language", COMMANDS)
@pytest.mark.parametrize(
    ("tool", "output"),
    [("chart", "chart.png"), ("images", "images.jpg"), ("pdf-merge", "pdf-merge.pdf"), ("code-reader", "")],
)
def test_code_of_first_sample_runs(tool: str, output: str, language: str, visit: Visit, tmp_path: Path) -> None:
    command = COMMANDS[language]
    if not shutil.which(command[0]):
        pytest.skip(f"{command[0]} is not installed")
    page = visit.open(tool)
    if tool != "chart":
        expect(page.locator(".file-name").first).to_be_visible()
    page.get_by_role("tab", name=language).click()
    code = page.get_by_role("tabpanel").inner_text()
    for name in ("landscape.jpg", "report.pdf", "label.png"):
        shutil.copy(SAMPLES / name, tmp_path)
    environment = {**os.environ, "MEDIAKIT_API_KEY": visit.key}
    done = subprocess.run([*command, code], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    if output:
        assert (tmp_path / output).stat().st_size > 1000
    else:
        assert "jam/blueberry" in done.stdout
