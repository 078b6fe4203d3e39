"""The dashboard without a browser: an app, accounts with sessions, and forms with their CSRF tokens."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from html import unescape
from pathlib import Path

import httpx
from lxml.html import HtmlElement, fromstring

from mediakit.accounts import Accounts, Outcome, Principal
from mediakit.accounts.sign_in import csrf_token
from mediakit.api.app import create_app
from mediakit.settings import Plan, ServerSettings
from tests.conftest import TestSettings
from tests.support.accounts_kit import commit, reserve

URL = "http://127.0.0.1:8000"
HTML = {"accept": "text/html"}


@dataclass
class Visitor:
    """A browser with the session of an account, without JavaScript."""

    http: httpx.AsyncClient
    token: str

    async def open(self, path: str) -> HtmlElement:
        """Return a page that must exist."""
        response = await self.http.get(path)
        assert response.status_code == 200, response.text
        return fromstring(response.text)

    async def send(self, path: str, **fields: str) -> httpx.Response:
        """Send a form with the CSRF token of the session."""
        return await self.http.post(path, data={"csrf": csrf_token(self.token), **fields})

    async def send_and_follow(self, path: str, **fields: str) -> HtmlElement:
        """Send a form, and return the page that its response redirects to."""
        response = await self.send(path, **fields)
        assert response.status_code == 303, response.text
        return fromstring((await self.http.get(response.headers["location"])).text)


@dataclass
class Site:
    """The app and its accounts."""

    transport: httpx.ASGITransport
    accounts: Accounts

    def visitor(self, email: str, plan: Plan = "free", *, admin: bool = False) -> Visitor:
        """Create an account, and return a browser that is signed in to it."""
        account = self.accounts.create_account(email, plan, verified=True, admin=admin)
        token = self.accounts.sessions.create(account.account_id, "Mozilla/5.0 (X11; Linux) Firefox/140.0").token
        cookies = {"mediakit_session": token}
        http = httpx.AsyncClient(transport=self.transport, base_url=URL, cookies=cookies, headers=HTML)
        return Visitor(http, token)

    def principal(self, email: str, name: str = "Test") -> Principal:
        """Create a key of an account, and return its principal."""
        return self.accounts.authenticate(self.accounts.create_key(email, name).key)

    def call(self, principal: Principal, tool: str = "qr") -> None:
        """Charge a call."""
        hold = reserve(self.accounts, principal, 60)
        commit(self.accounts, hold, Outcome(tool, 200, 12, "id-of-a-charged-call"))


@asynccontextmanager
async def open_site(home: Path, server: ServerSettings | None = None) -> AsyncIterator[Site]:
    """Open an app with empty accounts."""
    settings = TestSettings(home)
    settings.__dict__["server"] = server or ServerSettings()
    accounts = Accounts.open(settings.accounts)
    app = create_app(settings)
    async with app.router.lifespan_context(app):
        yield Site(httpx.ASGITransport(app, raise_app_exceptions=False), accounts)
    accounts.close()


def text_of(page: HtmlElement) -> str:
    """Return the text of the main part of a page, with single spaces."""
    return re.sub(r"\s+", " ", unescape(page.xpath("//main")[0].text_content())).strip()
