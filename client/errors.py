"""What can go wrong for a client, and how is it said in one sentence?"""


class ClientError(Exception):
    """Base of everything this package raises on purpose; the message is for people."""


class Unreachable(ClientError):
    """The gateway did not answer."""


class InvalidReply(ClientError):
    """Something answered, but not as the contract says."""


class Problem(ClientError):
    """A problem document of the gateway (RFC 9457)."""

    def __init__(self, status: int, title: str, detail: str, *, kind: str = "", request_id: str = "") -> None:
        super().__init__(detail or title)
        self.status = status
        self.title = title
        self.detail = detail
        self.kind = kind
        self.request_id = request_id
