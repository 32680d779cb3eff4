"""Asks siteauth as nginx does, by FastCGI, without an nginx."""

import dataclasses
import http.cookies
import socket

from control_file import ROOT_OF_TESTS  # noqa: F401  puts Tests/EndToEnd on the path
from status_page import BEGIN, END, PARAMETERS, STANDARD_INPUT, STANDARD_OUTPUT, record

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


def length(text):
    return bytes([len(text)]) if len(text) < 128 else (len(text) | 1 << 31).to_bytes(4, "big")


def ask(path, variables, body=b"", seconds=30):
    """One request on a connection of its own."""
    pairs = b""
    for name, value in ({"REQUEST_METHOD": "GET"} | variables).items():
        name, value = name.encode(), value.encode()
        pairs += length(name) + length(value) + name + value
    output, buffer = b"", b""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(seconds)
        try:
            connection.connect(str(path))
            connection.sendall(
                record(BEGIN, bytes([0, 1, 0, 0, 0, 0, 0, 0])) + record(PARAMETERS, pairs) + record(PARAMETERS)
                + (record(STANDARD_INPUT, body) if body else b"") + record(STANDARD_INPUT))
            while part := connection.recv(65536):
                buffer += part
                while len(buffer) >= 8 and len(buffer) >= 8 + (size := int.from_bytes(buffer[4:6], "big")) + buffer[6]:
                    kind, content, buffer = buffer[1], buffer[8:8 + size], buffer[8 + size + buffer[6]:]
                    output += content if kind == STANDARD_OUTPUT else b""
                    if kind == END:
                        return parsed(output)
        except (ConnectionError, FileNotFoundError):
            return Answer()
    return parsed(output)


def parsed(output):
    """What nginx makes of it: a header without a status is 200."""
    header, separator, body = output.partition(b"\r\n\r\n")
    if not separator:
        return Answer()
    fields = [tuple(part.strip() for part in line.split(":", 1)) for line in header.decode().split("\r\n")]
    fields = [(name.lower(), value) for name, value in fields]
    status = next((int(value.split()[0]) for name, value in fields if name == "status"), 200)
    return Answer(status, fields, body)
