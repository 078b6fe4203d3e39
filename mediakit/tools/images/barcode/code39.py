"""Code 39 (ISO/IEC 16388) of any length, with wide bars of three modules."""

from mediakit.errors import InvalidInput


def modules(data: str) -> str:
    """Return the bars as `1` and the spaces as `0`, one character per module.

    Raises:
        InvalidInput: A character is not among the 43 of Code 39.
    """
    from barcode.charsets.code39 import EDGE, MAP, MIDDLE

    if other := next((char for char in data if char not in MAP), None):
        fix = "Use uppercase letters or code128" if other.upper() in MAP else "code128 encodes more characters"
        raise InvalidInput(f"data: must be 0-9, A-Z, space or - . $ / + % for code39, got {other!r}. {fix}.")
    characters: list[str] = [EDGE, *(MAP[char][1] for char in data), EDGE]
    return str(MIDDLE).join(characters)
