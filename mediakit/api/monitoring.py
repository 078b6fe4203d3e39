"""What operators watch: metrics of calls, gauges of this process, readiness, and traces."""

import asyncio
import logging
import os
import signal
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mediakit.accounts import Accounts
from mediakit.core.slots import Slots
from mediakit.errors import MediakitError, MissingPackage
from mediakit.installation import required
from mediakit.settings import Settings

if TYPE_CHECKING:
    from opentelemetry.sdk.trace.export import SpanExporter
    from opentelemetry.trace import Tracer

REGISTRY = CollectorRegistry()

FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
"""Environment variable with the folder of the processes; prometheus_client reads it when it is imported."""

CALLS = Counter(
    "mediakit_calls", "Responses by path, method and status.", ("path", "method", "status"), registry=REGISTRY
)
SECONDS = Histogram(
    "mediakit_call_seconds",
    "Response time in seconds, by path.",
    ("path",),
    registry=REGISTRY,
    buckets=(0.005, 0.02, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30),
)


def _gauge(name: str, description: str) -> Gauge:
    return Gauge(name, description, registry=REGISTRY, multiprocess_mode="livesum")


RENDER_SLOTS = _gauge("mediakit_render_slots", "Renders that can run at the same time.")
RENDERS_RUNNING = _gauge("mediakit_renders_running", "Renders that run.")
RENDERS_WAITING = _gauge("mediakit_renders_waiting", "Renders that wait for a slot.")
BROWSERS_RUNNING = _gauge("mediakit_browsers_running", "Chromium processes that run.")
FILE_CALLS_RUNNING = _gauge("mediakit_file_calls_running", "Calls with files that run.")
FILE_CALLS_WAITING = _gauge("mediakit_file_calls_waiting", "Calls with files that wait for a slot.")


def metrics_text(service: Mapping[str, tuple[str, float]]) -> bytes:
    """Return all metrics in Prometheus' text format.

    Args:
        service: Gauges of the whole service rather than of a process: name, description and value.
    """
    folder = os.environ.get(FOLDER_VARIABLE)
    shown = CollectorRegistry()
    shown.register(_Service(service))
    if not folder:
        return generate_latest(REGISTRY) + generate_latest(shown)
    _forget_ended_processes(Path(folder))
    MultiProcessCollector(shown, folder)  # type: ignore[no-untyped-call]
    return generate_latest(shown)


@contextmanager
def shared_by_processes() -> Iterator[None]:
    """Let the worker processes that start in the block sum their metrics."""
    with tempfile.TemporaryDirectory(prefix="mediakit-metrics-") as folder:
        os.environ[FOLDER_VARIABLE] = folder
        try:
            yield
        finally:
            del os.environ[FOLDER_VARIABLE]


class _Service(Collector):
    def __init__(self, values: Mapping[str, tuple[str, float]]) -> None:
        self._values = values

    def collect(self) -> Iterable[Metric]:
        for name, (description, value) in self._values.items():
            yield GaugeMetricFamily(name, description, value)


def _forget_ended_processes(folder: Path) -> None:
    """Delete the gauges of processes that have ended: their renders do not run any more."""
    import psutil

    for path in folder.glob("gauge_live*_*.db"):
        process_id = int(path.stem.rpartition("_")[2])
        if not psutil.pid_exists(process_id):
            mark_process_dead(process_id, str(folder))  # type: ignore[no-untyped-call]


INTERVAL_SECONDS = 1.0
"""Time between two updates: `/metrics` of another worker process reads the last ones."""


class ProcessGauges:
    """Keeps the gauges of this process up to date."""

    def __init__(self, file_slots: Slots, render_slots: int) -> None:
        self._file_slots = file_slots
        self._render_slots = render_slots

    def update(self) -> None:
        """Set every gauge to its current value."""
        FILE_CALLS_RUNNING.set(self._file_slots.taken)
        FILE_CALLS_WAITING.set(self._file_slots.waiting)
        RENDER_SLOTS.set(self._render_slots)
        # Without a render, the browser is not imported: that takes longer than all other modules of the API together.
        module = sys.modules.get("mediakit.engines.browser")
        if browser := module and module.existing():
            RENDERS_RUNNING.set(browser.slots.taken)
            RENDERS_WAITING.set(browser.slots.waiting)
            BROWSERS_RUNNING.set(browser.process_count)

    async def keep_updated(self) -> None:
        """Update the gauges until the task is cancelled."""
        while True:
            self.update()
            await asyncio.sleep(INTERVAL_SECONDS)


Check = Callable[[], str]
"""Returns `ok`, or what is wrong."""

OK = "ok"
CACHE_SECONDS = 1.0
"""Time for which a result is used again, so that frequent requests do not load the services."""

TIMEOUT_SECONDS = 8.0
CONNECT_TIMEOUT_SECONDS = 2.0
PROBE_BYTES = 65_536


class Readiness:
    """Checks the account database, Redis, the disk, and the browser or the cluster that runs the tools."""

    def __init__(self, settings: Settings, accounts: Accounts) -> None:
        self._settings = settings
        self._checks: dict[str, Check] = {
            "database": lambda: OK if accounts.ready() else "cannot be written",
            "browser": self._check_browser,
        }
        if executor := settings.server.executor:
            self._checks["executor"] = lambda: _check_port(executor)
            del self._checks["browser"]  # the workers of the cluster have it
        self._checks |= {"redis": self._check_redis} if settings.accounts.redis_url else {"disk": self._check_disk}
        self._lock = asyncio.Lock()
        self._result: dict[str, str] = {}
        self._checked_at = -CACHE_SECONDS
        self._is_stopping = False

    def drain_on_sigterm(self, seconds: float) -> None:
        """Serve calls for some time after SIGTERM, while this server is not ready, so that proxies stop using it."""
        stop = signal.getsignal(signal.SIGTERM)
        if not seconds or not callable(stop) or threading.current_thread() is not threading.main_thread():
            return

        def drain(number: int, frame: FrameType | None) -> None:
            self._is_stopping = True
            threading.Timer(seconds, stop, (number, frame)).start()

        signal.signal(signal.SIGTERM, drain)

    async def check(self) -> dict[str, str]:
        """Return the result of each check: `ok`, or what is wrong."""
        async with self._lock:
            if time.monotonic() - self._checked_at >= CACHE_SECONDS:
                results = await asyncio.gather(*(_bounded(check) for check in self._checks.values()))
                self._result = dict(zip(self._checks, results, strict=True))
                self._checked_at = time.monotonic()
        return self._result | ({"server": "is stopping"} if self._is_stopping else {})

    def _check_disk(self) -> str:
        """Check the folder of temporary links."""
        try:
            with tempfile.TemporaryFile(dir=self._settings.accounts.home) as file:
                file.write(b"\0" * PROBE_BYTES)
                file.flush()
        except OSError as error:
            return f"MEDIAKIT_HOME cannot be written ({error.strerror})"
        return OK

    def _check_redis(self) -> str:
        from redis import RedisError

        from mediakit.accounts.redis_client import connect

        try:
            with connect(str(self._settings.accounts.redis_url)) as client:
                client.ping()
        except RedisError:
            return "does not respond"
        return OK

    def _check_browser(self) -> str:
        if urls := self._settings.browser.browser_url:
            return OK if OK in map(_check_port, urls) else "does not respond"
        from mediakit.engines.browser.command import find

        try:
            find(self._settings.browser)
        except MediakitError:
            return "was not found"
        return OK


async def _bounded(check: Check) -> str:
    """Return the result of a check, which runs in a thread."""
    try:
        async with asyncio.timeout(TIMEOUT_SECONDS):
            return await asyncio.to_thread(check)
    except TimeoutError:
        return f"did not respond within {TIMEOUT_SECONDS:.0f} seconds"


def _check_port(url: str) -> str:
    parts = urlsplit(url)
    try:
        port = parts.port or {"https": 443, "wss": 443}.get(parts.scheme, 80)
        socket.create_connection((parts.hostname or "", port), CONNECT_TIMEOUT_SECONDS).close()
    except (OSError, ValueError):
        return "does not respond"
    return OK


ENDPOINT_VARIABLES = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
EXPORTER_VARIABLE = "OTEL_TRACES_EXPORTER"
SERVICE_NAME = "mediakit"

log = logging.getLogger(__name__)


def tracing_middleware(environment: Mapping[str, str] = os.environ) -> list[Middleware]:
    """Return the middleware that creates spans; none unless traces are configured and the packages are installed."""
    if not is_configured(environment):
        return []
    try:
        with required("Tracing", "OpenTelemetry", extra="otel"):
            from opentelemetry import trace
            from opentelemetry.sdk.resources import Resource
            from opentelemetry.sdk.trace import TracerProvider
            from opentelemetry.sdk.trace.export import BatchSpanProcessor

            if isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider):  # no provider was set
                name = environment.get("OTEL_SERVICE_NAME", SERVICE_NAME)
                provider = TracerProvider(resource=Resource.create({"service.name": name}))
                provider.add_span_processor(BatchSpanProcessor(_exporter(environment)))
                trace.set_tracer_provider(provider)
            tracer = trace.get_tracer("mediakit")
    except MissingPackage as error:
        log.warning("%s", error)
        return []
    return [Middleware(TracingMiddleware, tracer=tracer)]


def is_configured(environment: Mapping[str, str]) -> bool:
    """Return whether the variables of OpenTelemetry name an exporter of traces."""
    exporter = environment.get(EXPORTER_VARIABLE, "")
    if environment.get("OTEL_SDK_DISABLED", "").lower() == "true" or exporter == "none":
        return False
    return bool(exporter) or any(environment.get(name) for name in ENDPOINT_VARIABLES)


class TracingMiddleware:
    """Creates a span for each request. It continues the trace of the client (W3C Trace Context)."""

    def __init__(self, app: ASGIApp, tracer: "Tracer") -> None:
        self.app = app
        self.tracer = tracer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        from opentelemetry.propagate import extract
        from opentelemetry.trace import SpanKind, Status, StatusCode

        received = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        method = scope["method"]
        with self.tracer.start_as_current_span(method, extract(received), SpanKind.SERVER) as span:

            async def send_and_record(message: Message) -> None:
                if message["type"] == "http.response.start":
                    span.set_attribute("http.response.status_code", message["status"])
                    if message["status"] >= 500:
                        span.set_status(Status(StatusCode.ERROR))
                await send(message)

            try:
                await self.app(scope, receive, send_and_record)
            finally:
                # Neither the query nor the path, which can contain tokens.
                found = {"http.request.method": scope["method"], "url.scheme": scope["scheme"]}
                if route := scope.get("route"):
                    found["http.route"] = route.path
                if tool := getattr(scope.get("endpoint"), "tool", None):
                    found["mediakit.tool"] = tool.name
                attributes = found | {"mediakit.request_id": scope.get("request_id", "")}
                span.update_name(f"{method} {attributes.get('http.route', '')}".rstrip())
                span.set_attributes(attributes)


def _exporter(environment: Mapping[str, str]) -> "SpanExporter":
    if environment.get(EXPORTER_VARIABLE) == "console":
        from opentelemetry.sdk.trace.export import ConsoleSpanExporter

        return ConsoleSpanExporter()
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

    return OTLPSpanExporter()
