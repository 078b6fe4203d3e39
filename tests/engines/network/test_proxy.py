"""The filtering proxy, with real sockets on loopback.

127.0.0.2 represents the public internet; only the allowed port can be reached. 127.0.0.1 is private; a canary listens
there that must never receive a connection.
"""

import asyncio
import contextlib
import logging
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

import pytest

from mediakit.engines.network import Budget, EgressProxy, Guard, Lease, Resolve

pytestmark = pytest.mark.anyio

Handler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]

PLAIN = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Origin:
    """A server that records the header sections that it receives."""

    def __init__(self, host: str, answer: bytes | Handler) -> None:
        self.host = host
        self.port = 0
        self.heads: list[bytes] = []
        self.reached = asyncio.Event()
        self.gone = asyncio.Event()
        self._answer = answer

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            self.heads.append(await reader.readuntil(b"\r\n\r\n"))
            self.reached.set()
            if isinstance(self._answer, bytes):
                writer.write(self._answer)
                await writer.drain()
            else:
                await self._answer(reader, writer)
        except (OSError, asyncio.IncompleteReadError):
            self.gone.set()
        finally:
            writer.close()


@contextlib.asynccontextmanager
async def listening(answer: bytes | Handler = PLAIN, host: str = "127.0.0.2") -> AsyncIterator[Origin]:
    origin = Origin(host, answer)
    server = await asyncio.start_server(origin.serve, host, 0)
    origin.port = server.sockets[0].getsockname()[1]
    try:
        yield origin
    finally:
        server.close()


@contextlib.asynccontextmanager
async def canary(host: str = "127.0.0.1") -> AsyncIterator[tuple[int, list[str]]]:
    touched: list[str] = []

    def touch(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        touched.append("connected")
        writer.close()

    server = await asyncio.start_server(touch, host, 0)
    try:
        yield server.sockets[0].getsockname()[1], touched
    finally:
        server.close()


def answering(*answers: Sequence[str]) -> Resolve:
    """Return a resolver that returns each answer once, and the last one from then on."""
    remaining = list(answers)

    async def resolve(host: str) -> Sequence[str]:
        return remaining.pop(0) if len(remaining) > 1 else remaining[0]

    return resolve


def proxy_to(origin: Origin, resolve: Resolve | None = None) -> EgressProxy:
    return EgressProxy(Guard([f"{origin.host}:{origin.port}"]), resolve=resolve or answering([origin.host]))


async def send_request(lease: Lease, request: bytes) -> bytes:
    """Send a request and return all bytes until the connection is closed or reset."""
    reader, writer = await asyncio.open_connection("127.0.0.1", lease.port)
    writer.write(request)
    answer = bytearray()
    with contextlib.suppress(ConnectionResetError):
        while data := await reader.read(2**16):
            answer += data
    writer.close()
    return bytes(answer)


def get(url: str, *fields: str) -> bytes:
    host = url.split("/")[2]
    return "\r\n".join([f"GET {url} HTTP/1.1", f"Host: {host}", *fields, "Connection: close", "", ""]).encode()


def keep(url: str, *fields: str) -> bytes:
    return get(url, *fields).replace(b"Connection: close\r\n", b"")


def connect(authority: str) -> bytes:
    return f"CONNECT {authority} HTTP/1.1\r\nHost: {authority}\r\n\r\n".encode()


async def head_and_body(reader: asyncio.StreamReader, length: int) -> tuple[bytes, bytes]:
    return await reader.readuntil(b"\r\n\r\n"), await reader.readexactly(length)


LAST_CHUNK = b"\r\n0\r\n\r\n"
UNREACHABLE = b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


async def test_proxy_fetches_absolute_url() -> None:
    async with listening() as origin, proxy_to(origin).lease() as lease:
        answer = await send_request(lease, get(f"http://site.example:{origin.port}/a/b?c=d"))
    assert answer.startswith(b"HTTP/1.1 200 OK\r\n")
    assert answer.endswith(b"\r\n\r\nhi")
    assert origin.heads[0].startswith(b"GET /a/b?c=d HTTP/1.1\r\n")
    assert (lease.requests, lease.blocked, lease.exhausted) == (1, 0, None)
    assert lease.bytes > len(PLAIN)


async def test_lease_has_proxy_url() -> None:
    async with listening() as origin, proxy_to(origin).lease() as lease:
        assert lease.url == f"http://127.0.0.1:{lease.port}"
        assert b"200 OK" in await send_request(lease, get(f"http://site.example:{origin.port}"))
    assert origin.heads[0].startswith(b"GET / HTTP/1.1\r\n")


async def test_url_with_query_and_without_path_requests_root() -> None:
    async with listening() as origin, proxy_to(origin).lease() as lease:
        await send_request(lease, get(f"http://site.example:{origin.port}?q=1").replace(b"Host: ", b"Host: x"))
    assert origin.heads[0].startswith(b"GET /?q=1 HTTP/1.1\r\n")


async def test_connection_serves_many_requests() -> None:
    async with listening() as origin, proxy_to(origin).lease() as lease:
        reader, writer = await asyncio.open_connection("127.0.0.1", lease.port)
        for number in range(3):
            writer.write(keep(f"http://site.example:{origin.port}/{number}"))
            assert (await head_and_body(reader, 2))[1] == b"hi"
        writer.close()
    assert [head.split()[1] for head in origin.heads] == [b"/0", b"/1", b"/2"]


async def test_every_request_of_reused_connection_is_checked() -> None:
    async with listening() as origin, canary() as (port, touched), proxy_to(origin).lease() as lease:
        reader, writer = await asyncio.open_connection("127.0.0.1", lease.port)
        writer.write(keep(f"http://site.example:{origin.port}/"))
        await head_and_body(reader, 2)
        writer.write(keep(f"http://127.0.0.1:{port}/secret"))
        answer = await reader.read()
        writer.close()
    assert answer == UNREACHABLE
    assert touched == []
    assert len(origin.heads) == 1
    assert lease.blocked_hosts == {"127.0.0.1"}


async def test_pipelined_request_is_not_served() -> None:
    async with listening() as origin, proxy_to(origin).lease() as lease:
        answer = await send_request(lease, 2 * keep(f"http://site.example:{origin.port}/"))
    assert answer.count(b"200 OK") == len(origin.heads) == 1


async def test_refused_upload_gets_response() -> None:
    content = bytes(2**23)
    head = f"POST http://127.0.0.1/ HTTP/1.1\r\nHost: x\r\nContent-Length: {len(content)}\r\n\r\n"

    def upload_then_read(port: int) -> bytes:
        with socket.create_connection(("127.0.0.1", port)) as client:
            client.sendall(head.encode() + content)
            return client.recv(2**16)

    async with EgressProxy(Guard()).lease() as lease:
        assert await asyncio.to_thread(upload_then_read, lease.port) == UNREACHABLE


async def test_target_overrides_host_field() -> None:
    async with listening() as origin, proxy_to(origin).lease() as lease:
        authority = f"site.example:{origin.port}"
        await send_request(
            lease, f"GET http://{authority}/ HTTP/1.1\r\nHost: other.example\r\nConnection: close\r\n\r\n".encode()
        )
    assert f"\r\nHost: {authority}\r\n".encode() in origin.heads[0]
    assert b"other.example" not in origin.heads[0]


async def test_hop_by_hop_fields_are_not_forwarded() -> None:
    answer = b"HTTP/1.1 204 None\r\nKeep-Alive: 5\r\nX-Hop: 1\r\nConnection: X-Hop\r\nX-End: 2\r\n"
    fields = ("Proxy-Connection: keep-alive", "Proxy-Authorization: Basic eA==", "TE: trailers", "Upgrade: h2c")
    async with listening(answer + b"\r\n") as origin, proxy_to(origin).lease() as lease:
        request = keep(
            f"http://site.example:{origin.port}/", *fields, "X-Mine: 1", "Connection: close, x-mine", "Accept: a"
        )
        got = await send_request(lease, request)
    sent = origin.heads[0].lower()
    assert b"accept: a" in sent
    assert [name for name in (b"proxy-", b"te:", b"upgrade", b"x-mine") if name in sent] == []
    assert b"X-End: 2" in got
    assert [name for name in (b"Keep-Alive", b"X-Hop") if name in got] == []


async def test_request_bodies_with_length_and_in_chunks_are_forwarded() -> None:
    bodies: list[bytes] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        bodies.append(await reader.readuntil(b"end"))
        writer.write(PLAIN)

    async with listening(answer) as origin, proxy_to(origin).lease() as lease:
        head = f"POST http://site.example:{origin.port}/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n".encode()
        assert b"hi" in await send_request(lease, head + b"Content-Length: 6\r\n\r\n123end")
        assert b"hi" in await send_request(
            lease, head + b"Transfer-Encoding: chunked\r\n\r\n3\r\n456\r\n3\r\nend\r\n0\r\nT: 1\r\n\r\n"
        )
    assert bodies == [b"123end", b"3\r\n456\r\n3\r\nend"]
    assert b"Content-Length: 6" in origin.heads[0]
    assert b"Transfer-Encoding: chunked" in origin.heads[1]


async def test_trailers_of_chunked_body_are_dropped() -> None:
    bodies: list[bytes] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        bodies.append(await reader.readuntil(LAST_CHUNK))
        writer.write(PLAIN)

    async with listening(answer) as origin, proxy_to(origin).lease() as lease:
        head = f"POST http://site.example:{origin.port}/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
        chunks = "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\nHost: other.example\r\n\r\n"
        assert b"hi" in await send_request(lease, (head + chunks).encode())
    assert bodies == [b"2\r\nab" + LAST_CHUNK]


async def test_tunnel_connects_to_checked_address_whatever_its_server_name() -> None:
    hello = b"\x16\x03\x01 localhost metadata.google.internal\r\n\r\n"
    async with canary() as (_, touched), listening() as origin, proxy_to(origin).lease() as lease:
        answer = await send_request(lease, connect(f"site.example:{origin.port}") + hello)
    assert answer.endswith(PLAIN)
    assert (origin.heads, touched) == ([hello], [])


async def test_early_response_to_upload_is_forwarded() -> None:
    answer = b"HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\n\r\n"
    async with listening(answer) as origin, proxy_to(origin).lease() as lease:
        head = f"POST http://site.example:{origin.port}/ HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n".encode()
        assert (await send_request(lease, head)).startswith(b"HTTP/1.1 413 ")


async def test_malformed_chunked_body_gets_502() -> None:
    async with listening(hold) as origin, proxy_to(origin).lease() as lease:
        head = f"POST http://site.example:{origin.port}/ HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
        assert await send_request(lease, head.encode() + b"not a chunk\r\n") == UNREACHABLE


async def test_connection_is_reused_after_response_without_body() -> None:
    answer = b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n"
    async with listening(answer) as origin, proxy_to(origin).lease() as lease:
        reader, writer = await asyncio.open_connection("127.0.0.1", lease.port)
        for _ in range(2):
            writer.write(keep(f"http://site.example:{origin.port}/").replace(b"GET", b"HEAD"))
            assert b"Content-Length: 500" in await reader.readuntil(b"\r\n\r\n")
        writer.close()
    assert len(origin.heads) == 2


async def test_header_section_can_arrive_byte_by_byte() -> None:
    async with listening() as origin, proxy_to(origin).lease() as lease:
        reader, writer = await asyncio.open_connection("127.0.0.1", lease.port)
        for byte in get(f"http://site.example:{origin.port}/"):
            writer.write(bytes([byte]))
            await asyncio.sleep(0)
        assert (await reader.read()).endswith(b"hi")
        writer.close()


async def test_response_that_ends_with_connection_is_forwarded() -> None:
    async with listening(b"HTTP/1.0 200 OK\r\n\r\nall of it") as origin, proxy_to(origin).lease() as lease:
        answer = await send_request(lease, get(f"http://site.example:{origin.port}/"))
    assert answer.endswith(b"\r\n9\r\nall of it\r\n0\r\n\r\n")


async def test_incomplete_response_aborts_connection() -> None:
    async with (
        listening(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf") as origin,
        proxy_to(origin).lease() as lease,
    ):
        answer = await send_request(lease, get(f"http://site.example:{origin.port}/"))
    assert b"Content-Length: 100\r\n" in answer
    assert answer.endswith(b"\r\n\r\nhalf")
    assert lease.failed_hosts == set()


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"not HTTP at all\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
        b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 40_000 + b"\r\n",
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n",
    ],
    ids=["nothing", "no HTTP", "two lengths", "endless head", "unasked upgrade"],
)
async def test_malformed_response_of_origin_gets_502(answer: bytes) -> None:
    async with listening(answer) as origin, proxy_to(origin).lease() as lease:
        assert await send_request(lease, get(f"http://site.example:{origin.port}/")) == UNREACHABLE
    assert lease.failed_hosts == {"site.example"}


async def test_tunnel_copies_bytes_in_both_directions() -> None:
    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(2**16):
            writer.write(data)
            await writer.drain()
        writer.write(b"bye")

    async with listening(echo) as origin, proxy_to(origin).lease() as lease:
        reader, writer = await asyncio.open_connection("127.0.0.1", lease.port)
        writer.write(connect(f"site.example:{origin.port}") + b"early\r\n\r\n")
        assert await reader.readuntil(b"\r\n\r\n") == b"HTTP/1.1 200 Connection established\r\n\r\n"
        payload = bytes(range(256)) * 4096
        writer.write(payload)
        assert await reader.readexactly(len(payload)) == payload
        writer.write_eof()
        assert await reader.read() == b"bye"
        writer.close()
    assert origin.heads == [b"early\r\n\r\n"]
    assert lease.bytes > 2 * len(payload)


async def test_websocket_upgrade_becomes_tunnel() -> None:
    async def shake(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nfirst")
        writer.write(await reader.readexactly(6))

    async with listening(shake) as origin, proxy_to(origin).lease() as lease:
        reader, writer = await asyncio.open_connection("127.0.0.1", lease.port)
        writer.write(keep(f"http://site.example:{origin.port}/ws", "Connection: Upgrade", "Upgrade: websocket"))
        head, body = await head_and_body(reader, 5)
        writer.write(b"second")
        assert (body, await reader.readexactly(6)) == (b"first", b"second")
        writer.close()
    assert head.startswith(b"HTTP/1.1 101 ")
    assert b"Upgrade: websocket" in head
    assert b"Upgrade: websocket" in origin.heads[0]


async def test_websocket_to_private_address_is_blocked() -> None:
    async with listening() as origin, canary() as (port, touched), proxy_to(origin).lease() as lease:
        answer = await send_request(
            lease, keep(f"http://127.0.0.1:{port}/", "Connection: Upgrade", "Upgrade: websocket")
        )
    assert (answer, touched) == (UNREACHABLE, [])


@pytest.mark.parametrize("host", ["127.0.0.1", "[::ffff:127.0.0.1]", "127.1", "2130706433", "0x7f.1", "LOCALHOST", "0"])
async def test_every_spelling_of_loopback_is_blocked(host: str) -> None:
    async with canary() as (port, touched), EgressProxy(Guard(["127.0.0.2:80"])).lease() as lease:
        assert await send_request(lease, connect(f"{host}:{port}")) == UNREACHABLE
        assert await send_request(lease, get(f"http://{host}:{port}/")) == UNREACHABLE
    assert touched == []
    assert lease.blocked == 2


async def test_private_names_are_refused_without_lookup() -> None:
    lookups: list[str] = []

    async def resolve(host: str) -> Sequence[str]:
        lookups.append(host)
        return ["93.184.216.34"]

    async with EgressProxy(Guard(), resolve=resolve).lease() as lease:
        for host in (
            "intranet",
            "localhost",
            "db.internal",
            "printer.local",
            "a.lan.",
            "x.onion",
            "1.0.0.127.in-addr.arpa",
        ):
            assert await send_request(lease, connect(f"{host}:443")) == UNREACHABLE
    assert lookups == []


async def test_private_name_with_public_address_is_blocked() -> None:
    async with EgressProxy(Guard(["10.0.0.0/8"]), resolve=answering(["93.184.216.34"])).lease() as lease:
        assert await send_request(lease, connect("intranet:443")) == UNREACHABLE
    assert lease.blocked_hosts == {"intranet"}


async def test_private_name_with_allowed_address_is_reached() -> None:
    async with listening() as origin, proxy_to(origin).lease() as lease:
        assert (await send_request(lease, get(f"http://intranet:{origin.port}/"))).endswith(b"hi")


async def test_only_allowed_port_is_reached() -> None:
    async with listening() as origin, canary(origin.host) as (port, touched), proxy_to(origin).lease() as lease:
        assert (await send_request(lease, get(f"http://{origin.host}:{origin.port}/"))).endswith(b"hi")
        assert await send_request(lease, get(f"http://{origin.host}:{port}/")) == UNREACHABLE
    assert touched == []


async def test_dns_rebinding_has_no_effect() -> None:
    async with canary() as (port, touched), listening() as origin:
        resolve = answering(["127.0.0.2"], ["127.0.0.1"])
        proxy = EgressProxy(Guard([f"127.0.0.2:{origin.port}", f"127.0.0.2:{port}"]), resolve=resolve)
        async with proxy.lease() as lease:
            for _ in range(20):
                assert (await send_request(lease, get(f"http://rebind.example:{origin.port}/"))).endswith(b"hi")
                assert await send_request(lease, connect(f"rebind.example:{port}")) == UNREACHABLE
        async with proxy.lease() as lease:
            assert await send_request(lease, get(f"http://rebind.example:{origin.port}/")) == UNREACHABLE
            assert await send_request(lease, connect(f"rebind.example:{port}")) == UNREACHABLE
            assert lease.blocked == 2
    assert touched == []


@pytest.mark.parametrize("other", ["127.0.0.1", "::1", "10.0.0.1", "::ffff:169.254.169.254"])
async def test_name_with_one_forbidden_address_is_blocked(other: str) -> None:
    async with listening() as origin:
        for answers in ([origin.host, other], [other, origin.host]):
            async with proxy_to(origin, answering(answers)).lease() as lease:
                assert await send_request(lease, get(f"http://mixed.example:{origin.port}/")) == UNREACHABLE
                assert lease.blocked_hosts == {"mixed.example"}
    assert origin.heads == []


async def test_next_address_is_tried_when_first_fails() -> None:
    async with listening() as origin:
        guard = Guard([f"127.0.0.3:{origin.port}", f"{origin.host}:{origin.port}"])
        async with EgressProxy(guard, resolve=answering(["127.0.0.3", origin.host])).lease() as lease:
            assert (await send_request(lease, get(f"http://site.example:{origin.port}/"))).endswith(b"hi")


async def test_blocked_and_unreachable_hosts_get_same_response() -> None:
    async def nowhere(host: str) -> Sequence[str]:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    async with listening() as origin:
        pass
    async with proxy_to(origin).lease() as lease:
        closed = await send_request(lease, connect(f"site.example:{origin.port}"))
    async with EgressProxy(Guard(), resolve=nowhere).lease() as lease:
        unknown = await send_request(lease, connect("site.example:443"))
        assert lease.failed_hosts == {"site.example"}
    async with EgressProxy(Guard(), resolve=answering(["10.0.0.1"])).lease() as lease:
        blocked = await send_request(lease, connect("site.example:443"))
        assert lease.blocked_hosts == {"site.example"}
    assert closed == unknown == blocked == UNREACHABLE


async def test_block_reason_is_logged_and_address_only_at_debug_level(caplog: pytest.LogCaptureFixture) -> None:
    async def logged() -> str:
        async with EgressProxy(Guard(), resolve=answering(["10.9.8.7"])).lease() as lease:
            await send_request(lease, connect("site.example:443"))
        return caplog.text

    caplog.set_level(logging.INFO, "mediakit")
    assert "Blocked site.example, port 443: the address or the port is not allowed" in await logged()
    assert "10.9.8.7" not in caplog.text
    caplog.set_level(logging.DEBUG, "mediakit")
    assert "10.9.8.7" in await logged()


async def test_name_is_looked_up_once() -> None:
    lookups: list[str] = []

    async def resolve(host: str) -> Sequence[str]:
        lookups.append(host)
        await asyncio.sleep(0)
        return []

    async with EgressProxy(Guard(), resolve=resolve).lease() as lease:
        await asyncio.gather(*(send_request(lease, connect("Dead.example:443")) for _ in range(10)))
    assert lookups == ["dead.example"]


async def test_lookup_times_out(monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(host: str) -> Sequence[str]:
        await asyncio.Event().wait()
        return []

    monkeypatch.setattr("mediakit.engines.network.dial.RESOLVE_TIMEOUT_SECONDS", 0.01)
    async with EgressProxy(Guard(), resolve=never).lease() as lease:
        assert await send_request(lease, connect("slow.example:443")) == UNREACHABLE


@pytest.mark.parametrize("host", ["a..b.example", "x" * 64 + ".example", "256.256.256.256", "a.example-.invalid"])
async def test_invalid_name_gets_502(host: str) -> None:
    async with EgressProxy(Guard(["10.0.0.0/8"])).lease() as lease:
        assert await send_request(lease, connect(f"{host}:443")) == UNREACHABLE


HOST = b"Host: site.example\r\n"


@pytest.mark.parametrize(
    "request_",
    [
        b"POST http://site.example/ HTTP/1.1\r\n"
        + HOST
        + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"POST http://site.example/ HTTP/1.1\r\n" + HOST + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\n",
        b"POST http://site.example/ HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: gzip, chunked\r\n\r\n",
        b"GET http://site.example/ HTTP/1.1\r\n" + HOST + HOST + b"\r\n",
        b"GET http://site.example/ HTTP/1.1\r\n\r\n",
        b"GET http://site.example/ HTTP/1.1\n" + HOST + b"\r\n",
        b"GET http://site.example/ HTTP/1.1\nHost: site.example\n\n",
        b"GET http://site.example/ HTTP/1.1\r\n" + HOST + b"X : y\r\n\r\n",
        b"GET http://site.example/ HTTP/1.1\r\n" + HOST + b"X: " + b"y" * 70_000 + b"\r\n\r\n",
        b"GET https://site.example/ HTTP/1.1\r\n" + HOST + b"\r\n",
        b"GET ftp://site.example/ HTTP/1.1\r\n" + HOST + b"\r\n",
        b"GET / HTTP/1.1\r\n" + HOST + b"\r\n",
        b"OPTIONS * HTTP/1.1\r\n" + HOST + b"\r\n",
        b"GET http://user@site.example/ HTTP/1.1\r\n" + HOST + b"\r\n",
        b"GET http://site.example\\@127.0.0.1/ HTTP/1.1\r\n" + HOST + b"\r\n",
        b"GET http://site.example/#fragment HTTP/1.1\r\n" + HOST + b"\r\n",
        b"GET http://site.example:/ HTTP/1.1\r\n" + HOST + b"\r\n",
        b"GET http:///x HTTP/1.1\r\n" + HOST + b"\r\n",
        b"CONNECT 127.0.0.1:443@x HTTP/1.1\r\n" + HOST + b"\r\n",
        b"CONNECT site.example HTTP/1.1\r\n" + HOST + b"\r\n",
        b"CONNECT http://site.example:443/ HTTP/1.1\r\n" + HOST + b"\r\n",
        b"CONNECT [fe80::1%25eth0]:443 HTTP/1.1\r\n" + HOST + b"\r\n",
        b"CONNECT ::1:443 HTTP/1.1\r\n" + HOST + b"\r\n",
        b"CONNECT site.example:443 HTTP/1.1\r\n" + HOST + b"Content-Length: 3\r\n\r\nabc",
        b"\x16\x03\x01\x00\x05hello\r\n\r\n",
        b"\x00\x03\x00\x08\x21\x12\xa4\x42TURN over TCP\r\n\r\n",
        b"\r\n\r\n",
    ],
)
async def test_malformed_request_gets_400(request_: bytes) -> None:
    lookups: list[str] = []

    async def resolve(host: str) -> Sequence[str]:
        lookups.append(host)
        return []

    async with EgressProxy(Guard(), resolve=resolve).lease() as lease:
        answer = await send_request(lease, request_)
    assert answer == b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    assert (lookups, lease.requests) == ([], 0)


@pytest.mark.parametrize(
    "authority", ["[::1]:443", "127.0.0.1:443", "site.example:0", "site.example:99999", "site.example:25"]
)
async def test_tunnel_to_forbidden_address_or_port_is_blocked(authority: str) -> None:
    async with EgressProxy(Guard(), resolve=answering(["93.184.216.34"])).lease() as lease:
        assert await send_request(lease, connect(authority)) == UNREACHABLE
    assert lease.blocked == 1


async def test_proxy_port_of_other_render_is_blocked() -> None:
    async with listening() as origin:
        proxy = EgressProxy(Guard(["127.0.0.0/8", "0.0.0.0/32"]), resolve=answering([origin.host]))
        async with proxy.lease() as mine, proxy.lease() as theirs:
            for host in ("127.0.0.1", "0.0.0.0"):
                assert await send_request(mine, get(f"http://{host}:{theirs.port}/")) == UNREACHABLE
            assert (mine.blocked, theirs.requests) == (2, 0)


async def test_request_limit_closes_lease() -> None:
    async with listening() as origin, proxy_to(origin).lease(Budget(requests=2)) as lease:
        request = get(f"http://site.example:{origin.port}/")
        assert (await send_request(lease, request)).endswith(b"hi")
        assert (await send_request(lease, request)).endswith(b"hi")
        assert await send_request(lease, request) == b""
        assert await send_request(lease, request) == b""
    assert lease.exhausted == "requests"
    assert len(origin.heads) == 2


async def test_byte_limit_closes_lease() -> None:
    async def flood(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            writer.write(bytes(2**16))
            await writer.drain()

    async with listening(flood) as origin, proxy_to(origin).lease(Budget(bytes=2**20)) as lease:
        answer = await send_request(lease, get(f"http://site.example:{origin.port}/"))
        assert b"Transfer-Encoding: chunked" in answer
        assert not answer.endswith(LAST_CHUNK)
        await origin.gone.wait()
    assert lease.exhausted == "bytes"
    assert 2**20 < lease.bytes <= 2**20 + 2**17


async def test_time_limit_closes_lease() -> None:
    async def drip(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            writer.write(b".")
            await writer.drain()
            await asyncio.sleep(0.02)

    async with listening(drip) as origin, proxy_to(origin).lease(Budget(seconds=0.5)) as lease:
        answer = await send_request(lease, get(f"http://site.example:{origin.port}/"))
        assert b"Transfer-Encoding: chunked" in answer
        assert not answer.endswith(LAST_CHUNK)
        await origin.gone.wait()
    assert lease.exhausted == "seconds"


async def test_connection_over_limit_is_closed_and_others_stay_open() -> None:
    async with listening() as origin, proxy_to(origin).lease(Budget(connections=1)) as lease:
        reader, writer = await asyncio.open_connection("127.0.0.1", lease.port)
        request = keep(f"http://site.example:{origin.port}/")
        writer.write(request)
        await head_and_body(reader, 2)
        assert await send_request(lease, request) == b""
        writer.write(request)
        assert (await head_and_body(reader, 2))[1] == b"hi"
        writer.close()
    assert lease.exhausted is None


async def test_end_of_lease_closes_connections_and_port() -> None:
    async with listening(hold) as origin:
        async with proxy_to(origin).lease() as lease:
            reader, writer = await asyncio.open_connection("127.0.0.1", lease.port)
            writer.write(connect(f"site.example:{origin.port}") + b"\r\n\r\n")
            await reader.readuntil(b"\r\n\r\n")
        assert await reader.read() == b""
        await origin.gone.wait()
        writer.close()
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection("127.0.0.1", lease.port)


async def test_cancelled_render_closes_connections_and_port() -> None:
    leases: list[Lease] = []
    ready = asyncio.Event()

    async def render(proxy: EgressProxy) -> None:
        async with proxy.lease() as lease:
            leases.append(lease)
            ready.set()
            await asyncio.Event().wait()

    async with listening(hold) as origin:
        task = asyncio.create_task(render(proxy_to(origin)))
        await ready.wait()
        reader, writer = await asyncio.open_connection("127.0.0.1", leases[0].port)
        writer.write(get(f"http://site.example:{origin.port}/"))
        await origin.reached.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await reader.read() == b""
        await origin.gone.wait()
        writer.close()
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection("127.0.0.1", leases[0].port)


async def test_listener_of_caller_is_used_and_stays_open() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        async with listening() as origin:
            late = socket.create_connection(("127.0.0.1", port))
            late.sendall(get(f"http://site.example:{origin.port}/left-over"))
            for _ in range(2):
                async with proxy_to(origin).lease(listener=listener) as lease:
                    assert lease.port == port
                    assert (await send_request(lease, get(f"http://site.example:{origin.port}/"))).endswith(b"hi")
                    assert lease.requests == 1
        late.close()
    assert not any(b"left-over" in head for head in origin.heads)


async def hold(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Send nothing and wait until the other side disconnects."""
    await reader.readexactly(1)
