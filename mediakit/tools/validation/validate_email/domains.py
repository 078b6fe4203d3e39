"""Domains of email addresses: providers, disposable ones, and how people misspell them."""

import json
from functools import cache
from pathlib import Path
from typing import Any


def is_one_edit(one: str, other: str) -> bool:
    """Return whether one insertion, deletion, replacement or swap of neighbours turns a text into another."""
    if one == other or abs(len(one) - len(other)) > 1:
        return False
    short, long = sorted((one, other), key=len)
    start = next((place for place, char in enumerate(short) if char != long[place]), len(short))
    if len(short) < len(long):
        return short[start:] == long[start + 1 :]
    if short[start + 1 :] == long[start + 1 :]:
        return True
    is_swap = short[start : start + 2] == long[start : start + 2][::-1]
    return is_swap and short[start + 2 :] == long[start + 2 :]


_DISPOSABLE = Path(__file__).parent / "disposable_domains.txt"

_LISTS: dict[str, Any] = json.loads((Path(__file__).parent / "mailboxes.json").read_text("utf-8"))
_COUNTRIES: list[str] = _LISTS["countries"]
"""Country domains under which large providers have mailboxes, also as co.uk and com.br."""


def _with_countries(name: str) -> set[str]:
    plain = {f"{name}.{country}" for country in _COUNTRIES if country != "co"}
    return plain | {f"{name}.{part}.{country}" for part in ("co", "com") for country in _COUNTRIES}


PROVIDERS: dict[str, str] = {
    **{domain: provider for provider, domains in _LISTS["providers"].items() for domain in domains},
    **{
        domain: provider
        for provider, names in _LISTS["provider_names"].items()
        for name in names
        for domain in _with_countries(name)
    },
}
"""Providers by domain."""

COMMON: tuple[str, ...] = tuple(_LISTS["common"])
"""The 40 commonest domains of mailboxes, roughly in their order: the first that fits is suggested."""

FREE = frozenset[str](_LISTS["free"])
"""Domains, beside those of the providers, at which anybody can open a mailbox for free."""

REAL = frozenset[str](_LISTS["real"])
"""Real domains of mailboxes that are close to a common one."""

ROLES = frozenset[str](_LISTS["roles"])
"""Local parts of mailboxes of functions (RFC 2142 and usual ones), in lower case."""


@cache
def _disposable() -> tuple[str, frozenset[str]]:
    """Return the date of the list of temporary mailboxes, and its domains."""
    first, *lines = _DISPOSABLE.read_text("utf-8").splitlines()
    return first.strip("# "), frozenset(line for line in lines if not line.startswith("#"))


@cache
def lists_date() -> str:
    """Return the date of the list of temporary mailboxes, as YYYY-MM-DD."""
    with _DISPOSABLE.open(encoding="utf-8") as file:
        return file.readline().strip("# \n")


def is_disposable(domain: str) -> bool:
    """Return whether a domain, in ASCII, or one that it is part of has temporary mailboxes."""
    if domain in PROVIDERS or domain in FREE:  # the list has some whose mailboxes last
        return False
    listed = _disposable()[1]
    labels = domain.split(".")
    return any(".".join(labels[start:]) in listed for start in range(max(1, len(labels) - 1)))


def is_role(local: str) -> bool:
    """Return whether a local part names a function."""
    return local.partition("+")[0].lower() in ROLES


def base_of(local: str, domain: str) -> str | None:
    """Return the mailbox that an address belongs to; None if the provider is unknown."""
    provider = PROVIDERS.get(domain)
    if provider is None:
        return None
    name = local.partition("+")[0].lower()
    if provider == "gmail":
        return f"{name.replace('.', '')}@gmail.com"
    return f"{name}@{domain}"


def tag_of(local: str) -> str | None:
    """Return the tag of a local part with its plus sign; None if it has none."""
    name, plus, tag = local.partition("+")
    return f"+{tag}" if name and plus and tag else None


MIN_NAME_LENGTH = 5
"""Shorter names have too many neighbours; of them only the misspelt top-level domain is noticed."""

MISSPELT_ENDINGS = frozenset(
    ("con", "cmo", "ocm", "comm", "cim", "vom", "xom", "coom", "cpm", "clm", "nett", "nte", "ner")
)
"""Misspelt top-level domains that do not exist."""

ONLY_TYPOS = frozenset(("co", "cm", "om"))
"""Top-level domains of countries where the large providers have no mailboxes: a misspelt com."""


@cache
def meant(domain: str) -> str | None:
    """Return the common domain that a domain in lower case ASCII means; None if there is none, or it is itself real."""
    if any(domain in known for known in (COMMON, PROVIDERS, FREE, REAL)):
        return None
    return next((common for common in COMMON if _is_misspelt(domain, common)), None)


def with_dot(domain: str) -> str | None:
    """Return the common domain that is meant by a domain without its dots, such as gmailcom."""
    return next((common for common in COMMON if common.replace(".", "") == domain), None)


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
