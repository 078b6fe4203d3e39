"""Repairs a text. Runs in a worker process."""

import re
import unicodedata
from collections.abc import Callable
from functools import partial
from typing import Any, Literal

from mediakit.errors import InvalidInput
from mediakit.tools.files.text_repair.changes import ChangeKind, Changes
from mediakit.tools.files.text_repair.controls import count_bidi_controls, remove_controls
from mediakit.tools.files.text_repair.decoding import decode_source
from mediakit.tools.files.text_repair.mojibake import fix_line
from mediakit.tools.files.text_repair.request import Repaired, TextRepairRequest

MAX_FILE_BYTES = 50_000_000

_LINES = re.compile(r"(\r\n|\r|\n)")
_STRAIGHT = str.maketrans({**dict.fromkeys("“”„‟", '"'), **dict.fromkeys("‘’‚‛", "'")})
_NEWLINES = {"lf": "\n", "crlf": "\r\n"}

Step = tuple[ChangeKind, Callable[[str], str]]


def repair(request: TextRepairRequest) -> Repaired:
    """Return a text as clean UTF-8.

    Raises:
        InvalidInput: The file is not text, or bytes are not valid in the charset.
    """
    decoded = decode_source(request)
    pieces = _LINES.split(decoded.text)
    lines, breaks = pieces[::2], pieces[1::2]
    changes = Changes()
    repaired = [_repair_line(line, number, request, changes) for number, line in enumerate(lines, 1)]
    text = _joined(repaired, breaks, _NEWLINES.get(request.newline))
    content = _encoded(text, has_bom=request.bom)
    fields = {
        "encoding": decoded.encoding,
        "confidence": decoded.confidence,
        "language": decoded.language,
        "alternatives": decoded.alternatives,
        "had_bom": decoded.had_bom,
        "newlines": {"lf": breaks.count("\n"), "crlf": breaks.count("\r\n"), "cr": breaks.count("\r")},
        "changes": changes.as_fields(),
        "replaced": decoded.replaced,
        "bidi_controls": count_bidi_controls(decoded.text),
    }
    return Repaired(content, fields, _warnings(fields, changes))


def _repair_line(line: str, number: int, request: TextRepairRequest, changes: Changes) -> str:
    """Return a repaired line; the steps are in a fixed order, as each relies on those before it."""
    for kind, step in _steps(request):
        changed = step(line)
        if changed != line:
            changes.add_line(kind, line, changed, number)
            line = changed
    if request.controls == "remove":
        line = remove_controls(line, number, changes)
    if request.trim and (kept := line.rstrip(" \t\u00a0\u3000")) != line:
        changes.add("trim", line[len(kept) :], "", number)
        line = kept
    return line


def _steps(request: TextRepairRequest) -> list[Step]:
    steps: list[Step] = []
    if request.fix != "none":
        steps.append(("encoding", partial(fix_line, is_forced=request.fix == "always")))
    if request.unicode != "keep":
        form: Literal["NFC", "NFKC"] = "NFC" if request.unicode == "nfc" else "NFKC"
        steps.append(("unicode", partial(unicodedata.normalize, form)))
    if request.quotes == "straight":
        steps.append(("quotes", lambda line: line.translate(_STRAIGHT)))
    return steps


def _joined(lines: list[str], breaks: list[str], newline: str | None) -> str:
    """Return lines joined by one line break, or by their own."""
    if newline is not None:
        return newline.join(lines)
    return "".join(part for pair in zip(lines, (*breaks, ""), strict=True) for part in pair)


def _encoded(text: str, *, has_bom: bool) -> bytes:
    try:
        content = text.encode("utf-8-sig" if has_bom else "utf-8")
    except UnicodeEncodeError as error:
        raise InvalidInput(f"text: has a lone surrogate at {error.start}, which is not a character.") from None
    if len(content) > MAX_FILE_BYTES:
        raise InvalidInput(f"file: must have at most {MAX_FILE_BYTES // 1_000_000} MB as UTF-8.")
    return content


def _warnings(fields: dict[str, Any], changes: Changes) -> list[str]:
    warnings = []
    confidence = fields["confidence"]
    if confidence is not None and confidence < 0.6:
        warnings.append(f"The charset {fields['encoding']} is uncertain; see alternatives, or set encoding.")
    if fields["replaced"]:
        warnings.append(f"{fields['replaced']:,} bytes are not {fields['encoding']} and were replaced by U+FFFD.")
    if fields["bidi_controls"]:
        warnings.append("The text has controls of the writing direction, which can make it look like another text.")
    total = sum(changes.counts.values())
    if total > len(changes.kept):
        warnings.append(f"changes lists the first {len(changes.kept)} of {total:,} changes.")
    return warnings
