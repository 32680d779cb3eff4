"""Gateways that ask siteauth themselves, by the recipes of the handbook.

/wiki/ of the recipes is here /company/hr/, which is for human resources only, and /press/wiki/, which is public."""

import re
import shutil

from demo_site import NGINX, free_port
from fronted_site import TRAEFIK, Caddy, Forwarding, FrontedSite, Traefik
from handbook_pages import page

BLOCKS = page("how-to/other-gateways.md").blocks
FIELDS = dict(re.findall(r"^\| ([^|]+) \| (`\$\w+` \| `\$\w+`) \|$", page("how-to/other-gateways.md").text, re.M))


def example(heading, name=""):
    return next(block.text for block in BLOCKS if block.headings[-1].startswith(heading) and name in block.name)


class GatedSite(FrontedSite):
    """`front` asks at the door, and passes on to `application` what may go there."""

    def __init__(self, public, front, application):
        self.door, self.application = free_port(), application
        super().__init__(public, front, {}, free_port())

    def write_nginx(self):
        super().write_nginx()
        fields = next(value for names, value in FIELDS.items() if type(self.front).__name__.lower() in names.replace("-", "").lower())
        target, method = re.findall(r"\$\w+", fields)
        door = self.here(example("2. Open a door")).replace("$http_x_forwarded_uri", target)
        with (self.folder / "site.conf").open("a") as conf:
            conf.write(door.replace("$http_x_forwarded_method", method))

    def here(self, text):
        changes = {
            "PathPrefix(`/wiki/`)": "(PathPrefix(`/company/hr/`) || PathPrefix(`/press/wiki/`))",
            "handle /wiki/* {": "@wiki path /company/hr/* /press/wiki/*\n    handle @wiki {",
            "path_beg /wiki/": "path_beg /company/hr/ /press/wiki/",
            "prefix: /wiki/": 'safe_regex: { regex: "/(company/hr|press/wiki)/.*" }',
            "location /wiki/": "location ~ ^/(company/hr|press/wiki)/",
            "127.0.0.1:9465": f"127.0.0.1:{self.door}", "127.0.0.1:9000": f"127.0.0.1:{self.application}",
            "set $site docs;": "set $siteauth_check all_check; set $siteauth_pages all_pages;",
            "/srv/docs/public": str(self.public), "https://login.microsoftonline.com": self.entra,
            "/etc/haproxy/siteauth.lua": f"{self.folder}/siteauth.lua", "0.0.0.0, port_value: 443": f"127.0.0.1, port_value: {self.port}",
            "port_value: 8080": f"port_value: {self.backend_port}", "port_value: 9465": f"port_value: {self.door}",
            "port_value: 9000": f"port_value: {self.application}", "domains: [docs.example.com]": f'domains: ["localhost:{self.port}"]',
        }
        for old, new in changes.items():
            text = text.replace(old, new)
        return super().here(text)


def write(site, name, text):
    (site.folder / name).write_text(site.here(text))
    return site.folder / name


class HAProxy(Forwarding):
    def command(self, site):
        failing = 'if txn.f:req_fhdr("x-fail") then error("as the test wants") end\n'
        write(site, "siteauth.lua", example("HAProxy", "lua").replace("    local question", f"    {failing}    local question"))
        program = shutil.which("haproxy", path="/usr/sbin:/usr/bin")
        return program, "-db", "-f", write(site, "haproxy.cfg", example("HAProxy", "cfg"))


class Envoy(Forwarding):
    def command(self, site):
        path = write(site, "envoy.yaml", example("Envoy"))
        return TRAEFIK.with_name("envoy"), "-c", path, "--base-id", str(site.port), "--concurrency", "2"


class IngressNginx(Forwarding):
    """The lines that ingress-nginx writes for the annotations of the page, given to nginx."""

    def command(self, site):
        annotations = dict(re.findall(r"ingress.kubernetes.io/([a-z-]+): (.*)", example("ingress-nginx")))
        names = annotations["auth-response-headers"].split(",")
        told = "".join(f"auth_request_set $told{n} $upstream_http_{name.lower().replace('-', '_')};\n"
                       f"proxy_set_header {name} $told{n};\n" for n, name in enumerate(names))
        text = f"""
daemon off; pid {site.folder}/ingress.pid; events {{}} error_log stderr warn;
http {{
    access_log off; client_body_temp_path {site.folder}/t; proxy_temp_path {site.folder}/t;
    # ingress-nginx has a module for this.
    map $request_uri $escaped_request_uri {{ default $request_uri; }}
    map $http_upgrade $connection_upgrade {{ default upgrade; "" close; }}
    server {{
        listen 127.0.0.1:{site.port} ssl http2; server_name localhost;
        ssl_certificate {site.folder}/localhost.crt; ssl_certificate_key {site.folder}/localhost.key;
        proxy_set_header Host $http_host; proxy_set_header X-Forwarded-For $remote_addr; large_client_header_buffers 4 16k;
        location / {{ proxy_pass http://127.0.0.1:8080; }}
        location = /_external-auth {{
            internal; proxy_pass_request_body off; proxy_set_header Content-Length "";
            proxy_set_header X-Original-URL $scheme://$http_host$request_uri; proxy_set_header X-Original-Method $request_method;
            proxy_set_header X-Forwarded-For $remote_addr; proxy_set_header X-Auth-Request-Redirect $request_uri;
            proxy_buffer_size {annotations["proxy-buffer-size"]}; proxy_buffers 4 {annotations["proxy-buffer-size"]}; proxy_http_version 1.1; proxy_pass {annotations["auth-url"]};
        }}
        location /wiki/ {{
            auth_request /_external-auth; auth_request_set $auth_cookie $upstream_http_set_cookie; add_header Set-Cookie $auth_cookie;
            {told}
            proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection $connection_upgrade; proxy_http_version 1.1;
            error_page 401 = @signin; proxy_pass http://127.0.0.1:9000;
        }}
        location @signin {{ add_header Set-Cookie $auth_cookie; return 302 {annotations["auth-signin"]}; }}
    }}
}}
"""
        return NGINX, "-e", "stderr", "-p", site.folder, "-c", write(site, "ingress.conf", text)


GATEWAYS = {"Traefik": Traefik(example("Traefik")), "Caddy": Caddy(example("Caddy")), "HAProxy": HAProxy(), "Envoy": Envoy(),
            "ingress-nginx": IngressNginx()}
