"""How are a number's digits laid into the 0, # and ? of a format code?"""

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction

from services.ingest.core.formats.xlsx.number_codes import (
    COMMA,
    DIGIT,
    EXPONENT,
    GENERAL,
    LITERAL,
    PERCENT,
    POINT,
    SLASH,
    Plain,
    Section,
    Token,
)

_GENERAL_DIGITS = 11
_EXACT = Context(prec=1_500, rounding=ROUND_HALF_UP)
_MAX_DENOMINATOR_DIGITS = 4


def general(value: float) -> str:
    """A number as a cell without a format shows it: at most eleven digits, then scientific."""
    if 1 <= value < 10**_GENERAL_DIGITS - 1:
        return f"{value:.{_GENERAL_DIGITS}g}"
    number = _decimal(value)
    if not number:
        return "0"
    exponent = number.adjusted()
    if -5 < exponent < _GENERAL_DIGITS:
        places = min(_GENERAL_DIGITS - 1 - max(exponent, 0), 9 if exponent < 0 else _GENERAL_DIGITS)
        shown = f"{_rounded(number, places):f}"
        return shown.rstrip("0").rstrip(".") if "." in shown else shown
    mantissa, power = _scaled(number, 1, 5)
    digits = f"{mantissa:f}"
    digits = digits.rstrip("0").rstrip(".") if "." in digits else digits
    return f"{digits}E{'-' if power < 0 else '+'}{abs(power):02d}"


def laid_out(value: float, section: Section) -> str:
    """A number that is not negative, laid into a section's tokens."""
    number = _decimal(value)
    if section.plain is not None:
        return _plainly(number, section.plain)
    for token in section.tokens:
        if token.kind == PERCENT:
            number *= 100
    if section.has(SLASH) and section.has(DIGIT):
        return _fraction(number, section.tokens)
    whole, decimals, exponent = _parts(section.tokens)
    digits = [index for index, token in enumerate(whole) if token.kind == DIGIT]
    grouped = any(
        token.kind == COMMA and digits and digits[0] < index < digits[-1] for index, token in enumerate(whole)
    )
    if not any(token.kind == POINT for token in section.tokens) or decimals:
        tail = whole if not decimals else [*whole, *decimals]
        number = number.scaleb(-3 * _trailing_commas(tail), _EXACT)
    places = sum(token.kind == DIGIT for token in decimals)
    power = 0
    if exponent:
        number, power = _scaled(number, max(len(digits), 1), places)
    shown = f"{_rounded(number, places):f}"
    before, _, after = shown.partition(".")
    parts = [_whole(whole, before.lstrip("0"), grouped=grouped, value=value)]
    if any(token.kind == POINT for token in section.tokens):
        parts.append(".")
    parts.append(_decimals(decimals, after))
    if exponent:
        sign = "-" if power < 0 else "+" if exponent[0].text.endswith("+") else ""
        parts.append("E" + sign + _whole(exponent[1:], str(abs(power)).lstrip("0"), grouped=False, value=0))
    return "".join(parts)


def _plainly(number: Decimal, plain: Plain) -> str:
    if plain.power:
        number = number.scaleb(plain.power, _EXACT)
    rounded = _rounded(number, plain.decimals)
    shown = f"{rounded:,f}" if plain.grouped else f"{rounded:f}"
    if not plain.least_digits and rounded < 1:
        shown = shown.removeprefix("0")
    elif plain.least_digits > 1:
        shown = shown.zfill(plain.least_digits + (plain.decimals + 1 if plain.decimals else 0))
    return f"{plain.before}{shown}{plain.after}"


def _parts(tokens: Sequence[Token]) -> tuple[list[Token], list[Token], list[Token]]:
    """What stands before the point, after it, and from the exponent on."""
    parts: tuple[list[Token], list[Token], list[Token]] = ([], [], [])
    which = 0
    for token in tokens:
        if token.kind == POINT and which == 0:
            which = 1
            continue
        if token.kind == EXPONENT:
            which = 2
        parts[which].append(token)
    return parts


def _trailing_commas(tokens: Sequence[Token]) -> int:
    """Commas right behind the last digit: each divides by a thousand."""
    count = 0
    for token in reversed(tokens):
        if token.kind == DIGIT:
            return count
        count = count + 1 if token.kind == COMMA else 0
    return 0


def _whole(tokens: Sequence[Token], digits: str, *, grouped: bool, value: float) -> str:
    """Fills the places from the right; the leftmost takes all digits that are left."""
    places = sum(token.kind == DIGIT for token in tokens)
    parts: list[str] = []
    used = 0

    def put(digit: str) -> None:
        nonlocal used
        if grouped and used and used % 3 == 0 and digit != " ":
            parts.append(",")
        parts.append(digit)
        used += 1

    for token in reversed(tokens):
        if token.kind == DIGIT:
            places -= 1
            if digits:
                put(digits[-1])
                digits = digits[:-1]
            elif token.text != "#":
                put("0" if token.text == "0" else " ")
            while not places and digits:
                put(digits[-1])
                digits = digits[:-1]
        elif token.kind == GENERAL:
            parts.append(general(value)[::-1])
        elif token.kind in (LITERAL, PERCENT):
            parts.append(token.text[::-1])
    return "".join(parts)[::-1]


def _decimals(tokens: Sequence[Token], digits: str) -> str:
    significant = len(digits.rstrip("0"))
    parts: list[str] = []
    place = 0
    for token in tokens:
        if token.kind == DIGIT:
            if token.text == "0" or place < significant:
                parts.append(digits[place] if place < len(digits) else "0")
            elif token.text == "?":
                parts.append(" ")
            place += 1
        elif token.kind in (LITERAL, PERCENT):
            parts.append(token.text)
    return "".join(parts)


def _fraction(number: Decimal, tokens: Sequence[Token]) -> str:
    """`# ?/?` shows 3.5 as `3 1/2`; a denominator written in digits is kept."""
    slash = next(index for index, token in enumerate(tokens) if token.kind == SLASH)
    below = [token for token in tokens[slash + 1 :] if token.kind == DIGIT or token.text.isdecimal()]
    written = "".join(token.text for token in below).lstrip("0")
    mixed = any(
        token.kind == LITERAL and token.text.isspace() and any(t.kind == DIGIT for t in tokens[:index])
        for index, token in enumerate(tokens[:slash])
    )
    exact = Fraction(number)
    whole = int(exact) if mixed else 0
    if written.isdecimal():
        bottom = int(written)
        top = round((exact - whole) * bottom)
    else:
        near = (exact - whole).limit_denominator(10 ** min(len(below), _MAX_DENOMINATOR_DIGITS) - 1 or 1)
        top, bottom = near.numerator, near.denominator
    if mixed and top == bottom:
        whole, top = whole + 1, 0
    if mixed and not top:
        return str(whole)
    return f"{whole} {top}/{bottom}" if whole else f"{top}/{bottom}"


def _scaled(number: Decimal, step: int, places: int) -> tuple[Decimal, int]:
    """Mantissa, rounded, and exponent, a multiple of the places before the point."""
    if not number:
        return number, 0
    power = number.adjusted() // step * step
    mantissa = _rounded(number.scaleb(-power, _EXACT), places)
    if mantissa.adjusted() >= step:  # 9.99 rounded up to 10.0
        return _rounded(mantissa.scaleb(-step, _EXACT), places), power + step
    return mantissa, power


def _rounded(number: Decimal, places: int) -> Decimal:
    return number.quantize(Decimal(1).scaleb(-places), context=_EXACT)


def _decimal(value: float) -> Decimal:
    """As much of a number as a spreadsheet shows of it: fifteen digits, so that 4000.5 * 1.19 is 4760.595."""
    return Decimal(f"{value:.15g}")
