"""Tools of the service on a Dask cluster (`MEDIAKIT_EXECUTOR`): results, charges, and failures of its parts."""

import asyncio
import gc
import importlib
import logging
import os
import signal
import warnings
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import httpx
import pytest
from pydantic import Field

import mediakit
from mediakit.api import cluster as cluster_module
from mediakit.api import monitoring
from mediakit.api.app import create_app
from mediakit.core.request import request
from mediakit.core.tool import tool
from mediakit.errors import InvalidInput
from mediakit.results.files import FileResult
from mediakit.settings import ServerSettings
from tests.conftest import Api, TestSettings, free_port, open_api

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.filterwarnings("ignore::Warning:distributed"),
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@request
class KnitRequest:
    """What to knit."""

    text: Annotated[str, Field(min_length=1, max_length=100)]
    """The text."""


@tool(KnitRequest, tag="Files", raw={"text/plain": "text"}, produces=("text/plain",))
async def knit(request: KnitRequest) -> FileResult:
    """Return a text; some texts fail or take long."""
    if request.text == "lost":
        raise FileNotFoundError("secret detail")
    await asyncio.sleep(3 if request.text == "slow" else 0)
    return FileResult(request.text.encode(), "text/plain", "cloth.txt", {})


@contextmanager
def local_cluster(port: int, workers: int = 2) -> Iterator[Any]:
    distributed: Any = importlib.import_module("distributed")
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    options = {"threads_per_worker": 1, "dashboard_address": "127.0.0.1:0", "memory_limit": None}
    with distributed.LocalCluster(n_workers=workers, scheduler_port=port, host="127.0.0.1", **options) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def scheduler() -> Iterator[Any]:
    with local_cluster(free_port()) as cluster:
        yield cluster
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of connections that these tests have cut, not in the tests that follow
        gc.collect()


@pytest.fixture
async def front_end(scheduler: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Api]:
    monkeypatch.setenv("MEDIAKIT_EXECUTOR", scheduler.scheduler_address)
    async for api in open_api(tmp_path):
        yield api


async def qr(api: Api, data: str = "hi") -> httpx.Response:
    return await api.json("/qr", {"data": data, "output": "binary"})


async def test_tool_runs_on_a_worker(front_end: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(mediakit.qr), "arun", None)  # cannot run here
    response = await qr(front_end)
    assert (response.status_code, response.content) == (200, mediakit.qr("hi").content)
    assert (await front_end.status())["used"] == 1


async def test_files_and_errors_travel(front_end: Api) -> None:
    info = await front_end.raw("/image-info", mediakit.qr("hi", size=64).content, "image/png", output="json")
    assert (info.status_code, info.json()["width"]) == (200, 64)
    failed = await front_end.json("/barcode", {"data": "letters", "type": "ean13"})
    assert (failed.status_code, failed.json()["details"][0]["field"]) == (400, "data")
    assert (await front_end.status())["used"] == 1


async def test_every_call_succeeds_once_if_a_worker_is_killed(front_end: Api, scheduler: Any) -> None:
    await qr(front_end)
    calls = asyncio.gather(*(qr(front_end, str(number)) for number in range(20)))
    await asyncio.sleep(0.05)
    os.kill(next(iter(scheduler.workers.values())).process.pid, signal.SIGKILL)
    assert {response.status_code for response in await calls} == {200}
    assert (await front_end.status())["used"] == 21


async def test_calls_without_a_scheduler_are_503_until_it_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = free_port()
    monkeypatch.setenv("MEDIAKIT_EXECUTOR", f"tcp://127.0.0.1:{port}")
    monkeypatch.setattr(cluster_module, "CONNECT_SECONDS", 2.0)
    monkeypatch.setattr(cluster_module, "RETRY_SECONDS", 0.0)
    monkeypatch.setattr(monitoring, "CACHE_SECONDS", 0.0)
    async for api in open_api(tmp_path):
        await assert_busy(api)
        assert (await api.http.get("/readyz")).json()["checks"]["executor"] == "does not respond"
        with local_cluster(port, workers=1):
            assert (await qr(api)).status_code == 200
            assert (await api.http.get("/readyz")).json()["checks"]["executor"] == "ok"
        await assert_busy(api)
        with local_cluster(port, workers=0):
            await assert_busy(api, "has no worker")
        with local_cluster(port, workers=1):
            assert (await qr(api)).status_code == 200
        assert (await api.status())["used"] == 2


async def assert_busy(api: Api, words: str = "does not respond") -> None:
    response = await qr(api)
    assert (response.status_code, response.json()["retry_after"]) == (503, 5)
    assert words in response.json()["error"]


async def test_call_that_takes_too_long_or_fails_does_not_end_others(
    scheduler: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEDIAKIT_EXECUTOR", scheduler.scheduler_address)
    async for api in open_api(tmp_path, tools=(knit,)):
        other = asyncio.create_task(api.json("/knit", {"text": "slow"}))
        await asyncio.sleep(0.5)
        monkeypatch.setattr(cluster_module, "MARGIN_SECONDS", 0.5 - knit.spec.deadline_seconds)
        assert (await api.json("/knit", {"text": "slow"})).status_code == 503
        monkeypatch.undo()
        failed = await api.json("/knit", {"text": "lost"})
        assert (failed.status_code, "secret" in failed.text) == (500, False)
        assert (await other).status_code == 200


async def test_job_runs_on_a_worker(front_end: Api) -> None:
    accepted = await front_end.json("/qr", {"data": "hi"}, headers={"prefer": "respond-async"})
    async with asyncio.timeout(30):
        path, headers = accepted.headers["location"], {"x-api-key": front_end.key}
        while not (job := (await front_end.http.get(path, headers=headers)).json())["finished_at"]:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    assert (job["state"], job["meta"]["used"]) == ("succeeded", 1)


@pytest.mark.parametrize("address", ["scheduler:8786", "http://scheduler:8786", "tcp://"])
def test_address_that_is_none_is_an_error_at_start(address: str) -> None:
    with pytest.raises(InvalidInput, match="MEDIAKIT_EXECUTOR: must be the address of a Dask scheduler"):
        ServerSettings(executor=address)


def test_missing_dask_is_an_error_at_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEDIAKIT_EXECUTOR", "tcp://127.0.0.1:8786")
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    with pytest.raises(InvalidInput, match="MEDIAKIT_EXECUTOR requires distributed"):
        create_app(TestSettings(tmp_path))
