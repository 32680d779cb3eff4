"""Asks nginx many questions on a kept connection, one behind the other without waiting for the answers."""

import dataclasses
import re
import socket
import ssl
import time

# nginx closes a connection after a thousand requests, and after a while without one; in seconds, much less than that.
REQUESTS, IDLE = 1000, 10
LENGTH = re.compile(rb"\r\ncontent-length: (\d+)", re.IGNORECASE)
CHUNKED = re.compile(rb"\r\ntransfer-encoding: chunked", re.IGNORECASE)
COOKIE = re.compile(rb"\r\nset-cookie: __Host-session=([^;\r\n]*)", re.IGNORECASE)
LOCATION = re.compile(rb"\r\nlocation: ([^\r\n]*)", re.IGNORECASE)


@dataclasses.dataclass(slots=True)
class Answer:
    status: int
    header: bytes
    body: bytes

    @property
    def cookie(self):
        found = COOKIE.search(self.header)
        return found and found[1].decode()

    @property
    def location(self):
        found = LOCATION.search(self.header)
        return found[1].decode() if found else ""


class Failed(Exception):
    """A request that got no answer."""


class Client:
    def __init__(self, port, authority):
        self.port = port
        self.context = ssl.create_default_context(cafile=authority)
        self.socket, self.asked, self.buffer, self.used = None, 0, b"", 0.0

    def ask(self, requests):
        """One answer for each of the requests, which are the bytes of GETs."""
        is_old = self.asked + len(requests) >= REQUESTS or time.monotonic() - self.used > IDLE
        if self.socket is None or is_old:
            self.close()
            plain = socket.create_connection(("127.0.0.1", self.port), 60)
            plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.socket = self.context.wrap_socket(plain, server_hostname="localhost")
        self.asked += len(requests)
        try:
            self.socket.sendall(b"".join(requests))
            answers = [self.answer() for _ in requests]
            self.used = time.monotonic()
            return answers
        except (OSError, EOFError) as error:
            self.close()
            raise Failed(f"{type(error).__name__} {error}") from error

    def answer(self):
        end = self.find(b"\r\n\r\n")
        header, self.buffer = self.buffer[:end + 2], self.buffer[end + 4:]
        status = int(header[9:12])
        if status in (204, 304):
            body = b""
        elif found := LENGTH.search(header):
            body = self.take(int(found[1]))
        elif CHUNKED.search(header):
            body = b""
            while size := self.chunk():
                body += size
        else:
            raise EOFError("an answer without a length")
        return Answer(status, header, body)

    def chunk(self):
        end = self.find(b"\r\n")
        size = int(self.buffer[:end], 16)
        self.buffer = self.buffer[end + 2:]
        return self.take(size + 2)[:-2]

    def find(self, mark):
        while (end := self.buffer.find(mark)) < 0:
            self.more()
        return end

    def take(self, size):
        while len(self.buffer) < size:
            self.more()
        taken, self.buffer = self.buffer[:size], self.buffer[size:]
        return taken

    def more(self):
        data = self.socket.recv(65_536)
        if not data:
            raise EOFError("the connection ends")
        self.buffer += data

    def close(self):
        if self.socket:
            self.socket.close()
        self.socket, self.asked, self.buffer = None, 0, b""
