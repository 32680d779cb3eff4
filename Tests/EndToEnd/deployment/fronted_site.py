"""A site whose readers meet another server first: the recipes of the handbook, with the real servers."""

import pathlib
import re
import shutil
import socket
import sys

import requests

import raw_http
from demo_site import ROOT, free_port, wait_for
from handbook_pages import page
from secure_site import SecureSite

# Its package on PyPI has nothing but the program.
TRAEFIK = pathlib.Path(sys.executable).with_name("traefik")
RECIPES = page("how-to/beside-other-servers.md").blocks


def recipe(language, *headings, within=""):
    """The text of the one block of code under these headings."""
    found = [
        block.text for block in RECIPES
        if block.language == language and set(headings) <= set(block.headings) and within in block.text
    ]
    assert len(found) == 1, (language, headings, within, len(found))
    return found[0]


class FrontedSite(SecureSite):
    """`front` is a server in front; readers use its port, and nginx has another one."""

    def __init__(self, public, front, applications, status_port):
        super().__init__(public)
        self.front, self.applications, self.status_port = front, applications, status_port
        self.backend_port, self.plain_port, self.health_port = free_port(), free_port(), free_port()
        self.takes_proxy_protocol = "proxy_protocol" in front.nginx()
        self.leaves_tls = "ssl" in front.nginx()

    def write_nginx(self):
        super().write_nginx()
        path = self.folder / "site.conf"
        # A limit that a test can reach.
        snippets = self.folder / "snippets/siteauth"
        snippets.unlink()
        shutil.copytree(ROOT / "nginx", snippets)
        locations = (snippets / "siteauth.conf").read_text()
        (snippets / "siteauth.conf").write_text(locations.replace("siteauth_callback burst=1000", "siteauth_callback burst=30"))
        text = path.read_text().replace("rate=1000r/s", "rate=1r/s")
        site, other = (part for part in re.split(r"(?=^server \{)", text, flags=re.MULTILINE)
                       if f"127.0.0.1:{self.port} ssl" in part)
        lines = self.here(self.front.nginx())
        include = re.search(r"include (\S*)siteauth\.conf;", site)
        locations = "".join(
            f"    location {path} {{ include {include[1]}application.conf; proxy_pass http://127.0.0.1:{port}; }}\n"
            for path, port in self.applications.items()
        )
        if self.leaves_tls:
            behind = re.sub(r"    listen .*\n", lines, site, count=1)
            others = re.sub(r"listen .*", f"listen 127.0.0.1:{self.backend_port} ssl http2 proxy_protocol default_server;", other)
        else:
            behind = re.sub(r"    listen .*\n", lines, re.sub(r"    ssl_.*\n", "", site), count=1)
            others = self.here(recipe("nginx", "TLS ends in front", within="421")).replace(
                "default_server", ("proxy_protocol " if self.takes_proxy_protocol else "") + "default_server")
        behind = behind.replace(f"    {include[0]}", locations + f"    {include[0]}")
        health = self.here(recipe("nginx", "Health"))
        path.write_text(text.replace(site, behind).replace(other, others) + health)
        (self.folder / "docs.pem").write_text(
            "".join((self.folder / f"localhost.{kind}").read_text() for kind in ["crt", "key"])
        )
        self.run("front", *self.front.command(self))

    def here(self, text):
        """A recipe with the addresses, ports and files of this test."""
        changes = {
            "10.0.0.2": "127.0.0.1",
            "10.0.0.5:443": f"127.0.0.1:{self.backend_port}",
            "10.0.0.5:8080": f"127.0.0.1:{self.backend_port}",
            "127.0.0.1:8080": f"127.0.0.1:{self.backend_port}",
            "/etc/haproxy/docs.pem": f"{self.folder}/docs.pem",
            "/etc/letsencrypt/live/docs.example.com/fullchain.pem": f"{self.folder}/localhost.crt",
            "/etc/letsencrypt/live/docs.example.com/privkey.pem": f"{self.folder}/localhost.key",
            "https://docs.example.com": self.url,
            "docs.example.com": "localhost",
            "10.0.0.5:9464": f"127.0.0.1:{self.health_port}",
            "127.0.0.1:9464": f"127.0.0.1:{self.status_port}",
            "check port 9464": f"check port {self.health_port}",
            "/var/www/html": f"{self.folder}/html",
            "bind :443": f"bind 127.0.0.1:{self.port}",
            "bind :80": f"bind 127.0.0.1:{self.plain_port}",
            '":443"': f'"127.0.0.1:{self.port}"',
            '":80"': f'"127.0.0.1:{self.plain_port}"',
            "*:443>": f"127.0.0.1:{self.port}>",
            "*:80>": f"127.0.0.1:{self.plain_port}>",
        }
        for old, new in changes.items():
            text = text.replace(old, new)
        return text

    def answers(self):
        """The server in front may be there before nginx."""
        try:
            answer = requests.get(self.url + "/auth/signed-out", verify=self.authority, timeout=30)
        except requests.ConnectionError:
            return False
        return answer.status_code == 200

    def send(self, data, source="127.0.0.1", seconds=20, until=None):
        """What the server in front answers to these bytes, until it closes the connection."""
        return raw_http.send(self.port, data, source, authority=self.authority, seconds=seconds, until=until)

    def send_to_nginx(self, data, source):
        """What nginx answers to somebody who goes around the server in front."""
        with socket.create_connection(("127.0.0.1", self.backend_port), 20, (source, 0)) as plain:
            head, line, rest = data.partition(b"\r\n") if data.startswith(b"PROXY") else (b"", b"", data)
            plain.sendall(head + line)
            return raw_http.exchange(plain, rest, self.authority if self.leaves_tls else None)

    def log_of_requests(self, path, count):
        """The lines about a path; nginx writes a line after the answer."""
        def lines():
            return [line for line in (self.folder / "site.log").read_text().splitlines() if f'"GET {path}"' in line]

        wait_for(lambda: len(lines()) >= count)
        return lines()

    def ask(self, target, *fields, **options):
        """Status, head and body of the answer to one request, sent as it is."""
        usual = {"host": f"localhost:{self.port}", "authority": self.authority, "seconds": 20}
        return raw_http.ask(self.port, target, *fields, **usual | options)


class HAProxy:
    def __init__(self, *headings, forwards=False):
        self.headings, self.forwards = headings, forwards

    def nginx(self):
        within = "real_ip_header X-Forwarded-For" if self.forwards else "real_ip_header proxy_protocol"
        return recipe("nginx", self.headings[0], within=within)

    def command(self, site):
        text = recipe("haproxy", *self.headings)
        if self.forwards:
            text = text.replace(" send-proxy-v2", "").replace("backend docs", "backend docs\n    option forwardfor")
        path = site.folder / "haproxy.cfg"
        path.write_text(site.here(text))
        return shutil.which("haproxy", path="/usr/sbin:/usr/bin"), "-db", "-f", path


class Forwarding:
    """Ends TLS and writes X-Forwarded-For; `text` is its recipe."""

    def __init__(self, text=""):
        self.text = text

    def nginx(self):
        return recipe("nginx", "TLS ends in front", within="real_ip_header X-Forwarded-For")


class Apache(Forwarding):
    modules = [
        "mpm_event", "authz_core", "unixd", "proxy", "proxy_http", "ssl", "http2", "alias", "headers", "socache_shmcb",
    ]

    def command(self, site):
        installed = pathlib.Path("/usr/lib/apache2/modules")
        loaded = "".join(
            f"LoadModule {name}_module {installed}/mod_{name}.so\n"
            for name in self.modules if (installed / f"mod_{name}.so").exists()
        )
        path = site.folder / "apache.conf"
        path.write_text(
            f"ServerRoot {site.folder}\nDefaultRuntimeDir {site.folder}\nPidFile {site.folder}/apache.pid\nServerName localhost\n"
            f"ErrorLog /dev/stderr\nListen 127.0.0.1:{site.port}\nListen 127.0.0.1:{site.plain_port}\n{loaded}"
            "User www-data\nGroup www-data\n"
            + site.here(recipe("apache", "Apache"))
        )
        return "/usr/sbin/apache2", "-D", "FOREGROUND", "-f", path


class Caddy(Forwarding):
    def command(self, site):
        text = site.here(self.text).replace(
            "localhost {", f"https://localhost:{site.port} {{\n    tls {site.folder}/localhost.crt {site.folder}/localhost.key"
        )
        path = site.folder / "Caddyfile"
        path.write_text(
            f"{{\n    admin off\n    http_port {site.plain_port}\n    https_port {site.port}\n"
            f"    storage file_system {site.folder}/caddy\n}}\n" + text
        )
        return "env", f"XDG_CONFIG_HOME={site.folder}", "caddy", "run", "--adapter", "caddyfile", "--config", path


class Traefik(Forwarding):
    def command(self, site):
        for name, text in [("traefik.yml", recipe("text", "Traefik", within="entryPoints:\n  web:")), ("docs.yml", self.text)]:
            (site.folder / name).write_text(site.here(text).replace("/etc/traefik", str(site.folder)))
        return TRAEFIK, f"--configFile={site.folder}/traefik.yml"


FRONTS = {
    "HAProxy, TLS at nginx": HAProxy("TLS ends at nginx"),
    "HAProxy": HAProxy("TLS ends in front", "HAProxy"),
    "HAProxy, X-Forwarded-For": HAProxy("TLS ends in front", "HAProxy", forwards=True),
    "Apache": Apache(),
    "Caddy": Caddy(recipe("caddyfile", "Caddy")),
    "Traefik": Traefik(recipe("text", "Traefik", within="routers:")),
}
