"""The documentation site that `make docs` builds: complete, without dead links, offline, and usable by everybody."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import httpx
import pytest
from click.testing import CliRunner
from lxml import html
from playwright.sync_api import Browser, Page, expect

from mediakit.api.openapi import SERVICE_TOOLS
from mediakit.cli import main
from mediakit.core.tool import Tool
from mediakit.installation import site_folder
from mediakit.server import Server
from mediakit.tools.catalogue import all_tools
from mediakit.tools.tasks import RECIPES
from tests.support.axe import serious_findings

pytest_plugins = ["tests.support.docs_fixtures"]

SITE = site_folder() or Path()
pytestmark = pytest.mark.skipif(not site_folder(), reason="the site is not built; run make docs")

LOOKED_AT = (
    *("docs/index", "docs/gallery", "docs/tasks", "docs/tools/qr", "docs/tools/pdf-extract", "docs/speed"),
    *("notebooks/12_data", "notebooks/13_class", "notebooks/14_report"),
)


@cache
def page_of(path: Path) -> Any:
    return html.fromstring(path.read_bytes())


def text_of(name: str) -> str:
    return " ".join(page_of(SITE / name).text_content().split())


@pytest.mark.parametrize("tool", all_tools(), ids=lambda tool: tool.name)
def test_page_of_tool_has_image_calls_fields_and_errors(tool: Tool[..., Any]) -> None:
    page, text = page_of(SITE / f"docs/tools/{tool.command}.html"), text_of(f"docs/tools/{tool.command}.html")
    assert tool.summary in text.replace("’", "'")
    assert page.xpath("//article//img")
    for word in (f"mediakit.{tool.name}(", f"mediakit {tool.command} ", f"http://127.0.0.1:8000{tool.path}"):
        assert word in text
    assert {each.name for each in tool.parameters} <= set(
        page.xpath("//section[@id='fields']//td[1]//code/descendant-or-self::text()")
    )
    assert "400 InvalidInput" in text
    assert f'mediakit.form("{tool.name}"' in text.replace("( ", "(")
    assert page.xpath("//article//img[contains(@src, $name)]", name=f"form-{tool.command}.webp")


def test_every_tool_of_the_server_has_a_page() -> None:
    pages = {path.stem for path in (SITE / "docs/tools").glob("*.html")}
    assert pages == {"index", *(tool.command for tool in all_tools()), *(path.strip("/") for path in SERVICE_TOOLS)}


def test_gallery_has_images_with_a_place_to_go() -> None:
    cards = page_of(SITE / "docs/gallery.html").xpath(
        "//div[contains(@class, 'gallery')]//div[contains(@class, 'sd-col')]"
    )
    assert len(cards) >= 60
    for card in cards:
        (alternative,) = card.xpath(".//img/@alt")
        assert alternative.strip()
        assert card.xpath(".//a/@href")


def test_card_of_the_gallery_leads_to_an_image_calls_and_a_form() -> None:
    cards = page_of(SITE / "docs/gallery.html").xpath("//div[contains(@class, 'gallery')]//a/@href")
    assert len(cards) >= 60
    for address in cards:
        parts = urlsplit(address)
        target = page_of((SITE / "docs" / parts.path).resolve() if parts.path else SITE / "docs/gallery.html")
        (section,) = target.xpath("//*[@id=$name]/ancestor-or-self::section[1]", name=parts.fragment)
        assert section.xpath(".//img"), address
        assert "mediakit.form(" in "".join(section.text_content().split()), address


def test_links_anchors_and_images_exist_and_nothing_is_loaded_from_other_hosts() -> None:
    for path in SITE.rglob("*.html"):
        if "_static" in path.parts or path.name == "search.html":
            continue
        loaded = page_of(path).xpath("//img/@src | //script/@src | //link[@rel='stylesheet']/@href | //iframe/@src")
        for address in [*loaded, *page_of(path).xpath("//article//a/@href")]:
            parts = urlsplit(address)
            if parts.scheme:
                assert address not in loaded or parts.scheme == "data", f"{path}: {address}"
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            assert target.exists(), f"{path}: {address}"
            if parts.fragment and target.suffix == ".html":
                assert page_of(target).xpath("//*[@id=$name]", name=unquote(parts.fragment)), f"{path}: {address}"


@pytest.fixture(params=[(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")], ids=str)
def page(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    """A page without a network, in a wide and a narrow window, light and dark."""
    width, scheme = request.param
    with browser.new_context(offline=True, viewport={"width": width, "height": 900}, color_scheme=scheme) as context:
        yield context.new_page()


@pytest.mark.browser
def test_pages_fit_the_window_and_have_no_serious_accessibility_findings(page: Page) -> None:
    for name in LOOKED_AT:
        page.goto((SITE / f"{name}.html").as_uri())
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
        assert serious_findings(page) == [], name


@pytest.mark.browser
def test_gallery_and_tasks_are_filtered(page: Page) -> None:
    page.goto((SITE / "docs/gallery.html").as_uri())
    page.get_by_role("button", name="Templates").click()
    page.get_by_label("Search the gallery").fill("invoice")
    expect(page.locator(".gallery .sd-col:visible").first).to_contain_text("invoice")
    assert 3 <= page.locator(".gallery .sd-col:visible").count() < 10
    page.goto((SITE / "docs/tasks.html").as_uri())
    page.get_by_label("Search the tasks").fill("decrypt pdf")
    expect(page.locator(".tasks tbody tr:visible").first).to_contain_text("Unlock a PDF")
    page.get_by_label("Search the tasks").fill("")
    assert page.locator(".tasks tbody tr:visible").count() >= len(RECIPES)


def test_docs_command_names_first_page() -> None:
    done = CliRunner().invoke(main, ["docs", "--path"])
    assert done.output.strip() == str(SITE / "docs/index.html")


@pytest.mark.browser
def test_server_has_the_site_and_its_page_of_a_tool_links_to_it(server: Server, browser: Browser) -> None:
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(f"{server.url}/docs#/qr")
        page.get_by_role("link", name="Guide with images and examples").click()
        expect(page.locator("h1")).to_contain_text("qr")
    assert httpx.get(f"{server.url}/site/../pyproject.toml").status_code == 404
    assert httpx.get(f"{server.url}/site/%2e%2e/%2e%2e/%2e%2e/pyproject.toml").status_code == 404
