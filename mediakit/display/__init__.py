"""How bytes and values are shown in a notebook, in light and dark: templates, tables, and facts about a file.

`views.html` has the HTML; large views have templates of their own.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
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


MAX_SHOWN_ROWS = 20
MAX_SHOWN_COLUMNS = 30


@dataclass(frozen=True)
class ShownColumn:
    """A column as a notebook shows it."""

    name: str
    type: str
    is_right_aligned: bool = False


def table_html(columns: Sequence[ShownColumn], rows: Sequence[Sequence[str | None]], caption: str, total: int) -> str:
    """Return the first rows of a table of `total` rows as HTML; None is null."""
    shown = columns[:MAX_SHOWN_COLUMNS]
    omitted = (total - min(len(rows), MAX_SHOWN_ROWS), "row"), (len(columns) - len(shown), "column")
    more = " and ".join(f"{count:,} more {unit}{'s' if count > 1 else ''}" for count, unit in omitted if count > 0)
    return view("table", columns=shown, rows=rows[:MAX_SHOWN_ROWS], caption=caption, more=more)


def facts_html(title: str, subtitle: str, facts: Iterable[tuple[str, str]], warnings: Iterable[str] = ()) -> str:
    """Return facts as HTML; facts without a value are omitted. Everything is shown as text."""
    return view("facts", title=title, subtitle=subtitle, facts=facts, warnings=warnings)
