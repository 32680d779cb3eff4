"""The container images: run by podman as compose.yaml says, without rights, with the emulator as tenant outside."""

import concurrent.futures
import hashlib
import http.client
import json
import os
import re
import shlex
import shutil
import ssl
import subprocess
import tarfile
import time
from contextlib import closing

import pytest
import requests
import yaml

from container_engine import Engine, images, make_images, pods, service
from demo_site import BOB, NAVIGATE, ROOT, browser, cookies, finish, pick, replaced, wait_for, write
from readers import Readers
from secure_site import SecureSite
from tls_front import make_certificate

GROUP = 10001
CHANGES = {"/etc/letsencrypt/live/docs.example.com": "/etc/nginx/tls", "docs.example.com": "localhost"}


class ContainerSite(SecureSite):
    """A site whose siteauth and nginx are containers; its folder has what compose.yaml expects beside it."""

    def __init__(self, engine, public):
        super().__init__(public)
        self.engine, self.url = engine, "https://localhost"
        self.image = engine.load("siteauth")

    def start(self):
        for name in ["siteauth", "sites", "tls"]:
            (self.folder / name).mkdir()
        make_certificate(self.folder, "localhost", "/CN=localhost", "CA:TRUE")
        shutil.copy(self.folder / "localhost.crt", self.folder / "tls/fullchain.pem")
        shutil.copy(self.folder / "localhost.key", self.folder / "tls/privkey.pem")
        shutil.copytree(self.public, self.folder / "public", symlinks=True)
        self.write_tenants()
        changes = CHANGES | {"https://login.microsoftonline.com": self.entra}
        (self.folder / "sites/docs").write_text(replaced((ROOT / "nginx/site.conf").read_text(), changes))
        self.write_secrets("siteauth/secrets.toml")
        self.folder.chmod(0o711)
        for name in ["siteauth", "sites", "tls", "public"]:
            (self.folder / name).chmod(0o2750)
            os.chown(self.folder / name, 0, GROUP)
        for path in [path for name in ["siteauth", "sites", "tls"] for path in (self.folder / name).iterdir()]:
            path.chmod(0o640)
            os.chown(path, 0, GROUP)
        self.start_entra()
        for name in ["siteauth", "nginx"]:
            options, command = service(name, self.folder)
            self.engine.start(name, options, self.image, *command)
        wait_for(lambda: self.answers() or not self.engine.state("nginx")["Running"])
        assert self.engine.state("nginx")["Running"], self.engine.log("nginx")
        # nginx answers without it.
        wait_for(lambda: "ready for" in self.engine.log("siteauth"))
        return self

    def check_health(self):
        """What the engine finds out every ten seconds."""
        return self.engine("healthcheck", "run", "nginx", check=False).returncode == 0

    def health(self):
        return self.engine.state("nginx")["Health"]["Status"]


@pytest.fixture(scope="module")
def images_engine():
    with closing(Engine()) as engine:
        yield engine


@pytest.fixture
def engine(images_engine):
    """To load an image takes seconds, so all tests have one store; each begins without containers."""
    yield images_engine
    images_engine.clear()


@pytest.fixture
def site(demo, engine):
    with engine.network(), closing(ContainerSite(engine, demo.folder / "public")) as site:
        yield site.start()


def read(site, path, session):
    return session.get(site.url + path, headers=NAVIGATE, allow_redirects=False)


def in_path(folder, name):
    """The layer of an image, open for reading, and the image's configuration."""
    archive = tarfile.open(folder / f"{name}.tar")
    manifest = json.load(archive.extractfile("manifest.json"))[0]
    layer = tarfile.open(fileobj=archive.extractfile(manifest["Layers"][0]), mode="r:gz")
    return layer, json.load(archive.extractfile(manifest["Config"]))["config"]


# The archives


@pytest.mark.parametrize("name", ["sitegen", "siteauth"])
def test_an_archive_is_both_an_oci_layout_and_one_of_docker_s(name):
    with tarfile.open(images() / f"{name}.tar") as archive:
        contents = {member.name: archive.extractfile(member).read() for member in archive}
    for path, content in contents.items():
        if path.startswith("blobs/"):
            assert path == f"blobs/sha256/{hashlib.sha256(content).hexdigest()}"
    assert json.loads(contents["oci-layout"]) == {"imageLayoutVersion": "1.0.0"}
    (entry,) = json.loads(contents["index.json"])["manifests"]
    manifest = json.loads(contents[f"blobs/{entry['digest'].replace(':', '/')}"])
    (docker,) = json.loads(contents["manifest.json"])
    for described, path in zip([manifest["config"], *manifest["layers"]], [docker["Config"], *docker["Layers"]], strict=True):
        assert path == f"blobs/{described['digest'].replace(':', '/')}" and described["size"] == len(contents[path])
    assert docker["RepoTags"] == [entry["annotations"]["org.opencontainers.image.ref.name"]]


@pytest.mark.parametrize("name", ["sitegen", "siteauth"])
def test_an_image_has_no_shell_no_apt_and_nothing_that_gives_rights(name):
    layer, config = in_path(images(), name)
    assert config["User"] == "10001:10001"
    members = {member.name: member for member in layer}
    programs = {path for path in members if re.match(r"usr/s?bin/", path)}
    assert programs == {
        "sitegen": {"usr/bin/git", "usr/bin/python3", "usr/bin/python3.11", "usr/bin/sitegen"},
        "siteauth": {"usr/bin/curl", "usr/bin/siteauth", "usr/sbin/nginx"},
    }[name]
    for path, member in members.items():
        assert not member.mode & 0o6000, f"{path} runs with other rights"
        assert member.issym() or path == "tmp" or not member.mode & 0o002, f"{path} can be changed by everybody"
        assert member.uid == 0 or member.isdir(), f"{path} belongs to the account that runs"
    for package in re.findall(r"^Package: (.*)$", layer.extractfile("var/lib/dpkg/status").read().decode(), re.M):
        folder = f"usr/share/doc/{package}"
        if folder in members and members[folder].issym():
            folder = f"usr/share/doc/{members[folder].linkname}"
        assert f"{folder}/copyright" in members, f"the licence of {package} is missing"
    notices = {"NOTICE.swift-log", *(["copyright.libcmark", "copyright.libutf8proc", "copyright.node-emoji"] if name == "sitegen" else [])}
    # Debian compresses long ones.
    assert {f"usr/share/doc/{name}/{notice}" for notice in notices} <= {path.removesuffix(".gz") for path in members}


def test_the_same_packages_make_the_same_bytes(tmp_path):
    made = images() / "siteauth.tar"
    make_images(tmp_path, "siteauth")
    assert (tmp_path / "siteauth.tar").read_bytes() == made.read_bytes()


# For servers


def test_readers_sign_in_through_containers_without_rights(site):
    alice, bob = finish(site), finish(site, account=BOB)
    assert read(site, "/", alice).status_code == 200
    assert read(site, "/company/hr/", alice).status_code == 200
    assert read(site, "/company/hr/", bob).status_code == 403
    assert read(site, "/company/", browser(site)).headers["Location"].startswith(site.entra)
    assert requests.get("http://localhost/company/", allow_redirects=False).headers["Location"] == site.url + "/company/"
    assert '"GET /company/hr/' in site.engine.log("nginx")
    assert "ready for https://localhost" in site.engine.log("siteauth")
    assert "emulated~secret" not in site.engine.log("siteauth") + site.engine.log("nginx")
    for name in ["siteauth", "nginx"]:
        status = site.engine.status_of_process(name)
        assert status["Uid"] == status["Gid"] == ["10001"] * 4 and status["NoNewPrivs"] == ["1"] and status["Seccomp"] == ["2"]
        assert {int(status[key][0], 16) for key in ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"]} == {0}


def test_what_breaks_into_nginx_finds_no_secrets_and_changes_nothing(site):
    """curl, which is there for the health check, stands for a program of an intruder's."""

    def curl(*words, name="nginx"):
        return site.engine("exec", name, "curl", "--silent", "--show-error", *words, check=False)

    assert curl("file:///srv/docs/public/current/access").returncode == 0
    for path in ["etc/siteauth/docs/secrets.toml", "var/lib/siteauth/docs/provider.json", "proc/1/environ/x"]:
        assert curl(f"file:///{path}").returncode == 37
    for name, places in {
        "nginx": ["etc/nginx/nginx.conf", "srv/docs/public/x", "usr/sbin/nginx", "var/x", "etc/nginx/tls/x", "root"],
        "siteauth": ["etc/siteauth/docs/secrets.toml", "srv/docs/public/x", "usr/bin/siteauth", "tmp/x", "x"],
    }.items():
        for place in places:
            # Code 23: the file cannot be written.
            assert curl("--output", f"/{place}", "file:///etc/os-release", name=name).returncode == 23, place
    assert "secrets.toml" not in curl("file:///proc/self/mountinfo").stdout
    assert curl("file:///etc/nginx/tls/privkey.pem", name="siteauth").returncode == 37


def test_the_health_check_tells_whether_readers_can_be_served(site):
    assert site.check_health() and site.health() == "healthy"
    site.engine("stop", "siteauth")
    assert "stopped" in site.engine.log("siteauth")
    assert site.engine.state("siteauth")["ExitCode"] == 0
    for _ in range(3):
        assert not site.check_health()
    assert site.health() == "unhealthy"
    site.engine("start", "siteauth")
    wait_for(site.check_health)
    assert site.health() == "healthy"


def load(site, cookies):
    """Opens one connection after the other: for each a complete answer, or that it was refused."""
    context = ssl.create_default_context(cafile=site.authority)

    def ask():
        with closing(http.client.HTTPSConnection("localhost", 443, context=context, timeout=30)) as connection:
            try:
                connection.connect()
            except OSError:
                time.sleep(0.01)
                return "refused"
            connection.request("GET", "/company/", headers={"Cookie": cookies})
            answer = connection.getresponse()
            assert answer.status == 200 and answer.read().endswith(b"</html>\n")
            return "complete"

    return ask


def test_stopping_loses_no_request_that_was_accepted(site):
    """Pages under load, and a sign-in that waits for a slow provider while the containers are told to stop."""
    alice, other = finish(site), browser(site)
    address = pick(site, other)
    site.order("faults", name="slow", endpoint="token", seconds=3)
    with concurrent.futures.ThreadPoolExecutor() as pool:
        readers = Readers(lambda: load(site, cookies(alice)))
        callback = pool.submit(other.get, address, headers=NAVIGATE, allow_redirects=False)
        time.sleep(1)
        assert not callback.done()
        # As compose does it: nginx first.
        site.engine("stop", "nginx")
        site.engine("stop", "siteauth")
        answers = readers.finish()
    assert callback.result().status_code == 303 and "session" in str(other.cookies)
    assert [site.engine.state(name)["ExitCode"] for name in ["nginx", "siteauth"]] == [0, 0]
    assert set(answers) == {"complete", "refused"}


class KubernetesSite(SecureSite):
    """The pods of Packaging/kubernetes, one of each, behind an ingress that has ended TLS."""

    def __init__(self, engine, pages):
        super().__init__(None)
        self.engine, self.url, self.pages = engine, "http://localhost", pages

    def start(self):
        for name in ["source", "public", "secrets"]:
            (self.folder / name).mkdir()
        # What fsGroup does.
        (self.folder / "public").chmod(0o2770)
        os.chown(self.folder / "public", 0, GROUP)
        write(self.folder / "source", self.pages)
        self.folder.chmod(0o711)
        self.write_tenants()
        self.write_secrets("secrets/secrets.toml")
        images = {f"localhost/{name}": self.engine.load(name) for name in ["sitegen", "siteauth"]}
        self.pods, self.probes = pods(images, self.folder, self.folder / "secrets")
        self.play("publish")
        assert self.engine("wait", "publish-sitegen").stdout == "0\n", self.engine.log("publish-sitegen")
        block = re.search(r"```nginx sites/docs\n(.*?)```", (ROOT / "site/handbook/how-to/containers.md").read_text(), re.S)[1]
        block = replaced(block, {
            "10.0.7.0/28": "127.0.0.1", "https://docs.example.com": self.url, "docs.example.com": "localhost",
            "https://login.microsoftonline.com": self.entra,
        })
        self.play("docs", {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "sites"}, "data": {"docs": block}})
        with self.engine.network(self.engine.state("docs-nginx")["Pid"]):
            self.start_entra()
        # Otherwise it asks for the provider's keys again after some time only.
        self.engine("restart", "docs-siteauth")
        return self

    def play(self, name, *objects):
        pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": self.pods[name]}
        path = self.folder / f"{name}.yaml"
        path.write_text(yaml.safe_dump_all([*objects, pod]))
        self.engine("kube", "play", "--network", "none", path)


def test_the_pods_for_kubernetes_publish_and_serve_a_site(tmp_path):
    with closing(Engine('default_sysctls = ["net.ipv4.ip_unprivileged_port_start=0"]')) as engine:
        pages = {"sitegen.toml": 'title = "Handbook"\n[groups]\nhr = { role = "HR" }\n', "site/index.md": "# Home\n",
                 "site/hr/index.md": "---\naccess: [hr]\n---\n# Salaries\n"}
        with closing(KubernetesSite(engine, pages)) as site:
            site.start()
            for name, probe in site.probes.items():
                wait_for(lambda: engine("exec", f"docs-{name}", *probe, check=False).returncode == 0)
                status = engine.status_of_process(f"docs-{name}")
                assert status["Uid"] == status["Gid"] == ["10001"] * 4 and status["NoNewPrivs"] == ["1"]
                assert {int(status[key][0], 16) for key in ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"]} == {0}
                assert status["Seccomp"] == ["2"]
                written = engine("exec", f"docs-{name}", "curl", "--output", "/srv/docs/public/x", "file:///etc/os-release", check=False)
                assert written.returncode == 23
            with engine.network(engine.state("docs-nginx")["Pid"]):
                alice, bob = finish(site), finish(site, account=BOB)
                assert [read(site, "/hr/", reader).status_code for reader in [alice, bob, requests.Session()]] == [200, 403, 303]
                forged = {"X-Forwarded-For": "1.2.3.4"}
                assert requests.get(site.url + "/hr/", headers=forged | {"Host": "evil.example"}).status_code == 421
            assert '1.2.3.4' not in engine.log("docs-nginx")


# For writers


def test_a_preview_runs_as_any_account_on_a_folder_that_it_cannot_change(engine, tmp_path):
    tmp_path.chmod(0o755)
    (tmp_path / "site").mkdir()
    (tmp_path / "site/index.md").write_text("# Home\n\n```python\nprint(1)\n```\n")
    image, page = engine.load("sitegen"), (ROOT / "site/handbook/how-to/containers.md").read_text()
    # The network of the test has all ports already.
    options = re.search(r"docker run --rm -it (.*) \\\n *localhost/sitegen:", page)[1].replace("$PWD", str(tmp_path))
    options = shlex.split(options.replace("-p 127.0.0.1:8000:8000 ", ""))
    engine.start("preview", [*options, "--cap-drop=all", "--user=4321:4321"], image)
    wait_for(lambda: "checked in" in engine.log("preview") or not engine.state("preview")["Running"])
    assert "checked in" in engine.log("preview"), engine.log("preview")
    url = re.search(r"preview at (http://127\.0\.0\.1:8000/\?key=\w+); Ctrl-C ends it\n", engine.log("preview"))[1]
    assert "warning" not in engine.log("preview")
    assert engine.status_of_process("preview")["Uid"] == ["4321"] * 4
    with engine.network():
        session = requests.Session()
        # Another address than the one on which a preview listens by itself, as an engine forwards a port.
        outside = {"Host": "127.0.0.1:8000"}
        assert session.get("http://127.0.0.2:8000/", headers=outside).status_code == 403
        # The name of the cookie has the port, so that previews of several containers do not mix.
        page = session.get(url)
        assert page.status_code == 200 and [cookie.name for cookie in session.cookies] == ["preview-8000"]
        assert re.search(r'<span class="\w+">print</span>', page.text), "code has no colours"
        assert session.get(url.split("?")[0], headers={"Host": "evil.example"}).status_code == 421
    (tmp_path / "site/index.md").write_text("# Home\n\n[gone](gone.md)\n")
    wait_for(lambda: "site/index.md:3:1: error: link to 'gone.md' is dead" in engine.log("preview"))
    engine("stop", "preview")
    assert engine.state("preview")["ExitCode"] == 0
    assert {path.name for path in tmp_path.rglob("*")} == {"site", "index.md"}


def test_the_image_for_writers_builds_a_repository_of_another_account(engine, tmp_path):
    source, public = tmp_path / "source", tmp_path / "public"
    (source / "site").mkdir(parents=True)
    (source / "sitegen.toml").write_text('title = "Handbook"\n')
    (source / "site/index.md").write_text("# Home\n")
    git = ["git", "-C", source, "-c", "user.name=x", "-c", "user.email=x@example.com"]
    for command in [["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "Pages", "--date=2020-02-03T12:00:00Z"]]:
        subprocess.run(git + command, check=True, env=os.environ | {"GIT_COMMITTER_DATE": "2020-02-03T12:00:00Z"})
    public.mkdir()
    os.chown(public, 4321, 4321)
    options = ["--read-only", "--tmpfs=/tmp", "--cap-drop=all", "--user=4321:4321", f"--volume={source}:/site:ro"]
    engine.start("build", [*options, f"--volume={public}:/public"], engine.load("sitegen"), "build", "--output", "/public")
    assert engine("wait", "build").stdout == "0\n", engine.log("build")
    assert "1 page; published release 1" in engine.log("build") and "warning" not in engine.log("build")
    assert "2020-02-03" in (public / "current/site/index.html").read_text()
    assert {path.stat().st_uid for path in public.rglob("*")} == {4321}
