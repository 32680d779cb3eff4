"""nginx in front of the emulator, since programs of Microsoft's take no authority without https."""

import pathlib
import shutil
import subprocess
import tempfile

import requests

from demo_site import NGINX, free_port, temporary_paths, wait_for

CONFIGURATION = """
master_process off;
daemon off;
pid {folder}/nginx.pid;
error_log stderr warn;

events {{}}

http {{
    access_log off;
    {temporary}

    server {{
        listen 127.0.0.1:{port} ssl;
        ssl_certificate {folder}/localhost.crt;
        ssl_certificate_key {folder}/localhost.key;

        location / {{
            proxy_pass http://127.0.0.1:{upstream};
            proxy_set_header Host $http_host;
        }}
    }}
}}
"""


class TLSFront:
    """Has a certificate of an authority that is made for it and gone with it."""

    def __init__(self, upstream):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tls-", dir="/tmp"))
        self.upstream, self.port = upstream, free_port()
        self.url = f"https://localhost:{self.port}"
        self.authority = str(self.folder / "authority.crt")
        self.process = None

    def start(self):
        make_certificate(self.folder, "authority", "/CN=Nobody's authority", "CA:TRUE")
        make_certificate(self.folder, "localhost", "/CN=localhost", "CA:FALSE", signed_by="authority")
        configuration, values = self.folder / "nginx.conf", {"port": self.port, "upstream": self.upstream}
        temporary = temporary_paths(self.folder)
        configuration.write_text(CONFIGURATION.format(folder=self.folder, temporary=temporary, **values))
        with (self.folder / "log").open("w") as log:
            command = [NGINX, "-e", "stderr", "-p", self.folder, "-c", configuration]
            self.process = subprocess.Popen(command, stderr=log)
        wait_for(self.answers)
        return self

    def answers(self):
        assert self.process.poll() is None, (self.folder / "log").read_text()
        try:
            requests.get(self.url, verify=self.authority, timeout=30)
        except requests.ConnectionError as error:
            assert "certificate verify failed" not in str(error), error
            return False
        return True

    def close(self):
        if self.process:
            self.process.terminate()
            self.process.wait(timeout=60)
        shutil.rmtree(self.folder, ignore_errors=True)


def make_certificate(folder, name, subject, constraints="CA:FALSE", signed_by=None, host="localhost"):
    """Writes `name`.key and `name`.crt, good for today, for that host and for names below it."""
    signature = ["-CA", f"{signed_by}.crt", "-CAkey", f"{signed_by}.key"] if signed_by else []
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-noenc", "-days", "2"]
        + ["-subj", subject, "-keyout", f"{name}.key", "-out", f"{name}.crt"]
        + ["-addext", f"subjectAltName=DNS:{host},DNS:*.{host}"]
        + ["-addext", f"basicConstraints=critical,{constraints}"]
        + signature,
        cwd=folder,
        check=True,
        capture_output=True,
    )
