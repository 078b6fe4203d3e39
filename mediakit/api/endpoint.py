"""The endpoint of a tool: key, rate limit, body, credit hold, the call and its response, in that order."""

import asyncio
import time
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from sqlalchemy.orm import Session
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from mediakit.accounts import Claim, Hold, Link, Outcome, Principal, StoredResponse
from mediakit.api import responses
from mediakit.api.body import read_values
from mediakit.api.body_stream import UnreadBodyError
from mediakit.api.context import Context
from mediakit.api.hooks import report_call
from mediakit.api.idempotency import REPLAYED_HEADERS, failure_to_store, fingerprint, key_of, replay, storable
from mediakit.api.jobs import MAX_BUSY_SECONDS, QueuedCall, input_bytes, prefers_async
from mediakit.api.middleware import CLIENT_CLOSED_REQUEST, FILE_KEY, RATE_KEY, will_be_compressed
from mediakit.api.remote_files import LOAD_SECONDS, has_remote_files, with_placeholders
from mediakit.api.responses import Output, StoredBody
from mediakit.core.request import invalid
from mediakit.core.slots import Caller, current_caller
from mediakit.core.tool import Tool
from mediakit.errors import MediakitError
from mediakit.results.result import Result
from mediakit.settings import SLOT_SECONDS
from mediakit.usage import Usage

T = TypeVar("T")

GRACE_SECONDS = 0.05
"""Time for which work runs without a check of the connection. Most calls end earlier, and need no task for it."""


class ClientDisconnected(Exception):  # noqa: N818  # not an error: the response cannot be sent
    """The client closed the connection before the tool had finished."""


async def while_connected(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """Return the result of the work; it is cancelled if the client closes the connection.

    Raises:
        ClientDisconnected: The client closed the connection.
    """
    worker = asyncio.current_task()
    assert worker  # noqa: S101  # this is a coroutine
    cancellations, is_gone = worker.cancelling(), False
    watch: asyncio.Task[None] | None = None

    async def cancel_when_gone() -> None:
        nonlocal is_gone
        while (await request.receive())["type"] != "http.disconnect":
            pass
        is_gone = True
        worker.cancel()

    def start() -> None:
        nonlocal watch
        watch = asyncio.create_task(cancel_when_gone())

    timer = asyncio.get_running_loop().call_later(GRACE_SECONDS, start)
    try:
        return await work
    except asyncio.CancelledError:
        if is_gone and worker.uncancel() <= cancellations:  # the client is the only reason
            raise ClientDisconnected from None
        raise
    finally:
        timer.cancel()
        if watch:
            watch.cancel()


HOLD_SECONDS = 10 + int(LOAD_SECONDS)
"""Time beside the deadline of a tool, to load files by URL and for the charge.

A charge after the end of the hold needs a free credit.
"""

ACCEPTED = 202
"""Status of a call that is answered later."""

CHARGED_KEY = "mediakit.charged"
"""Key in the scope of a request that was charged, although its response is an error."""


@dataclass(slots=True)
class _Call:
    """A valid call."""

    request: Request
    principal: Principal
    values: Mapping[str, Any]
    tool_request: Any
    """The validated request; None if files have to be loaded before."""
    output: Output
    chosen: str | None
    """The `output` option, if the client sent it."""
    started: float
    is_async: bool
    """Whether the client prefers an answer at once, and the result later."""


class ToolEndpoint:
    """Handles `POST` to a tool's path."""

    def __init__(self, tool: Tool[..., Any], context: Context) -> None:
        self.tool = tool
        self.context = context

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one call."""
        response = await self._response(Request(scope, receive))
        await response(scope, receive, send)

    async def _response(self, request: Request) -> Response:
        """Return the response to one call. A call that fails costs nothing, but is in the ledger."""
        started = time.perf_counter()
        admission = await self.context.admit(request)
        principal = admission.principal
        try:
            request.scope[RATE_KEY] = admission.require()
            principal.require_scope(self.tool.name, self.tool.spec.tag)
            response = await self._respond(request, principal, started)
        except BaseException as error:
            outcome = self._outcome(request, status_of(error), started)
            if CHARGED_KEY not in request.scope:  # else the ledger already has the call
                self.context.accounts.record_refused(principal, outcome)
            report_call(principal, outcome)
            raise
        if response.status_code != ACCEPTED:  # the end of its job is reported
            report_call(principal, self._outcome(request, response.status_code, started))
        if will_be_compressed(response, request.scope):
            return response
        return self.context.unread.response(response, principal.account_id)

    async def _respond(self, request: Request, principal: Principal, started: float) -> Response:
        self.context.unread.require_room(principal.account_id)
        values, file_by_default = await read_values(self.tool, request)
        chosen = values.pop("output", None)
        output = responses.output_of(self.tool, chosen, file_by_default=file_by_default)
        is_loaded = not has_remote_files(self.tool, values)
        checked = self._validated(values if is_loaded else with_placeholders(self.tool, values), chosen)
        tool_request = checked if is_loaded else None
        call = _Call(request, principal, values, tool_request, output, chosen, started, prefers_async(request))
        if key := key_of(request):
            return await self._once(call, key, values)
        return await self._answer(call)

    def _validated(self, values: Mapping[str, Any], chosen: str | None) -> Any:
        tool_request = self.tool.validate(values)
        responses.require_format(self.tool, chosen, tool_request)
        return tool_request

    async def _answer(self, call: _Call, claim: Claim | None = None) -> Response:
        return await (self._accepted(call, claim) if call.is_async else self._charged(call, claim))

    async def _once(self, call: _Call, key: str, values: Mapping[str, Any]) -> Response:
        """Return the stored response of the call with this idempotency key; run the call if it is the first one."""
        run, accounts = self.context.run_blocking, self.context.accounts
        claim = await run(self._claim, call, key, values)
        if isinstance(claim, StoredResponse):
            response = replay(claim) if claim.body is not None else await self._rerun(call)
            accounts.record_refused(call.principal, self._outcome(call.request, response.status_code, call.started))
            return response
        try:
            return await self._answer(call, claim)
        except BaseException as error:
            await run(self._end_claim, claim, error, call.request.scope["request_id"])
            raise

    def _claim(self, call: _Call, key: str, values: Mapping[str, Any]) -> Claim | StoredResponse:
        digest = fingerprint(self.tool.path, values, f"{call.output} async" if call.is_async else call.output)
        return self.context.accounts.idempotent_calls.claim(call.principal.account_id, key, digest)

    async def _charged(self, call: _Call, claim: Claim | None = None) -> Response:
        """Run the tool for a credit, which is held during the call and charged only if the call succeeds."""
        accounting = self.context.accounting
        hold = await accounting.reserve(call.principal, self.tool.spec.deadline_seconds + HOLD_SECONDS)
        try:
            build = await self._run(call)
            if claim:
                return await self.context.run_blocking(self._charge_once, call, hold, build, claim)
            usage = await accounting.commit(hold, self._outcome(call.request, 200, call.started))
            self.context.report_usage(call.principal, usage)
            return build(usage)
        except BaseException:
            if hold.is_charged:
                call.request.scope[CHARGED_KEY] = True
            else:
                await accounting.release(hold)
            raise

    async def _accepted(self, call: _Call, claim: Claim | None) -> Response:
        """Hold a credit for a job that runs the tool, and return where its state is."""
        accounting = self.context.accounting
        seconds = MAX_BUSY_SECONDS + self.tool.spec.deadline_seconds + HOLD_SECONDS
        hold = await accounting.reserve(call.principal, seconds)
        try:
            request_id = call.request.scope.get("request_id", "")
            size, run = input_bytes(call.values), partial(self._run_later, call)
            queued = QueuedCall(self.tool.name, request_id, call.principal, hold, run, size)
            response = await self.context.jobs.submit(queued, claim, self.context.base_url(call.request))
        except BaseException:
            await accounting.release(hold)
            raise
        if claim:
            self.context.accounts.idempotent_calls.finish(claim)
        return response

    async def _rerun(self, call: _Call) -> Response:
        """Return the response of a call that was charged before; its body was too large to be stored."""
        build = await self._run(call)
        response = build(await self.context.run_blocking(self.context.accounts.usage, call.principal))
        response.headers.update(REPLAYED_HEADERS)
        return response

    async def _run(self, call: _Call) -> Callable[[Usage], Response]:
        """Run the tool, and return a function that builds the response from the usage after the charge."""
        result = await while_connected(call.request, self._call_tool(call))
        output = _output(call, result)
        if output == "url":
            link = await self.context.run_blocking(self._store, result)
            url = f"{self.context.base_url(call.request)}/files/{link.token}"
            return lambda usage: responses.link_response(result, link, url, usage)
        if output == "binary":
            return lambda usage: responses.file_response(result, self._filename(result), usage)
        call.request.scope[FILE_KEY] = result._has_file() and (self.tool.wire.sends_file or not self.tool.wire.is_data)
        return lambda usage: responses.envelope_response(result, usage)

    async def _run_later(self, call: _Call) -> Callable[[Usage], StoredBody]:
        """Run the tool, and return a function that creates the file that a job stores."""
        result = await self._call_tool(call)
        output = _output(call, result)
        filename = "" if output == "json" else self._filename(result)
        return lambda usage: responses.stored_body(result, output, filename, usage)

    async def _call_tool(self, call: _Call) -> Result:
        token = current_caller.set(_caller(call.principal))
        try:
            if call.tool_request is None:
                values = await self.context.remote_files.load(self.tool, call.values)
                call.tool_request = self._validated(values, call.chosen)  # kept: a job can run again on a busy server
            result: Result = await self.context.run_tool(self.tool, call.tool_request)
        finally:
            current_caller.reset(token)
        return result

    def _charge_once(self, call: _Call, hold: Hold, build: Callable[[Usage], Response], claim: Claim) -> Response:
        """Charge a call, and store its response in the same transaction."""
        accounts, outcome = self.context.accounts, self._outcome(call.request, 200, call.started)
        built: list[Response] = []

        def record(session: Session, usage: Usage) -> None:
            built[:] = [build(usage)]
            accounts.idempotent_calls.store(session, claim, storable(built[0]), hold.id)

        usage = accounts.credits.commit_with(record, hold, outcome)
        self.context.report_usage(call.principal, usage)
        accounts.idempotent_calls.finish(claim)
        return built[0] if built else build(usage)

    def _end_claim(self, claim: Claim, error: BaseException, request_id: str) -> None:
        """Store the response of a call that failed, or release its key."""
        calls = self.context.accounts.idempotent_calls
        is_stopped = status_of(error) == CLIENT_CLOSED_REQUEST
        failure = None if is_stopped else failure_to_store(error, request_id)
        if failure:
            calls.store_failure(claim, failure)
        else:
            calls.release(claim)

    def _outcome(self, request: Request, status: int, started: float) -> Outcome:
        milliseconds = round((time.perf_counter() - started) * 1000)
        return Outcome(self.tool.name, status, milliseconds, request.scope.get("request_id", ""))

    def _store(self, result: Result) -> Link:
        saved = result._saved()
        return self.context.links.store(saved.content, saved.mime_type, self._filename(result))

    def _filename(self, result: Result) -> str:
        saved = result._saved()
        return saved.filename or f"{self.tool.command}.{saved.extension}"


def _output(call: _Call, result: Result) -> Output:
    """Return how a result is sent."""
    output = call.output if result._has_file() or call.chosen is not None else "json"
    if output != "json" and not result._has_file():
        raise invalid([{"field": "output", "message": responses.NO_FILE}])
    return output


def _caller(principal: Principal) -> Caller | None:
    """Return whose shares of the slots a call uses; None for an unlimited account."""
    if principal.unlimited:
        return None
    return Caller(str(principal.account_id), principal.plan, SLOT_SECONDS[principal.plan])


def status_of(error: BaseException) -> int:
    """Return the status of the response to a call that raised an error."""
    if isinstance(error, UnreadBodyError):
        return error.error.status
    if isinstance(error, MediakitError):
        return error.status
    if isinstance(error, HTTPException):
        return error.status_code
    is_gone = isinstance(error, ClientDisconnected | ClientDisconnect | asyncio.CancelledError)
    return CLIENT_CLOSED_REQUEST if is_gone else MediakitError.status
