"""Prometheus metrics of the API."""

from prometheus_client import CollectorRegistry, Counter, Histogram

REGISTRY = CollectorRegistry()

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
