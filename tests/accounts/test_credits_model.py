"""Credits compared with a model: random calls on two servers that crash and pause, clock changes and plan changes."""

import tempfile
import uuid
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import Phase
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, MultipleResults, RuleBasedStateMachine, initialize, invariant, multiple, rule
from sqlalchemy import func, select

from mediakit.accounts import Accounts, Hold, Outcome, Principal
from mediakit.accounts.clock import Heartbeat
from mediakit.accounts.models import CallRow, HoldRow, PeriodRow
from mediakit.accounts.subscriptions import CREDITS, period_at
from mediakit.errors import CreditsUsedUp
from mediakit.settings import AccountSettings, Plan
from tests.support.accounts_kit import ManualClock, commit, release, reserve

HOLD_SECONDS = 30
STALE_SECONDS = 6
DAY = 86400
CREDITS_OF_TEST: dict[Plan, int] = {"free": 3, "pro": 20, "scale": 150}
MAX_CREDITS_TO_USE_UP = 30

STARTS = [
    (date(2024, 2, 29), datetime(2028, 2, 28, 23, 59, 40, tzinfo=UTC)),
    (date(2024, 2, 29), datetime(2027, 2, 27, 23, 59, 40, tzinfo=UTC)),
    (date(2025, 1, 31), datetime(2026, 4, 29, 23, 59, 50, tzinfo=UTC)),
    (date(2026, 11, 1), datetime(2026, 12, 31, 23, 59, 50, tzinfo=UTC)),
]
SERVERS = st.sampled_from([0, 1])


@dataclass(eq=False)
class Call:
    hold: Hold
    server: "Server"
    month: datetime
    expires: datetime
    has_ended: bool = False
    is_charged: bool = False
    is_certain: bool = True
    """Whether the server was never paused during the call, so that no other server can have taken its credit."""

    @property
    def is_active(self) -> bool:
        return not self.has_ended and not self.is_charged


@dataclass(eq=False)
class Server:
    accounts: Accounts
    is_running: bool = True


class CreditsMachine(RuleBasedStateMachine):
    """Compares an account on two servers with the calls that hold or used its credits."""

    folder: Path
    """The folder of the database. Each example has its own account in it."""
    calls = Bundle[Call]("calls")

    @initialize(start=st.sampled_from(STARTS), plan=st.sampled_from(["free", "free", "pro", "scale"]))
    def create_account(self, start: tuple[date, datetime], plan: Plan) -> None:
        self.since, now = start
        self.clock = ManualClock(now)
        self.latest = now
        self.servers = [self.open(), self.open()]
        self.made: list[Call] = []
        self.refused = 0
        self.limits: dict[datetime, int] = {}
        accounts, self.email = self.servers[0].accounts, f"{uuid.uuid4().hex}@example.com"
        self.account_id = accounts.create_account(self.email, plan, verified=True, since=self.since).account_id
        self.key = accounts.create_key(self.email).key

    def open(self) -> Server:
        return Server(Accounts.open(AccountSettings(home=self.folder), self.clock))

    def teardown(self) -> None:
        for server in getattr(self, "servers", []):
            server.accounts.close()

    @property
    def month(self) -> datetime:
        return period_at(self.since, self.clock.now).start

    def principal(self, server: Server) -> Principal:
        return server.accounts.authenticate(self.key)

    def limit(self) -> int:
        limit = self.servers[0].accounts.credits.usage(self.account_id).limit
        assert limit
        self.limits[self.month] = max(limit, self.limits.get(self.month, 0))
        return limit

    def used(self, month: datetime) -> int:
        return sum(call.is_charged and call.month == month for call in self.made)

    def stored(self) -> tuple[dict[datetime, int], dict[datetime, int], dict[datetime, int]]:
        """Return the used credits, charged calls of the ledger, and holds of each month."""
        charged = select(CallRow.period_start, func.count()).where(CallRow.charged).group_by(CallRow.period_start)
        held = select(HoldRow.period_start, func.count()).group_by(HoldRow.period_start)
        with self.servers[0].accounts._database.read() as session:
            used = session.execute(
                select(PeriodRow.start, PeriodRow.used).where(
                    PeriodRow.account_id == self.account_id, PeriodRow.used > 0
                )
            )
            rows = session.execute(charged.where(CallRow.account_id == self.account_id))
            holds = session.execute(held.where(HoldRow.account_id == self.account_id))
            return (
                {row[0]: row[1] for row in used},
                {row[0]: row[1] for row in rows},
                {row[0]: row[1] for row in holds},
            )

    def is_full(self, month: datetime, limit: int) -> bool:
        """Return whether the credits that are used or held reach a limit."""
        used, _, held = self.stored()
        return used.get(month, 0) + held.get(month, 0) >= limit

    @rule(target=calls, number=SERVERS)
    def reserve(self, number: int) -> MultipleResults[Call]:
        call = self.hold(number)
        return multiple(call) if call else multiple()

    def hold(self, number: int) -> Call | None:
        server = self.servers[number]
        self.limit()
        if not server.is_running:
            return None
        try:
            hold = reserve(server.accounts, self.principal(server), HOLD_SECONDS)
        except CreditsUsedUp:
            assert self.is_full(self.month, self.limit())
            return None
        call = Call(hold, server, self.month, self.clock.now + timedelta(seconds=HOLD_SECONDS))
        self.made.append(call)
        return call

    @rule(call=calls)
    def commit(self, call: Call) -> None:
        if not call.server.is_running:
            return
        try:
            commit(call.server.accounts, call.hold, Outcome("qr"))
        except CreditsUsedUp:
            assert not call.is_charged
            assert not (call.is_active and call.is_certain)
            assert self.is_full(call.month, call.hold.allowance.limit)
        else:
            call.is_charged = True

    @rule(call=calls)
    def release(self, call: Call) -> None:
        if call.server.is_running:
            release(call.server.accounts, call.hold)
            call.has_ended = True

    @rule(number=SERVERS)
    def refuse(self, number: int) -> None:
        accounts = self.servers[number].accounts
        accounts.record_refused(self.principal(self.servers[number]), Outcome("qr", 400))
        accounts._refused.flush()
        self.refused += 1

    @rule(plan=st.sampled_from(["free", "pro", "scale"]))
    def change_plan(self, plan: Plan) -> None:
        self.limit()
        self.servers[0].accounts.set_plan(self.email, plan)

    @rule(seconds=st.sampled_from([1, 5, 20, 30, DAY, 28 * DAY, 366 * DAY, -1, -3600, -DAY, -40 * DAY]))
    def move_clock(self, seconds: int) -> None:
        self.clock.forward(seconds=seconds)
        self.latest = max(self.latest, self.clock.now)
        self.beat()

    def beat(self) -> None:
        for server in self.servers:
            if server.is_running:
                server.accounts.credits.beat()
        for call in self.made:
            call.has_ended |= call.server.is_running and call.expires <= self.clock.now

    @rule(number=SERVERS)
    def pause_or_continue(self, number: int) -> None:
        server = self.servers[number]
        server.is_running = not server.is_running
        for call in self.made:
            call.is_certain &= call.server is not server
        self.beat()

    @rule(number=SERVERS)
    def crash(self, number: int) -> None:
        server = self.servers[number]
        server.is_running = False
        server.accounts._database.close()
        self.servers[number] = self.open()

    @rule(number=SERVERS)
    def use_up(self, number: int) -> None:
        """Use every credit that no running call holds, after the holds of other servers have expired."""
        server = self.servers[number]
        if not server.is_running:
            return
        self.move_clock(int((self.latest - self.clock.now).total_seconds()) + STALE_SECONDS)
        for _ in range(4):
            self.beat()
        month, free = self.month, self.limit() - self.used(self.month)
        if free > MAX_CREDITS_TO_USE_UP:
            return
        held = [call for call in self.made if call.is_active and call.server.is_running and call.month == month]
        before = len(self.made)
        while call := self.hold(number):
            self.commit(call)
        charged = len(self.made) - before
        certain = sum(call.is_certain for call in held)
        assert max(0, free - len(held)) <= charged <= max(0, free - certain)

    @rule(number=SERVERS)
    def pause_while_other_server_uses_up(self, number: int) -> None:
        """Pause a server with a running call, use up the credits on the other one, then finish the calls of both."""
        if not all(server.is_running for server in self.servers):
            return
        self.hold(number)
        self.pause_or_continue(number)
        self.use_up(1 - number)
        self.pause_or_continue(number)
        for call in self.made:
            self.commit(call)

    @invariant()
    def ledger_status_and_model_agree(self) -> None:
        self.limit()
        used, charged, held = self.stored()
        expected = {month: self.used(month) for month in {call.month for call in self.made if call.is_charged}}
        assert used == charged == expected
        assert self.servers[1].accounts.credits.usage(self.account_id).used == self.used(self.month)
        for month in {*used, *held}:
            assert used.get(month, 0) + held.get(month, 0) <= self.limits[month]

    @invariant()
    def refused_calls_are_in_the_ledger(self) -> None:
        with self.servers[0].accounts._database.read() as session:
            refused = select(func.count()).where(CallRow.account_id == self.account_id, CallRow.charged.is_(False))
            assert session.scalar(refused) == self.refused


class TestCredits(CreditsMachine.TestCase):  # type: ignore[misc,valid-type]  # created by Hypothesis
    # Shrinking a failure would take minutes.
    settings = hypothesis_settings(max_examples=30, stateful_step_count=30, deadline=None, phases=[Phase.generate])

    @pytest.fixture(autouse=True)
    def database(self, monkeypatch: pytest.MonkeyPatch) -> object:
        """One database for all examples. Refused calls are written by the test, not by a thread."""
        for plan, credits_ in CREDITS_OF_TEST.items():
            monkeypatch.setitem(CREDITS, plan, credits_)
        monkeypatch.setattr(Heartbeat, "start", lambda _heartbeat: None)
        with tempfile.TemporaryDirectory() as folder:
            CreditsMachine.folder = Path(folder)
            yield
