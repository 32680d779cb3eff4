"""The HTTP server of the preview and of the emulator, and programs that treat it badly."""

import os
import pathlib
import socket
import subprocess
import time

import pytest
import requests

from demo_site import BIN, wait_for

HEAD = b"GET /_emulator/style.css HTTP/1.1\r\nHost: localhost\r\n"
LAST = HEAD + b"Connection: close\r\n\r\n"


class Emulator:
    def __init__(self, limit):
        command = ["prlimit", limit, BIN / "entra-emulator", "--port", "0", "--admin-port", "0"]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        self.port, self.administration = (int(self.process.stderr.readline().rsplit(":", 1)[1]) for _ in range(2))

    @property
    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    @property
    def kilobytes(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0])

    def connect(self, host="127.0.0.1", port=None):
        return socket.create_connection((host, port or self.port), timeout=60)

    def ask(self, request=LAST, **where):
        with self.connect(**where) as connection:
            connection.sendall(request)
            return b"".join(iter(lambda: connection.recv(1 << 16), b""))

    def works(self):
        places = [{}, {"host": "::1"}, {"port": self.administration}]
        return all(self.ask(**place).startswith(b"HTTP/1.1 200 OK\r\n") for place in places)


@pytest.fixture
def start():
    started = []

    def emulator(limit="--nofile=4096"):
        started.append(Emulator(limit))
        return started[-1]

    yield emulator
    for each in started:
        each.process.kill()
        each.process.wait(60)
        each.process.stderr.close()


def test_silent_connections_leave_descriptors_for_other_work(start):
    emulator = start("--nofile=80")
    before = emulator.descriptors
    held = [emulator.connect() for _ in range(60)]
    wait_for(lambda: emulator.descriptors >= before + 10)
    time.sleep(0.5)
    assert emulator.descriptors <= before + 12
    assert emulator.ask(port=emulator.administration).startswith(b"HTTP/1.1 200 OK\r\n")
    for connection in held:
        connection.close()
    assert emulator.works()


def test_a_thousand_silent_connections_delay_nobody(start):
    emulator = start("--nofile=10000")
    before, memory = emulator.descriptors, emulator.kilobytes
    held = [emulator.connect() for _ in range(1000)]
    try:
        # Half of them have begun a request.
        for connection in held[::2]:
            connection.sendall(HEAD)
        wait_for(lambda: emulator.descriptors >= before + 1000)
        assert emulator.works()
        assert emulator.kilobytes - memory < 32 << 10
        assert len(os.listdir(f"/proc/{emulator.process.pid}/task")) < 20
        held[0].sendall(b"Connection: close\r\n\r\n")
        assert held[0].recv(12) == b"HTTP/1.1 200"
    finally:
        for connection in held:
            connection.close()
    wait_for(lambda: emulator.descriptors <= before + 5)


def test_what_is_no_request_is_refused_and_harms_nothing(start):
    emulator = start()
    post = b"POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    for status, bytes_ in [
        # The beginning of TLS, which gets no answer.
        (b"", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n"),
        (b"400", b"GET / HTTP/1.1\r\nno colon\r\n\r\n"),
        (b"505", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        (b"421", b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n"),
        (b"431", HEAD + b"X: " + b"a" * (1 << 18) + b"\r\n\r\n"),
        (b"413", post + b"Content-Length: 1048577\r\n\r\n"),
        (b"400", post + b"Content-Length: -1\r\n\r\n"),
        (b"400", post + b"Transfer-Encoding: chunked\r\n\r\nno number\r\n"),
        (b"413", post + b"Transfer-Encoding: chunked\r\n\r\n100001\r\n" + b"a" * 0x100001 + b"\r\n0\r\n\r\n"),
    ]:
        answer = emulator.ask(bytes_)
        assert answer[9:12] == status, (bytes_[:100], answer[:100])
    # A body without an end is not read for ever.
    with emulator.connect() as connection, pytest.raises(ConnectionError):
        connection.sendall(post + b"Transfer-Encoding: chunked\r\n\r\n")
        for _ in range(1000):
            connection.sendall(b"40000\r\n" + b"a" * 0x40000 + b"\r\n")
    assert emulator.works()


def test_many_requests_need_no_more_stack_than_one(start):
    """Threads have 256 KB instead of 8 MB, so that what each request leaves there would soon fill it."""
    emulator = start("--stack=262144")
    for _ in range(25):
        answers = emulator.ask((HEAD + b"Connection: keep-alive\r\n\r\n") * 99 + LAST)
        assert answers.count(b"HTTP/1.1 200 OK") == 100
        assert answers.lower().count(b"connection: close\r\n") == 1


def test_it_chooses_ports_and_ends_when_told(start):
    emulator = start()
    assert requests.get(f"http://localhost:{emulator.port}", timeout=60).status_code == 200
    assert requests.get(f"http://localhost:{emulator.administration}/state", timeout=60).json()["faults"] == []
    emulator.process.terminate()
    assert emulator.process.wait(timeout=60) == 0
