"""Asks the status socket of a siteauth, as nginx does: one request by FastCGI."""

import socket
import struct

BEGIN, END, PARAMETERS, STANDARD_INPUT, STANDARD_OUTPUT = 1, 3, 4, 5, 6


def record(kind, content=b""):
    return struct.pack(">BBHHBB", 1, kind, 1, len(content), 0, 0) + content


def status_page(path, page, method="GET"):
    """The status code and the text of `health`, `ready` or `metrics`."""
    variables = {"REQUEST_METHOD": method, "SITE_STATUS": page}
    pairs = b"".join(bytes([len(name), len(value)]) + name.encode() + value.encode() for name, value in variables.items())
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(60)
        connection.connect(str(path))
        connection.sendall(
            record(BEGIN, struct.pack(">HB5x", 1, 0)) + record(PARAMETERS, pairs) + record(PARAMETERS)
            + record(STANDARD_INPUT)
        )
        stream, output, kind = connection.makefile("rb"), b"", 0
        while kind != END:
            _, kind, _, length, padding, _ = struct.unpack(">BBHHBB", stream.read(8))
            content = stream.read(length + padding)[:length]
            output += content if kind == STANDARD_OUTPUT else b""
    header, _, body = output.decode().partition("\r\n\r\n")
    return int(header.split()[1]), body
