"""Batches on a Dask cluster of two worker processes."""

import importlib
import logging
import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import mediakit
from mediakit.errors import InvalidInput
from tests.batches.test_batch import texts

pytestmark = [
    pytest.mark.filterwarnings("ignore::Warning:distributed"),
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
]


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    distributed: Any = importlib.import_module("distributed")
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": "127.0.0.1:0", "memory_limit": None}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
        yield client


def test_cluster_returns_the_results_of_calls(client: Any) -> None:
    made = mediakit.batch(mediakit.qr, ["tea", "milk", ""], executor=client)
    assert texts(made) == {"1": "tea", "2": "milk"}
    (failed,) = made.errors
    assert (failed.row, failed.error.message) == (3, "data: must not be empty.")


@pytest.mark.browser
def test_templates_are_rendered_on_the_cluster(client: Any, tmp_path: Path) -> None:
    rows = [{"recipient": name} for name in ("Ada Lovelace", "Mary Somerville", "Emmy Noether")]
    made = mediakit.batch(
        mediakit.pdf, rows, template="certificate", name="{recipient}", to=tmp_path / "all.pdf", executor=client
    )
    assert len(made) == 3
    assert mediakit.pdf_info(tmp_path / "all.pdf").pages == 3


def test_every_row_is_made_once_if_a_worker_is_killed(client: Any, tmp_path: Path) -> None:
    rows = [f"https://example.com/{number}" for number in range(3000)]
    workers = set(client.run(os.getpid).values())
    killed = []

    def kill() -> None:
        while len(list(tmp_path.glob("*.png"))) < 20:
            time.sleep(0.02)
        killed.append(min(workers))
        os.kill(killed[0], signal.SIGKILL)

    thread = threading.Thread(target=kill)
    thread.start()
    made = mediakit.batch(mediakit.qr, rows, name="{row}", to=tmp_path, executor=client)
    thread.join()
    assert len(list(tmp_path.glob("*.png"))) == len(rows) == len(made)
    assert [row["row"] for row in made.report] == list(range(1, 3001))
    assert not [row for row in made.report if row["error"]]
    assert texts({name: made[name] for name in ("1", "1500", "3000")}) == {
        "1": rows[0],
        "1500": rows[1499],
        "3000": rows[2999],
    }
    client.wait_for_workers(2)
    assert killed[0] not in set(client.run(os.getpid).values())


def test_second_run_on_the_cluster_makes_only_what_changed(client: Any, tmp_path: Path) -> None:
    mediakit.batch(mediakit.qr, ["tea", "milk"], to=tmp_path, executor=client)
    made = mediakit.batch(mediakit.qr, ["tea", "coffee"], to=tmp_path)
    assert (len(made), made.unchanged_count) == (2, 1)
    assert texts(made) == {"1": "tea", "2": "coffee"}


def test_closed_client_is_refused(client: Any) -> None:
    with type(client)(client.cluster) as closed:
        pass
    with pytest.raises(InvalidInput, match=r"executor: the Dask client is closed\."):
        mediakit.batch(mediakit.qr, ["tea"], executor=closed)
