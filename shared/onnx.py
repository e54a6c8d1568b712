"""How is a text encoder run on the CPU so that a text gives the same bits whatever else is running?"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray


class OnnxModel:
    """A transformer graph that reads one sequence at a time; `run` may be called from several threads.

    With dynamic int8 the numbers of one text depend on what else is in its batch, hence batches of one.
    Each run stays on its caller's thread: side by side they use the cores better than together on one
    graph, and the order of every sum is fixed.
    """

    def __init__(self, weights: Path) -> None:
        options = ort.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.execution_mode = ort.ExecutionMode.ORT_SEQUENTIAL
        options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_ALL
        # Every length has its own memory pattern, so keeping them costs memory; without the arena, what is
        # freed stays scattered over the threads' heaps and the process grows to twice the size.
        options.enable_mem_pattern = False
        options.enable_cpu_mem_arena = True
        options.log_severity_level = 3
        grow = {"arena_extend_strategy": "kSameAsRequested"}
        self._session = ort.InferenceSession(
            str(weights), options, providers=[("CPUExecutionProvider", grow)]
        )
        self._inputs = {entry.name for entry in self._session.get_inputs()}
        self._output = self._session.get_outputs()[0].name

    def run(self, token_ids: Sequence[int], type_ids: Sequence[int]) -> NDArray[np.float32]:
        """The first output for one sequence, without the batch's axis, as float32."""
        ids = np.asarray(token_ids, dtype=np.int64)[np.newaxis]
        feeds = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.asarray(type_ids, dtype=np.int64)[np.newaxis],
        }
        (output,) = self._session.run(
            [self._output], {name: value for name, value in feeds.items() if name in self._inputs}
        )
        return np.asarray(output[0], dtype=np.float32)
