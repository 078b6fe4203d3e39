"""Values as TOML, which has no null and begins with an object."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from mediakit.engines.tables.model import Facts

ROWS_KEY = "rows"
"""Key of the array where the value is not an object."""


def encode(value: Any, facts: Facts) -> str:
    """Return a value as a TOML document; a warning says what TOML could not hold."""
    import tomli_w

    if not isinstance(value, dict):
        value = {ROWS_KEY: value if isinstance(value, list) else [value]}
        facts.warn(f'TOML begins with an object; the value is under the key "{ROWS_KEY}".')
    return tomli_w.dumps(_without_nulls(value, facts))


def encode_rows(rows: Sequence[dict[str, Any]], facts: Facts) -> str:
    """Return rows as an array of tables."""
    import tomli_w

    parts = []
    for row in rows:
        plain = _without_nulls(row, facts)
        if any(isinstance(item, dict | list) for item in plain.values()):
            return encode({ROWS_KEY: list(rows)}, facts)
        parts.append(f"[[{ROWS_KEY}]]\n{tomli_w.dumps(plain)}")
    return "\n".join(parts)


def _without_nulls(value: Any, facts: Facts) -> Any:
    if isinstance(value, dict):
        if any(item is None for item in value.values()):
            facts.warn("TOML has no null; keys without a value were omitted.")
        return {key: _without_nulls(item, facts) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        if any(item is None for item in value):
            facts.warn("TOML has no null; items without a value were omitted.")
        return [_without_nulls(item, facts) for item in value if item is not None]
    return float(value) if isinstance(value, Decimal) else value
