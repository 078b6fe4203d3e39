"""The fields from which the QR code form builds a Wi-Fi network, a contact or an event."""

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
    """A Wi-Fi network."""

    name: Annotated[Line, Field(examples=["Guests"])]
    """Name of the network (SSID)."""
    _: KW_ONLY
    password: Annotated[Line, Field(examples=["sunflower-42"])] | None = None
    """Leave empty for an open network."""
    security: Literal["WPA", "SAE", "WEP", "open"] | None = None
    """WPA if there is a password. SAE is for networks with WPA3 only."""
    hidden: bool = False
    """The network does not broadcast its name."""


@request
class Contact:
    """A contact."""

    name: Annotated[Line, Field(examples=["Ada Lovelace"])]
    """Full name."""
    _: KW_ONLY
    phone: Annotated[Line, Field(examples=["+44 20 7946 0000"])] | None = None
    """Phone number with country code."""
    email: Annotated[Line, Field(examples=["ada@example.com"])] | None = None
    """Email address."""
    organization: Annotated[Line, Field(examples=["Analytical Engines"])] | None = None
    """Company, school or club."""
    title: Annotated[Line, Field(examples=["Programmer"])] | None = None
    """Job title."""
    url: Annotated[Line, Field(examples=["https://example.com"])] | None = None
    """Website."""
    note: Annotated[Note, Field(examples=["We met at the fair"])] | None = None
    """Additional text."""


@request
class Event:
    """A calendar event."""

    title: Annotated[Line, Field(examples=["Summer concert"])]
    """Title of the event."""
    start: Annotated[Line, Field(examples=["2027-06-21 19:30"])]
    """Date, or date and time."""
    _: KW_ONLY
    end: Annotated[Line, Field(examples=["2027-06-21 22:00"])] | None = None
    """Date, or date and time, as in `start`. Leave empty for a single day or an event without an end."""
    location: Annotated[Line, Field(examples=["Town hall"])] | None = None
    """Place of the event."""
    description: Annotated[Note, Field(examples=["Bring a blanket"])] | None = None
    """Additional text."""


@dataclass(frozen=True)
class Payload:
    """The fields of a payload, and the function that builds the text of the QR code from them."""

    request: type[Any]
    build: Callable[[Any], str]


def _event(event: Event) -> str:
    end = _time("end", event.end) if event.end else None
    start = _time("start", event.start)
    return payloads.event(event.title, start, end, location=event.location, description=event.description)


def _contact(contact: Contact) -> str:
    return payloads.contact(**{name: value for name, value in vars(contact).items() if value is not None})


def _time(name: str, text: str) -> datetime | date:
    try:
        return date.fromisoformat(text) if len(text) <= len("2027-06-21") else datetime.fromisoformat(text)
    except ValueError:
        message = f"must be a date such as 2027-06-21 or 2027-06-21 19:30, got {quote(text)}."
        raise invalid([{"field": name, "message": message}]) from None


PAYLOADS: Mapping[str, Payload] = {
    "Wi-Fi": Payload(Network, lambda network: payloads.wifi(**vars(network))),
    "Contact": Payload(Contact, _contact),
    "Event": Payload(Event, _event),
}
