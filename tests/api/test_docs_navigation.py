"""The documentation page in a real browser: accessibility, keyboard, search, history, and the key in the address."""

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Route, expect

from mediakit.api.openapi import document
from mediakit.core.tool import Tool
from mediakit.server import Server
from mediakit.tools.catalogue import all_tools
from tests.support.axe import serious_findings
from tests.support.docs_kit import Visit, open_visit, response_of
from tests.support.openapi_kit import json_body

pytest_plugins = ["tests.support.docs_fixtures"]
pytestmark = [pytest.mark.browser, pytest.mark.timeout(400)]


def tools_with_every_kind_of_field() -> list[Tool[..., Any]]:
    """Return a few tools that together have fields of all kinds."""
    kinds = {tool: {parameter.kind for parameter in tool.parameters} for tool in all_tools()}
    return [tool for number, tool in enumerate(kinds) if kinds[tool] - set().union(*[*kinds.values()][:number])]


@pytest.mark.parametrize(("scheme", "tools"), [("light", all_tools()), ("dark", tools_with_every_kind_of_field())])
def test_pages_have_no_serious_accessibility_finding(
    scheme: str, tools: Sequence[Tool[..., Any]], browser: Browser, server: Server
) -> None:
    findings = []
    with open_visit(browser, server.url, server.key, color_scheme=scheme) as visit:
        for command in ("", "status", *(tool.command for tool in tools)):
            page = visit.open(command)
            if command in ("code-reader", "pdf-merge", "qr", "status"):
                visit.send()
                expect(response_of(page)).to_have_attribute("aria-busy", "false")
            part = "" if command in ("", "status", "qr") else "main"  # what is around it is the same on all pages
            rules = ["color-contrast"] if scheme == "dark" else []  # nothing else depends on the colors
            findings += [f"/{command}: {line}" for line in serious_findings(page, part, rules=rules)]
    assert findings == []


def test_error_and_narrow_page_have_no_serious_accessibility_finding(browser: Browser, server: Server) -> None:
    with open_visit(browser, server.url, server.key, viewport={"width": 400, "height": 800}) as visit:
        page = visit.open("chart")
        page.get_by_label("width", exact=True).fill("wide")
        visit.send()
        expect(page.get_by_role("alert")).to_contain_text("width: ")
        assert serious_findings(page) == []


def test_keyboard_reaches_tool_and_sends_its_sample(visit: Visit) -> None:
    page = visit.open()
    keyboard = page.keyboard
    page.get_by_label("API key").focus()
    keyboard.type(visit.key)
    page.get_by_label("Search tools").focus()
    keyboard.type("include_text")
    expect(page.get_by_role("main").get_by_role("listitem")).to_have_count(1)
    keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    for _ in page.get_by_role("link", name="Guide with images").all():  # where the documentation site is built
        keyboard.press("Tab")
    keyboard.press("Tab")
    expect(page.get_by_role("button", name="Parcel")).to_be_focused()
    keyboard.press("Tab")
    keyboard.press("Enter")
    expect(page.get_by_label("data", exact=True)).to_have_value("978020137962")
    page.get_by_label("data", exact=True).focus()
    keyboard.press("Control+Enter")
    expect(response_of(page).get_by_role("img")).to_be_visible()


def test_search_finds_tools_by_field_and_hides_empty_groups(visit: Visit) -> None:
    page = visit.open()
    search = page.get_by_label("Search tools")
    search.fill("page_ranges")
    expect(page.get_by_role("main").get_by_role("listitem")).to_have_count(1)
    expect(page.locator(".group h2:visible")).to_have_text(["PDF"])
    search.fill("no such tool")
    expect(page.get_by_role("status").filter(has_text="No tool matches.")).to_be_visible()
    search.fill("")
    expect(page.get_by_role("main").get_by_role("listitem")).to_have_count(len(all_tools()) + 1)


@pytest.mark.parametrize(("words", "path"), [("unlock pdf", "/pdf-protect"), ("docx to pdf", "/markdown-convert")])
def test_search_finds_tools_by_other_words(visit: Visit, words: str, path: str) -> None:
    page = visit.open()
    page.get_by_label("Search tools").fill(words)
    found = page.get_by_role("main").get_by_role("listitem")
    expect(found.filter(has_text=path)).to_have_count(1)
    assert found.count() < 5


def test_thumbnails_of_all_tools_load(visit: Visit) -> None:
    page = visit.open()
    images = page.get_by_role("main").locator("img")
    expect(images).to_have_count(len(all_tools()) + 1)
    widths = images.evaluate_all(
        """images => Promise.all(images.map(image => {
        image.loading = "eager"; return image.decode().then(() => image.naturalWidth) }))"""
    )
    assert set(widths) == {528}


def test_back_and_forward_restore_values_and_scroll_position(visit: Visit) -> None:
    page = visit.open()
    link = page.get_by_role("main").get_by_role("link", name="/chart")
    page.evaluate("scrollTo(0, 300)")
    link.hover()
    before = page.evaluate("scrollY")
    assert before > 0
    link.click()
    page.get_by_label("title", exact=True).fill("My title")
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("mediakit API")
    assert page.evaluate("scrollY") == before
    page.go_forward()
    expect(page.get_by_label("title", exact=True)).to_have_value("My title")


def test_unknown_tool_in_address_shows_notice_and_overview(visit: Visit) -> None:
    page = visit.open("nonsense")
    expect(page.get_by_role("status").filter(has_text="no tool /nonsense")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text("mediakit API")


def test_key_in_fragment_is_filled_in_and_removed_from_address(visit: Visit) -> None:
    page = visit.page
    page.goto(f"{visit.url}/docs#key={visit.key}&page=/qr")
    expect(page.get_by_label("API key")).to_have_value(visit.key)
    assert page.url == f"{visit.url}/docs#/qr"
    page.get_by_role("button", name="Send").click()
    expect(response_of(page).get_by_role("img")).to_be_visible()
    assert not any(visit.key in url for url in visit.requests if "#" not in url)
    page.go_back()
    assert visit.key not in page.url


def test_key_in_fragment_is_ignored_on_other_machines(visit: Visit) -> None:
    def forward(route: Route) -> None:
        route.fulfill(response=route.fetch(url=f"{visit.url}{urlsplit(route.request.url).path}"))

    page = visit.page
    page.route("http://mediakit.test/**", forward)
    page.goto(f"http://mediakit.test/docs#key={visit.key}")
    expect(page.get_by_role("heading", level=1)).to_have_text("mediakit API")
    expect(page.get_by_label("API key")).to_have_value("")
    assert page.url == "http://mediakit.test/docs#/"
    page.unroute_all(behavior="wait")


def test_new_tool_and_field_appear_from_openapi_document(visit: Visit) -> None:
    description = document(all_tools())
    paths = description["paths"]
    schema = json_body(description, "/qr")
    schema["properties"]["halo"] = {"type": "boolean", "default": False, "description": "Draw a halo."}
    paths["/glow"] = {"post": {**paths["/qr"]["post"], "summary": "Draw a glow.", "x-docs": {"samples": []}}}
    visit.page.route("**/openapi.json", lambda route: route.fulfill(json=description))
    page = visit.open()
    page.get_by_role("main").get_by_role("link", name="/glow").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Draw a glow")
    page.get_by_label("halo", exact=True).check()
    expect(page.get_by_role("tabpanel")).to_contain_text('"halo":true')
    assert visit.console_errors == []


def sent_body(visit: Visit) -> dict[str, Any]:
    """Send the form, and return its JSON body."""
    with visit.page.expect_request(lambda request: request.method == "POST") as sent:
        visit.send()
    return dict(json.loads(sent.value.post_data or ""))


def test_series_are_edited_as_table_with_keys(visit: Visit) -> None:
    page = visit.open("chart")
    table = page.get_by_role("table", name="labels series")
    table.get_by_label("value 1 of series 1", exact=True).fill("200")
    page.keyboard.press("Enter")
    expect(table.get_by_label("value 2 of series 1", exact=True)).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(table.get_by_label("value 2 of series 2", exact=True)).to_be_focused()
    page.keyboard.type("5.5")
    table.get_by_role("button", name="Remove row 4").click()
    table.get_by_role("button", name="Add row").click()
    page.keyboard.type("Q5")
    table.get_by_role("button", name="Add a series").click()
    page.keyboard.type("2026")
    body = sent_body(visit)
    assert body["labels"] == ["Q1", "Q2", "Q3", "Q5"]
    assert body["series"] == [
        {"name": "2024", "data": [200, 211, 236, None]},
        {"name": "2025", "data": [228, 5.5, 251, None]},
        {"name": "2026", "data": [None, None, None, None]},
    ]
    expect(table).to_have_attribute("aria-invalid", "true")


def test_options_of_series_are_set_in_table(visit: Visit) -> None:
    page = visit.open("chart")
    table = page.get_by_role("table", name="labels series")
    table.get_by_role("button", name="Options of series").click()
    table.get_by_label("type of series 1").select_option("line")
    page.get_by_label("type", exact=True).select_option("combo")
    series = sent_body(visit)["series"]
    assert [{**each, "data": None} for each in series] == [
        {"name": "2024", "type": "line", "data": None},
        {"name": "2025", "data": None},
    ]


def test_cells_are_pasted_from_spreadsheet(visit: Visit) -> None:
    page = visit.open_empty("chart")
    table = page.get_by_role("table", name="labels series")
    table.get_by_label("label 1", exact=True).evaluate(
        """cell => { const data = new DataTransfer(); data.setData("text/plain", "Ana\\t1\\t2\\nBen\\t3\\t4.5\\n");
        cell.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true})) }"""
    )
    page.get_by_label("type", exact=True).select_option("bar")
    body = sent_body(visit)
    assert body["labels"] == ["Ana", "Ben"]
    assert body["series"] == [{"data": [1, 3]}, {"data": [2, 4.5]}]
    expect(response_of(page)).to_have_attribute("aria-busy", "false")
    expect(response_of(page).get_by_role("img")).to_be_visible()
