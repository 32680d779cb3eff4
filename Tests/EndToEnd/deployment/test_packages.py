"""The Debian packages: built, checked, installed on a clean Debian 12 and 13, upgraded, removed."""

import json
import os
import re
import shutil
import subprocess
from contextlib import closing

import pytest

from debian_root import PACKAGES, the_package
from demo_site import BIN, BOB, ROOT, wait_for
from package_server import PackageServer, ask, newer, readers
from told_by_programs import commands

NAMES = ["sitegen", "siteauth", "entra-emulator"]
UNITS = ROOT / "Packaging/systemd"


def field(package, name):
    return subprocess.run(
        ["dpkg-deb", "-f", the_package(package), name], capture_output=True, text=True, check=True
    ).stdout.strip()


def files(package):
    output = subprocess.run(["dpkg-deb", "-c", the_package(package)], capture_output=True, text=True, check=True).stdout
    return {line.split(None, 5)[5].lstrip(".") for line in output.splitlines() if not line.endswith("/")}


# What is in the packages


def test_there_is_one_version(tmp_path):
    released = re.search(r"^## (\d\S*),", (ROOT / "CHANGELOG.md").read_text(), re.M)[1]
    assert f"Version {released}," in (ROOT / "README.md").read_text()
    version = field("siteauth", "Version")
    assert re.fullmatch(re.escape(released) + r"(\+git20\d{6}\.[0-9a-f]{7}(\.modified)?)?", version)
    for name in NAMES:
        subprocess.run(["dpkg-deb", "-x", the_package(name), tmp_path], check=True)
        told = subprocess.run([tmp_path / "usr/bin" / name, "--version"], capture_output=True, text=True).stdout.strip()
        assert (told, field(name, "Version")) == (version, version), name


@pytest.fixture
def repository(tmp_path):
    """A repository with what tells the version, and a function that runs a program in it."""
    for name in ["CHANGELOG.md", "debian/control", "Packaging/version", "Packaging/changelog"]:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)

    def run(*command):
        dates = {"GIT_AUTHOR_DATE": "2026-11-25T23:30:00-0800", "GIT_COMMITTER_DATE": "2026-11-25T23:30:00-0800"}
        identity = {f"GIT_{who}_{what}": "a@b" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        made = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=os.environ | dates | identity)
        return made.stdout.strip() if made.returncode == 0 else made.stderr

    run("git", "init", "--quiet")
    run("git", "add", ".")
    run("git", "commit", "--quiet", "--message=first")
    return run


def test_a_commit_a_tag_and_a_source_archive_have_versions(repository, tmp_path):
    """The same text is the changelog of Debian."""
    commit = repository("git", "rev-parse", "--short=7", "HEAD")
    assert repository("Packaging/version") == f"0.1.0+git20261126.{commit}"
    repository("Packaging/changelog")
    first = ["dpkg-parsechangelog", "--show-field", "Version"]
    assert repository(*first) == f"0.1.0+git20261126.{commit}"
    assert [repository(*first, "--offset", "1", "--count", "1"), repository("dpkg-parsechangelog", "--show-field", "Date")] == [
        "0.1.0", "Thu, 26 Nov 2026 07:30:00 +0000"]
    repository("git", "tag", "v0.2.0")
    assert "CHANGELOG.md has no section '## 0.2.0" in repository("Packaging/changelog")
    text = (tmp_path / "CHANGELOG.md").read_text()
    (tmp_path / "CHANGELOG.md").write_text(text.replace("## Unreleased", "## 0.2.0, 2026-11-26"))
    assert repository("Packaging/version").endswith(".modified")
    repository("git", "commit", "--quiet", "--all", "--message=second")
    repository("git", "tag", "--force", "v0.2.0")
    repository("Packaging/changelog")
    assert repository(*first) == repository("Packaging/version") == "0.2.0"
    shutil.rmtree(tmp_path / ".git")
    assert repository("Packaging/version") == "0.2.0"


def test_each_system_has_every_library_under_its_name(tmp_path):
    """The programs are built on Debian 12: another soname, or a package of another name, and apt refuses them elsewhere."""
    table, _, static = (ROOT / "debian/libraries.tsv").read_text().partition("# Linked statically\n")
    rows = [line.split("\t") for line in table.splitlines() if not line.startswith("#")]
    known = {soname: packages for soname, *packages in rows
             if all(re.search(rf"(^|\(){re.escape(packages[0])}(\)|$)", package) for package in packages)}
    assert len(rows) == len(known) and not known.keys() & set(re.findall(r"^\S+", static, re.M))
    needed = set()
    for name in NAMES:
        subprocess.run(["dpkg-deb", "-x", the_package(name), tmp_path], check=True)
        shown = subprocess.run(["readelf", "--dynamic", tmp_path / "usr/bin" / name], capture_output=True, text=True, check=True)
        of_program = set(re.findall(r"\(NEEDED\).*\[(.*)\]", shown.stdout))
        assert of_program <= known.keys(), f"{name} needs a library that not every system has"
        depends = {re.match(r"[^ (]+", item)[0] for item in field(name, "Depends").split(", ")} - {"ca-certificates", "systemd"}
        assert depends <= {known[soname][0] for soname in of_program}, name
        needed |= of_program
    assert needed == known.keys(), "a row is not needed any more"


def test_lintian_finds_nothing():
    result = subprocess.run(
        ["lintian", "--fail-on", "error,warning", "--pedantic", *PACKAGES.glob("*.deb")],
        capture_output=True, text=True,
    )
    assert (result.returncode, result.stdout) == (0, ""), result.stdout + result.stderr


def test_what_is_published_says_what_it_contains_and_is_signed(tmp_path):
    """By the commands of the page about deployment."""
    (tmp_path / "sitegen.tar").write_text("an image")
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", tmp_path / "key"], check=True)
    files = tmp_path / "files"
    subprocess.run([ROOT / "Packaging/release-files", PACKAGES, tmp_path, files, tmp_path / "key"], check=True)
    version = field("siteauth", "Version")
    assert {path.name for path in files.iterdir()} == {
        *(path.name for path in PACKAGES.glob("*.deb")), f"sitegen-image_{version}.tar", "SHA256SUMS", "SHA256SUMS.sig",
        f"private-site_{version}.tar.gz", f"private-site_{version}.cdx.json",
    }
    (tmp_path / "signers").write_text("private-site " + (tmp_path / "key.pub").read_text())
    verify = re.search("^ssh-keygen -Y verify .*$", (ROOT / "site/handbook/how-to/deploy.md").read_text(), re.M)[0]
    told = ["bash", "-euc", f"cp ../signers . && {verify} && sha256sum --check --ignore-missing SHA256SUMS"]
    subprocess.run(told, cwd=files, check=True)
    with (files / "SHA256SUMS").open("a") as sums:
        sums.write("\n")
    assert subprocess.run(told, cwd=files).returncode != 0
    contents = json.loads((files / f"private-site_{version}.cdx.json").read_text())
    references = {component["bom-ref"]: component for component in contents["components"]}
    parts = {item["ref"]: {references[reference]["name"] for reference in item["dependsOn"]} for item in contents["dependencies"]}
    for name in NAMES:
        depends = {item.split(" ")[0] for item in field(name, "Depends").split(", ") if item.startswith("lib")}
        swift = {"swift", "swift-argument-parser", "swift-http-types"} | {
            "sitegen": {"swift-subprocess", "swift-system", "libcmark", "libutf8proc", "node-emoji"}, "siteauth": {"swift-log"},
        }.get(name, set())
        assert parts[name] == depends | swift, name


@pytest.mark.parametrize("name", NAMES)
def test_every_command_has_a_manual_page_with_its_options(name, tmp_path):
    subprocess.run(["dpkg-deb", "-x", the_package(name), tmp_path], check=True)
    pages = {path.name for path in (tmp_path / "usr/share/man/man1").iterdir()}
    # Commands, and groups of them.
    wanted = {(name, *path.split()[:count]) for path in commands(name) for count in range(len(path.split()) + 1)}
    assert pages == {"-".join(words) + ".1.gz" for words in wanted}
    for words in wanted:
        page = tmp_path / f"usr/share/man/man1/{'-'.join(words)}.1.gz"
        shown = subprocess.run(
            ["man", "--warnings", "-l", page], capture_output=True, text=True,
            env=os.environ | {"MANWIDTH": "500", "LC_ALL": "C.UTF-8", "MAN_KEEP_FORMATTING": ""},
        )
        help = subprocess.run([BIN / name, *words[1:], "--help"], capture_output=True, text=True).stdout
        assert shown.stderr == ""
        options = set(re.findall(r"^ +(?:-\w, )?(--[a-z-]+)", help, re.MULTILINE))
        assert options and options <= set(re.findall(r"--[a-z-]+", shown.stdout.replace("‐", "-"))), page.name


@pytest.mark.parametrize("name", NAMES)
def test_each_shell_completes_the_commands(name, tmp_path):
    subprocess.run(["dpkg-deb", "-x", the_package(name), tmp_path], check=True)
    bash = tmp_path / f"usr/share/bash-completion/completions/{name}"
    script = f'. "{bash}"; complete -p {name}'
    assert f" {name}" in subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True).stdout
    assert (tmp_path / f"usr/share/zsh/vendor-completions/_{name}").read_text().startswith(f"#compdef {name}\n")
    assert f"-c '{name}'" in (tmp_path / f"usr/share/fish/vendor_completions.d/{name}.fish").read_text()


def test_the_emulator_is_a_program_and_nothing_else():
    """No service, no configuration, no script of the package could start it on a server."""
    assert {path for path in files("entra-emulator") if not path.startswith("/usr/share/")} == {"/usr/bin/entra-emulator"}
    control = subprocess.run(["dpkg-deb", "-I", the_package("entra-emulator")], capture_output=True, text=True).stdout
    assert not re.search(r"\b(post|pre)(inst|rm)\b|conffiles", control)
    assert "Do not install it on a\n server" in field("entra-emulator", "Description")
    for name in ["sitegen", "siteauth"]:
        for kind in ["Depends", "Recommends", "Suggests"]:
            assert "entra-emulator" not in field(name, kind)


@pytest.mark.parametrize("unit", ["siteauth@.service", "siteauth-cgi@.service"])
def test_the_service_has_few_rights(unit):
    result = subprocess.run(
        ["systemd-analyze", "security", "--offline=yes", "--threshold=15", UNITS / unit],
        capture_output=True, text=True,
    )
    assert result.returncode == 0, result.stdout


# A server with two sites


@pytest.fixture(scope="module")
def server():
    with closing(PackageServer()) as server:
        yield server.set_up(["docs", "wiki"])


def test_a_reader_of_one_site_is_a_stranger_at_the_other(server):
    cookies = server.sign_in("docs")
    with server.network():
        assert "Secrets of docs" in ask("docs", "/hr/", cookies).body
        for path in ["/", "/hr/", "/auth/account"]:
            assert ask("wiki", path, dict(cookies)).status == 303
        assert ask("docs", "/hr/", server.sign_in("docs", BOB)).status == 403
        # A name that leads here and that no site has.
        assert ask("docs", "/", fields={"Host": "other.example.com"}).status == 421


def as_service(server, script, name="docs"):
    """Runs a script with everything that the service of a site has: account, groups, view of files."""
    server.run(f"""
        mkdir -p /run/systemd/system
        sed 's#^ExecStart=.*#ExecStart=/bin/bash /probe#; /^    --/d; s/^Restart=.*/Type=oneshot/; /^StandardOutput/d' \
            /usr/lib/systemd/system/siteauth@.service >/run/systemd/system/probe@.service
        sed -i '/^Requires/d; s/^User=.*/User=siteauth-%i/' /run/systemd/system/probe@.service
        systemctl daemon-reload
    """)
    server.write("/probe", script, 0o755)
    server.run(f"systemctl start probe@{name} || true")
    return server.run(f"journalctl --sync; journalctl --no-pager -o cat -u probe@{name} -n 40").stdout


def test_the_service_of_one_site_sees_nothing_of_another(server):
    """What somebody could do who has taken over siteauth of one site."""
    pid = server.run("systemctl show -P MainPID siteauth@wiki").stdout.strip()
    told = as_service(server, f"""
        try() {{ "$@" >/dev/null 2>&1 && echo "can: $*" || echo "cannot: $*"; }}
        try cat /etc/siteauth/docs/secrets.toml
        try cat /srv/docs/public/current/site/hr/index.html
        try cat /etc/siteauth/wiki/secrets.toml
        try ls /srv/wiki
        try ls /var/lib/siteauth/wiki/
        try ls /run/siteauth
        try kill -0 {pid}
        try ls /proc/{pid}
        try touch /srv/docs/x /etc/siteauth/docs/x /usr/x
    """)
    can = [line.split(": ")[1] for line in told.splitlines() if line.startswith("can: ")]
    assert can == ["cat /etc/siteauth/docs/secrets.toml", "cat /srv/docs/public/current/site/hr/index.html"], told
    assert told.count("cannot: ") == 7, told


def test_other_accounts_of_the_server_read_nothing_protected(server):
    for path in ["/srv/docs/public/current/site/hr/index.html", "/srv/docs/site/hr/index.md",
                 "/etc/siteauth/docs/secrets.toml", "/var/lib/siteauth/docs/cleaned"]:
        assert server.run(f"runuser -u nobody -- cat {path}", check=False).returncode != 0, path
        assert server.run(f"cat {path}").returncode == 0
    for kind in ["check", "pages"]:
        assert server.run(f"stat -c '%U:%G %a' /run/siteauth/docs/{kind}.sock").stdout.strip() == "root:www-data 660"
    # As the service reads it.
    server.run("runuser -u siteauth -- siteauth check-config --config /etc/siteauth/docs/secrets.toml")


def test_an_upgrade_loses_no_request_and_no_session(server, tmp_path):
    alice, left = server.sign_in("docs"), server.sign_in("docs")
    with server.network():
        origin = {"Origin": "https://docs.example.com"}
        assert ask("docs", "/auth/sign-out", dict(left), method="POST", fields=origin).status == 303
    first = server.run("systemctl show -P MainPID siteauth@docs siteauth@wiki").stdout
    reading = readers(server, "docs", alice)
    wait_for(lambda: reading.count > 100)
    server.write_bytes("/root/next.deb", newer(tmp_path).read_bytes())
    server.run("apt-get install --yes /root/next.deb")
    answers = reading.finish(reading.count + 100)
    print(f"requests during an upgrade: {answers}")
    assert answers.keys() == {200}
    second = server.run("systemctl show -P MainPID siteauth@docs siteauth@wiki").stdout
    assert not set(first.split()) & set(second.split()), "the old program runs still"
    with server.network():
        # nginx has read its new files.
        wait_for(lambda: ask("docs", "/hr/", alice).fields["X-Next"] == "yes")
        assert ask("docs", "/hr/", left).status == 303, "a session that was ended lives again"


# Debian 13, from the installation to the end; test_hour.py does so on Debian 12


def test_the_same_packages_serve_a_site_on_debian_13_and_leave_nothing(tmp_path):
    with closing(PackageServer("trixie")) as server:
        assert server.run("cat /etc/debian_version").stdout.startswith("13.")
        server.run(f"apt-get install --yes nginx /packages/{the_package('siteauth').name}")
        # No site is there: nothing runs, and nginx goes on.
        assert server.run("systemctl list-units --plain --no-legend 'siteauth*'").stdout == ""
        server.run("nginx -t && systemctl restart nginx && mkdir /etc/siteauth/wiki")
        example = (ROOT / "Packaging/secrets.toml.example").read_text()
        server.write("/etc/siteauth/wiki/secrets.toml", example, 0o640)
        # The example lacks values, so the service does not start, and who starts it is told.
        told = server.run("systemctl enable --now siteauth@wiki.service", check=False)
        assert told.returncode == 1 and "journalctl" in told.stdout
        server.run("systemctl is-active siteauth-check@wiki.socket")
        cookies = server.set_up(["docs"]).sign_in("docs")
        with server.network():
            assert "Secrets of docs" in ask("docs", "/hr/", cookies).body
            assert ask("docs", "/hr/", server.sign_in("docs", BOB)).status == 403
        server.write_bytes("/root/next.deb", newer(tmp_path).read_bytes())
        server.run("apt-get install --yes /root/next.deb")
        with server.network():
            wait_for(lambda: ask("docs", "/hr/", cookies).fields["X-Next"] == "yes")
        server.run("rm /etc/nginx/sites-enabled/* && systemctl reload nginx && apt-get remove --yes siteauth sitegen")
        assert server.run("systemctl list-units --plain --no-legend 'siteauth*'").stdout == ""
        server.run("test -e /etc/siteauth/docs/secrets.toml && nginx -t")
        assert "warning" not in server.run("apt-get purge --yes siteauth").stdout
        assert server.run("find / -xdev -path /packages -prune -o -name '*siteauth*' -print").stdout == ""
        server.run("nginx -t && systemctl reload nginx")
