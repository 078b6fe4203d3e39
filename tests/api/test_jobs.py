"""Calls that are answered later: `Prefer: respond-async`, the state of a job, its result, its charge and its end."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import closing, suppress
from dataclasses import field
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any

import httpx
import pytest
from pydantic import Field

from mediakit.accounts import Accounts, JobRow, Link, Links, StoredResponse, jobs
from mediakit.accounts.credits import Credits
from mediakit.api.jobs import RENEW_SECONDS
from mediakit.core.inputs import File, file_of
from mediakit.core.request import request
from mediakit.core.tool import tool
from mediakit.errors import CreditsUsedUp, MediakitError, NotConvertible, ServerBusy
from mediakit.results.files import FileResult
from mediakit.usage import Usage
from tests.conftest import Api, TestSettings, open_api
from tests.support.server_process import running_server, wait_until

pytestmark = pytest.mark.anyio

LATER = {"prefer": "respond-async"}
runs: list[str] = []
finish = asyncio.Event()
released = threading.Event()


@request
class WeaveRequest:
    """What to weave."""

    text: Annotated[str, Field(min_length=1, max_length=100)]
    """The text."""
    knots: Annotated[list[float], Field(max_length=1000)] = field(default_factory=list)
    """Numbers, which take memory."""


@tool(WeaveRequest, tag="Files", raw={"text/plain": "text"}, produces=("text/plain",))
async def weave(request: WeaveRequest) -> FileResult:
    """Return a text; some texts fail or take long."""
    runs.append(request.text)
    match request.text:
        case "unreadable":
            raise NotConvertible("The text is not readable.")
        case "bug":
            raise RuntimeError("secret detail")
        case "busy once" if len(runs) == 1:
            raise ServerBusy("The server is busy. Try again in 1 second.", retry_after=1)
        case "slow":
            while not finish.is_set():  # noqa: ASYNC110  # set by another event loop
                await asyncio.sleep(0.01)
    return FileResult(request.text.encode(), "text/plain", "cloth.txt", {})


@request
class PressRequest:
    """What to press."""

    file: File
    """The file."""


@tool(PressRequest, tag="Files", raw={"text/plain": "file"}, produces=("text/plain",))
async def press(request: PressRequest) -> FileResult:
    """Return a file, after a time in a thread, which cannot be stopped."""
    await asyncio.to_thread(released.wait, 30)
    return FileResult(bytes(file_of(request.file)), "text/plain", "cloth.txt", {})


@pytest.fixture
async def looms(tmp_path: Path) -> AsyncIterator[Api]:
    runs.clear()
    finish.clear()
    async for api in open_api(tmp_path, tools=(weave, press)):
        yield api


def no_claim(job: JobRow) -> StoredResponse:
    raise AssertionError(f"{job} has no idempotency key")


async def submit(api: Api, text: str, key: str | None = None, **options: Any) -> httpx.Response:
    response = await api.json("/weave", {"text": text, **options.pop("values", {})}, key=key, headers=LATER | options)
    assert response.status_code == 202, response.text
    return response


async def get(api: Api, path: str, key: str | None = None) -> httpx.Response:
    return await api.http.get(path, headers={"x-api-key": key or api.key})


async def ended(api: Api, response: httpx.Response) -> dict[str, Any]:
    async with asyncio.timeout(30):
        while not (job := (await get(api, response.headers["location"])).json())["finished_at"]:  # noqa: ASYNC110  # the state is on the server
            await asyncio.sleep(0.02)
    return dict(job)


async def running(api: Api, response: httpx.Response) -> dict[str, Any]:
    async with asyncio.timeout(30):
        while (job := (await get(api, response.headers["location"])).json())["state"] != "running":  # noqa: ASYNC110  # the state is on the server
            await asyncio.sleep(0.02)
    return dict(job)


async def delete(api: Api, response: httpx.Response) -> int:
    path = response.headers["location"]
    return (await api.http.delete(path, headers={"x-api-key": api.key})).status_code


async def used(api: Api) -> object:
    return (await api.status())["used"]


async def test_call_is_answered_at_once_and_its_result_is_a_link(looms: Api) -> None:
    accepted = await submit(looms, "wool")
    assert accepted.headers["preference-applied"] == "respond-async"
    assert accepted.headers["location"] == f"/jobs/{accepted.json()['id']}"
    job = await ended(looms, accepted)
    assert (job["state"], job["progress"], job["error"]) == ("succeeded", 1.0, None)
    assert job["meta"] == {"used": 1, "remaining": 9999, "unlimited": False}
    stored = await looms.http.get(job["result"]["url"])
    waited = await looms.json("/weave", {"text": "wool"})
    assert stored.headers["content-type"] == job["result"]["mime_type"] == "application/json"
    assert stored.json() | {"meta": None} == waited.json() | {"meta": None}
    assert stored.json()["meta"]["used"] == 1
    assert len(stored.content) == job["result"]["size_bytes"]


@pytest.mark.parametrize("output", ["binary", "url"])
async def test_other_outputs_store_the_file_itself(looms: Api, output: str) -> None:
    job = await ended(looms, await submit(looms, "silk", values={"output": output}))
    assert job["result"]["mime_type"] == "text/plain"
    assert (await looms.http.get(job["result"]["url"])).text == "silk"


@pytest.mark.parametrize("prefer", ["respond-async, wait=10", "return=minimal,Respond-Async;x=1", 'respond-async=""'])
async def test_preference_is_found_among_others(looms: Api, prefer: str) -> None:
    response = await looms.json("/weave", {"text": "a"}, headers={"prefer": prefer})
    assert response.status_code == 202


@pytest.mark.parametrize("prefer", ["", "return=minimal", "respond-asynchronously"])
async def test_other_preferences_wait_for_the_result(looms: Api, prefer: str) -> None:
    response = await looms.json("/weave", {"text": "a"}, headers={"prefer": prefer})
    assert (response.status_code, "preference-applied" in response.headers) == (200, False)


async def test_invalid_call_is_refused_at_once(looms: Api) -> None:
    response = await looms.json("/weave", {"text": ""}, headers=LATER)
    assert (response.status_code, response.json()["details"][0]["field"]) == (400, "text")


async def test_credit_is_held_while_the_job_runs_and_charged_once(tmp_path: Path) -> None:
    runs.clear()
    finish.clear()
    async for api in open_api(tmp_path, tools=(weave,), plan="free"):
        jobs_ = [await submit(api, "slow") for _ in range(10)]
        await running(api, jobs_[0])
        assert await used(api) == 0
        assert api.accounts.credits.held() >= 10
        finish.set()
        for job in jobs_:
            assert (await ended(api, job))["state"] == "succeeded"
        assert await used(api) == 10
        assert sum(call.charged for call in api.accounts.ledger.recent(1)) == 10


async def test_account_without_credits_is_refused_at_once(tmp_path: Path) -> None:
    runs.clear()
    async for api in open_api(tmp_path, tools=(weave,), plan="free", rates={"free": 0}):
        for _ in range(50):
            assert (await api.json("/weave", {"text": "a"})).status_code == 200
        response = await api.json("/weave", {"text": "a"}, headers=LATER)
        assert (response.status_code, response.json()["reason"]) == (429, "credits")


@pytest.mark.parametrize(("text", "status", "words"), [("unreadable", 422, "not readable"), ("bug", 500, "Internal")])
async def test_failed_job_has_the_error_and_costs_nothing(looms: Api, text: str, status: int, words: str) -> None:
    job = await ended(looms, await submit(looms, text))
    assert (job["state"], job["result"], job["error"]["status"]) == ("failed", None, status)
    assert words in job["error"]["error"]
    assert "secret" not in str(job)
    assert await used(looms) == 0


async def test_job_waits_for_a_busy_server(looms: Api) -> None:
    job = await ended(looms, await submit(looms, "busy once"))
    assert (job["state"], len(runs), await used(looms)) == ("succeeded", 2, 1)


async def test_result_is_stored_while_other_calls_are_charged(looms: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    store, is_locked = Links.store, []

    def slow_store(links: Links, *values: Any) -> Link:
        with suppress(MediakitError), looms.accounts.jobs._database.write():
            is_locked.append(False)
        return store(links, *values)

    monkeypatch.setattr(Links, "store", slow_store)
    await ended(looms, await submit(looms, "wool"))
    assert is_locked == [False]


async def test_result_of_jobs_at_the_same_time_has_the_usage_after_each_charge(looms: Api) -> None:
    accepted = [await submit(looms, f"wool {number}") for number in range(6)]
    finished = [await ended(looms, each) for each in accepted]
    stored = [(await looms.http.get(job["result"]["url"])).json() for job in finished]
    assert [each["meta"]["used"] for each in stored] == [job["meta"]["used"] for job in finished]
    assert sorted(job["meta"]["used"] for job in finished) == [1, 2, 3, 4, 5, 6]


async def test_job_that_is_canceled_before_its_charge_leaves_no_file(
    looms: Api, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Links.store

    def cancel_after_store(links: Links, *values: Any) -> Link:
        link = store(links, *values)
        looms.accounts.jobs.end(accepted.json()["id"], 1)
        return link

    finish.clear()
    accepted = await submit(looms, "slow")
    monkeypatch.setattr(Links, "store", cancel_after_store)
    finish.set()
    job = await ended(looms, accepted)
    await asyncio.sleep(0.2)
    assert (job["state"], await used(looms), [each for each in (tmp_path / "links").rglob("*") if each.is_file()]) == (
        "canceled",
        0,
        [],
    )


async def test_job_without_a_credit_for_its_charge_leaves_no_file(
    looms: Api, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_values: Any) -> Usage:
        raise CreditsUsedUp("Monthly credit limit reached (50).", plan="free", limit=50, retry_after=1)

    monkeypatch.setattr(Credits, "commit_with", refuse)
    job = await ended(looms, await submit(looms, "wool"))
    assert (job["state"], job["error"]["status"]) == ("failed", 429)
    assert [each for each in (tmp_path / "links").rglob("*") if each.is_file()] == []


async def test_canceled_job_costs_nothing(looms: Api) -> None:
    accepted = await submit(looms, "slow")
    assert (await running(looms, accepted))["progress"] < 1
    assert await delete(looms, accepted) == 204
    job = await ended(looms, accepted)
    assert (job["state"], job["result"], job["error"]) == ("canceled", None, None)
    finish.set()
    await asyncio.sleep(0.1)
    assert (await ended(looms, accepted))["state"] == "canceled"
    assert (await used(looms), looms.accounts.ledger.recent(1)) == (0, [])


async def test_canceled_job_keeps_its_slot_but_not_its_credit_until_its_thread_has_ended(looms: Api) -> None:
    async def running_file_calls() -> bool:
        return "\nmediakit_file_calls_running 1.0\n" in (await looms.http.get("/metrics")).text

    async def held() -> int:
        return await asyncio.to_thread(looms.accounts.credits.held)

    released.clear()
    accepted = await looms.json("/press", {"file": "aGk="}, headers=LATER)
    async with asyncio.timeout(30):
        while not await running_file_calls():  # noqa: ASYNC110  # the state is on the server
            await asyncio.sleep(0.02)
        assert await held() == 1
        assert [await delete(looms, accepted) for _ in range(2)] == [204, 204]
        while await held():  # noqa: ASYNC110  # the state is on the server
            await asyncio.sleep(0.02)
        await asyncio.sleep(2 * RENEW_SECONDS)
        assert await running_file_calls()
        released.set()
        while await running_file_calls():  # noqa: ASYNC110  # the state is on the server
            await asyncio.sleep(0.02)
    assert await used(looms) == 0


async def test_deleted_result_cannot_be_read(looms: Api) -> None:
    accepted = await submit(looms, "wool")
    job = await ended(looms, accepted)
    assert await delete(looms, accepted) == 204
    assert (await get(looms, accepted.headers["location"])).status_code == 404
    assert (await looms.http.get(job["result"]["url"])).status_code == 404
    assert await delete(looms, accepted) == 404


async def test_job_of_another_account_is_not_found(looms: Api) -> None:
    looms.accounts.create_account("grace@example.com", verified=True)
    other = looms.accounts.create_key("grace@example.com").key
    path = (await submit(looms, "wool")).headers["location"]
    assert (await get(looms, path, other)).status_code == 404
    assert (await looms.http.delete(path, headers={"x-api-key": other})).status_code == 404
    assert (await looms.http.get(path)).status_code == 401


async def test_repeated_call_returns_the_same_job(looms: Api) -> None:
    first, second = [await submit(looms, "wool", **{"idempotency-key": "order 1"}) for _ in range(2)]
    assert second.headers["location"] == first.headers["location"]
    assert second.headers["idempotency-replayed"] == "true"
    await ended(looms, first)
    assert (runs, await used(looms)) == (["wool"], 1)


async def test_call_that_waits_cannot_use_the_key_of_a_job(looms: Api) -> None:
    await submit(looms, "wool", **{"idempotency-key": "order 1"})
    response = await looms.json("/weave", {"text": "wool"}, headers={"idempotency-key": "order 1"})
    assert response.status_code == 400


async def test_canceled_job_frees_its_idempotency_key(looms: Api) -> None:
    first = await submit(looms, "slow", **{"idempotency-key": "order 1"})
    await delete(looms, first)
    second = await submit(looms, "slow", **{"idempotency-key": "order 1"})
    assert second.headers["location"] != first.headers["location"]


async def test_call_whose_result_was_deleted_is_not_charged_again(looms: Api) -> None:
    first = await submit(looms, "wool", **{"idempotency-key": "order 1"})
    await ended(looms, first)
    await delete(looms, first)
    second = await submit(looms, "wool", **{"idempotency-key": "order 1"})
    assert second.headers["location"] == first.headers["location"]
    assert (await get(looms, second.headers["location"])).status_code == 404
    assert (runs, await used(looms)) == (["wool"], 1)


async def test_account_has_a_limit_of_unfinished_jobs(looms: Api) -> None:
    accepted = [await submit(looms, "slow") for _ in range(jobs.MAX_UNFINISHED)]
    refused = await looms.json("/weave", {"text": "slow"}, headers=LATER)
    assert (refused.status_code, refused.json()["retry_after"]) == (429, 5)
    assert "20 jobs of this account are not finished" in refused.json()["error"]
    await delete(looms, accepted[-1])
    await submit(looms, "slow")


@pytest.mark.parametrize("limit", ["MAX_ACCOUNT_BYTES", "MAX_BYTES"])
async def test_inputs_of_unfinished_jobs_have_a_limit_of_memory(
    looms: Api, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setattr(f"mediakit.api.jobs.{limit}", 20_000)
    first = await submit(looms, "slow", values={"knots": [0.5] * 1000})  # one job is accepted, whatever it needs
    refused = await looms.json("/weave", {"text": "a", "knots": [0.5] * 1000}, headers=LATER)
    assert (refused.status_code, "busy with other jobs" in refused.json()["error"]) == (503, True)
    finish.set()
    await ended(looms, first)
    await submit(looms, "a", values={"knots": [0.5] * 1000})


async def test_account_has_a_limit_of_stored_results(looms: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "MAX_RESULT_BYTES", 100)
    accepted = await submit(looms, "wool")
    await ended(looms, accepted)
    refused = await looms.json("/weave", {"text": "wool"}, headers=LATER)
    assert (refused.status_code, "DELETE /jobs" in refused.json()["error"]) == (429, True)
    await delete(looms, accepted)
    await submit(looms, "wool")


async def test_job_is_kept_for_a_day(looms: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "RESULT_LIFETIME", timedelta(seconds=0.05))
    accepted = await submit(looms, "wool")
    async with asyncio.timeout(30):
        while (await get(looms, accepted.headers["location"])).status_code != 404:  # noqa: ASYNC110  # the state is on the server
            await asyncio.sleep(0.02)
    looms.accounts.jobs.clean_up()
    with looms.accounts._database.read() as session:
        assert session.query(JobRow).count() == 0


async def test_job_of_a_server_that_stopped_has_failed(looms: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    principal = looms.accounts.authenticate(looms.key)
    monkeypatch.setattr(jobs, "OWNER_LIFETIME", timedelta(0))
    looms.accounts.jobs.create("f" * 32, principal, "weave", expected_seconds=1, claim=None, response=no_claim)
    job = (await get(looms, f"/jobs/{'f' * 32}")).json()
    assert (job["state"], job["error"]["status"]) == ("failed", 503)
    assert "has stopped" in job["error"]["error"]
    assert await used(looms) == 0


async def test_two_servers_share_jobs(tmp_path: Path) -> None:
    runs.clear()
    finish.clear()
    async for first in open_api(tmp_path, tools=(weave,)):
        settings = TestSettings(tmp_path)
        with closing(Accounts.open(settings.accounts)) as other:
            slow = await submit(first, "slow")
            await running(first, slow)
            account = other.account(first.email).account_id
            assert other.jobs.find(slow.json()["id"], account)[0].state == "running"
            other.jobs.end(slow.json()["id"], account)
            async with asyncio.timeout(30):
                while first.accounts.credits.held() > 0:  # noqa: ASYNC110  # the state is on the server
                    await asyncio.sleep(0.05)
            assert await used(first) == 0


def test_stopped_server_fails_its_jobs_without_a_charge(tmp_path: Path) -> None:
    with running_server(tmp_path) as server:
        headers = {"x-api-key": server.key, **LATER}
        slow = {"html": "<h1>slow</h1>", "wait_ms": 5000}
        path = httpx.post(f"{server.url}/capture", json=slow, headers=headers, timeout=60).headers["location"]
        server.process.kill()
        server.process.wait()
    with running_server(tmp_path) as server:
        headers = {"x-api-key": server.key}

        def state() -> dict[str, Any]:
            return dict(httpx.get(f"{server.url}{path}", headers=headers).json())

        wait_until(lambda: state()["finished_at"] is not None, 60)
        assert (state()["state"], state()["error"]["status"]) == ("failed", 503)
        assert httpx.get(f"{server.url}/status", headers=headers).json()["used"] == 0
