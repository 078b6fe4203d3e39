"""What a QR code can say beside plain text, as the fields that somebody fills in."""

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass
from datetime import date, datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from mediakit import payloads
from mediakit.core.messages import quote
from mediakit.core.request import invalid, request

Line = Annotated[str, Field(min_length=1, max_length=200)]
Note = Annotated[str, Field(min_length=1, max_length=500)]


@request
class Network:
    """A wireless network."""

    name: Annotated[Line, Field(examples=["Guests"])]
    """The network's name (SSID)."""
    _: KW_ONLY
    password: Annotated[Line, Field(examples=["sunflower-42"])] | None = None
    """Left empty for an open network."""
    security: Literal["WPA", "SAE", "WEP", "open"] | None = None
    """WPA where there is a password; SAE is WPA3 alone."""
    hidden: bool = False
    """The network does not announce itself."""


@request
class Contact:
    """A person."""

    name: Annotated[Line, Field(examples=["Ada Lovelace"])]
    """The whole name."""
    _: KW_ONLY
    phone: Annotated[Line, Field(examples=["+44 20 7946 0000"])] | None = None
    """Phone number, with its country."""
    email: Annotated[Line, Field(examples=["ada@example.com"])] | None = None
    """E-mail address."""
    organization: Annotated[Line, Field(examples=["Analytical Engines"])] | None = None
    """Company, school or club."""
    title: Annotated[Line, Field(examples=["Programmer"])] | None = None
    """Position there."""
    url: Annotated[Line, Field(examples=["https://example.com"])] | None = None
    """Web page."""
    note: Annotated[Note, Field(examples=["We met at the fair"])] | None = None
    """Anything else."""


@request
class Event:
    """Something that takes place."""

    title: Annotated[Line, Field(examples=["Summer concert"])]
    """What takes place."""
    start: Annotated[Line, Field(examples=["2027-06-21 19:30"])]
    """A day, or a day and a time."""
    _: KW_ONLY
    end: Annotated[Line, Field(examples=["2027-06-21 22:00"])] | None = None
    """As `start`; empty for a moment or a single day."""
    location: Annotated[Line, Field(examples=["Town hall"])] | None = None
    """Where."""
    description: Annotated[Note, Field(examples=["Bring a blanket"])] | None = None
    """Anything else."""


@dataclass(frozen=True)
class Payload:
    """Fields, and what writes them as the text of a code."""

    request: type[Any]
    write: Callable[[Any], str]


def _event(event: Event) -> str:
    end = _time("end", event.end) if event.end else None
    start = _time("start", event.start)
    return payloads.event(event.title, start, end, location=event.location, description=event.description)


def _contact(contact: Contact) -> str:
    given = {name: value for name, value in vars(contact).items() if value is not None}
    return payloads.contact(**given)


def _time(name: str, text: str) -> datetime | date:
    try:
        return date.fromisoformat(text) if len(text) <= len("2027-06-21") else datetime.fromisoformat(text)
    except ValueError:
        problem = f"must be such as 2027-06-21 or 2027-06-21 19:30, got {quote(text)}."
        raise invalid([{"field": name, "message": problem}]) from None


PAYLOADS: Mapping[str, Payload] = {
    "Wi-Fi": Payload(Network, lambda network: payloads.wifi(**vars(network))),
    "Contact": Payload(Contact, _contact),
    "Event": Payload(Event, _event),
}
