"""Sends requests of HTTP/1 to a port, many on one connection without waiting for answers."""

import errno
import itertools
import selectors
import socket
import time
from collections import deque
from collections.abc import Iterable, Iterator

from raw_http import Answer, read_all, read_answer
from targets.request import ENDS_LINE, Request

# nginx limits what one network may ask; each connection comes from another address of this machine.
ADDRESSES = [f"127.0.{high}.{low}" for high in range(1, 17) for low in range(1, 251)]
PIPELINED, OPEN_AT_ONCE, SECONDS_OF_SILENCE = 64, 24, 20
# A target with a line break may be a request that has no end; nobody waits long for its answer.
SECONDS_FOR_UNFINISHED = 2


class Connection:
    """Carries requests one after the other; those without an answer are left in `waiting` at its end."""

    def __init__(self, port: int, address: str, requests: Iterable[tuple[int, Request, bytes]]) -> None:
        self.waiting = deque(requests)
        self.size = len(self.waiting)
        self.unsent = memoryview(b"".join(encoded for _, _, encoded in self.waiting))
        self.is_own = len(self.waiting) == 1 and self.waiting[0][1].has_own_connection
        self.received, self.position = bytearray(), 0
        self.socket = socket.socket()
        self.socket.bind((address, 0))
        self.socket.connect(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.setblocking(False)
        seconds = SECONDS_FOR_UNFINISHED if ENDS_LINE.search(self.waiting[0][1].target) else SECONDS_OF_SILENCE
        self.deadline = time.monotonic() + seconds

    @property
    def events(self) -> int:
        return selectors.EVENT_READ | (selectors.EVENT_WRITE if self.unsent else 0)

    def send(self) -> None:
        try:
            self.unsent = self.unsent[self.socket.send(self.unsent):]
        except BlockingIOError:
            pass
        except OSError:
            self.unsent = self.unsent[:0]

    def receive(self) -> bool:
        """Whether the connection has ended."""
        try:
            data = self.socket.recv(1 << 18)
        except BlockingIOError:
            return False
        except OSError as error:
            if error.errno not in (errno.ECONNRESET, errno.EPIPE):
                raise
            return True
        self.received += data
        self.deadline = max(self.deadline, time.monotonic() + SECONDS_FOR_UNFINISHED)
        return not data

    def answers(self, has_ended: bool) -> Iterator[tuple[int, list[Answer]]]:
        if self.is_own:
            if has_ended:
                number, request, _ = self.waiting.popleft()
                yield number, read_all(bytes(self.received), request.method)
            return
        data = bytes(self.received)
        position = 0
        while self.waiting and (read := read_answer(data, position, self.waiting[0][1].method, has_ended)):
            answer, position = read
            yield self.waiting.popleft()[0], [answer]
        del self.received[:position]


class Sender:
    def __init__(self, port: int) -> None:
        self.port = port
        self.addresses = itertools.cycle(ADDRESSES)

    def ask(self, requests: list[tuple[Request, bytes]]) -> list[list[Answer]]:
        """The answers to each request; `requests` has each with the cookies of its reader.

        An empty list is no answer: the connection was closed, or nothing came for some time.
        """
        found: list[list[Answer]] = [[] for _ in requests]
        queue = deque(self.grouped(requests))
        selector = selectors.DefaultSelector()
        is_open: set[Connection] = set()
        while queue or is_open:
            while queue and len(is_open) < OPEN_AT_ONCE:
                connection = Connection(self.port, next(self.addresses), queue.popleft())
                selector.register(connection.socket, connection.events, connection)
                is_open.add(connection)
            ready = selector.select(0.5)
            for key, events in ready:
                connection = key.data
                if events & selectors.EVENT_WRITE:
                    connection.send()
                    selector.modify(connection.socket, connection.events, connection)
                if events & selectors.EVENT_READ:
                    has_ended = connection.receive()
                    for number, answers in connection.answers(has_ended):
                        found[number] = answers
                    if has_ended or not connection.waiting:
                        self.close(connection, selector, is_open, queue)
            if not ready:
                for connection in [each for each in is_open if each.deadline < time.monotonic()]:
                    for number, answers in connection.answers(True):
                        found[number] = answers
                    self.close(connection, selector, is_open, queue)
        selector.close()
        return found

    def grouped(self, requests: list[tuple[Request, bytes]]) -> Iterator[list[tuple[int, Request, bytes]]]:
        many: list[tuple[int, Request, bytes]] = []
        for number, (request, cookie) in enumerate(requests):
            sent = (number, request, request.encoded(self.port, cookie))
            if request.has_own_connection:
                yield [sent]
                continue
            many.append(sent)
            if len(many) == PIPELINED:
                yield many
                many = []
        if many:
            yield many

    def close(self, connection: Connection, selector: selectors.BaseSelector, is_open: set[Connection],
              queue: deque[list[tuple[int, Request, bytes]]]) -> None:
        """The requests behind one that made nginx close the connection are sent again; one that gets no answer
        by itself either has none."""
        selector.unregister(connection.socket)
        connection.socket.close()
        is_open.remove(connection)
        left = list(connection.waiting)
        if not left or connection.is_own:
            return
        if connection.size == len(left):
            # The first has got no answer: alone it gets another chance.
            if len(left) > 1:
                queue.append(left[:1])
            left = left[1:]
        if left:
            queue.append(left)
