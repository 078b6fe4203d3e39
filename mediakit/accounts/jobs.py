"""Calls that are answered later: their state, and where their result is, shared by all servers.

A job is queued, running, succeeded, failed or canceled. Its server renews it every second until it is finished, so the
jobs of a server that stopped count as failed within seconds. The transaction of the charge finishes a job: a job that
was canceled, or that another server has reported as failed, is never charged.
"""

import json
from collections.abc import Callable, Collection, Mapping
from datetime import datetime, timedelta
from typing import Any, Literal

from sqlalchemy import ColumnElement, delete, func, insert, select, update
from sqlalchemy.orm import Session

from mediakit.accounts.database import Database, searchable
from mediakit.accounts.idempotency import Claim, IdempotentCalls, StoredResponse
from mediakit.accounts.keys import Principal
from mediakit.accounts.models import AccountRow, IdempotentCallRow, JobRow
from mediakit.errors import MediakitError, NotFound, ServerBusy, TooManyRequests

State = Literal["queued", "running", "succeeded", "failed", "canceled"]

RESULT_LIFETIME = timedelta(hours=24)
"""How long a job and its result are kept after its end."""

OWNER_LIFETIME = timedelta(seconds=10)
"""Time without a renewal after which the server of a job counts as stopped."""

MAX_UNFINISHED = 20
"""Jobs of an account that are queued or running."""

MAX_RESULT_BYTES = 256 * 1024 * 1024
"""Results of jobs that are kept for an account. With more, it can start no job."""

ROWS_PER_DELETE = 500

_NOT_FOUND = "This job does not exist, or it has expired."
_IS_UNFINISHED = JobRow.finished.is_(None)
_BULK = {"synchronize_session": False}


class JobEnded(Exception):  # noqa: N818  # handled by the server that runs the job
    """The job was canceled, or it was reported as failed."""


class Jobs:
    """The jobs of every account in a database."""

    def __init__(self, database: Database, idempotent_calls: IdempotentCalls) -> None:
        self._database = database
        self._idempotent_calls = idempotent_calls

    def create(
        self,
        job_id: str,
        principal: Principal,
        tool: str,
        *,
        expected_seconds: float,
        claim: Claim | None,
        response: Callable[[JobRow], StoredResponse],
    ) -> JobRow:
        """Add a queued job, and return it.

        Raises:
            TooManyRequests: The account has too many jobs that are not finished, or too large results.
        """
        with self._database.write() as session:
            # Locked, so that calls at the same time cannot exceed the limits.
            session.execute(select(AccountRow.id).where(AccountRow.id == principal.account_id).with_for_update())
            now = self._database.now(session)
            self._require_room(session, principal, now)
            values: dict[str, Any] = {"id": job_id, "account_id": principal.account_id, "tool": tool, "state": "queued"}
            values |= {"created": now, "expires": now + OWNER_LIFETIME, "size": 0}
            values["expected_milliseconds"] = round(expected_seconds * 1000)
            session.execute(insert(JobRow).values(**values))
            job = _find(session, job_id, principal.account_id, now)
            if claim:
                self._idempotent_calls.store(session, claim, response(job), job_id)
            return job

    def find(self, job_id: str, account_id: int) -> tuple[JobRow, datetime]:
        """Return a job of an account, and the current time. A job whose server has stopped becomes a failed one.

        Raises:
            NotFound: The account has no such job.
        """
        with self._database.read() as session:
            now = self._database.now(session)
            row = _find(session, job_id, account_id, now)
        if row.finished or row.expires > now:
            return row, now
        with self._database.write() as session:
            self._end_lost(session, now, JobRow.id == job_id)
            return _find(session, job_id, account_id, now), now

    def start(self, job_id: str) -> None:
        """Mark a job as running.

        Raises:
            JobEnded: The job was canceled, or it was reported as failed.
        """
        with self._database.write() as session:
            self._update_unfinished(session, job_id, state="running", started=self._database.now(session))

    def require_unfinished(self, session: Session, job_id: str) -> None:
        """Lock a job in a transaction of the caller, and check that it can still be charged.

        Raises:
            JobEnded: The job was canceled, or it was reported as failed.
        """
        self._update_unfinished(session, job_id, state="running")

    def succeed(self, session: Session, job_id: str, outcome: Mapping[str, Any], size: int) -> None:
        """Store where the result of a job is, in the transaction of its charge."""
        self._finish(session, job_id, "succeeded", outcome, size)

    def fail(self, job_id: str, error: MediakitError, *, can_repeat: bool) -> None:
        """Store the error of a job. A job that has ended is not changed.

        Args:
            job_id: The job.
            error: The error.
            can_repeat: Whether a call with the same idempotency key starts a new job.
        """
        with self._database.write() as session:
            try:
                self._finish(session, job_id, "failed", _error(error), 0)
            except JobEnded:
                return
            if can_repeat:
                _release_keys(session, [job_id])

    def end(self, job_id: str, account_id: int) -> JobRow:
        """Cancel a job, or delete it if it is finished. Returns the job as it was before.

        Only a cancellation frees the idempotency key: a call whose result was deleted is not charged again.

        Raises:
            NotFound: The account has no such job.
        """
        with self._database.write() as session:
            now = self._database.now(session)
            job = _find(session, job_id, account_id, now)
            try:
                self._finish(session, job_id, "canceled", {}, 0)
            except JobEnded:
                job = _find(session, job_id, account_id, now)  # it can have ended since
                session.execute(delete(JobRow).where(JobRow.id == job_id).execution_options(**_BULK))
            else:
                _release_keys(session, [job_id])
            return job

    def renew(self, job_ids: Collection[str]) -> set[str]:
        """Report that the server of jobs is running, and return those that have not been ended by others."""
        with self._database.write() as session:
            until = self._database.now(session) + OWNER_LIFETIME
            of_server = update(JobRow).where(JobRow.id.in_(job_ids), _IS_UNFINISHED).values(expires=until)
            return set(session.scalars(of_server.returning(JobRow.id).execution_options(**_BULK)))

    def clean_up(self) -> None:
        """End the jobs whose server has stopped, and delete those that have expired."""
        with self._database.write() as session:
            now = self._database.now(session)
            self._end_lost(session, now)
            expired = select(JobRow.id).where(~_IS_UNFINISHED, JobRow.expires <= now).limit(ROWS_PER_DELETE)
            session.execute(delete(JobRow).where(JobRow.id.in_(expired)).execution_options(**_BULK))

    def _require_room(self, session: Session, principal: Principal, now: datetime) -> None:
        of_account = (JobRow.account_id == principal.account_id, JobRow.expires > now)
        unfinished, size = session.execute(
            select(func.count().filter(_IS_UNFINISHED), func.coalesce(func.sum(JobRow.size), 0)).where(*of_account)
        ).one()
        if unfinished >= MAX_UNFINISHED:
            message = f"{MAX_UNFINISHED} jobs of this account are not finished, which is the limit."
            raise TooManyRequests(
                f"{message} Try again in 5 seconds.", plan=principal.plan, limit=MAX_UNFINISHED, retry_after=5
            )
        if size >= MAX_RESULT_BYTES:
            limit = MAX_RESULT_BYTES // 1024**2
            message = f"The results of the jobs of this account have {limit} MB, which is the limit."
            advice = "Delete jobs whose results you have read: DELETE /jobs/{id}."
            raise TooManyRequests(f"{message} {advice}", plan=principal.plan, limit=limit, retry_after=60)

    def _end_lost(self, session: Session, now: datetime, *conditions: ColumnElement[bool]) -> None:
        error = ServerBusy("The server that ran this job has stopped. Send the call again.")
        lost = update(JobRow).where(_IS_UNFINISHED, JobRow.expires <= now, *conditions)
        values = {"state": "failed", "finished": now, "expires": now + RESULT_LIFETIME}
        ended = lost.values(**values, outcome_json=json.dumps(_error(error))).returning(JobRow.id)
        _release_keys(session, session.scalars(ended.execution_options(**_BULK)).all())

    def _finish(self, session: Session, job_id: str, state: State, outcome: Mapping[str, Any], size: int) -> None:
        now = self._database.now(session)
        values = {"finished": now, "expires": now + RESULT_LIFETIME, "outcome_json": json.dumps(outcome), "size": size}
        self._update_unfinished(session, job_id, state=state, **values)

    def _update_unfinished(self, session: Session, job_id: str, **values: Any) -> None:
        changed = update(JobRow).where(JobRow.id == job_id, _IS_UNFINISHED).values(**values).returning(JobRow.id)
        if session.scalar(changed.execution_options(**_BULK)) is None:
            raise JobEnded


def _find(session: Session, job_id: str, account_id: int, now: datetime) -> JobRow:
    own = select(JobRow).where(JobRow.id == searchable(job_id), JobRow.account_id == account_id)
    row = session.scalar(own.execution_options(populate_existing=True))
    if row is None or (row.finished and row.expires <= now):
        raise NotFound(_NOT_FOUND)
    return row


def _error(error: MediakitError) -> dict[str, Any]:
    return {"error": {"status": error.status, **error.body()}}


def _release_keys(session: Session, job_ids: Collection[str]) -> None:
    """Delete the stored responses of jobs, so that calls with their idempotency keys run again."""
    if job_ids:
        of_jobs = delete(IdempotentCallRow).where(IdempotentCallRow.call_id.in_(job_ids))
        session.execute(of_jobs.execution_options(**_BULK))
