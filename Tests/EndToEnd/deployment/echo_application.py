"""Applications behind nginx: one answers with what arrived, and one changes its protocol."""

import base64
import hashlib
import http.server
import json
import re
import socketserver


class Echo(http.server.BaseHTTPRequestHandler):
    """Answers with what arrived."""

    seen = []

    def answer(self):
        Echo.seen.append(self.path)
        if "accel" in self.path:
            self.send_response(200)
            self.send_header("X-Accel-Redirect", "/_errors/503.html")
            self.end_headers()
            return
        sent = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        body = json.dumps({"path": self.path, "fields": self.headers.items(), "body": sent}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = do_OPTIONS = answer

    def log_message(self, *_):
        pass


class Tunnel(socketserver.StreamRequestHandler):
    """Changes to whatever protocol it is asked for, says 'hello' and answers what follows."""

    seen = []
    # RFC 6455, section 1.3.
    WEBSOCKET = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

    def handle(self):
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            line = self.rfile.readline()
            if not line:
                return
            head += line
        Tunnel.seen.append(head.decode("latin-1"))
        upgrade = re.search(rb"(?im)^upgrade: *([^\r]*)", head)
        if not upgrade:
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nno")
            return
        key = re.search(rb"(?im)^sec-websocket-key: *([^\r]*)", head)
        self.wfile.write(
            b"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: " + upgrade[1]
            + b"\r\nSec-WebSocket-Accept: " + (accepted(key[1]) if key else b"") + b"\r\n\r\n\x81\x05hello"
        )
        while data := self.connection.recv(4096):
            Tunnel.seen.append(data.decode("latin-1"))
            self.wfile.write(b"tunnelled " + data)


def accepted(key):
    return base64.b64encode(hashlib.sha1(key + Tunnel.WEBSOCKET).digest())


def fields_of(body):
    """Names as an application that knows no difference between '-' and '_' has them."""
    found = {}
    for name, value in json.loads(body)["fields"]:
        found.setdefault(name.lower().replace("_", "-"), []).append(value)
    return found
