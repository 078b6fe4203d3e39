"""OpenTelemetry traces: the spans that a collector receives from a real server, and no import without settings."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from mediakit.api.monitoring import is_configured
from tests.api.test_monitoring import running_server, wait_until

TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736"


@contextmanager
def collector() -> Iterator[tuple[str, list[Any]]]:
    """Run a collector of OTLP over HTTP, and return its URL and the spans that it receives."""
    spans: list[Any] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
                spans.extend(span for scope in resource.scope_spans for span in scope.spans)
            self.send_response(200)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the name of the base class
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", spans
        server.shutdown()


def attributes(span: Any) -> dict[str, Any]:
    return {each.key: each.value.string_value or each.value.int_value for each in span.attributes}


def test_collector_receives_span_of_each_request(tmp_path: Path) -> None:
    variables = {"OTEL_BSP_SCHEDULE_DELAY": "100", "OTEL_EXPORTER_OTLP_COMPRESSION": "none"}
    with collector() as (endpoint, spans):
        with running_server(tmp_path, OTEL_EXPORTER_OTLP_ENDPOINT=endpoint, **variables) as (url, _):
            headers = {"traceparent": f"00-{TRACE_ID}-00f067aa0ba902b7-01"}
            call = httpx.post(f"{url}/qr?token=private", json={"data": "private"}, headers=headers, timeout=60)
            assert call.status_code == 401
            httpx.get(f"{url}/files/private", timeout=60)
            wait_until(lambda: {"POST /qr", "GET /files/{token}"} <= {span.name for span in spans})
        by_name = {span.name: span for span in spans}
    span = by_name["POST /qr"]
    assert span.trace_id.hex() == TRACE_ID
    assert attributes(span) == {
        "http.request.method": "POST",
        "http.response.status_code": 401,
        "http.route": "/qr",
        "mediakit.request_id": call.headers["x-request-id"],
        "mediakit.tool": "qr",
        "url.scheme": "http",
    }
    assert attributes(by_name["GET /files/{token}"])["http.response.status_code"] == 404
    assert not [each for each in spans if "private" in str(each)]


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": ""}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"}, True),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://127.0.0.1:4318/v1/traces"}, True),
        ({"OTEL_TRACES_EXPORTER": "console"}, True),
        ({"OTEL_TRACES_EXPORTER": "none", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"}, False),
        ({"OTEL_SDK_DISABLED": "true", "OTEL_TRACES_EXPORTER": "otlp"}, False),
    ],
)
def test_variables_of_opentelemetry_turn_traces_on(environment: dict[str, str], expected: bool) -> None:
    assert is_configured(environment) is expected


def test_app_without_variables_imports_no_opentelemetry(tmp_path: Path) -> None:
    code = "import sys, mediakit.api.app as a; a.create_app(); print('opentelemetry' in sys.modules)"
    environment = {"MEDIAKIT_HOME": str(tmp_path), "PATH": "", "PYTHONPATH": ":".join(sys.path)}
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, timeout=120)
    assert ran.stdout == "False\n"
