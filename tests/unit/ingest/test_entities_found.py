"""Which entities are found without a model, and which chunk defines each?"""

import pytest

from services.ingest.core.chunking import ChunkingConfig, chunk
from services.ingest.core.document import ParsedDocument
from services.ingest.core.entities import (
    GIVEN,
    IDENTIFIER,
    NAME,
    TITLE,
    ChunkEntities,
    Entity,
    Given,
    entities_of,
)
from services.ingest.core.formats import markdown
from services.ingest.core.formats.delimited import parser as delimited
from tests.unit.ingest.counting import Words

MINUTES = """# Minutes of the harbour works

## Fender policy

The Norrholm Port and Water Board (NPWB) met at the Silo Annex. Ingrid Solheim opened the meeting, and the
NPWB agreed with Solheim that fenders of type SEC-014 wear out. Hanne Brekke and Yusuf Demirel were not there
in May.

## SEC-014 Cylindrical fenders

SEC-014 is a cylinder of rubber. Its predecessor was SEC 013, which the Silo Annex still stores.

- SEC-015: a cone of rubber
- see also SEC-014
"""
GERMAN = """# Betrieb

Die Spülung beginnt mit der Prüfung der Pumpen, der Ventile und der Behälter im Gebäude. Das Personal trägt
Schutzbrille und Handschuhe, bis der Druck im Behälter unter den Wert der Anzeige gefallen ist. Nach der
Spülung prüft der Betriebsleiter die Trübung am Ablauf und trägt den Wert in das Betriebsbuch der Anlage ein.
"""


def found_in(
    parsed: ParsedDocument, *given: Given
) -> tuple[dict[str, Entity], list[tuple[str, ChunkEntities]]]:
    drafts = chunk(parsed, ChunkingConfig(max_tokens=64, overlap_tokens=0), Words())
    entities, by_chunk = entities_of(parsed, drafts, given)
    texts = [parsed.text[draft.start : draft.end] for draft in drafts]
    return {entity.name: entity for entity in entities}, list(zip(texts, by_chunk, strict=True))


def test_title_names_codes_and_short_forms_are_found_with_their_counts() -> None:
    found, _ = found_in(markdown.parse("minutes.md", MINUTES.encode()))
    assert found["Minutes of the harbour works"].kind == TITLE
    assert found["Norrholm Port and Water Board"] == Entity(
        "Norrholm Port and Water Board", NAME, ("NPWB",), 3
    )
    assert found["Ingrid Solheim"] == Entity("Ingrid Solheim", NAME, ("Solheim",), 2)
    assert found["Silo Annex"].mentions == 2
    assert {"Hanne Brekke", "Yusuf Demirel"} <= found.keys()
    assert found["SEC-014"] == Entity("SEC-014", IDENTIFIER, (), 4)
    assert "May" not in found


def test_chunk_under_its_heading_defines_a_code_and_another_mentions_it() -> None:
    _, chunks = found_in(markdown.parse("minutes.md", MINUTES.encode()))
    defining = [text for text, entities in chunks if "SEC-014" in entities.defines]
    mentioning = [text for text, entities in chunks if "SEC-014" in entities.mentions]
    assert [text.splitlines()[0] for text in defining] == ["## SEC-014 Cylindrical fenders"]
    assert ["## Fender policy" in text for text in mentioning] == [True]
    assert next(entities.defines for text, entities in chunks if "SEC-015:" in text) == ("SEC-014", "SEC-015")


def test_row_of_a_table_defines_the_code_in_its_first_column() -> None:
    rows = "box_code,holds\nNB-0112,letters from the pilots\nNB-0113,plans that belong with NB-0112\n"
    found, chunks = found_in(delimited.parse_csv("boxes.csv", rows.encode()))
    assert "box_code" not in found
    assert chunks[0][1].defines == ("NB-0112", "NB-0113")


@pytest.mark.parametrize("kind", [GIVEN, NAME])
def test_given_entity_is_found_in_any_case_and_by_its_alias(kind: str) -> None:
    pump = Given("main lift pump", kind, ("P-7", "old lady"))
    text = (
        "# Log\n\nThe Old Lady stopped at noon. The MAIN LIFT PUMP runs again; lady luck had no part in it."
    )
    found, chunks = found_in(markdown.parse("log.md", text.encode()), pump)
    assert found["main lift pump"] == Entity("main lift pump", kind, ("P-7", "old lady"), 2)
    assert "main lift pump" in chunks[0][1].mentions


def test_language_that_capitalises_nouns_gives_no_names() -> None:
    found, _ = found_in(markdown.parse("betrieb.md", GERMAN.encode()))
    assert [entity.name for entity in found.values() if entity.kind == NAME] == []


def test_what_stands_on_page_after_page_is_no_entity() -> None:
    text = "---\ncode: AB-1234\n---\n# Log\n\nThe pump AB-77 runs.\n"
    found, _ = found_in(markdown.parse("log.md", text.encode()))
    assert {"AB-77"} == {entity.name for entity in found.values() if entity.kind == IDENTIFIER}
