"""Sign-up, sign-in and sign-out, as a browser sees them. Without a mail server, email is in files."""

import email
import email.policy
import logging
import re
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import anyio
import httpx
import pytest

from mediakit.accounts import Accounts
from mediakit.accounts.sign_in import LINKS_PER_EMAIL, csrf_token
from mediakit.api.app import create_app
from mediakit.api.context import Context
from mediakit.errors import InvalidInput
from mediakit.settings import MailSettings, ServerSettings
from tests.conftest import TestSettings
from tests.support.smtp_kit import Mailbox, smtp_server

pytestmark = pytest.mark.anyio

ADA, BOB = "ada@example.com", "bob@example.com"
BASE = "http://127.0.0.1:8000"


class SignUpSettings(TestSettings):
    """Settings with open or closed sign-up."""

    def __init__(self, home: Path, mail: MailSettings) -> None:
        super().__init__(home)
        self.__dict__["mail"] = mail


@dataclass
class Site:
    """A server, a browser, and the files with email."""

    http: httpx.AsyncClient
    accounts: Accounts
    home: Path

    async def request_link(self, address: str) -> httpx.Response:
        return await self.http.post("/dashboard/sign-in", data={"email": address})

    async def links(self, count: int = 1) -> list[str]:
        """Return the links in all email, when there are as many."""
        deadline = time.monotonic() + 30
        while len(files := sorted((self.home / "outbox").glob("*.eml"))) < count:
            assert time.monotonic() < deadline
            await anyio.sleep(0.01)
        texts = [email.message_from_bytes(file.read_bytes(), policy=email.policy.default) for file in files]
        return [re.findall(r"http\S+/sign-in/\S+", text.get_body(("plain",)).get_content())[0] for text in texts]  # type: ignore[union-attr]

    async def sent(self) -> int:
        """Return the number of email files after all messages were handled."""
        deadline = time.monotonic() + 30
        while self.accounts.outbox.size():
            assert time.monotonic() < deadline
            await anyio.sleep(0.01)
        return len(list((self.home / "outbox").glob("*.eml")))


async def open_site(home: Path, sign_up: str) -> AsyncIterator[Site]:
    settings = SignUpSettings(home, MailSettings.model_validate({"sign_up": sign_up}))
    accounts = Accounts.open(settings.accounts)
    app = create_app(settings)
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url=BASE) as http:
            yield Site(http, accounts, home)
    accounts.close()


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[Site]:
    """A site with open sign-up."""
    async for site in open_site(tmp_path, "open"):
        yield site


@pytest.fixture
async def closed_site(tmp_path: Path) -> AsyncIterator[Site]:
    """A site with closed sign-up, and an account."""
    async for site in open_site(tmp_path, "closed"):
        site.accounts.create_account(ADA)
        yield site


async def test_sign_up_creates_verified_account_and_session(site: Site) -> None:
    assert "Create an account" in (await site.http.get("/dashboard/sign-up")).text
    response = await site.request_link(" Ada@Example.com")
    assert response.status_code == 200
    assert f'We sent a link to <strong class="break">{ADA}</strong>' in response.text
    (link,) = await site.links()
    assert link.startswith(f"{BASE}/dashboard/sign-in/")
    page = await site.http.get(link)
    assert page.status_code == 200
    assert ADA in page.text
    assert page.headers["cache-control"] == "no-store"
    used = await site.http.post(link, headers={"user-agent": "Firefox", "origin": BASE})
    assert (used.status_code, used.next_request and used.next_request.url.path) == (303, "/dashboard")
    account = site.accounts.account(ADA)
    assert (account.verified, account.plan) == (True, "free")
    token = site.http.cookies["mediakit_session"]
    found = site.accounts.sessions.find(token)
    assert found is not None
    assert (found[0].email, found[1].user_agent, found[1].network) == (ADA, "Firefox", "127.0.0.0/24")


async def test_opening_a_link_does_not_use_it(site: Site) -> None:
    await site.request_link(ADA)
    (link,) = await site.links()
    for _ in range(3):
        assert (await site.http.get(link)).status_code == 200
        await site.http.head(link)
        await site.http.options(link)
    assert site.accounts.list_accounts() == []
    assert (await site.http.post(link)).status_code == 303


async def test_used_and_unknown_links_show_same_page(site: Site) -> None:
    await site.request_link(ADA)
    (link,) = await site.links()
    await site.http.post(link)
    site.http.cookies.clear()
    pages = [await site.http.get(link), await site.http.post(link), await site.http.get(link[:-1] + "_")]
    assert {page.status_code for page in pages} == {404}
    assert len({page.text for page in pages}) == 1
    assert "This link does not work" in pages[0].text
    assert "set-cookie" not in pages[1].headers


async def test_closed_site_responds_alike_to_known_and_unknown_addresses(closed_site: Site) -> None:
    known, unknown = await closed_site.request_link(ADA), await closed_site.request_link("eve@example.com")
    assert known.text == unknown.text.replace("eve@example.com", ADA)
    ignored = {"x-request-id", "content-length"}
    headers = [{k: v for k, v in r.headers.items() if k not in ignored} for r in (known, unknown)]
    assert headers[0] == headers[1]
    assert await closed_site.sent() == 1
    (link,) = await closed_site.links()
    assert (await closed_site.http.post(link)).status_code == 303
    assert closed_site.accounts.account(ADA).verified


async def test_closed_site_has_no_sign_up(closed_site: Site) -> None:
    assert (await closed_site.http.get("/dashboard/sign-up")).status_code == 404
    assert "sign-up" not in (await closed_site.http.get("/dashboard/sign-in")).text


async def test_invalid_address_is_shown_with_reason(site: Site) -> None:
    response = await site.request_link("<b>ada</b>")
    assert response.status_code == 400
    assert "Must contain one @" in response.text
    assert "&lt;b&gt;ada" in response.text
    assert "<b>ada" not in response.text
    assert site.accounts.outbox.size() == 0


async def test_too_many_requests_return_429_with_page(site: Site) -> None:
    for _ in range(LINKS_PER_EMAIL):
        assert (await site.request_link(ADA)).status_code == 200
    response = await site.http.post("/dashboard/sign-in", data={"email": ADA}, headers={"accept": "text/html"})
    assert response.status_code == 429
    assert 0 < int(response.headers["retry-after"]) <= 3600
    assert "Too many sign-in links were requested" in response.text
    assert (await site.request_link(BOB)).status_code == 200


@pytest.mark.parametrize("path", ["/dashboard/sign-in", f"/dashboard/sign-in/{'x' * 43}"])
async def test_forms_of_other_sites_are_rejected(site: Site, path: str) -> None:
    for headers in ({"sec-fetch-site": "cross-site"}, {"origin": "https://evil.example"}):
        response = await site.http.post(path, data={"email": ADA}, headers=headers)
        assert response.status_code == 403
    assert site.accounts.outbox.size() == 0


async def test_disabled_account_gets_no_email(closed_site: Site) -> None:
    closed_site.accounts.administration.disable(ADA)
    assert (await closed_site.request_link(ADA)).status_code == 200
    assert await closed_site.sent() == 0


async def test_signed_in_browser_skips_sign_in_and_can_sign_out(closed_site: Site) -> None:
    await closed_site.request_link(ADA)
    (link,) = await closed_site.links()
    await closed_site.http.post(link)
    token = closed_site.http.cookies["mediakit_session"]
    assert (await closed_site.http.get("/dashboard/sign-in")).status_code == 303
    assert (await closed_site.http.post("/dashboard/sign-out", data={"csrf": "wrong"})).status_code == 403
    response = await closed_site.http.post("/dashboard/sign-out", data={"csrf": csrf_token(token)})
    assert (response.status_code, response.next_request and response.next_request.url.path) == (
        303,
        "/dashboard/sign-in",
    )
    assert "mediakit_session" not in closed_site.http.cookies
    assert closed_site.accounts.sessions.find(token) is None
    assert "You are signed out." in (await closed_site.http.get("/dashboard/sign-in")).text


async def test_second_sign_in_replaces_session_of_browser(closed_site: Site) -> None:
    tokens = []
    for count in (1, 2):
        await closed_site.request_link(ADA)
        await closed_site.http.post((await closed_site.links(count))[-1])
        tokens.append(closed_site.http.cookies["mediakit_session"])
    assert [bool(closed_site.accounts.sessions.find(token)) for token in tokens] == [False, True]


async def test_link_is_in_log_only_without_mail_server(site: Site, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "mediakit")
    await site.request_link(ADA)
    (link,) = await site.links()
    await site.http.get(link)
    await site.http.post(link)
    token, session = link.rsplit("/", 1)[1], site.http.cookies["mediakit_session"]
    lines = [record for record in caplog.records if token in record.getMessage()]
    assert [record.name for record in lines] == ["mediakit.accounts.mail_delivery"]
    assert session.split(".")[1] not in caplog.text


async def test_email_files_are_private(site: Site) -> None:
    await site.request_link(ADA)
    await site.links()
    (file,) = (site.home / "outbox").glob("*.eml")
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)


def test_mail_server_requires_public_url_and_sender(tmp_path: Path) -> None:
    settings = SignUpSettings(tmp_path, MailSettings(smtp_url="smtp://localhost", mail_from="x@example.com"))
    with pytest.raises(InvalidInput, match=r"^MEDIAKIT_PUBLIC_URL: is required with MEDIAKIT_SMTP_URL"):
        Context(settings)
    settings = SignUpSettings(tmp_path, MailSettings(smtp_url="smtp://localhost"))
    settings.__dict__["server"] = ServerSettings(public_url="https://api.example.com")
    with pytest.raises(InvalidInput, match=r"^MEDIAKIT_MAIL_FROM: is required with MEDIAKIT_SMTP_URL"):
        Context(settings)


async def test_link_in_email_has_public_url_instead_of_requested_host(tmp_path: Path) -> None:
    mailbox = Mailbox()
    with smtp_server(mailbox) as port:
        mail = MailSettings(smtp_url=f"smtp://127.0.0.1:{port}", mail_from="no-reply@example.com", sign_up="open")
        settings = SignUpSettings(tmp_path, mail)
        settings.__dict__["server"] = ServerSettings(public_url="https://api.example.com")
        app = create_app(settings)
        async with app.router.lifespan_context(app):
            transport = httpx.ASGITransport(app)
            async with httpx.AsyncClient(transport=transport, base_url="http://api.example.com") as http:
                headers = {"x-forwarded-host": "evil.example", "x-forwarded-proto": "http"}
                await http.post("/dashboard/sign-in", data={"email": ADA}, headers=headers)
                await http.post("/dashboard/sign-in", data={"email": ADA}, headers={"host": "evil.example"})
            deadline = time.monotonic() + 30
            while not mailbox.messages:
                assert time.monotonic() < deadline
                await anyio.sleep(0.01)
    for message in mailbox.messages:
        assert "https://api.example.com/dashboard/sign-in/" in message.as_string()
        assert "evil" not in message.as_string()
