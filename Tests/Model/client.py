"""Asks nginx many questions on a kept connection, one behind the other without waiting for the answers."""

import re
import socket
import ssl
import time

from raw_http import read_answer

# nginx closes a connection after a thousand requests, and after a while without one; in seconds, much less than that.
REQUESTS, IDLE = 1000, 10
COOKIE = re.compile(rb"\r\nset-cookie: __Host-session=([^;\r\n]*)", re.IGNORECASE)


def cookie_of(answer):
    """The cookie of a session that an answer brings."""
    found = COOKIE.search(answer.head)
    return found and found[1].decode()


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
        while not (read := read_answer(self.buffer, 0, b"GET")):
            data = self.socket.recv(65_536)
            if not data:
                raise EOFError("the connection ends")
            self.buffer += data
        answer, end = read
        self.buffer = self.buffer[end:]
        return answer

    def close(self):
        if self.socket:
            self.socket.close()
        self.socket, self.asked, self.buffer = None, 0, b""
