"""Which words and signs beside a number say what it counts, in the languages that the suites use?"""

from collections.abc import Mapping
from decimal import Decimal
from types import MappingProxyType

CURRENCY_SIGNS: Mapping[str, str] = MappingProxyType({"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY"})
CURRENCY_WORDS: Mapping[str, str] = MappingProxyType(
    {
        **{code.casefold(): code for code in ("EUR", "USD", "GBP", "NOK", "SEK", "DKK", "CHF", "JPY", "PLN")},
        **dict.fromkeys(("euro", "euros"), "EUR"),
        **dict.fromkeys(("us$", "dollar", "dollars"), "USD"),
        **dict.fromkeys(
            ("kr", "krone", "kroner", "kronor", "kronen", "couronnes", "coronas", "corone"), "kr"
        ),
    }
)
# What plain "kr" may stand for.
KRONER = frozenset({"kr", "NOK", "SEK", "DKK"})

PERCENT_WORDS = (
    "per cent",
    "percent",
    "pct",
    "prosent",
    "procent",
    "prozent",
    "pour cent",
    "por ciento",
    "per cento",
)

_THOUSAND, _MILLION, _BILLION = Decimal(10**3), Decimal(10**6), Decimal(10**9)
SCALE_WORDS: Mapping[str, Decimal] = MappingProxyType(
    {
        **dict.fromkeys(("thousand", "tusen", "tausend", "duizend"), _THOUSAND),
        **dict.fromkeys(("million", "millions", "millionen", "millioner", "mill", "mio", "mn"), _MILLION),
        **dict.fromkeys(
            ("miljoen", "miljon", "miljoner", "millón", "millones", "milione", "milioni"), _MILLION
        ),
        **dict.fromkeys(("billion", "billions", "bn", "milliard", "milliards", "milliarde"), _BILLION),
        **dict.fromkeys(("milliarden", "milliarder", "mrd", "miljard", "miljarder", "miliardi"), _BILLION),
    }
)
# Read as a scale only after an amount of money: m is also the metre.
SCALE_LETTERS: Mapping[str, Decimal] = MappingProxyType({"k": _THOUSAND, "m": _MILLION, "b": _BILLION})

# May follow a number without a space, in this case; any other letters make a code of it (4B, 3a).
_UNITS = """
µm mm cm dm m km nm ft in m² m³ km² cm² cm³ mm² µg mg g kg t kt ml mL cl dl l L hl ms s sec min h hr hrs
W kW MW GW Wh kWh MWh GWh V kV mV mA Ah kVA Hz kHz MHz GHz Pa hPa kPa MPa bar mbar psi N kN nmi kts dwt GT TEU
ppm ppb ppt NTU FNU psu J kJ MJ kB KB MB GB TB KiB MiB GiB kbit Mbit Gbit px pt dpi dB x
st nd rd th er ère ème º ª ste
"""
UNITS = frozenset(_UNITS.split())

_SMALL = "zero one two three four five six seven eight nine ten eleven twelve"
SPELLED: Mapping[Decimal, str] = MappingProxyType({Decimal(n): w for n, w in enumerate(_SMALL.split())})
