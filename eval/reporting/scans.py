"""What does the table of misread scans show?"""

from eval.reporting.tables import Cells, Result

_SCAN_COUNTS = ("pages", "characters", "errors", "seconds")


def scan_table(result: Result) -> Cells:
    """A row per look and document, and one for all documents of a look: the share of characters misread."""
    rows = result["documents"]
    looks = list(dict.fromkeys(row["look"] for row in rows))
    totals = [
        {"look": look, "document": "all"}
        | {name: sum(row[name] for row in rows if row["look"] == look) for name in _SCAN_COUNTS}
        for look in looks
    ]
    return (
        ("look", "document", "pages", "characters", "misread", "seconds a page"),
        *(
            (
                row["look"],
                row["document"],
                str(row["pages"]),
                str(row["characters"]),
                f"{row['errors'] / row['characters']:.2%}",
                f"{row['seconds'] / row['pages']:.1f}",
            )
            for row in [*rows, *totals]
        ),
    )
