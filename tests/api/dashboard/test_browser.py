"""The dashboard of a real server in a real browser: from sign-up to a revoked key, accessibility, and no JavaScript."""

import email
import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from email import policy
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from mediakit.accounts import Accounts, Outcome
from mediakit.settings import AccountSettings
from tests.support.accounts_kit import commit, reserve
from tests.support.axe import serious_findings
from tests.support.server_process import ServerProcess, running_server, wait_until

pytest_plugins = ["tests.support.docs_fixtures"]
pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

PHONE = 375
LOOKS = ((1280, "light"), (PHONE, "dark"))
"""Width and color scheme of the checks: each width and each scheme once, because axe takes half a second."""
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
SMALL_TARGETS = """() => [...document.querySelectorAll("a.button, button, select, input:not([type=hidden])")]
    .filter(each => each.offsetParent && each.getBoundingClientRect().height < 44).map(each => each.outerHTML)"""

OWNER_PAGES = (
    "",
    "/keys",
    "/calls",
    "/try",
    "/templates",
    "/plan",
    "/plan/pro",
    "/account",
    "/account/delete",
    "/nope",
)
OPERATOR_PAGES = ("/operator", "/operator/accounts", "/operator/accounts/1", "/operator/health")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("dashboard")


@pytest.fixture(scope="module")
def running(home: Path) -> Iterator[ServerProcess]:
    with running_server(home, MEDIAKIT_SIGN_UP="open") as running:
        yield running


@contextmanager
def open_context(browser: Browser, **options: bool) -> Iterator[BrowserContext]:
    context = browser.new_context(**options)  # type: ignore[arg-type]
    context.set_default_timeout(60_000)
    yield context
    context.close()


def sign_in(context: BrowserContext, home: Path, url: str, address: str, *, admin: bool = False) -> None:
    """Create an account with some calls, and give the browser a session of it."""
    with closing(Accounts.open(AccountSettings(home=home))) as accounts:
        account = accounts.create_account(address, "pro", verified=True, admin=admin)
        principal = accounts.authenticate(accounts.create_key(address, "Laptop").key)
        for tool in ("qr", "qr", "pdf"):
            commit(accounts, reserve(accounts, principal, 60), Outcome(tool, 200, 12, "an-id"))
        token = accounts.sessions.create(account.account_id, "Mozilla/5.0 (Macintosh; Mac OS X) Firefox/140").token
    context.add_cookies([{"name": "mediakit_session", "value": token, "url": url}])


def problems_in(page: Page) -> list[str]:
    """Return what is wrong with a page: findings of axe, a page wider than the screen, small targets on a phone."""
    problems = []
    for width, scheme in LOOKS:
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        problems += [f"{page.url} {width} {scheme}: {line}" for line in serious_findings(page)]
        if page.evaluate(OVERFLOW) > 0:
            problems.append(f"{page.url} is wider than {width} pixels")
        if width == PHONE:
            problems += [f"{page.url}: lower than 44 pixels: {each}" for each in page.evaluate(SMALL_TARGETS)]
    page.set_viewport_size({"width": LOOKS[0][0], "height": 800})
    return problems


def link_in_email(home: Path) -> str:
    """Return the link of the only email in the outbox, after it was sent."""
    wait_until(lambda: any((home / "outbox").glob("*.eml")))
    file = next((home / "outbox").glob("*.eml"))
    body = email.message_from_bytes(file.read_bytes(), policy=policy.default).get_body(("plain",))
    assert body
    found = re.search(r"http://\S+", body.get_content())
    assert found
    return found[0]


def sign_up(page: Page, url: str, home: Path) -> list[str]:
    """Create an account with the link of an email, and return what is wrong with the pages."""
    page.goto(f"{url}/dashboard")
    page.get_by_role("link", name="Create an account").click()
    page.get_by_label("Email address").fill("ada@example.com")
    problems = problems_in(page)
    page.get_by_role("button", name="Send the link").click()
    expect(page.get_by_role("heading", name="Check your email")).to_be_visible()
    problems += problems_in(page)
    page.goto(link_in_email(home))
    problems += problems_in(page)
    page.get_by_role("button", name="Create account").click()
    expect(page.get_by_role("heading", name="Create your first API key")).to_be_visible()
    return problems + problems_in(page)


def test_owner_signs_up_creates_a_key_calls_sees_the_usage_and_revokes_the_key(
    browser: Browser, running: ServerProcess, home: Path
) -> None:
    with open_context(browser) as context:
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        page = context.new_page()
        requests: list[str] = []
        errors: list[str] = []
        page.on("request", lambda request: requests.append(request.url))
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        problems = []

        problems += sign_up(page, running.url, home)
        page.get_by_role("link", name="Create a key").click()
        page.get_by_label("Name").fill("Website")
        page.get_by_role("button", name="Create key").click()
        key = page.locator("#key").inner_text()
        page.get_by_role("button", name="Copy").first.click()
        expect(page.get_by_role("button", name="Copied")).to_be_visible()
        assert page.evaluate("navigator.clipboard.readText()") == key
        problems += problems_in(page)

        assert [call(running.url, key, data=text) for text in ("one", "two", "")] == [200, 200, 400]
        page.get_by_role("link", name="Overview").first.click()
        expect(page.get_by_text("of 50 credits used")).to_be_visible()
        assert page.locator(".figure strong").inner_text() == "2"
        charts = page.locator("img.chart")
        expect(charts).to_have_count(2)
        assert all(chart.evaluate("image => image.decode().then(() => image.naturalWidth)") for chart in charts.all())
        wait_until(lambda: page.reload() is not None and page.locator("tbody tr").filter(has_text="400").count() > 0)
        problems += problems_in(page)

        page.get_by_role("link", name="API keys").first.click()
        page.get_by_role("link", name="Revoke Website").click()
        problems += problems_in(page)
        page.get_by_role("button", name="Revoke key").click()
        expect(page.get_by_role("status")).to_contain_text("The key is revoked.")
        assert call(running.url, key, data="three") == 401
        page.reload()
        expect(page.get_by_role("status")).to_have_count(0)

        page.get_by_role("button", name="Sign out").click()
        page.goto(f"{running.url}/dashboard")
        expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
        assert problems == []
        assert errors == []
        assert {url for url in requests if not url.startswith((f"{running.url}/", "data:"))} == set()


def test_pages_are_accessible_and_fit_in_both_themes_and_widths(
    browser: Browser, running: ServerProcess, home: Path
) -> None:
    problems = []
    with open_context(browser) as context:
        sign_in(context, home, running.url, "operator@example.com", admin=True)
        page = context.new_page()
        for path in (*OWNER_PAGES, *OPERATOR_PAGES):
            page.goto(f"{running.url}/dashboard{path}")
            for summary in page.locator("main details").all():
                summary.evaluate("each => { each.open = true }")
            problems += problems_in(page)
    assert problems == []


def test_menu_of_a_narrow_screen_reaches_the_pages_without_javascript(
    browser: Browser, running: ServerProcess, home: Path
) -> None:
    with open_context(browser, java_script_enabled=False) as context:
        sign_in(context, home, running.url, "bob@example.com")
        page = context.new_page()
        page.set_viewport_size({"width": 375, "height": 780})
        page.goto(f"{running.url}/dashboard")
        page.get_by_text("Menu", exact=True).click()
        page.get_by_role("navigation").get_by_role("link", name="API keys").click()
        page.get_by_label("Name").fill("Phone")
        page.get_by_role("button", name="Create key").click()
        key = page.locator("#key").inner_text()
        expect(page.get_by_role("button", name="Copy")).to_have_count(0)
        assert call(running.url, key, data="hi") == 200
        page.get_by_role("link", name="I have copied the key").click()
        page.get_by_role("link", name="Revoke Phone").click()
        page.get_by_role("button", name="Revoke key").click()
        assert call(running.url, key, data="hi") == 401


def call(url: str, key: str, *, data: str) -> int:
    return httpx.post(f"{url}/qr", json={"data": data}, headers={"x-api-key": key}, timeout=60).status_code
