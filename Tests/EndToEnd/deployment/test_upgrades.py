"""Connections of an application that change their protocol: WebSockets do, and nothing else."""

import base64
import os
import socket
import socketserver
from contextlib import closing

import pytest

from demo_site import BOB, answering
from echo_application import Tunnel, accepted
from own_service import NGINXES, OwnService


@pytest.fixture(scope="module", params=NGINXES)
def site(request, demo):
    with answering(Tunnel, socketserver.ThreadingTCPServer) as port, closing(OwnService(demo, request.param)) as own:
        own.serve(
            "location /company/ { include snippets/siteauth/application.conf;"
            f" proxy_pass http://127.0.0.1:{port}; }}"
        )
        yield own


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
    Tunnel.seen.clear()
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
    assert len(Tunnel.seen) == 1 and "Upgrade" not in Tunnel.seen[0]
    assert "HTTP2-Settings" not in Tunnel.seen[0] and "\r\nConnection: close\r\n" in Tunnel.seen[0]


@pytest.mark.parametrize("spelling", ["websocket", "WebSocket"])
def test_a_websocket_opens_for_whoever_may_read(site, bob, spelling):
    Tunnel.seen.clear()
    key = base64.b64encode(os.urandom(16)).decode()
    fields = [
        "Connection: Upgrade", f"Upgrade: {spelling}", f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Protocol: chat",
    ]
    connection, head = change(site, bob, fields)
    with connection:
        assert head.startswith("HTTP/1.1 101")
        assert f"Sec-WebSocket-Accept: {accepted(key.encode()).decode()}" in head
        connection.sendall(b"goodbye")
        received = b""
        while b"tunnelled goodbye" not in received:
            data = connection.recv(4096)
            assert data, received
            received += data
    assert f"X-Auth-User: {BOB}@" in Tunnel.seen[0] and "Sec-WebSocket-Protocol: chat" in Tunnel.seen[0]
    Tunnel.seen.clear()
    connection, head = change(site, "", fields)
    connection.close()
    assert head.split(" ")[1] in ("303", "401") and not Tunnel.seen
