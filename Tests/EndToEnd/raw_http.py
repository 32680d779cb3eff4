"""Requests as no client would send them, byte by byte, and readers of what comes back."""

import re
import socket
import ssl
import zlib
from dataclasses import dataclass

LENGTH = re.compile(rb"\r\n[Cc]ontent-[Ll]ength: (\d+)\r\n")
CHUNKED = re.compile(rb"\r\n[Tt]ransfer-[Ee]ncoding: chunked\r\n")


def exchange(connection, data, authority=None, seconds=60, until=None):
    """Sends and receives, by TLS if there is an authority, until the other side ends or time is over."""
    answer = b""
    try:
        if authority:
            context = ssl.create_default_context(cafile=authority)
            connection = context.wrap_socket(connection, server_hostname="localhost")
        connection.sendall(data)
        connection.settimeout(seconds)
        while not (until and until in answer) and (chunk := connection.recv(65536)):
            answer += chunk
    except (TimeoutError, ConnectionError, ssl.SSLError):
        pass
    finally:
        connection.close()
    return answer


def send(port, data, source="127.0.0.1", **options):
    """What a server of this machine answers to these bytes, on a connection of their own."""
    return exchange(socket.create_connection(("127.0.0.1", port), 20, (source, 0)), data, **options)


def ask(port, target, *fields, method="GET", host="localhost", cookie="", body=b"", **options):
    """Status, head and body of the answer to one request; the status is 0 if it is none of HTTP."""
    head = [f"{method} {target} HTTP/1.1", f"Host: {host}", "Connection: close", *fields]
    if cookie:
        head.append(f"Cookie: {cookie}")
    answer = send(port, "\r\n".join(head).encode("latin-1") + b"\r\n\r\n" + body, **options)
    head, _, body = answer.partition(b"\r\n\r\n")
    if CHUNKED.search(head + b"\r\n") and (read := chunks(answer, len(head) + 4, 0, head)):
        # And what came behind the answer.
        body = read[0].body + answer[read[1]:]
    return int(head.split(b" ", 2)[1]) if head.startswith(b"HTTP/") else 0, head.decode("latin-1"), body


@dataclass(frozen=True)
class Answer:
    """`status` is 0 for bytes that are no answer of HTTP, as HTTP/0.9 sends them."""

    status: int
    head: bytes
    body: bytes

    def value(self, name: bytes) -> bytes | None:
        found = re.search(rb"(?i)\r\n" + name + rb": ([^\r]*)", self.head)
        return found[1] if found else None

    @property
    def content(self) -> bytes:
        """The body without the encoding that was negotiated."""
        if self.body and self.value(b"content-encoding") == b"gzip":
            return inflated(self.body)
        return self.body


def inflated(data: bytes) -> bytes:
    """As much of it as there is."""
    try:
        return zlib.decompressobj(31).decompress(data)
    except zlib.error:
        return b""


def read_answer(data: bytes, start: int, method: bytes, is_whole: bool = False) -> tuple[Answer, int] | None:
    """The answer that begins at `start`, and its end; `None` if more bytes have to come.

    - `is_whole`: the connection has ended, which may be the end of the body.
    """
    end = data.find(b"\r\n\r\n", start)
    if end < 0 or data[start:start + 7] != b"HTTP/1.":
        return None
    head, body = data[start:end + 2], end + 4
    status = int(head[9:12])
    if method == b"HEAD" or status in (204, 304):
        return Answer(status, head, b""), body
    if length := LENGTH.search(head):
        end = body + int(length[1])
        return (Answer(status, head, data[body:end]), end) if end <= len(data) else None
    if CHUNKED.search(head):
        return chunks(data, body, status, head)
    return (Answer(status, head, data[body:]), len(data)) if is_whole else None


def chunks(data: bytes, position: int, status: int, head: bytes) -> tuple[Answer, int] | None:
    parts = []
    while (end := data.find(b"\r\n", position)) >= 0:
        size = int(data[position:end], 16)
        position = end + 2 + size + 2
        if position > len(data):
            return None
        if size == 0:
            return Answer(status, head, b"".join(parts)), position
        parts.append(data[end + 2:position - 2])
    return None


def read_all(data: bytes, method: bytes) -> list[Answer]:
    """What came on a connection until its end: answers, and what is none."""
    found, position = [], 0
    while position < len(data) and (read := read_answer(data, position, method, is_whole=True)):
        found.append(read[0])
        position = read[1]
    rest = data[position:]
    return found + ([Answer(0, b"", rest)] if rest else [])
