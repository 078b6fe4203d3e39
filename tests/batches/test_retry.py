"""Retries of failed rows, and the time left."""

from pathlib import Path
from typing import Any

import httpx
import pandas as pd
import pytest

import mediakit
from mediakit.batches.run import time_left
from mediakit.core.tool import tool
from mediakit.errors import InvalidInput, NotConvertible
from mediakit.results.files import ImageResult
from mediakit.tools.images.qr.request import QrRequest
from tests.batches.test_batch import Server, texts

LONG = "x" * 1400


def test_retry_calls_only_failed_rows_with_changed_options(tmp_path: Path) -> None:
    rows = [{"data": "tea", "ecc": "H"}, {"data": LONG, "ecc": "H"}, {"data": ""}]
    made = mediakit.batch(mediakit.qr, rows, name="{row}", to=tmp_path)
    assert list(made) == ["1"]
    again = made.retry(ecc="L", size=600)
    assert list(again) == ["1", "2"]
    assert again["1"] == made["1"]
    assert again["2"] == mediakit.qr(LONG, ecc="L", size=600)
    assert [failed.row for failed in again.errors] == [3]
    assert sorted(path.name for path in tmp_path.glob("*.png")) == ["1.png", "2.png"]
    assert list(made) == ["1"]
    assert mediakit.last_batch is again
    other = mediakit.batch(mediakit.qr, ["other"])
    assert mediakit.last_batch is other
    assert list(again.retry(text="milk")) == ["1", "2", "3"]


def test_name_of_a_retried_row_has_its_changed_values(tmp_path: Path) -> None:
    rows = [{"data": "tea", "who": "Ada"}, {"data": "milk"}, {"data": "", "who": "Mary"}]
    made = mediakit.batch(mediakit.qr, pd.DataFrame(rows), name="{who}", to=tmp_path)
    assert list(made) == ["Ada", "2"]
    again = made.retry(data="water", who="ada")
    assert (list(again), again.unchanged_count) == (["Ada", "2", "ada (2)"], 2)
    assert sorted(path.name for path in tmp_path.glob("*.png")) == ["2.png", "Ada.png", "ada (2).png"]


def test_retry_succeeds_after_a_temporary_failure() -> None:
    fails = [True]

    @tool(QrRequest, tag="Images", raw={}, produces=("image/png",))
    async def flaky(request: QrRequest) -> ImageResult:
        """Return a code, or fail."""
        if request.data == "milk" and fails.pop():
            fails.append(False)
            raise NotConvertible("Out of milk.")
        return await mediakit.qr.arun(request)

    made = mediakit.batch(flaky, ["tea", "milk"])
    assert [str(failed.error) for failed in made.errors] == ["Out of milk."]
    assert texts(made.retry()) == {"1": "tea", "2": "milk"}


def test_retry_rejects_unknown_option() -> None:
    made = mediakit.batch(mediakit.qr, ["tea", ""])
    with pytest.raises(InvalidInput, match='"sise"'):
        made.retry(sise=300)


@pytest.mark.anyio
async def test_retry_of_async_client_requires_aretry() -> None:
    async with mediakit.AsyncClient("http://api.test", transport=httpx.MockTransport(Server())) as client:
        made: Any = await mediakit.batch.aio(client.qr, ["tea", ""])
        with pytest.raises(InvalidInput, match=r"use await result\.aretry"):
            made.retry(data="milk")
        assert texts(await made.aretry(data="milk")) == {"1": "tea", "2": "milk"}


@pytest.mark.parametrize(
    ("seconds", "done", "total", "text"),
    [
        (1.0, 5, 10, ""),
        (10.0, 0, 10, ""),
        (10.0, 10, 10, ""),
        (10.0, 5, 10, "about 10 s left"),
        (60.0, 10, 100, "about 9 min left"),
        (3.0, 99, 100, "about 1 s left"),
    ],
)
def test_time_left_is_estimated_from_finished_rows(seconds: float, done: int, total: int, text: str) -> None:
    assert time_left(seconds, done, total) == text
