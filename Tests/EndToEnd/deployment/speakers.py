"""Small applications that speak the protocols of nginx's upstream modules, each with the same answer."""

import socketserver
import struct

from demo_site import answering
from fastcgi import END, STANDARD_INPUT, STANDARD_OUTPUT, record
from http_2 import DATA, END_HEADERS, END_STREAM, HEADERS, SETTINGS, frame, literal

ACKNOWLEDGED = 1
BODY = b"the application's own answer " * 2000


def head(fields):
    return b"".join(f"{name}: {value}\r\n".encode() for name, value in fields) + b"\r\n"


def proxy(stream, fields):
    while stream.readline().strip():
        pass
    stream.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\n" + head(fields) + BODY)


def scgi(stream, fields):
    length = b""
    while (digit := stream.read(1)) != b":":
        length += digit
    stream.read(int(length) + 1)
    stream.write(b"Status: 200 OK\r\n" + head(fields) + BODY)


def uwsgi(stream, fields):
    stream.read(struct.unpack("<xHx", stream.read(4))[0])
    stream.write(b"HTTP/1.1 200 OK\r\n" + head(fields) + BODY)


def fastcgi(stream, fields):
    # Its empty record ends the request.
    while True:
        kind, length, padding = struct.unpack(">xBxxHBx", stream.read(8))
        stream.read(length + padding)
        if kind == STANDARD_INPUT and not length:
            break
    answer = b"Status: 200 OK\r\n" + head(fields) + BODY
    for start in range(0, len(answer), 60_000):
        stream.write(record(STANDARD_OUTPUT, answer[start:start + 60_000]))
    stream.write(record(END, bytes(8)))


def grpc(stream, fields):
    stream.read(24)
    stream.write(frame(SETTINGS, 0, 0))
    stream.flush()
    while True:
        start = stream.read(9)
        length, kind, flags = int.from_bytes(start[:3], "big"), start[3], start[4]
        stream.read(length)
        if kind == SETTINGS and not flags & ACKNOWLEDGED:
            stream.write(frame(SETTINGS, ACKNOWLEDGED, 0))
        if kind in (HEADERS, DATA) and flags & END_STREAM:
            break
    fields = [(":status", "200"), ("grpc-status", "0"), *fields]
    block = b"".join(b"\x00" + literal(name.lower()) + literal(value) for name, value in fields)
    stream.write(frame(HEADERS, END_HEADERS, 1, block))
    # No more than the window that nginx has not widened.
    stream.write(frame(DATA, END_STREAM, 1, BODY[:16_000]))
    stream.flush()
    # nginx ends the connection.
    stream.read(1)


SPEAKERS = {speaker.__name__: speaker for speaker in (proxy, fastcgi, scgi, uwsgi, grpc)}


def speaking(protocol, fields):
    """Answers at a port of its own; yields the port."""

    class Handler(socketserver.StreamRequestHandler):
        timeout = 60

        def handle(self):
            stream = self.connection.makefile("rwb")
            SPEAKERS[protocol](stream, fields)
            stream.flush()

    return answering(Handler, socketserver.ThreadingTCPServer)
