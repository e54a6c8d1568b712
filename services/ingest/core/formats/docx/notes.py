"""What do the foot- and endnotes of a Word document say, and which mark refers to each?"""

from collections.abc import Callable
from typing import Any

from services.ingest.core.formats.docx.words import VALUE, flow, is_on, word_name, words_of
from services.ingest.core.formats.list_marks import letters, roman
from services.ingest.core.text import one_line

_ID, _OWN_MARK = word_name("id"), word_name("customMarkFollows")
_WRITTEN: dict[str, Callable[[int], str]] = {
    "lowerRoman": roman,
    "upperRoman": lambda number: roman(number).upper(),
    "lowerLetter": letters,
    "upperLetter": lambda number: letters(number).upper(),
}
_USUAL = {"footnote": "decimal", "endnote": "lowerRoman"}


class Notes:
    """Numbers notes in the order in which they are referred to and keeps them until they are asked for."""

    def __init__(self, trees: dict[str, Any], settings: Any) -> None:
        self._notes = {
            kind: {} if tree is None else {note.get(_ID): note for note in tree.iter(word_name(kind))}
            for kind, tree in trees.items()
        }
        self._written = {kind: _format(kind, settings) for kind in trees}
        self._counts = dict.fromkeys(trees, 0)
        self._waiting: list[str] = []

    def mark_of(self, kind: str, reference: Any) -> str:
        """`[3]`, and the note is waiting; empty where the reference brings its own mark or leads nowhere."""
        note = self._notes.get(kind, {}).get(reference.get(_ID))
        if note is None:
            return ""
        words = "\n".join(filter(None, (one_line(words_of(part)) for part in flow(note)))).strip()
        own = reference.get(_OWN_MARK)
        if own is not None and own not in ("0", "false", "off"):
            self._waiting.append(words)
            return ""
        self._counts[kind] += 1
        mark = f"[{_WRITTEN.get(self._written[kind], str)(self._counts[kind])}]"
        self._waiting.append(f"{mark} {words}" if words else "")
        return mark

    def taken(self) -> list[str]:
        """The notes referred to since the last call, each with its mark."""
        waiting, self._waiting = self._waiting, []
        return [words for words in waiting if words]


def _format(kind: str, settings: Any) -> str:
    """How the notes are numbered throughout the document."""
    found = None if settings is None else settings.find(f"{word_name(kind + 'Pr')}/{word_name('numFmt')}")
    return _USUAL[kind] if found is None or not is_on(found) else found.get(VALUE) or _USUAL[kind]
