"""How the codes of a file show themselves in a notebook: the file with numbered frames, and a table.

What codes say comes from strangers: it is text, never markup and never a link to follow by mistake.
"""

from html import escape
from typing import Any

import pybase64

from mediakit.core.runtime import runtime
from mediakit.engines import workers
from mediakit.errors import MediakitError
from mediakit.tools.images.code_reader import jobs
from mediakit.tools.images.code_reader.result import Code, CodesResult

SHOWN = 300
"""Characters of a text that a table shows."""

SECONDS = 10.0

_BOX = "max-width:60em;font:13px/1.5 system-ui,sans-serif;color:inherit"
_IMAGE = "display:block;max-width:min(100%,30em);height:auto;margin:0 0 10px;border-radius:6px"
_TABLE = "border-collapse:collapse;margin:0;font-size:13px"
_CELL = "padding:6px 14px 6px 0;border-top:1px solid rgba(128,128,128,.3);text-align:left;vertical-align:top"
_TEXT = "font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere;white-space:pre-wrap"
_SOFT = "opacity:.7;font-size:12px"


def html(result: CodesResult) -> str:
    """Write a result as HTML.

    Notebooks typeset TeX wherever they find dollar signs; the two classes tell them not to.
    """
    alt = escape(result.alt or f"What was read, with numbered frames around {result.extent}")
    images = "".join(f'<img style="{_IMAGE}" src="{_data_uri(each)}" alt="{alt}">' for each in _drawn(result))
    return f'<div class="tex2jax_ignore mathjax_ignore" style="{_BOX}">{images}{_table(result)}</div>'


def _drawn(result: CodesResult) -> list[bytes]:
    if result.source is None or runtime.inside:
        return []
    marks = [(number, code.page, _corners(code)) for number, code in enumerate(result.codes, 1)]
    try:
        return runtime.run(workers.run(jobs.drawn, result.source, marks, result.scale, seconds=SECONDS))
    except (MediakitError, workers.WorkerFailed):  # the table says all that matters
        return []


def _corners(code: Code) -> list[tuple[int, int]]:
    place = code.position
    return [place.top_left, place.top_right, place.bottom_right, place.bottom_left]


def _data_uri(content: bytes) -> str:
    kind = "png" if content.startswith(b"\x89PNG") else "jpeg"
    return f"data:image/{kind};base64,{pybase64.b64encode(content).decode()}"


def _table(result: CodesResult) -> str:
    if not result.codes:
        return "<div>No code was found.</div>"
    paged = any(code.page for code in result.codes)
    names = ["No.", "Code", "Text", *(["Page"] if paged else [])]
    head = "".join(f'<th scope="col" style="{_CELL};border-top:0;{_SOFT}">{name}</th>' for name in names)
    rows = "".join(_row(number, code, paged=paged) for number, code in enumerate(result.codes, 1))
    more = f'<div style="{_SOFT};margin-top:6px">There are more; ask with a larger max_codes.</div>'
    table = f'<table style="{_TABLE}"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'
    return table + (more if result.truncated else "")


def _row(number: int, code: Code, *, paged: bool) -> str:
    doubt = f'<div style="{_SOFT}">not sure</div>' if code.confidence == "medium" else ""
    cells = [
        f"<b>{number}</b>",
        f"{escape(code.format)}{doubt}",
        f'<div style="{_TEXT}" dir="auto">{escape(_cut(_visible(code.text)))}</div>{_details(code)}',
        *([str(code.page or "")] if paged else []),
    ]
    return "<tr>" + "".join(f'<td style="{_CELL}">{cell}</td>' for cell in cells) + "</tr>"


def _details(code: Code) -> str:
    facts = [f"{each.title or each.ai}: {each.value}" for each in code.gs1 or []]
    if code.parsed:
        told = [f"{name}: {_said(value)}" for name, value in code.parsed.items() if name not in ("type", "url")]
        facts = [str(code.parsed["type"]), *told] if told else []
    if code.add_on:
        facts.append(f"add-on: {code.add_on}")
    return f'<div style="{_SOFT}" dir="auto">{escape(_cut(" · ".join(facts)))}</div>' if facts else ""


def _said(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _visible(text: str) -> str:
    """Show control characters by their pictures (U+2400 and on)."""
    return "".join(chr(0x2400 + ord(mark)) if ord(mark) < 32 and mark not in "\r\n\t" else mark for mark in text)


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
