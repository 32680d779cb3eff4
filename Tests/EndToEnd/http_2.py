"""One request by HTTP/2 (RFC 9113), with fields that no client would send."""

import socket
import ssl
import struct

DATA, HEADERS, RESET, SETTINGS, GO_AWAY = 0, 1, 3, 4, 7
END_STREAM, END_HEADERS = 1, 4


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def literal(text):
    """A string of HPACK (RFC 7541, section 5.2), as it is."""
    data = text.encode("latin-1")
    return bytes([len(data)]) + data if len(data) < 127 else b"\x7f" + integer(len(data) - 127) + data


def integer(value):
    encoded = b""
    while value > 127:
        encoded, value = encoded + bytes([value % 128 + 128]), value // 128
    return encoded + bytes([value])


def ask(port, authority, fields, body=b"", seconds=20):
    """The contents of the answer, without its header fields."""
    context = ssl.create_default_context(cafile=authority)
    context.set_alpn_protocols(["h2"])
    block = b"".join(b"\x00" + literal(name) + literal(value) for name, value in fields.items())
    data = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(SETTINGS, 0, 0)
    data += frame(HEADERS, END_HEADERS | (0 if body else END_STREAM), 1, block)
    if body:
        data += frame(DATA, END_STREAM, 1, body)
    with socket.create_connection(("127.0.0.1", port), 20) as plain:
        with context.wrap_socket(plain, server_hostname="localhost") as connection:
            assert connection.selected_alpn_protocol() == "h2"
            connection.sendall(data)
            connection.settimeout(seconds)
            try:
                return b"".join(contents(connection.makefile("rb")))
            except (TimeoutError, ConnectionError, ssl.SSLError):
                return b""


def contents(stream):
    """The data of the one request, until its end or that of the connection."""
    kind = flags = 0
    while len(head := stream.read(9)) == 9 and kind not in (RESET, GO_AWAY):
        kind, flags = head[3], head[4]
        payload = stream.read(int.from_bytes(head[:3]))
        if kind == DATA:
            yield payload
        if kind in (DATA, HEADERS) and flags & END_STREAM:
            return
