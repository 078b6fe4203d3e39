"""Headers of dashboard pages, error pages, and the files that pages load."""

from pathlib import Path

import httpx
import pytest

from mediakit.api.app import create_app
from mediakit.settings import AccountSettings, Settings

HTML = {"accept": "text/html"}


@pytest.fixture
def app_client(tmp_path: Path) -> httpx.AsyncClient:
    settings = Settings()
    settings.accounts = AccountSettings(home=tmp_path)
    return httpx.AsyncClient(transport=httpx.ASGITransport(create_app(settings, tools=())), base_url="http://127.0.0.1")


@pytest.mark.anyio
async def test_missing_page_is_an_html_page_that_cannot_be_framed(app_client: httpx.AsyncClient) -> None:
    response = await app_client.get("/dashboard/no-such-page", headers=HTML)
    assert response.status_code == 404
    assert "Page not found" in response.text
    policy = response.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert response.headers["x-frame-options"] == "DENY"
    assert response.headers["cache-control"] == "no-store"
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["referrer-policy"] == "same-origin"


@pytest.mark.anyio
@pytest.mark.parametrize(("path", "accept"), [("/dashboard/no-such-page", "*/*"), ("/no-such-page", "text/html")])
async def test_programs_and_other_paths_get_errors_as_json(
    app_client: httpx.AsyncClient, path: str, accept: str
) -> None:
    response = await app_client.get(path, headers={"accept": accept})
    assert response.status_code == 404
    assert response.json()["error"].startswith("path: does not exist.")


@pytest.mark.anyio
async def test_style_sheet_is_sent_once_and_then_revalidated(app_client: httpx.AsyncClient) -> None:
    first = await app_client.get("/dashboard/static/dashboard.css")
    assert first.headers["content-type"] == "text/css; charset=utf-8"
    again = await app_client.get("/dashboard/static/dashboard.css", headers={"if-none-match": first.headers["etag"]})
    assert again.status_code == 304
    assert (await app_client.get("/dashboard/static/routes.py")).status_code == 404
