"""A program in siteauth's place that answers as a test wants (FastCGI 1.0)."""

import socketserver
import struct
import threading

from fastcgi import END, PARAMETERS, STANDARD_INPUT, STANDARD_OUTPUT, record

class FakeSiteauth:
    """`answer` gets the variables of each request and returns the response's header and body."""

    def __init__(self, path, answer):
        self.server = Server(str(path), Handler)
        self.server.answer = answer
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True
    request_queue_size = 512


class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        parameters = b""
        while True:
            _, kind, _, length, padding = struct.unpack(">BBHHBx", self.rfile.read(8))
            content = self.rfile.read(length)
            self.rfile.read(padding)
            if kind == PARAMETERS:
                parameters += content
            if kind == STANDARD_INPUT and not length:
                break
        answer = self.server.answer(dict(pairs(parameters))).encode()
        self.wfile.write(record(STANDARD_OUTPUT, answer) + record(STANDARD_OUTPUT) + record(END, bytes(8)))


def pairs(parameters):
    """Name-value pairs (FastCGI 1.0, section 3.4)."""
    position = 0
    while position < len(parameters):
        lengths = []
        for _ in range(2):
            length = parameters[position]
            if length < 128:
                position += 1
            else:
                length = int.from_bytes(parameters[position:position + 4], "big") & 0x7FFFFFFF
                position += 4
            lengths.append(length)
        name, value = lengths
        text = parameters[position:position + name + value].decode("latin-1")
        position += name + value
        yield text[:name], text[name:]
