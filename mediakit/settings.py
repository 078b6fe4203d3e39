"""Settings: `MEDIAKIT_*` environment variables, or the same names in a `.env` file.

Each part of the application receives its own section. Tools do not read settings.
"""

import json
import os
import tempfile
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import platformdirs
from pydantic import BeforeValidator, Field, NonNegativeInt, PositiveInt, ValidationError
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from mediakit.errors import InvalidInput

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

Plan = Literal["free", "pro", "business", "scale"]

DEFAULT_RATES: dict[Plan, int] = {"free": 10, "pro": 60, "business": 120, "scale": 300}

ERROR_MESSAGES = {
    "greater_than": "must be greater than {gt}",
    "greater_than_equal": "must be at least {ge}",
    "int_parsing": "must be an integer",
    "string_pattern_mismatch": "must match {pattern}",
}
"""Error messages by pydantic's error type."""


class Section(BaseSettings):
    """A section of the settings, read from the environment."""

    model_config = SettingsConfigDict(env_prefix="MEDIAKIT_", env_file=".env", extra="ignore", frozen=True)

    def __init__(self, **values: Any) -> None:
        try:
            super().__init__(**values)
        except ValidationError as error:
            first_error = error.errors(include_url=False)[0]
            variable = f"MEDIAKIT_{str(first_error['loc'][0]).upper()}"
            raise InvalidInput(f"{variable}: {_reason(first_error)}.") from None


def _reason(error: "ErrorDetails") -> str:
    """Return the message for an invalid value, for example `must be at least 1, got '0'`."""
    context = error.get("ctx", {})
    template = ERROR_MESSAGES.get(error["type"])
    message = template.format(**context) if template else context.get("error", error["msg"])
    return f"{message}, got {error['input']!r}"


def _comma_separated(value: Any) -> Any:
    """Return the parts of comma-separated text as a list. Other values are returned unchanged."""
    return [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else value


def _rates(value: Any) -> Any:
    """Return rate limits by plan, parsed from `free=10,pro=60`, a JSON object, or one number for all plans."""
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
        raise ValueError("must be one number, or one per plan such as free=10,pro=60") from None


def _user_data() -> Path:
    """Return the platform's user data folder, or a temporary folder if the user has no home folder."""
    try:
        return platformdirs.user_data_path("mediakit")
    except RuntimeError:  # no HOME and no passwd entry, as in a container with an arbitrary user id
        return Path(tempfile.gettempdir()) / f"mediakit-{os.getuid()}"


class HomeSettings(Section):
    """The directory for accounts, for the files of temporary links, and for outgoing email."""

    home: Path = Field(default_factory=_user_data)


class AccountSettings(HomeSettings):
    """Settings of accounts, API keys, credits, rate limits and temporary links."""

    database_url: str | None = None
    """SQLAlchemy URL. Default: SQLite in `MEDIAKIT_HOME`."""
    redis_url: str | None = None
    """URL of the Redis server in which several servers share rate limits and temporary links.

    By default, rate limits are stored in the process, and temporary links in `MEDIAKIT_HOME`.
    """
    rate_limits: Annotated[dict[Plan, NonNegativeInt], NoDecode, BeforeValidator(_rates)] = DEFAULT_RATES
    """Maximum requests per minute and API key for each plan; 0 means no limit."""


class BrowserSettings(HomeSettings):
    """Settings of the browser, and the networks that pages can access."""

    browser: Path | None = None
    """Path of a Chrome, Chromium or Edge executable. By default, the executable is searched for on this machine."""
    browser_url: str | None = None
    """URL of a remote Chromium (Chrome DevTools Protocol)."""
    render_slots: PositiveInt = 2
    """Maximum number of concurrent renders per process."""
    render_queue: PositiveInt = 64
    """Maximum number of renders that wait for a slot. When the queue is full, a call raises `ServerBusy`."""
    allowed_networks: Annotated[tuple[str, ...], NoDecode, BeforeValidator(_comma_separated)] = ()
    """Networks (CIDR) or address:port pairs that pages can access in addition to the public internet."""


class ServerSettings(Section):
    """Settings of the HTTP server."""

    public_url: Annotated[str, Field(pattern="^https?://")] | None = None
    """Base URL of temporary links. By default, it is taken from the request."""


class Settings:
    """All settings. Each section is read on first use."""

    @cached_property
    def accounts(self) -> AccountSettings:
        """The settings of accounts."""
        return AccountSettings()

    @cached_property
    def browser(self) -> BrowserSettings:
        """The settings of the browser."""
        return BrowserSettings()

    @cached_property
    def server(self) -> ServerSettings:
        """The settings of the HTTP server."""
        return ServerSettings()
