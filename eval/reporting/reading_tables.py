"""How well are files read? As tables, of ours and of other parsers."""

from collections.abc import Mapping, Sequence
from typing import Any

from eval.reporting.cells import Cells, Result, interval, share

_SCAN_COUNTS = ("pages", "characters", "errors", "seconds")


def parsers(result: Result) -> Cells:
    """A row per format: words, order and table cells that the parsers recover."""
    measures = ("word_precision", "word_recall", "reading_order", "cell_precision", "cell_recall", "cell_f1")
    return (
        ("format", "documents", *(measure.replace("_", " ") for measure in measures)),
        *(
            (one["format"], str(one["documents"]), *(share(one[name]) for name in measures))
            for one in result["formats"]
        ),
    )


def side_by_side(result: Result) -> Cells:
    """A row per set of documents and parser, each measure with its interval."""
    measures = ("word_recall", "word_precision", "reading_order", "cell_f1", "tree_labels", "printed_labels")
    return (
        ("set", "parser", "documents", *(measure.replace("_", " ") for measure in measures)),
        *(
            (
                row["set"],
                row["parser"],
                str(row["documents"]),
                *(interval(row[name]) if row[name] else "" for name in measures),
            )
            for row in sorted(result["comparison"], key=lambda row: row["set"])
        ),
    )


def recovery(rows: Sequence[Mapping[str, Any]]) -> Cells:
    """A row per file: by parser the share of the words that others agree on, and the strings found."""
    names = list(rows[0]["parsers"]) if rows else []
    return (
        ("file", *names, *(f"{name} strings" for name in names)),
        *(
            (
                row["file"],
                *("refused" if p["refused"] else share(p["share"]) for p in row["parsers"].values()),
                *(f"{p['strings']}/{row['strings']}" for p in row["parsers"].values()),
            )
            for row in rows
        ),
    )


def throughput(result: Result) -> Cells:
    """One row: pages a second of both, and how many times as fast ours is, paired by round."""
    ratio, machine = result["ratio"], result["machine"]
    return (
        (
            "files",
            "pages",
            "rounds",
            "cores",
            "sightline pages/s",
            "pdfplumber pages/s",
            "ratio",
            "mean ratio",
        ),
        (
            str(result["files"]),
            str(result["pages"]),
            str(len(result["rounds"])),
            str(machine["cores"]),
            f"{result['ours_pages_per_s']:.1f}",
            f"{result['plain_pages_per_s']:.1f}",
            f"{ratio['median']:.2f}",
            interval(ratio, 2),
        ),
    )


def welds(result: Result) -> Cells:
    """A row per kind of weld, and one for prose that needs no repair."""
    return (
        ("what", "count", "share"),
        *((f"{row['name']}, found", str(row["n"]), interval(row["found"])) for row in result["kinds"]),
        ("passages without a weld, changed", str(result["prose"]["n"]), interval(result["prose"]["changed"])),
    )


def manifest(results: Sequence[Mapping[str, Any]]) -> Cells:
    """A row per file that lacks something, and how many do not."""
    lacking = [result for result in results if result["failed"]]
    held = sum(len(result["passed"]) for result in results)
    return (
        ("file", "what is missing"),
        *((r["file"], "; ".join([*r["failed"], *filter(None, [r["refused"]])])) for r in lacking),
        (f"{len(results) - len(lacking)} of {len(results)} files", f"all is there; {held} strings hold"),
    )


def scans(result: Result) -> Cells:
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
