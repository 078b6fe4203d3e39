"""What can be set from outside: `MEDIAKIT_*` variables, or the same names in a `.env` file.

Each consumer has a section of its own and is handed that section; tools read no settings.
"""

import json
import os
import tempfile
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

import platformdirs
from pydantic import BeforeValidator, Field, NonNegativeInt, PositiveInt, ValidationError
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from mediakit.errors import InvalidInput

Plan = Literal["free", "pro", "business", "scale"]

DEFAULT_RATES: dict[Plan, int] = {"free": 10, "pro": 60, "business": 120, "scale": 300}


class Section(BaseSettings):
    """A part of the settings, read from the environment."""

    model_config = SettingsConfigDict(env_prefix="MEDIAKIT_", env_file=".env", extra="ignore", frozen=True)

    def __init__(self, **values: Any) -> None:
        try:
            super().__init__(**values)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            reason = first.get("ctx", {}).get("error", first["msg"])
            raise InvalidInput(f"MEDIAKIT_{str(first['loc'][0]).upper()}: {reason}, got {first['input']!r}.") from None


def _comma_separated(value: Any) -> Any:
    return [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else value


def _rates(value: Any) -> Any:
    """Read `free=10,pro=60`, a JSON object, or one number for every plan."""
    if not isinstance(value, str):
        return value
    text = value.strip()
    try:
        if text.startswith("{"):
            return DEFAULT_RATES | json.loads(text)
        if "=" not in text:
            return dict.fromkeys(DEFAULT_RATES, int(text))
        pairs = (part.split("=", 1) for part in text.split(",") if part.strip())
        return DEFAULT_RATES | {plan.strip(): int(rate) for plan, rate in pairs}
    except ValueError:
        raise ValueError("write free=10,pro=60, or one number for every plan") from None


def _user_data() -> Path:
    """Give the platform's folder for data of the user; a temporary one where nobody knows the user's home."""
    try:
        return platformdirs.user_data_path("mediakit")
    except RuntimeError:  # neither HOME nor an entry among the users, as in a container that runs as any number
        return Path(tempfile.gettempdir()) / f"mediakit-{os.getuid()}"


class HomeSettings(Section):
    """Where this machine keeps accounts, link files and outgoing mail."""

    home: Path = Field(default_factory=_user_data)


class AccountSettings(HomeSettings):
    """Accounts, keys, credits, rate limits and links."""

    database_url: str | None = None
    """SQLAlchemy address; SQLite in HOME when unset."""
    redis_url: str | None = None
    """Where servers share rate limits and links; in process and in HOME when unset."""
    rate_limits: Annotated[dict[Plan, NonNegativeInt], NoDecode, BeforeValidator(_rates)] = DEFAULT_RATES
    """Requests a key may make in a minute, by plan. 0: as many as it likes."""


class BrowserSettings(HomeSettings):
    """The Chromium that renders, and what its pages may reach."""

    browser: Path | None = None
    """Path of a Chromium to use before any other."""
    browser_url: str | None = None
    """Address of a remote Chromium (Chrome DevTools Protocol)."""
    render_slots: PositiveInt = 2
    """Renders at the same time."""
    render_queue: PositiveInt = 64
    """Renders that may wait for a slot; one more is refused."""
    allowed_networks: Annotated[tuple[str, ...], NoDecode, BeforeValidator(_comma_separated)] = ()
    """Networks (CIDR) or address:port pairs that pages may reach beyond the public internet."""


class ServerSettings(Section):
    """The HTTP server."""

    public_url: Annotated[str, Field(pattern="^https?://")] | None = None
    """Base of temporary links; the address of the request when unset."""


class Settings:
    """Every section, each read when it is first asked for."""

    @cached_property
    def accounts(self) -> AccountSettings:
        """The accounts' section."""
        return AccountSettings()

    @cached_property
    def browser(self) -> BrowserSettings:
        """The browser's section."""
        return BrowserSettings()

    @cached_property
    def server(self) -> ServerSettings:
        """The server's section."""
        return ServerSettings()
