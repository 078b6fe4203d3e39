"""The code of what is wrong with an address that cannot be parsed."""

import re

MAX_LOCAL_LENGTH = 64
MAX_DOMAIN_LENGTH = 253

_DOTS = ".。．｡"
_AT = re.compile(r'@(?=[^"]*(?:"[^"]*"[^"]*)*\Z)')
"""An @ outside of quotation marks."""


def code_of(address: str, message: str) -> tuple[str, str]:
    """Return the code and the reason for an address.

    Args:
        address: The address, which is not valid.
        message: What the library says about it.
    """
    found = _AT.search(address)
    if found is None:
        return "no_at", "The address has no @."
    local, domain = address[: found.start()], address[found.end() :]
    return _simple_problem(local, domain) or _from_message(message)


def _simple_problem(local: str, domain: str) -> tuple[str, str] | None:
    if not local:
        return "empty_local", "There is nothing before the @."
    if not domain:
        return "empty_domain", "There is nothing after the @."
    return _length_problem(local, domain) or _dots_problem(local, domain)


def _length_problem(local: str, domain: str) -> tuple[str, str] | None:
    if len(local) > MAX_LOCAL_LENGTH:
        rule = f"at most {MAX_LOCAL_LENGTH} are allowed."
        return "local_too_long", f"The part before the @ has {len(local)} characters; {rule}"
    if len(domain) > MAX_DOMAIN_LENGTH:
        return "domain_too_long", f"The domain has {len(domain)} characters; at most {MAX_DOMAIN_LENGTH} are allowed."
    return None


def _dots_problem(local: str, domain: str) -> tuple[str, str] | None:
    if _has_bad_dots(local) and not local.startswith('"'):
        return "dots", "The part before the @ has a dot at an end, or two in a row."
    if _has_bad_dots(domain):
        return "dots", "The part after the @ has a dot at an end, or two in a row."
    return None


def _has_bad_dots(part: str) -> bool:
    return part[0] in _DOTS or part[-1] in _DOTS or re.search(rf"[{_DOTS}]{{2}}", part) is not None


def _from_message(message: str) -> tuple[str, str]:
    """Return the code that fits the words of the library."""
    reason = message if message.endswith(".") else f"{message}."
    if "unsafe characters" in message:
        return "unicode", reason
    if "too long" in message or "so many characters" in message:
        return "domain_too_long", "The address, its domain or a part between two dots is too long."
    if "display name" in message or "angle bracket" in message:
        return "display_name", reason
    if "before the @-sign" in message or "start with" in message or "close quote" in message:
        return "bad_local", reason
    return "bad_domain", reason
