"""Does a chunk show what was added to its text, and only where something was?"""

from services.orchestrator.core.records import StoredChunk
from services.orchestrator.gateway.representations import chunk_to_json
from services.orchestrator.ingest_records import chunk_from_pb
from shared.candidate import Source, TextSpan
from shared.pb import candidate_pb2, ingest_pb2

CHUNK = StoredChunk("chk_1", TextSpan("doc_1", 0, 9), Source(), "tidetable", 3)


def test_chunk_without_additions_has_none_of_their_names() -> None:
    assert not {"reading", "annotation", "defines", "mentions"} & chunk_to_json(CHUNK).keys()


def test_chunk_shows_reading_annotation_and_names_as_ingest_sends_them() -> None:
    message = ingest_pb2.Chunk(
        chunk_id="chk_1",
        span=candidate_pb2.TextSpan(document_id="doc_1", start=0, end=9),
        source=candidate_pb2.Source(),
        text="tidetable",
        reading="tide table",
        annotation="On tides.",
        defines=["TIDE-1"],
        mentions=["Quay 7"],
    )
    shown = chunk_to_json(chunk_from_pb(message))
    assert shown["reading"] == "tide table"
    assert shown["annotation"] == "On tides."
    assert (shown["defines"], shown["mentions"]) == (["TIDE-1"], ["Quay 7"])
