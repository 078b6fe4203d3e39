"""Clients and batches repeat calls whose response was lost; the server charges them once."""

import socket
from collections.abc import Iterator

import httpx
import pytest

import mediakit
from mediakit.client import DEFAULT_RETRIES
from mediakit.errors import CallInProgress, InvalidInput, PageUnavailable, ServerBusy, ServerUnreachable
from mediakit.server import Server
from tests.support.flaky_proxy import Fault, FlakyProxy, flaky_proxy


@pytest.fixture(autouse=True)
def _short_delays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mediakit.client.FIRST_DELAY_SECONDS", 0.01)


@pytest.fixture
def proxy(server: Server) -> Iterator[FlakyProxy]:
    with flaky_proxy(server.url) as proxy:
        yield proxy


@pytest.fixture
def client(proxy: FlakyProxy, server: Server) -> Iterator[mediakit.Client]:
    with mediakit.Client(proxy.url, api_key=server.key) as client:
        yield client


def test_call_whose_response_is_lost_is_charged_once(client: mediakit.Client, proxy: FlakyProxy) -> None:
    used = client.status().used
    proxy.faults = ["lose the response", "lose the response"]
    assert client.qr("lost twice").content == mediakit.qr("lost twice").content
    assert client.status().used == used + 1
    first, *repeated = proxy.responses
    assert [response.content for response in repeated] == [first.content] * 2
    assert [response.headers.get("idempotency-replayed") for response in proxy.responses] == [None, "true", "true"]
    assert len(set(proxy.keys)) == 1


@pytest.mark.anyio
async def test_async_call_whose_response_is_lost_is_charged_once(proxy: FlakyProxy, server: Server) -> None:
    async with mediakit.AsyncClient(proxy.url, api_key=server.key) as client:
        used = (await client.status()).used
        proxy.faults = ["lose the response", "bad gateway"]
        assert (await client.qr("async")).content == mediakit.qr("async").content
        assert (await client.status()).used == used + 1
        assert len(set(proxy.keys)) == 1


@pytest.mark.parametrize("fault", ["refuse the request", "bad gateway", "busy"])
def test_temporary_failure_is_repeated(client: mediakit.Client, proxy: FlakyProxy, fault: Fault) -> None:
    used = client.status().used
    proxy.faults = [fault, fault, fault]
    client.qr(fault)
    assert client.status().used == used + 1
    assert len(proxy.keys) == 4
    assert len(set(proxy.keys)) == 1


def test_each_call_has_its_own_key(client: mediakit.Client, proxy: FlakyProxy) -> None:
    used = client.status().used
    assert client.qr("same") == client.qr("same")
    assert client.status().used == used + 2
    assert len(set(proxy.keys)) == 2


def test_number_of_retries_is_limited(client: mediakit.Client, proxy: FlakyProxy) -> None:
    proxy.faults = ["refuse the request"] * 9
    with pytest.raises(ServerUnreachable):
        client.qr("unreachable")
    assert len(proxy.keys) == 1 + DEFAULT_RETRIES


@pytest.mark.parametrize(("fault", "error"), [("lose the response", ServerUnreachable), ("busy", ServerBusy)])
def test_zero_retries_send_the_request_once(
    proxy: FlakyProxy, server: Server, fault: Fault, error: type[Exception]
) -> None:
    proxy.faults = [fault]
    with mediakit.Client(proxy.url, api_key=server.key, retries=0) as client, pytest.raises(error):
        client.qr("once")
    assert len(proxy.keys) == 1


def test_negative_retries_are_rejected() -> None:
    with pytest.raises(InvalidInput, match="retries: must be at least 0, got -1"):
        mediakit.Client(retries=-1)


def test_own_key_makes_a_later_call_safe(client: mediakit.Client, proxy: FlakyProxy) -> None:
    used = client.status().used
    first = client.with_idempotency_key("retry-order").qr("order 1042")
    again = client.with_idempotency_key("retry-order").qr("order 1042")
    assert (again.content, again.meta) == (first.content, first.meta)
    assert proxy.keys == ["retry-order"] * 2
    assert client.status().used == used + 1
    with pytest.raises(InvalidInput, match="was used for another request"):
        client.with_idempotency_key("retry-order").qr("order 1043")


def test_row_of_a_batch_keeps_its_key_until_it_has_a_response(client: mediakit.Client, proxy: FlakyProxy) -> None:
    used = client.status().used
    proxy.faults = ["lose the response"] * (1 + DEFAULT_RETRIES)
    made = mediakit.batch(client.qr, ["lost"])
    assert [type(failed.error) for failed in made.errors] == [ServerUnreachable]
    assert made.retry()["1"].content == mediakit.qr("lost").content
    assert client.status().used == used + 1
    assert len(set(proxy.keys)) == 1


def answers(*responses: httpx.Response) -> tuple[mediakit.Client, list[str]]:
    """Return a client of a server with these responses, and the list of the keys that it receives."""
    keys: list[str] = []
    left = list(responses)

    def respond(request: httpx.Request) -> httpx.Response:
        keys.append(request.headers["idempotency-key"])
        return left.pop(0)

    return mediakit.Client("http://api.test", transport=httpx.MockTransport(respond)), keys


def test_running_call_is_awaited_beyond_the_number_of_retries() -> None:
    running = httpx.Response(409, json={"error": "Running.", "retry_after": 0}, headers={"retry-after": "0"})
    done = httpx.Response(200, json={"success": True, "image": "aGk=", "mime_type": "image/png", "meta": {}})
    client, keys = answers(*[running] * 20, done)
    assert client.qr("slow").content == b"hi"
    assert (len(keys), len(set(keys))) == (21, 1)


def test_running_call_is_not_awaited_forever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mediakit.client.MAX_PROGRESS_SECONDS", 0.0)
    client, keys = answers(httpx.Response(409, json={"error": "Running.", "retry_after": 1}))
    with pytest.raises(CallInProgress):
        client.qr("slow")
    assert len(keys) == 1


@pytest.mark.parametrize(
    ("response", "error"),
    [
        (httpx.Response(502, json={"error": "The page could not be loaded (HTTP 404)."}), PageUnavailable),
        (httpx.Response(503, json={"error": "Busy.", "retry_after": 31}, headers={"retry-after": "31"}), ServerBusy),
    ],
    ids=["error of a page", "long wait"],
)
def test_definitive_errors_are_not_repeated(response: httpx.Response, error: type[Exception]) -> None:
    client, keys = answers(response)
    with pytest.raises(error):
        client.qr("failed")
    assert len(keys) == 1


def test_timeout_is_not_repeated() -> None:
    requests = 0

    def respond(_request: httpx.Request) -> httpx.Response:
        nonlocal requests
        requests += 1
        raise httpx.ReadTimeout("slow")

    with pytest.raises(ServerUnreachable), mediakit.Client(transport=httpx.MockTransport(respond)) as client:
        client.qr("slow")
    assert requests == 1


def test_closed_port_is_an_error_after_the_retries() -> None:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{sock.getsockname()[1]}"
        with pytest.raises(ServerUnreachable, match="No response from"), mediakit.Client(url) as client:
            client.qr("closed")
