"""Decodes the bytes of a file, repairs the text line by line, and lists the changes. Runs in a worker process."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby, takewhile
from typing import Any, Literal

from mediakit.engines.charsets import Charset, analyze, iana_name, known_codec, marked_charset, text_sample
from mediakit.engines.charsets.detection import lines_of_second, odd_lines
from mediakit.engines.file_types.identify import identify, type_name
from mediakit.errors import InvalidInput
from mediakit.tools.files.text_repair.mojibake import EncodingRepair
from mediakit.tools.files.text_repair.tool import ChangeKind, Repaired, TextRepairRequest

MAX_LISTED_LINES = 10

_C1_CONTROLS = re.compile("[\x80-\x9f]")
"""Characters that no text has."""


@dataclass(frozen=True)
class Decoded:
    """A text, and how it was decoded."""

    text: str
    encoding: str | None
    """Registered name in lower case; None for text that was decoded already."""
    confidence: float | None
    language: str | None = None
    alternatives: list[dict[str, str]] = field(default_factory=list)
    had_bom: bool = False
    replaced: int = 0
    warnings: list[str] = field(default_factory=list)


def decode_source(request: TextRepairRequest) -> Decoded:
    """Return the text of a request.

    Raises:
        InvalidInput: The file is not text, the charset is unknown, or bytes are not valid in it.
    """
    if isinstance(request.content, str):
        return Decoded(request.content.removeprefix("\ufeff"), None, None, had_bom=request.content.startswith("\ufeff"))
    if request.encoding.strip().lower() != "auto":
        return _decode_given(request.content, request)
    if not _is_text(request.content):
        raise InvalidInput(f"file: must be text, got {identify(request.content).description}.")
    charset = analyze(request.content, request.language)
    text = _strict(request.content, charset)
    warnings = []
    if charset.second is not None:
        lines, second = _listed(lines_of_second(request.content, charset.second)), iana_name(charset.second)
        warnings = [f"{lines} in {second}, and the others in {charset.name}; each was decoded as such."]
    elif odd := odd_lines(request.content, charset.codec):
        lines = _listed(odd)
        warnings = [f"{lines} not like text in {charset.name}, as if the file had lines in two charsets; check them."]
    return Decoded(
        text.removeprefix("\ufeff"),
        "utf-8" if charset.codec == "utf-8-sig" else charset.name,
        charset.confidence,
        charset.language or request.language,
        _alternatives(request.content, text, charset),
        had_bom=marked_charset(request.content) is not None,
        warnings=warnings,
    )


def _is_text(content: bytes) -> bool:
    """Return whether a file is text, which may have zero bytes: padding, ends of strings, or lines in UTF-16."""
    if marked_charset(content) or text_sample(content) is not None:
        return True
    without = content.replace(b"\0", b"")
    is_text = b"\0" in content and bool(without.strip()) and text_sample(without) is not None
    return is_text and type_name(content) == "unknown"


def _listed(lines: Sequence[int]) -> str:
    """Return numbers of lines as the start of a sentence: `Line 2 is`."""
    if len(lines) == 1:
        return f"Line {lines[0]} is"
    shown = ", ".join(map(str, lines[:MAX_LISTED_LINES]))
    more = len(lines) - MAX_LISTED_LINES
    return f"Lines {shown} and {more:,} more are" if more > 0 else f"Lines {shown} are"


def _strict(content: bytes, charset: Charset) -> str:
    try:
        return charset.decode(content)
    except UnicodeDecodeError as error:
        place = f"byte 0x{content[error.start]:02x} at {error.start}"
        raise InvalidInput(f"file: {place} is not {charset.name}; set encoding, or fix=always to replace it.") from None


def _decode_given(content: bytes, request: TextRepairRequest) -> Decoded:
    """Return the text in a given charset; with `fix=always`, invalid bytes become U+FFFD."""
    codec = known_codec(request.encoding)
    marked = marked_charset(content)
    had_bom = marked is not None and iana_name(marked) == iana_name(codec).removesuffix("le").removesuffix("be")
    reader = marked if had_bom and marked else codec
    if request.fix != "always":
        return Decoded(
            _strict(content, Charset(reader, 1.0)).removeprefix("\ufeff"), iana_name(codec), 1.0, had_bom=had_bom
        )
    text = content.decode(reader, "replace").removeprefix("\ufeff")
    known = text.count("\ufffd") if "\ufffd" in text else 0
    own = content.count("\ufffd".encode()) if codec.startswith("utf-8") else 0
    return Decoded(text, iana_name(codec), 1.0, had_bom=had_bom, replaced=max(0, known - own))


def _alternatives(content: bytes, text: str, charset: Charset) -> list[dict[str, str]]:
    """Return three further charsets whose text differs, each with the first line that shows the difference."""
    found: dict[str, dict[str, str]] = {}
    seen = {text}
    for codec in charset.others:
        other = content.decode(codec)
        if other not in seen and not _C1_CONTROLS.search(other):
            seen.add(other)
            name, lines = iana_name(codec), zip(text.splitlines(), other.splitlines(), strict=False)
            sample = next((theirs for ours, theirs in lines if ours != theirs), other)
            found.setdefault(name, {"encoding": name, "sample": sample.strip()[:80]})
        if len(found) == 3:
            break
    return list(found.values())


MAX_FILE_BYTES = 50_000_000

_LINES = re.compile(r"(\r\n|\r|\n)")
_STRAIGHT = str.maketrans({**dict.fromkeys("“”„‟", '"'), **dict.fromkeys("‘’‚‛", "'")})
_NEWLINES = {"lf": "\n", "crlf": "\r\n"}

Step = tuple[ChangeKind, Callable[[str], str]]

MAX_CHARACTERS = 80
"""Characters of a change that are reported."""

_WORDS = re.compile(r"\s+|\S+")

_BIDI = "\u202a-\u202e\u2066-\u2069"
_C0 = "\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f"
_CANDIDATES = re.compile(f"[{_C0}{_BIDI}\u200b-\u200d\u2060\ufeff]")
_BIDI_CONTROL = re.compile(f"[{_BIDI}]")
"""Embeddings, overrides and isolates of the writing direction (UAX #9)."""
_JOINERS = "\u200c\u200d"
_SPACE = "\u200b"
_NAMES = {
    "\0": "NULL", "\x07": "BELL", "\x08": "BACKSPACE", "\x0b": "LINE TABULATION", "\x0c": "FORM FEED",
    "\x1a": "SUBSTITUTE", "\x1b": "ESCAPE", "\x7f": "DELETE",
}  # fmt: skip
_LAST_LATIN = "\u02af"
_UNSPACED = ((0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF))
"""Thai, Lao, Burmese and Khmer, where the zero-width space separates words."""


class Changes:
    """Collects changes; all are counted, the first 100 kept as the response has them."""

    def __init__(self) -> None:
        self.kept: list[dict[str, Any]] = []
        self.count = 0

    def add(self, kind: ChangeKind, before: str, after: str, line: int) -> None:
        """Add a change in a line by its number, from 1."""
        self.count += 1
        if len(self.kept) < 100:
            self.kept.append({"kind": kind, "before": _cut(before), "after": _cut(after), "line": line})

    def add_line(self, kind: ChangeKind, before: str, after: str, line: int) -> None:
        """Add the words of a line that differ; the whole difference where the number of words changed."""
        old, new = _WORDS.findall(before), _WORDS.findall(after)
        if len(old) != len(new):
            start = _common_length(before, after)
            before, after = before[start:], after[start:]
            end = _common_length(before[::-1], after[::-1])
            old, new = [before[: len(before) - end]], [after[: len(after) - end]]
        for one, other in zip(old, new, strict=True):
            if one != other:
                self.add(kind, one, other, line)


def repair(request: TextRepairRequest) -> Repaired:
    """Return a text as clean UTF-8.

    Raises:
        InvalidInput: The file is not text, or bytes are not valid in the charset.
    """
    decoded = decode_source(request)
    pieces = _LINES.split(decoded.text)
    lines, breaks = pieces[::2], pieces[1::2]
    changes = Changes()
    encoding = None if request.fix == "none" else EncodingRepair(lines, is_forced=request.fix == "always")
    steps: list[Step] = [("encoding", encoding.fix)] if encoding else []
    if request.unicode != "keep":
        form: Literal["NFC", "NFKC"] = "NFC" if request.unicode == "nfc" else "NFKC"
        steps.append(("unicode", partial(unicodedata.normalize, form)))
    if request.quotes == "straight":
        steps.append(("quotes", lambda line: line.translate(_STRAIGHT)))
    repaired = [_repair_line(line, number, steps, request, changes) for number, line in enumerate(lines, 1)]
    kept = [_NEWLINES.get(request.newline, each) for each in breaks]
    text = "".join(part for pair in zip(repaired, (*kept, ""), strict=True) for part in pair)
    content = _encoded(text, has_bom=request.bom)
    fields = {
        "encoding": decoded.encoding,
        "confidence": decoded.confidence,
        "language": decoded.language,
        "alternatives": decoded.alternatives,
        "had_bom": decoded.had_bom,
        "newlines": {"lf": breaks.count("\n"), "crlf": breaks.count("\r\n"), "cr": breaks.count("\r")},
        "changes": sorted(changes.kept, key=lambda change: change["line"]),
        "replaced": decoded.replaced,
        "bidi_controls": len(_BIDI_CONTROL.findall(decoded.text)),
    }
    notes = [*decoded.warnings, *filter(None, (encoding.note if encoding else None,))]
    return Repaired(content, fields, [*notes, *_warnings(fields, changes)])


def _repair_line(line: str, number: int, steps: Sequence[Step], request: TextRepairRequest, changes: Changes) -> str:
    """Return a repaired line; the steps are in a fixed order, as each relies on those before it."""
    for kind, step in steps:
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
    if changes.count > len(changes.kept):
        warnings.append(f"changes lists the first {len(changes.kept)} of {changes.count:,} changes.")
    return warnings


def _common_length(one: str, other: str) -> int:
    """Return how many characters at the start of two texts are the same."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _cut(text: str) -> str:
    return text if len(text) <= MAX_CHARACTERS else f"{text[:MAX_CHARACTERS]}…"


def remove_controls(line: str, number: int, changes: Changes) -> str:
    """Return a line without control characters; each is reported as `U+202E RIGHT-TO-LEFT OVERRIDE (2 times)`.

    Joiners between letters of scripts that need them, as Persian, and in emoji, are kept.
    """
    places = [match.start() for match in _CANDIDATES.finditer(line) if not _is_needed(line, match.start())]
    if not places:
        return line
    for (sign, _), run in groupby(enumerate(places), lambda item: (line[item[1]], item[1] - item[0])):
        name = f"U+{ord(sign):04X} {_NAMES.get(sign) or unicodedata.name(sign, 'CONTROL')}"
        count = len(list(run))
        changes.add("control", name + (f" ({count:,} times)" if count > 1 else ""), "", number)
    removed = set(places)
    return "".join(character for place, character in enumerate(line) if place not in removed)


def _is_needed(line: str, position: int) -> bool:
    character = line[position]
    before, after = line[position - 1 : position], line[position + 1 : position + 2]
    if not before or not after:
        return False
    if character in _JOINERS:
        return before > _LAST_LATIN and not before.isspace() and after > _LAST_LATIN and not after.isspace()
    return character == _SPACE and any(first <= ord(before) <= last for first, last in _UNSPACED)
