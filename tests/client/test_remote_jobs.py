"""Calls as jobs of a server: `Client.submit`, `AsyncClient.submit`, and `jobs=True` for calls and batches."""

from pathlib import Path

import httpx
import pytest
from sqlalchemy import func, select

import mediakit
from mediakit.accounts.models import JobRow
from mediakit.errors import InvalidInput, MediakitError, NotFound
from tests.conftest import Api

pytestmark = pytest.mark.anyio


def test_submitted_call_returns_the_result_of_the_tool(server: mediakit.server.Server) -> None:
    with mediakit.Client(server.url, api_key=server.key) as client:
        job = client.submit(mediakit.qr, "hi", size=128)
        result = job.result(timeout=60)
        assert result.content == mediakit.qr("hi", size=128).content
        assert (result.meta["format"], job.done(), job.status().progress) == ("png", True, 1.0)


def test_submitted_call_can_be_a_method_of_the_client(server: mediakit.server.Server) -> None:
    with mediakit.Client(server.url, api_key=server.key) as client:
        assert client.submit(client.qr, "hi").result().content == client.qr("hi").content


def test_deleted_result_is_not_found(server: mediakit.server.Server) -> None:
    with mediakit.Client(server.url, api_key=server.key) as client:
        job = client.submit(mediakit.qr, "hi")
        job.result()
        job.cancel()
        with pytest.raises(NotFound, match="does not exist"):
            job.result()


def test_invalid_call_is_not_sent(server: mediakit.server.Server) -> None:
    with mediakit.Client(server.url, api_key=server.key) as client, pytest.raises(InvalidInput, match="size: must be"):
        client.submit(mediakit.qr, "hi", size=9)


def test_batch_of_a_client_with_jobs_writes_each_row(server: mediakit.server.Server, tmp_path: Path) -> None:
    with mediakit.Client(server.url, api_key=server.key, jobs=True) as client:
        rows = [{"data": str(number)} for number in range(12)]
        report = mediakit.batch(client.qr, rows, to=tmp_path / "codes")
    assert len(list((tmp_path / "codes").glob("*.png"))) == 12
    assert not report.errors


def kept_jobs(api: Api) -> int | None:
    with api.accounts.jobs._database.read() as session:
        return session.scalar(select(func.count()).select_from(JobRow))


def client_with_jobs(api: Api) -> mediakit.AsyncClient:
    return mediakit.AsyncClient("http://api.test", api_key=api.key, transport=api.transport, jobs=True)


@pytest.mark.parametrize(("key", "kept"), [(None, 0), ("order-7", 1)])
async def test_client_with_jobs_deletes_a_result_that_no_other_call_receives(
    api: Api, key: str | None, kept: int
) -> None:
    async with client_with_jobs(api) as client:
        await (client.with_idempotency_key(key) if key else client).qr("hi")
    assert kept_jobs(api) == kept


async def test_batch_with_jobs_deletes_the_results_of_its_rows(api: Api) -> None:
    async with client_with_jobs(api) as client:
        await mediakit.batch.aio(client.qr, [{"data": "a"}, {"data": "b"}])
    assert (kept_jobs(api), (await api.status())["used"]) == (0, 2)


async def test_async_client_awaits_a_job(api: Api) -> None:
    async with api.client() as client:
        job = await client.submit(mediakit.qr, "hi")
        result = await job.result(timeout=60)
        assert result.content == mediakit.qr("hi").content
        assert (await api.status())["used"] == 1


async def test_error_of_a_job_is_the_error_of_the_tool(api: Api) -> None:
    async with api.client() as client:
        job = await client.submit(mediakit.barcode, "no digits", type="ean13")
        with pytest.raises(InvalidInput, match="data"):
            await job.result(timeout=60)
        status = await job.status()
        assert (status.state, type(status.error)) == ("failed", InvalidInput)
        assert (await api.status())["used"] == 0


async def test_server_without_jobs_is_named() -> None:
    def answer(_: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json={"success": True})

    async with mediakit.AsyncClient("http://old.test", api_key="k", transport=httpx.MockTransport(answer)) as client:
        with pytest.raises(MediakitError, match="does not answer calls later"):
            await client.submit(mediakit.qr, "hi")
