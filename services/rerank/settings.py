"""What can be set of the reranker, and what if nothing is?"""

from pydantic import Field

from shared.settings import ServiceSettings


class RerankSettings(ServiceSettings):
    # Time is proportional to it: 1.2 to 1.4 ms of CPU a token were measured on cores without VNNI, so 20 long
    # pairs on two free ones should take about 13 ms for each token of this (estimated, not timed).
    # 72 is meant to keep them under a second; 96 finds more in long passages, 512 reads nearly every one.
    rerank_max_tokens: int = Field(
        default=72,
        ge=32,
        le=512,
        description="of a pair, question and special tokens included",
    )
    rerank_max_candidates: int = Field(default=200, gt=0, description="most passages in one call")
    rerank_max_query_characters: int = Field(default=8192, gt=0)
    rerank_queue: int = Field(default=512, gt=0, description="pairs that may wait; more is Overloaded")
