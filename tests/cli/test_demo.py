"""`mediakit demo`: a page of every example of every tool, opened in a browser."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser, Page, expect

import mediakit
from mediakit.cli import main
from mediakit.core.tool import Example
from mediakit.engines import browser as browser_engine
from mediakit.tools import catalogue
from tests.support.axe import serious_findings

pytest_plugins = ["tests.support.docs_fixtures"]
pytestmark = [pytest.mark.browser, pytest.mark.timeout(400)]

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the page that `make demo` wrote if no file of the package is newer, otherwise that of a new demo."""
    page = ROOT / "demo" / "index.html"
    sources = [path for path in (ROOT / "mediakit").rglob("*") if path.suffix != ".pyc" and path.is_file()]
    if not page.exists() or page.stat().st_mtime < max(path.stat().st_mtime for path in sources):
        folder = tmp_path_factory.mktemp("demo")
        page = folder / "index.html"
        subprocess.run([sys.executable, "-m", "mediakit", "demo", str(folder)], capture_output=True)
    return page


@pytest.fixture
def page(browser: Browser, index: Path) -> Iterator[Page]:
    """Open the page without a network."""
    with browser.new_context(offline=True) as context:
        opened = context.new_page()
        opened.goto(index.as_uri())
        yield opened


def test_page_has_every_example_with_its_call(page: Page) -> None:
    expected = [
        (tool.name, example.title, f"mediakit.{tool.name}(")
        for tool in catalogue.all_tools()
        for example in tool.examples
    ]
    found = page.locator("figure").evaluate_all(
        "all => all.map(each => [each.closest('.tool').querySelector('h3').innerText,"
        " each.querySelector('h4').innerText, each.querySelector('code').innerText.split('(')[0] + '('])"
    )
    assert [tuple(each) for each in found] == expected
    assert page.locator("figure.failed").all_inner_texts() == []


def test_page_loads_every_preview_from_its_folder(browser: Browser, index: Path) -> None:
    problems: list[str] = []
    requested: list[str] = []
    with browser.new_context() as context:
        page = context.new_page()
        page.on("console", lambda message: problems.append(message.text))
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("requestfailed", lambda request: problems.append(request.url))
        page.on("request", lambda request: requested.append(request.url))
        page.goto(index.as_uri())
        page.evaluate("document.querySelectorAll('img, iframe').forEach(each => { each.loading = 'eager'; })")
        page.wait_for_load_state("networkidle")
        broken = page.locator("img").evaluate_all(
            "all => Promise.all(all.map(each => each.decode().then(() => '', () => each.src)))"
        )
        empty = [
            frame.url
            for frame in page.frames[1:]
            if frame.parent_frame is page.main_frame and not frame.locator("body").inner_text().strip()
        ]
        links = page.locator("main a").evaluate_all("all => all.map(each => each.getAttribute('href'))")
    assert problems == []
    assert [url for url in requested if not url.startswith(("file:", "data:"))] == []
    assert [each for each in broken if each] == []
    assert empty == []
    assert [link for link in links if not link.startswith("#") and not (index.parent / unquote(link)).is_file()] == []


@pytest.mark.parametrize(
    ("words", "tools"),
    [
        ("merge pdfs", {"pdf_merge"}),
        ("IBAN", {"validate_iban"}),
        ("timeline", {"chart"}),
        ("no such thing", set()),
    ],
)
def test_search_shows_examples_that_have_all_words(page: Page, words: str, tools: set[str]) -> None:
    page.keyboard.press("/")
    page.keyboard.type(words)
    assert set(page.locator(".tool:visible h3").all_inner_texts()) == tools
    assert page.get_by_text("No example matches.").is_visible() is not bool(tools)
    count = page.locator("figure:visible").count()
    expect(page.get_by_role("status")).to_contain_text(f"{count} example")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_page_has_no_serious_accessibility_finding(browser: Browser, index: Path, scheme: str) -> None:
    with browser.new_context(color_scheme="dark" if scheme == "dark" else "light", bypass_csp=True) as context:
        page = context.new_page()
        page.goto(index.as_uri())
        assert serious_findings(page, rules=["color-contrast"] if scheme == "dark" else []) == []


def test_failing_example_is_reported_and_the_page_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browser_engine, "configure", lambda _: None)
    monkeypatch.setattr(catalogue, "all_tools", lambda: (mediakit.qr,))
    examples = (Example("Fine", {"data": "hi"}), Example("Too small", {"data": "hi", "size": 1}))
    monkeypatch.setattr(mediakit.qr, "examples", examples)
    ran = CliRunner().invoke(main, ["demo", str(tmp_path)])
    message = "InvalidInput: size: must be between 64 and 2000, got 1."
    assert (ran.exit_code, ran.stderr) == (1, f'  qr 2 "Too small": {message}\n')
    html = (tmp_path / "index.html").read_text("utf-8")
    assert html.count("\n<figure") == 2
    assert message in html
    assert (tmp_path / "qr-1.png").is_file()
