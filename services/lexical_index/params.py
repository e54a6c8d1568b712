"""Which parameters does the stage `lexical` take? k1, b and idf, as text."""

import math
from collections.abc import Mapping

from services.lexical_index.core.bm25 import IDFS, Weighting
from shared.errors import InvalidInput

PARAMS = ("k1", "b", "idf")


def weighting_of(params: Mapping[str, str]) -> Weighting:
    """The weighting with the parameters put in. InvalidInput for an unknown name or value."""
    for name in params:
        if name not in PARAMS:
            raise InvalidInput(f"Stage lexical has no parameter {name!r}; it has {', '.join(PARAMS)}.")
    default = Weighting()
    idf = IDFS.get(params["idf"]) if "idf" in params else default.idf
    if idf is None:
        raise InvalidInput(f"Parameter idf must be one of {', '.join(IDFS)}, not {params['idf']!r}.")
    return Weighting(
        k1=_number(params, "k1", default.k1, most=100.0), b=_number(params, "b", default.b, most=1.0), idf=idf
    )


def _number(params: Mapping[str, str], name: str, default: float, *, most: float) -> float:
    if name not in params:
        return default
    try:
        value = float(params[name])
    except ValueError:
        value = math.nan
    if not 0 <= value <= most:
        raise InvalidInput(f"Parameter {name} must be a number from 0 to {most:g}, not {params[name]!r}.")
    return value
