"""Names of code types. Case, spaces, hyphens, slashes and underscores are ignored."""

import re

from mediakit.core.suggestions import similar

_PUNCTUATION = re.compile(r"[\s_/-]+")

ALIASES = {
    "qr": "QRCode",
    "microqr": "MicroQRCode",
    "rmqr": "RMQRCode",
    "ean": "EANUPC",
    "upc": "UPCA",
    "interleaved2of5": "ITF",
    "databarexpanded": "DataBarExp",
    "databarlimited": "DataBarLtd",
    "linear": "AllLinear",
    "matrix": "AllMatrix",
    "retail": "AllRetail",
    "industrial": "AllIndustrial",
    "all": "AllReadable",
}
"""Other common names, in lowercase letters and digits."""


def parse_format_names(names: list[str]) -> list[str]:
    """Return the names of code types in the notation of zxing-cpp, without duplicates.

    Raises:
        ValueError: A name is unknown; the message suggests the closest one.
    """
    from mediakit.tools.images.code_reader.decoder import known_formats

    table = known_formats() | ALIASES
    return list(dict.fromkeys(_parse(name, table) for name in names))


def _parse(name: str, table: dict[str, str]) -> str:
    plain = _PUNCTUATION.sub("", name).lower()
    if plain in table:
        return table[plain]
    near = similar(plain, table)
    hint = f"did you mean {table[near]}?" if near else f"known types are {', '.join(dict.fromkeys(table.values()))}."
    raise ValueError(f"unknown code type {name[:40]!r}; {hint}")
