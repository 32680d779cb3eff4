"""Connections of an application that change their protocol: WebSockets do, and nothing else."""

import base64
import hashlib
import os
import re
import socket
import socketserver
import threading
from contextlib import closing

import pytest

from demo_site import BOB
from own_service import NGINXES, OwnService

# RFC 6455, section 1.3.
WEBSOCKET = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


class Application(socketserver.StreamRequestHandler):
    """Changes to whatever protocol it is asked for, and answers each line that follows."""

    seen = []

    def handle(self):
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            line = self.rfile.readline()
            if not line:
                return
            head += line
        Application.seen.append(head.decode("latin-1"))
        upgrade = re.search(rb"(?im)^upgrade: *([^\r]*)", head)
        if not upgrade:
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nno")
            return
        key = re.search(rb"(?im)^sec-websocket-key: *([^\r]*)", head)
        accept = base64.b64encode(hashlib.sha1(key[1] + WEBSOCKET).digest()) if key else b""
        self.wfile.write(
            b"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: " + upgrade[1]
            + b"\r\nSec-WebSocket-Accept: " + accept + b"\r\n\r\n"
        )
        while data := self.connection.recv(4096):
            Application.seen.append(data.decode("latin-1"))
            self.wfile.write(b"tunnelled " + data)


@pytest.fixture(scope="module", params=NGINXES)
def site(request, demo):
    socketserver.ThreadingTCPServer.allow_reuse_address = True
    server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Application)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with closing(OwnService(demo, request.param)) as own:
        own.siteauth()
        own.nginx(
            "location /company/ { include snippets/siteauth/application.conf;"
            f" proxy_pass http://127.0.0.1:{server.server_address[1]}; }}"
        )
        yield own
        server.shutdown()


@pytest.fixture
def bob(signed_in):
    return "session=" + signed_in(BOB).cookies["session"]


def change(site, cookie, fields):
    """Asks for another protocol; returns the open connection and the head of the answer."""
    head = ["GET /company/socket HTTP/1.1", "Host: localhost", f"Cookie: {cookie}", *fields]
    connection = socket.create_connection(("127.0.0.1", site.port), timeout=60)
    connection.sendall("\r\n".join(head).encode() + b"\r\n\r\n")
    answer = b""
    while b"\r\n\r\n" not in answer:
        data = connection.recv(4096)
        if not data:
            break
        answer += data
    return connection, answer.decode("latin-1")


@pytest.mark.parametrize("upgrade", [
    "h2c", "H2C", "websocket, h2c", "h2c, websocket", "websocket/13, h2c", "websocketx", "TLS/1.0", "HTTP/2.0", "",
    "xwebsocket",
])
def test_no_other_protocol_gets_through(site, bob, upgrade):
    """What goes through is not looked at: any path, as anybody."""
    Application.seen.clear()
    connection, head = change(site, bob, [
        "Connection: Upgrade, HTTP2-Settings", f"Upgrade: {upgrade}", "HTTP2-Settings: AAMAAABkAAQAAP__",
    ])
    with connection:
        assert head.startswith("HTTP/1.1 200")
        connection.sendall(b"GET /admin HTTP/1.1\r\nX-Auth-User: somebody-else\r\n\r\n")
        connection.settimeout(1)
        try:
            rest = connection.recv(4096)
        except TimeoutError:
            rest = b""
    assert b"tunnelled" not in rest
    assert len(Application.seen) == 1 and "Upgrade" not in Application.seen[0]
    assert "HTTP2-Settings" not in Application.seen[0] and "\r\nConnection: close\r\n" in Application.seen[0]


@pytest.mark.parametrize("spelling", ["websocket", "WebSocket"])
def test_a_websocket_opens_for_whoever_may_read(site, bob, spelling):
    Application.seen.clear()
    key = base64.b64encode(os.urandom(16)).decode()
    fields = [
        "Connection: Upgrade", f"Upgrade: {spelling}", f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Protocol: chat",
    ]
    connection, head = change(site, bob, fields)
    with connection:
        assert head.startswith("HTTP/1.1 101")
        accept = base64.b64encode(hashlib.sha1(key.encode() + WEBSOCKET).digest()).decode()
        assert f"Sec-WebSocket-Accept: {accept}" in head
        connection.sendall(b"hello")
        assert connection.recv(4096) == b"tunnelled hello"
    assert f"X-Auth-User: {BOB}@" in Application.seen[0] and "Sec-WebSocket-Protocol: chat" in Application.seen[0]
    Application.seen.clear()
    connection, head = change(site, "", fields)
    connection.close()
    assert head.split(" ")[1] in ("303", "401") and not Application.seen
