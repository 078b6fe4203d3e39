"""Addresses of links as they are read: percent encoding hides words."""

from urllib.parse import unquote_to_bytes


def decoded_address(address: bytes) -> list[str]:
    """Return an address as it is and decoded."""
    written = address.decode("utf-8", "replace")
    decoded = unquote_to_bytes(address.replace(b"+", b" ")).decode("utf-8", "replace")
    return list(dict.fromkeys((written, decoded, decoded.replace("-", " ").replace("_", " "))))
