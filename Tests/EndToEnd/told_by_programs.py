"""What the programs tell about themselves: options, routes, metrics, events, template values, faults."""

import json
import os
import re
import subprocess

import requests

from accepted_keys import BIN, RIGHT_SECRETS, ROOT, SITE_LIBRARIES, known_words, sources
from demo_site import TENANT, free_port, sitegen, write
from emulator import EntraEmulator, built_in_tenants
from tls_front import make_certificate

TEMPLATES = ["page", "list", "search", "moved"]


def commands(program):
    """Each command of a program with its options, as ArgumentParser describes them; without `help`."""
    text = subprocess.run(
        [BIN / program, "--experimental-dump-help"], capture_output=True, text=True, check=True
    ).stdout
    found = {}

    def add(command, path):
        options = [
            argument for argument in command.get("arguments", [])
            if argument["kind"] != "positional" and argument["shouldDisplay"]
            and not {"help", "version"} & {name["name"] for name in argument["names"]}
        ]
        inner = [inner for inner in command.get("subcommands", []) if inner["commandName"] != "help"]
        for one in inner:
            add(one, path + [one["commandName"]])
        if not inner:
            found[" ".join(path)] = options

    add(json.loads(text)["command"], [])
    return found


def option_names(option):
    """`--config` and `-c`."""
    return ["-" * (1 if len(name["name"]) == 1 else 2) + name["name"] for name in option["names"]]


class OneAnswer:
    """Asks `siteauth cgi`, which answers one request and ends."""

    def __init__(self, folder):
        self.folder = folder
        write(folder, {"site/index.md": "# Home\n"})
        sitegen(folder, "build", check=True)
        # No provider: nobody listens on this port.
        authority = f"http://localhost:{free_port()}/{TENANT}"
        secrets = re.sub(r"authority = .*", f'authority = "{authority}"', RIGHT_SECRETS)
        (folder / "secrets.toml").write_text(secrets)
        (folder / "secrets.toml").chmod(0o600)

    def ask(self, route, *options, part="pages", **variables):
        return subprocess.run(
            [BIN / "siteauth", "cgi", part, *options], cwd=self.folder, capture_output=True, text=True, timeout=60,
            env={
                "PATH": os.environ["PATH"], "GATEWAY_INTERFACE": "CGI/1.1", "REQUEST_METHOD": "GET",
                "SITE_ROUTE": route, "SITE_REQUEST_ID": "0123456789abcdef" * 2,
                "SITE_RELEASE": str(self.folder / "public/releases/1"),
            } | variables,
        )

    def routes(self):
        """The paths below `/auth/` that it answers, of all that stand in the sources."""
        candidates = set(re.findall(r'"(/auth/[a-z-]+)', sources())) | {"/auth/callback"}
        # Some answer only where nginx says which page was wanted.
        return {path for path in candidates if "Status: 404" not in self.ask(path, SITE_WANTED="/").stdout}

    def metrics(self):
        """Each metric with the values of its labels."""
        metrics = {}
        for line in self.ask("", part="status", SITE_STATUS="metrics").stdout.splitlines():
            if line.startswith("# TYPE "):
                name = line.split()[2]
                metrics[name] = {}
            elif line.startswith("siteauth_"):
                for label, value in re.findall(r'([a-z_]+)="([^"]*)"', line):
                    metrics[name].setdefault(label, set()).add(value)
        # Some have no value before the provider was reached.
        for name in re.findall(r'"(siteauth_[a-z_]+[a-z])"', sources("RelyingParty")):
            metrics.setdefault(name, {})
        return metrics

    def members_of_log_lines(self):
        """Of an object in the log that belongs to a request."""
        lines = self.ask("/auth/sign-in", "--log-format", "json").stderr.splitlines()
        return {name for line in lines for name in json.loads(line)}


def template_values(folder):
    """The names that have a value in each template, with those below them: `site`, `site.title`.

    A template prints every word of the sources as a placeholder; those with a value are not empty, as even
    `false` is printed, and `.` for each value that has names of its own. The site has all that gives a value:
    groups, tags, dates, lists of several pages, addresses.
    """
    # The names of slots are names of cases, and no texts.
    slots = (ROOT / "Sources/Rendering/Templates/TemplateSlot.swift").read_text()
    # '{{#text}}' stands around words, and is no value.
    words = sorted({*known_words(*SITE_LIBRARIES), *re.findall(r"[a-zA-Z]+", slots)} - {"text"})
    (folder / "templates").mkdir()
    pages = {"site/index.md": "---\nlisting: true\n---\n# Home\n"}
    pages["site/logo.svg"] = '<svg xmlns="http://www.w3.org/2000/svg"/>'
    pages |= {f"site/{name}.md": "# Page\n" for name in ["one", "two"]}
    pages |= {
        f"site/news/{name}.md":
            f"---\ntags: [one]\ndate: 2026-01-01\nlastmod: 2026-01-02\naliases: [/old/{name}/]\n"
            "params: { color: red }\n---\n# Page\n\n## One\n\n## Two\n"
        for name in "abc"
    }
    write(folder, pages)
    (folder / "sitegen.toml").write_text(
        'title = "T"\ndescription = "D"\nbase_url = "https://docs.example.com"\naccess = ["staff"]\n'
        'listing_size = 1\nedit_url = "https://git.example.com/{path}"\n[theme]\nlogo = "logo.svg"\nfavicon = "logo.svg"\n'
        '[groups]\nstaff = { role = "Staff" }\n'
    )

    def shown(names, template):
        (folder / f"templates/{template}.html").write_text(
            "".join(f"placeholder {name}={{{{{name}}}}}{{{{#{name}}}}}.{{{{/{name}}}}};\n" for name in names)
        )
        result = sitegen(folder, "build", "--lenient")
        assert result.returncode == 0, result.stderr
        found = set()
        for path in (folder / "public/current/site").rglob("*.html"):
            found |= set(re.findall(r"^placeholder (\S+)=([^;]+)", path.read_text(), re.MULTILINE))
        (folder / f"templates/{template}.html").unlink()
        return found

    values = {}
    for template in TEMPLATES:
        top = shown(words, template)
        contexts = sorted({name for name, value in top if value == "."})
        inner = shown([f"{name}.{word}" for name in contexts for word in words], template)
        values[template] = {name for name, _ in top | inner}
    return values


class BuiltInEmulator(EntraEmulator):
    """With the built-in tenants, the handbook's site among its redirect URIs, and a certificate."""

    def __init__(self, folder):
        super().__init__(folder)
        self.authority = f"{self.url}/{TENANT}"
        make_certificate(folder, "siteauth", "/CN=siteauth")
        certificate = '[[tenant.application.certificate]]\nfile = "siteauth.crt"\n'
        text = built_in_tenants().replace("http://localhost:8080", "https://docs.example.com")
        self.start(text.replace("# [[tenant.application.certificate]]", certificate, 1))

    def words(self, path, **values):
        """What it lists where a word is wrong."""
        error = requests.post(f"{self.admin}{path}", json=values).json()["error"]
        word, separator = r"[/\w-]+(?:<[^>]*>)?", "(?:, (?:and |or )?| and | or )"
        listed = max(re.findall(rf"{word}(?:{separator}{word})+", error), key=len)
        return set(re.split(separator, listed))
