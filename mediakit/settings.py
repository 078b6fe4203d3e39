"""Settings: `MEDIAKIT_*` environment variables, or the same names in a `.env` file.

Each part of the application receives its own section. Tools do not read settings.
"""

import json
import os
import re
import tempfile
from difflib import get_close_matches
from functools import cached_property
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Annotated, Any, Literal

import platformdirs
from pydantic import BeforeValidator, Field, NonNegativeInt, PositiveInt, ValidationError
from pydantic_settings import BaseSettings, DotEnvSettingsSource, NoDecode, SettingsConfigDict

from mediakit.errors import InvalidInput

Plan = Literal["free", "pro", "business", "scale"]

DEFAULT_RATES: dict[Plan, int] = {"free": 10, "pro": 60, "business": 120, "scale": 300}

SLOT_SECONDS: dict[Plan, int] = {"free": 40, "pro": 120, "business": 240, "scale": 480}
"""Seconds for which the renders of an account, and its calls with files, can run in any 60 seconds on each server."""

ERROR_MESSAGES = {
    "greater_than": "must be greater than {gt}",
    "greater_than_equal": "must be at least {ge}",
    "int_parsing": "must be an integer",
    "literal_error": "must be {expected}",
}
"""Error messages by pydantic's error type."""


NOT_UTF8 = ".env: must be UTF-8 text."


class Section(BaseSettings):
    """A section of the settings, read from the environment."""

    model_config = SettingsConfigDict(
        env_prefix="MEDIAKIT_",
        env_file=".env",
        env_file_encoding="utf-8-sig",  # Windows' editors begin files with a byte order mark
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
    )

    def __init__(self, **values: Any) -> None:
        try:
            super().__init__(**values)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            variable, context = f"MEDIAKIT_{str(first['loc'][0]).upper()}", first.get("ctx", {})
            template = ERROR_MESSAGES.get(first["type"])
            message = template.format(**context) if template else context.get("error", first["msg"])
            raise InvalidInput(f"{variable}: {message}, got {first['input']!r}.") from None
        except UnicodeDecodeError:
            raise InvalidInput(NOT_UTF8) from None


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


def _networks(value: Any) -> Any:
    """Return networks, parsed from comma-separated text such as `10.0.0.0/8,::1`."""
    if not isinstance(value, str):
        return value
    try:
        return tuple(ip_network(part, strict=False) for part in _comma_separated(value))
    except ValueError:
        raise ValueError("must be IP addresses or networks (CIDR) such as 10.0.0.0/8,192.0.2.7") from None


def _parts(pattern: str, message: str) -> BeforeValidator:
    """Return a validator of comma-separated texts that match a pattern."""

    def check(value: Any) -> Any:
        parts = _comma_separated(value)
        if isinstance(parts, list) and not all(re.fullmatch(pattern, part, re.ASCII) for part in parts):
            raise ValueError(message)
        return parts

    return BeforeValidator(check)


def _text(pattern: str, message: str) -> BeforeValidator:
    """Return a validator of a text that matches a pattern."""

    def check(value: Any) -> Any:
        if isinstance(value, str) and not re.fullmatch(pattern, value):
            raise ValueError(message)
        return value

    return BeforeValidator(check)


PUBLIC_URL = _text(
    r"https?://[^\s/?#]+(/[^\s?#]*)?",
    "must be a URL without a query, such as https://media.example.com",
)
SCHEDULER = _text(r"(tcp|tls|ws|wss)://\S+", "must be the address of a Dask scheduler, such as tcp://scheduler:8786")
HOSTS = _parts(
    r"\*|(\*\.)?[\w.-]+|[0-9a-fA-F:]+",
    "must be host names without scheme and port, such as api.example.com,*.example.org",
)
ORIGINS = _parts(
    r"\*|https?://[\w.-]+(:\d+)?|https?://\[[0-9a-fA-F:]+\](:\d+)?",
    "must be * or origins without a path, such as https://app.example.com,http://localhost:3000",
)


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
    """Maximum requests per minute and account for each plan; 0 means no limit."""
    ledger_days: PositiveInt = 400
    """Days that calls stay in the ledger. Calls of the current month are never deleted."""


class BrowserSettings(HomeSettings):
    """Settings of the browser, and the networks that pages can access."""

    browser: Path | None = None
    """Path of a Chrome, Chromium or Edge executable. By default, the executable is searched for on this machine."""
    browser_url: Annotated[tuple[str, ...], NoDecode, BeforeValidator(_comma_separated)] = ()
    """URLs of remote Chromiums (Chrome DevTools Protocol), which the render slots use in turn."""
    browser_proxy_host: str = "127.0.0.1"
    """Name or address of this server, as the remote Chromium sees it. Its pages use a proxy at this address."""
    render_slots: PositiveInt = 2
    """Maximum number of concurrent renders per process."""
    render_queue: PositiveInt = 64
    """Maximum number of renders that wait for a slot. When the queue is full, a call raises `ServerBusy`."""
    allowed_networks: Annotated[tuple[str, ...], NoDecode, BeforeValidator(_comma_separated)] = ()
    """Networks (CIDR) or address:port pairs that pages can access in addition to the public internet."""


class ServerSettings(Section):
    """Settings of the HTTP server."""

    public_url: Annotated[str | None, PUBLIC_URL] = None
    """Base URL of temporary links. By default, it is taken from the request."""
    allowed_hosts: Annotated[tuple[str, ...], NoDecode, HOSTS] = ()
    """Names by which clients reach the server: `api.example.com`, `*.example.com`, or `*` for any.

    By default, a server on loopback only accepts its own names, and other servers accept any name.
    """
    log_format: Literal["text", "json"] = "text"
    """Format of the log of `mediakit serve`: lines of text, or a JSON object in each line."""
    cors_origins: Annotated[tuple[str, ...], NoDecode, ORIGINS] = ()
    """Origins of web pages that may call the API from a browser, such as `https://app.example.com`; `*` for any."""
    trusted_proxies: Annotated[tuple[IPv4Network | IPv6Network, ...], NoDecode, BeforeValidator(_networks)] = (
        IPv4Network("127.0.0.0/8"),
        IPv6Network("::1/128"),
    )
    """Networks of the reverse proxies whose `X-Forwarded-*` and `Forwarded` headers are believed."""
    max_connections: PositiveInt | None = None
    """Maximum number of connections per process. By default, it is derived from the limit for file descriptors."""
    drain_seconds: Annotated[float, Field(ge=0, le=300)] = 0
    """Time after SIGTERM in which the server still accepts calls, while `GET /readyz` says that it is stopping."""
    executor: Annotated[str | None, SCHEDULER] = None
    """Address of a Dask scheduler whose workers run the tools: `tcp://scheduler:8786`. Default: this process."""
    templates: Path | None = None
    """Folder of own templates, one folder each, in addition to those of mediakit."""
    upgrades: Literal["closed", "open"] | None = None
    """Whether owners can upgrade their plan in the dashboard. Default: `open` with `mediakit serve --dev`, otherwise
    `closed`: only operators can."""


class MailSettings(Section):
    """Settings of outgoing email, and of the accounts that people create themselves."""

    smtp_url: str | None = Field(default=None, repr=False)
    """`smtp://USER:PASSWORD@HOST:587` or `smtps://...`. By default, email is written to files in `MEDIAKIT_HOME`."""
    mail_from: str | None = None
    """Sender of email, for example `mediakit <no-reply@example.com>`."""
    sign_up: Literal["closed", "open"] | None = None
    """Whether people can create accounts. Default: `open` with `mediakit serve --dev`, otherwise `closed`."""


class Settings:
    """All settings. Each section is read on first use."""

    @staticmethod
    def check_names() -> None:
        """Check that no variable of the environment or of `.env` is a misspelled setting.

        Raises:
            InvalidInput: A variable is almost the name of a setting.
        """
        sections = (AccountSettings, BrowserSettings, ServerSettings, MailSettings)
        known = {f"MEDIAKIT_{name.upper()}" for section in sections for name in section.model_fields}
        try:
            names = os.environ.keys() | {name.upper() for name in DotEnvSettingsSource(Section).env_vars}
        except UnicodeDecodeError:
            raise InvalidInput(NOT_UTF8) from None
        for name in sorted(names - known):
            meant = get_close_matches(name, known, n=1, cutoff=0.9) if name.startswith("MEDIAKIT_") else ()
            if meant:
                raise InvalidInput(f"{name}: is not a setting; did you mean {meant[0]}?")

    accounts = cached_property(lambda _: AccountSettings())
    browser = cached_property(lambda _: BrowserSettings())
    mail = cached_property(lambda _: MailSettings())
    server = cached_property(lambda _: ServerSettings())
