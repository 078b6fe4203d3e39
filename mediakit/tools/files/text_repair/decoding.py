"""The bytes of a file as text."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from mediakit.engines.charsets import Charset, analyze, iana_name, known_codec, marked_charset, text_sample
from mediakit.engines.charsets.mixed_lines import lines_of_second, odd_lines
from mediakit.engines.file_types import identify, type_name
from mediakit.errors import InvalidInput
from mediakit.tools.files.text_repair.tool import TextRepairRequest

MAX_ALTERNATIVES = 3
MAX_SAMPLE_CHARACTERS = 80
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
    return Decoded(
        text.removeprefix("\ufeff"),
        "utf-8" if charset.codec == "utf-8-sig" else charset.name,
        charset.confidence,
        charset.language or request.language,
        _alternatives(request.content, text, charset),
        had_bom=marked_charset(request.content) is not None,
        warnings=list(_charset_warnings(request.content, charset)),
    )


def _is_text(content: bytes) -> bool:
    """Return whether a file is text, which may have zero bytes: padding, ends of strings, or lines in UTF-16."""
    if marked_charset(content) or text_sample(content) is not None:
        return True
    without = content.replace(b"\0", b"")
    is_text = b"\0" in content and bool(without.strip()) and text_sample(without) is not None
    return is_text and type_name(content) == "unknown"


def _charset_warnings(content: bytes, charset: Charset) -> Iterator[str]:
    """Yield what to say of a text whose lines are in two charsets."""
    if charset.second is not None:
        lines = _listed(lines_of_second(content, charset.second))
        yield f"{lines} in {iana_name(charset.second)}, and the others in {charset.name}; each was decoded as such."
    elif odd := odd_lines(content, charset.codec):
        yield f"{_listed(odd)} not like text in {charset.name}, as if the file had lines in two charsets; check them."


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
    """Return further charsets whose text differs, each with the first line that shows the difference."""
    found: dict[str, dict[str, str]] = {}
    seen = {text}
    for codec in charset.others:
        other = content.decode(codec)
        if other not in seen and not _C1_CONTROLS.search(other):
            seen.add(other)
            name = iana_name(codec)
            found.setdefault(name, {"encoding": name, "sample": _difference(text, other)})
        if len(found) == MAX_ALTERNATIVES:
            break
    return list(found.values())


def _difference(text: str, other: str) -> str:
    lines = zip(text.splitlines(), other.splitlines(), strict=False)
    line = next((theirs for ours, theirs in lines if ours != theirs), other)
    return line.strip()[:MAX_SAMPLE_CHARACTERS]
