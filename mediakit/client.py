"""Clients of a mediakit server: the same names, results and exceptions as the local tools.

Every call has an idempotency key, so the server charges a repeated call once. Temporary failures are repeated: lost
connections, responses of a proxy whose server does not respond, and a busy server. Timeouts are not repeated.

A call can also be a job: the server answers at once, runs the tool, and keeps the result for 24 hours.
"""

import copy
import os
import random
import re
import time
import uuid
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Generic, Literal, ParamSpec, Self, TypeVar

import anyio
import httpx
import pybase64
from pydantic import TypeAdapter, ValidationError
from pydantic_core import from_json, to_json

from mediakit.core.inputs import FileBytes
from mediakit.core.introspection import PublicNames
from mediakit.core.messages import quote
from mediakit.core.runtime import runtime
from mediakit.core.tool import AsyncClientTool, AsyncToolClient, ClientTool, Tool, ToolClient, ToolResult
from mediakit.errors import CallInProgress, InvalidInput, InvalidKey, MediakitError, ServerBusy, ServerUnreachable
from mediakit.results.data import parse
from mediakit.tools.catalogue import load_tool
from mediakit.tools.toolbox import Toolbox
from mediakit.usage import Usage, UsageReport

P = ParamSpec("P")
R = TypeVar("R", bound=ToolResult)
T = TypeVar("T")

DEFAULT_URL = "http://127.0.0.1:8000"

IDEMPOTENCY_HEADER = "Idempotency-Key"
_IDEMPOTENCY_KEY = re.compile(r"[ -~]{1,255}")
DEFAULT_RETRIES = 3
REQUEST_TIMEOUT = httpx.Timeout(90, connect=10)
"""Seconds: a render can wait in the queue, for slow resources and for its own `wait_ms`."""
FIRST_DELAY_SECONDS = 0.25
"""Wait before the first retry; doubled for each further one."""
MAX_DELAY_SECONDS = 30.0
"""Longest wait. An error that asks for a longer one is raised."""
MAX_PROGRESS_SECONDS = 120.0
"""Time to wait for the response of an attempt that still runs after its connection was lost."""

FIRST_POLL_SECONDS = 0.1
MAX_POLL_SECONDS = 5.0
"""Time between two questions for the state of a job; it grows by half each time."""

JobState = Literal["queued", "running", "succeeded", "failed", "canceled"]

_LOST_CONNECTION = (httpx.NetworkError, httpx.RemoteProtocolError, httpx.ConnectTimeout)
_GATEWAY_STATUSES = frozenset((502, 503, 504))


class _ServerClient(PublicNames, Toolbox):
    """What both clients share: the connection, and the requests that are sent over it."""

    def __init__(
        self,
        base_url: str = DEFAULT_URL,
        *,
        api_key: str | None = None,
        retries: int = DEFAULT_RETRIES,
        jobs: bool = False,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        if retries < 0:
            raise InvalidInput(f"retries: must be at least 0, got {retries}.")
        if not str(base_url).startswith(("http://", "https://")):
            raise InvalidInput(f"base_url: must begin with http:// or https://, got {quote(base_url)}.")
        if not isinstance(api_key, str | None):
            raise InvalidKey("api_key: must be text.")
        key = (api_key or os.environ.get("MEDIAKIT_API_KEY", "")).strip()  # a key read from a file ends with a newline
        if not key.isascii() or not key.isprintable():
            raise InvalidKey("api_key: must contain only letters, digits and _; copy the key again.")
        headers = {"content-type": "application/json"} | ({"x-api-key": key} if key else {})
        self._http = httpx.AsyncClient(base_url=base_url, headers=headers, timeout=REQUEST_TIMEOUT, transport=transport)
        self._retries = retries
        self._jobs = jobs
        self._idempotency_key: str | None = None
        self._keeps_result = False

    def with_idempotency_key(self, key: str, *, keep_result: bool = True) -> Self:
        """Return this client with an idempotency key of your own for its next call.

        The key is known before the call, for example the number of an order, so that a call that is repeated later, or
        by another process, is charged once. Both clients share their connections.

        Args:
            key: The key.
            keep_result: With `jobs=True`, keep the result on the server for a day, so that a repeated call receives it.

        Raises:
            InvalidInput: The key is not valid.
        """
        if not _IDEMPOTENCY_KEY.fullmatch(str(key)):
            raise InvalidInput(f"key: must be 1 to 255 printable ASCII characters, got {quote(key)}.")
        client = copy.copy(self)
        client._idempotency_key, client._keeps_result = str(key), keep_result  # noqa: SLF001  # the same class
        return client

    def _prepared(self, tool: Tool[..., Any], values: Mapping[str, Any]) -> tuple[Any, httpx.Request]:
        """Return the validated request, and that of HTTP. Options that were not passed are left to the server."""
        request = tool.validate(values)
        body = {name: getattr(request, name, value) for name, value in values.items()}
        content = to_json({name: _portable(value) for name, value in body.items() if value is not None})
        headers = {IDEMPOTENCY_HEADER: self._idempotency_key or str(uuid.uuid4())}
        return request, self._http.build_request("POST", tool.path, content=content, headers=headers)

    async def _answer(self, tool: Tool[..., Any], sent: httpx.Request) -> dict[str, Any]:
        """Return the body of the response to a call, or of the result of its job."""
        if not self._jobs:
            return _decoded(await _send(self._http, sent, retries=self._retries))
        for _ in range(self._retries):
            try:
                return await self._answer_of_job(await self._submitted(tool, None, sent))
            except ServerBusy as error:
                if type(error) is not ServerBusy or error.retry_after > MAX_DELAY_SECONDS:
                    raise
                await anyio.sleep(error.retry_after)
        return await self._answer_of_job(await self._submitted(tool, None, sent))

    async def _answer_of_job(self, job: "AsyncRemoteJob[Any]") -> dict[str, Any]:
        """Return the response of a job, and delete the job unless a repeated call receives its result."""
        body = await job.body()
        if not self._keeps_result:
            with suppress(MediakitError):  # the server deletes it after a day
                await job.cancel()
        return body

    async def _submitted(self, tool: Tool[..., R], request: Any, sent: httpx.Request) -> "AsyncRemoteJob[R]":
        sent.headers["Prefer"] = "respond-async"
        job = _decoded(await _send(self._http, sent, retries=self._retries))
        if "id" not in job:
            raise ServerUnreachable(f"The server at {self._http.base_url} does not answer calls later. Update it.")
        return AsyncRemoteJob(self._http, self._retries, str(job["id"]), tool, request)

    async def _read(self, kind: type[T], path: str, **params: int) -> T:
        body = _decoded(await _send(self._http, self._http.build_request("GET", path, params=params)))
        try:
            return TypeAdapter(kind).validate_python(body)
        except ValidationError:
            raise _not_mediakit(self._http.base_url) from None

    def __repr__(self) -> str:
        return f"<mediakit.{type(self).__name__} {self._http.base_url}>"


def _called(tool: Any) -> Tool[..., Any]:
    """Return the tool of an argument: a tool, a method of a client, or a name."""
    found = load_tool(tool) if isinstance(tool, str) else getattr(tool, "tool", tool)
    if not isinstance(found, Tool):
        raise InvalidInput(f'tool: must be a tool, such as mediakit.qr, or its name, such as "qr", got {quote(tool)}.')
    return found


class Client(_ServerClient, ToolClient):
    """A server's tools as methods: `Client(url, api_key=...).qr("hi")`.

    Args:
        base_url: Address of the server.
        api_key: The API key; the environment variable `MEDIAKIT_API_KEY` by default.
        retries: Maximum number of retries of a call whose connection is lost or whose server is busy; 0 for none. A
            call is charged once, because all of its attempts have the same idempotency key.
        jobs: Send each call as a job, and ask for its result until it is there. Use it for calls that take longer than
            proxies on the way allow.
        transport: HTTP transport, for example for tests. It is used on mediakit's background event loop.

    Raises:
        InvalidInput: The address does not begin with http:// or https://, or `retries` is negative.
        InvalidKey: The key contains characters that are not valid in a key.
    """

    def call(self, tool: Tool[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Call a tool on the server.

        Raises:
            InvalidInput: A value is invalid; the request was not sent.
            MediakitError: The server's error, as the class that the tool itself would raise.
        """
        request, sent = self._prepared(tool, tool.bind(*args, **kwargs))
        body = runtime.run(self._answer(tool, sent))
        return tool.finish(request, parse(tool, body))

    def submit(self, tool: Tool[P, R] | ClientTool[P, R], *args: P.args, **kwargs: P.kwargs) -> "RemoteJob[R]":
        """Start a call on the server, and return at once: `client.submit(mediakit.pdf, html=page).result()`.

        Args:
            tool: The tool, such as `mediakit.pdf`.
            args: Arguments of the tool.
            kwargs: Arguments of the tool by name.

        Raises:
            InvalidInput: A value is invalid; the request was not sent.
            MediakitError: The server has not accepted the call.
        """
        called = _called(tool)
        return RemoteJob(runtime.run(self._submitted(called, *self._prepared(called, called.bind(*args, **kwargs)))))

    def status(self) -> Usage:
        """Return the account's plan and the credits used. The call costs no credit."""
        return runtime.run(self._read(Usage, "/status"))

    def usage(self, days: int = 30, recent: int = 20) -> UsageReport:
        """Return the calls per day and per tool, and the newest calls. The call costs no credit.

        Args:
            days: Number of days in UTC, including today; at most 90.
            recent: Maximum number of recent calls; at most 200.
        """
        return runtime.run(self._read(UsageReport, "/usage", days=days, recent=recent))

    def close(self) -> None:
        """Close the connections."""
        runtime.run(self._http.aclose())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncClient(_ServerClient, AsyncToolClient):
    """The same as `Client`, with every call awaited."""

    async def call(self, tool: Tool[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Call a tool on the server; raises as `Client.call` does."""
        request, sent = self._prepared(tool, tool.bind(*args, **kwargs))
        return tool.finish(request, parse(tool, await self._answer(tool, sent)))

    async def submit(
        self, tool: Tool[P, R] | AsyncClientTool[P, R], *args: P.args, **kwargs: P.kwargs
    ) -> "AsyncRemoteJob[R]":
        """Start a call on the server, as `Client.submit` does."""
        called = _called(tool)
        return await self._submitted(called, *self._prepared(called, called.bind(*args, **kwargs)))

    async def status(self) -> Usage:
        """Return the account's plan and the credits used. The call costs no credit."""
        return await self._read(Usage, "/status")

    async def usage(self, days: int = 30, recent: int = 20) -> UsageReport:
        """Return the calls per day and per tool, and the newest calls, as `Client.usage` does."""
        return await self._read(UsageReport, "/usage", days=days, recent=recent)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


@dataclass(frozen=True, slots=True)
class JobStatus:
    """The state of a job on the server."""

    state: JobState
    progress: float
    """From 0 to 1; an estimate while the job runs."""
    error: MediakitError | None
    """Why the job has failed."""


class AsyncRemoteJob(PublicNames, Generic[R]):
    """A call that runs on the server. Its methods are awaited."""

    _internal_names = frozenset(("body", "finished"))

    def __init__(self, http: httpx.AsyncClient, retries: int, job_id: str, tool: Tool[..., R], request: Any) -> None:
        self.id = job_id
        self._http = http
        self._retries = retries
        self._tool = tool
        self._request = request

    async def status(self) -> JobStatus:
        """Return the state and the progress.

        Raises:
            NotFound: The job ended more than 24 hours ago.
        """
        return _status(await self._state())

    async def result(self, timeout: float | None = None) -> R:  # noqa: ASYNC109  # as that of a Future
        """Wait for the end of the job, and return its result.

        Args:
            timeout: Seconds to wait; no limit by default. The job runs on after a timeout.

        Raises:
            TimeoutError: The job has not ended in time.
            MediakitError: The job has failed, or it was canceled.
        """
        return self.finished(await self.body(timeout))

    def finished(self, body: Mapping[str, Any]) -> R:
        """Return the result in a response."""
        return self._tool.finish(self._request, parse(self._tool, dict(body)))

    async def body(self, timeout: float | None = None) -> dict[str, Any]:  # noqa: ASYNC109  # as that of a Future
        """Wait for the end of the job, and return the response that has its result."""
        delay, end = FIRST_POLL_SECONDS, None if timeout is None else time.monotonic() + timeout
        while not (job := await self._state())["finished_at"]:
            if end is not None and time.monotonic() + delay > end:
                raise TimeoutError(f"The job {self.id} has not ended in {timeout:g} seconds.")
            await anyio.sleep(delay)
            delay = min(delay * 1.5, MAX_POLL_SECONDS)
        if error := _status(job).error:
            raise error
        if job["state"] == "canceled":
            raise MediakitError(f"The job {self.id} was canceled.")
        # The path is enough: the host of the link is that of the server's clients, which a proxy can have changed.
        token = job["result"]["url"].rpartition("/")[2]
        return await self._get(f"/files/{token}")

    async def cancel(self) -> None:
        """Cancel the job, which then costs nothing; or delete the result of one that has ended."""
        _decoded(await _send(self._http, self._http.build_request("DELETE", f"/jobs/{self.id}")))

    async def _state(self) -> dict[str, Any]:
        return await self._get(f"/jobs/{self.id}")

    async def _get(self, path: str) -> dict[str, Any]:
        return _decoded(await _send(self._http, self._http.build_request("GET", path), retries=self._retries))

    def __repr__(self) -> str:
        return f"<mediakit.{type(self).__name__} {self.id}: {self._tool.name}>"


class RemoteJob(PublicNames, Generic[R]):
    """A call that runs on the server, with the methods of a `concurrent.futures.Future` that it can have."""

    def __init__(self, job: AsyncRemoteJob[R]) -> None:
        self.id = job.id
        self._job = job

    def status(self) -> JobStatus:
        """Return the state and the progress."""
        return runtime.run(self._job.status())

    def done(self) -> bool:
        """Return whether the job has ended."""
        return self.status().state not in ("queued", "running")

    def result(self, timeout: float | None = None) -> R:
        """Wait for the end of the job, and return its result; raises as `AsyncRemoteJob.result` does."""
        return self._job.finished(runtime.run(self._job.body(timeout)))

    def cancel(self) -> None:
        """Cancel the job, which then costs nothing; or delete the result of one that has ended."""
        runtime.run(self._job.cancel())

    def __repr__(self) -> str:
        return repr(self._job).replace("AsyncRemoteJob", "RemoteJob", 1)


def _status(job: Mapping[str, Any]) -> JobStatus:
    error = job["error"] and MediakitError.from_body(job["error"]["status"], job["error"])
    return JobStatus(job["state"], job["progress"], error)


async def _send(http: httpx.AsyncClient, request: httpx.Request, *, retries: int = 0) -> httpx.Response:
    """Send a request, and repeat it after temporary failures."""
    left, delay = retries, FIRST_DELAY_SECONDS
    deadline = time.monotonic() + MAX_PROGRESS_SECONDS if retries else 0.0
    while True:
        wait = 0.0
        try:
            response = await http.send(request)
        except httpx.TransportError as error:
            if not left or not isinstance(error, _LOST_CONNECTION):
                reason = f"No response from {http.base_url} ({type(error).__name__}). "
                raise ServerUnreachable(f"{reason}Is `mediakit serve` running there?") from error
        else:
            # Seconds in the header; 1 for other forms of it.
            text = response.headers.get("retry-after", "0")
            wait = float(text) if text.isdecimal() else 1.0
            if response.status_code == CallInProgress.status and time.monotonic() + wait < deadline:
                await anyio.sleep(wait)
                continue
            is_temporary = response.status_code == ServerBusy.status or _is_from_gateway(response)
            if not (left and is_temporary and wait <= MAX_DELAY_SECONDS):
                return response
        left -= 1
        await anyio.sleep(max(wait, delay * random.uniform(0.5, 1.0)))  # noqa: S311  # spreads clients, protects nothing
        delay *= 2


def _decoded(response: httpx.Response) -> dict[str, Any]:
    """Return the JSON body of a response."""
    try:
        body = from_json(response.content or b"{}")
    except ValueError:
        body = None
    is_object = isinstance(body, dict)
    if response.is_success:
        if not is_object:
            raise _not_mediakit(response.url.copy_with(path="/", query=None))
        return dict(body)
    message = f"The server returned HTTP {response.status_code} without an error message."
    raise MediakitError.from_body(response.status_code, body if is_object else {"error": message})


def _not_mediakit(url: httpx.URL) -> ServerUnreachable:
    return ServerUnreachable(f"The server at {url} is not a mediakit server, or of another version.")


def _is_from_gateway(response: httpx.Response) -> bool:
    """Return whether a proxy responded, because its server did not."""
    if response.status_code not in _GATEWAY_STATUSES:
        return False
    try:
        body = from_json(response.content)
    except ValueError:
        return True
    return not (isinstance(body, dict) and isinstance(body.get("error"), str))


def _portable(value: Any) -> Any:
    """Return a value with its files encoded as base64, with their names."""
    if isinstance(value, list):
        return [_portable(item) for item in value]
    if not isinstance(value, bytes):
        return value
    text = pybase64.b64encode(value).decode()
    name = (value.full_name or value.name) if isinstance(value, FileBytes) else ""
    return {"name": name, "file": text} if name else text
