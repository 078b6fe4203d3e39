from .accounts import Account as Account
from .accounts import Accounts as Accounts
from .credits import Hold as Hold
from .keys import ApiKey as ApiKey
from .keys import NewKey as NewKey
from .keys import Principal as Principal
from .links import Link as Link
from .links import Links as Links
from .links import StoredFile as StoredFile
from .rate_limits import RateLimits as RateLimits
from .rate_limits import RateStatus as RateStatus

__all__ = [
    "Account",
    "Accounts",
    "ApiKey",
    "Hold",
    "Link",
    "Links",
    "NewKey",
    "Principal",
    "RateLimits",
    "RateStatus",
    "StoredFile",
]
