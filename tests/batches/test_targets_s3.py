"""Batches to an S3 server on this machine. They run if `moto[server]` and `s3fs` are installed."""

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import httpx
import pytest

import mediakit
from mediakit.errors import InvalidInput

REASON = "needs moto[server] and s3fs"

moto: Any = pytest.importorskip("moto.server", reason=REASON)
s3fs: Any = pytest.importorskip("s3fs", reason=REASON)

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
]


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Start a server and yield its file system with the bucket `school`."""
    server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    httpx.post(f"http://{host}:{port}/moto-api/reset").raise_for_status()
    settings = {
        "AWS_ENDPOINT_URL": f"http://{host}:{port}",
        "AWS_ACCESS_KEY_ID": "key",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_DEFAULT_REGION": "us-east-1",
    }
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    s3fs.S3FileSystem.clear_instance_cache()
    system = s3fs.S3FileSystem(use_listings_cache=False)
    system.mkdir("school")
    yield system
    s3fs.S3FileSystem.clear_instance_cache()
    server.stop()


def names(bucket: Any) -> list[str]:
    return sorted(bucket.find("school"))


def test_files_and_reports_are_saved_and_only_changes_are_made_again(bucket: Any) -> None:
    made = mediakit.batch(mediakit.qr, ["tea", "", "milk"], name="{row}", to="s3://school/codes")
    assert (len(made), made.failed_count) == (2, 1)
    assert names(bucket) == [f"school/codes/{name}" for name in ("1.png", "3.png", "report.csv", "report.jsonl")]
    assert made["3"].content == bucket.cat("school/codes/3.png") == mediakit.qr("milk").content
    again = mediakit.batch(mediakit.qr, ["tea", "water", "milk"], name="{row}", to="s3://school/codes")
    assert (len(again), again.unchanged_count) == (3, 2)


@pytest.mark.parametrize("file", ["codes.zip", "codes.png"])
def test_combined_file_is_the_only_one(bucket: Any, file: str) -> None:
    mediakit.batch(mediakit.qr, ["tea", "milk"], to=f"s3://school/{file}")
    assert f"school/{file}" in names(bucket)
    assert not [name for name in names(bucket) if "parts" in name or "lock" in name]


def test_worker_processes_write_to_the_bucket(bucket: Any) -> None:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        made = mediakit.batch(mediakit.qr, map(str, range(40)), to="s3://school/codes", executor=pool)
    assert len(made) == 40
    assert len([name for name in names(bucket) if name.endswith(".png")]) == 40


@pytest.mark.usefixtures("bucket")
def test_missing_bucket_is_named_before_any_call() -> None:
    with pytest.raises(InvalidInput, match="s3://nowhere/codes"):
        mediakit.batch(mediakit.qr, ["tea"], to="s3://nowhere/codes")
    assert len(mediakit.last_batch) == 0
