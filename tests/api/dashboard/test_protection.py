"""Forms from other sites, pages without a session, and the headers of every page."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from mediakit.accounts.sign_in import Sessions, csrf_token
from mediakit.errors import ServerBusy
from mediakit.settings import ServerSettings
from tests.support.dashboard_kit import Site, open_site

pytestmark = pytest.mark.anyio

ADA = "ada@example.com"

PAGES = (
    "/dashboard",
    "/dashboard/account",
    "/dashboard/account/delete",
    "/dashboard/calls",
    "/dashboard/keys",
    "/dashboard/operator",
    "/dashboard/operator/accounts",
    "/dashboard/operator/accounts/1",
    "/dashboard/operator/health",
    "/dashboard/plan",
    "/dashboard/plan/pro",
    "/dashboard/templates",
    "/dashboard/try",
)
FORMS = (
    "/dashboard/account/delete",
    "/dashboard/account/end-session",
    "/dashboard/account/sign-out-everywhere",
    "/dashboard/keys",
    "/dashboard/keys/0000000000/revoke",
    "/dashboard/operator/accounts/1/disable",
    "/dashboard/operator/accounts/1/plan",
    "/dashboard/plan/pro",
)


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[Site]:
    async with open_site(tmp_path, ServerSettings(upgrades="open")) as site:
        yield site


async def test_every_page_forbids_inline_scripts_frames_and_stored_copies(site: Site) -> None:
    ada = site.visitor(ADA, admin=True)
    for path in PAGES:
        response = await ada.http.get(path)
        assert response.status_code == 200, path
        policy = response.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert response.headers["x-frame-options"] == "DENY"
        assert response.headers["cache-control"] == "no-store"
        assert " style=" not in response.text, path
        assert "<style" not in response.text, path
        assert " onclick" not in response.text, path


async def test_every_page_needs_a_session(site: Site) -> None:
    ada = site.visitor(ADA, admin=True)
    ada.http.cookies.clear()
    for path in PAGES:
        response = await ada.http.get(path)
        assert response.status_code == 303, path
        assert response.headers["location"].endswith("dashboard/sign-in")


@pytest.mark.parametrize(
    ("token", "headers"),
    [
        ("", {}),
        ("0" * 64, {}),
        (None, {"sec-fetch-site": "cross-site"}),
        (None, {"origin": "https://evil.example"}),
    ],
)
async def test_forms_without_token_or_from_other_sites_change_nothing(
    site: Site, token: str | None, headers: dict[str, str]
) -> None:
    ada = site.visitor(ADA, admin=True)
    for path in FORMS:
        data = {"csrf": csrf_token(ada.token) if token is None else token, "name": "x", "email": ADA, "plan": "scale"}
        response = await ada.http.post(path, data=data, headers=headers)
        assert response.status_code == 403, path
        assert "Access denied" in response.text
    account = site.accounts.account(ADA)
    assert (account.plan, account.disabled) == ("free", None)
    assert site.accounts.list_keys(ADA) == []
    assert site.accounts.sessions.find(ada.token)


async def test_operator_pages_do_not_exist_for_other_accounts(site: Site) -> None:
    ada = site.visitor(ADA)
    for path in PAGES:
        if path.startswith("/dashboard/operator"):
            assert (await ada.http.get(path)).status_code == 404, path
    for path in FORMS:
        if path.startswith("/dashboard/operator"):
            assert (await ada.send(path, plan="scale")).status_code == 404, path
    assert site.accounts.account(ADA).plan == "free"


async def test_page_says_that_the_database_does_not_respond(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    ada = site.visitor(ADA)

    def fail(*_: object) -> None:
        raise ServerBusy("The database does not respond. Try again in 5 seconds.")

    monkeypatch.setattr(Sessions, "find", fail)
    response = await ada.http.get("/dashboard")
    assert response.status_code == 503
    assert response.headers["retry-after"] == "5"
    assert "The service is busy" in response.text
    assert "frame-ancestors 'none'" in response.headers["content-security-policy"]


async def test_values_are_escaped(site: Site) -> None:
    ada = site.visitor(ADA)
    site.accounts.create_key(ADA, "<script>alert(1)</script>")
    text = (await ada.http.get("/dashboard/keys")).text
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert(1)" in text


async def test_forged_message_cookie_shows_no_text_of_its_own(site: Site) -> None:
    ada = site.visitor(ADA)
    ada.http.cookies.set("mediakit_flash", "Pay at evil.example")
    assert "evil.example" not in (await ada.http.get("/dashboard")).text


async def test_message_cookie_is_not_readable_by_scripts_or_sent_by_other_sites(site: Site) -> None:
    ada = site.visitor(ADA)
    key = site.accounts.create_key(ADA)
    await ada.open(f"/dashboard/keys/{key.id}/revoke")
    response = await ada.send(f"/dashboard/keys/{key.id}/revoke")
    cookie = response.headers["set-cookie"]
    assert cookie.startswith("mediakit_flash=")
    assert {"HttpOnly", "SameSite=lax"} < set(cookie.split("; "))
