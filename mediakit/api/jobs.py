"""Calls that are answered later: `Prefer: respond-async` (RFC 7240), `GET /jobs/{id}` and `DELETE /jobs/{id}`.

The server that accepts a call runs it. Every server answers requests for its state, which is in the database of
accounts; the result is a file of the link store.
"""

import asyncio
import logging
import sys
import time
import uuid
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit
from weakref import WeakValueDictionary

from sqlalchemy.orm import Session
from starlette.requests import Request
from starlette.responses import Response

from mediakit.accounts import Accounts, Claim, Hold, JobEnded, JobRow, Links, Outcome, Principal
from mediakit.accounts.jobs import RESULT_LIFETIME
from mediakit.api.hooks import report_call
from mediakit.api.idempotency import NOT_STORED, storable
from mediakit.api.middleware import CLIENT_CLOSED_REQUEST
from mediakit.api.responses import JsonResponse, StoredBody, account_usage, internal_error, iso_time
from mediakit.errors import CreditsUsedUp, MediakitError, ServerBusy, TooManyRequests
from mediakit.usage import Usage

PREFERENCE = "respond-async"

RUNNING_PER_ACCOUNT = 2
"""Jobs of an account that a server runs at the same time; its others wait for their turn."""

MAX_BUSY_SECONDS = 600.0
"""How long a job waits for a busy server, before it fails as a call does at once."""

MAX_ACCOUNT_BYTES = 64 * 1024 * 1024
MAX_BYTES = 256 * 1024 * 1024
"""Memory for the inputs of jobs that a server keeps, for an account and in all. One job may need more."""

FLOAT_BYTES = sys.getsizeof(0.0)

RENEW_SECONDS = 1.0
CLEAN_UP_SECONDS = 10.0
STOP_SECONDS = 10.0
"""How long running jobs may take to finish when the server stops."""

_log = logging.getLogger(__name__)

RunBlocking = Callable[..., Awaitable[Any]]


@dataclass(eq=False, slots=True)
class QueuedCall:
    """A call that runs after its response."""

    tool: str
    request_id: str
    principal: Principal
    hold: Hold
    run: Callable[[], Awaitable[Callable[[Usage], StoredBody]]]
    """Runs the tool, and returns a function that creates the file of the result after the charge."""
    size: int
    """Memory for its input, in bytes."""
    id: str = field(default_factory=lambda: uuid.uuid4().hex)
    created: float = field(default_factory=time.perf_counter)

    def outcome(self, status: int) -> Outcome:
        """Return the row of the ledger."""
        return Outcome(self.tool, status, round((time.perf_counter() - self.created) * 1000), self.request_id)


class JobRunner:
    """The jobs that this server runs."""

    def __init__(
        self,
        accounts: Accounts,
        links: Links,
        run_blocking: RunBlocking,
        report_usage: Callable[[Principal, Usage], None],
    ) -> None:
        self._report_usage = report_usage
        self._accounts = accounts
        self._jobs = accounts.jobs
        self._links = links
        self._blocking = run_blocking
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._turns: WeakValueDictionary[int, asyncio.Semaphore] = WeakValueDictionary()
        self._bytes: Counter[int] = Counter()
        self._seconds: dict[str, float] = {}
        """Moving average of the duration of calls, by tool."""
        self._upkeep: asyncio.Task[None] | None = None
        self._is_stopping = False

    async def submit(self, call: QueuedCall, claim: Claim | None, base_url: str) -> Response:
        """Accept a call, and return the response with the address of its job.

        Raises:
            ServerBusy: The inputs of waiting jobs need too much memory, or the server is stopping.
            TooManyRequests: The account has too many jobs.
        """
        account = call.principal.account_id
        own, everyone = self._bytes[account], self._bytes.total()
        is_full = (own and own + call.size > MAX_ACCOUNT_BYTES) or (everyone and everyone + call.size > MAX_BYTES)
        if is_full or self._is_stopping:
            raise ServerBusy("The server is busy with other jobs. Try again in 5 seconds.")
        self._bytes[account] += call.size
        try:
            job = await self._blocking(
                self._jobs.create,
                call.id,
                call.principal,
                call.tool,
                expected_seconds=self._seconds.get(call.tool, 1.0),
                claim=claim,
                response=lambda job: storable(accepted_response(job, base_url)),
            )
        except BaseException:
            self._forget_bytes(call)
            raise
        self._tasks[call.id] = asyncio.create_task(self._run(call))
        if self._upkeep is None:
            self._upkeep = asyncio.create_task(self._keep_up())
        return accepted_response(job, base_url)

    async def end(self, job_id: str, account_id: int) -> None:
        """Cancel a job on any server, or delete a finished one with its result.

        Raises:
            NotFound: The account has no such job.
        """
        job: JobRow = await self._blocking(self._jobs.end, job_id, account_id)
        if task := self._tasks.get(job_id):
            task.cancel()
        if result := job.outcome.get("result"):
            with suppress(ServerBusy):  # the file expires
                await self._blocking(self._links.delete, result["token"])

    async def close(self) -> None:
        """Let running jobs finish, for a few seconds at most. The others fail, and are not charged."""
        self._is_stopping = True
        if self._upkeep:
            if self._tasks:
                await asyncio.wait(self._tasks.values(), timeout=STOP_SECONDS)
            for task in self._tasks.values():
                task.cancel()
            await asyncio.gather(*self._tasks.values(), return_exceptions=True)
            self._upkeep.cancel()

    def _forget_bytes(self, call: QueuedCall) -> None:
        account = call.principal.account_id
        self._bytes[account] -= call.size
        if not self._bytes[account]:
            del self._bytes[account]

    async def _run(self, call: QueuedCall) -> None:
        """Run a job. Whatever happens, it ends with a result, an error or a cancellation, and its credit is decided."""
        status = MediakitError.status
        try:
            await self._finish(call)
            status = 200
        except JobEnded:
            status = CLIENT_CLOSED_REQUEST
        except asyncio.CancelledError:
            status = CLIENT_CLOSED_REQUEST
            await self._fail(call, ServerBusy("The server has stopped. Send the call again."))
        except MediakitError as error:
            status = error.status
            await self._fail(call, error)
        except Exception:  # noqa: BLE001  # a bug of a tool, as in the middleware
            _log.exception("job failed id=%s", call.request_id, extra={"request_id": call.request_id})
            await self._fail(call, internal_error(call.request_id))
        finally:
            del self._tasks[call.id]
            self._forget_bytes(call)
            report_call(call.principal, call.outcome(status))
            if not call.hold.is_charged:
                self._accounts.record_refused(call.principal, call.outcome(status))
                with suppress(MediakitError):  # the hold ends by itself
                    await self._blocking(self._accounts.credits.release_many, [call.hold])

    async def _finish(self, call: QueuedCall) -> None:
        turn = self._turns.setdefault(call.principal.account_id, asyncio.Semaphore(RUNNING_PER_ACCOUNT))
        async with turn:
            if self._is_stopping:
                raise ServerBusy("The server has stopped. Send the call again.")
            await self._blocking(self._jobs.start, call.id)
            started = time.monotonic()
            build = await self._result(call)
            seconds = time.monotonic() - started
            average = self._seconds.setdefault(call.tool, seconds)
            self._seconds[call.tool] = average + 0.2 * (seconds - average)
            await self._blocking(self._charge, call, build)

    async def _result(self, call: QueuedCall) -> Callable[[Usage], StoredBody]:
        """Run the tool. While the server is too busy for it, or its account has no time left, the job waits."""
        give_up = time.monotonic() + MAX_BUSY_SECONDS
        while True:
            try:
                return await call.run()
            except (ServerBusy, TooManyRequests) as error:
                is_refusal = type(error) in (ServerBusy, TooManyRequests)
                if not is_refusal or time.monotonic() + error.retry_after > give_up:
                    raise
                await asyncio.sleep(error.retry_after)

    def _charge(self, call: QueuedCall, build: Callable[[Usage], StoredBody]) -> None:
        """Charge a job in the transaction that finishes it.

        The result is stored before, because other calls cannot be charged in the meantime. It contains the usage after
        the charge: if another call of the account has been charged since, it is stored again.
        """
        usage = self._accounts.usage(call.principal)
        left = None if usage.remaining is None else usage.remaining - 1
        stored = self._store(build, replace(usage, used=usage.used + 1, remaining=left))

        def record(session: Session, usage: Usage) -> None:
            nonlocal stored
            self._jobs.require_unfinished(session, call.id)
            if stored["meta"] != account_usage(usage):
                self._links.delete(stored["result"]["token"])
                stored = self._store(build, usage)
            self._jobs.succeed(session, call.id, stored, stored["result"]["size_bytes"])

        try:
            usage = self._accounts.credits.commit_with(record, call.hold, call.outcome(200))
        except (CreditsUsedUp, JobEnded):  # after other errors, the charge can have succeeded
            with suppress(ServerBusy):  # the file expires
                self._links.delete(stored["result"]["token"])
            raise
        self._report_usage(call.principal, usage)

    def _store(self, build: Callable[[Usage], StoredBody], usage: Usage) -> dict[str, Any]:
        """Store a result as a file, and return what the job has about it."""
        body = build(usage)
        link = self._links.store(body.content, body.mime_type, body.filename, RESULT_LIFETIME)
        result = {"token": link.token, "mime_type": body.mime_type, "size_bytes": link.size_bytes}
        return {"result": result, "meta": account_usage(usage)}

    async def _fail(self, call: QueuedCall, error: MediakitError) -> None:
        with suppress(MediakitError):  # the database does not respond: another server reports the job as failed
            await self._blocking(self._jobs.fail, call.id, error, can_repeat=isinstance(error, NOT_STORED))

    async def _keep_up(self) -> None:
        clean_up_at = 0.0
        while True:
            try:
                ids = list(self._tasks)
                renewed = await self._blocking(self._jobs.renew, ids) if ids else set()
                for job_id in set(ids) - renewed:
                    if task := self._tasks.get(job_id):
                        task.cancel()  # canceled on another server, or reported as failed
                if time.monotonic() >= clean_up_at:
                    await self._blocking(self._jobs.clean_up)
                    clean_up_at = time.monotonic() + CLEAN_UP_SECONDS
            except MediakitError as error:  # the next beat tries again
                _log.warning("Jobs could not be renewed: %s", error)
            except Exception:  # noqa: BLE001  # logged, and the next beat tries again
                _log.exception("Jobs could not be renewed.")
            await asyncio.sleep(RENEW_SECONDS)


def prefers_async(request: Request) -> bool:
    """Return whether a request has the preference `respond-async` (RFC 7240)."""
    preferences = ",".join(request.headers.getlist("prefer")).lower().split(",")
    return any(each.partition(";")[0].partition("=")[0].strip() == PREFERENCE for each in preferences)


def accepted_response(job: JobRow, base_url: str) -> Response:
    """Return the response to a call that is answered later."""
    headers = {
        "Location": f"{urlsplit(base_url).path}/jobs/{job.id}",
        "Preference-Applied": PREFERENCE,
        "Retry-After": "1",
        "Vary": "Prefer",
    }
    return JsonResponse(job_body(job, job.created, base_url), 202, headers)


def job_response(job: JobRow, now: datetime, base_url: str) -> Response:
    """Return the response with the state of a job."""
    return JsonResponse(job_body(job, now, base_url), headers={"Cache-Control": "no-store"})


def job_body(job: JobRow, now: datetime, base_url: str) -> dict[str, Any]:
    """Return the state of a job as JSON."""
    stored = job.outcome.get("result")
    result = stored and {
        "url": f"{base_url}/files/{stored['token']}",
        "mime_type": stored["mime_type"],
        "size_bytes": stored["size_bytes"],
    }
    return {
        "id": job.id,
        "tool": job.tool,
        "state": job.state,
        "progress": job.progress(now),
        "created_at": iso_time(job.created),
        "started_at": job.started and iso_time(job.started),
        "finished_at": job.finished and iso_time(job.finished),
        "expires_at": iso_time(job.expires) if job.finished else None,
        "result": result,
        "error": job.outcome.get("error"),
        "meta": job.outcome.get("meta"),
    }


def input_bytes(value: Any) -> int:
    """Return about how much memory the values of a call need."""
    if not isinstance(value, Mapping | list | tuple):
        return sys.getsizeof(value)
    items = list(value.values()) if isinstance(value, Mapping) else value
    kinds = set(map(type, items))
    if kinds <= {int, float, bool}:  # a table can have millions, most of which are small integers that Python shares
        return sys.getsizeof(value) + (FLOAT_BYTES * len(items) if float in kinds else 0)
    return sys.getsizeof(value) + sum(map(input_bytes, items))
