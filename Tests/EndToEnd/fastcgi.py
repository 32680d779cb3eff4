"""Asks siteauth as nginx does, by FastCGI 1.0: one request on a connection of its own."""

import socket
import struct

BEGIN, END, PARAMETERS, STANDARD_INPUT, STANDARD_OUTPUT = 1, 3, 4, 5, 6


def record(kind, content=b""):
    return struct.pack(">BBHHBx", 1, kind, 1, len(content), 0) + content


def length(text):
    return bytes([len(text)]) if len(text) < 128 else (len(text) | 1 << 31).to_bytes(4, "big")


def answer(path, variables, body=b"", seconds=60):
    """What comes on standard output, until its end or that of the connection."""
    items = [(name.encode(), value.encode()) for name, value in ({"REQUEST_METHOD": "GET"} | variables).items()]
    pairs = b"".join(length(name) + length(value) + name + value for name, value in items)
    output, kind = b"", 0
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(seconds)
        connection.connect(str(path))
        connection.sendall(
            record(BEGIN, struct.pack(">HB5x", 1, 0)) + record(PARAMETERS, pairs) + record(PARAMETERS)
            + (record(STANDARD_INPUT, body) if body else b"") + record(STANDARD_INPUT)
        )
        stream = connection.makefile("rb")
        while kind != END and len(head := stream.read(8)) == 8:
            _, kind, _, size, padding, _ = struct.unpack(">BBHHBB", head)
            content = stream.read(size + padding)
            if kind == STANDARD_OUTPUT and len(content) == size + padding:
                output += content[:size]
    return output


def status_page(path, page, method="GET"):
    """The status code and the text of `health`, `ready` or `metrics`."""
    header, _, body = answer(path, {"REQUEST_METHOD": method, "SITE_STATUS": page}).decode().partition("\r\n\r\n")
    return int(header.split()[1]), body
