"""Code 39 (ISO/IEC 16388) of any length, its wide bars three modules wide."""

from mediakit.errors import InvalidInput


def modules(data: str) -> str:
    """Give the bars as `1` and the spaces as `0`, a character a module.

    Raises:
        InvalidInput: A character is not among the 43 of Code 39.
    """
    from barcode.charsets.code39 import EDGE, MAP, MIDDLE

    if other := next((char for char in data if char not in MAP), None):
        mend = "use capital letters, or code128" if other.upper() in MAP else "code128 holds more"
        raise InvalidInput(f"data: code39 holds 0-9, A-Z, space and - . $ / + %, not {other!r}; {mend}.")
    characters: list[str] = [EDGE, *(MAP[char][1] for char in data), EDGE]
    return str(MIDDLE).join(characters)
