"""JSON Schema of what the results of `validate_email` add."""

from collections.abc import Mapping
from typing import Any

from mediakit.engines.validation.response_schema import boolean, text

DETAILS: Mapping[str, Any] = {
    "local": text("The part before the @, as written.", "ana.diaz+news"),
    "domain": text("The part after the @, in lower case.", "gmail.com"),
    "ascii": text(
        "The address in ASCII, with a Punycode domain; null if the local part is not ASCII.", "ana.diaz+news@gmail.com"
    ),
    "ascii_domain": text("The domain in ASCII.", "gmail.com"),
    "tag": text("The tag of the local part, with its plus sign.", "+news"),
    "base": text(
        "The mailbox that the address belongs to, without the tag; only for known providers.", "anadiaz@gmail.com"
    ),
    "provider": text(
        "The provider of the domain.", "gmail", "gmail", "outlook", "yahoo", "icloud", "proton", "fastmail"
    ),
    "free": boolean("Whether anybody can open a mailbox of the domain for free.", example=True),
    "role": boolean("Whether the address belongs to a function, such as info@, and not to a person.", example=False),
    "disposable": boolean("Whether the domain is one of temporary mailboxes.", example=False),
    "smtputf8": boolean("Whether servers must support internationalized addresses (RFC 6531).", example=False),
}
