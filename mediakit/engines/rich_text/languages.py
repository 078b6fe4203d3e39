"""Language tags (BCP 47) and the direction in which languages are written."""

import re
from typing import Literal

_TAG = re.compile(
    r"[A-Za-z]{2,3}(?:-[A-Za-z]{3}){0,3}(?:-[A-Za-z]{4})?(?:-(?:[A-Za-z]{2}|\d{3}))?(?:-[A-Za-z0-9]{1,8})*"
)
_MAX_LENGTH = 35


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


RIGHT_TO_LEFT_SCRIPTS = _names(
    "adlm arab aran armi avst chrs cprt hatr hebr hung khar lydi mand mani merc mero narb nbat nkoo orkh palm "
    "phli phlp phnx prti rohg samr sarb sogd sogo syrc thaa yezi"
)
"""Scripts of ISO 15924 that are written from right to left, in lower case."""

RIGHT_TO_LEFT_LANGUAGES = _names(
    "ar arc arz ary acm apc ajp ckb dv fa glk he iw ji khw ks lrc luz mzn nqo ota pnb prs ps sd sdh syr ug ur yi"
)
"""Languages that are written from right to left unless their tag names another script, in lower case."""


def is_language(tag: str) -> bool:
    """Return whether a text is a language tag such as `en`, `pt-BR` or `zh-Hant`."""
    return len(tag) <= _MAX_LENGTH and bool(_TAG.fullmatch(tag))


def direction_of(tag: str) -> Literal["ltr", "rtl"]:
    """Return the direction of text in a language: by the script of its tag, else by the language."""
    language, *others = tag.lower().split("-")
    script = next((part for part in others if len(part) == 4 and part.isalpha()), "")
    if script:
        return "rtl" if script in RIGHT_TO_LEFT_SCRIPTS else "ltr"
    return "rtl" if language in RIGHT_TO_LEFT_LANGUAGES else "ltr"
