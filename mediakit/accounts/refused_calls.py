"""Writes refused calls to the ledger: in groups, by a thread, so that no call waits for it."""

import logging
import queue
import threading
import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import insert, select

from mediakit.accounts.database import Database
from mediakit.accounts.ledger import Outcome
from mediakit.accounts.models import AccountRow, CallRow
from mediakit.errors import ServerBusy

if TYPE_CHECKING:
    from mediakit.accounts.keys import Principal

FLUSH_SECONDS = 0.5
"""Maximum time until a refused call is in the ledger."""
MAX_WAITING = 10_000
"""Refused calls that wait to be written; further ones are not recorded."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _RefusedCall:
    account_id: int
    key_id: str
    outcome: Outcome
    monotonic: float


class RefusedCalls:
    """A bounded queue of refused calls, and the thread that writes them. The thread starts with the first call."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._waiting: queue.Queue[_RefusedCall] = queue.Queue(MAX_WAITING)
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closed = threading.Event()

    def record(self, principal: "Principal", outcome: Outcome) -> None:
        """Add a call to the queue. If the queue is full, the call is not recorded."""
        try:
            self._waiting.put_nowait(_RefusedCall(principal.account_id, principal.key_id, outcome, time.monotonic()))
        except queue.Full:
            return
        if self._thread is None:
            self._start()

    def flush(self) -> None:
        """Write the calls in the queue. If the database does not respond, they are dropped."""
        calls = self._take_all()
        if not calls:
            return
        try:
            self._write(calls)
        except ServerBusy:
            _log.warning("%d refused calls are not in the ledger: the database does not respond.", len(calls))

    def close(self) -> None:
        """Write the remaining calls, and stop the thread."""
        self._closed.set()
        if self._thread:
            self._thread.join()
        self.flush()

    def _start(self) -> None:
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="mediakit-ledger", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while not self._closed.wait(FLUSH_SECONDS):
            self.flush()

    def _take_all(self) -> list[_RefusedCall]:
        calls = []
        while True:
            try:
                calls.append(self._waiting.get_nowait())
            except queue.Empty:
                return calls

    def _write(self, calls: Sequence[_RefusedCall]) -> None:
        with self._database.write() as session:
            now, monotonic = self._database.now(session), time.monotonic()
            ids = {call.account_id for call in calls}
            accounts = {row.id: row for row in session.scalars(select(AccountRow).where(AccountRow.id.in_(ids)))}
            rows: list[dict[str, Any]] = []
            for call in calls:
                if account := accounts.get(call.account_id):  # a deleted account has no ledger
                    created = now - timedelta(seconds=monotonic - call.monotonic)
                    month = account.subscription.allowance(created).period.start
                    rows.append(
                        call_values(uuid.uuid4().hex, call.account_id, call.key_id, call.outcome)
                        | {"created": created, "period_start": month, "charged": False}
                    )
            if rows:
                session.execute(insert(CallRow), rows)


def call_values(call_id: str, account_id: int, key_id: str, outcome: Outcome) -> dict[str, Any]:
    """Return the columns of a call that charged and refused calls have in common."""
    return {
        "id": call_id,
        "account_id": account_id,
        "key_id": key_id,
        "tool": outcome.tool,
        "status": outcome.status,
        "milliseconds": outcome.milliseconds,
        "request_id": outcome.request_id,
    }
