"""The container images of this project, and podman with a store and a network of a test's own."""

import hashlib
import json
import os
import pathlib
import resource
import shutil
import subprocess
import tempfile

import pytest
import yaml

from debian_root import PACKAGES, made_once, network_of
from demo_site import ROOT

COMPOSE = ROOT / "Packaging/containers/compose.yaml"
KUBERNETES = ROOT / "Packaging/kubernetes"
# Without these, podman raises limits, which this machine may not allow.
LIMITS = {"nofile": (resource.RLIMIT_NOFILE, 16384), "nproc": (resource.RLIMIT_NPROC, 8192)}


def make_images(folder, *names):
    """Runs the program of 'make images'."""
    made = subprocess.run(
        [ROOT / "Packaging/containers/images.py", PACKAGES, folder, *names], capture_output=True, text=True,
        env=os.environ | {"SOURCE_DATE_EPOCH": "1700000000"},
    )
    assert made.returncode == 0, made.stderr


def images():
    """The folder of the archives, made once for all workers and for later runs with the same packages."""
    if os.getuid() != 0:
        pytest.skip("only root can start containers with a network of a test's own")
    packages = sorted(PACKAGES.glob("*.deb"))
    assert packages, f"there are no packages in {PACKAGES}; run 'make deb'"
    inputs = [*packages, *sorted(COMPOSE.parent.iterdir())]
    key = hashlib.sha256(b"".join(hashlib.sha256(path.read_bytes()).digest() for path in inputs if path.is_file()))
    return made_once(ROOT / ".build/test-images" / key.hexdigest()[:12], make_images)


class Engine:
    """Ended by `close`, with all that was started."""

    def __init__(self, settings=""):
        self.images, self.loaded = images(), {}
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="containers-", dir="/tmp"))
        configuration = self.folder / "containers.conf"
        # A hard limit of -1 is none.
        self.limits = [f"{name}={limit}:{limit}" for name, (number, wanted) in LIMITS.items()
                       for limit in [min(wanted, resource.getrlimit(number)[1] % 2**64)]]
        # Locks in files: those in memory are shared with other stores.
        configuration.write_text(
            f'[containers]\nlog_driver = "k8s-file"\ndefault_ulimits = {json.dumps(self.limits)}\n{settings}\n[engine]\nlock_type = "file"\n')
        self.environment = os.environ | {"CONTAINERS_CONF": str(configuration)}
        self.command = [
            "podman", "--root", self.folder / "store", "--runroot", self.folder / "run", "--tmpdir", self.folder / "tmp",
            "--runtime", "runc", "--cgroup-manager", "cgroupfs", "--events-backend", "file",
        ]
        self.outside = open("/proc/thread-self/ns/net")
        # A network with nothing but its loopback interface, as long as this process lives.
        self.holder = subprocess.Popen(
            ["unshare", "--net", "sh", "-c", "ip link set lo up && echo ready && exec sleep infinity"],
            stdout=subprocess.PIPE, text=True,
        )
        assert self.holder.stdout.readline() == "ready\n"

    def __call__(self, *words, check=True, seconds=60):
        """Runs podman outside of that network; returns what it has printed."""
        result = subprocess.run(
            ["nsenter", f"--net=/proc/self/fd/{self.outside.fileno()}", *self.command, *words], capture_output=True,
            text=True, timeout=seconds, env=self.environment, pass_fds=[self.outside.fileno()],
        )
        assert not check or result.returncode == 0, f"{words}: {result.stderr}"
        return result

    def network(self, process=None):
        """That of the containers, or of this process."""
        return network_of(process or self.holder.pid)

    def load(self, name):
        """Loads an image as readers of the handbook do, once; returns its name with its version."""
        if name not in self.loaded:
            told = self("load", "--input", self.images / f"{name}.tar").stdout
            self.loaded[name] = told.split("Loaded image: ")[1].strip()
        return self.loaded[name]

    def start(self, name, options, image, *command):
        network = f"--network=ns:/proc/{self.holder.pid}/ns/net"
        self("run", "--detach", "--name", name, network, *(f"--ulimit={limit}" for limit in self.limits), *options, image, *command)

    def log(self, name):
        result = self("logs", name)
        return result.stdout + result.stderr

    def state(self, name):
        return json.loads(self("inspect", name).stdout)[0]["State"]

    def status_of_process(self, name):
        """What the kernel says of the first process of a container."""
        lines = pathlib.Path(f"/proc/{self.state(name)['Pid']}/status").read_text().splitlines()
        return {key: value.split() for key, _, value in (line.partition(":") for line in lines)}

    def clear(self):
        """Nothing but the images is left."""
        self("rm", "--all", "--force", "--time", "0", check=False)
        self("volume", "rm", "--all", "--force", check=False)

    def close(self):
        self.clear()
        self.holder.kill()
        self.holder.wait()
        self.holder.stdout.close()
        self.outside.close()
        subprocess.run(["umount", self.folder / "store/overlay"], capture_output=True)
        shutil.rmtree(self.folder, ignore_errors=True)


def service(name, folder):
    """The options and the command with which podman starts a service as compose.yaml describes it."""
    description = dict(yaml.safe_load(COMPOSE.read_text())["services"][name])
    assert description.pop("image").startswith("${IMAGE:?")
    command = description.pop("command", [])
    # The network of the test has all ports already, and nothing is to start by itself.
    description.pop("ports", None), description.pop("depends_on", None), description.pop("restart")
    health = description.pop("healthcheck", None)
    options = []
    for key, value in description.items():
        options += {
            "cap_drop": lambda: [f"--cap-drop={word}" for word in value],
            "logging": lambda: [f"--log-opt={word}={value['options'][word]}" for word in ["max-size"]],
            "mem_limit": lambda: [f"--memory={value}"],
            "pids_limit": lambda: [f"--pids-limit={value}"],
            "read_only": lambda: [f"--read-only={str(value).lower()}", "--read-only-tmpfs=false"],
            "security_opt": lambda: [f"--security-opt={word}" for word in value],
            "stop_grace_period": lambda: [f"--stop-timeout={value.removesuffix('s')}"],
            "stop_signal": lambda: [f"--stop-signal={value}"],
            "sysctls": lambda: [f"--sysctl={word}={number}" for word, number in value.items()],
            "tmpfs": lambda: [f"--tmpfs={word}" for word in value],
            "ulimits": lambda: [f"--ulimit={word}={number}" for word, number in value.items()],
            "volumes": lambda: [f"--volume={folder}/{word[2:]}" if word[0] == "." else f"--volume={word}" for word in value],
        }[key]()
    if health:
        assert health["test"][0] == "CMD"
        options += [f"--health-cmd={json.dumps(health['test'][1:])}", "--health-interval=disable",
                    f"--health-retries={health['retries']}", f"--health-timeout={health['timeout']}"]
    return options, command


def pods(images, claims, secrets):
    """The pods of the manifests by name, as podman 4.3 can start them, and the commands of their probes by container.

    It knows no Job, sysctls, fsGroup, modes of secrets and ports without a bridge, and for probes it wants systemd. The
    files of the secret lie in `secrets` as kubelet puts them, and claims are folders.
    """
    found, probes = {}, {}
    for path in [KUBERNETES / "publish.yaml", KUBERNETES / "site.yaml"]:
        manifest = next(yaml.safe_load_all(path.read_text()))
        spec = manifest["spec"]["template"]["spec"]
        for volume in spec["volumes"]:
            if "secret" in volume:
                mode, data = volume.pop("secret")["defaultMode"], secrets / "..2026_01_01"
                data.mkdir()
                for file in [file for file in secrets.iterdir() if file.is_file()]:
                    file.chmod(mode)
                    os.chown(file, 0, spec["securityContext"]["fsGroup"])
                    file.rename(data / file.name)
                    (secrets / file.name).symlink_to(f"..data/{file.name}")
                (secrets / "..data").symlink_to(data.name)
                volume["hostPath"] = {"path": str(secrets)}
            if "persistentVolumeClaim" in volume:
                volume["hostPath"] = {"path": str(claims / volume.pop("persistentVolumeClaim")["claimName"])}
        for container in spec["containers"]:
            container["image"] = images[container["image"]]
            container.pop("ports", None)
            for name in ["livenessProbe", "readinessProbe"]:
                if command := container.pop(name, {}).get("exec"):
                    probes[container["name"]] = command["command"]
        found[manifest["metadata"]["name"]] = spec
    return found, probes
