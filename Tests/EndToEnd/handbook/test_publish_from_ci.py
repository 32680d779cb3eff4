"""The files for CI that a page of the handbook shows: their commands are run, from a clean checkout to the server.

ssh is a stand-in: it looks at the key and the known hosts it is given, and runs the command that the page writes into
authorized_keys, as sshd would.
"""

import functools
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import tarfile

import pytest
import yaml

from handbook_machine import Machine
from handbook_pages import page

BLOCKS = {block.name: block for block in page("how-to/publish-from-ci.md").blocks if block.name}
VALUES = {
    "PUBLISH_KEY": "the private key", "PUBLISH_HOST": "docs.example.com ssh-ed25519 AAAA",
    "SITEGEN_PACKAGE": "https://files.example.com/sitegen.deb",
    "SITEGEN_SHA256": hashlib.sha256(b"package\n").hexdigest(),
}
SSH = """#!/bin/bash
set -eu
key= host=
while [ $# -gt 2 ]; do
    case $1 in -i) key=$2 ;; -o) host=${2#UserKnownHostsFile=} ;; *) exit 97 ;; esac
    shift 2
done
[ "$1" = publisher@docs.example.com ] && [ "$(stat -c %a "$key")" = 600 ] || exit 98
grep -q "the private key" "$key" && grep -q "docs.example.com ssh-ed25519" "$host" || exit 99
cd "$MACHINE/home" && SSH_ORIGINAL_COMMAND=$2 exec bash -c "$FORCED"
"""

# The program is there once its package was fetched and installed.
CURL = """#!/bin/bash
[ "$*" = "--fail --location --output ${4-} https://files.example.com/sitegen.deb" ] && echo package >"$4"
"""
APT_GET = """#!/bin/bash
[ "$1" = update ] || { [ "$1" = install ] && [ "$2" = --yes ]; } || exit 96
for word; do
    case $word in *.deb) [ "$(cat "$word")" = package ] && /bin/ln -sf "$MACHINE/sitegen" "$MACHINE/bin/sitegen" ;; esac
done
"""


def github(steps, publishes, _):
    jobs = yaml.safe_load(steps)["jobs"]
    # Whoever may push a branch must not get at the key.
    assert jobs["publish"]["environment"] == "production" and jobs["publish"]["needs"] == "check"
    for step in jobs["check"]["steps"] + (jobs["publish"]["steps"] if publishes else []):
        if "run" in step:
            named = {name: re.fullmatch(r"\$\{\{ secrets\.(\w+) \}\}", text)[1] for name, text in step.get("env", {}).items()}
            env = {name: VALUES[secret] for name, secret in named.items()}
            yield f"set -eo pipefail\n{step['run']}", env


def gitlab(steps, publishes, files):
    parsed = yaml.safe_load(steps)
    script = parsed["before_script"] + parsed["publish" if publishes else "check"]["script"]
    yield "set -eo pipefail\n" + "\n".join(script), VALUES | files


def azure(steps, publishes, files):
    for step in yaml.safe_load(steps)["steps"]:
        if "bash" in step and (publishes or "refs/heads/main" not in step.get("condition", "")):
            secure = {"$(key.secureFilePath)": files["PUBLISH_KEY"], "$(host.secureFilePath)": files["PUBLISH_HOST"]}
            env = {name: secure[text] for name, text in step.get("env", {}).items()}
            yield step["bash"], {name: VALUES[name] for name in VALUES if name.startswith("SITEGEN")} | env


SYSTEMS = {".github/workflows/site.yml": github, ".gitlab-ci.yml": gitlab, "azure-pipelines.yml": azure}


def command(line):
    """The command that a line of authorized_keys gives a key."""
    return re.match(r'restrict,command="([^"]*)" ssh-ed25519 \S+ ci$', line)[1]


class CI:
    """A CI machine that begins with nothing but a checkout, and the server."""

    def __init__(self, machine, image):
        self.machine, self.repository = machine, machine.folder / "repository"
        shutil.copytree(image.repository, self.repository)
        (machine.folder / "bin/sitegen").rename(machine.folder / "sitegen")
        for name, text in {"ssh": SSH, "curl": CURL, "apt-get": APT_GET}.items():
            (machine.folder / "bin" / name).write_text(text)
        for name in ["stat", "sha256sum"]:
            (machine.folder / "bin" / name).symlink_to(shutil.which(name))
        (machine.folder / "tmp").mkdir()
        self.forced = machine.on_machine(command(BLOCKS["/home/publisher/.ssh/authorized_keys"].text))
        self.public = machine.folder / "srv/docs/public"

    def run(self, name, publishes):
        """A job from its beginning; returns the exit code, its output and its folder."""
        work = self.machine.folder / "ci"
        shutil.rmtree(work, ignore_errors=True)
        subprocess.run(["git", "clone", "--quiet", self.repository, work], check=True)
        files = {}
        for variable in ["PUBLISH_KEY", "PUBLISH_HOST"]:
            path = self.machine.folder / f"tmp/{variable}.file"
            path.write_text(VALUES[variable] + "\n")
            files[variable] = str(path)
        output = ""
        for script, env in SYSTEMS[name](BLOCKS[name].text, publishes, files):
            code, told = self.bash(script.replace("/tmp/", f"{self.machine.folder}/tmp/"), work, **env)
            output += told
            if code != 0:
                return code, output, work
        return 0, output, work

    def bash(self, script, folder, **variables):
        result = subprocess.run(
            ["bash", "-c", script], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            timeout=60, env=self.machine.environment() | {"FORCED": self.forced} | variables,
        )
        return result.returncode, result.stdout

    def change(self, path, text):
        (self.repository / path).write_text(text)
        git = ["git", "-c", "user.name=x", "-c", "user.email=x@example.com", "commit", "--quiet", "--all", "-m", "Text"]
        subprocess.run(git, cwd=self.repository, check=True)

    def ask(self, command, sent=b""):
        key, host = self.machine.folder / "tmp/PUBLISH_KEY.file", self.machine.folder / "tmp/PUBLISH_HOST.file"
        key.chmod(0o600)
        result = subprocess.run(
            ["ssh", "-i", key, "-o", f"UserKnownHostsFile={host}", "publisher@docs.example.com", command],
            input=sent, capture_output=True, timeout=60, env=self.machine.environment() | {"FORCED": self.forced},
        )
        assert not list((self.machine.folder / "var/tmp").iterdir()), "nothing is left of what was sent"
        return result.returncode, (result.stdout + result.stderr).decode()


@pytest.fixture
def ci(provider, image):
    machine = Machine(provider, image)
    yield CI(machine, image)
    machine.close()


def files(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_job_checks_builds_and_publishes(ci, name):
    code, output, work = ci.run(name, publishes=False)
    assert code == 0, output
    assert not ci.public.exists(), "a check publishes nothing"
    for report in [*work.glob("findings.sarif"), *work.glob("code-quality.json")]:
        json.loads(report.read_text())

    code, output, work = ci.run(name, publishes=True)
    assert code == 0 and "release 1 is current" in output, output
    assert files(work / "public/current/site") == files(ci.public / "current/site")

    ci.change("site/travel.md", "# Travel\n\nBy night train.\n")
    code, output, work = ci.run(name, publishes=True)
    assert code == 0 and re.search(r"release 2 is current; \d+ of \d+ files are those of the release before", output), output
    assert files(work / "public/current/site") == files(ci.public / "current/site")
    assert "night train" in (ci.public / "current/site/travel/index.html").read_text()

    ci.change("site/travel.md", "# Travel\n\nBy [boat](boat.md).\n")
    code, output, work = ci.run(name, publishes=False)
    reports = [path.read_text() for path in [*work.glob("findings.sarif"), *work.glob("code-quality.json")]]
    assert code == 1 and "boat.md" in output + "".join(reports)
    assert os.readlink(ci.public / "current") == "releases/2"


def archive(release, change=lambda entries: None):
    """A release in tar and gzip, after a change of its entries: names, TarInfo and content."""
    entries = []
    with tarfile.open(fileobj=io.BytesIO(subprocess.check_output(["tar", "-c", "-C", release, "."]))) as whole:
        for info in whole:
            entries.append((info, whole.extractfile(info).read() if info.isfile() else None))
    change(entries)
    sent = io.BytesIO()
    with tarfile.open(fileobj=sent, mode="w:gz") as made:
        for info, content in entries:
            made.addfile(info, io.BytesIO(content) if content is not None else None)
    return sent.getvalue()


def entry(name, kind=tarfile.REGTYPE, target="", content=None):
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.size = kind, str(target), len(content or b"")
    return info, content


def test_the_key_can_do_nothing_else(ci):
    assert ci.run("azure-pipelines.yml", publishes=True)[0] == 0
    before = files(ci.public)
    for words in ["", "sh", "publish; id", "publish --output /", "rollback", "publish\n", "$(id)"]:
        code, output = ci.ask(words)
        assert code != 0 and "uid=" not in output and "unexpected end of file" in output, words
        code, output = ci.ask(words, archive(ci.public / "current"))
        assert (code, output) == (0, "release 1 stays current; it has the same files\n"), words
    assert files(ci.public) == before


def test_an_archive_reaches_nothing_on_the_server(ci):
    assert ci.run("azure-pipelines.yml", publishes=True)[0] == 0
    release = ci.public / "current"
    secret = release / "site/hr/index.html"
    before = files(ci.public)
    outside = ci.machine.folder / "outside"
    path = "./site/open.html"
    hostile = [
        [entry(path, tarfile.LNKTYPE, secret)],
        [entry(path, tarfile.LNKTYPE, os.path.relpath(secret, ci.machine.folder / "var/tmp/new/site"))],
        [entry(path, tarfile.SYMTYPE, secret)],
        [entry("./site/a", tarfile.SYMTYPE, secret.parent), entry(path, tarfile.LNKTYPE, "./site/a/index.html")],
        [entry("./site/a", tarfile.SYMTYPE, ci.machine.folder), entry("./site/a/outside", content=b"x")],
        [entry(str(outside), content=b"x")], [entry("../../outside", content=b"x")],
        [entry(path, tarfile.FIFOTYPE)], [entry("./evil", content=b"x")],
    ]
    for added in hostile:
        code, output = ci.ask("publish", archive(release, lambda entries, added=added: entries.extend(added)))
        assert code != 0 and "is current" not in output, (added, output)
        assert not outside.exists() and files(ci.public) == before, added
    # Other access rules open what was sent with them, and nothing else.
    rules = entry("./access", content=b"site-access 1\nallow public /\nend 1\n")
    code, output = ci.ask("publish", archive(release, lambda entries: entries.__setitem__(slice(None), [rules])))
    assert code == 1 and "has no 'redirects.map'" in output and files(ci.public) == before


def test_an_archive_that_is_cut_off_publishes_nothing(ci):
    assert ci.run(".gitlab-ci.yml", publishes=True)[0] == 0
    ci.change("site/travel.md", "# Travel\n\nOn foot.\n")
    before = files(ci.public)
    sent = archive(ci.machine.folder / "ci/public/current", lambda entries: entries.append(entry("./site/new", content=b"x")))
    for count in [1, 20, *range(100, len(sent), len(sent) // 30), len(sent) - 1]:
        code, output = ci.ask("publish", sent[:count])
        assert code != 0 and files(ci.public) == before, (count, output)
    assert ci.ask("publish", sent)[0] == 0
    assert os.readlink(ci.public / "current") == "releases/2"


RSYNC_SSH = """#!/bin/bash
[ "$1 $2 $3" = "-l publisher docs.example.com" ] || exit 98
shift 3
cd "$MACHINE/home" && SSH_ORIGINAL_COMMAND=$* exec bash -c "$FORCED"
"""


def test_rsync_sends_what_changed_and_publishes_it(ci):
    blocks = [block.text for block in page("how-to/publish-from-ci.md").blocks]
    forced = next(text for text in blocks if "rrsync" in text)
    send = next(text for text in blocks if text.startswith("rsync "))
    incoming = ci.machine.folder / "srv/docs/incoming"
    incoming.mkdir(parents=True)
    programs = ci.machine.folder / "bin"
    for name in ["flock", "python3", "rrsync", "rsync"]:
        (programs / name).unlink(missing_ok=True)
        (programs / name).symlink_to(shutil.which(name, path=os.defpath) or shutil.which(name))
    (programs / "ssh").write_text(RSYNC_SSH)
    (programs / "sitegen").symlink_to(ci.machine.folder / "sitegen")
    ci.forced = ci.machine.on_machine(command(forced))
    run = functools.partial(ci.bash, folder=ci.repository)
    code, output = run(f"sitegen build --quiet && {send}")
    assert code == 0 and "release 1 is current" in output, output
    ci.change("site/travel.md", "# Travel\n\nBy night train.\n")
    code, output = run(f"sitegen build --quiet && {send}")
    assert code == 0 and "release 2 is current" in output, output
    release = ci.repository / "public/current"
    assert files(release / "site") == files(ci.public / "current/site")
    # A refusal is an error of rsync's.
    (release / "site/link").symlink_to("/etc/passwd")
    code, output = run(send.replace("--recursive", "--recursive --links"))
    assert code == 1 and "'site/link' is neither a file nor a folder" in output, output
    # The key reads nothing, and writes nowhere else.
    before = files(ci.public)
    for words in ["rsync -r publisher@docs.example.com: copy", "rsync -r site/ publisher@docs.example.com:../public/current",
                  "rsync -r site/ publisher@docs.example.com:/srv/docs/public", "ssh -l publisher docs.example.com id"]:
        code, output = run(words)
        assert code != 0 and "uid=" not in output, words
    assert not (ci.repository / "copy").exists() and files(ci.public) == before
    assert os.readlink(ci.public / "current") == "releases/2"
