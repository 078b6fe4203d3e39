"""Notebook display of a repaired text: facts, the text with the changes marked, and other charsets."""

from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import Any

from mediakit.results.result import Bundle
from mediakit.tools.files.text_repair.result import Alternative, TextResult

MAX_SHOWN_CHARACTERS = 20_000

_BOX = (
    "max-width:56em;border:1px solid rgba(128,128,128,.35);border-radius:8px;padding:12px 16px;"
    "font:13px/1.5 system-ui,sans-serif;color:inherit"
)
_SOFT = "opacity:.7"
_TEXT = (
    "max-height:30em;overflow:auto;margin:10px 0 0;padding:10px 0 0;border:0;"
    "border-top:1px solid rgba(128,128,128,.25);"
    "white-space:pre-wrap;overflow-wrap:anywhere;background:none;color:inherit;font:13px/1.6 ui-monospace,monospace"
)
_MARK = "background:rgba(34,160,90,.22);color:inherit;border-radius:3px;padding:0 1px"
_REMOVED = "background:rgba(217,60,60,.18);color:inherit;border-radius:3px;padding:0 3px;font-size:11px"
_WARNING = "margin:8px 0 0;padding:6px 12px;border-left:3px solid #d97706;background:rgba(217,119,6,.1)"


def bundle(result: TextResult) -> Bundle:
    """Return a text as HTML, with what was changed in green and what was removed in red.

    The two classes keep notebooks from typesetting dollar signs as TeX.
    """
    facts = " · ".join(escape(fact) for fact in _facts(result))
    notes = "".join(f'<div style="{_WARNING}">{escape(note)}</div>' for note in result.meta.get("warnings", ()))
    shown = (
        f'<div class="tex2jax_ignore mathjax_ignore" style="{_BOX}"><b>{escape(result.filename)}</b> '
        f'<span style="{_SOFT}">{facts}</span>{notes}{_alternatives(result.alternatives)}'
        f'<pre tabindex="0" role="region" aria-label="Text" style="{_TEXT}" dir="auto">'
        f"{_marked(result.changes, result.text)}</pre></div>"
    )
    return {"text/html": shown}, {}


def _facts(result: TextResult) -> Iterator[str]:
    yield result._facts()
    if result.encoding:
        is_uncertain = result.confidence is not None and result.confidence < 1
        yield f"was {result.encoding}{f' ({result.confidence:.0%} certain)' if is_uncertain else ''}"
    if result.had_bom:
        yield "had a byte order mark"
    used = [f"{count:,} {name.upper()}" for name, count in result.newlines.items() if count]
    if len(used) > 1:
        yield f"mixed line breaks: {', '.join(used)}"
    count = len(result.changes)
    yield f"{count}{'+' if count == 100 else ''} {'change' if count == 1 else 'changes'}" if count else "no changes"


def _alternatives(alternatives: Iterable[Alternative]) -> str:
    rows = "".join(
        f'<div><code style="background:none;color:inherit">{escape(one["encoding"])}</code>: '
        f"<bdi>{escape(one['sample'])}</bdi></div>"
        for one in alternatives
    )
    if not rows:
        return ""
    return f'<details style="margin:8px 0 0"><summary style="{_SOFT}">Other charsets</summary>{rows}</details>'


def _marked(changes: Iterable[Mapping[str, Any]], text: str) -> str:
    """Return the text with the changes of each line marked."""
    shown = text[:MAX_SHOWN_CHARACTERS]
    by_line: dict[int, list[Mapping[str, Any]]] = {}
    for change in changes:
        by_line.setdefault(change["line"], []).append(change)
    lines = shown.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    marked = "\n".join(_marked_line(line, by_line.get(number, [])) for number, line in enumerate(lines, 1))
    omitted = len(text) - len(shown)
    return marked + (f'\n<span style="{_SOFT}">… and {omitted:,} more characters in .text</span>' if omitted else "")


def _marked_line(line: str, changes: list[Mapping[str, Any]]) -> str:
    parts, position = [], 0
    for change in changes:
        after = change["after"]
        found = line.find(after, position) if after else -1
        if found >= 0:
            title = escape(f"was {change['before']}", quote=True)
            parts.append(f'{escape(line[position:found])}<mark style="{_MARK}" title="{title}">{escape(after)}</mark>')
            position = found + len(after)
    removed = (change["before"] for change in changes if change["kind"] == "control")
    notes = "".join(f' <del style="{_REMOVED}">{escape(name)}</del>' for name in removed)
    return "".join(parts) + escape(line[position:]) + notes
