"""Does an answer without a model consist of the right sentences, exactly quoted?"""

import pytest

from services.orchestrator.core.assembly import Passage
from services.orchestrator.core.extractive import (
    chosen,
    folded,
    identifiers,
    log_odds_of,
    overlaps,
    preselected,
    quoted,
    sentences_of,
    terms,
)
from shared.candidate import Candidate, Evidence, Part, ScoreType, TextSpan


def passage(n: int, text: str) -> Passage:
    return Passage(n, Candidate(f"chk_{n}", TextSpan("doc_1", 50, 50 + len(text)), text=text), 9)


HANDBOOK = passage(
    1,
    "### SEC-014 Data quality\n\nRule SEC-014 of ZX says that every record is validated.\n\n"
    "### SEC-117 Retention\n\nRule SEC-117 of ZX says that audit records\nare kept for 2,555 days.",
)
TABLE = passage(2, "State Permit Handgun\nAlabama 18,870 23,022 22,650\nAlaska 2,598 2,994 3,100")


def by_overlap(question: str, *passages: Passage) -> list[str]:
    sentences = sentences_of(passages)
    shares = overlaps(question, sentences)
    return [s.text for s in chosen(question, sentences, {k: 6 * (v - 0.5) for k, v in shares.items()})]


def test_sentence_holding_the_code_is_preferred() -> None:
    found = by_overlap("How long are audit records of ZX kept under SEC-117?", HANDBOOK, TABLE)
    assert found[0] == "Rule SEC-117 of ZX says that audit records\nare kept for 2,555 days."


def test_row_of_a_table_is_an_answer() -> None:
    found = by_overlap("Which number stands first for Alabama in the table?", HANDBOOK, TABLE)
    assert found[0] == "Alabama 18,870 23,022 22,650"


def test_answer_folds_lines_and_cites_the_sentence_itself() -> None:
    sentences = [s for s in sentences_of([HANDBOOK]) if "2,555" in s.text]
    answer = quoted(sentences)
    assert answer.text == "Rule SEC-117 of ZX says that audit records are kept for 2,555 days. [1]"
    (citation,) = answer.citations
    text = HANDBOOK.candidate.text
    assert text[citation.span.start - 50 : citation.span.end - 50] == citation.quote
    assert "\n" in citation.quote


def test_headings_are_no_answers_unless_there_is_nothing_else() -> None:
    assert all("###" not in s.text for s in sentences_of([HANDBOOK]))
    assert [s.text for s in sentences_of([passage(1, "### Only a heading")])] == ["### Only a heading"]


def test_further_sentences_must_be_close_and_add_something() -> None:
    sentences = sentences_of(
        [passage(1, "Ships dock at noon. Boats dock at noon too. It rains. Ships dock at noon.")]
    )
    keys = [s.key for s in sentences]
    near = chosen("When do ships dock?", sentences, dict(zip(keys, [5.0, 4.5, 1.0, 4.9], strict=True)))
    assert [s.text for s in near] == ["Ships dock at noon.", "Boats dock at noon too."]
    alone = chosen("When do ships dock?", sentences, dict(zip(keys, [5.0, 3.5, 1.0, 1.0], strict=True)))
    assert [s.text for s in alone] == ["Ships dock at noon."]
    weak = chosen("When do ships dock?", sentences, dict(zip(keys, [-1.0, -1.1, -1.2, -9.0], strict=True)))
    assert len(weak) == 1


def test_never_more_than_three_sentences() -> None:
    sentences = sentences_of([passage(1, "One red. Two blue. Three green. Four white. Five black.")])
    assert len(chosen("colours", sentences, {s.key: 5.0 for s in sentences})) == 3


def test_preselection_keeps_the_best_by_shared_words() -> None:
    noise = " ".join(f"Berth {n} is empty." for n in range(60))
    sentences = sentences_of([passage(1, noise), HANDBOOK])
    kept = preselected("audit records SEC-117", sentences)
    assert len(kept) == 24
    assert any("2,555" in s.text for s in kept)


def test_sentences_are_candidates_with_narrower_spans() -> None:
    sentence = sentences_of([HANDBOOK])[0]
    candidate = sentence.as_candidate()
    assert candidate.text == HANDBOOK.candidate.text[candidate.span.start - 50 : candidate.span.end - 50]
    assert candidate.chunk_id == sentence.key != "chk_1"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("How long under SEC-117?", {"sec-117"}),
        ("What is X-RateLimit-Remaining?", {"x-ratelimit-remaining"}),
        ("set hnsw.ef_search to 64", {"hnsw.ef_search", "64"}),
        ("a well-known state", set()),
    ],
)
def test_identifiers_are_codes_and_figures(text: str, found: set[str]) -> None:
    assert identifiers(text) == found


def test_words_match_across_endings_accents_and_separators() -> None:
    assert terms("Records of the Naïve") == terms("record naive")
    assert terms("2,555") == terms("2555")


def test_references_of_the_source_are_no_citations() -> None:
    assert folded("as shown\nin [12]") == "as shown in (12)"
    assert folded("a 9%-\n19% gain") == "a 9%- 19% gain"
    assert folded("re-\nranking") == "re-ranking"


def test_log_odds_come_from_the_logit_or_else_the_score() -> None:
    span = TextSpan("doc_1", 0, 1)
    told = Evidence("rerank", 1, 0.99, ScoreType.CROSS_ENCODER, (Part("logit", 4.5),))
    assert log_odds_of(Candidate("chk_1", span, (told,))) == 4.5
    untold = Evidence("rerank", 1, 0.5, ScoreType.CROSS_ENCODER)
    assert log_odds_of(Candidate("chk_1", span, (untold,))) == pytest.approx(0.0)


def test_sentence_after_a_question_is_read_with_it_and_quoted_without() -> None:
    faq = passage(1, "How long does a cap last?\n\nTwo years from first use. Keep it dry. Is it safe? Yes.")
    sentences = sentences_of([faq])
    assert [s.text for s in sentences] == ["Two years from first use.", "Keep it dry.", "Yes."]
    assert sentences[0].as_candidate().text == "How long does a cap last?\n\nTwo years from first use."
    assert sentences[1].as_candidate().text == "Keep it dry."
    assert quoted(sentences[:1]).citations[0].quote == "Two years from first use."


def test_similarity_of_passages_decides_where_no_sentence_convinces() -> None:
    def alike(n: int, text: str, cosine: float) -> Passage:
        evidence = (Evidence("vector", n, cosine, ScoreType.COSINE),)
        return Passage(n, Candidate(f"chk_{n}", TextSpan("doc_1", 0, len(text)), evidence, text=text), 9)

    sentences = sentences_of([alike(1, "Ships dock at noon.", 0.50), alike(2, "Records are kept.", 0.59)])
    noise = dict(zip([s.key for s in sentences], [-9.0, -9.9], strict=True))
    assert chosen("Wie lange?", sentences, noise)[0].text == "Records are kept."
    sure = dict(zip([s.key for s in sentences], [3.0, 2.5], strict=True))
    assert chosen("When?", sentences, sure)[0].text == "Ships dock at noon."


def test_sentence_that_stands_in_several_passages_is_quoted_once_and_cited_in_each() -> None:
    text = "DATES: The FAA must receive comments by September 21. Other words follow here."
    passages = [passage(n, text) for n in range(1, 6)]
    sentences = sentences_of(passages)
    odds = {s.key: 5.0 if "DATES" in s.text else -5.0 for s in sentences}
    answer = quoted(chosen("When must comments be received?", sentences, odds))
    assert answer.text == "DATES: The FAA must receive comments by September 21. [1] [2] [3]"
    assert [c.chunk_id for c in answer.citations] == [
        "chk_1",
        "chk_2",
        "chk_3",
    ]
