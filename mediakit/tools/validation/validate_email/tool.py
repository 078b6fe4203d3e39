"""The tool `validate_email`, and the check of one address."""

import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import KW_ONLY
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import Field

from mediakit.core.meta_schemas import text
from mediakit.core.request import request
from mediakit.core.tool import Example
from mediakit.engines.validation.result import ValidationResult, ValueResult, Verdict, invalid
from mediakit.engines.validation.service import ValueField, ValuesRequest, validate, validator
from mediakit.engines.validation.values import LINE_BREAK, cleaned
from mediakit.samples import SUPPLIERS
from mediakit.tools.validation.validate_email.domains import (
    FREE,
    PROVIDERS,
    base_of,
    is_disposable,
    is_role,
    lists_date,
    meant,
    tag_of,
    with_dot,
)

if TYPE_CHECKING:
    from email_validator import ValidatedEmail

MAX_LOCAL_LENGTH = 64
MAX_DOMAIN_LENGTH = 253

_DOTS = ".。．｡"
_AT = re.compile(r'@(?=[^"]*(?:"[^"]*"[^"]*)*\Z)')
"""An @ outside of quotation marks."""


def code_of(address: str, message: str) -> tuple[str, str]:
    """Return the code and the reason for an address that is not valid, given what the library says about it."""
    found = _AT.search(address)
    if found is None:
        return "no_at", "The address has no @."
    local, domain = address[: found.start()], address[found.end() :]
    return _problem(local, domain) or _from_message(message)


def _problem(local: str, domain: str) -> tuple[str, str] | None:
    if not local:
        return "empty_local", "There is nothing before the @."
    if not domain:
        return "empty_domain", "There is nothing after the @."
    if len(local) > MAX_LOCAL_LENGTH:
        rule = f"at most {MAX_LOCAL_LENGTH} are allowed."
        return "local_too_long", f"The part before the @ has {len(local)} characters; {rule}"
    if len(domain) > MAX_DOMAIN_LENGTH:
        return "domain_too_long", f"The domain has {len(domain)} characters; at most {MAX_DOMAIN_LENGTH} are allowed."
    for part, where in ((local, "before"), (domain, "after")):
        has_bad_dots = part[0] in _DOTS or part[-1] in _DOTS or re.search(rf"[{_DOTS}]{{2}}", part)
        if has_bad_dots and (where == "after" or not part.startswith('"')):
            return "dots", f"The part {where} the @ has a dot at an end, or two in a row."
    return None


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


PRIVATE_DOMAINS = frozenset(("alt", "internal"))
"""Top-level domains for private use, beside those of the library (RFC 9476; ICANN 2024)."""

Refusal = tuple[str, str]
"""Code and reason."""


def check(value: str, allow: Collection[str]) -> Verdict:
    """Return the verdict on an email address, which may have invisible characters inside."""
    from email_validator import EmailNotValidError

    if LINE_BREAK.search(value):
        code = "bad_local" if LINE_BREAK.search(value.partition("@")[0]) else "bad_domain"
        return invalid(code, "The address has a line break.", _if_valid(cleaned(value), allow))
    if not value.isascii() and any(unicodedata.category(char) == "Cf" for char in value):
        return invalid("unicode", "The address has an invisible character.", _if_valid(cleaned(value), allow))
    address = without_name(value)
    if address != value and "display_name" not in allow:
        reason = "Only the address is allowed, without a name and angle brackets."
        return invalid("display_name", reason, _if_valid(address, allow))
    try:
        parsed = _parse(address)
    except EmailNotValidError as error:
        code, reason = code_of(address, str(error))
        return invalid(code, reason, _if_valid(re.sub(r"[,，、]", ".", address), allow))
    refusal = _form_problem(address, parsed, allow) or _domain_problem(parsed.ascii_domain, allow)
    if refusal:
        code, reason = refusal
        return invalid(code, reason, _suggestion(code, parsed, allow))
    local, typo = _local(parsed), meant(parsed.ascii_domain)
    return Verdict(
        valid=True,
        normalized=_normal(parsed, allow),
        suggestion=f"{local}@{typo}" if typo else None,
        details=_details(parsed, local),
    )


def without_name(value: str) -> str:
    """Return the address between angle brackets, as in `Ana <ana@example.com>`; the value itself if it has none."""
    start = value.rfind("<")
    return value[start + 1 : -1].strip() if start >= 0 and value.endswith(">") else value


@cache
def _special_use() -> frozenset[str]:
    """Return the special-use domains of the library, and keep it from refusing them: the option `local` decides.

    The library also learns to look up each character of a domain once, which takes half of its time.
    """
    import email_validator
    from email_validator import syntax

    syntax.uts46_valid_char = lru_cache(10_000)(syntax.uts46_valid_char)
    domains = frozenset(email_validator.SPECIAL_USE_DOMAIN_NAMES) | PRIVATE_DOMAINS
    email_validator.SPECIAL_USE_DOMAIN_NAMES.clear()
    return domains


def _parse(value: str) -> "ValidatedEmail":
    from email_validator import validate_email

    _special_use()
    return validate_email(
        value,
        check_deliverability=False,
        strict=True,
        allow_quoted_local=True,
        allow_domain_literal=True,
        globally_deliverable=False,
    )


def _form_problem(address: str, parsed: "ValidatedEmail", allow: Collection[str]) -> Refusal | None:
    if address.startswith('"') and "quoted" not in allow:
        return "quoted", "The part before the @ is in quotation marks."
    if parsed.domain.startswith("[") and "literal" not in allow:
        return "literal", "The part after the @ is an IP address, not a domain."
    if "ascii_only" in allow and not parsed.original.isascii():
        return "unicode", "The address has characters that are not ASCII."
    return None


def _domain_problem(domain: str, allow: Collection[str]) -> Refusal | None:
    if domain.startswith("[") or "local" in allow:
        return None
    ending = domain.rpartition(".")[2]
    if "." not in domain:
        return "no_dot", "The domain has no dot."
    if ending in _special_use():
        return "special_use", f"The domain .{ending} is reserved; it has no mailboxes on the internet."
    if len(ending) < 2 or not ending[-1].isalpha():
        return "bad_domain", f"The top-level domain .{ending} does not exist."
    return None


def _suggestion(code: str, parsed: "ValidatedEmail", allow: Collection[str]) -> str | None:
    local = _local(parsed)
    if code == "no_dot":
        domain = with_dot(parsed.ascii_domain)
        return f"{local}@{domain}" if domain else None
    meant_address = {"quoted": f"{local}@{parsed.domain}", "unicode": parsed.ascii_email}.get(code)
    return _if_valid(meant_address, allow) if meant_address else None


def _if_valid(address: str, allow: Collection[str]) -> str | None:
    """Return the normal form of an address that would be valid."""
    from email_validator import EmailNotValidError

    try:
        parsed = _parse(address)
    except EmailNotValidError:
        return None
    is_refused = _form_problem(address, parsed, allow) or _domain_problem(parsed.ascii_domain, allow)
    return None if is_refused else _normal(parsed, allow)


def _normal(parsed: "ValidatedEmail", allow: Collection[str]) -> str:
    """Return the normal form of an address: with the Unicode domain, unless only ASCII is allowed."""
    return f"{_local(parsed)}@{parsed.ascii_domain if 'ascii_only' in allow else parsed.domain}"


def _local(parsed: "ValidatedEmail") -> str:
    """Return the local part as written: the library writes names such as POSTMASTER in lower case."""
    local = parsed.local_part
    written = unicodedata.normalize("NFC", parsed.original.rpartition("@")[0])
    return written if written.lower() == local else local


def _details(parsed: "ValidatedEmail", local: str) -> dict[str, Any]:
    domain = parsed.ascii_domain
    return {
        "local": local,
        "domain": parsed.domain,
        "ascii": f"{local}@{domain}" if local.isascii() else None,
        "ascii_domain": domain,
        "tag": tag_of(local),
        "base": base_of(local, domain),
        "provider": PROVIDERS.get(domain),
        "free": domain in PROVIDERS or domain in FREE,
        "role": is_role(local),
        "disposable": is_disposable(domain),
        "smtputf8": parsed.smtputf8,
    }


Allowed = Literal["quoted", "literal", "local", "display_name", "ascii_only"]


@request
class ValidateEmailRequest(ValuesRequest):
    """Email addresses to check."""

    value_field: ClassVar[str] = "email"

    email: ValueField | None = None
    """Email address of at most 1000 characters, or one per line; in Python also a column."""
    _: KW_ONLY
    allow: Annotated[Sequence[Allowed], Field(max_length=5)] = ()
    """Forms that count as valid as well: `quoted` (a quoted local part), `literal` (`[192.0.2.1]` as domain), `local`
    (a domain without a dot, or `.local`, `.test` and such), `display_name` (`Ana <ana@example.com>`). `ascii_only`
    restricts instead: only addresses in ASCII are valid."""


Provider = Literal["gmail", "outlook", "yahoo", "icloud", "proton", "fastmail"]


class EmailVerdict(ValueResult):
    """The verdict on an email address."""

    local: Annotated[str | None, Field(examples=["ana.diaz+news"])]
    """The part before the @, as written."""
    domain: Annotated[str | None, Field(examples=["gmail.com"])]
    """The part after the @, in lower case."""
    ascii: Annotated[str | None, Field(examples=["ana.diaz+news@gmail.com"])]
    """The address in ASCII, with a Punycode domain; null if the local part is not ASCII."""
    ascii_domain: Annotated[str | None, Field(examples=["gmail.com"])]
    """The domain in ASCII."""
    tag: Annotated[str | None, Field(examples=["+news"])]
    """The tag of the local part, with its plus sign."""
    base: Annotated[str | None, Field(examples=["anadiaz@gmail.com"])]
    """The mailbox that the address belongs to, without the tag; only for known providers."""
    provider: Annotated[Provider | None, Field(examples=["gmail"])]
    """The provider of the domain."""
    free: Annotated[bool | None, Field(examples=[True])]
    """Whether anybody can open a mailbox of the domain for free."""
    role: Annotated[bool | None, Field(examples=[False])]
    """Whether the address belongs to a function, such as info@, and not to a person."""
    disposable: Annotated[bool | None, Field(examples=[False])]
    """Whether the domain is one of temporary mailboxes."""
    smtputf8: Annotated[bool | None, Field(examples=[False])]
    """Whether servers must support internationalized addresses (RFC 6531)."""


class EmailValidation(ValidationResult[EmailVerdict]):
    """The verdicts on email addresses."""

    _verdict = EmailVerdict


@validator(
    ValidateEmailRequest,
    [
        Example("One address", {"email": "ana.diaz+news@gmail.com"}),
        Example("Several; the second has a typing error", {"values": ["ana@example.com", "bo@gmial.com", "c@example"]}),
        Example("With a name", {"email": "Ana Díaz <ana@example.com>", "allow": ["display_name"]}),
        Example("A column of a table", {"file": SUPPLIERS, "column": "email"}),
    ],
    meta={"lists_date": text("Date of the list of domains with temporary mailboxes.", "2026-11-09")},
)
async def validate_email(request: ValidateEmailRequest) -> EmailValidation:
    """Check email addresses: syntax, domain, and typing errors in the names of common providers.

    Each result has the parts of the address, its provider, and whether it is of a function (info@), a free mailbox or
    a temporary one. Nothing is sent over the network: whether the mailbox exists is not known. A suggestion never
    makes an address invalid.

    Raises:
        InvalidInput: There is no value, or the table cannot be read.
        NotConvertible: Reading the table took longer than 10 seconds.
    """
    return await validate(
        request,
        check,
        tuple(request.allow),
        EmailValidation,
        meta={"lists_date": lists_date()},
        keeps_invisible=True,
    )
