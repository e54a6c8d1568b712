"""How long did each stage take, and the whole?"""

from collections.abc import Mapping, Sequence

import numpy as np

from services.orchestrator.core.trace import Trace

QUANTILES: Mapping[str, float] = {"p50": 0.50, "p95": 0.95, "p99": 0.99}


def latency_of(traces: Sequence[Trace]) -> dict[str, dict[str, float]]:
    """p50, p95 and p99 of every name in the traces' timings (stages, `answer`, `total`), in milliseconds."""
    names = dict.fromkeys(name for trace in traces for name in trace.timings_ms)
    return {name: quantiles([t.timings_ms[name] for t in traces if name in t.timings_ms]) for name in names}


def quantiles(values_ms: Sequence[float]) -> dict[str, float]:
    """p50, p95 and p99 with linear interpolation, and how many values there were."""
    found = {name: round(float(np.quantile(values_ms, share)), 3) for name, share in QUANTILES.items()}
    return {**found, "n": len(values_ms)}
