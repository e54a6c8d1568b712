"""How does the browser get the page?"""

from pathlib import Path

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, HTMLResponse, Response

NOT_BUILT = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Sightline</title></head>
<body>
<h1>Sightline is running, but its page is not built</h1>
<p>Building it takes Node.js 20 or newer, from <a href="https://nodejs.org/en/download">nodejs.org</a>
or your system's packages. Then run <code>make page</code> and load this page again.</p>
<p>Everything else works without it: <a href="/openapi.json">the HTTP interface</a>,
and on the command line <code>python -m client ask "your question"</code>.</p>
</body>
</html>
"""
# Names in this folder hold a digest of their content, so that they never change.
FOREVER = "public, max-age=31536000, immutable"


def page_router(dist: Path) -> APIRouter:
    """Routes of the page built in `dist`; files beside its index are those that are there now."""
    router = APIRouter(include_in_schema=False)

    @router.get("/")
    async def index() -> Response:
        path = dist / "index.html"
        if not path.is_file():
            return HTMLResponse(NOT_BUILT)
        return FileResponse(path, headers={"Cache-Control": "no-cache"})

    @router.get("/assets/{name:path}")
    async def asset(name: str) -> Response:
        return _file(dist / "assets", name, FOREVER)

    def add_file(name: str) -> None:
        async def file() -> Response:
            return _file(dist, name, "no-cache")

        router.add_api_route(f"/{name}", file, methods=["GET"], name=f"page file {name}")

    for path in sorted(dist.glob("*.*")):
        if path.is_file() and path.name != "index.html" and not path.name.startswith("."):
            add_file(path.name)
    return router


def _file(folder: Path, name: str, cache_control: str) -> Response:
    if "\0" in name:
        raise HTTPException(404)
    root = folder.resolve()
    path = (root / name).resolve()
    try:
        found = path.is_relative_to(root) and path.is_file()
    except OSError:  # a name longer than any file's
        found = False
    if not found:
        raise HTTPException(404)
    return FileResponse(path, headers={"Cache-Control": cache_control})
