"""The endpoint of usage reports: `GET /usage`."""

from dataclasses import KW_ONLY
from typing import Annotated, Any

from pydantic import Field
from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import Response

from mediakit.accounts.accounts import MAX_DAYS, MAX_RECENT_CALLS, usage_report
from mediakit.api.context import Context
from mediakit.api.responses import JsonResponse
from mediakit.core.parameters import Parameter, json_schema, parameters
from mediakit.core.request import build, request, unknown
from mediakit.errors import InvalidInput


@request
class UsageRequest:
    """The options of a usage report."""

    _: KW_ONLY
    days: Annotated[int, Field(ge=1, le=MAX_DAYS)] = 30
    """Number of days in UTC, including today."""
    recent: Annotated[int, Field(ge=0, le=MAX_RECENT_CALLS)] = 20
    """Maximum number of recent calls."""


class UsageEndpoint:
    """Handles `GET /usage`."""

    def __init__(self, context: Context) -> None:
        self.context = context

    async def respond(self, request: Request) -> Response:
        """Return the plan, the credits and the calls of an account. The call costs no credit.

        Raises:
            InvalidInput: An option is unknown, repeated or out of range.
            InvalidKey: The key is missing or not valid.
        """
        principal = await self.context.authenticate(request)
        options: Any = build(UsageRequest, _parse(request.query_params))
        report = await self.context.run_blocking(
            usage_report, self.context.accounts, principal, days=options.days, recent=options.recent
        )
        return JsonResponse(report)


def usage_options() -> tuple[Parameter, ...]:
    """Return the query options."""
    return parameters(UsageRequest, json_schema(UsageRequest))


def _parse(query: QueryParams) -> dict[str, Any]:
    known = {option.name: option for option in usage_options()}
    values: dict[str, Any] = {}
    for name, text in query.multi_items():
        if name not in known:
            raise unknown([name], list(known))
        if name in values:
            raise InvalidInput(f"{name}: must not be repeated in the query.")
        values[name] = known[name].parse(text)
    return values
