"""Networks of client addresses: precise enough to recognize a place, not to identify a person."""

from ipaddress import IPv6Address, ip_address, ip_network

UNKNOWN = "unknown"

_SHOWN_BITS = {4: 24, 6: 48}


def shown_network(address: str | None) -> str:
    """Return the network of an address for a list of sessions, as in `203.0.113.0/24` or `2001:db8:1::/48`."""
    try:
        ip = ip_address(address or "")
    except ValueError:  # a Unix socket, or no address
        return UNKNOWN
    if isinstance(ip, IPv6Address) and ip.ipv4_mapped:
        ip = ip.ipv4_mapped
    return str(ip_network(f"{ip.compressed.partition('%')[0]}/{_SHOWN_BITS[ip.version]}", strict=False))
