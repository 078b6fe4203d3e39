"""Credits compared with a simple model, for random sequences of calls, failures and clock changes."""

import tempfile
import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, rule

from mediakit.accounts import Accounts, Hold
from mediakit.accounts.plans import CREDITS
from mediakit.errors import CreditsUsedUp
from mediakit.settings import AccountSettings
from tests.support.accounts_kit import ManualClock, new_principal

HOLD_LIFETIME = timedelta(seconds=30)


@dataclass
class Call:
    hold: Hold
    month: str
    expires: datetime
    charged: bool = False
    released: bool = False


class CreditsMachine(RuleBasedStateMachine):
    """Compares an account with 3 credits per month with the calls that hold or used its credits."""

    calls = Bundle[Call]("calls")

    def __init__(self) -> None:
        super().__init__()
        self.patch = pytest.MonkeyPatch()
        self.patch.setitem(CREDITS, "free", 3)
        self.folder = tempfile.TemporaryDirectory()
        self.clock = ManualClock()
        self.accounts = Accounts.open(AccountSettings(home=Path(self.folder.name)), self.clock)
        self.principal = new_principal(self.accounts, f"{uuid.uuid4().hex}@example.com")
        self.reserved: list[Call] = []

    def teardown(self) -> None:
        self.accounts.close()
        self.folder.cleanup()
        self.patch.undo()

    def month(self) -> str:
        return self.accounts.usage(self.principal).reset

    def used_or_held(self, month: str) -> int:
        return sum(call.month == month and (call.charged or self.is_active(call)) for call in self.reserved)

    def is_active(self, call: Call) -> bool:
        return not call.released and not call.charged and self.clock.now < call.expires

    @rule(target=calls)
    def reserve(self) -> Call:
        month = self.month()
        free = self.used_or_held(month) < 3
        try:
            hold = self.accounts.reserve(self.principal, HOLD_LIFETIME.total_seconds())
        except CreditsUsedUp:
            assert not free
            return self.reserved[-1]
        assert free
        self.reserved.append(Call(hold, month, self.clock.now + HOLD_LIFETIME))
        return self.reserved[-1]

    @rule(call=calls)
    def commit(self, call: Call) -> None:
        allowed = call.charged or self.is_active(call) or self.used_or_held(call.month) < 3
        try:
            self.accounts.commit(call.hold)
        except CreditsUsedUp:
            assert not allowed
            return
        assert allowed
        call.charged = True

    @rule(call=calls)
    def release(self, call: Call) -> None:
        self.accounts.release(call.hold)
        call.released = True

    @rule(seconds=st.sampled_from([1, 29, 30, 31, 86400, 20 * 86400]))
    def wait(self, seconds: int) -> None:
        self.clock.forward(seconds=seconds)

    @invariant()
    def used_equals_charges_and_never_exceeds_limit(self) -> None:
        usage = self.accounts.usage(self.principal)
        assert usage.used == sum(call.charged and call.month == usage.reset for call in self.reserved) <= 3


CreditsMachine.TestCase.settings = hypothesis_settings(max_examples=40, stateful_step_count=30, deadline=None)
test_credits_match_model = CreditsMachine.TestCase
