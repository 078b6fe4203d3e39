"""OpenTelemetry traces: a span for each request, if the environment variables of OpenTelemetry name an exporter.

Without them, no package of OpenTelemetry is imported.
"""

import logging
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mediakit.errors import MissingPackage
from mediakit.installation import required

if TYPE_CHECKING:
    from opentelemetry.sdk.trace.export import SpanExporter
    from opentelemetry.trace import Tracer

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
            tracer = _tracer(environment)
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
                attributes = _attributes(scope)
                span.update_name(f"{method} {attributes.get('http.route', '')}".rstrip())
                span.set_attributes(attributes)


def _attributes(scope: Scope) -> dict[str, str]:
    """Return the attributes of a request: neither its query nor its path, which can contain tokens."""
    found = {"http.request.method": scope["method"], "url.scheme": scope["scheme"]}
    if route := scope.get("route"):
        found["http.route"] = route.path
    if tool := getattr(getattr(scope.get("endpoint"), "__self__", None), "tool", None):
        found["mediakit.tool"] = tool.name
    return found | {"mediakit.request_id": scope.get("request_id", "")}


def _tracer(environment: Mapping[str, str]) -> "Tracer":
    """Return a tracer of the provider of the program, or of a new provider."""
    from opentelemetry import trace
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    if isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider):  # no provider was set
        name = environment.get("OTEL_SERVICE_NAME", SERVICE_NAME)
        provider = TracerProvider(resource=Resource.create({"service.name": name}))
        provider.add_span_processor(BatchSpanProcessor(_exporter(environment)))
        trace.set_tracer_provider(provider)
    return trace.get_tracer("mediakit")


def _exporter(environment: Mapping[str, str]) -> "SpanExporter":
    if environment.get(EXPORTER_VARIABLE) == "console":
        from opentelemetry.sdk.trace.export import ConsoleSpanExporter

        return ConsoleSpanExporter()
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

    return OTLPSpanExporter()
