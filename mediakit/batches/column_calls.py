"""The warning for a batch of a validator whose rows fit into one call."""

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

from mediakit.core.tool import Tool
from mediakit.engines.validation.service import ValuesRequest
from mediakit.engines.validation.values import MAX_VALUES


def warn_of_column(tool: Tool[..., Any], rows: Sequence[Mapping[str, Any]]) -> None:
    """Warn if a validator is called for each row although it takes the values of all rows in one call.

    Args:
        tool: The tool.
        rows: The fields of each call.
    """
    if len(rows) < 2 or not issubclass(tool.request, ValuesRequest):
        return
    field = tool.request.value_field
    others = [{name: value for name, value in row.items() if name != field} for row in rows]
    if any(field not in row or other != others[0] for row, other in zip(rows, others, strict=True)):
        return
    message = (
        f"batch: {tool.name} takes a column of up to {MAX_VALUES:,} values in one call, for one credit: "
        f'mediakit.{tool.name}(frame["{field}"]).'
    )
    warnings.warn(message, UserWarning, stacklevel=4)
