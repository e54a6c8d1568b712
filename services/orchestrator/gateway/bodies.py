"""Which JSON bodies and parameters does the gateway take?"""

from typing import Annotated, Literal

from fastapi import Path, Query
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from services.orchestrator.core.config import QueryConfig
from shared.errors import InvalidInput

MAX_PAGE = 200
MAX_NUMBER = 2**31 - 1

Offset = Annotated[int, Query(ge=0, le=MAX_NUMBER, description="how many to leave out")]
Limit = Annotated[int, Query(ge=1, le=MAX_PAGE, description="how many at most")]
CodePoint = Annotated[int, Query(ge=0, le=MAX_NUMBER, description="code points of the canonical text")]
PageNumber = Annotated[int, Path(ge=1, le=MAX_NUMBER, description="1-based physical page")]


def _whole(text: str) -> str:
    """The text, if it can be sent and stored: JSON may hold half of a surrogate pair, UTF-8 may not."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError("holds half of a surrogate pair; send whole characters") from error
    return text


def _with_whole_names(config: QueryConfig) -> QueryConfig:
    for name in config.fusion.weights:
        _whole(name)
    return config


WholeText = Annotated[str, AfterValidator(_whole)]
WholeConfig = Annotated[QueryConfig, AfterValidator(_with_whole_names)]
ConversationId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")]


class Body(BaseModel):
    """What all bodies have in common: an unknown key is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class SearchBody(Body):
    """A question, and what shall differ from the defaults of `GET /v1/config`."""

    question: WholeText
    config: WholeConfig = Field(default_factory=QueryConfig)


class QueryBody(SearchBody):
    """A question to be answered."""

    conversation_id: ConversationId | None = None


class ReplayBody(Body):
    """Another configuration for a stored trace; without one, its own is used."""

    config: WholeConfig | None = None


class UrlBody(Body):
    """A web page or file to be fetched."""

    url: WholeText


class EvalBody(Body):
    """A suite to be measured under a configuration; `questions` 3 asks every third question only."""

    suite: Annotated[WholeText, Field(max_length=200)]
    split: Literal["development", "held_out"] = "development"
    config: WholeConfig = Field(default_factory=QueryConfig)
    name: Annotated[WholeText, Field(max_length=200)] = ""
    questions: Annotated[int, Field(ge=1, le=MAX_NUMBER)] = 1


def question_of(body: SearchBody, max_characters: int) -> str:
    """The question without the space around it. Raises InvalidInput, naming the field."""
    question = body.question.strip()
    if not question:
        raise InvalidInput("question: is empty; ask something")
    if len(question) > max_characters:
        raise InvalidInput(
            f"question: has {len(question):,} characters; at most {max_characters:,} are taken "
            "(setting max_question_characters), so shorten it"
        )
    return question


class EntityBody(Body):
    """An entity that questions will name, and what else it is called."""

    name: WholeText = Field(min_length=1, max_length=200)
    kind: WholeText = Field(default="given", min_length=1, max_length=40)
    aliases: list[Annotated[WholeText, Field(min_length=1, max_length=200)]] = Field(
        default_factory=list, max_length=50
    )


class EntitiesBody(Body):
    """The whole list: it takes the place of the one before."""

    entities: list[EntityBody] = Field(max_length=5000)
