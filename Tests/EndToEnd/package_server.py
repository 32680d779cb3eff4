"""A server on which everything comes from packages: Debian's, and this project's from `.build/packages`."""

import http.client
import pathlib
import re
import shutil
import socket
import ssl
import subprocess
import tempfile
import urllib.parse

from debian_root import PACKAGES, Machine, the_package
from demo_site import ALICE, CLIENT, CLIENT_SECRET, ROOT, TENANT, wait_for
from emulator import EntraEmulator, built_in_tenants
from readers import Readers

ENTRA = "http://localhost:8081"
# What each site has that the other has not.
PAGE = '---\naccess: [hr]\n---\n# Secrets of {name}\n\nFor few.\n'
SITEGEN = 'title = "{name}"\n\n[groups]\nhr = {{ role = "HR" }}\n'
SECRETS = f"""[auth]
redirect_uri = "https://{{name}}.example.com/auth/callback"
cookie_secret = "{{cookie_secret}}"
client_id = "{CLIENT}"
client_secret = "{CLIENT_SECRET}"
authority = "{ENTRA}/{TENANT}"
"""
TLS = ssl.create_default_context()
TLS.check_hostname, TLS.verify_mode = False, ssl.CERT_NONE


class Answer:
    def __init__(self, status, fields, body):
        self.status, self.fields, self.body = status, fields, body


def ask(site, path, cookies=None, method="GET", fields=None):
    """One request on a connection of its own, in the network of the thread; `cookies` learns what is set."""
    fields = {"Sec-Fetch-Mode": "navigate", "Connection": "close"} | (fields or {})
    if cookies:
        fields["Cookie"] = "; ".join(f"{name}={value}" for name, value in cookies.items())
    connection = http.client.HTTPConnection(f"{site}.example.com", timeout=60)
    connection.sock = TLS.wrap_socket(
        socket.create_connection(("127.0.0.1", 443), timeout=60), server_hostname=f"{site}.example.com"
    )
    try:
        connection.request(method, path, headers=fields)
        answer = connection.getresponse()
        for name, value in answer.getheaders():
            if name.lower() == "set-cookie" and cookies is not None:
                key, _, value = value.split(";")[0].partition("=")
                cookies[key] = value
        return Answer(answer.status, answer.headers, answer.read().decode())
    finally:
        connection.close()


class PackageServer(Machine):
    """Has the sites of `names` after `set_up`."""

    def __init__(self, suite="bookworm"):
        super().__init__({"/packages": PACKAGES}, suite)
        # What the page says for a newer nginx than Debian 12's.
        page = (ROOT / "site/handbook/how-to/deploy.md").read_text()
        self.http_2 = "" if suite == "bookworm" else re.search("^ *sed .*http2 on.*$", page, re.M)[0]
        self.own = pathlib.Path(tempfile.mkdtemp(prefix="packages-", dir="/tmp"))
        self.emulator = EntraEmulator(self.own, 8081, 8082)

    def set_up(self, names):
        self.run("apt-get install --yes adduser curl nginx openssl /packages/*.deb")
        self.run("adduser --quiet --system --group --home /home/publisher --shell /bin/bash publisher")
        self._start_emulator(names)
        for name in names:
            self.add(name)
        self.run("""
            cp /usr/share/siteauth/other-names.conf /etc/nginx/sites-available/other-names
            cp /usr/share/siteauth/status-server.conf /etc/nginx/sites-available/status
            rm /etc/nginx/sites-enabled/default
            ln -s ../sites-available/other-names ../sites-available/status /etc/nginx/sites-enabled/
        """)
        self.run(self.http_2)
        assert "warn" not in self.run("nginx -t && systemctl reload nginx").stdout
        for name in names:
            wait_for(lambda: self.is_ready(name))
        return self

    def is_ready(self, name):
        return self.run(f"curl --silent http://127.0.0.1:9464/{name}/ready", check=False).stdout == "ready\n"

    def add(self, name):
        """A site as deploy.md makes it, with a certificate of its own."""
        certificate = f"/etc/letsencrypt/live/{name}.example.com"
        self.run(f"""
            install --directory --mode=2750 --owner=publisher --group=www-data /srv/{name}
            mkdir /etc/siteauth/{name}
            mkdir -p {certificate}
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN={name} \
                -keyout {certificate}/privkey.pem -out {certificate}/fullchain.pem
            sed 's/docs/{name}/g; s#https://login.microsoftonline.com#{ENTRA}#' /usr/share/siteauth/site.conf \
                >/etc/nginx/sites-available/{name}
            ln -s ../sites-available/{name} /etc/nginx/sites-enabled/
        """)
        self.write(f"/srv/{name}/sitegen.toml", SITEGEN.format(name=name))
        self.run(f"mkdir -p /srv/{name}/site/hr")
        self.write(f"/srv/{name}/site/index.md", f"# Home of {name}\n")
        self.write(f"/srv/{name}/site/hr/index.md", PAGE.format(name=name))
        self.run(f"chown -R publisher: /srv/{name}/*; runuser -l publisher -c 'cd /srv/{name} && sitegen build'")
        secret = self.run("siteauth generate-secret").stdout.strip()
        text = SECRETS.format(name=name, cookie_secret=secret)
        self.write(f"/etc/siteauth/{name}/secrets.toml", text, 0o640)
        self.run(f"systemctl enable --now siteauth@{name}.service")

    def _start_emulator(self, names):
        """Outside of the machine, and in its network."""
        paths = ["callback", "signed-out"]
        uris = ", ".join(f'"https://{name}.example.com/auth/{path}"' for name in names for path in paths)
        changed = f"redirect_uris = [{uris}]"
        text = re.sub(r"redirect_uris = \[.*?\]", changed, built_in_tenants(), count=1, flags=re.DOTALL)
        with self.network():
            self.emulator.start(text)

    def sign_in(self, site, account=ALICE):
        """Signs somebody in; returns the cookies of the browser."""
        cookies = {}
        with self.network():
            begun = ask(site, "/hr/", cookies)
            assert begun.status == 303, begun.body
            url = urllib.parse.urlsplit(begun.fields["Location"])
            connection = http.client.HTTPConnection("localhost", 8081, timeout=60)
            connection.request(
                "POST", f"{url.path}?{url.query}", f"account={account}",
                {"Content-Type": "application/x-www-form-urlencoded"},
            )
            picked = connection.getresponse()
            callback = urllib.parse.urlsplit(picked.headers["Location"])
            connection.close()
            assert callback.netloc == f"{site}.example.com", picked.read()
            assert ask(site, f"{callback.path}?{callback.query}", cookies).status == 303
        return cookies

    def close(self):
        self.emulator.close()
        super().close()
        shutil.rmtree(self.own, ignore_errors=True)


def readers(server, site, cookies):
    """Each asks on new connections; a thread is in the network of the one that starts it."""

    def ask_once():
        answer = ask(site, "/hr/", dict(cookies))
        return answer.status if "Secrets of" in answer.body else f"{answer.status} with another page"

    with server.network():
        return Readers(lambda: ask_once)


def newer(folder, name="siteauth"):
    """The package of the next version, which has changed a file of nginx's."""
    tree = folder / "tree"
    subprocess.run(["dpkg-deb", "-R", the_package(name), tree], check=True)
    control = tree / "DEBIAN/control"
    control.write_text(re.sub(r"^Version: .*$", r"\g<0>+next", control.read_text(), flags=re.MULTILINE))
    headers = tree / "etc/nginx/snippets/siteauth/headers.conf"
    headers.write_text(headers.read_text() + "add_header X-Next yes always;\n")
    subprocess.run(["dpkg-deb", "--root-owner-group", "-Znone", "-b", tree, folder / "next.deb"],
                   check=True, capture_output=True)
    shutil.rmtree(tree)
    return folder / "next.deb"
