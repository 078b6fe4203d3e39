"""The addresses that a page may reach: the public internet and the networks that the operator allows.

The table of special networks is part of this module, because `ipaddress.is_global` changes between patch releases of
Python and returns true for multicast, NAT64 and site-local addresses.
"""

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from mediakit.errors import InvalidInput

IPAddress = IPv4Address | IPv6Address
Endpoint = tuple[IPAddress, int]

SPECIAL_IPV4 = tuple(
    IPv4Network(network)
    for network in (
        "0.0.0.0/8",  # this host (RFC 791)
        "10.0.0.0/8",  # private use (RFC 1918)
        "100.64.0.0/10",  # carrier-grade NAT (RFC 6598), Alibaba Cloud's metadata
        "127.0.0.0/8",  # loopback (RFC 1122)
        "168.63.129.16/32",  # Azure's wire server
        "169.254.0.0/16",  # link-local (RFC 3927), most clouds' metadata
        "172.16.0.0/12",  # private use (RFC 1918)
        "192.0.0.0/24",  # protocol assignments (RFC 6890), Oracle Cloud's metadata
        "192.0.2.0/24",  # documentation (RFC 5737)
        "192.31.196.0/24",  # AS112 (RFC 7535)
        "192.52.193.0/24",  # multicast tunneling (RFC 7450)
        "192.88.99.0/24",  # 6to4 relays (RFC 7526)
        "192.168.0.0/16",  # private use (RFC 1918)
        "192.175.48.0/24",  # AS112 (RFC 7534)
        "198.18.0.0/15",  # benchmarks (RFC 2544)
        "198.51.100.0/24",  # documentation (RFC 5737)
        "203.0.113.0/24",  # documentation (RFC 5737)
        "224.0.0.0/4",  # multicast (RFC 5771)
        "240.0.0.0/4",  # reserved, broadcast (RFC 1112, RFC 919)
    )
)
GLOBAL_UNICAST = IPv6Network("2000::/3")
SPECIAL_IPV6 = tuple(
    IPv6Network(network)
    for network in (
        "2001::/23",  # protocol assignments (RFC 2928): Teredo, ORCHID, benchmarks
        "2001:db8::/32",  # documentation (RFC 3849)
        "2002::/16",  # 6to4, which embeds an IPv4 address (RFC 3056)
        "2620:4f:8000::/48",  # AS112 (RFC 7534)
        "3fff::/20",  # documentation (RFC 9637)
    )
)
NAT64 = IPv6Network("64:ff9b::/96")
"""Well-known prefix of an IPv4 address on a network that has only IPv6 (RFC 6052)."""
ISATAP = frozenset({0x0000_5EFE, 0x0200_5EFE})
"""Bits 64 to 95 of an ISATAP address, whose last 32 bits are an IPv4 address (RFC 5214)."""

BAD_PORTS = frozenset(
    (
        # "Bad ports" of the Fetch standard, section 2.9, which browsers block.
        *(1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109),
        *(110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530),
        *(531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045),
        *(4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080),
        # File shares, remote desktops and databases, which do not use HTTP.
        *(445, 1433, 1521, 3306, 3389, 5432, 5900, 6379, 11211, 27017),
    )
)


class Guard:
    """Checks which addresses a page may connect to.

    Args:
        allowed_networks: Addresses to allow in addition to the public internet: networks (`10.1.0.0/16`, `fd00::/8`)
            or single ports (`127.0.0.1:8000`, `[::1]:8000`).

    Raises:
        InvalidInput: An entry is neither a network nor address:port.
    """

    def __init__(self, allowed_networks: Sequence[str] = ()) -> None:
        entries = [_entry(text) for text in allowed_networks]
        self._endpoints = frozenset(entry for entry in entries if isinstance(entry, tuple))
        self._networks = [entry for entry in entries if not isinstance(entry, tuple)]

    def allows(self, address: str | IPAddress, port: int) -> bool:
        """Return whether a page may connect to an address and port."""
        return self.allows_explicitly(address, port) or (_is_web_port(port) and is_public(address))

    def allows_explicitly(self, address: str | IPAddress, port: int) -> bool:
        """Return whether the operator allows an address and port. Allowing a network does not allow its bad ports."""
        plain = unmapped(address)
        if (plain, port) in self._endpoints:
            return True
        return _is_web_port(port) and any(plain in network for network in self._networks)

    @property
    def has_allowed_networks(self) -> bool:
        """Whether the operator allows any address beyond the public internet."""
        return bool(self._endpoints or self._networks)


def is_public(address: str | IPAddress) -> bool:
    """Return whether an address is on the public internet. For an embedded IPv4 address, check that address."""
    plain = unmapped(address)
    if isinstance(plain, IPv4Address):
        return not any(plain in network for network in SPECIAL_IPV4)
    if plain.scope_id:
        return False
    if plain in NAT64:
        return is_public(IPv4Address(int(plain) & 0xFFFF_FFFF))
    if int(plain) >> 32 & 0xFFFF_FFFF in ISATAP:
        return False
    return plain in GLOBAL_UNICAST and not any(plain in network for network in SPECIAL_IPV6)


def _is_web_port(port: int) -> bool:
    return 0 < port < 2**16 and port not in BAD_PORTS


def unmapped(address: str | IPAddress) -> IPAddress:
    """Parse an address. Convert an IPv4-mapped IPv6 address (RFC 4291) to the IPv4 address that a socket would use."""
    plain = ip_address(address)
    return (isinstance(plain, IPv6Address) and plain.ipv4_mapped) or plain


def _entry(text: str) -> Endpoint | IPv4Network | IPv6Network:
    try:
        # `::1:8000`, without brackets or slash, is ambiguous and rejected.
        return _endpoint(text) if ":" in text and "/" not in text else ip_network(text)
    except ValueError as error:
        raise InvalidInput(
            f"MEDIAKIT_ALLOWED_NETWORKS: {text!r} is neither a network nor address:port. Write a network as 10.1.0.0/16"
            f" or fd00::/8, a single port as 127.0.0.1:8000 or [::1]:8000, and addresses instead of names ({error})."
        ) from error


def _endpoint(text: str) -> Endpoint:
    host, _, port = text.rpartition(":")
    bracketed = host.startswith("[") and host.endswith("]")
    address = IPv6Address(host[1:-1]) if bracketed else IPv4Address(host)
    if not (port.isascii() and port.isdigit() and 0 < int(port) < 2**16):
        raise ValueError(f"the port must be between 1 and 65535, got {port!r}")
    return unmapped(address), int(port)
