"""How is Sightline used from the command line? `python -m client ask "…"`, or `sightline ask "…"`."""

import argparse
import json
import sys
from collections.abc import Sequence
from typing import Any

from client.commands import COMMANDS
from client.errors import ClientError, Problem
from client.gateway import Sightline
from client.settings import DEFAULT_URL, URL_VARIABLE, gateway_url

INTERRUPTED = 130


def parser() -> argparse.ArgumentParser:
    """The commands and their options."""
    root = argparse.ArgumentParser(prog="sightline", description="Ask your documents.")
    root.add_argument("--url", help=f"the gateway's address; else {URL_VARIABLE}, else {DEFAULT_URL}")
    commands = root.add_subparsers(dest="command", required=True, metavar="COMMAND")

    add = commands.add_parser("add", help="upload files, folders or URLs and wait until they can be searched")
    add.add_argument("files", nargs="+", metavar="FILE")
    for name, said in (("ask", "answer a question, with citations"), ("search", "list the passages found")):
        command = commands.add_parser(name, help=said)
        command.add_argument("question")
        command.add_argument(
            "--config", type=_config, metavar="JSON", help="what differs from GET /v1/config"
        )
        if name == "search":
            command.add_argument("--limit", type=int, help="how many passages")
    commands.add_parser("docs", help="list the documents")
    commands.add_parser("delete", help="remove documents").add_argument("ids", nargs="+", metavar="ID")
    commands.add_parser("reindex", help="learn the library's words and read documents again by them")
    traces = commands.add_parser("traces", help="list traces, or print one as JSON")
    traces.add_argument("id", nargs="?")
    traces.add_argument("--limit", type=int, default=20)
    return root


def _config(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"is not JSON: {error}") from error
    if not isinstance(value, dict):
        raise argparse.ArgumentTypeError('must be an object such as {"select": {"limit": 5}}')
    return value


def run(arguments: Sequence[str]) -> int:
    """Runs one command; 0 when it did all that was asked."""
    options = parser().parse_args(arguments)
    try:
        with Sightline(gateway_url(options.url)) as gateway:
            code = COMMANDS[options.command](gateway, options)
            sys.stdout.flush()
            return code
    except Problem as problem:
        request = f" (request {problem.request_id})" if problem.request_id else ""
        print(f"sightline: {problem}{request}", file=sys.stderr)
    except BrokenPipeError:
        # Whoever read our output, such as `head`, has seen enough; nothing more can be said there.
        sys.stdout = None
        return 0
    except (ClientError, OSError) as error:
        print(f"sightline: {error}", file=sys.stderr)
    except KeyboardInterrupt:
        return INTERRUPTED
    return 1


def main() -> None:
    """The entry point of the `sightline` script."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
