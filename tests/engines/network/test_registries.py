"""The guard's table of special networks, compared with the registries that it is based on.

The IANA registries: https://www.iana.org/assignments/iana-ipv4-special-registry and
https://www.iana.org/assignments/iana-ipv6-special-registry, as of October 2025.
"""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_network

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mediakit.engines.network import Guard

NOT_GLOBAL_IPV4 = """
0.0.0.0/8           This network                        RFC 791
0.0.0.0/32          This host on this network           RFC 1122
10.0.0.0/8          Private-Use                         RFC 1918
100.64.0.0/10       Shared Address Space                RFC 6598
127.0.0.0/8         Loopback                            RFC 1122
169.254.0.0/16      Link Local                          RFC 3927
172.16.0.0/12       Private-Use                         RFC 1918
192.0.0.0/24        IETF Protocol Assignments           RFC 6890
192.0.0.0/29        IPv4 Service Continuity Prefix      RFC 7335
192.0.0.8/32        IPv4 dummy address                  RFC 7600
192.0.0.170/32      NAT64/DNS64 Discovery               RFC 8880
192.0.0.171/32      NAT64/DNS64 Discovery               RFC 8880
192.0.2.0/24        Documentation (TEST-NET-1)          RFC 5737
192.88.99.0/24      Deprecated (6to4 Relay Anycast)     RFC 7526
192.88.99.2/32      6a44-relay anycast address          RFC 6751
192.168.0.0/16      Private-Use                         RFC 1918
198.18.0.0/15       Benchmarking                        RFC 2544
198.51.100.0/24     Documentation (TEST-NET-2)          RFC 5737
203.0.113.0/24      Documentation (TEST-NET-3)          RFC 5737
240.0.0.0/4         Reserved                            RFC 1112
255.255.255.255/32  Limited Broadcast                   RFC 8190
"""

GLOBAL_IPV4 = """
192.0.0.9/32        Port Control Protocol Anycast       RFC 7723
192.0.0.10/32       TURN Anycast                        RFC 8155
192.31.196.0/24     AS112-v4                            RFC 7535
192.52.193.0/24     AMT                                 RFC 7450
192.175.48.0/24     Direct Delegation AS112 Service     RFC 7534
"""
"""Globally reachable, and yet no place of web sites: the nearest relay or name server answers."""

NOT_GLOBAL_IPV6 = """
::1/128             Loopback Address                    RFC 4291
::/128              Unspecified Address                 RFC 4291
64:ff9b:1::/48      IPv4-IPv6 Translation               RFC 8215
100::/64            Discard-Only Address Block          RFC 6666
100:0:0:1::/64      Dummy IPv6 Prefix                   RFC 9780
2001::/23           IETF Protocol Assignments           RFC 2928
2001::/32           TEREDO                              RFC 4380
2001:2::/48         Benchmarking                        RFC 5180
2001:10::/28        Deprecated (previously ORCHID)      RFC 4843
2001:db8::/32       Documentation                       RFC 3849
2002::/16           6to4                                RFC 3056
3fff::/20           Documentation                       RFC 9637
5f00::/16           Segment Routing (SRv6) SIDs         RFC 9602
fc00::/7            Unique-Local                        RFC 4193
fe80::/10           Link-Local Unicast                  RFC 4291
"""

GLOBAL_IPV6 = """
2001:1::1/128       Port Control Protocol Anycast       RFC 7723
2001:1::2/128       TURN Anycast                        RFC 8155
2001:1::3/128       DNS-SD SRP Anycast                  RFC 9665
2001:3::/32         AMT                                 RFC 7450
2001:4:112::/48     AS112-v6                            RFC 7535
2001:20::/28        ORCHIDv2                            RFC 7343
2001:30::/28        Drone Remote ID                     RFC 9374
2620:4f:8000::/48   Direct Delegation AS112 Service     RFC 7534
"""

BEYOND = """
168.63.129.16/32    Azure's wire server                 learn.microsoft.com
224.0.0.0/4         Multicast                           RFC 5771
fec0::/10           Site-local, deprecated              RFC 3879
ff00::/8            Multicast                           RFC 4291
"""
"""In registries of their own, or a provider's."""

METADATA = {
    "most clouds": "169.254.169.254",
    "Amazon over IPv6": "fd00:ec2::254",
    "Amazon's containers": "169.254.170.2",
    "Amazon's Kubernetes": "169.254.170.23",
    "Amazon's Kubernetes over IPv6": "fd00:ec2::23",
    "Amazon's clock": "169.254.169.123",
    "Amazon's names over IPv6": "fd00:ec2::253",
    "Google over IPv6": "fd20:ce::254",
    "Azure's wire server": "168.63.129.16",
    "Alibaba": "100.100.100.200",
    "Oracle Classic": "192.0.0.192",
    "Tencent": "169.254.0.23",
    "Scaleway": "169.254.42.42",
    "Scaleway over IPv6": "fd00:42::42",
    "OpenStack over IPv6": "fe80::a9fe:a9fe",
    "mapped": "::ffff:169.254.169.254",
    "NAT64": "64:ff9b::a9fe:a9fe",
    "6to4": "2002:a9fe:a9fe::",
}


def read(table: str) -> list[IPv4Network | IPv6Network]:
    return [ip_network(line.split()[0]) for line in table.strip().splitlines()]


def v4(*tables: str) -> list[IPv4Network]:
    return [network for table in tables for network in read(table) if isinstance(network, IPv4Network)]


def v6(*tables: str) -> list[IPv6Network]:
    return [network for table in tables for network in read(table) if isinstance(network, IPv6Network)]


SPECIAL_IPV4 = v4(NOT_GLOBAL_IPV4, GLOBAL_IPV4, BEYOND)
SPECIAL_IPV6 = v6(NOT_GLOBAL_IPV6, GLOBAL_IPV6, BEYOND)
MAPPED, NAT64, UNICAST = IPv6Network("::ffff:0:0/96"), IPv6Network("64:ff9b::/96"), IPv6Network("2000::/3")
TUNNELS = {0x0000_5EFE, 0x0200_5EFE}

every_network = pytest.mark.parametrize("network", [*SPECIAL_IPV4, *SPECIAL_IPV6], ids=str)


def public(address: IPv4Address | IPv6Address) -> bool:
    """Return whether the registries list an address as public."""
    if isinstance(address, IPv4Address):
        return not any(address in network for network in SPECIAL_IPV4)
    if address in MAPPED or address in NAT64:
        return public(IPv4Address(int(address) & 0xFFFF_FFFF))
    if int(address) >> 32 & 0xFFFF_FFFF in TUNNELS:
        return False
    return address in UNICAST and not any(address in network for network in SPECIAL_IPV6)


@every_network
def test_guard_rejects_every_special_network_of_registries(network: IPv4Network | IPv6Network) -> None:
    first, size = network[0], network.num_addresses

    assert not any(Guard().allows(first + offset, 80) for offset in (0, size // 3, size // 2, size - 1))


@every_network
def test_addresses_next_to_special_network_are_checked_separately(network: IPv4Network | IPv6Network) -> None:
    family = type(network[0])
    for number in (int(network[0]) - 1, int(network[-1]) + 1):
        if 0 <= number < 2**network.max_prefixlen:
            assert Guard().allows(family(number), 443) == public(family(number))


@pytest.mark.parametrize("address", METADATA.values(), ids=METADATA)
def test_guard_rejects_cloud_metadata_addresses(address: str) -> None:
    assert not Guard().allows(address, 80)


@settings(max_examples=300)
@given(st.ip_addresses(v=4) | st.sampled_from(SPECIAL_IPV4).flatmap(lambda network: st.ip_addresses(network=network)))
def test_guard_agrees_with_registries_on_any_ipv4_address(address: IPv4Address) -> None:
    assert Guard().allows(address, 80) == public(address)


@settings(max_examples=300)
@given(
    st.ip_addresses(v=6)
    | st.sampled_from([*SPECIAL_IPV6, MAPPED, NAT64, UNICAST]).flatmap(
        lambda network: st.ip_addresses(v=6, network=network)
    )
)
def test_guard_agrees_with_registries_on_any_ipv6_address(address: IPv6Address) -> None:
    assert Guard().allows(address, 80) == public(address)


@given(st.integers(0, 2**32 - 1), st.sampled_from(sorted(TUNNELS)), st.integers(0, 2**64 - 1))
def test_guard_rejects_embedded_addresses_of_tunnels(inside: int, tunnel: int, prefix: int) -> None:
    assert not Guard().allows(IPv6Address(prefix << 64 | tunnel << 32 | inside), 80)
