"""Metrics of the calls, and gauges of this process: its renders, Chromium processes and calls with files."""

import asyncio
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

from mediakit.core.slots import Slots

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
