"""The domain that was meant, for domains with a typing error."""

from functools import cache

from mediakit.tools.validation.validate_email.distance import is_one_edit
from mediakit.tools.validation.validate_email.providers import FREE, PROVIDERS

COMMON = (
    "gmail.com", "yahoo.com", "hotmail.com", "outlook.com", "icloud.com", "aol.com", "live.com", "msn.com",
    "googlemail.com", "protonmail.com", "proton.me", "comcast.net", "verizon.net", "sbcglobal.net", "bellsouth.net",
    "hotmail.co.uk", "yahoo.co.uk", "btinternet.com", "hotmail.fr", "yahoo.fr", "orange.fr", "wanadoo.fr", "gmx.de",
    "web.de", "gmx.net", "t-online.de", "freenet.de", "hotmail.es", "yahoo.es", "hotmail.it", "libero.it",
    "yahoo.com.br", "hotmail.com.br", "yahoo.co.in", "rediffmail.com", "yahoo.co.jp", "yandex.ru", "mail.ru",
    "ymail.com", "fastmail.com",
)  # fmt: skip
"""The 40 commonest domains of mailboxes, roughly in their order: the first that fits is suggested."""

MIN_NAME_LENGTH = 5
"""Shorter names have too many neighbours; of them only the misspelt top-level domain is noticed."""

MISSPELT_ENDINGS = frozenset(
    ("con", "cmo", "ocm", "comm", "cim", "vom", "xom", "coom", "cpm", "clm", "nett", "nte", "ner")
)
"""Misspelt top-level domains that do not exist."""

ONLY_TYPOS = frozenset(("co", "cm", "om"))
"""Top-level domains of countries where the large providers have no mailboxes: a misspelt com."""

REAL = frozenset(
    (
        "mail.com", "email.com", "ymail.com", "hmail.com", "gmx.co", "gmx.com", "mailo.com", "cloud.com",
        "fmail.com", "tmail.com", "vmail.com", "zmail.com", "xmail.com", "amail.com", "bmail.com", "cmail.com",
        "dmail.com", "emails.com", "imail.com", "jmail.com", "kmail.com", "lmail.com", "mmail.com", "nmail.com",
        "omail.com", "pmail.com", "qmail.com", "rmail.com", "smail.com", "umail.com", "wmail.com",
        "gmail.co.uk", "gmail.de", "gmail.ru", "hotmail.ch", "hotmail.gr", "hotmail.be", "hotmail.de",
        "hotmail.se", "wanadoo.es", "orange.es", "orange.ch", "orange.pl", "tonline.de", "free.fr",
        "freenet.it", "freemail.de", "aol.de", "aon.at", "yandex.com", "yandex.by", "yandex.ua", "fastmail.fm",
        "mailru.com", "protonmail.ch", "comcast.com", "verizon.com", "web.com", "webde.de", "me.com", "mac.com",
        "mail.de", "mail.bg", "mail.ee", "mail.kz", "mail.ua", "mails.ru", "gmail.fr", "outlook.es",
        "outlook.fr", "outlook.it", "outlook.de", "hotmail.ca", "yahoo.ca", "yahoo.cn", "yahoo.de", "yahoo.it",
        "libero.com", "rediff.com", "live.ca", "live.cn", "live.co.uk", "alive.com", "olive.com", "liveu.com",
        "love.com", "five.com",
    )
)  # fmt: skip
"""Real domains of mailboxes that are close to a common one."""


@cache
def meant(domain: str) -> str | None:
    """Return the common domain that was meant; None if there is none, or the domain is itself real.

    Args:
        domain: A domain in ASCII and lower case.
    """
    if domain in COMMON or is_real(domain):
        return None
    return next((common for common in COMMON if _is_misspelt(domain, common)), None)


def with_dot(domain: str) -> str | None:
    """Return the common domain that is meant by a domain without its dots, such as gmailcom."""
    return next((common for common in COMMON if common.replace(".", "") == domain), None)


def is_real(domain: str) -> bool:
    """Return whether a domain is known to have mailboxes."""
    return domain in PROVIDERS or domain in FREE or domain in REAL


def _is_misspelt(domain: str, common: str) -> bool:
    name, _, ending = domain.partition(".")
    common_name, _, common_ending = common.partition(".")
    if name == common_name:
        # Another country of a provider is real; only endings that cannot be meant are errors.
        is_com = common_ending == "com" and ending in ONLY_TYPOS and len(name) >= MIN_NAME_LENGTH
        return (
            is_com
            or (ending in MISSPELT_ENDINGS and is_one_edit(ending, common_ending))
            or ("." in common_ending and is_one_edit(ending, common_ending))
        )
    if len(common_name) < MIN_NAME_LENGTH:
        return False
    return is_one_edit(domain, common)
