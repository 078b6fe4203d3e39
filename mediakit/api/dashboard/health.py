"""The operator's page of health: readiness, the render queue, and the numbers of `/metrics` by path."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from prometheus_client.parser import text_string_to_metric_families
from starlette.requests import Request
from starlette.responses import Response

from mediakit.api.context import Context
from mediakit.api.dashboard.session import page, require_admin
from mediakit.engines import browser

Endpoint = Callable[[Request], Awaitable[Response]]

CALLS, SECONDS_COUNT, SECONDS_SUM = "mediakit_calls_total", "mediakit_call_seconds_count", "mediakit_call_seconds_sum"


@dataclass(slots=True)
class PathNumbers:
    """The responses of one path since the server started."""

    path: str
    responses: int = 0
    refused: int = 0
    """Responses with a status of 400 to 499."""
    failed: int = 0
    """Responses with a status of 500 or more."""
    seconds: float = 0.0
    measured: int = 0

    @property
    def mean_milliseconds(self) -> int:
        """The mean response time."""
        return round(1000 * self.seconds / self.measured) if self.measured else 0


class HealthPages:
    """The page of health.

    Args:
        context: What every endpoint uses.
        metrics: The endpoint of `/metrics`.
    """

    def __init__(self, context: Context, metrics: Endpoint) -> None:
        self.context = context
        self._metrics = metrics

    async def show(self, request: Request) -> Response:
        """Return the page."""
        signed_in = await require_admin(request, self.context)
        metrics = bytes((await self._metrics(request)).body).decode()
        return page(
            request,
            "operator_health.html",
            signed_in,
            checks=await self.context.readiness.check(),
            renders=shared.slots if (shared := browser.existing()) else None,
            files=self.context.file_slots,
            paths=numbers_by_path(metrics),
        )


def numbers_by_path(metrics: str) -> list[PathNumbers]:
    """Return the numbers of each path from the text of `/metrics`, those of the dashboard last."""
    paths: dict[str, PathNumbers] = {}
    for family in text_string_to_metric_families(metrics):
        for sample in family.samples:
            if "path" in sample.labels:
                path = sample.labels["path"]
                _add(paths.setdefault(path, PathNumbers(path)), sample.name, sample.labels, sample.value)
    return sorted(paths.values(), key=lambda each: (each.path.startswith("/dashboard"), -each.responses, each.path))


def _add(numbers: PathNumbers, name: str, labels: dict[str, str], value: float) -> None:
    if name == CALLS:
        numbers.responses += int(value)
        status = int(labels["status"])
        numbers.refused += int(value) if 400 <= status < 500 else 0
        numbers.failed += int(value) if status >= 500 else 0
    elif name == SECONDS_COUNT:
        numbers.measured += int(value)
    elif name == SECONDS_SUM:
        numbers.seconds += value
