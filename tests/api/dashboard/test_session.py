"""Session cookies, and the check of forms. The routes of this file stand for any page of the dashboard."""

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from mediakit.accounts.sign_in import csrf_token
from mediakit.api.app import create_app
from mediakit.api.context import Context
from mediakit.api.dashboard.session import SignedIn, for_signed_in, set_session
from tests.conftest import TestSettings

pytestmark = pytest.mark.anyio

ADA = "ada@example.com"


class Pages:
    """An app with a page, a form and an operator's page, and an account."""

    def __init__(self, home: Path) -> None:
        settings = TestSettings(home)
        self.context = Context(settings)
        self.app: Starlette = create_app(settings)
        self.app.router.routes += [
            Route("/dashboard/page", for_signed_in(self.context, self.page)),
            Route("/dashboard/form", for_signed_in(self.context, self.form), methods=["POST"]),
            Route("/dashboard/operators-only", for_signed_in(self.context, self.operator, only_admins=True)),
            Route("/dashboard/begin", self.begin),
        ]
        self.account_id = self.context.accounts.create_account(ADA).account_id
        self.token = self.context.accounts.sessions.create(self.account_id).token

    async def page(self, signed_in: SignedIn) -> Response:
        return JSONResponse({"email": signed_in.account.email})

    async def form(self, signed_in: SignedIn) -> Response:
        return JSONResponse(signed_in.form)

    async def operator(self, _signed_in: SignedIn) -> Response:
        return JSONResponse({})

    async def begin(self, request: Request) -> Response:
        response = Response()
        set_session(response, self.token, request, self.context)
        return response

    def client(self, url: str = "http://127.0.0.1:8000", cookie: str = "mediakit_session") -> httpx.AsyncClient:
        transport = httpx.ASGITransport(self.app, raise_app_exceptions=False)
        return httpx.AsyncClient(transport=transport, base_url=url, cookies={cookie: self.token})


@pytest.fixture
async def pages(tmp_path: Path) -> AsyncIterator[Pages]:
    pages = Pages(tmp_path)
    async with pages.app.router.lifespan_context(pages.app):
        yield pages
    pages.context.close()


async def test_page_redirects_to_sign_in_without_session(pages: Pages) -> None:
    async with pages.client(cookie="other") as http:
        response = await http.get("/dashboard/page")
    assert response.status_code == 303
    assert response.next_request
    assert response.next_request.url.path == "/dashboard/sign-in"


async def test_page_knows_account_of_session(pages: Pages) -> None:
    async with pages.client() as http:
        assert (await http.get("/dashboard/page")).json() == {"email": ADA}


async def test_cookie_over_https_has_host_prefix(pages: Pages) -> None:
    async with pages.client("https://127.0.0.1:8000") as http:
        cookie = (await http.get("/dashboard/begin")).headers["set-cookie"]
    name, *attributes = cookie.split("; ")
    assert name == f"__Host-mediakit_session={pages.token}"
    assert {"HttpOnly", "Path=/", "SameSite=lax", "Secure"} < set(attributes)
    assert not any(attribute.startswith("Domain") for attribute in attributes)


async def test_cookie_over_https_is_not_read_from_other_name(pages: Pages) -> None:
    async with pages.client("https://127.0.0.1:8000") as http:
        assert (await http.get("/dashboard/page")).status_code == 303
    async with pages.client("https://127.0.0.1:8000", "__Host-mediakit_session") as http:
        assert (await http.get("/dashboard/page")).status_code == 200


async def test_cookie_over_http_is_not_secure(pages: Pages) -> None:
    async with pages.client() as http:
        cookie = (await http.get("/dashboard/begin")).headers["set-cookie"]
    assert cookie.startswith("mediakit_session=")
    assert "Secure" not in cookie
    assert "HttpOnly" in cookie


async def test_cookie_below_prefix_is_limited_to_prefix(pages: Pages) -> None:
    headers = {"x-forwarded-prefix": "/user/ada/proxy/8000", "x-forwarded-proto": "https"}
    async with pages.client() as http:
        cookie = (await http.get("/dashboard/begin", headers=headers)).headers["set-cookie"]
    assert cookie.startswith("mediakit_session=")
    assert {"Path=/user/ada/proxy/8000/", "Secure"} < set(cookie.split("; "))


@pytest.mark.parametrize(
    "headers", [{}, {"sec-fetch-site": "same-origin"}, {"origin": "http://127.0.0.1:8000"}, {"sec-fetch-site": "none"}]
)
async def test_form_of_own_page_is_accepted(pages: Pages, headers: dict[str, str]) -> None:
    form = {"csrf": csrf_token(pages.token), "name": "ключ & +"}
    async with pages.client() as http:
        response = await http.post("/dashboard/form", data=form, headers=headers)
    assert (response.status_code, response.json()) == (200, form)


@pytest.mark.parametrize(
    "headers",
    [
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site", "origin": "http://127.0.0.1:8000"},
        {"origin": "http://127.0.0.1"},
        {"origin": "http://127.0.0.1:80001"},
        {"origin": "https://127.0.0.1:8000"},
        {"origin": "null"},
        {"origin": ""},
    ],
)
async def test_form_of_other_site_is_rejected(pages: Pages, headers: dict[str, str]) -> None:
    async with pages.client() as http:
        response = await http.post("/dashboard/form", data={"csrf": csrf_token(pages.token)}, headers=headers)
    assert response.status_code == 403


@pytest.mark.parametrize("token", [None, "", "wrong", "é", csrf_token("0123456789abcdef.another")])
async def test_form_without_token_of_session_is_rejected(pages: Pages, token: str | None) -> None:
    async with pages.client() as http:
        response = await http.post("/dashboard/form", data={} if token is None else {"csrf": token})
        empty = await http.post("/dashboard/form", content=b"", headers={"content-type": "text/plain"})
    assert response.status_code in (400, 403)
    assert empty.status_code == 400


@pytest.mark.parametrize(
    "body", [b"a=" + b"x" * 20_000, b"&".join(b"f%d=1" % n for n in range(40)), b"name=%ff", "name=é".encode()]
)
async def test_malformed_form_is_rejected(pages: Pages, body: bytes) -> None:
    headers = {"content-type": "application/x-www-form-urlencoded"}
    async with pages.client() as http:
        assert (await http.post("/dashboard/form", content=body, headers=headers)).status_code == 400


async def test_operator_page_is_hidden_from_others(pages: Pages) -> None:
    async with pages.client() as http:
        assert (await http.get("/dashboard/operators-only")).status_code == 404
        pages.context.accounts.administration.set_admin(ADA, admin=True)
        assert (await http.get("/dashboard/operators-only")).status_code == 200
