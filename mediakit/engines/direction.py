"""The direction of writing: three rules for texts, and one for languages."""

import re
import unicodedata
from typing import Literal

_RIGHT_TO_LEFT = ("R", "AL")
"""Bidirectional classes of letters (UAX #9, table 4)."""
_RIGHT_TO_LEFT_LETTER = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")
_OTHER_LETTER = re.compile("[^\\W\\d_\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_RIGHT_TO_LEFT_SCRIPTS = _names(
    "adlm arab aran armi avst chrs cprt hatr hebr hung khar lydi mand mani merc mero narb nbat nkoo orkh palm phli "
    "phlp phnx prti rohg samr sarb sogd sogo syrc thaa yezi"
)
"""Scripts of ISO 15924, in lower case."""
_RIGHT_TO_LEFT_LANGUAGES = _names(
    "ar arc arz ary acm apc ajp ckb dv fa glk he iw ji khw ks lrc luz mzn nqo ota pnb prs ps sd sdh syr ug ur yi"
)
"""Languages that are written from right to left unless their tag names another script, in lower case."""


def begins_right_to_left(text: str) -> bool:
    """Return whether the first letter is written from right to left, and so the paragraph (UAX #9, P2 and P3)."""
    kinds = (unicodedata.bidirectional(char) for char in text)
    return next((kind for kind in kinds if kind in ("L", *_RIGHT_TO_LEFT)), "L") != "L"


def has_right_to_left(text: str) -> bool:
    """Return whether any letter is written from right to left."""
    return not text.isascii() and any(unicodedata.bidirectional(char) in _RIGHT_TO_LEFT for char in text)


def is_mostly_right_to_left(text: str) -> bool:
    """Return whether more letters are written from right to left than from left to right."""
    return not text.isascii() and len(_RIGHT_TO_LEFT_LETTER.findall(text)) > len(_OTHER_LETTER.findall(text))


def direction_of(tag: str) -> Literal["ltr", "rtl"]:
    """Return the direction of text in a language: by the script of its tag (BCP 47), else by the language."""
    language, *others = tag.lower().split("-")
    script = next((part for part in others if len(part) == 4 and part.isalpha()), "")
    if script:
        return "rtl" if script in _RIGHT_TO_LEFT_SCRIPTS else "ltr"
    return "rtl" if language in _RIGHT_TO_LEFT_LANGUAGES else "ltr"
