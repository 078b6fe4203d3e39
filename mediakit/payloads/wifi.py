"""Wi-Fi networks, in the format of ZXing, which the WPA3 specification adopted in section 7."""

import re
from typing import Literal

from mediakit.errors import InvalidInput

Security = Literal["WPA", "SAE", "WEP", "open"]

MAX_NAME_BYTES = 32
WPA_PASSWORD = re.compile(r"[ -~]{8,63}|[0-9A-Fa-f]{64}")
"""IEEE 802.11: an ASCII passphrase, or the key in hexadecimal digits."""


def wifi(name: str, *, password: str | None = None, security: Security | None = None, hidden: bool = False) -> str:
    """Return the text that connects to a Wi-Fi network.

    Args:
        name: Name of the network (SSID), at most 32 bytes.
        password: Password; none for an open network.
        security: WPA (also WPA2 and WPA3 with a password), SAE (WPA3 only), WEP or open. Default: WPA with a
            password, otherwise open.
        hidden: Whether the network does not broadcast its name.

    Raises:
        InvalidInput: The name or the password is invalid for the type of network.
    """
    kind = security or ("WPA" if password else "open")
    if not 1 <= len(name.encode()) <= MAX_NAME_BYTES:
        raise InvalidInput(f"name: must have 1 to {MAX_NAME_BYTES} bytes, got {len(name.encode())}.")
    if kind not in ("WPA", "SAE", "WEP", "open"):
        raise InvalidInput(f"security: must be WPA, SAE, WEP or open, got {kind!r}.")
    if bool(password) == (kind == "open"):
        raise InvalidInput(
            f"password: {'must be omitted for an open network' if password else f'is required for {kind}'}."
        )
    if kind == "WPA" and password and not WPA_PASSWORD.fullmatch(password):
        raise InvalidInput("password: must have 8 to 63 ASCII characters for WPA, or 64 hexadecimal digits for a key.")
    parts = [f"T:{'nopass' if kind == 'open' else kind}", f"S:{_escaped(name)}"]
    parts += [f"P:{_escaped(password)}"] if password else []
    parts += ["H:true"] if hidden else []
    return f"WIFI:{';'.join(parts)};;"


def _escaped(text: str) -> str:
    return re.sub(r'([\\;,:"])', r"\\\1", text)
