"""Language tags (BCP 47)."""

import re

_TAG = re.compile(
    r"[A-Za-z]{2,3}(?:-[A-Za-z]{3}){0,3}(?:-[A-Za-z]{4})?(?:-(?:[A-Za-z]{2}|\d{3}))?(?:-[A-Za-z0-9]{1,8})*"
)
_MAX_LENGTH = 35


def is_language(tag: str) -> bool:
    """Return whether a text is a language tag such as `en`, `pt-BR` or `zh-Hant`."""
    return len(tag) <= _MAX_LENGTH and bool(_TAG.fullmatch(tag))
