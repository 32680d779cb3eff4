"""A request as bytes."""

import re
from dataclasses import dataclass, field, replace

# Bytes at which a request line may end early, so that what follows may be taken for something else.
ENDS_LINE = re.compile(rb"[\x00-\x20\x7f]")


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
