"""Sends requests by HTTP/2 (RFC 9113) on streams of one connection, as its first bytes say without TLS."""

import itertools
import socket
import struct

from http_2 import DATA, END_HEADERS, END_STREAM, GO_AWAY, HEADERS, RESET, SETTINGS, frame, literal
from raw_http import Answer
from targets.connections import ADDRESSES
from targets.request import Request

WINDOW_UPDATE, ACKNOWLEDGED = 8, 1
STREAMS = 100
# Nobody has to be told that there is room for more.
BEGINNING = (
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(SETTINGS, 0, 0, struct.pack(">HI", 4, 0x7FFF_FFFF))
    + frame(WINDOW_UPDATE, 0, 0, struct.pack(">I", 0x7FFF_0000 - 65_535))
)
# Entries of HPACK's static table (RFC 7541, appendix A).
STATUSES = {8: 200, 9: 204, 10: 206, 11: 304, 12: 400, 13: 404, 14: 500}


def status_of(block: bytes) -> int:
    """nginx writes the status first, as an entry of the static table or as three digits."""
    position = 0
    while block[position] & 0xE0 == 0x20:  # a new size of the dynamic table
        position += 1
    first = block[position]
    if first & 0x80:
        return STATUSES[first & 0x7F]
    return int(block[position + 2:position + 5])


class StreamSender:
    def __init__(self, port: int, authority: int) -> None:
        self.port, self.authority = port, authority
        self.addresses = itertools.cycle(ADDRESSES)

    def ask(self, requests: list[tuple[Request, bytes]]) -> list[list[Answer]]:
        found: list[list[Answer]] = []
        for start in range(0, len(requests), STREAMS):
            part = requests[start:start + STREAMS]
            answers = self.exchange(part)
            for number, request in enumerate(part):
                # A request that ends the connection takes the others with it.
                found.append(answers.get(number) or self.exchange([request]).get(0, []))
        return found

    def headers(self, request: Request, cookie: bytes) -> bytes:
        fields = [
            (":method", request.method.decode()), (":scheme", "http"), (":path", request.target.decode("latin-1")),
            (":authority", f"localhost:{self.authority}"),
            *((name.decode().lower(), value.decode("latin-1")) for name, value in request.fields),
        ]
        if cookie:
            fields.append(("cookie", cookie.decode()))
        return b"".join(b"\x00" + literal(name) + literal(value) for name, value in fields)

    def exchange(self, requests: list[tuple[Request, bytes]]) -> dict[int, list[Answer]]:
        sent = [BEGINNING]
        for number, (request, cookie) in enumerate(requests):
            sent.append(frame(HEADERS, END_HEADERS | END_STREAM, 2 * number + 1, self.headers(request, cookie)))
        statuses: dict[int, int] = {}
        bodies: dict[int, list[bytes]] = {}
        done: dict[int, list[Answer]] = {}
        with socket.create_connection(("127.0.0.1", self.port), 20, (next(self.addresses), 0)) as connection:
            stream = connection.makefile("rb")
            try:
                connection.sendall(b"".join(sent))
                while len(done) < len(requests) and len(head := stream.read(9)) == 9:
                    length, kind, flags = int.from_bytes(head[:3]), head[3], head[4]
                    number = (int.from_bytes(head[5:]) - 1) // 2
                    payload = stream.read(length)
                    if kind == GO_AWAY and length >= 8 and int.from_bytes(payload[4:8]):
                        break
                    if kind == SETTINGS and not flags & ACKNOWLEDGED:
                        connection.sendall(frame(SETTINGS, ACKNOWLEDGED, 0))
                    elif kind == HEADERS and number not in statuses:
                        statuses[number] = status_of(payload)
                    elif kind == DATA:
                        bodies.setdefault(number, []).append(payload)
                    if kind == RESET:
                        done.setdefault(number, [])
                    elif kind in (DATA, HEADERS) and flags & END_STREAM:
                        done[number] = [Answer(statuses[number], b"", b"".join(bodies.get(number, [])))]
            except (TimeoutError, ConnectionError):
                pass
        return done
