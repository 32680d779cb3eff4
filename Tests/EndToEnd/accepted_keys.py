"""Which keys the programs accept, as the programs say themselves.

Every word that stands as a string in the sources is given to a program as a key. The program names those
that are unknown to it; it accepts the others. So no list is kept here that could be out of date.
"""

import functools
import json
import re
import subprocess

from demo_site import BIN, COOKIE_SECRET, ROOT, siteauth, sitegen, write

UNKNOWN = re.compile(r"unknown key '([^']*)'")
IS_TABLE = re.compile(r"'([^']*)'.* must be a (list of tables|table)\b")
# The rules that refuse a key in front matter.
REFUSALS = {"misspelt-access-key", "unknown-key", "withheld-page"}

RIGHT_SECRETS = f"""[auth]
redirect_uri = "https://docs.example.com/auth/callback"
cookie_secret = "{COOKIE_SECRET}"
client_id = "22222222-bbbb-4000-8000-000000000002"
managed_identity = "22222222-bbbb-4000-8000-000000000002"
authority = "https://login.microsoftonline.com/11111111-aaaa-4000-8000-000000000001"
"""


# The libraries of sitegen that read what authors write.
SITE_LIBRARIES = ["Rules", "SourceFolder", "Site", "Rendering", "SiteGenerator"]


@functools.cache
def sources(*folders):
    """The text of all Swift sources, or of these folders in Sources."""
    places = [ROOT / "Sources" / folder for folder in folders] or [ROOT / "Sources"]
    return "\n".join(path.read_text() for place in places for path in sorted(place.rglob("*.swift")))


@functools.cache
def known_words(*libraries):
    """Every string and case of the sources that is one word, and each with every ending that is put behind a word."""
    text = sources(*libraries)
    words = set(re.findall(r'"([A-Za-z_][A-Za-z0-9_]*)"', text))
    # The names of cases that stand for their names.
    for line in re.findall(r"^ +case ([a-zA-Z, ]+)$", text, re.MULTILINE):
        words |= set(re.findall(r"\w+", line))
    endings = set(re.findall(r'"\\\([a-z]+\)(_[a-z_]+)"', text))
    return sorted(words | {word + ending for word in words for ending in endings if word.islower()})


def accepted(complaints, header, candidates):
    """The keys of one table, and those of them that are tables.

    `complaints` runs a program on a text and returns its messages.
    """
    messages = complaints(header + "".join(f"{word} = 0\n" for word in candidates))
    unknown = {match[1] for message in messages for match in UNKNOWN.finditer(message)}
    tables = {match[1]: match[2] for message in messages for match in IS_TABLE.finditer(message)}
    assert unknown, f"no complaint about an unknown key in {header!r}: {messages[:5]}"
    return set(candidates) - unknown, tables


def complaints_about_site(folder, text):
    """The errors that sitegen finds in a site with this `sitegen.toml`."""
    (folder / "sitegen.toml").write_text(text)
    return [finding["message"] for finding in findings(folder) if finding["severity"] == "error"]


def findings(folder):
    """What sitegen finds in a site."""
    (folder / "site").mkdir(exist_ok=True)
    return json.loads(sitegen(folder, "check", "--format", "json").stdout)["findings"]


def sitegen_keys(folder):
    """The keys of `sitegen.toml` by table; those of `[groups]` and `[variables]` are the site's own names."""

    complaints = functools.partial(complaints_about_site, folder)
    words = known_words(*SITE_LIBRARIES)
    root, tables = accepted(complaints, "", words)
    keys = {"": root - set(tables)} | {name: set() for name in tables}
    keys["groups"] = accepted(complaints, "[groups.some]\n", words)[0]
    for name in set(tables) - {"groups", "checks", "variables"}:
        keys[name] = accepted(complaints, f"[{name}]\n", words)[0]
    # Their keys are the rules, which RuleTests.swift compares with the handbook.
    del keys["checks"]
    return keys, set(tables)


def complaints_about_secrets(folder, text):
    """What siteauth says of this `secrets.toml`."""
    path = folder / "secrets.toml"
    path.write_text(text)
    path.chmod(0o600)
    return siteauth(folder, "check-config").stderr.splitlines()


def secrets_keys(folder):
    complaints = functools.partial(complaints_about_secrets, folder)
    words = known_words("RelyingParty", "SiteauthConfiguration")
    keys, _ = accepted(complaints, "[auth]\n", words)
    # Some keys are looked at only where the others are right.
    others, _ = accepted(complaints, RIGHT_SECRETS, [word for word in words if word not in keys])
    return keys | others


def tenant_keys(folder):
    """The keys of the emulator's file by the header of their table."""

    def complaints(text):
        (folder / "tenants.toml").write_text(text)
        result = subprocess.run(
            [BIN / "entra-emulator", "serve", "--tenants", "tenants.toml"], cwd=folder,
            capture_output=True, text=True, timeout=60,
        )
        assert result.returncode != 0
        return result.stderr.splitlines()

    found, waiting = {}, [("", "")]
    while waiting:
        path, text = waiting.pop()
        keys, tables = accepted(complaints, text, known_words("EntraEmulator"))
        found[path] = keys - set(tables) | ({"contexts"} & set(tables))
        # The keys of 'contexts' are the ids of authentication contexts.
        for name in set(tables) - {"contexts"}:
            inner = f"{path}.{name}" if path else name
            waiting.append((inner, text + f"[[{inner}]]\n"))
    return found


def front_matter_keys(folder, value):
    """The keys of a page that sitegen knows with this value, in lower case.

    Without those that it knows from other tools, to refuse them.
    """
    candidates = sorted({word.lower() for word in known_words(*SITE_LIBRARIES)})
    (folder / "site").mkdir(exist_ok=True)
    for number in range(0, len(candidates), 500):
        lines = "".join(f"{word}: {value}\n" for word in candidates[number:number + 500])
        (folder / f"site/page-{number}.md").write_text(f"---\n{lines}---\n# Page\n")
    refused = {
        re.search(r"'([^']*)'", finding["message"])[1]
        for finding in findings(folder) if finding["rule"] in REFUSALS
    }
    assert refused <= set(candidates)
    return set(candidates) - refused


def complaints_about_front_matter(folder, text):
    """The errors that sitegen finds in a site with this front matter on a page."""
    (folder / "templates").mkdir(exist_ok=True)
    for name in re.findall(r"^template: (\w+)", text, re.MULTILINE):
        (folder / f"templates/{name}.html").touch()
    write(folder, {"site/index.md": "# Home\n", "site/folder/page.md": f"---\n{text}\n---\n# Page\n"})
    return complaints_about_site(folder, '[groups]\nhr = { role = "HR" }\nboard = { role = "Board" }\n')
