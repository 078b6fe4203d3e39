"""What every endpoint uses, created once for the app."""

import asyncio
import logging
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

from starlette.requests import Request

from mediakit.accounts import Accounting, Accounts, Admission, Links, Principal, RateLimits
from mediakit.accounts.accounting import uncancelled
from mediakit.accounts.mail import quota_percents
from mediakit.accounts.mail_delivery import MailDelivery
from mediakit.api.addresses import external_base_url
from mediakit.api.cluster import Cluster
from mediakit.api.downloads import UnreadResults
from mediakit.api.hooks import report_usage
from mediakit.api.jobs import JobRunner
from mediakit.api.monitoring import ProcessGauges, Readiness
from mediakit.api.remote_files import RemoteFiles
from mediakit.core.slots import Slots
from mediakit.core.tool import Tool
from mediakit.engines.network.addresses import Guard
from mediakit.engines.templates.registry import add_templates
from mediakit.errors import InvalidInput, MediakitError
from mediakit.results.result import Result
from mediakit.settings import Settings
from mediakit.usage import Usage

log = logging.getLogger("mediakit.api")

P = ParamSpec("P")
R = TypeVar("R", bound=Result)
T = TypeVar("T")

ACCOUNT_THREADS = 8
MAX_WAITING_FILE_CALLS = 64
"""Calls with a file that wait for a slot; further ones get a 503."""


class Context:
    """The accounts, rate limits, links and settings of a running app.

    Raises:
        InvalidInput: A setting is not valid, or an own template has a problem.
    """

    def __init__(self, settings: Settings) -> None:
        self.remote_files = RemoteFiles(Guard(settings.browser.allowed_networks))
        if settings.server.templates:
            add_templates(settings.server.templates)
        self.accounts = Accounts.open(settings.accounts)
        self.rates = RateLimits.open(settings.accounts)
        self.accounting = Accounting(self.accounts.keys, self.accounts.credits, self.rates)
        self._retention = self.accounts.retention(settings.accounts.ledger_days)
        self._retention.start()
        self.links = Links.open(settings.accounts)
        self.jobs = JobRunner(self.accounts, self.links, self.run_blocking, self.report_usage)
        self.readiness = Readiness(settings, self.accounts)
        self.settings = settings
        self.file_slots = Slots(max(2, os.cpu_count() or 2), MAX_WAITING_FILE_CALLS)
        self.cluster = Cluster(settings.server.executor) if settings.server.executor else None
        self.unread = UnreadResults(settings.accounts.home)
        self.gauges = ProcessGauges(self.file_slots, settings.browser.render_slots)
        self._quota_reports: dict[int, tuple[str, int]] = {}
        """The month, by its end, and the percentage of the last report of each account by this process."""
        # Links in email must not contain a host name that a client has sent.
        if settings.mail.smtp_url and not settings.server.public_url:
            raise InvalidInput("MEDIAKIT_PUBLIC_URL: is required with MEDIAKIT_SMTP_URL, for the links in email.")
        self.mail = MailDelivery(self.accounts.outbox, self.accounts.sign_in, settings.mail, settings.accounts)
        self.sign_up = settings.mail.sign_up == "open"
        """Whether people can create accounts themselves."""
        # A separate pool: slow tools must not delay the checks of keys and credits.
        self._threads = ThreadPoolExecutor(ACCOUNT_THREADS, thread_name_prefix="mediakit-accounts")

    async def run_blocking(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a blocking function of the accounts off the event loop.

        A cancellation takes effect after the function has returned, so that its outcome is always known.
        """
        return await uncancelled(
            asyncio.get_running_loop().run_in_executor(self._threads, lambda: function(*args, **kwargs))
        )

    def report_usage(self, principal: Principal, usage: Usage) -> None:
        """Call the hooks, and write email, about an account that has used most or all credits of the month."""
        report_usage(principal, usage)
        reached = usage.reset, max(quota_percents(usage), default=0)
        if reached[1] and self._quota_reports.get(principal.account_id) != reached:
            self._quota_reports[principal.account_id] = reached
            self._threads.submit(self._write_quota_mail, principal, usage)

    def _write_quota_mail(self, principal: Principal, usage: Usage) -> None:
        url = (self.settings.server.public_url or "").rstrip("/")
        try:
            self.accounts.outbox.report_quota(principal.account_id, principal.email, usage, url)
        except MediakitError as error:
            log.warning("No email about used credits was written: %s", error)
            self._quota_reports.pop(principal.account_id, None)  # the next call tries again

    async def run_tool(self, tool: Tool[..., R], tool_request: Any) -> R:
        """Run a tool, here or on the cluster.

        Here, calls with files need a slot, so that many large files cannot exhaust the memory.

        Raises:
            ServerBusy: Every slot is taken and the queue is full.
        """
        if self.cluster:
            return await self.cluster.run(tool, tool_request)
        if not any(getattr(tool_request, field) for field in tool.file_fields):
            return await tool.arun(tool_request)
        work = asyncio.create_task(self._run_in_slot(tool, tool_request))
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            work.cancel()
            raise

    async def _run_in_slot(self, tool: Tool[..., R], tool_request: Any) -> R:
        async with self.file_slots.slot():
            # A thread cannot be stopped: the slot is released when it has ended, even if its caller was cancelled.
            return await uncancelled(asyncio.ensure_future(tool.arun(tool_request)))

    async def admit(self, request: Request) -> Admission:
        """Authenticate a call to a tool, and count it in the rate limit of its account.

        Raises:
            InvalidKey: The key is missing or not valid.
        """
        return await self.accounting.admit(_key_of(request))

    async def authenticate(self, request: Request) -> Principal:
        """Return the account and API key of a request.

        Raises:
            InvalidKey: The key is missing or not valid.
        """
        return await self.run_blocking(self.accounts.authenticate, _key_of(request))

    def base_url(self, request: Request) -> str:
        """Return the URL of this app as its callers see it, without a trailing slash."""
        if self.settings.server.public_url:
            return self.settings.server.public_url.rstrip("/")
        return external_base_url(request)

    def close(self) -> None:
        """Stop the threads and close every connection."""
        self._threads.shutdown()
        self.accounting.close()
        self._retention.close()
        self.rates.close()
        self.links.close()
        self.accounts.close()


def _key_of(request: Request) -> str:
    return request.headers.get("x-api-key", "").strip()  # some parsers keep the space after a value
