"""Addresses and ports that the guard allows and rejects."""

from ipaddress import IPv4Address, IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mediakit.engines.network import Guard
from mediakit.errors import InvalidInput

FORBIDDEN = [
    # IPv4: first and last address of every special-purpose network
    *("0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255"),
    *("127.0.0.1", "127.255.255.255", "169.254.0.0", "169.254.255.255", "172.16.0.0", "172.31.255.255"),
    *("192.0.0.0", "192.0.0.8", "192.0.0.255", "192.0.2.0", "192.0.2.255", "192.31.196.0", "192.31.196.255"),
    *("192.52.193.0", "192.52.193.255", "192.88.99.0", "192.88.99.255", "192.168.0.0", "192.168.255.255"),
    *("192.175.48.0", "192.175.48.255", "198.18.0.0", "198.19.255.255", "198.51.100.0", "198.51.100.255"),
    *("203.0.113.0", "203.0.113.255", "224.0.0.0", "239.255.255.255", "240.0.0.0", "255.255.255.255"),
    # metadata services: AWS and most clouds, AWS containers, Azure, Alibaba, Oracle, AWS and Google over IPv6
    *("169.254.169.254", "169.254.170.2", "168.63.129.16", "100.100.100.200", "192.0.0.192"),
    *("fd00:ec2::254", "fd20:ce::254"),
    # IPv6: unspecified, loopback, link-local, site-local, unique local, multicast, discard, segment routing
    *("::", "::1", "fe80::1", "febf::1", "fec0::1", "feff::1", "fc00::1", "fdff::1", "ff02::1", "ff0e::1", "100::1"),
    *("5f00::1", "1fff::1", "4000::1", "2001:4860:4860::8888%eth0"),
    # IPv6: Teredo, benchmarks, ORCHID, documentation, 6to4, AS112
    *("2001::1", "2001:2::1", "2001:20::1", "2001:1ff:ffff::1", "2001:db8::1", "2002:7f00:1::1", "2002:808:808::1"),
    *("2620:4f:8000::1", "3fff::1", "3fff:fff::1"),
    # IPv4 inside IPv6: mapped, compatible, translated, NAT64 (well-known and local-use prefix), ISATAP
    *("::ffff:127.0.0.1", "::ffff:0.0.0.0", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1"),
    *(
        "::ffff:0:127.0.0.1",
        "64:ff9b::127.0.0.1",
        "64:ff9b::10.0.0.1",
        "64:ff9b::169.254.169.254",
        "64:ff9b:1::8.8.8.8",
    ),
    *("2a00::5efe:10.0.0.1", "2a00::200:5efe:127.0.0.1", "2a00::5efe:8.8.8.8"),
]

PUBLIC = [
    # addresses next to the networks above
    *("1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0"),
    *("168.63.129.15", "168.63.129.17", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0"),
    *("191.255.255.255", "192.0.1.0", "192.0.3.0", "192.88.98.255", "192.88.100.0", "192.167.255.255", "192.169.0.0"),
    *("198.17.255.255", "198.20.0.0", "198.51.99.255", "203.0.114.0", "223.255.255.255"),
    *("8.8.8.8", "93.184.216.34", "2001:4860:4860::8888", "2606:4700::1111", "2001:200::1", "2003::1", "3ffe::1"),
    *("::ffff:8.8.8.8", "64:ff9b::8.8.8.8"),
]


@pytest.mark.parametrize("address", FORBIDDEN)
def test_guard_rejects_addresses_outside_public_internet(address: str) -> None:
    assert not Guard().allows(address, 80)


@pytest.mark.parametrize("address", PUBLIC)
def test_guard_allows_public_internet(address: str) -> None:
    assert Guard().allows(address, 443)


@given(st.ip_addresses(v=4))
def test_mapped_or_nat64_address_is_checked_as_its_ipv4_address(inside: IPv4Address) -> None:
    mapped = IPv6Address(0xFFFF << 32 | int(inside))
    nat64 = IPv6Address(int(IPv6Address("64:ff9b::")) | int(inside))
    expected = Guard().allows(inside, 80)
    assert (Guard().allows(mapped, 80), Guard().allows(nat64, 80)) == (expected, expected)


@given(st.ip_addresses(v=6))
def test_guard_rejects_ipv6_outside_global_unicast_except_embedded_ipv4(address: IPv6Address) -> None:
    embeds = address.ipv4_mapped is not None or int(address) >> 32 == 0x0064_FF9B << 64
    assert not Guard().allows(address, 80) or int(address) >> 125 == 1 or embeds


@given(st.ip_addresses(v=4, network="100.64.0.0/10") | st.ip_addresses(v=4, network="172.16.0.0/12"))
def test_guard_rejects_every_address_of_private_networks(address: IPv4Address) -> None:
    assert not Guard().allows(str(address), 80)


@pytest.mark.parametrize("port", [2, 80, 443, 1024, 3000, 8080, 8443, 9200, 65535])
def test_guard_allows_ports_of_web_sites(port: int) -> None:
    assert Guard().allows("93.184.216.34", port)


@pytest.mark.parametrize("port", [-1, 0, 22, 23, 25, 110, 143, 445, 465, 587, 993, 3306, 5432, 6379, 6667, 65536])
def test_guard_rejects_bad_ports(port: int) -> None:
    assert not Guard().allows("93.184.216.34", port)


def test_allowed_network_does_not_allow_adjacent_addresses() -> None:
    guard = Guard(["10.1.0.0/16", "fd00:1::/32"])
    assert guard.allows("10.1.255.255", 8080)
    assert guard.allows("::ffff:10.1.0.1", 8080)
    assert guard.allows("fd00:1::7", 8080)
    assert not guard.allows("10.0.255.255", 8080)
    assert not guard.allows("10.2.0.0", 8080)
    assert not guard.allows("fd00:2::7", 8080)


def test_allowed_network_does_not_allow_bad_ports() -> None:
    assert not Guard(["10.1.0.0/16"]).allows("10.1.0.5", 5432)


def test_allowed_port_does_not_allow_other_ports() -> None:
    guard = Guard(["127.0.0.1:8000", "[::1]:6379"])
    assert guard.allows("127.0.0.1", 8000)
    assert guard.allows("::ffff:127.0.0.1", 8000)
    assert guard.allows("::1", 6379)
    assert not guard.allows("127.0.0.1", 8001)
    assert not guard.allows("127.0.0.2", 8000)
    assert not guard.allows("::1", 8000)


def test_single_ipv4_address_is_network_of_one_address() -> None:
    guard = Guard(["10.0.0.5"])
    assert guard.allows("10.0.0.5", 80)
    assert not guard.allows("10.0.0.6", 80)


@pytest.mark.parametrize(
    "entry",
    [
        *(
            "localhost:8000",
            "10.0.0.1/8",
            "10.0.0.0/33",
            "10.0.0.0/8:80",
            "127.0.0.1:",
            "127.0.0.1:0",
            "127.0.0.1:65536",
        ),
        *(
            "127.0.0.1:80a",
            "127.0.0.1:٨٠",
            "127.0.0.1:-1",
            "[127.0.0.1]:80",
            "::1",
            "::1:8080",
            "[::1]",
            "[::1]:",
            "",
            "*",
        ),
    ],
)
def test_invalid_entry_raises_error_with_setting_and_fix(entry: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        Guard([entry])
    assert "MEDIAKIT_ALLOWED_NETWORKS" in caught.value.message
    assert repr(entry) in caught.value.message
    assert "127.0.0.1:8000" in caught.value.message
