"""Batches on a server: an interrupted batch that runs again is charged once for each row."""

import subprocess
import sys
import textwrap
import time
from pathlib import Path

import mediakit
from mediakit.server import Server

COUNT = 400

PROGRAM = textwrap.dedent(
    """
    import sys
    import mediakit
    url, key, folder = sys.argv[1:]
    with mediakit.Client(url, api_key=key) as client:
        mediakit.batch(client.qr, [f"ticket {number}" for number in range(400)], to=folder)
    """
)


def test_batch_that_is_killed_and_runs_again_is_charged_once_for_each_row(server: Server, tmp_path: Path) -> None:
    folder = tmp_path / "tickets"
    with mediakit.Client(server.url, api_key=server.key) as client:
        used = client.status().used
    process = subprocess.Popen([sys.executable, "-c", PROGRAM, server.url, server.key, str(folder)])
    deadline = time.monotonic() + 60
    while len(list(folder.glob("*.png"))) < 20 and time.monotonic() < deadline:
        time.sleep(0.01)
    process.kill()
    process.wait()
    assert 20 <= len(list(folder.glob("*.png"))) < COUNT
    with mediakit.Client(server.url, api_key=server.key) as client:
        made = mediakit.batch(client.qr, [f"ticket {number}" for number in range(COUNT)], to=folder)
        assert (len(made), made.failed_count) == (COUNT, 0)
        assert made.unchanged_count > 0
        assert len(list(folder.glob("*.png"))) == COUNT
        assert client.status().used == used + COUNT
