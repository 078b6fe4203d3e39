"""JSON Schemas of the tools of this package as files, which load faster than pydantic can make them.

`docs/build.py` writes them. A schema that changes while the program runs has no file.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent.parent / "schemas"

OWN_MODULES = "mediakit.tools."


def stored_schema(function: Callable[..., Any]) -> dict[str, Any] | None:
    """Return the JSON Schema of the request of a tool's function; None if there is no file of it."""
    if not function.__module__.startswith(OWN_MODULES):
        return None
    try:
        text = (FOLDER / f"{function.__name__}.json").read_text("utf-8")
    except FileNotFoundError:
        return None
    schema: dict[str, Any] = json.loads(text)
    return schema
