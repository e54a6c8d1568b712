"""What is a word on a page?"""

from dataclasses import dataclass

from services.ingest.core.pdf.rules import Rectangle


@dataclass(frozen=True, slots=True)
class Word:
    """A word: its edges in the frame in which it reads from left to right, `shown` on the page as it is seen.

    All in points from the top left; `size` is that of its type and `base` the line that it stands on.
    `glued` says that no space parts it from the word on its left; a `mark` is raised and refers to a note.
    """

    text: str
    x0: float
    top: float
    x1: float
    bottom: float
    size: float
    bold: bool
    shown: Rectangle
    base: float = 0.0
    glued: bool = False
    mark: bool = False

    @property
    def middle(self) -> float:
        return (self.top + self.bottom) / 2
