"""Archives whose content is not trusted: what is known of their entries, unsafe names, and limits on sizes.

`archive` opens archives of all kinds, and `container` files that are ZIP archives themselves, such as DOCX and EPUB.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Annotated

from pydantic import Field

from mediakit.errors import InvalidInput
from mediakit.results.item import Item

ArchivePassword = Annotated[
    str, Field(min_length=1, max_length=128, json_schema_extra={"format": "password", "writeOnly": True})
]
"""Type of the field of a password, 1-128 characters. It is never logged, shown or accepted in a query string."""

MAX_PART_BYTES = 255
"""Bytes of UTF-8 in a part of a name, as file systems allow."""

MAX_NAME_BYTES = 1000
"""Bytes of UTF-8 in a whole name that an archive is written with."""

LEAVES = "leaves the archive"
"""What is said of a name that points to another place than below the folder it is unpacked into."""

UNSAFE: dict[str, str] = {
    "empty": "is empty",
    "parent": LEAVES,
    "absolute": LEAVES,
    "drive": LEAVES,
    "network": LEAVES,
    "disguised": LEAVES,
    "control": "contains a control character",
    "direction": "contains a character that changes the direction of text",
    "stream": 'contains ":"',
    "long": f"has a part of more than {MAX_PART_BYTES} bytes",
    "dots": "has a part of dots and spaces only",
    "device name": "is a device name of Windows",
    "link": "is a link",
    "device": "is a device",
    "below a link": "is below a link",
}
"""Sentences by the reason for which an entry is unsafe."""

_DRIVE = re.compile(r"[A-Za-z]:")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_DIRECTION = re.compile("[\u202a-\u202e\u2066-\u2069]")
"""Overrides, embeddings and isolates; they can make `exe.txt` of `txt.exe`. Plain marks are used in real names."""

_FORBIDDEN = re.compile(r'[<>:"|?*\\\x00-\x1f\x7f-\x9f]')
_DEVICE = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])[ ]*(\.|$)", re.IGNORECASE)
_PLAIN_PART = r"(?!con|prn|aux|nul|com|lpt)\w[\w .,()+=@#-]{0,200}"
_PLAIN = re.compile(rf"(?:{_PLAIN_PART}/)*{_PLAIN_PART}/?", re.IGNORECASE | re.ASCII)
"""Names that are certainly safe. Archives have many thousands of them, so they get one check only."""

_DOTS = re.compile(r"[. ]+")

MEGABYTE = 1_000_000

MAX_TOTAL_BYTES = 100 * MEGABYTE
MAX_ENTRY_BYTES = 20 * 1024 * 1024
"""The size of the largest file that another tool takes."""

MAX_RATIO = 200
"""How many times its packed size an entry may have, above `RATIO_FROM_BYTES`."""

RATIO_FROM_BYTES = MEGABYTE


class Entry(Item):
    """An entry of an archive, as its directory describes it."""

    name: str
    """The name, unchanged."""
    size_bytes: int
    """Size of the file, as the archive claims."""
    compressed_bytes: int | None
    """Size in the archive; null in TAR files."""
    modified: str | None
    """ISO 8601 without a zone; null if it is not a date."""
    crc32: str | None
    """In hexadecimal; null where the archive has none."""
    encrypted: bool
    method: str
    """Compression method, such as `stored` or `deflate`."""
    is_folder: bool
    unsafe: Annotated[str | None, Field(json_schema_extra={"enum": [*UNSAFE, None]})]
    """Why the entry is never unpacked; null for a safe one."""


def unsafe_reason(name: str) -> str | None:
    """Return the key in `UNSAFE` of what is unsafe about a name; None for a safe name.

    Backslashes separate folders as well, because Windows and some programs that write archives treat them so.
    """
    if _PLAIN.fullmatch(name):
        return None
    path = name.replace("\\", "/")
    parts = path.removesuffix("/").split("/")
    checks = (
        ("empty", not path),
        ("control", _CONTROL.search(path)),
        ("direction", _DIRECTION.search(path)),
        ("stream", ":" in path),
        ("long", any(len(part.encode("utf-8", "replace")) > MAX_PART_BYTES for part in parts)),
        ("dots", any(_DOTS.fullmatch(part) for part in parts if part != ".") or set(parts) <= {".", ""}),
        ("device name", any(_DEVICE.match(part) for part in parts)),
        ("disguised", _is_disguised(path)),
    )
    return _escape(path) or next((reason for reason, found in checks if found), None)


def _escape(path: str) -> str | None:
    if path.startswith("//"):
        return "network"
    if path.startswith("/"):
        return "absolute"
    if _DRIVE.match(path):
        return "drive"
    return "parent" if ".." in path.split("/") else None


def _is_disguised(path: str) -> bool:
    """Return whether a system that normalizes names, or that drops dots and spaces at ends, would see another path."""
    if path.isascii():
        return False
    plain = unicodedata.normalize("NFKC", path).replace("\\", "/")
    return _escape(plain) is not None or any(_DOTS.fullmatch(part) for part in plain.split("/") if part != ".")


def clean_path(name: str) -> str:
    """Return a safe name with `/` between folders, and without empty parts and `.`."""
    return "/".join(part for part in name.replace("\\", "/").split("/") if part not in ("", "."))


def portable_problem(name: str) -> str | None:
    """Return what keeps Windows, macOS or Linux from unpacking a name; None for a name that all of them can have.

    The answer completes a sentence, such as `must not contain ":", which Windows does not allow.`
    """
    path = name.replace("\\", "/")
    if _escape(path) in ("parent", "absolute", "network") or _is_disguised(path):  # a drive has a ":"
        return f"{LEAVES}."
    if len(path.encode()) > MAX_NAME_BYTES:
        return f"must have at most {MAX_NAME_BYTES} bytes of UTF-8, got {len(path.encode())}."
    return next(filter(None, map(_part_problem, name.split("/"))), None)


def _part_problem(part: str) -> str | None:
    if not part or part == ".":
        return 'must have a name between any two "/".'
    if match := _FORBIDDEN.search(part) or _DIRECTION.search(part):
        return f"must not contain {_shown(match[0])}, which Windows does not allow."
    if part[-1] in ". ":
        return f"must not end with {_shown(part[-1])}, which Windows does not allow."
    if _DEVICE.match(part):
        return f'must not contain "{part}", which is a device name of Windows.'
    size = len(part.encode())
    return f"must have at most {MAX_PART_BYTES} bytes in a part, got {size}." if size > MAX_PART_BYTES else None


def _shown(character: str) -> str:
    if character == " ":
        return "a space"
    return f'"{character}"' if character.isprintable() else f"U+{ord(character):04X}"


def folded(name: str) -> str:
    """Return what is equal for names that are one file on Windows or macOS: they differ by case or accents' form."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).casefold())


def unique_paths(paths: Sequence[str], *, is_portable: bool = False) -> list[str]:
    """Return clean paths of files, of which the later of equal ones are numbered: `a (2).txt`.

    Portable paths are equal as well if they are one file on Windows or macOS, or that of a folder.
    """
    key = folded if is_portable else str
    folders = {str(folder) for path in paths for folder in PurePosixPath(path).parents} if is_portable else set()
    taken, given, unique = set(map(key, folders)), set(map(key, paths)), []
    for path in paths:
        pure, candidate, count = PurePosixPath(path), path, 1
        while key(candidate) in taken or (count > 1 and key(candidate) in given):
            count += 1
            candidate = str(pure.with_name(f"{pure.stem} ({count}){pure.suffix}"))
        taken.add(key(candidate))
        unique.append(candidate)
    return unique


def without_links(entries: Sequence[Entry]) -> Iterator[Entry]:
    """Yield entries; those below a link are unsafe."""
    links = {clean_path(entry.name) for entry in entries if entry.unsafe == "link"}
    for entry in entries:
        is_below = links and entry.unsafe is None and not links.isdisjoint(folders_of(clean_path(entry.name)))
        yield replace(entry, unsafe="below a link") if is_below else entry


def is_system_file(name: str) -> bool:
    """Return whether an entry is what macOS or Windows adds to archives and folders by itself."""
    parts = clean_path(name).split("/")
    return parts[0] == "__MACOSX" or parts[-1].lower() in (".ds_store", "thumbs.db", "desktop.ini")


def folders_of(path: str) -> list[str]:
    """Return the folders that a clean path is in, the outermost first."""
    parts = path.split("/")
    return ["/".join(parts[:count]) for count in range(1, len(parts))]


def check_sizes(entries: Iterable[Entry], field: str) -> None:
    """Check the claimed sizes of the entries to unpack.

    Raises:
        InvalidInput: They are too large, or their ratio is that of a decompression bomb.
    """
    chosen = list(entries)
    if sum(entry.size_bytes for entry in chosen) > MAX_TOTAL_BYTES:
        raise too_large(field)
    for entry in chosen:
        if entry.size_bytes > MAX_ENTRY_BYTES:
            limit = MAX_ENTRY_BYTES // (1024 * 1024)
            raise InvalidInput(f"{field}: {shown(entry.name)} unpacks to more than {limit} MB.")
        if is_bomb(entry.size_bytes, entry.compressed_bytes):
            raise InvalidInput(
                f"{field}: {shown(entry.name)} unpacks to more than {MAX_RATIO} times its packed size; "
                "this is a decompression bomb."
            )


def too_large(field: str) -> InvalidInput:
    """Return the error for files that are too large together."""
    return InvalidInput(f"{field}: unpacks to more than {MAX_TOTAL_BYTES // MEGABYTE} MB.")


def is_bomb(size: int, packed: int | None) -> bool:
    """Return whether content is packed more tightly than real files are."""
    return packed is not None and size > RATIO_FROM_BYTES and size > MAX_RATIO * max(1, packed)


def shown(name: str) -> str:
    """Return a name for an error message: on one line, visible, and not too long."""
    visible = "".join(character if character.isprintable() else f"\\x{ord(character):02x}" for character in name)
    return visible if len(visible) <= 80 else f"{visible[:80]}…"
