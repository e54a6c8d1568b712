"""What becomes of a logit? A score to show, with the logit beside it."""

import math

from shared.candidate import Candidate, Part, Scored

LOGIT = "logit"
# A passage without text was not read; no passage that was read scores as low.
UNREAD_SCORE = 0.0


def sigmoid(logit: float) -> float:
    """In (0, 1), without overflow for any finite logit."""
    if logit >= 0:
        return 1 / (1 + math.exp(-logit))
    grown = math.exp(logit)
    return grown / (1 + grown)


def scored(candidate: Candidate, logit: float | None) -> Scored:
    """The candidate with the logit's sigmoid, or the score of an unread one for None."""
    if logit is None:
        return Scored(candidate, UNREAD_SCORE)
    return Scored(candidate, sigmoid(logit), (Part(LOGIT, logit),))
