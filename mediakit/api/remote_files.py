"""Files by URL: `"file": {"url": "https://example.com/photo.jpg"}` in a JSON body.

A file is loaded through the proxy of renders, so the same addresses are blocked. The client learns the status of the
server that has the file, but no reason why an address cannot be reached.
"""

import ssl
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

import anyio

from mediakit.api.forms import parameters_by_name
from mediakit.core.fields import MAX_URL_LENGTH, check_url
from mediakit.core.inputs import MAX_FILE_BYTES, MAX_TOTAL_FILE_BYTES, MEGABYTE, FileBytes
from mediakit.core.parameters import Parameter
from mediakit.core.request import invalid
from mediakit.core.slots import Slots
from mediakit.core.tool import Tool
from mediakit.engines.network.addresses import Guard
from mediakit.engines.network.lease import Budget
from mediakit.engines.network.proxy import EgressProxy
from mediakit.errors import InvalidInput

if TYPE_CHECKING:
    import httpx

LOAD_SECONDS = 20.0
MAX_REDIRECTS = 5
MAX_OVERHEAD_BYTES = MEGABYTE
"""Bytes of a response that are not the file: headers, and the framing of TLS."""

CONCURRENT_LOADS = 8
MAX_WAITING_LOADS = 64

TOO_LARGE_TOGETHER = f"must have at most {MAX_TOTAL_FILE_BYTES // MEGABYTE} MB together."
_NOT_LOADED = "the URL could not be loaded"
_HEADERS = {"Accept-Encoding": "identity", "User-Agent": "mediakit"}


class RemoteFiles:
    """Loads the files of calls that name a URL.

    Args:
        guard: Checks which addresses can be reached.
    """

    def __init__(self, guard: Guard) -> None:
        self._proxy = EgressProxy(guard)
        self._slots = Slots(CONCURRENT_LOADS, MAX_WAITING_LOADS)

    async def load(self, tool: Tool[..., Any], values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values of a call with the content of its files.

        Raises:
            InvalidInput: A URL is not valid, a file is too large, or the files are not loaded within 20 seconds.
            ServerBusy: Too many other files are being loaded.
        """
        loaded, field = dict(values), ""
        try:
            with anyio.fail_after(LOAD_SECONDS):
                for name, parameter in _files(tool, values).items():
                    files: list[Any] = []
                    for field, item in _items(name, values[name]):
                        files.append(await self._loaded(item, field) if _is_remote(item) else item)
                        if sum(len(each) for each in files if isinstance(each, bytes)) > MAX_TOTAL_FILE_BYTES:
                            raise _problem(name, TOO_LARGE_TOGETHER)
                    loaded[name] = files if parameter.kind == "files" else files[0]
        except TimeoutError:
            raise _problem(field, f"{_NOT_LOADED} within {LOAD_SECONDS:.0f} seconds.") from None
        return loaded

    async def _loaded(self, value: Mapping[str, Any], field: str) -> FileBytes:
        target, name = _target(value, field)
        async with self._slots.slot():
            content, path = await self._get(target, field)
        return FileBytes.named(content, name or unquote(path).rpartition("/")[2])

    async def _get(self, url: str, field: str) -> tuple[bytes, str]:
        """Return the content of a URL, and the path of the URL after redirects."""
        import httpx

        budget = Budget(MAX_REDIRECTS + 1, 4, MAX_FILE_BYTES + MAX_OVERHEAD_BYTES, LOAD_SECONDS)
        try:
            async with self._proxy.lease(budget) as lease:
                async with (
                    httpx.AsyncClient(
                        proxy=lease.url,
                        verify=_tls(),
                        headers=_HEADERS,
                        trust_env=False,
                        timeout=LOAD_SECONDS,
                        follow_redirects=True,
                        max_redirects=MAX_REDIRECTS,
                    ) as http,
                    http.stream("GET", url) as response,
                ):
                    content = await _content(response, field)
                # The proxy itself answers for an address that it does not understand, blocks, or cannot reach.
                if not lease.requests or lease.blocked or lease.failed_hosts:
                    raise _problem(field, f"{_NOT_LOADED}.")
        except httpx.TooManyRedirects:
            raise _problem(field, f"{_NOT_LOADED}: it has more than {MAX_REDIRECTS} redirects.") from None
        except (httpx.HTTPError, httpx.InvalidURL, UnicodeError):  # the last: a host that IDNA 2008 forbids, as ☃.net
            raise _problem(field, f"{_NOT_LOADED}.") from None
        if isinstance(content, InvalidInput):
            raise content
        return content, response.url.path


def with_placeholders(tool: Tool[..., Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a call with a byte in place of each file by URL, to validate the call before it is loaded.

    Raises:
        InvalidInput: A URL is not valid.
    """
    filled = dict(values)
    for name, parameter in _files(tool, values).items():
        files = list(values[name]) if parameter.kind == "files" else [values[name]]
        for at, (field, item) in enumerate(_items(name, values[name])):
            if _is_remote(item):
                target, file_name = _target(item, field)
                files[at] = FileBytes.named(b" ", file_name or unquote(urlsplit(target).path).rpartition("/")[2])
        filled[name] = files if parameter.kind == "files" else files[0]
    return filled


def _target(value: Mapping[str, Any], field: str) -> tuple[str, str]:
    """Return the URL and the name of a file."""
    url, name = value["url"], value.get("name", "")
    if value.keys() - {"url", "name"} or not isinstance(url, str) or not isinstance(name, str):
        raise _problem(field, 'must have the members "url" (text) and optionally "name" (text).')
    try:
        target = check_url(url[: MAX_URL_LENGTH + 1])
    except ValueError as error:
        raise _problem(field, f"url {error}") from None
    if len(url) > MAX_URL_LENGTH:
        raise _problem(field, f"url must have at most {MAX_URL_LENGTH} characters.")
    return target, name


def has_remote_files(tool: Tool[..., Any], values: Mapping[str, Any]) -> bool:
    """Return whether a call names a URL in place of a file."""
    return bool(_files(tool, values))


def _files(tool: Tool[..., Any], values: Mapping[str, Any]) -> dict[str, Parameter]:
    """Return the fields with files by URL, by the name that the call uses."""
    found = {}
    for name, parameter in _file_names(tool):
        value = values.get(name)
        items = value if isinstance(value, list) else [value]
        is_valid = len(items) <= (parameter.max_length or 1) if parameter.kind == "files" else value is not items
        if is_valid and any(map(_is_remote, items)):
            found[name] = parameter
    return found


@cache
def _file_names(tool: Tool[..., Any]) -> list[tuple[str, Parameter]]:
    return [(name, parameter) for name, parameter in parameters_by_name(tool).items() if parameter.is_file]


def _items(name: str, value: Any) -> list[tuple[str, Any]]:
    """Return the files of a field, each with its name in errors."""
    return [(f"{name}[{at}]", item) for at, item in enumerate(value)] if isinstance(value, list) else [(name, value)]


def _is_remote(value: Any) -> bool:
    return isinstance(value, Mapping) and "url" in value


async def _content(response: "httpx.Response", field: str) -> bytes | InvalidInput:
    """Return the body of a response, or why it cannot be used."""
    if not response.is_success:
        return _problem(field, f"{_NOT_LOADED} (HTTP {response.status_code}).")
    if response.headers.get("content-encoding", "identity").lower() != "identity":
        return _problem(field, f"{_NOT_LOADED}: its server compresses it, although the request forbids it.")
    size = response.headers.get("content-length", "0")
    if size.isdecimal() and int(size) > MAX_FILE_BYTES:
        return _too_large(field)
    content = bytearray()
    async for part in response.aiter_raw():
        content += part
        if len(content) > MAX_FILE_BYTES:
            return _too_large(field)
    return bytes(content)


def _too_large(field: str) -> InvalidInput:
    return _problem(field, f"must have at most {MAX_FILE_BYTES // MEGABYTE} MB.")


def _problem(field: str, message: str) -> InvalidInput:
    return invalid([{"field": field, "message": message}])


@cache
def _tls() -> ssl.SSLContext:
    import httpx

    return httpx.create_ssl_context()
