"""Functions that run in a worker process. Importing this module does not import lxml."""

from collections.abc import Mapping
from typing import Any

from mediakit.engines.word_templates.field_info import Filled, MissingPolicy


def fill_template(content: bytes, data: Mapping[str, Any] | None, missing: MissingPolicy) -> Filled:
    """List or fill the placeholders of a Word file; see `filling.fill`."""
    from mediakit.engines.word_templates import filling

    return filling.fill(content, data, missing)
