"""Which settings does ingest have, and which combinations refuse to start?"""

from typing import Literal

from pydantic import Field, SecretStr

from shared.settings import ServiceSettings

MIB = 1024 * 1024


class IngestSettings(ServiceSettings):
    """Read once in `__main__`; sizes are the embedder's tokens, prefix and special ones included."""

    lexical_address: str = Field(default="127.0.0.1:50052", description="gRPC address of lexical-index")
    vector_address: str = Field(default="127.0.0.1:50053", description="gRPC address of vector-index")

    max_upload_bytes: int = Field(default=64 * MIB, gt=0, description="largest file that is taken")
    max_pages: int = Field(default=2000, gt=0, description="most pages of a PDF")
    max_characters: int = Field(default=64 * MIB, gt=0, description="most characters of a document's text")
    max_unpacked_bytes: int = Field(default=512 * MIB, gt=0, description="what a packed file may unpack to")
    max_member_bytes: int = Field(default=256 * MIB, gt=0, description="largest part of a packed file")
    max_members: int = Field(default=10_000, gt=0, description="most parts of a packed file")
    max_cells: int = Field(default=2_000_000, gt=0, description="most filled cells of a workbook")
    max_attachments: int = Field(default=100, ge=0, description="most files taken out of one file")
    max_attachment_depth: int = Field(default=3, ge=0, description="how deep files in files are taken")
    max_upload_files: int = Field(default=500, ge=0, description="most files that one upload brings in it")
    queue_limit: int = Field(default=20_000, gt=0, description="most unfinished jobs before uploads get 503")

    parse_workers: int = Field(default=2, gt=0, description="documents parsed at once, each in its process")
    parse_timeout_s: float = Field(
        default=120.0, gt=0, description="CPU time of one parse; three times that by the clock"
    )
    parse_memory_bytes: int = Field(default=1536 * MIB, gt=0, description="what one parse may allocate")
    parse_file_bytes: int = Field(default=512 * MIB, gt=0, description="largest file that a parse may write")
    parse_open_files: int = Field(default=256, ge=32, description="most files a parse may hold open")
    whole_pages: int = Field(
        default=8, gt=0, description="a PDF of more pages is read by several processes, so many pages each"
    )

    pdf_parser: Literal["geometry", "docling", "marker"] = Field(
        default="geometry", description="who reads PDFs; others than geometry must be installed"
    )
    ocr: Literal["off", "on"] = Field(default="off", description="whether scanned pages are read")
    ocr_dpi: int = Field(default=200, ge=100, le=400, description="dots per inch at which they are drawn")

    chunk_kind: str = Field(default="structure", description="structure, records or fixed")
    chunk_max_tokens: int = Field(default=448, gt=0)
    chunk_overlap_tokens: int = Field(default=64, ge=0)
    chunk_prefix: bool = Field(default=True, description="title and section path above what is embedded")
    welds: bool = Field(
        default=True, description="welded words are parted for searching; citations quote them as they are"
    )

    annotate: bool = Field(default=False, description="whether a chat model describes every chunk")
    annotate_url: str = Field(
        default="http://127.0.0.1:11434/v1", description="OpenAI-compatible base address; Ollama has one"
    )
    annotate_model: str = Field(default="llama3.2:3b", description="model that is asked for there")
    annotate_api_key: SecretStr = Field(default=SecretStr(""), description="key for it, if it wants one")
    annotate_tokens: int = Field(
        default=64, ge=8, le=256, description="longest description, kept free in chunks"
    )
    annotate_timeout_s: float = Field(default=60.0, gt=0, description="of one description")

    batch_documents: int = Field(default=64, gt=0, description="most documents in one generation's batch")
    batch_chunks: int = Field(default=512, gt=0, description="most chunks in a batch of several documents")
    slice_chunks: int = Field(default=32, gt=0, description="chunks in one Upsert")

    upsert_deadline_s: float = Field(default=120.0, gt=0, description="of one slice, embedding included")
    publish_deadline_s: float = Field(default=120.0, gt=0)
    manifest_deadline_s: float = Field(default=30.0, gt=0)
    index_check_s: float = Field(default=5.0, gt=0, description="how often the indexes are looked at")
    retry_base_s: float = Field(default=0.25, gt=0, description="first wait when an index is away; doubles")
    retry_max_s: float = Field(default=5.0, gt=0)
    delete_wait_s: float = Field(default=8.0, ge=0, description="how long Delete waits for the indexes")

    render_dpi: int = Field(default=110, ge=36, le=300)
    render_max_pixels: int = Field(default=12_000_000, gt=0, description="a larger page is drawn smaller")
    render_timeout_s: float = Field(default=30.0, gt=0)
    render_workers: int = Field(default=1, gt=0)
    render_cache_bytes: int = Field(default=24 * MIB, ge=0)

    crash_at: Literal[
        "", "accepted", "parsing", "sliced", "parsed", "annotating", "staged", "published", "flipped"
    ] = Field(default="", description="for tests of recovery: the process kills itself at this point")
