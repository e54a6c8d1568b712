"""What does each command of the command line do?"""

import json
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from client.errors import ClientError, Problem
from client.gateway import Sightline
from client.replies import Answer, Citation, UploadEntry, answer_from_json
from client.terminal import Board, one_line, plain

BATCH = 20
POLL_S = 0.3
WIDTH = 100


def add(gateway: Sightline, options: Namespace) -> int:
    """Uploads files, folders' files and URLs, and follows each until it can be searched."""
    targets = list(_targets(options.files))
    board = Board(sys.stderr, [name for name, _ in targets])
    waiting: dict[int, str] = {}
    failures = 0
    for first in range(0, len(targets), BATCH):
        for number, entry in enumerate(_added(gateway, targets[first : first + BATCH]), start=first):
            if entry.job_id and not entry.duplicate:
                waiting[number] = entry.job_id
                board.set(number, "queued")
            else:
                failures += entry.status == "failed"
                board.set(number, "already there" if entry.duplicate else f"refused: {_reason(entry.error)}")
    while waiting:
        for number, job_id in list(waiting.items()):
            job = gateway.job(job_id)
            if not job.finished:
                stage = f" {job.stage}" if job.stage else ""
                board.set(number, f"{job.state}{stage} {job.progress:.0%}")
                continue
            del waiting[number]
            failures += job.state == "failed"
            board.set(number, "ready" if job.state == "done" else f"failed: {_reason(job.error)}")
        if waiting:
            time.sleep(POLL_S)
    return 1 if failures else 0


def ask(gateway: Sightline, options: Namespace) -> int:
    """Shows each stage as it finishes, then the answer as it is written, then its citations."""
    answer: Answer | None = None
    shown, rounds = "", 0
    for event in gateway.stream(options.question, options.config):
        if event.kind == "stage":
            print(_stage_line(event.data), file=sys.stderr, flush=True)
        elif event.kind == "token":
            if event.data.get("round", 0) != rounds:
                rounds, shown = event.data["round"], ""
                print("\n\n(corrected)\n", flush=True)
            text = plain(event.data["text"])
            print(("" if shown else "\n") + text, end="", flush=True)
            shown += text
        elif event.kind == "answer":
            answer = answer_from_json(event.data)
    if answer is None:
        raise ClientError("the stream ended without an answer; ask again")
    if answer.refused:
        print(f"\nNo answer: {plain(answer.refusal_reason or answer.answer)}")
        return 0
    print("" if shown.strip() == plain(answer.answer).strip() else f"\n{plain(answer.answer)}")
    for citation in answer.citations:
        print(_citation_lines(citation))
    print(f"\n(by {answer.model or answer.provider}; trace {answer.trace_id})", file=sys.stderr)
    return 0


def search(gateway: Sightline, options: Namespace) -> int:
    """Lists the passages found, the best first."""
    config = dict(options.config or {})
    if options.limit:
        config["select"] = {**config.get("select", {}), "limit": options.limit}
    found = gateway.search(options.question, config)
    for stage in found.stages:
        print(_stage_line(stage), file=sys.stderr)
    for candidate in found.candidates:
        source = candidate.source
        place = _place(source["title"] or source["file_name"], source["section"], source["page_number"])
        print(f"{candidate.rank:>3}. {place}  ({candidate.score_type} {candidate.score:.4f})")
        print(f"     {one_line(candidate.text, WIDTH)}")
    if not found.candidates:
        print("Nothing found.")
    return 0


def docs(gateway: Sightline, options: Namespace) -> int:
    """Lists the documents of the library."""
    for document in gateway.documents():
        size = f"{document.chunk_count} passages"
        print(f"{document.id}  {document.status:<10}  {size:>14}  {plain(document.name)}")
    return 0


def delete(gateway: Sightline, options: Namespace) -> int:
    """Removes documents, by id."""
    failures = 0
    for document_id in options.ids:
        try:
            gateway.delete(document_id)
            print(f"{document_id} is deleted")
        except Problem as problem:
            failures += 1
            print(f"{document_id}: {problem}", file=sys.stderr)
    return 1 if failures else 0


def reindex(gateway: Sightline, options: Namespace) -> int:
    """Lets the library learn its words, and queues the documents that are read otherwise by them."""
    documents, vocabulary = gateway.reindex()
    print(f"{documents} documents are read again, with vocabulary {vocabulary}")
    return 0


def traces(gateway: Sightline, options: Namespace) -> int:
    """Lists the newest traces, or prints one as JSON."""
    if options.id:
        print(json.dumps(gateway.trace(options.id), indent=2))
        return 0
    for trace in gateway.traces(options.limit):
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(trace.get("created_ms", 0) / 1000))
        print(f"{trace.get('trace_id') or trace.get('id')}  {when}  {one_line(trace['question'], WIDTH)}")
    return 0


COMMANDS: Mapping[str, Callable[[Sightline, Namespace], int]] = {
    "add": add,
    "ask": ask,
    "search": search,
    "docs": docs,
    "delete": delete,
    "reindex": reindex,
    "traces": traces,
}


def _targets(given: Sequence[str]) -> Iterator[tuple[str, Path | None]]:
    for text in given:
        path = Path(text)
        if text.startswith(("http://", "https://")):
            yield text, None
        elif path.is_dir():
            files = sorted(p for p in path.rglob("*") if p.is_file() and not p.name.startswith("."))
            yield from ((p.name, p) for p in files)
        elif path.is_file():
            yield path.name, path
        else:
            raise ClientError(f"{text} is neither a file, nor a folder, nor a URL")


def _added(gateway: Sightline, targets: Sequence[tuple[str, Path | None]]) -> list[UploadEntry]:
    """Each target's entry, in order; the files among them go in one request."""
    paths = [path for _, path in targets if path is not None]
    entries = iter(gateway.add_files(paths) if paths else [])
    return [_fetched(gateway, name) if path is None else next(entries) for name, path in targets]


def _fetched(gateway: Sightline, url: str) -> UploadEntry:
    try:
        return gateway.add_url(url)
    except Problem as problem:
        error = {"title": problem.title, "detail": problem.detail}
        return UploadEntry(id=None, name=url, status="failed", duplicate=False, job_id=None, error=error)


def _reason(error: Mapping[str, Any] | None) -> str:
    found = error or {}
    return plain(str(found.get("detail") or found.get("title") or "no reason was given"))


def _stage_line(stage: Mapping[str, Any]) -> str:
    name = plain(str(stage.get("label") or stage["name"]))
    count, took_ms = len(stage["candidates"]), stage["duration_ms"]
    notes = "; ".join(str(note) for note in stage.get("notes") or [])
    failed = f"  failed: {stage['error']}" if stage.get("error") else ""
    noted = f"  ({notes})" if notes else ""
    return plain(f"{name:<12} {count:>4} passages {took_ms:>8.0f} ms{failed}{noted}")


def _citation_lines(citation: Citation) -> str:
    place = _place(citation.title, citation.section, citation.page_number, citation.page_label)
    return f"[{citation.n}] {place}\n    “{one_line(citation.quote, WIDTH)}”"


def _place(title: str, section: Sequence[str], page: int | None, label: str | None = None) -> str:
    parts = [title, *section]
    if page is not None:
        parts.append(f"page {label} ({page})" if label and label != str(page) else f"page {page}")
    return plain(" › ".join(part for n, part in enumerate(parts) if part and part not in parts[:n]))
