"""Names of entries in archives: which ones are unsafe to write, and which ones Windows cannot have."""

import re
import unicodedata

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


def unsafe_reason(name: str) -> str | None:
    """Return the key in `UNSAFE` of what is unsafe about a name; None for a safe name.

    Backslashes separate folders as well, because Windows and some programs that write archives treat them so.
    """
    if _PLAIN.fullmatch(name):
        return None
    path = name.replace("\\", "/")
    return _escape(path) or _content(path) or ("disguised" if _is_disguised(path) else None)


def _escape(path: str) -> str | None:
    if path.startswith("//"):
        return "network"
    if path.startswith("/"):
        return "absolute"
    if _DRIVE.match(path):
        return "drive"
    return "parent" if ".." in path.split("/") else None


def _content(path: str) -> str | None:
    parts = path.removesuffix("/").split("/")
    checks = (
        ("empty", not path),
        ("control", _CONTROL.search(path)),
        ("direction", _DIRECTION.search(path)),
        ("stream", ":" in path),
        ("long", any(len(part.encode("utf-8", "replace")) > MAX_PART_BYTES for part in parts)),
        ("dots", any(_DOTS.fullmatch(part) for part in parts if part != ".") or set(parts) <= {".", ""}),
        ("device name", any(_DEVICE.match(part) for part in parts)),
    )
    return next((reason for reason, found in checks if found), None)


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
