"""A machine of a test's own, on which the commands of a page of the handbook are run as they stand there.

Its folders `/etc`, `/srv` and so on lie below a temporary folder: `on_machine` puts that folder before each
path. It has the programs of this project, the tools in `TOOLS`, and for what would change the real machine, or
needs another one, programs that only write down how they were called (`WRITTEN_DOWN`). Any other command is not
found, so a page that uses one fails its test until somebody decides what becomes of it. curl asks a site that
answers (`AnsweringSite`), which all pages share.
"""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile

from accepted_keys import BIN
from azure_cli import AZ
from debian_root import PACKAGES, the_package
from demo_site import CLIENT, CLIENT_SECRET, COOKIE_SECRET, NGINX, ROOT, TENANT
from demo_site import free_port, is_listening, is_running, sitegen, temporary_paths, wait_for, write
from secure_site import SecureSite

TOOLS = [
    "bash", "cat", "chmod", "cp", "cut", "date", "dirname", "env", "find", "git", "grep", "gzip", "head", "id", "jq", "ln", "ls",
    "mkdir", "mktemp", "mv", "openssl", "rm", "rmdir", "sed", "sh", "sleep", "sort", "ssh-keygen", "tar", "touch", "tr",
]
WRITTEN_DOWN = {
    "a2enmod": "changes Apache's configuration",
    "a2ensite": "changes Apache's configuration",
    "adduser": "makes an account",
    "apt-get": "installs packages of Debian",
    "chown": "needs the accounts",
    "chgrp": "needs the accounts",
    "docker": "runs containers; test_containers.py does so",
    "journalctl": "reads the log of services",
    "make": "compiles for minutes; CI runs the targets",
    "python3": "installs a package of PyPI",
    "rsync": "needs another machine with this key",
    "ssh": "needs another machine with this key",
    "systemctl": "starts services",
    "timedatectl": "sets the clock",
    "unzip": "unpacks an export, whose folder is there",
    "xdg-open": "opens a browser",
}
# What stands for a value in a page, and the value with which the page is tried.
PLACEHOLDERS = {
    r"the Directory \(tenant\) ID|TENANT(?=\")": TENANT,
    r"the Application \(client\) ID|the client id of the identity": CLIENT,
    r"the Value of (?:the|a) (?:client )?secret": CLIENT_SECRET,
    r"the output of:? siteauth generate-secret|the new one": COOKIE_SECRET,
    r"the old one": os.urandom(32).hex(),
}
SECRETS = """[auth]
redirect_uri = "https://docs.example.com/auth/callback"
cookie_secret = "the output of siteauth generate-secret"
client_id = "the Application (client) ID"
client_secret = "the Value of the client secret"
authority = "https://login.microsoftonline.com/the Directory (tenant) ID"
"""
SITE = {
    "sitegen.toml": 'title = "Larkspur Handbook"\nbase_url = "https://docs.example.com"\n\n[groups]\nhr = { role = "HR" }\nboard = { role = "Board" }\n',
    "site/index.md": "# Home\n\nThis is [travel](travel.md).\n",
    "site/travel.md": "# Travel\n\nBy train.\n",
    "site/hr/index.md": "---\naccess: [hr]\n---\n# Human resources\n\nFor few.\n",
    # The pages of other tools.
    "content/index.md": "# Home\n",
    "docs/index.md": "# Home\n",
    # Exports, unpacked.
    "space/entities.xml": """<hibernate-generic>
<object class="Page"><id name="id">1</id><property name="title">Home</property></object>
<object class="Page"><id name="id">2</id><property name="title">Salaries</property>
<property name="parent" class="Page"><id name="id">1</id></property></object>
<object class="ContentPermissionSet"><id name="id">3</id><property name="type">View</property>
<property name="owningContent" class="Page"><id name="id">2</id></property></object>
<object class="ContentPermission"><id name="id">4</id><property name="groupName">hr</property>
<property name="owningSet" class="ContentPermissionSet"><id name="id">3</id></property></object>
</hibernate-generic>""",
    "notion/Company 0123456789abcdef0123456789abcdef.md": "# Company\n\nHello.\n",
    # A page tells the reader to put a font there.
    "templates/theme/fonts/inter.woff2": "",
}
FOLDERS = "etc|srv|var|run|usr|root|home|lib"
PATH_ON_MACHINE = re.compile(rf"(?<![\w./:~-])/(?=(?:{FOLDERS})(?:/|\s|$))")

# Programs that stand for others, and one for those that run until they are stopped.
PROGRAMS = {path.name: path.read_text() for path in pathlib.Path(__file__).with_name("programs").iterdir()}
BACKGROUND = PROGRAMS.pop("background")
# The emulator learns of no certificate while it runs: the one that the script made becomes one that it knows.
PROGRAMS["az"] = AZ.removeprefix("#!/bin/sh\n") + '''
case "$*" in *"--cert @siteauth.crt"*) cp -f "$CERTIFICATES"/siteauth.crt "$CERTIFICATES"/siteauth.key . ;; esac
'''


class Image:
    """What all machines begin with, made once: a repository, a checkout with two releases, a certificate, a package."""

    def __init__(self, folder):
        self.folder, self.repository, self.checkout = folder, folder / "repository", folder / "checkout"
        write(self.repository, SITE)
        git = ["git", "-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "init.defaultBranch=main"]
        for command in [["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "Pages"]]:
            subprocess.run(git + command, cwd=self.repository, check=True)
        subprocess.run(["git", "clone", "--quiet", self.repository, self.checkout], check=True)
        for text in ["# Travel\n\nBy train.\n", SITE["site/travel.md"]]:
            (self.checkout / "site/travel.md").write_text(text)
            sitegen(self.checkout, "build", "--quiet", check=True)
        self.installed = folder / "installed"
        self.installed.mkdir()
        unpack = f"dpkg-deb --fsys-tarfile {the_package('siteauth')} | tar -x -C {self.installed} --exclude=./usr/bin"
        subprocess.run(unpack, shell=True, check=True)
        (self.checkout / "state/revoked").mkdir(parents=True)
        (self.checkout / "secrets.toml").write_text(SECRETS)
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
             "-subj", "/CN=docs.example.com", "-keyout", folder / "privkey.pem", "-out", folder / "fullchain.pem"],
            check=True, capture_output=True,
        )


class AnsweringSite(SecureSite):
    """The site that the pages speak of, https://docs.example.com, with the addresses for monitoring."""

    host = "docs.example.com"

    def __init__(self, public):
        super().__init__(public)
        self.url = f"https://{self.host}"
        self.status_port = free_port()

    def write_nginx(self):
        super().write_nginx()
        # The socket of the site 'docs' is in the test's folder.
        (self.folder / "docs").mkdir()
        (self.folder / "docs/status.sock").symlink_to(self.folder / "status-0.sock")
        snippet = (ROOT / "nginx/status.conf").read_text().replace("/run/siteauth", str(self.folder))
        (self.folder / "status.conf").write_text(snippet)
        server = (ROOT / "nginx/status-server.conf").read_text().replace("9464", str(self.status_port))
        with (self.folder / "site.conf").open("a") as site:
            site.write(server.replace("snippets/siteauth/status.conf", f"{self.folder}/status.conf"))

    def answers(self):
        return is_listening(self.port)

    def environment(self):
        return {"SITE_PORT": str(self.port), "STATUS_PORT": str(self.status_port), "SITE_CERTIFICATE": self.authority}


class Machine:
    """Ended by `close`."""

    def __init__(self, emulator, image, site=None):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="page-", dir="/tmp"))
        self.emulator, self.image, self.site = emulator, image, site
        self.port, self.ports = free_port(), (free_port(), free_port())
        self.calls = self.folder / "calls"
        self.calls.touch()
        for name in [
            "bin", "etc/nginx/conf.d", "etc/nginx/sites-available", "etc/nginx/sites-enabled",
            "etc/letsencrypt/live/docs.example.com", "etc/systemd/system", "home", "root", "run", "source/.build", "srv",
            "usr/bin", "usr/local/bin", "var/log/nginx", "var/tmp", "work",
        ]:
            (self.folder / name).mkdir(parents=True)
        self.cwd = self.folder / "work"
        self._programs()
        self._source()
        self._nginx()

    def _programs(self):
        for name in TOOLS:
            (self.folder / f"bin/{name}").symlink_to(shutil.which(name))
        programs = {name: f'echo "{name} $*" >>"$MACHINE/calls"\n' for name in WRITTEN_DOWN} | PROGRAMS
        for name, options, ready in [
            ("sitegen", f"--port {self.port}", "checked in"),
            ("entra-emulator", f"--port {self.ports[0]} --admin-port {self.ports[1]}", "administration at"),
        ]:
            programs[name] = f'name={name} options="{options}" ready="{ready}"\n{BACKGROUND}'
        for name, text in programs.items():
            (self.folder / f"bin/{name}").write_text("#!/bin/bash\n" + text)
            (self.folder / f"bin/{name}").chmod(0o755)

    def _source(self):
        """The source of this project, with nothing in it that a page could change."""
        for name in ["nginx", "Packaging", "Makefile"]:
            (self.folder / "source" / name).symlink_to(ROOT / name)
        (self.folder / "source/.build/release").symlink_to(BIN)
        (self.folder / "source/.build/packages").symlink_to(PACKAGES)
        # No command that is run here reads them.
        for name in ["sitegen", "siteauth"]:
            (self.folder / f"source/.build/images/{name}.tar").parent.mkdir(exist_ok=True)
            (self.folder / f"source/.build/images/{name}.tar").touch()

    def _nginx(self):
        """As Debian installs it."""
        shutil.copy("/etc/nginx/mime.types", self.folder / "etc/nginx")
        temporary = temporary_paths(self.folder / "var")
        text = pathlib.Path("/etc/nginx/nginx.conf").read_text().replace("http {", "http {\n" + temporary, 1)
        (self.folder / "etc/nginx/nginx.conf").write_text(text)
        (self.folder / "etc/nginx/sites-enabled/default").touch()
        for name in ["privkey.pem", "fullchain.pem"]:
            shutil.copy(self.image.folder / name, self.folder / "etc/letsencrypt/live/docs.example.com")

    def prepare(self):
        """The site at the two places where pages have it, the configuration of siteauth and of nginx, and programs."""
        for folder in ["usr/bin", "usr/local/bin"]:
            for name in ["sitegen", "siteauth"]:
                shutil.copy(self.folder / "bin" / name, self.folder / folder, follow_symlinks=False)
        for package in ["sitegen", "siteauth", "entra-emulator"]:
            shutil.copy(the_package(package), self.folder / "root")
        shutil.copytree(self.image.installed, self.folder, symlinks=True, dirs_exist_ok=True)
        for name in ["work", "srv/docs", "srv/site"]:
            shutil.copytree(self.image.checkout, self.folder / name, symlinks=True, dirs_exist_ok=True)
            # What no release has yet.
            (self.folder / name / "site/news.md").write_text("# News\n\nNone.\n")
        (self.folder / "var/lib/siteauth/docs/revoked").mkdir(parents=True, exist_ok=True)
        for name in ["work", "srv/docs", "srv/site", "etc/siteauth", "etc/siteauth/docs"]:
            self.write(self.folder / name / "secrets.toml", SECRETS)
        shutil.copy(ROOT / "nginx/site.conf", self.folder / "etc/nginx/sites-available/docs")
        (self.folder / "etc/nginx/sites-enabled/docs").symlink_to("../sites-available/docs")
        (self.folder / "etc/nginx/sites-enabled/default").unlink()

    def on_machine(self, text):
        text = PATH_ON_MACHINE.sub(f"{self.folder}/", text)
        others = re.findall(rf"(?<![\w./:~-])/(?!{self.folder.relative_to('/')}/|dev/null|bin/(?:ba)?sh\b)[a-z]+/", text)
        assert not others, f"{others} is a folder of the real machine"
        return text

    def filled_in(self, text, secret=CLIENT_SECRET):
        """A file of a page with values in place of the words that stand for them."""
        for words, value in PLACEHOLDERS.items():
            text = re.sub(words, value, text)
        text = text.replace(CLIENT_SECRET, secret)
        text = text.replace("http://localhost:8081/", f"http://localhost:{self.ports[0]}/")
        return text.replace(f"https://login.microsoftonline.com/{TENANT}", self.emulator.authority)

    def write(self, path, text):
        """Writes a file that a page shows; a path on the machine or one in the folder of the last command."""
        path = self.cwd / (self.on_machine(path) if isinstance(path, str) else path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(self.filled_in(text))
        path.chmod(0o600 if "secret" in path.name else 0o644)

    def run(self, text):
        """Runs a block; returns exit code and output. The folder of the last command is that of the next block."""
        if re.match(r"(\w+=\S+ )*make\b", text):
            self.cwd = self.folder / "source"
        script = f"set -euo pipefail\n{self.on_machine(text)}\npwd >{self.folder}/cwd\n"
        (self.folder / "cwd").write_text(str(self.cwd))
        result = subprocess.run(
            ["bash", "-c", script], cwd=self.cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            timeout=120, env=self.environment(),
        )
        self.cwd = pathlib.Path((self.folder / "cwd").read_text().strip())
        if "scp " in text:
            self.cwd = self.folder / "root"
        return result.returncode, self.as_on_page(result.stdout)

    def environment(self):
        return (self.site.environment() if self.site else {}) | {
            "BIN": str(BIN), "NGINX": NGINX, "FOLDERS": FOLDERS,
            "PATH": f"{self.folder}/bin", "HOME": f"{self.folder}/home", "TMPDIR": f"{self.folder}/home",
            "LOGIN_ENDPOINT": self.emulator.authority.rsplit("/", 1)[0], "NEW_CLIENT": CLIENT,
            "MACHINE": str(self.folder), "CERTIFICATES": str(self.emulator.folder),
            "ENTRA_PORT": str(self.ports[0]), "ADMIN_PORT": str(self.ports[1]),
            "SITEAUTH_PAUSE": "0", "LC_ALL": "C.UTF-8",
            "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": f"url.file://{self.image.repository}.insteadOf",
            "GIT_CONFIG_VALUE_0": "https://git.example.com/handbook.git",
        }

    def as_on_page(self, text):
        text = text.replace(f":{self.port}", ":8000").replace(str(self.folder), "")
        if self.site:
            text = text.replace(self.site.entra, "https://login.microsoftonline.com")
        return text.replace(f":{self.ports[0]}", ":8081").replace(f":{self.ports[1]}", ":8082")

    def logs(self):
        """What the programs in the background have printed since their last start."""
        return self.as_on_page("".join(path.read_text() for path in sorted(self.folder.glob("*.log"))))

    def written_down(self):
        return self.as_on_page(self.calls.read_text()).splitlines()

    def close(self):
        for path in self.folder.glob("*.pid"):
            try:
                os.kill(int(path.read_text()), signal.SIGTERM)
            except ProcessLookupError:
                continue
            wait_for(lambda: not is_running(path.read_text().strip()))
        shutil.rmtree(self.folder, ignore_errors=True)
