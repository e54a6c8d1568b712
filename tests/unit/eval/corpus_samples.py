"""Which document do tests write in every format?"""

from dataclasses import replace

from eval.corpus.blocks import Layout, Source
from eval.corpus.source import parse_source

FORMATS = ("pdf", "docx", "html", "md", "txt")
_TEXT = """+++
format = "pdf"
title = "Havnesjø tide & fender report"
+++
# Fender report of the inner quays

The survey of 3 May covered Quay 7 and Quay 8. Loads above 40 kN < 45 kN were logged & kept.
Captain Øyvind noted “no damage” – twice.

## Measured loads

- Quay 7 held 62 tonnes.
- Quay 8 held 58 tonnes, and after the repair of the second fender in the autumn it held rather more.

### Order of work

1. Close the quay.
2. Lower the fender.

#### Figures

| Quay | Load in tonnes | Note |
|------|----------------|------|
| Quay 7 | 62 |  |
| Quay 8 | 58 | repaired in the autumn |
| Quay 9 | 41 | closed |

<!-- page -->

## Second list

1. Open the quay.
2. Lift the fender.

```
GET /v1/tides?station=7
    X-Tide-Station: 7
```

The last paragraph stands behind the code.
"""


def sample(format: str, *, columns: int = 1) -> Source:
    """A document with every kind of block, with furniture where the format has any."""
    layout = {
        "pdf": Layout(columns, "F-", "Norrholm board", "Internal copy"),
        "docx": Layout(header="Norrholm board", footer="Internal copy"),
        "html": Layout(header="Norrholm board", footer="Internal copy"),
    }
    return replace(parse_source("report", _TEXT), format=format, options=layout.get(format, Layout()))
