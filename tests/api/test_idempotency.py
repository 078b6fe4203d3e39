"""The `Idempotency-Key` header: one execution, one charge, and the same response for repeated requests."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import KW_ONLY
from pathlib import Path
from typing import Annotated, Any

import httpx
import pytest
from pydantic import Field

from mediakit.accounts import idempotency
from mediakit.core.inputs import File
from mediakit.core.request import request
from mediakit.core.tool import tool
from mediakit.errors import CallInProgress, NotConvertible, ServerBusy
from mediakit.results.files import FileResult
from tests.conftest import Api, open_api

pytestmark = pytest.mark.anyio

runs: list[str] = []
started, finish = asyncio.Event(), asyncio.Event()


@request
class StampRequest:
    """What to stamp."""

    text: Annotated[str, Field(min_length=1, max_length=100)]
    """Text of the stamp."""
    _: KW_ONLY
    copies: Annotated[int, Field(ge=1, le=9)] = 1
    """Number of copies."""
    file: File | None = None
    """A file to stamp."""


@tool(StampRequest, tag="Files", raw={"text/plain": "text"}, produces=("text/plain",))
async def stamp(request: StampRequest) -> FileResult:
    """Return a text with the number of the run; some texts fail."""
    runs.append(request.text)
    match request.text:
        case "busy":
            raise ServerBusy("The server is busy. Try again in 5 seconds.")
        case "unreadable":
            raise NotConvertible("The text is not readable.")
        case "bug":
            raise RuntimeError("secret detail")
        case "slow":
            started.set()
            while not finish.is_set():  # noqa: ASYNC110  # set by another event loop
                await asyncio.sleep(0.01)
    return FileResult(f"{request.text} {len(runs)}".encode() * request.copies, "text/plain", "stamp.txt", {})


@pytest.fixture
async def stamps(tmp_path: Path) -> AsyncIterator[Api]:
    runs.clear()
    started.clear()
    finish.clear()
    async for api in open_api(tmp_path, tools=(stamp,)):
        yield api


async def post(api: Api, key: str, **values: Any) -> httpx.Response:
    return await api.json("/stamp", {"text": "a", **values}, headers={"idempotency-key": key})


async def used(api: Api) -> object:
    return (await api.status())["used"]


@pytest.mark.parametrize("output", ["json", "binary", "url"])
async def test_repeated_request_returns_the_first_response_for_one_charge(stamps: Api, output: str) -> None:
    first, second = [await post(stamps, "order 1", output=output) for _ in range(2)]
    assert first.status_code == second.status_code == 200
    assert second.content == first.content
    assert "idempotency-replayed" not in first.headers
    assert second.headers["idempotency-replayed"] == "true"
    for name in ("content-type", "content-disposition", "x-mediakit-meta", "content-security-policy"):
        assert second.headers.get(name) == first.headers.get(name)
    assert second.headers["x-ratelimit-remaining"] == str(int(first.headers["x-ratelimit-remaining"]) - 1)
    assert (runs, await used(stamps)) == (["a"], 1)


async def test_other_key_and_missing_key_run_again(stamps: Api) -> None:
    await post(stamps, "one")
    await post(stamps, "two")
    await stamps.json("/stamp", {"text": "a"})
    assert (len(runs), await used(stamps)) == (3, 3)


async def test_keys_of_two_accounts_are_independent(stamps: Api) -> None:
    stamps.accounts.create_account("grace@example.com", verified=True)
    other = stamps.accounts.create_key("grace@example.com").key
    first = await post(stamps, "same")
    second = await stamps.json("/stamp", {"text": "b"}, key=other, headers={"idempotency-key": "same"})
    assert (first.status_code, second.status_code, runs) == (200, 200, ["a", "b"])


async def test_all_keys_of_an_account_share_its_idempotency_keys(stamps: Api) -> None:
    other = stamps.accounts.create_key(stamps.email).key
    first = await post(stamps, "same")
    second = await stamps.json("/stamp", {"text": "a"}, key=other, headers={"idempotency-key": "same"})
    assert (second.content, runs) == (first.content, ["a"])


@pytest.mark.parametrize("changed", [{"text": "b"}, {"copies": 2}, {"output": "url"}, {"file": "aGk="}])
async def test_other_request_with_the_same_key_returns_400(stamps: Api, changed: dict[str, Any]) -> None:
    await post(stamps, "order 1")
    response = await post(stamps, "order 1", **changed)
    assert response.status_code == 400
    assert response.json()["error"].startswith("Idempotency-Key: was used for another request in the last 24 hours")
    assert response.json()["details"][0]["field"] == "Idempotency-Key"
    assert (runs, await used(stamps)) == (["a"], 1)


async def test_order_of_members_and_boundary_of_forms_do_not_matter(stamps: Api) -> None:
    first, second = {"text": "a", "copies": 2}, {"copies": 2, "text": "a"}
    answers = [await stamps.json("/stamp", each, headers={"idempotency-key": "json"}) for each in (first, second)]
    for boundary in ("one", "two"):
        part = f"--{boundary}\r\ncontent-disposition: form-data; name=%s\r\n\r\n%s\r\n"
        body = part % ("text", "a") + part % ("file; filename=a.txt", "hi") + f"--{boundary}--\r\n"
        kind = f"multipart/form-data; boundary={boundary}"
        headers = {"content-type": kind, "idempotency-key": "form"}
        answers.append(await stamps.post("/stamp", content=body, headers=headers))
    assert [answer.status_code for answer in answers] == [200] * 4
    assert answers[0].content == answers[1].content
    assert answers[2].content == answers[3].content
    assert (len(runs), await used(stamps)) == (2, 2)


async def test_raw_body_is_compared_with_its_options(stamps: Api) -> None:
    async def raw(text: str, **query: object) -> httpx.Response:
        headers = {"content-type": "text/plain", "idempotency-key": "raw"}
        return await stamps.post("/stamp", content=text, headers=headers, params=query)

    first, same = await raw("a", copies=2), await raw("a", copies=2)
    assert (first.content, same.content) == (b"a 1a 1", b"a 1a 1")
    assert same.headers["x-mediakit-meta"] == first.headers["x-mediakit-meta"]
    assert [(await raw("a", copies=3)).status_code, (await raw("b", copies=2)).status_code] == [400, 400]


async def test_request_during_the_first_call_returns_409(stamps: Api) -> None:
    first = asyncio.create_task(post(stamps, "order 1", text="slow"))
    while not started.is_set():  # noqa: ASYNC110  # set by another event loop
        await asyncio.sleep(0.01)
    during = await post(stamps, "order 1", text="slow")
    finish.set()
    assert during.status_code == CallInProgress.status == 409
    assert during.headers["retry-after"] == str(during.json()["retry_after"]) == "1"
    assert during.json()["error"].startswith("Idempotency-Key: a call with this key is running.")
    assert (await first).status_code == 200
    after = await post(stamps, "order 1", text="slow")
    assert after.content == (await first).content
    assert (runs, await used(stamps)) == (["slow"], 1)


async def test_20_concurrent_requests_with_a_key_charge_one_credit(stamps: Api) -> None:
    answers = await asyncio.gather(*(post(stamps, "order 1") for _ in range(20)))
    assert {answer.status_code for answer in answers} <= {200, 409}
    assert len({answer.content for answer in answers if answer.status_code == 200}) == 1
    assert (runs, await used(stamps)) == (["a"], 1)


@pytest.mark.parametrize(("text", "status"), [("unreadable", 422), ("bug", 500)])
async def test_failure_of_the_tool_is_stored_and_free(stamps: Api, text: str, status: int) -> None:
    first, second = [await post(stamps, "order 1", text=text) for _ in range(2)]
    assert (first.status_code, second.status_code) == (status, status)
    assert (second.content, second.headers["idempotency-replayed"]) == (first.content, "true")
    assert b"secret" not in second.content
    assert (runs, await used(stamps)) == ([text], 0)


async def test_stored_error_has_the_format_that_the_repeated_request_accepts(stamps: Api) -> None:
    await post(stamps, "order 1", text="unreadable")
    headers = {"idempotency-key": "order 1", "accept": "application/problem+json"}
    response = await stamps.json("/stamp", {"text": "unreadable"}, headers=headers)
    assert response.headers["content-type"] == "application/problem+json"
    assert (response.json()["title"], response.json()["detail"]) == ("Not convertible", "The text is not readable.")
    assert response.headers["idempotency-replayed"] == "true"


async def test_temporary_and_validation_failures_are_not_stored(stamps: Api) -> None:
    assert [(await post(stamps, "order 1", text="busy")).status_code for _ in range(2)] == [503, 503]
    assert (await post(stamps, "order 1", copies=99)).status_code == 400
    response = await post(stamps, "order 1")
    assert (response.status_code, runs, await used(stamps)) == (200, ["busy", "busy", "a"], 1)


async def test_call_of_disconnected_client_releases_its_key(stamps: Api) -> None:
    first = asyncio.create_task(post(stamps, "order 1", text="slow"))
    while not started.is_set():  # noqa: ASYNC110  # set by another event loop
        await asyncio.sleep(0.01)
    first.cancel()
    asyncio.get_running_loop().call_later(0.05, finish.set)  # a tool with files runs to its end
    await asyncio.gather(first, return_exceptions=True)
    assert (await post(stamps, "order 1", text="slow")).status_code == 200
    assert await used(stamps) == 1


async def test_body_too_large_to_store_is_created_again_without_a_charge(
    stamps: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(idempotency, "SMALL_BYTES", 0)
    monkeypatch.setattr(idempotency, "MAX_STORED_BYTES", 100)
    first, second = [await post(stamps, "order 1") for _ in range(2)]
    assert (first.status_code, second.status_code, len(runs), await used(stamps)) == (200, 200, 2, 1)
    assert (second.headers["idempotency-replayed"], second.json()["meta"]["used"]) == ("true", 1)


@pytest.mark.parametrize(
    ("sent", "equal"), [('"a b"', "a b"), ("a b ", "a b"), (r'"a\"b\\"', 'a"b\\'), ("k" * 255,) * 2]
)
async def test_quotes_of_a_structured_field_are_not_part_of_the_key(stamps: Api, sent: str, equal: str) -> None:
    assert (await post(stamps, sent)).content == (await post(stamps, equal)).content
    assert len(runs) == 1


@pytest.mark.parametrize("key", ["", '""', "k" * 256, "é", "a\tb", "a\x7f"])
async def test_invalid_key_returns_400(stamps: Api, key: str) -> None:
    headers = [(b"x-api-key", stamps.key.encode()), (b"idempotency-key", key.encode())]
    response = await stamps.http.post("/stamp", json={"text": "a"}, headers=headers)
    assert response.status_code == 400
    assert response.json()["error"].startswith("Idempotency-Key: must have 1 to 255 printable ASCII characters, got ")
    assert runs == []


async def test_repeated_header_returns_400(stamps: Api) -> None:
    headers = [(b"x-api-key", stamps.key.encode()), (b"idempotency-key", b"a"), (b"idempotency-key", b"b")]
    response = await stamps.http.post("/stamp", json={"text": "a"}, headers=headers)
    assert (response.status_code, response.json()["error"]) == (400, "Idempotency-Key: must be sent once.")
