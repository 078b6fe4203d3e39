"""`GET /`: a page with links for browsers, and the same links as JSON for programs."""

import re
from urllib.parse import urljoin

import httpx
import pytest
from playwright.sync_api import Browser

from mediakit.installation import __version__
from mediakit.server import Server
from tests.conftest import Api

pytest_plugins = ["tests.support.docs_fixtures"]

BROWSER_ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"
PREFIX = "/user/ann/proxy/8000"


@pytest.mark.parametrize("accept", ["*/*", "application/json", "application/json, text/html;q=0.5", ""])
def test_programs_get_links_as_json(server: Server, accept: str) -> None:
    response = httpx.get(f"{server.url}/", headers={"accept": accept})
    links = response.json()
    assert (links.pop("name"), links.pop("version")) == ("mediakit", __version__)
    assert set(links) == {"documentation", "openapi", "templates", "dashboard", "usage", "readiness"}
    for name in {*links} - {"usage", "dashboard"}:
        assert httpx.get(links[name], timeout=60).status_code == 200
    assert httpx.get(links["usage"]).status_code == 401
    assert "Accept" in response.headers["vary"].split(", ")


def test_links_of_page_exist(server: Server) -> None:
    response = httpx.get(f"{server.url}/", headers={"accept": BROWSER_ACCEPT})
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    links = re.findall(r'(?:href|src)="([^"#:]+)"', response.text)
    assert {"docs", "dashboard", "templates", "openapi.json", "readyz"} <= {*links}
    for link in links:
        found = httpx.get(urljoin(f"{server.url}/", link), timeout=60)
        assert found.status_code == (303 if link == "dashboard" else 200), link  # the dashboard needs a sign-in


@pytest.mark.anyio
async def test_page_below_proxy_prefix_has_base_and_address_of_proxy(api: Api) -> None:
    headers = {"accept": "text/html", "x-forwarded-prefix": PREFIX}
    page = (await api.http.get("/", headers=headers)).text
    assert f'<base href="{PREFIX}/">' in page
    assert f"curl http://api.test{PREFIX}/qr" in page
    for hostile in ("//evil.example", "https://evil.example", "/a b", '/"><script>'):
        page = (await api.http.get("/", headers={**headers, "x-forwarded-prefix": hostile})).text
        assert "<base" not in page
        assert "evil" not in page


@pytest.mark.browser
def test_page_shows_status_of_service(server: Server, browser: Browser) -> None:
    page = browser.new_page()
    errors: list[str] = []
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.goto(f"{server.url}/")
    page.wait_for_selector("#status[data-ready=true]")
    assert page.inner_text("#status") == "All services work"
    page.route("**/readyz", lambda route: route.fulfill(status=503, json={"checks": {"database": "ok", "redis": "no"}}))
    page.reload()
    page.wait_for_selector("#status[data-ready=false]")
    assert page.inner_text("#status") == "Not working: redis"
    assert not [error for error in errors if "503" not in error]
    page.close()
