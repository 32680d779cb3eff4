"""The files for CI that a page of the handbook shows: their commands are run, from a clean checkout to the server.

ssh is a stand-in: it looks at the key and the known hosts it is given, and runs the command that the page writes into
authorized_keys, as sshd would.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import time

import pytest
import yaml

from handbook_machine import Image, Machine
from handbook_pages import page
from told_by_programs import BuiltInEmulator

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


@pytest.fixture(scope="module")
def image(tmp_path_factory):
    return Image(tmp_path_factory.mktemp("image"))


@pytest.fixture(scope="module")
def provider(tmp_path_factory):
    emulator = BuiltInEmulator(tmp_path_factory.mktemp("provider"))
    yield emulator
    emulator.close()


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
        line = BLOCKS["/home/publisher/.ssh/authorized_keys"].text
        self.forced = machine.on_machine(re.match(r'restrict,command="([^"]*)" ssh-ed25519 \S+ ci$', line)[1])
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
            script = script.replace("/tmp/", f"{self.machine.folder}/tmp/")
            result = subprocess.run(
                ["bash", "-c", script], cwd=work, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                timeout=60, env=self.machine.environment() | env | {"FORCED": self.forced},
            )
            output += result.stdout
            if result.returncode != 0:
                return result.returncode, output, work
        return 0, output, work

    def change(self, path, text):
        (self.repository / path).write_text(text)
        git = ["git", "-c", "user.name=x", "-c", "user.email=x@example.com", "commit", "--quiet", "--all", "-m", "Text"]
        subprocess.run(git, cwd=self.repository, check=True)

    def ask(self, command):
        key, host = self.machine.folder / "tmp/PUBLISH_KEY.file", self.machine.folder / "tmp/PUBLISH_HOST.file"
        key.chmod(0o600)
        return subprocess.run(
            ["ssh", "-i", key, "-o", f"UserKnownHostsFile={host}", "publisher@docs.example.com", command],
            input="", capture_output=True, text=True, timeout=60,
            env=self.machine.environment() | {"FORCED": self.forced},
        )


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

    # The release of the next job was built in a later second.
    time.sleep(1)
    ci.change("site/travel.md", "# Travel\n\nBy night train.\n")
    code, output, work = ci.run(name, publishes=True)
    new, all_files = re.search(r"packed release 1: (\d+) of (\d+) files", output).groups()
    assert code == 0 and "release 2 is current" in output and int(new) < int(all_files), output
    assert files(work / "public/current/site") == files(ci.public / "current/site")
    assert "night train" in (ci.public / "current/site/travel/index.html").read_text()

    ci.change("site/travel.md", "# Travel\n\nBy [boat](boat.md).\n")
    code, output, work = ci.run(name, publishes=False)
    reports = [path.read_text() for path in [*work.glob("findings.sarif"), *work.glob("code-quality.json")]]
    assert code == 1 and "boat.md" in output + "".join(reports)
    assert os.readlink(ci.public / "current") == "releases/2"


def test_the_key_can_do_nothing_else(ci):
    assert ci.run("azure-pipelines.yml", publishes=True)[0] == 0
    before = files(ci.public)
    for command in ["", "sh", "activate; id", "manifest --output /", "rollback", "manifest\n", "activate x", "$(id)"]:
        result = ci.ask(command)
        assert result.returncode == 1 and not result.stdout, command
        assert "this key may do 'manifest' and 'activate'" in result.stderr
    manifest = ci.ask("manifest").stdout
    assert re.fullmatch(r"site-manifest 1\nrelease 1\n([0-9a-f]{16}\n)+end \d+\n", manifest)
    result = ci.ask("activate")
    assert result.returncode == 1 and "nothing is published: this is not a pack" in result.stderr
    assert files(ci.public) == before


def test_a_job_whose_manifest_did_not_arrive_publishes_nothing(ci):
    assert ci.run(".gitlab-ci.yml", publishes=True)[0] == 0
    ci.change("site/travel.md", "# Travel\n\nOn foot.\n")
    real = ci.forced
    for cut in ["false", f"{real} | head -c 40"]:
        ci.forced = f'case "$SSH_ORIGINAL_COMMAND" in manifest) {cut} ;; *) exec {real} ;; esac'
        for name in SYSTEMS:
            code, output, _ = ci.run(name, publishes=True)
            assert code != 0, output
    assert os.readlink(ci.public / "current") == "releases/1"
