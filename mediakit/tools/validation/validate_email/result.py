"""`EmailValidation`: the verdicts on email addresses."""

from typing import Annotated, Literal

from pydantic import Field

from mediakit.engines.validation.result import ValidationResult, ValueResult

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
    provider: Annotated[
        Literal["gmail", "outlook", "yahoo", "icloud", "proton", "fastmail"] | None, Field(examples=["gmail"])
    ]
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
