"""Asks siteauth as nginx does, by FastCGI, without an nginx."""

import dataclasses
import http.cookies

from control_file import ROOT_OF_TESTS  # noqa: F401  puts Tests/EndToEnd on the path
import fastcgi

NAVIGATE = {"HTTP_SEC_FETCH_MODE": "navigate"}


@dataclasses.dataclass
class Answer:
    """Status 0: the connection ended before the header did, and nginx answers 502."""

    status: int = 0
    fields: list = dataclasses.field(default_factory=list)
    body: bytes = b""

    def field(self, name):
        return next((value for key, value in self.fields if key == name), None)

    @property
    def cookies(self):
        jar = {}
        for name, value in self.fields:
            if name == "set-cookie":
                jar |= {key: morsel.value for key, morsel in http.cookies.SimpleCookie(value).items()}
        return jar


def ask(path, variables, body=b"", seconds=30):
    try:
        return parsed(fastcgi.answer(path, variables, body, seconds))
    except (ConnectionError, FileNotFoundError):
        return Answer()


def parsed(output):
    """What nginx makes of it: a header without a status is 200."""
    header, separator, body = output.partition(b"\r\n\r\n")
    if not separator:
        return Answer()
    fields = [tuple(part.strip() for part in line.split(":", 1)) for line in header.decode().split("\r\n")]
    fields = [(name.lower(), value) for name, value in fields]
    status = next((int(value.split()[0]) for name, value in fields if name == "status"), 200)
    return Answer(status, fields, body)
