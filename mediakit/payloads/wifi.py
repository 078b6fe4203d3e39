"""Wi-Fi networks, as phones have read them since ZXing defined the text (and WPA3, section 7, took it over)."""

import re
from typing import Literal

from mediakit.errors import InvalidInput

Security = Literal["WPA", "SAE", "WEP", "open"]

NAME_BYTES = 32
WPA_PASSWORD = re.compile(r"[ -~]{8,63}|[0-9A-Fa-f]{64}")
"""IEEE 802.11: a passphrase in ASCII, or the key itself in hexadecimal digits."""


def wifi(name: str, *, password: str | None = None, security: Security | None = None, hidden: bool = False) -> str:
    """Give the text that joins a Wi-Fi network.

    Args:
        name: The network's name (SSID), at most 32 bytes.
        password: Left out for a network that is open.
        security: WPA (also WPA2 and WPA3 with a password), SAE (WPA3 alone), WEP or open; WPA where there is a
            password.
        hidden: Whether the network does not announce itself.

    Raises:
        InvalidInput: The name or the password is none that such a network can have.
    """
    kind = security or ("WPA" if password else "open")
    if not 1 <= len(name.encode()) <= NAME_BYTES:
        raise InvalidInput(f"name: must have 1 to {NAME_BYTES} bytes, got {len(name.encode())}.")
    if kind not in ("WPA", "SAE", "WEP", "open"):
        raise InvalidInput(f"security: must be WPA, SAE, WEP or open, got {kind!r}.")
    if bool(password) == (kind == "open"):
        raise InvalidInput(f"password: {'does not go with an open network' if password else f'is needed for {kind}'}.")
    if kind == "WPA" and password and not WPA_PASSWORD.fullmatch(password):
        raise InvalidInput(
            "password: must have 8 to 63 ASCII characters for WPA, or be a key of 64 hexadecimal digits."
        )
    parts = [f"T:{'nopass' if kind == 'open' else kind}", f"S:{_escaped(name)}"]
    parts += [f"P:{_escaped(password)}"] if password else []
    parts += ["H:true"] if hidden else []
    return f"WIFI:{';'.join(parts)};;"


def _escaped(text: str) -> str:
    return re.sub(r'([\\;,:"])', r"\\\1", text)
