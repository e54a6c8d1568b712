"""Where is the gateway, unless the command line says otherwise?"""

import os

DEFAULT_URL = "http://127.0.0.1:8080"
URL_VARIABLE = "SIGHTLINE_URL"


def gateway_url(given: str | None) -> str:
    """The address given, or that of the environment, or the default."""
    return (given or os.environ.get(URL_VARIABLE) or DEFAULT_URL).rstrip("/")
