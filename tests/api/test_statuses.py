"""HTTP statuses and error bodies (SPEC.md section 7). A failed call costs no credit."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import KW_ONLY
from pathlib import Path
from typing import Annotated

import pytest
from pydantic import Field

from mediakit.api import context
from mediakit.core.request import request
from mediakit.core.tool import tool
from mediakit.errors import CreditsUsedUp, ResourcesTimeout, ServerBusy, TooManyRequests
from mediakit.results.files import ImageResult
from mediakit.samples import LANDSCAPE
from mediakit.tools.images.qr import qr
from tests.conftest import Api, open_api

pytestmark = pytest.mark.anyio


@request
class FailureRequest:
    """The failure to simulate."""

    kind: str
    """Name of the failure."""
    _: KW_ONLY
    seconds: Annotated[float, Field(ge=0, le=60)] = 0
    """Seconds until it happens."""


started, cancelled = asyncio.Event(), asyncio.Event()


@tool(FailureRequest, tag="Images", raw={"text/plain": "kind"}, produces=("image/png",))
async def failure(request: FailureRequest) -> ImageResult:
    """Simulate a failure."""
    started.set()
    try:
        await asyncio.sleep(request.seconds)
    except asyncio.CancelledError:
        cancelled.set()
        raise
    failures = {
        "busy": ServerBusy("The server is busy. Try again in 7 seconds.", retry_after=7),
        "timeout": ResourcesTimeout("Some resources did not load within 20 seconds.", hosts=["slow.example"]),
        "bug": RuntimeError("secret detail"),
    }
    if request.kind in failures:
        raise failures[request.kind]
    return ImageResult(b"fine", "image/png", {"note": "日本"})


@pytest.fixture
async def failing_api(tmp_path: Path) -> AsyncIterator[Api]:
    async for api in open_api(tmp_path, tools=(qr, failure)):
        yield api


async def test_missing_key_returns_401(api: Api) -> None:
    response = await api.http.post("/qr", json={"data": "x"})
    assert response.status_code == 401
    assert response.json() == {"error": "Missing API key. Send it in the x-api-key header."}
    assert response.headers["www-authenticate"] == 'ApiKey realm="mediakit", header="x-api-key"'


@pytest.mark.parametrize("key", ["", "wrong", "mk_live_0123456789_nope", "é" * 10, "x" * 5000])
async def test_invalid_key_returns_401(api: Api, key: str) -> None:
    response = await api.http.post("/qr", json={"data": "x"}, headers=[(b"x-api-key", key.encode())])
    assert response.status_code == 401
    assert set(response.json()) == {"error"}


async def test_revoked_key_returns_401(api: Api) -> None:
    key = api.accounts.create_key(api.email)
    assert (await api.json("/qr", {"data": "x"}, key=key.key)).status_code == 200
    api.accounts.revoke_key(key.id)
    assert (await api.json("/qr", {"data": "x"}, key=key.key)).status_code == 401


async def test_unverified_email_returns_403_before_validation(api: Api) -> None:
    api.accounts.create_account("new@example.com")
    key = api.accounts.create_key("new@example.com").key
    response = await api.json("/qr", {"nonsense": 1}, key=key)
    assert response.status_code == 403
    assert response.json() == {
        "error": "Verify your email address to use the tools: sign in once at /dashboard/sign-in."
    }
    status = await api.http.get("/status", headers={"x-api-key": key})
    assert status.status_code == 200


async def test_status_returns_every_field(api: Api) -> None:
    await api.json("/qr", {"data": "x"})
    status = await api.status()
    assert {name: status[name] for name in ("plan", "limit", "unlimited", "used", "remaining", "loyalty")} == {
        "plan": "scale",
        "limit": 10000,
        "unlimited": False,
        "used": 1,
        "remaining": 9999,
        "loyalty": {"pct": 0, "bonus": 0},
    }
    assert str(status["reset"]).endswith("T00:00:00Z")


async def test_meta_reports_used_and_remaining_credits(api: Api) -> None:
    first = (await api.json("/qr", {"data": "x"})).json()["meta"]
    second = (await api.json("/qr", {"data": "x"})).json()["meta"]
    assert (first["used"], first["remaining"], first["unlimited"]) == (1, 9999, False)
    assert (second["used"], second["remaining"]) == (2, 9998)


async def test_used_up_credits_return_429_with_reason_credits(tmp_path: Path) -> None:
    async for api in open_api(tmp_path, plan="free", rates={"free": 0}):
        for _ in range(50):
            assert (await api.json("/qr", {"data": "x"})).status_code == 200
        response = await api.json("/qr", {"data": "x"})
        body = response.json()
        assert response.status_code == 429
        assert body["error"].startswith("Monthly credit limit reached (50). It resets on ")
        assert (body["reason"], body["plan"], body["limit"]) == ("credits", "free", 50)
        with pytest.raises(CreditsUsedUp) as caught:
            await api.client().qr("x")
        assert caught.value.reason == "credits"
        assert response.headers["retry-after"] == str(body["retry_after"])
        assert (await api.status())["remaining"] == 0


async def test_80_concurrent_calls_use_exactly_50_credits(tmp_path: Path) -> None:
    async for api in open_api(tmp_path, plan="free", rates={"free": 0}):
        responses = await asyncio.gather(*(api.json("/qr", {"data": f"call {number}"}) for number in range(80)))
        statuses = sorted(response.status_code for response in responses)
        assert statuses == [200] * 50 + [429] * 30
        assert (await api.status())["used"] == 50


async def test_too_many_requests_return_429_with_reason_rate(tmp_path: Path) -> None:
    async for api in open_api(tmp_path, plan="free"):
        for remaining in range(9, -1, -1):
            response = await api.json("/qr", {"data": "x"})
            assert response.headers["x-ratelimit-remaining"] == str(remaining)
        response = await api.json("/qr", {"data": "x"})
        body = response.json()
        assert response.status_code == 429
        assert body["error"].startswith("Too many requests: 10 per minute for this account.")
        assert (body["reason"], body["plan"], body["limit"]) == ("rate", "free", 10)
        with pytest.raises(TooManyRequests) as caught:
            await api.client().qr("x")
        assert caught.value.reason == "rate"
        assert 1 <= body["retry_after"] <= 60
        assert response.headers["retry-after"] == str(body["retry_after"])
        assert (await api.status())["used"] == 10


async def test_server_busy_returns_503_with_retry_after(failing_api: Api) -> None:
    response = await failing_api.json("/failure", {"kind": "busy"})
    assert response.status_code == 503
    assert response.json() == {"error": "The server is busy. Try again in 7 seconds.", "retry_after": 7}
    assert response.headers["retry-after"] == "7"
    assert (await failing_api.status())["used"] == 0


async def test_resources_timeout_returns_422_with_hosts(failing_api: Api) -> None:
    response = await failing_api.json("/failure", {"kind": "timeout"})
    assert response.status_code == 422
    assert response.json() == {
        "error": "Some resources did not load within 20 seconds.",
        "code": "resources_timeout",
        "hosts": ["slow.example"],
    }
    assert (await failing_api.status())["used"] == 0


async def test_binary_response_has_meta_header(failing_api: Api) -> None:
    response = await failing_api.raw("/failure", "fine", "text/plain")
    assert response.content == b"fine"
    assert json.loads(response.headers["x-mediakit-meta"]) == {
        "size_bytes": 4,
        "note": "日本",
        "used": 1,
        "remaining": 9999,
        "unlimited": False,
    }


async def test_unexpected_exception_returns_500_without_details(failing_api: Api) -> None:
    response = await failing_api.json("/failure", {"kind": "bug"})
    assert response.status_code == 500
    assert "secret detail" not in response.text
    assert response.headers["x-request-id"] in response.json()["error"]
    assert (await failing_api.status())["used"] == 0


async def test_failed_link_store_costs_no_credit(api: Api, tmp_path: Path) -> None:
    (tmp_path / "links").rmdir() if (tmp_path / "links").exists() else None
    (tmp_path / "links").write_text("a file where the folder should be")
    response = await api.json("/qr", {"data": "x", "output": "url"})
    assert response.status_code >= 500
    assert (await api.status())["used"] == 0


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/qr", 405),
        ("POST", "/status", 405),
        ("GET", "/x", 404),
        ("GET", "/status/", 404),
    ],
)
async def test_wrong_path_or_method_returns_json_error(api: Api, method: str, path: str, status: int) -> None:
    response = await api.http.request(method, path)
    assert response.status_code == status
    assert set(response.json()) == {"error"}


async def test_full_file_queue_returns_503(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(context, "MAX_WAITING_FILE_CALLS", 3)
    async for small in open_api(tmp_path):
        photo = LANDSCAPE.read_bytes()
        calls = (small.raw("/images", photo, "image/jpeg", width=800, format="avif") for _ in range(40))
        responses = await asyncio.gather(*calls)
        busy = [response for response in responses if response.status_code == 503]
        assert {response.status_code for response in responses} == {200, 503}
        assert all(response.json()["retry_after"] == int(response.headers["retry-after"]) for response in busy)
        assert (await small.status())["used"] == 40 - len(busy)


async def test_every_response_has_request_id(api: Api) -> None:
    received = await api.json("/qr", {"data": "x"}, headers={"x-request-id": "my-id.1"})
    assert received.headers["x-request-id"] == "my-id.1"
    generated = await api.json("/qr", {"data": "x"}, headers={"x-request-id": "no spaces allowed"})
    assert generated.headers["x-request-id"].isalnum()


async def test_openapi_requires_reason_in_429_bodies(api: Api) -> None:
    document = (await api.http.get("/openapi.json")).json()
    schema = document["components"]["schemas"]["LimitReachedError"]
    assert set(schema["required"]) == {"error", "reason", "plan", "limit", "retry_after"}
    assert schema["properties"]["reason"]["enum"] == ["credits", "rate"]


async def test_health_and_metrics_require_no_key(api: Api) -> None:
    await api.json("/qr", {"data": "x"})
    assert (await api.http.get("/healthz")).json() == {"status": "ok"}
    assert (await api.http.get("/readyz")).json()["checks"]["database"] == "ok"
    metrics = (await api.http.get("/metrics")).text
    assert 'mediakit_calls_total{method="POST",path="/qr",status="200"}' in metrics


async def test_call_of_disconnected_client_is_not_charged(failing_api: Api) -> None:
    started.clear()
    cancelled.clear()
    call = asyncio.create_task(failing_api.json("/failure", {"kind": "fine", "seconds": 30}))
    await asyncio.to_thread(_wait_for, started)
    call.cancel()
    await asyncio.gather(call, return_exceptions=True)
    await asyncio.to_thread(_wait_for, cancelled)
    assert (await failing_api.status())["used"] == 0


def _wait_for(event: asyncio.Event) -> None:
    """Wait for an event that another event loop sets."""
    import time

    for _ in range(500):
        if event.is_set():
            return
        time.sleep(0.02)
    pytest.fail("the event was not set within 10 seconds")
