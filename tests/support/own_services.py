"""PostgreSQL and Redis servers of one test, which it can stop and start."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from tests.conftest import free_port
from tests.support.server_process import wait_until

POSTGRES_FOLDERS = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)


class OwnPostgres:
    """A PostgreSQL server with an empty data folder."""

    def __init__(self, folder: Path) -> None:
        self._bin = _postgres_folder()
        self._data, self._log = folder / "data", folder / "log"
        self._port = free_port()
        # PostgreSQL does not run as root.
        self._user = "postgres" if os.geteuid() == 0 else None
        if self._user:
            shutil.chown(folder, self._user)
        self._run("initdb", "-D", str(self._data), "-U", "postgres", "-A", "trust", "--no-sync", "-E", "UTF8")

    @property
    def url(self) -> str:
        """URL of its database."""
        return f"postgresql://postgres@127.0.0.1:{self._port}/postgres"

    def start(self) -> None:
        """Start the server, and wait until it accepts connections."""
        options = f"-p {self._port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off"
        self._run("pg_ctl", "start", "-w", "-D", str(self._data), "-l", str(self._log), "-o", options)

    def stop(self) -> None:
        """Stop the server as in a crash: connections end in the middle of transactions."""
        self._run("pg_ctl", "stop", "-w", "-m", "immediate", "-D", str(self._data))

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Suspend all processes of the server. The system keeps its connections open."""
        main = psutil.Process(int((self._data / "postmaster.pid").read_text().partition("\n")[0]))
        processes = [main, *main.children(recursive=True)]
        for process in processes:
            process.suspend()
        try:
            yield
        finally:
            for process in processes:
                process.resume()

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [str(self._bin / program), *arguments],
            check=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            cwd="/",
            user=self._user,
            timeout=60,
        )


class OwnRedis:
    """A Redis server without files."""

    def __init__(self, folder: Path) -> None:
        self._port, self._folder = free_port(), folder
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """URL of its database."""
        return f"redis://127.0.0.1:{self._port}/0"

    def start(self) -> None:
        """Start the server, and wait until it responds."""
        import redis

        options = {
            "--port": self._port,
            "--bind": "127.0.0.1",
            "--dir": self._folder,
            "--save": "",
            "--appendonly": "no",
        }
        words = [str(word) for option in options.items() for word in option]
        self._process = subprocess.Popen(["redis-server", *words], stdout=subprocess.DEVNULL)

        def responds() -> bool:
            with redis.Redis.from_url(self.url) as client:
                try:
                    return bool(client.ping())
                except redis.RedisError:
                    return False

        wait_until(responds)

    def stop(self) -> None:
        """Kill the server."""
        assert self._process
        self._process.kill()
        self._process.wait()


@contextmanager
def own_postgres() -> Iterator[OwnPostgres]:
    """Run a PostgreSQL server; skip the test if it is not installed."""
    _postgres_folder()
    with tempfile.TemporaryDirectory(prefix="mediakit-postgres-", ignore_cleanup_errors=True) as folder:
        server = OwnPostgres(Path(folder))
        server.start()
        try:
            yield server
        finally:
            server.stop()


@contextmanager
def own_redis(folder: Path) -> Iterator[OwnRedis]:
    """Run a Redis server; skip the test if it is not installed."""
    if not shutil.which("redis-server"):
        pytest.skip("redis-server is not installed")
    server = OwnRedis(folder)
    server.start()
    try:
        yield server
    finally:
        server.stop()


def _postgres_folder() -> Path:
    found = [folder for folder in POSTGRES_FOLDERS if (folder / "initdb").exists()]
    if not found and (program := shutil.which("initdb")):
        found = [Path(program).parent]
    if not found:
        pytest.skip("the PostgreSQL server is not installed")
    if os.geteuid() == 0 and "postgres" not in {user.pw_name for user in pwd.getpwall()}:
        pytest.skip("PostgreSQL does not run as root, and there is no user postgres")
    return found[0]
