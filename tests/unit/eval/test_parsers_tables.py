"""Are a table's rows and cells read alike from whatever shows them?"""

import pytest

from eval.parsing.scores import overlap
from eval.parsing.tables import KnownTables, Rows, adjacency_relations, recovered_tables
from eval.parsing.view import ParsedView
from tests.unit.eval.parsing_samples import TABLE, view_of


def tables_of(view: ParsedView, *known: Rows) -> list[Rows]:
    return [rows for _, rows in recovered_tables(view, KnownTables.of(known or (TABLE,)))]


PIPED = "Quay | Depth | Note\nQuay 7 | 9.5 |\nQuay 8 | 11.2 | silted up"
FRAMED = "| Quay | Depth | Note |\n|:---|---:|---|\n| Quay 7 | 9.5 |  |\n| Quay 8 | 11.2 | silted up |"
NAMED = "Quay: Quay 7; Depth: 9.5\nQuay: Quay 8; Depth: 11.2; Note: silted up"
TABBED = "Quay\tDepth\tNote\nQuay 7\t9.5\nQuay 8\t11.2\tsilted up"
WELDED = "Quay Depth Note\nQuay 7 9.5\nQuay 8 11.2 silted up"


@pytest.mark.parametrize("text", [PIPED, FRAMED, NAMED, TABBED, WELDED])
def test_table_shown_in_any_way_has_all_relations_of_the_truth(text: str) -> None:
    found = adjacency_relations(tables_of(view_of(("table", text))))
    assert found == adjacency_relations([TABLE])


def test_adjacency_relations_count_pairs_along_rows_and_columns() -> None:
    assert adjacency_relations([(("a", "b"), ("c", "d"))]) == {
        ("right", "a", "b"): 1,
        ("right", "c", "d"): 1,
        ("below", "a", "c"): 1,
        ("below", "b", "d"): 1,
    }


def test_adjacency_relations_skip_blank_cells_and_dashes() -> None:
    assert adjacency_relations([(("a", "–", "b"),)]) == {("right", "a", "b"): 1}


def test_blank_cell_that_the_text_does_not_show_costs_the_columns_below_it() -> None:
    truth: Rows = (("Line", "Note", "2024"), ("Cash", "", "18"), ("Loans", "11", "121"))
    found = adjacency_relations(tables_of(view_of(("table", "Line Note 2024\nCash 18\nLoans 11 121")), truth))
    missed = adjacency_relations([truth]) - found
    assert missed == {("below", "Note", "11"): 1, ("below", "2024", "18"): 1, ("below", "18", "121"): 1}


def test_cells_in_another_order_lose_their_neighbours() -> None:
    turned = "Depth | Quay | Note\n9.5 | Quay 7 |\n11.2 | Quay 8 | silted up"
    score = overlap(adjacency_relations([TABLE]), adjacency_relations(tables_of(view_of(("table", turned)))))
    assert 0 < score.recall < 0.6


def test_table_that_goes_on_after_furniture_with_its_header_again_is_one() -> None:
    view = view_of(
        ("table", "Quay Depth Note\nQuay 7 9.5"),
        ("furniture", "Internal copy F-1"),
        ("table", "Quay Depth Note\nQuay 8 11.2 silted up"),
    )
    assert tables_of(view) == [
        (("Quay", "Depth", "Note"), ("Quay 7", "9.5"), ("Quay 8", "11.2", "silted up"))
    ]


def test_tables_with_text_between_them_stay_two() -> None:
    view = view_of(("table", "Quay | Depth\n1 | 2"), ("paragraph", "And:"), ("table", "Quay | Depth\n3 | 4"))
    assert tables_of(view) == [(("Quay", "Depth"), ("1", "2")), (("Quay", "Depth"), ("3", "4"))]


def test_value_that_holds_the_marks_of_a_record_stays_whole() -> None:
    truth: Rows = (("Name", "Note"), ("Lyra", "see: the log; twice"))
    assert tables_of(view_of(("table", "Name: Lyra; Note: see: the log; twice")), truth) == [truth]


def test_welded_line_keeps_words_that_no_cell_knows() -> None:
    view = view_of(("table", "Quay 9 11.2 silted up"))
    assert tables_of(view) == [(("Quay", "9", "11.2", "silted up"),)]
