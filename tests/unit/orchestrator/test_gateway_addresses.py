"""Which addresses does the gateway take for public?"""

from ipaddress import ip_address

import pytest

from services.orchestrator.gateway.addresses import is_disguised, is_public


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "127.255.255.254",
        "0.0.0.0",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "192.0.0.1",
        "192.0.2.1",
        "198.18.0.1",
        "224.0.0.1",
        "239.255.255.250",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::7f00:1",
        "64:ff9b::7f00:1",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b:1::1",
        "2002:7f00:1::",
        "2001::1",
        "fe80::1",
        "fec0::1",
        "fc00::1",
        "fd00:ec2::254",
        "ff02::1",
        "2001:db8::1",
    ],
)
def test_address_that_is_not_public_is_recognised(address: str) -> None:
    assert not is_public(ip_address(address))


@pytest.mark.parametrize(
    "address", ["93.184.216.34", "1.1.1.1", "2606:4700::1111", "64:ff9b::101:101", "::ffff:1.1.1.1"]
)
def test_public_address_is_public(address: str) -> None:
    assert is_public(ip_address(address))


@pytest.mark.parametrize(
    ("host", "disguised"),
    [
        ("2130706433", True),
        ("0x7f000001", True),
        ("0x7f.1", True),
        ("127.1", True),
        ("0177.0.0.1", True),
        ("127.0.0.1.", True),
        ("1.2.3.4", False),
        ("example.org", False),
        ("3com.com", False),
        ("::1", False),
    ],
)
def test_address_in_an_odd_spelling_is_recognised(host: str, disguised: bool) -> None:
    assert is_disguised(host) is disguised
