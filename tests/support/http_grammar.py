"""Generated HTTP/1.1 connections: valid, ambiguous and broken requests, with every rule of RFC 9112 bent once."""

import random
from dataclasses import dataclass

SMUGGLED = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
"""A request inside the body of another one. It must never get a response."""

VALID_REQUESTS = {
    b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n": 200,
    b"\r\nGET /healthz HTTP/1.1\r\nhOST:x\r\nA:\t b \r\n\r\n": 200,
    b"GET http://x/healthz?a#b HTTP/1.1\r\nHost: x\r\n\r\n": 200,
    b"GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n\r\n": 200,
    b"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n": 404,
    b"GET /%00%ff%zz HTTP/1.1\r\nHost: x\r\n\r\n": 404,
    b"PUT /qr HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n": 405,
    b"POST /nope HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s" % (len(SMUGGLED), SMUGGLED): 404,
    b"POST /nope HTTP/1.1\r\nHost: x\r\nContent-Length:000%d\r\n\r\n%s" % (len(SMUGGLED), SMUGGLED): 404,
    b'POST /nope HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: Chunked\r\n\r\n%x;a=b;c="d"\r\n%s\r\n0\r\nA: b\r\n\r\n'
    % (len(SMUGGLED), SMUGGLED): 404,
}
"""Requests that must get a response with this status."""

FRAMINGS = [
    *(
        b"Content-Length: " + value
        for value in (b"+5", b"-5", b"0x5", b"5 5", b"5,6", b"9" * 30, b"5\x0b", b"\xb2", b"")
    ),
    b"Content-Length: 5\r\nTransfer-Encoding: chunked",
    b"Transfer-Encoding: chunked\r\nContent-Length: 5",
    b"Content-Length: 0\r\nContent-Length: 5",
    b"Content-Length : 5",
    b"Content-Length\t: 5",
    b"Content-Length\x00: 5",
    b"Transfer-Encoding : chunked",
    b"Transfer-Encoding: xchunked",
    b"Transfer-Encoding: chunked, identity",
    b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
    b"Transfer-Encoding: chunked;q=1",
    b"Transfer-Encoding: \x0bchunked",
    b"Transfer-Encoding: identity",
    b"A: b\nTransfer-Encoding: chunked",
    b"A: b\rTransfer-Encoding: chunked",
]
"""Header lines that two programs could read differently; the body is `0`, an empty line, and a smuggled request."""

CHUNKS = [
    *(size + b"\r\nx\r\n" for size in (b"g", b"-1", b"+1", b"0x1", b" 1", b"1 1", b"F" * 17, b"", b"\xb2", b"1\x0b")),
    b"1\nx\r\n",
    b"1\r\nx\n",
    b"1\r\nxx\r\n",
    b"2\r\nx\r\n",
    b"1\r\r\nx\r\n",
    b"1;\n\r\nx\r\n",
    b"1;a\x00\r\nx\r\n",
    b"0\n\n",
]
"""Chunks with a wrong size, extension or line end."""

HEADS = [
    b"GET /nope HTTP/1.1\nHost: x\n\n",
    b"GET /nope HTTP/1.1\rHost: x\r\r",
    b"GET\t/nope HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /no pe HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /nope\r\nHost: x\r\n\r\n",
    b"GET /nope HTTP/1.1 \r\nHost: x\r\n\r\n",
    b"GET /nope http/1.1\r\nHost: x\r\n\r\n",
    b"GET /nope HTTP/9.9\r\nHost: x\r\n\r\n",
    b"GET /nope HTTP/11\r\nHost: x\r\n\r\n",
    b"get /nope HTTP/1.1\r\nHost: x\r\n\r\n",
    b"G\x00T /nope HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /no\x00pe HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /nope HTTP/1.1\r\n\r\n",
    b"GET /nope HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
    b"GET /nope HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n",
    b"GET /nope HTTP/1.1\r\nHost: x\r\n: b\r\n\r\n",
    b"GET /nope HTTP/1.1\r\nHost: x\r\na b: c\r\n\r\n",
    b"GET /nope HTTP/1.1\r\nHost: x\r\n\xe9: b\r\n\r\n",
    b"GET /nope HTTP/1.1\r\nHost: x\r\nA: b\x00c\r\n\r\n",
    b"GET /nope HTTP/1.1\r\n A: b\r\nHost: x\r\n\r\n",
    b"CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
]
"""Heads that no valid request has."""

TOLERATED = [
    b"GET  /nope HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /nope HTTP/1.0\r\n\r\n",
    b"GET /nope HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
    b"GET /nope HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n",
    b"GET /nope HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
    b"GET /nope HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n\r\n",
    b"POST /nope HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 3\r\n\r\nabc",
    b"POST /nope HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n",
    b"POST /nope HTTP/1.1\r\nHost: x\r\nExpect: something\r\nContent-Length: 1\r\n\r\nx",
    b"POST /nope HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello",
    b"POST /nope HTTP/1.1\r\nHost: x\r\nContent-Length: 5, 5\r\n\r\nhello",
    b"POST /nope HTTP/1.1\r\nHost: x\r\nTransfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n",
    b"POST /nope HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    b"POST /nope HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    b"GET /nope HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
]
"""Requests that a server can accept or reject. Nothing follows them."""


@dataclass(frozen=True)
class Conversation:
    """The bytes that a client sends on one connection, and what the server may respond."""

    parts: list[bytes]
    statuses: list[int]
    """Statuses of the valid requests at its start."""
    is_valid: bool
    """Whether nothing but valid requests is sent."""
    is_random: bool
    """Whether random bytes were changed, so that no response is known."""


def conversation(number: int) -> Conversation:
    """Return the generated conversation with this number."""
    rng = random.Random(number)
    valid = rng.choices(list(VALID_REQUESTS), k=rng.randint(0, 3))
    statuses = [VALID_REQUESTS[request] for request in valid]
    kind = rng.choice(["valid", "framing", "chunk", "head", "tolerated", "random"])
    if kind == "valid":
        valid = valid or [SMUGGLED]
        return Conversation(_split(rng, b"".join(valid)), statuses or [200], is_valid=True, is_random=False)
    last = {"framing": _framing, "chunk": _chunk, "head": _head, "tolerated": _tolerated, "random": _random}[kind](rng)
    data = b"".join(valid) + last
    if kind == "random":
        data, statuses = _mutated(rng, data), []
    return Conversation(_split(rng, data), statuses, is_valid=False, is_random=kind == "random")


def _framing(rng: random.Random) -> bytes:
    return b"POST /nope HTTP/1.1\r\nHost: x\r\n%s\r\n\r\n0\r\n\r\n%s" % (rng.choice(FRAMINGS), SMUGGLED)


def _chunk(rng: random.Random) -> bytes:
    start = b"POST /nope HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    return start + b"3\r\nabc\r\n" * rng.randint(0, 2) + rng.choice(CHUNKS) + SMUGGLED


def _head(rng: random.Random) -> bytes:
    return rng.choice(HEADS) + SMUGGLED


def _tolerated(rng: random.Random) -> bytes:
    return rng.choice(TOLERATED)


def _random(rng: random.Random) -> bytes:
    return rng.choice([_framing, _chunk, _head, _tolerated])(rng)


def _mutated(rng: random.Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        position = rng.randrange(len(changed))
        change = rng.randrange(4)
        if change == 0:
            changed[position] = rng.randrange(256)
        elif change == 1:
            del changed[position : position + rng.randint(1, 8)]
        elif change == 2:
            changed[position:position] = rng.choice([b"\r\n", b"\n", b"\r", b"\0", b":", b" ", b"0", rng.randbytes(9)])
        else:
            del changed[position + 1 :]
        changed = changed or bytearray(b"x")
    return bytes(changed)


def _split(rng: random.Random, data: bytes) -> list[bytes]:
    """Split the bytes at random places, as networks do."""
    cuts = sorted(rng.randrange(len(data) + 1) for _ in range(rng.choice([0, 0, 1, 3])))
    return [data[start:end] for start, end in zip([0, *cuts], [*cuts, len(data)], strict=True) if start < end]
