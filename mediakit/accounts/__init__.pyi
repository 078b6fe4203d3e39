from .accounts import Account as Account
from .accounts import Accounts as Accounts
from .credits import Hold as Hold
from .keys import ApiKey as ApiKey
from .keys import Caller as Caller
from .keys import NewKey as NewKey
from .links import Link as Link
from .links import Links as Links
from .links import StoredFile as StoredFile
from .rates import Rate as Rate
from .rates import RateLimits as RateLimits

__all__ = [
    "Account",
    "Accounts",
    "ApiKey",
    "Caller",
    "Hold",
    "Link",
    "Links",
    "NewKey",
    "Rate",
    "RateLimits",
    "StoredFile",
]
