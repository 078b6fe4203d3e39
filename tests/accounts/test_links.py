"""Temporary links: storage, lifetime, privacy."""

import errno
import hashlib
import random
import re
import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from mediakit.accounts import Links, private_files, redis_client
from mediakit.errors import NotFound, ServerBusy
from mediakit.settings import AccountSettings
from tests.support.accounts_kit import ManualClock

pytest_plugins = ["tests.support.accounts_fixtures"]

NOT_FOUND = r"^This link has expired or does not exist\.$"
PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "links"


@pytest.fixture
def links(tmp_path: Path, clock: ManualClock) -> Links:
    return Links.open(AccountSettings(home=tmp_path), clock)


@pytest.fixture
def redis_links(tmp_path: Path, redis_url: str) -> Links:
    return Links.open(AccountSettings(home=tmp_path, redis_url=redis_url))


@pytest.fixture(params=["links", "redis_links"])
def any_links(request: pytest.FixtureRequest) -> Links:
    links = request.getfixturevalue(request.param)
    assert isinstance(links, Links)
    return links


def is_not_found(links: Links, token: str) -> bool:
    with pytest.raises(NotFound, match=NOT_FOUND):
        links.find(token)
    return True


def fetch(links: Links, token: str) -> bytes:
    with closing(links.find(token)) as file:
        return file.read(0, file.size)


@pytest.mark.parametrize("content", [PNG, b"", b"\n\n0 0\n"])
def test_fetch_returns_stored_file(any_links: Links, content: bytes) -> None:
    link = any_links.store(content, "image/png", 'a "b"\n✓.png')
    with closing(any_links.find(link.token)) as file:
        assert file.read(0, file.size) == content
        assert (file.mime_type, file.filename) == ("image/png", 'a "b"\n✓.png')
        assert file.size == link.size_bytes == len(content)


@pytest.mark.parametrize("start", [0, 1, 65_000, 70_000, 199_990])
def test_parts_of_stored_file_are_read(any_links: Links, start: int) -> None:
    content = random.Random(start).randbytes(200_000)
    with closing(any_links.find(any_links.store(content, "image/png", "a.png").token)) as file:
        assert file.read(start, 100) == content[start : start + 100]
        assert file.read(start, len(content)) == content[start:]


def test_download_that_starts_before_expiry_ends_after_it(links: Links, clock: ManualClock, folder: Path) -> None:
    link = links.store(PNG, "image/png", "a.png")
    with closing(links.find(link.token)) as file:
        clock.forward(minutes=20)
        links.store(PNG, "image/png", "b.png")
        assert len(list(folder.iterdir())) == 1
        assert file.read(0, file.size) == PNG
    assert is_not_found(links, link.token)


def test_read_that_a_thread_starts_after_close_returns_nothing(links: Links) -> None:
    file = links.find(links.store(PNG, "image/png", "a.png").token)
    file.close()
    assert file.read(0, 10) == b""


def test_etag_differs_between_links_and_does_not_contain_token(any_links: Links) -> None:
    tokens = [any_links.store(PNG, "image/png", "a.png").token for _ in range(2)]
    etags = []
    for token in tokens:
        for _ in range(2):
            with closing(any_links.find(token)) as file:
                etags.append(file.etag)
    assert len(etags) == 4
    assert len(set(etags)) == 2
    assert not any(token in etag for token in tokens for etag in etags)


def test_tokens_have_256_bits_and_are_unique(any_links: Links) -> None:
    tokens = {any_links.store(b"x", "text/plain", "x.txt").token for _ in range(20)}
    assert len(tokens) == 20
    assert all(re.fullmatch(r"[0-9A-Za-z_-]{43}", token) for token in tokens)


def test_link_expires_after_exactly_15_minutes(links: Links, clock: ManualClock) -> None:
    link = links.store(PNG, "image/png", "a.png")
    assert link.expires_at == clock.now + timedelta(minutes=15)
    clock.now = link.expires_at - timedelta(microseconds=1)
    assert fetch(links, link.token) == PNG
    clock.now = link.expires_at
    assert is_not_found(links, link.token)


@pytest.mark.parametrize("hours", [-1, 1])
def test_clock_change_does_not_extend_lifetime(links: Links, clock: ManualClock, hours: int) -> None:
    link = links.store(PNG, "image/png", "a.png")
    clock.forward(hours=hours)
    assert is_not_found(links, link.token)


@pytest.mark.parametrize(
    "change",
    [
        lambda token: token[:-1],
        lambda token: token.swapcase(),
        lambda token: token + "A",
        lambda token: f"{token}/../{token}",
        lambda token: hashlib.sha256(token.encode()).hexdigest(),
        lambda token: f"{token}\n",
        lambda _: "",
        lambda _: "../key-pepper",
        lambda _: "\ud800" * 43,
        lambda _: "A" * 43,
        lambda _: "A" * 1_000_000,
    ],
)
def test_wrong_token_raises_not_found(any_links: Links, change: Callable[[str], str]) -> None:
    token = any_links.store(PNG, "image/png", "a.png").token
    assert is_not_found(any_links, change(token))


def test_store_deletes_expired_files(links: Links, clock: ManualClock, folder: Path) -> None:
    for _ in range(3):
        links.store(PNG, "image/png", "a.png")
    clock.forward(minutes=14)
    kept = links.store(PNG, "image/png", "a.png")
    assert len(list(folder.iterdir())) == 4
    clock.forward(minutes=2)
    links.store(PNG, "image/png", "a.png")
    assert len(list(folder.iterdir())) == 2
    assert fetch(links, kept.token) == PNG


def test_new_server_deletes_expired_files_of_another(links: Links, clock: ManualClock, tmp_path: Path) -> None:
    links.store(PNG, "image/png", "a.png")
    clock.forward(minutes=15)
    Links.open(AccountSettings(home=tmp_path), clock).store(PNG, "image/png", "b.png")
    assert len(list((tmp_path / "links").iterdir())) == 1


def test_file_that_is_being_written_is_not_deleted(links: Links, folder: Path) -> None:
    folder.mkdir()
    part = folder / f".unfinished{private_files.PARTIAL_SUFFIX}"
    part.touch()
    links.store(PNG, "image/png", "a.png")
    assert part.exists()


def test_files_are_private_and_do_not_contain_token(links: Links, folder: Path) -> None:
    token = links.store(PNG, "image/png", "a.png").token
    (file,) = folder.iterdir()
    assert [stat.S_IMODE(path.stat().st_mode) for path in (folder, file)] == [0o700, 0o600]
    assert token not in file.name
    assert token.encode() not in file.read_bytes()


def test_truncated_file_raises_not_found(links: Links, folder: Path) -> None:
    token = links.store(PNG, "image/png", "a.png").token
    (file,) = folder.iterdir()
    file.write_bytes(b"")
    assert is_not_found(links, token)


def test_full_disk_raises_server_busy_and_leaves_no_file(
    links: Links, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", full)
        with pytest.raises(ServerBusy, match="Try again in 5 seconds"):
            links.store(PNG, "image/png", "a.png")
    assert list(folder.iterdir()) == []
    assert fetch(links, links.store(PNG, "image/png", "a.png").token) == PNG


def test_concurrent_stores_keep_files_apart(any_links: Links) -> None:
    with ThreadPoolExecutor(16) as pool:
        links = list(pool.map(lambda n: any_links.store(str(n).encode() * n, "text/plain", f"{n}"), range(60)))
        files = list(pool.map(lambda link: fetch(any_links, link.token), links))
    assert files == [str(n).encode() * n for n in range(60)]


def test_servers_with_same_redis_share_links(redis_links: Links, tmp_path: Path, redis_url: str) -> None:
    token = redis_links.store(PNG, "image/png", "a.png").token
    other = Links.open(AccountSettings(home=tmp_path / "other", redis_url=redis_url))
    assert fetch(other, token) == PNG


def test_link_in_redis_expires_after_15_minutes(redis_links: Links, redis_url: str) -> None:
    import redis

    link = redis_links.store(PNG, "image/png", "a.png")
    key = f"{redis_client.KEY_PREFIX}:link:{hashlib.sha256(link.token.encode()).hexdigest()}"
    with redis.Redis.from_url(redis_url) as client, closing(redis_links.find(link.token)) as file:
        # A second after the expiry; the file itself is deleted later.
        kept = client.pexpiretime(key) - int(link.expires_at.timestamp() * 1000)
        seconds, microseconds = client.time()
        client.pexpireat(key, seconds * 1000 + microseconds // 1000 + kept - 1000)
        assert is_not_found(redis_links, link.token)
        assert file.read(0, file.size) == PNG
        client.delete(key)
        assert file.read(0, file.size) == PNG


def test_file_deleted_from_redis_during_download_raises_server_busy(redis_links: Links, redis_url: str) -> None:
    import redis

    with (
        closing(redis_links.find(redis_links.store(bytes(200_000), "image/png", "a.png").token)) as file,
        redis.Redis.from_url(redis_url) as client,
    ):
        client.delete(*client.scan_iter(f"{redis_client.KEY_PREFIX}:link:*"))
        with pytest.raises(ServerBusy, match="deleted during the download"):
            file.read(100_000, 100_000)


def test_unreachable_redis_raises_server_busy(tmp_path: Path) -> None:
    links = Links.open(AccountSettings(home=tmp_path, redis_url="redis://127.0.0.1:9/0"))
    with pytest.raises(ServerBusy):
        links.store(PNG, "image/png", "a.png")
    with pytest.raises(ServerBusy):
        links.find("A" * 43)
