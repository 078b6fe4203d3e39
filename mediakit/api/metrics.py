"""Prometheus metrics of the API.

With several worker processes, each process writes its values to files in a folder that all of them share, and each
response of `/metrics` has the sums. The values of a process that ended stay in the sums of counters.
"""

import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

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
