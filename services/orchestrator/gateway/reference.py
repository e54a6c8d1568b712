"""How does a person see at a glance what the HTTP interface offers, without assets from elsewhere?"""

from collections.abc import Mapping
from html import escape
from typing import Any

from fastapi import FastAPI
from starlette.responses import HTMLResponse, Response


def add_reference(app: FastAPI) -> None:
    """Serves `/docs`: every path of `/openapi.json` with what it does."""

    @app.get("/docs", include_in_schema=False)
    async def reference() -> Response:
        return HTMLResponse(rendered(app.openapi()))


def rendered(described: Mapping[str, Any]) -> str:
    """The OpenAPI document as one plain table."""
    rows = "\n".join(
        f"<tr><td>{escape(method.upper())}</td><td><code>{escape(path)}</code></td>"
        f"<td>{escape(operation.get('description', ''))}</td></tr>"
        for path, operations in described["paths"].items()
        for method, operation in operations.items()
    )
    return f"""<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Sightline's HTTP interface</title></head>
<body>
<h1>Sightline's HTTP interface</h1>
<p>Errors are problem documents (RFC 9457).
The whole description: <a href="/openapi.json">/openapi.json</a>.</p>
<table>
<tr><th align="left">Method</th><th align="left">Path</th><th align="left">Does</th></tr>
{rows}
</table>
</body>
</html>
"""
