"""What HTTP clients expect of every path: problem details, rate limit fields, HEAD, OPTIONS, and CORS."""

from pathlib import Path

import httpx
import pytest

from mediakit import errors
from mediakit.server import Server
from mediakit.settings import ServerSettings
from tests.conftest import Api, open_api

PROBLEM = "application/problem+json"
ORIGIN = "https://app.example.com"
GET_PATHS = ("/", "/docs", "/docs/base.css", "/healthz", "/readyz", "/metrics", "/openapi.json", "/templates")


@pytest.mark.parametrize(
    "accept",
    [
        PROBLEM,
        f"application/json, {PROBLEM}",
        f"{PROBLEM};q=0.9, application/json;q=0.5",
        f"image/png, {PROBLEM}, */*;q=0.1",
    ],
)
def test_error_is_problem_details_if_client_prefers_them(server: Server, accept: str) -> None:
    headers = {"x-api-key": server.key, "accept": accept}
    response = httpx.post(f"{server.url}/qr", json={"data": "x", "size": 9}, headers=headers)
    message = "size: must be between 64 and 2000, got 9."
    assert (response.status_code, response.headers["content-type"]) == (400, PROBLEM)
    assert response.json() == {
        "type": "https://github.com/mediakit/mediakit/blob/main/docs/errors.md#InvalidInput",
        "title": "Invalid input",
        "status": 400,
        "detail": message,
        "error": message,
        "details": [{"field": "size", "message": "must be between 64 and 2000, got 9."}],
    }
    assert "Accept" in response.headers["vary"]


@pytest.mark.parametrize(
    "accept", ["*/*", "application/json", "application/*", f"application/json, {PROBLEM};q=0.9", f"{PROBLEM};q=0", ""]
)
def test_error_is_plain_json_for_other_clients(server: Server, accept: str) -> None:
    response = httpx.post(f"{server.url}/qr", json={"data": "x"}, headers={"accept": accept})
    assert (response.status_code, response.headers["content-type"]) == (401, "application/json")
    assert set(response.json()) == {"error"}


def test_problem_details_keep_fields_and_retry_after(server: Server) -> None:
    for path, title in (("/unknown", "Not found"), ("/files/unknown", "Not found")):
        response = httpx.get(f"{server.url}{path}", headers={"accept": PROBLEM})
        assert (response.status_code, response.json()["title"]) == (404, title)


@pytest.mark.anyio
async def test_every_counted_call_has_rate_limit_fields(tmp_path: Path) -> None:
    async for api in open_api(tmp_path, plan="free", rates={"free": 3}):
        calls: list[tuple[dict[str, object], int]] = [
            ({"data": "x"}, 200),
            ({"data": "x", "size": 5}, 400),
            ({}, 400),
            ({"data": "x"}, 429),
        ]
        for number, (values, status) in enumerate(calls):
            response = await api.json("/qr", values)
            remaining = max(2 - number, 0)
            assert response.status_code == status
            assert response.headers["ratelimit-policy"] == '"requests";q=3;w=60'
            name, rest, reset = response.headers["ratelimit"].split(";")
            assert (name, rest) == ('"requests"', f"r={remaining}")
            assert 1 <= int(reset.removeprefix("t=")) <= 60
            assert response.headers["x-ratelimit-remaining"] == str(remaining)
        problem = await api.json("/qr", {"data": "x"}, headers={"accept": PROBLEM})
        assert (problem.json()["reason"], problem.json()["title"]) == ("rate", "Too many requests")
        assert problem.headers["retry-after"] == str(problem.json()["retry_after"])


@pytest.mark.anyio
async def test_uncounted_requests_have_no_rate_limit_fields(api: Api) -> None:
    for response in (await api.http.post("/qr", json={}), await api.http.get("/status"), await api.http.get("/docs")):
        assert not [name for name in response.headers if "ratelimit" in name]


@pytest.mark.parametrize("path", GET_PATHS)
def test_head_has_headers_of_get_and_no_body(server: Server, path: str) -> None:
    got, head = httpx.get(f"{server.url}{path}"), httpx.head(f"{server.url}{path}")
    assert head.status_code == got.status_code
    assert head.content == b""
    assert head.headers["content-type"] == got.headers["content-type"]
    if path not in ("/metrics", "/readyz"):  # their values change
        assert head.headers.get("content-length") in (None, got.headers["content-length"])
        plain = {"accept-encoding": "identity"}
        got, head = (httpx.request(method, f"{server.url}{path}", headers=plain) for method in ("GET", "HEAD"))
        assert head.headers["content-length"] == got.headers["content-length"] == str(len(got.content))


@pytest.mark.parametrize("path", ["/openapi.json", "/docs/main.js", "/dashboard/static/dashboard.css"])
@pytest.mark.parametrize("known", ["{strong}", "W/{strong}", '"other", W/{strong}', "*"])
def test_known_version_is_not_sent_again(server: Server, path: str, known: str) -> None:
    first = httpx.get(f"{server.url}{path}", timeout=60)
    strong = first.headers["etag"].removeprefix("W/")
    again = httpx.get(f"{server.url}{path}", headers={"if-none-match": known.format(strong=strong)})
    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")
    assert again.headers["etag"].removeprefix("W/") == strong
    assert httpx.get(f"{server.url}{path}", headers={"if-none-match": '"other"'}).status_code == 200


@pytest.mark.parametrize(
    ("path", "allowed"), [("/qr", "OPTIONS, POST"), ("/status", "GET, HEAD, OPTIONS"), ("/", "GET, HEAD, OPTIONS")]
)
def test_options_and_405_list_allowed_methods(server: Server, path: str, allowed: str) -> None:
    options = httpx.options(f"{server.url}{path}")
    assert (options.status_code, options.content, options.headers["allow"]) == (204, b"", allowed)
    rejected = httpx.request("DELETE", f"{server.url}{path}")
    assert (rejected.status_code, rejected.headers["allow"]) == (405, allowed)
    assert rejected.json() == {"error": f"method: DELETE is not allowed for this path, use {allowed}."}
    assert httpx.options(f"{server.url}/unknown").status_code == 404


@pytest.mark.anyio
@pytest.mark.parametrize("allowed", [ORIGIN, "*"])
async def test_page_of_allowed_origin_can_call_api(
    allowed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEDIAKIT_CORS_ORIGINS", allowed)
    async for api in open_api(tmp_path):
        asked = {
            "origin": ORIGIN,
            "access-control-request-method": "POST",
            "access-control-request-headers": "x-api-key,content-type,idempotency-key",
        }
        preflight = await api.http.options("/qr", headers=asked)
        assert preflight.status_code == 200
        assert preflight.headers["access-control-allow-origin"] == allowed
        assert "POST" in preflight.headers["access-control-allow-methods"]
        assert "idempotency-key" in preflight.headers["access-control-allow-headers"]
        for response in (
            await api.json("/qr", {"data": "x"}, headers={"origin": ORIGIN}),
            await api.json("/qr", {}, headers={"origin": ORIGIN}),
        ):
            assert response.headers["access-control-allow-origin"] == allowed
            exposed = response.headers["access-control-expose-headers"].split(", ")
            assert {"X-Request-Id", "RateLimit", "X-Mediakit-Meta", "Content-Disposition", "Retry-After"} <= {*exposed}
            assert "access-control-allow-credentials" not in response.headers


@pytest.mark.anyio
async def test_page_of_allowed_origin_can_find_and_cancel_a_job(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEDIAKIT_CORS_ORIGINS", ORIGIN)
    async for api in open_api(tmp_path):
        accepted = await api.json("/qr", {"data": "x"}, headers={"origin": ORIGIN, "prefer": "respond-async"})
        assert {"Location", "Preference-Applied"} <= {*accepted.headers["access-control-expose-headers"].split(", ")}
        asked = {"origin": ORIGIN, "access-control-request-method": "DELETE"}
        assert (await api.http.options(accepted.headers["location"], headers=asked)).status_code == 200


@pytest.mark.anyio
@pytest.mark.parametrize("allowed", ["", "https://other.example"])
async def test_page_of_other_origin_cannot_call_api(
    allowed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEDIAKIT_CORS_ORIGINS", allowed)
    async for api in open_api(tmp_path):
        asked = {"origin": ORIGIN, "access-control-request-method": "POST"}
        preflight = await api.http.options("/qr", headers=asked)
        call = await api.json("/qr", {"data": "x"}, headers={"origin": ORIGIN})
        assert "access-control-allow-origin" not in {**preflight.headers, **call.headers}


@pytest.mark.parametrize("value", ["app.example.com", "https://app.example.com/path", "https://*.example.com"])
def test_invalid_origins_name_the_variable(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEDIAKIT_CORS_ORIGINS", value)
    with pytest.raises(errors.InvalidInput, match=r"MEDIAKIT_CORS_ORIGINS: must be \* or origins"):
        ServerSettings()
