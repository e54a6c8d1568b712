"""How is the number of a list item written: 3, c, iii?"""

_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"),
    (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_LARGEST_ROMAN = 3_999
_LETTERS = 26
_MAX_REPEATS = 30


def letters(number: int) -> str:
    """1 -> a, 26 -> z, 27 -> aa, 28 -> bb, as word processors go on."""
    if not 0 < number <= _LETTERS * _MAX_REPEATS:
        return str(number)
    return chr(ord("a") + (number - 1) % _LETTERS) * ((number - 1) // _LETTERS + 1)


def roman(number: int) -> str:
    """4 -> iv; what has no Roman numeral stays in digits."""
    if not 0 < number <= _LARGEST_ROMAN:
        return str(number)
    parts = []
    for value, numeral in _ROMAN:
        count, number = divmod(number, value)
        parts.append(numeral * count)
    return "".join(parts)


def ordinal(number: int) -> str:
    """1 -> 1st, 12 -> 12th, 23 -> 23rd."""
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
