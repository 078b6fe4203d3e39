"""How bytes and values are shown in a notebook. `views.html` has the HTML; large views have templates of their own."""

import re
from functools import cache
from pathlib import Path
from typing import Any


def view(macro: str, /, **values: Any) -> str:
    """Return the HTML of a macro in `views.html`. Texts are escaped."""
    return str(getattr(_macros(), macro)(**values))


@cache
def _macros() -> Any:
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, undefined=StrictUndefined)
    environment.globals["zip"] = zip
    environment.filters["cut"] = _cut
    source = (Path(__file__).parent / "views.html").read_text("utf-8")
    return environment.from_string(re.sub(r"\n\s*", "", source)).module


def view_html(path: Path, **values: Any) -> str:
    """Return the HTML that the template in a file writes with these values. Texts are escaped."""
    return str(_template(path).render(values)).strip()


@cache
def _template(path: Path) -> Any:
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined)
    return environment.from_string(path.read_text("utf-8"))


MAX_CELL_CHARACTERS = 80
"""Characters of a cell; the whole text is its tooltip."""


def _cut(text: str) -> str:
    """Return a text on one line, with an ellipsis where it is longer than shown."""
    line = " ↵ ".join(text[: MAX_CELL_CHARACTERS + 1].splitlines())
    return line[:MAX_CELL_CHARACTERS] + ("…" if len(text) > MAX_CELL_CHARACTERS else "")
