"""HTML of views that a template writes, a file beside the module of the view."""

from functools import cache
from pathlib import Path
from typing import Any


def view_html(path: Path, **values: Any) -> str:
    """Return the HTML that the template in a file writes with these values, all of which are escaped."""
    return str(_template(path).render(values)).strip()


@cache
def _template(path: Path) -> Any:
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined)
    return environment.from_string(path.read_text("utf-8"))
