"""May the gateway connect to this address for somebody else? Only if it is public, whatever its spelling."""

import ipaddress
import re
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

# Said here as well as by `is_global`, whose table differs between Python releases.
NEVER = [
    ipaddress.ip_network(text)
    for text in (
        "0.0.0.0/8",
        "100.64.0.0/10",  # shared by carriers (RFC 6598)
        "192.0.0.0/24",
        "192.88.99.0/24",  # 6to4 relays
        "198.18.0.0/15",  # benchmarks
        "240.0.0.0/4",
        "64:ff9b:1::/48",  # local translation (RFC 8215)
        "2001::/23",  # Teredo and other protocol assignments
        "fec0::/10",  # site-local, deprecated
    )
]
NAT64 = ipaddress.ip_network("64:ff9b::/96")
SIX_TO_FOUR = ipaddress.ip_network("2002::/16")

ENDS_IN_NUMBER = re.compile(r"(^|\.)(\d+|0[xX][0-9a-fA-F]*)\.?$")


def is_public(address: Address) -> bool:
    """Whether the address, and the IPv4 address inside it if there is one, belongs to the public internet."""
    inner = embedded(address)
    if inner is not None:
        return is_public(inner)
    return (
        address.is_global
        and not address.is_multicast
        and not address.is_reserved
        and not any(address in network for network in NEVER if network.version == address.version)
    )


def embedded(address: Address) -> IPv4Address | None:
    """The IPv4 address that traffic to an IPv6 address ends at: mapped, compatible, NAT64 or 6to4."""
    if isinstance(address, IPv4Address):
        return None
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address in NAT64 or (int(address) >> 32 == 0 and int(address) > 1):
        return IPv4Address(int(address) & 0xFFFFFFFF)
    if address in SIX_TO_FOUR:
        return IPv4Address(int(address) >> 80 & 0xFFFFFFFF)
    return None


def is_allowed(address: Address, networks: Sequence[Network]) -> bool:
    """Whether the address is public, or in one of the networks that the settings name."""
    return is_public(address) or any(
        address in network for network in networks if network.version == address.version
    )


def is_disguised(host: str) -> bool:
    """Whether a host is an IPv4 address spelt as nobody writes it: decimal, octal, hexadecimal, short."""
    if not ENDS_IN_NUMBER.search(host):
        return False
    try:
        ipaddress.IPv4Address(host)
    except ValueError:
        return True
    return False
