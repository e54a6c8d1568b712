"""What can be set of the reranker, and what if nothing is?"""

from pydantic import Field

from shared.settings import ServiceSettings


class RerankSettings(ServiceSettings):
    # Time is proportional to it: on two cores without int8 instructions 20 pairs of 72 tokens took 1.13 s and
    # of 64 tokens 1.04 s. 56 keeps a shortlist of 20 under a second there; 96 finds more in long passages,
    # and 512 reads nearly every one.
    rerank_max_tokens: int = Field(
        default=56,
        ge=32,
        le=512,
        description="of a pair, question and special tokens included",
    )
    rerank_max_candidates: int = Field(default=200, gt=0, description="most passages in one call")
    rerank_max_query_characters: int = Field(default=8192, gt=0)
    rerank_queue: int = Field(default=512, gt=0, description="pairs that may wait; more is Overloaded")
