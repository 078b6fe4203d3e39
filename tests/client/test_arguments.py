"""What the constructor and the methods of a client accept, and answers of servers that are not mediakit."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest

import mediakit
from mediakit.errors import InvalidInput, InvalidKey, MediakitError, ServerUnreachable
from mediakit.server import Server


def answering(response: httpx.Response) -> mediakit.Client:
    return mediakit.Client("http://other.test", transport=httpx.MockTransport(lambda _request: response))


@pytest.mark.parametrize("url", [None, 8000, "127.0.0.1:8000", object()])
def test_address_without_scheme_is_an_error(url: Any) -> None:
    with pytest.raises(InvalidInput, match=r"^base_url: must begin with http:// or https://, got "):
        mediakit.Client(url)


def test_key_that_is_not_text_is_an_error() -> None:
    with pytest.raises(InvalidKey, match=r"^api_key: must be text\.$"):
        mediakit.Client("http://other.test", api_key=5)  # type: ignore[arg-type]


@pytest.mark.parametrize("key", ["", "Größe", "a\nb", "x" * 256])
def test_idempotency_key_that_a_header_cannot_hold_is_an_error(key: str) -> None:
    with pytest.raises(InvalidInput, match=r"^key: must be 1 to 255 printable ASCII characters, got "):
        mediakit.Client("http://other.test").with_idempotency_key(key)


@pytest.mark.parametrize(
    "call",
    [lambda client: client.qr("hi"), lambda client: client.status(), lambda client: client.usage()],
    ids=["tool", "status", "usage"],
)
def test_web_page_in_place_of_an_answer_names_the_server(call: Callable[[Any], Any]) -> None:
    with pytest.raises(ServerUnreachable, match=r"^The server at http://other\.test/ is not a mediakit server"):
        call(answering(httpx.Response(200, text="<html>Welcome to nginx!")))


def test_json_list_of_another_service_is_an_error() -> None:
    with pytest.raises(ServerUnreachable, match=r"^The server at http://other\.test/ is not a mediakit server"):
        answering(httpx.Response(200, json=[1])).status()
    with pytest.raises(MediakitError, match=r"^The server returned HTTP 404 without an error message\.$"):
        answering(httpx.Response(404, json=["not found"])).status()


def test_json_of_another_service_is_not_a_usage() -> None:
    with pytest.raises(ServerUnreachable, match="is not a mediakit server, or of another version"):
        answering(httpx.Response(200, json={"status": "ok"})).status()


def test_submit_takes_the_name_of_a_tool(server: Server) -> None:
    with mediakit.Client(server.url, api_key=server.key) as client:
        assert client.submit("qr", "hi").result(60) == mediakit.qr("hi")  # type: ignore[arg-type]
        with pytest.raises(InvalidInput, match=r"^tool: must be a tool, such as mediakit\.qr, or its name"):
            client.submit(print, "hi")  # type: ignore[arg-type]


def test_dashboard_needs_a_client() -> None:
    with pytest.raises(InvalidInput, match=r'^client: must be a client, .*, got "http://other\.test"\.$'):
        mediakit.dashboard("http://other.test")  # type: ignore[arg-type]
