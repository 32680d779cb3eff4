"""Debian's Redis for one test, with what may happen to it."""

import shutil
import signal
import subprocess

import pytest

from demo_site import free_port, is_listening, wait_for
from tls_front import make_certificate

PASSWORD = "very/secret"


class RedisServer:
    """It writes each change to disk, as the handbook wants it; `options` are further ones."""

    def __init__(self, folder, *options, port_option="--port"):
        self.program = shutil.which("redis-server")
        if not self.program:
            pytest.skip("redis-server is not installed")
        self.folder, self.options, self.port_option = folder, options, port_option
        self.port = free_port()
        self.process = None
        folder.mkdir(exist_ok=True)

    @property
    def url(self):
        return f"redis://:{PASSWORD.replace('/', '%2F')}@127.0.0.1:{self.port}/1"

    def start(self, *options):
        self.options = options or self.options
        port = ["--port", "0"] if self.port_option != "--port" else []
        common = ["--bind", "127.0.0.1", "--dir", self.folder, "--save", "", "--appendonly", "yes",
                  "--requirepass", PASSWORD, "--masterauth", PASSWORD, "--repl-diskless-sync-delay", "0"]
        log = (self.folder / "redis.log").open("a")
        self.process = subprocess.Popen(
            [self.program, *port, self.port_option, str(self.port), *common, *self.options], stdout=log, stderr=log)
        log.close()
        wait_for(self.listens)
        return self

    def listens(self):
        assert self.process.poll() is None, (self.folder / "redis.log").read_text()
        return is_listening(self.port)

    def restart(self, *options):
        self.stop()
        self.start(*options)

    def stop(self):
        """Without a farewell: asked to stop, a primary may wait for its replicas."""
        if self.process:
            self.process.kill()
            self.process.wait(timeout=60)
            self.process = None

    def forget(self):
        """Starts again without any data."""
        self.stop()
        shutil.rmtree(self.folder / "appendonlydir", ignore_errors=True)
        (self.folder / "dump.rdb").unlink(missing_ok=True)
        self.start()

    def freeze(self):
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self):
        self.process.send_signal(signal.SIGCONT)

    def tell(self, *words, database=1):
        """What redis-cli prints."""
        command = ["redis-cli", "--no-auth-warning", "-a", PASSWORD, "-p", str(self.port), "-n", str(database), *words]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    def pipe(self, commands):
        """Many commands at once, a line for each."""
        command = ["redis-cli", "--no-auth-warning", "-a", PASSWORD, "-p", str(self.port), "-n", "1", "--pipe"]
        subprocess.run(command, input=commands, text=True, check=True, capture_output=True)

    def follow(self, other):
        self.tell("REPLICAOF", "127.0.0.1", str(other.port))
        wait_for(lambda: "master_link_status:up" in self.tell("INFO", "replication"))


class RedisPair:
    """A primary and its replica with TLS."""

    def __init__(self, folder):
        make_certificate(folder, "authority", "/CN=An authority", "CA:TRUE")
        make_certificate(folder, "redis", "/CN=localhost", signed_by="authority")
        self.folder = folder
        tls = ["--tls-cert-file", folder / "redis.crt", "--tls-key-file", folder / "redis.key", "--tls-auth-clients", "no",
               "--tls-ca-cert-file", folder / "authority.crt"]
        # Replication uses the other port.
        self.tls_ports = [free_port(), free_port()]
        self.primary, self.replica = (
            RedisServer(folder / name, "--tls-port", str(port), *tls) for name, port in zip(["first", "second"], self.tls_ports))

    @property
    def settings(self):
        urls = ", ".join(f'"rediss://:{PASSWORD.replace("/", "%2F")}@localhost:{port}/1"' for port in self.tls_ports)
        return f'redis = [{urls}]\nredis_ca_file = "{self.folder}/authority.crt"\n'

    def start(self):
        self.primary.start()
        self.replica.start()
        self.replica.follow(self.primary)
        return self

    def stop(self):
        self.primary.stop()
        self.replica.stop()
