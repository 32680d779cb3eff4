"""Three machines with nginx and siteauth behind HAProxy, with a Redis that they share, as the handbook sets them up.

Each has its own copy of the site, its own folder of state and its own certificate. HAProxy is the one of
site/handbook/how-to/several-machines.md, with other addresses.
"""

import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile

from demo_site import ROOT, finish, free_port, is_listening, replaced, takes_connections, wait_for
from secure_site import SecureSite
from tls_front import make_certificate

PAGE = ROOT / "site/handbook/how-to/several-machines.md"


# What /docs/ready of the server for monitoring answers.
STATUS = """
server {{
    listen 127.0.0.1:{port};
    location = /docs/ready {{
        fastcgi_pass unix:{folder}/status-0.sock;
        fastcgi_param REQUEST_METHOD GET;
        fastcgi_param SITE_STATUS ready;
    }}
}}
"""


class Machine(SecureSite):
    """A site whose readers come through a balancer, and whose provider is everybody's."""

    def __init__(self, cluster, public, settings):
        super().__init__(public, settings)
        self.url, self.entra = cluster.url, cluster.entra
        self.status_port = free_port()
        self.commands = {}

    def start_entra(self):
        """The cluster has one."""

    def write_nginx(self):
        """As the handbook has it for a balancer in front (beside-other-servers.md)."""
        super().write_nginx()
        path = self.folder / "site.conf"
        text = re.sub(r" *ssl_.*\n", "", path.read_text())
        listen = f"listen 127.0.0.1:{self.port}"
        real = "set_real_ip_from 127.0.0.1; real_ip_header proxy_protocol;"
        text = text.replace(f"{listen} ssl http2;", f"{listen} proxy_protocol; {real}")
        text = text.replace(f"{listen} ssl http2 default_server;", f"{listen} proxy_protocol default_server;")
        path.write_text(text + STATUS.format(port=self.status_port, folder=self.folder))

    def answers(self):
        return is_listening(self.port)

    def kill(self, name):
        """As a loss of power does: nobody is told, and no worker lives on."""
        process = self.processes.pop(name)
        children = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True).stdout
        for pid in [process.pid, *map(int, children.split())]:
            os.kill(pid, signal.SIGKILL)
        process.wait()

    def run(self, name, *command):
        self.commands[name] = command
        super().run(name, *command)

    def again(self, name):
        before = self.log(name).count("ready for")
        self.run(name, *self.commands[name])
        wait_for(self.answers if name == "nginx" else lambda: self.log(name).count("ready for") > before)


class Cluster:
    def __init__(self, public, settings, machines=3):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="cluster-", dir="/tmp"))
        self.port = free_port()
        self.url = f"https://localhost:{self.port}"
        # The provider belongs to a site that serves nobody.
        self.provider = SecureSite(public)
        self.provider.url = self.url
        self.entra, self.admin = self.provider.entra, self.provider.admin
        self.machines = []
        for number in range(machines):
            shutil.copytree(public, self.folder / f"public-{number}", symlinks=True)
            self.machines.append(Machine(self, self.folder / f"public-{number}", settings))
        self.authority = str(self.folder / "localhost.crt")
        self.balancer = None

    def start(self):
        make_certificate(self.folder, "localhost", "/CN=localhost", "CA:TRUE")
        self.provider.write_tenants()
        self.provider.start_entra()
        for machine in self.machines:
            machine.start()
        self.write_balancer()
        self.start_balancer()
        wait_for(lambda: self.up() == len(self.machines))
        return self

    def write_balancer(self):
        """The handbook's file, with addresses and certificates of this test."""
        text = re.search(r"```haproxy [^\n]*\n(.*?)```", PAGE.read_text(), re.S)[1]
        servers = [line for line in text.splitlines() if re.match(r"\s+server ", line)]
        assert len(servers) == 3
        for line, machine in zip(servers, self.machines):
            changed = re.sub(r"10\.0\.0\.\d+:8080", f"127.0.0.1:{machine.port} port {machine.status_port}", line)
            text = text.replace(line, changed)
        for line in servers[len(self.machines):]:
            text = text.replace(line + "\n", "")
        (self.folder / "localhost.pem").write_text(
            (self.folder / "localhost.crt").read_text() + (self.folder / "localhost.key").read_text())
        text = replaced(text, {
            "bind :443 ssl crt /etc/haproxy/docs.pem": f"bind 127.0.0.1:{self.port} ssl crt {self.folder}/localhost.pem",
            "    bind :80\n": "",
            "https://docs.example.com": self.url,
            " port 9464": "",
        })
        statistics = f"global\n    stats socket {self.folder}/haproxy.sock mode 600 level admin\n"
        (self.folder / "haproxy.cfg").write_text(statistics + text)

    def start_balancer(self):
        with (self.folder / "haproxy.log").open("a") as log:
            self.balancer = subprocess.Popen(["haproxy", "-db", "-f", self.folder / "haproxy.cfg"], stdout=log, stderr=log)
        wait_for(lambda: self.balancer.poll() is not None or takes_connections(self.folder / "haproxy.sock"))
        assert self.balancer.poll() is None, (self.folder / "haproxy.log").read_text()

    def ask_balancer(self, command):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(self.folder / "haproxy.sock"))
            connection.sendall(command.encode() + b"\n")
            return b"".join(iter(lambda: connection.recv(65_536), b"")).decode()

    def up(self):
        """How many machines the balancer holds for sound."""
        lines = self.ask_balancer("show stat").splitlines()
        names = lines[0].lstrip("# ").split(",")
        rows = [dict(zip(names, line.split(","))) for line in lines[1:] if line]
        return sum(row["svname"] not in ("FRONTEND", "BACKEND") and row["status"].startswith("UP") for row in rows)

    def sign_in(self, **account):
        """The cookie of a reader."""
        return finish(self, **account).cookies["__Host-session"]

    def close(self):
        if self.balancer:
            self.balancer.terminate()
            self.balancer.wait(timeout=60)
        for site in [*self.machines, self.provider]:
            site.close()
        shutil.rmtree(self.folder, ignore_errors=True)
