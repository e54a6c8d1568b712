"""How are the two networks that read scanned pages run? On the CPU, one picture at a time."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

from services.ingest.core.ocr.ctc import SPACE
from shared.errors import Unavailable

_ALPHABET_KEY = "character"  # in the recogniser's metadata, one character a line


class OnnxReader:
    """Finds and spells writing; batches of one, as a line may not depend on its neighbours."""

    def __init__(self, detector: Path, recogniser: Path) -> None:
        self._detector = _session(detector)
        self._recogniser = _session(recogniser)
        characters = self._recogniser.get_modelmeta().custom_metadata_map.get(_ALPHABET_KEY)
        if characters is None:
            raise Unavailable(f"{recogniser} does not name its characters: run `make models`.")
        self._alphabet = (*characters.split("\n"), SPACE)

    @property
    def alphabet(self) -> Sequence[str]:
        return self._alphabet

    def probability(self, picture: NDArray[np.float32]) -> NDArray[np.float32]:
        (probability,) = _first_output(self._detector, picture)
        return np.asarray(probability)

    def scores(self, picture: NDArray[np.float32]) -> NDArray[np.float32]:
        return _first_output(self._recogniser, picture)


@lru_cache(maxsize=1)
def onnx_reader(detector: Path, recogniser: Path) -> OnnxReader:
    """The networks of two files of weights, loaded once a process."""
    return OnnxReader(detector, recogniser)


def _session(weights: Path) -> ort.InferenceSession:
    options = ort.SessionOptions()
    # One thread: pages are read side by side in processes of their own, and the order of sums is fixed.
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.execution_mode = ort.ExecutionMode.ORT_SEQUENTIAL
    # Every picture has its own size: patterns and arenas would only grow against the sandbox's limit.
    options.enable_mem_pattern = False
    options.enable_cpu_mem_arena = False
    options.log_severity_level = 3
    return ort.InferenceSession(str(weights), options, providers=["CPUExecutionProvider"])


def _first_output(session: ort.InferenceSession, picture: NDArray[np.float32]) -> NDArray[np.float32]:
    """The first output without the batch's axis."""
    (output,) = session.run([session.get_outputs()[0].name], {session.get_inputs()[0].name: picture})
    return np.asarray(output[0], dtype=np.float32)
