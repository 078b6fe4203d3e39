from .account import Account as Account
from .accounting import Accounting as Accounting
from .accounting import Admission as Admission
from .accounts import Accounts as Accounts
from .credits import Hold as Hold
from .idempotency import Claim as Claim
from .idempotency import StoredResponse as StoredResponse
from .jobs import JobEnded as JobEnded
from .jobs import Jobs as Jobs
from .keys import NewKey as NewKey
from .keys import Principal as Principal
from .ledger import AccountTotal as AccountTotal
from .ledger import DayUsage as DayUsage
from .ledger import Ledger as Ledger
from .ledger import Outcome as Outcome
from .links import Link as Link
from .links import LinkFile as LinkFile
from .links import Links as Links
from .models import JobRow as JobRow
from .rate_limits import RateLimits as RateLimits
from .rate_limits import RateStatus as RateStatus

__all__ = [
    "Account",
    "AccountTotal",
    "Accounting",
    "Accounts",
    "Admission",
    "Claim",
    "DayUsage",
    "Hold",
    "JobEnded",
    "JobRow",
    "Jobs",
    "Ledger",
    "Link",
    "LinkFile",
    "Links",
    "NewKey",
    "Outcome",
    "Principal",
    "RateLimits",
    "RateStatus",
    "StoredResponse",
]
