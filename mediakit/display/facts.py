"""A table of facts about a file for notebooks: a title, rows of name and value, warnings."""

from collections.abc import Iterable
from html import escape

_BOX = "max-width:56em;font:13px/1.5 system-ui,sans-serif;color:inherit"
_TITLE = "font-size:15px;font-weight:600"
_SOFT = "opacity:.7"
_TABLE = "border-collapse:collapse;margin:8px 0 0;font-size:13px;color:inherit;font-variant-numeric:tabular-nums"
_LINE = "padding:5px 18px 5px 0;border:0;border-top:1px solid rgba(128,128,128,.3);text-align:left;vertical-align:top"
_WARNING = "margin:8px 0 0;padding:6px 12px;border-left:3px solid #d97706;background:rgba(217,119,6,.1)"


def facts_html(title: str, subtitle: str, facts: Iterable[tuple[str, str]], warnings: Iterable[str] = ()) -> str:
    """Return facts as HTML; facts without a value are omitted. Everything is shown as text.

    The two classes keep notebooks from typesetting dollar signs as TeX.

    Args:
        title: What the facts are about.
        subtitle: Shown beside the title.
        facts: Names and values.
        warnings: Sentences, shown between the title and the facts.
    """
    rows = "".join(
        f'<tr style="background:none"><th scope="row" style="{_LINE};font-weight:400;white-space:nowrap;{_SOFT}">'
        f'{escape(name)}</th><td dir="auto" style="{_LINE};overflow-wrap:anywhere">{escape(value)}</td></tr>'
        for name, value in facts
        if value
    )
    notes = "".join(f'<div style="{_WARNING}">{escape(warning)}</div>' for warning in warnings)
    head = f'<span style="{_TITLE}">{escape(title)}</span> <span style="{_SOFT}">{escape(subtitle)}</span>'
    table = f'<table style="{_TABLE}"><tbody>{rows}</tbody></table>'
    return f'<div class="tex2jax_ignore mathjax_ignore" style="{_BOX}">{head}{notes}{table}</div>'
