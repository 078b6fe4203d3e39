"""Jobs in the account database, on SQLite and PostgreSQL: one end, which agrees with the charge."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import timedelta

import pytest
from sqlalchemy.orm import Session

from mediakit.accounts import Accounts, Hold, JobEnded, JobRow, Principal, StoredResponse, jobs
from mediakit.errors import NotFound, ServerBusy, TooManyRequests
from mediakit.settings import AccountSettings
from mediakit.usage import Usage
from tests.support.accounts_kit import ManualClock, commit, new_principal, release, reserve

pytest_plugins = ["tests.support.accounts_fixtures"]

ID, OTHER_ID = "a" * 32, "b" * 32
RESULT = {"result": {"token": "t", "mime_type": "image/png", "size_bytes": 9}}


def no_claim(job: JobRow) -> StoredResponse:
    raise AssertionError(f"{job} has no idempotency key")


def create(accounts: Accounts, principal: Principal, job_id: str = ID) -> JobRow:
    return accounts.jobs.create(job_id, principal, "qr", expected_seconds=2, claim=None, response=no_claim)


def charge(accounts: Accounts, hold: Hold, job_id: str = ID) -> Usage:
    def record(session: Session, _usage: Usage) -> None:
        accounts.jobs.require_unfinished(session, job_id)
        accounts.jobs.succeed(session, job_id, RESULT, 9)

    return commit(accounts, hold, record=record)


def find(accounts: Accounts, principal: Principal, job_id: str = ID) -> JobRow:
    return accounts.jobs.find(job_id, principal.account_id)[0]


def test_job_runs_and_succeeds_with_its_charge(accounts: Accounts, clock: ManualClock) -> None:
    principal = new_principal(accounts)
    hold = reserve(accounts, principal, 60)
    assert create(accounts, principal).state == "queued"
    accounts.jobs.start(ID)
    clock.forward(seconds=2)
    assert find(accounts, principal).progress(clock()) == 0.5
    charge(accounts, hold)
    job = find(accounts, principal)
    assert (job.state, job.outcome, job.progress(clock())) == ("succeeded", RESULT, 1.0)
    assert job.expires == clock() + timedelta(hours=24)
    assert accounts.usage(principal).used == 1


def test_canceled_job_is_not_charged(accounts: Accounts) -> None:
    principal = new_principal(accounts)
    hold = reserve(accounts, principal, 60)
    create(accounts, principal)
    accounts.jobs.end(ID, principal.account_id)
    with pytest.raises(JobEnded):
        charge(accounts, hold)
    with pytest.raises(JobEnded):
        accounts.jobs.start(ID)
    assert accounts.jobs.renew([ID]) == set()
    assert (find(accounts, principal).state, accounts.usage(principal).used) == ("canceled", 0)


def test_text_with_nul_matches_nothing(accounts: Accounts) -> None:
    principal = new_principal(accounts)
    with pytest.raises(NotFound):
        accounts.jobs.find("\0", principal.account_id)
    with pytest.raises(NotFound):
        accounts.jobs.end(f"{ID}\0", principal.account_id)
    assert accounts.ledger.recent(principal.account_id, tool="q\0r") == []
    assert accounts.search.find("ada\0").total == 0


def test_late_error_does_not_change_a_job_that_succeeded(accounts: Accounts) -> None:
    principal = new_principal(accounts)
    create(accounts, principal)
    charge(accounts, reserve(accounts, principal, 60))
    accounts.jobs.fail(ID, ServerBusy("late"), can_repeat=True)
    assert find(accounts, principal).state == "succeeded"


def test_job_of_a_stopped_server_fails_unless_it_is_renewed(accounts: Accounts, clock: ManualClock) -> None:
    principal = new_principal(accounts)
    hold = reserve(accounts, principal, 60)
    create(accounts, principal)
    create(accounts, principal, OTHER_ID)
    clock.forward(seconds=8)
    assert accounts.jobs.renew([OTHER_ID]) == {OTHER_ID}
    clock.forward(seconds=3)
    lost = find(accounts, principal)
    assert (lost.state, lost.outcome["error"]["status"]) == ("failed", 503)
    assert find(accounts, principal, OTHER_ID).state == "queued"
    with pytest.raises(JobEnded):
        charge(accounts, hold)
    assert accounts.usage(principal).used == 0


def test_jobs_of_stopped_servers_do_not_count(accounts: Accounts, clock: ManualClock) -> None:
    principal = new_principal(accounts)
    for number in range(jobs.MAX_UNFINISHED):
        create(accounts, principal, f"{number:032}")
    with pytest.raises(TooManyRequests, match="20 jobs of this account are not finished"):
        create(accounts, principal)
    clock.forward(seconds=11)
    create(accounts, principal)


def test_expired_job_is_not_found_and_deleted(accounts: Accounts, clock: ManualClock) -> None:
    principal = new_principal(accounts)
    create(accounts, principal)
    charge(accounts, reserve(accounts, principal, 60))
    clock.forward(hours=24)
    with pytest.raises(NotFound):
        find(accounts, principal)
    accounts.jobs.clean_up()
    clock.forward(hours=-1)
    with pytest.raises(NotFound):
        find(accounts, principal)


def test_cancellation_and_charge_at_the_same_time_agree(settings: AccountSettings) -> None:
    with closing(Accounts.open(settings)) as first, closing(Accounts.open(settings)) as second:
        principal = new_principal(first)
        charged = 0
        with ThreadPoolExecutor(2) as threads:
            for number in range(20):
                job_id, hold = f"{number:032}", reserve(first, principal, 60)
                create(first, principal, job_id)
                usage = threads.submit(charge, first, hold, job_id)
                before = threads.submit(second.jobs.end, job_id, principal.account_id).result()
                if isinstance(usage.exception(), JobEnded):
                    assert before.state == "queued"
                    release(first, hold)
                else:
                    assert before.state == "succeeded"
                    charged += 1
        assert first.usage(principal).used == charged
