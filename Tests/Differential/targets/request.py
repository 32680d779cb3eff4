"""A request as bytes, and the answers to it."""

import re
import zlib
from dataclasses import dataclass, field, replace

# Bytes at which a request line may end early, so that what follows may be taken for something else.
ENDS_LINE = re.compile(rb"[\x00-\x20\x7f]")
LENGTH = re.compile(rb"\r\n[Cc]ontent-[Ll]ength: (\d+)\r\n")
CHUNKED = re.compile(rb"\r\n[Tt]ransfer-[Ee]ncoding: chunked\r\n")


@dataclass(frozen=True)
class Request:
    target: bytes
    method: bytes = b"GET"
    # HTTP/2 is `h2`.
    version: bytes = b"HTTP/1.1"
    fields: tuple[tuple[bytes, bytes], ...] = ()
    # The path of the file that this target is the usual spelling of.
    canonical: bytes | None = field(default=None, compare=False)

    @property
    def has_own_connection(self) -> bool:
        return self.version != b"HTTP/1.1" or not self.target or ENDS_LINE.search(self.target) is not None

    def encoded(self, port: int, cookie: bytes) -> bytes:
        lines = [self.method + b" " + self.target + b" " + self.version, b"Host: localhost:%d" % port]
        lines += [name + b": " + value for name, value in self.fields]
        if cookie:
            lines.append(b"Cookie: " + cookie)
        if self.has_own_connection:
            lines.append(b"Connection: close")
        return b"\r\n".join(lines) + b"\r\n\r\n"

    def with_target(self, target: bytes) -> "Request":
        return replace(self, target=target, canonical=None)

    def __str__(self) -> str:
        fields = "".join(f", {name.decode()}: {value.decode()}" for name, value in self.fields)
        return f"{self.method.decode()} {self.target!r} {self.version.decode()}{fields}"


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
