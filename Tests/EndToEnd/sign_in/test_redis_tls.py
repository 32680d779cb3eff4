"""Redis with TLS: whom siteauth believes, and what it shows of itself."""

import re
import subprocess

import pytest

from demo_site import free_port, wait_for
from handbook_pages import page
from redis_server import PASSWORD, RedisServer
from tls_front import make_certificate

LOST = "error: the list of ended sessions cannot be reached, so nobody is let in"


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    folder = tmp_path_factory.mktemp("certificates")
    make_certificate(folder, "authority", "/CN=An authority", "CA:TRUE")
    make_certificate(folder, "stranger", "/CN=Another authority", "CA:TRUE")
    make_certificate(folder, "server", "/CN=localhost", signed_by="authority")
    make_certificate(folder, "client", "/CN=siteauth", signed_by="authority")
    # Its last day was yesterday.
    request = ["openssl", "x509", "-x509toreq", "-in", "server.crt", "-signkey", "server.key", "-copy_extensions", "copy"]
    sign = ["openssl", "x509", "-req", "-CA", "authority.crt", "-CAkey", "authority.key", "-CAcreateserial",
            "-copy_extensions", "copy", "-days", "-1", "-out", "expired.crt"]
    text = subprocess.run(request, cwd=folder, check=True, capture_output=True).stdout
    subprocess.run(sign, cwd=folder, check=True, capture_output=True, input=text)
    (folder / "client.key").chmod(0o600)
    return folder


@pytest.fixture
def start(certificates, tmp_path):
    servers = []

    def start(certificate="server", clients="no", port_option="--tls-port"):
        servers.append(RedisServer(tmp_path / "redis", port_option=port_option))
        return servers[-1].start(
            "--tls-cert-file", certificates / f"{certificate}.crt", "--tls-key-file", certificates / "server.key",
            "--tls-ca-cert-file", certificates / "authority.crt", "--tls-auth-clients", clients)

    yield start
    for server in servers:
        server.stop()


def ask(own, until, *lines):
    """What 'check-config --live' says about Redis; a busy machine may take its time until it is that."""
    text = re.sub(r"^redis.*\n", "", own.secrets.read_text(), flags=re.M)
    own.secrets.write_text(text + "".join(f"{line}\n" for line in lines))
    answers = []

    def is_said():
        answers.append(own.check_config("--live"))
        return until(answers[-1])

    wait_for(is_said)
    assert not any(PASSWORD in done.stdout + done.stderr for done in answers)
    return answers[-1]


def is_fine(done):
    return (done.returncode, done.stderr) == (0, "")


def is_refused(problem):
    return lambda done: done.returncode == 1 and re.search(problem, done.stderr, re.DOTALL)


def address(redis, scheme="rediss", host="localhost"):
    return f'redis = "{scheme}://:{PASSWORD.replace("/", "%2F")}@{host}:{redis.port}"'


def test_readers_are_served_through_tls_with_a_certificate_of_siteauths_own(own, certificates, start):
    redis = start(clients="yes")
    trust = f'redis_ca_file = "{certificates}/authority.crt"'
    shown = [f'redis_client_certificate = "{certificates}/client.crt"', f'redis_client_key = "{certificates}/client.key"']
    ask(own, is_refused("certificate required|may want a client certificate"), address(redis), trust)
    done = ask(own, is_fine, address(redis), trust, *shown)
    assert "is a primary with 0 replicas, writes each change to disk, and can be written to." in done.stdout
    own.takes_sign_ins()
    own.serve()
    # A sign-in in the second in which the list begins does not count.
    wait_for(lambda: own.status(own.sign_in()[0]) == 200)
    alice = own.sign_in()[0]
    redis.restart(*redis.options)
    wait_for(lambda: own.status(alice) == 200)
    # A certificate and a key that do not belong together.
    wrong = f'redis_client_key = "{certificates}/authority.key"'
    (certificates / "authority.key").chmod(0o600)
    ask(own, is_refused("error: 'redis': certificate and key do not belong together"), address(redis), trust, shown[0], wrong)


def test_a_server_that_is_another_one_learns_nothing(own, certificates, start):
    redis = start()
    trust = f'redis_ca_file = "{certificates}/authority.crt"'
    ask(own, is_fine, address(redis), trust)
    for lines, problem in [
        ([address(redis)], "certificate is refused: self-signed certificate in certificate chain"),
        ([address(redis), f'redis_ca_file = "{certificates}/stranger.crt"'], "its certificate is refused"),
        ([address(redis, host="127.0.0.1"), trust], "certificate is refused: IP address mismatch"),
        ([address(redis, host="localhost.localdomain"), trust], ""),
        ([address(redis, scheme="redis")], ""),
    ]:
        ask(own, is_refused(f"{LOST}.*{problem}"), *lines)
    # The port without TLS of the same server.
    plain = start(port_option="--port")
    ask(own, is_refused(LOST), address(plain), trust)


def test_an_expired_certificate_is_refused(own, certificates, start):
    redis = start(certificate="expired")
    trust = f'redis_ca_file = "{certificates}/authority.crt"'
    ask(own, is_refused("its certificate is refused: certificate has expired"), address(redis), trust)


def test_the_files_of_the_handbook_are_those_of_a_primary_and_a_replica(own, certificates, tmp_path):
    """Each is the whole file of a server, which may write below its own folder only."""
    file = next(block.text for block in page("how-to/several-machines.md").blocks if block.name == "/etc/redis/redis.conf")
    more = next(block.text for block in page("how-to/several-machines.md").blocks if block.text.startswith("replicaof"))
    ports, processes = [free_port(), free_port()], []
    try:
        for port, text in zip(ports, [file, file + more]):
            folder = tmp_path / str(port)
            for name in ["elsewhere", "data"]:
                (folder / name).mkdir(parents=True)
            for old, new in {
                "/var/lib/redis": folder / "data", "/etc/redis/company-ca.pem": certificates / "authority.crt",
                "/etc/redis/redis": certificates / "server", "10.0.0.21 6379": f"127.0.0.1 {ports[0]}",
                "10.0.0.21": "127.0.0.1", "6379": port, "https://docs.example.com": own.demo.url,
            }.items():
                text = text.replace(old, str(new))
            (folder / "redis.conf").write_text(text)
            processes.append(subprocess.Popen(["redis-server", folder / "redis.conf"], cwd=folder / "elsewhere"))
            wait_for(lambda: any((folder / "data").iterdir()))
        urls = ", ".join(f'"rediss://siteauth:a-long-password@localhost:{port}"' for port in ports)
        lines = [f"redis = [{urls}]", f'redis_ca_file = "{certificates}/authority.crt"']
        told = ask(own, lambda done: is_fine(done) and "with 1 replica, writes each change to disk" in done.stdout, *lines)
        assert "and can be written to." in told.stdout
        assert [list((tmp_path / str(port) / "elsewhere").iterdir()) for port in ports] == [[], []]
    finally:
        for process in processes:
            process.kill()
            process.wait(timeout=60)
