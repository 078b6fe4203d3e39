"""Names of code types, as people write them."""

import difflib
import re

_MARKS = re.compile(r"[\s_/-]+")


def canonical(names: list[str]) -> list[str]:
    """Give the names as zxing-cpp writes them; case, spaces, hyphens and underscores do not matter.

    Raises:
        ValueError: A name is unknown; the message has the nearest one.
    """
    from mediakit.tools.images.code_reader.look import known

    table = known() | ALIASES
    return list(dict.fromkeys(_canonical(name, table) for name in names))


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
"""Other names in use, in lower-case letters and digits."""


def _canonical(name: str, table: dict[str, str]) -> str:
    plain = _MARKS.sub("", name).lower()
    if plain in table:
        return table[plain]
    near = difflib.get_close_matches(plain, table, n=1, cutoff=0.6)
    mend = f"did you mean {table[near[0]]}?" if near else f"known are {', '.join(dict.fromkeys(table.values()))}."
    raise ValueError(f"has no code type {name[:40]!r}; {mend}")
