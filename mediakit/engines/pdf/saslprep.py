"""Prepares passwords (SASLprep, RFC 4013), so that composed and decomposed accents open the same file.

ISO 32000-2, 7.6.4.3.3 requires it of readers and writers; qpdf leaves it to its callers.
"""

import stringprep
from collections.abc import Callable
from contextlib import suppress
from unicodedata import ucd_3_2_0

MAX_BYTES = 127
"""UTF-8 bytes of a password; readers ignore the rest (ISO 32000-2, 7.6.4.3.3)."""

PROHIBITED: tuple[Callable[[str], bool], ...] = (
    stringprep.in_table_c12,
    stringprep.in_table_c21_c22,
    stringprep.in_table_c3,
    stringprep.in_table_c4,
    stringprep.in_table_c5,
    stringprep.in_table_c6,
    stringprep.in_table_c7,
    stringprep.in_table_c8,
    stringprep.in_table_c9,
)
"""Tables of RFC 3454 whose characters a password cannot have: control characters, private use, and so on."""

OLD_ENCODINGS = ("pdfdoc", "cp1252", "mac_roman")
"""Encodings of passwords in files before AES-256; writers did not agree on one."""


def prepare(password: str) -> str:
    """Return a password in the form that is encoded in UTF-8 and hashed.

    Raises:
        ValueError: The password has a character that passwords cannot have, mixes directions, is empty, or is longer
            than 127 bytes. The message does not contain the password.
    """
    spaced = (" " if stringprep.in_table_c12(character) else character for character in password)
    mapped = "".join(character for character in spaced if not stringprep.in_table_b1(character))
    prepared = ucd_3_2_0.normalize("NFKC", mapped)
    for character in prepared:
        if any(is_prohibited(character) for is_prohibited in PROHIBITED):
            raise ValueError(f"must not contain the character U+{ord(character):04X}.")
    if any(map(stringprep.in_table_d1, prepared)) and (
        any(map(stringprep.in_table_d2, prepared)) or not all(map(stringprep.in_table_d1, (prepared[0], prepared[-1])))
    ):  # RFC 3454, section 6
        raise ValueError("must begin and end with right-to-left letters, and have no left-to-right ones beside them.")
    if not prepared:
        raise ValueError("must not be empty.")
    if (size := len(prepared.encode())) > MAX_BYTES:
        raise ValueError(f"must have at most {MAX_BYTES} bytes of UTF-8, got {size}.")
    return prepared


def forms(password: str) -> list[str | bytes]:
    """Return what a password may be in a file: prepared, as it is, and in the encodings of older files."""
    found: list[str | bytes] = []
    with suppress(ValueError):
        found.append(prepare(password))
    found.append(password)
    if not password.isascii():
        found += [encoded for name in OLD_ENCODINGS if (encoded := password.encode(name, "ignore"))]
    return list(dict.fromkeys(found))
