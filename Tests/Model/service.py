"""A site of the model's own: the shipped nginx configuration, siteauth, the emulator, and a folder of Markdown."""

import os
import pathlib
import re
import signal
import subprocess
import sys
import types

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "EndToEnd"))
import raw_http  # noqa: E402
from demo_site import ALICE, BOB, sitegen, wait_for  # noqa: E402
from own_service import OwnService  # noqa: E402
from secure_site import SecureSite  # noqa: E402

CAROL, SOREN = "ca401000-0000-4000-8000-00000000000c", "504e4000-0000-4000-8000-00000000000d"
BOARD, NIGHT = "b0a2d000-0000-4000-8000-00000000b0a2", "5ec00000-0000-4000-8000-0000005ec000"
# What the emulator's own file says of them, in the words of sitegen.toml.
READERS = {ALICE: {"role HR"}, BOB: set(), CAROL: {f"group {BOARD}"}, SOREN: set()}
TRAITS = {"role HR", "role IT", f"group {BOARD}", f"group {NIGHT}", *(f"users {user}" for user in READERS)}


class ModelSite(SecureSite):
    """The limits for each client are raised, because all readers come from one; nothing else is changed."""

    def __init__(self, settings="", is_activated=False, processes=1):
        super().__init__(None, "revalidate_after_seconds = 0\n" + settings, ("state",) * processes)
        self.public, self.source = self.folder / "public", self.folder / "handbook"
        self.source.mkdir()
        self.is_activated, self.listening = is_activated, []
        if is_activated:
            sockets = types.SimpleNamespace(folder=self.folder, listening=self.listening)
            OwnService.listen(sockets)
            for name in ["check", "pages", "status"]:
                # nginx finds them under the name that they have without systemd.
                (self.folder / f"{name}-0.sock").symlink_to(f"{name}.sock")

    def write_nginx(self):
        super().write_nginx()
        file = self.folder / "site.conf"
        text = re.sub(r"rate=\d+r/s", "rate=100000r/s", file.read_text())
        file.write_text(text.replace(f"access_log {self.folder}/site.log site;", "access_log off;"))

    def run(self, name, *command):
        """As SecureSite does; siteauth may get its sockets from here, as from systemd."""
        if not (self.is_activated and name == "siteauth-0"):
            return super().run(name, *command)
        numbers = [listening.fileno() for listening in self.listening]
        script = 'exec 3<&%d 4<&%d 5<&%d; LISTEN_PID=$$ exec "$@"' % tuple(numbers)
        with (self.folder / f"{name}.log").open("a") as log:
            self.processes[name] = subprocess.Popen(
                ["bash", "-c", script, "siteauth", *command], stderr=log, stdout=log, pass_fds=numbers,
                env=os.environ | {"LISTEN_FDS": "3", "LISTEN_FDNAMES": "check:pages:status"},
            )

    @property
    def names(self):
        return [f"siteauth-{number}" for number in range(len(self.states))]

    @property
    def siteauth(self):
        return self.processes["siteauth-0"]

    def restart(self):
        """In one of the two ways that lose no request; returns when the keys of the provider were fetched."""
        for name in self.names:
            former = self.processes.pop(name)
            count = self.log(name).count("ready for")
            if self.is_activated:
                self.end(former)
                self.run(name, *former.args[4:])
            else:
                self.run(name, *former.args)
            wait_for(lambda: self.log(name).count("ready for") > count)
            if not self.is_activated:
                self.end(former)
        self.wait_for_keys()

    @staticmethod
    def end(process):
        process.terminate()
        assert process.wait(timeout=60) == 0, "siteauth ends with a mistake"

    def wait_for_keys(self):
        for number in range(len(self.states)):
            wait_for(lambda: re.search(r'endpoint="keys",outcome="answered"} [1-9]', self.metrics(number)))

    def set_secrets(self, secrets):
        """Writes secrets.toml and lets siteauth read it."""
        file, fresh = self.folder / "secrets.toml", self.folder / "secrets.new"
        values = ", ".join(f'"{secret}"' for secret in secrets)
        fresh.touch(mode=0o600)
        fresh.write_text(re.sub(r"cookie_secret = .*", f"cookie_secret = [{values}]", file.read_text()))
        fresh.rename(file)
        self.reload()

    def reload(self):
        counts = {name: self.log(name).count("configuration read again") for name in self.names}
        for name in self.names:
            self.processes[name].send_signal(signal.SIGHUP)
        for name, count in counts.items():
            wait_for(lambda: self.log(name).count("configuration read again") > count)

    def sitegen(self, *arguments):
        return sitegen(self.source, *arguments, "--output", self.public)

    def provider_ends(self, sid):
        """The hidden frame of the provider's page, after somebody has signed out there."""
        target = f"/auth/front-channel-sign-out?sid={sid}"
        status, _, body = raw_http.ask(self.port, target, authority=self.authority)
        assert (status, body) == (200, b"")

    def complaints(self):
        """Errors in nginx's and siteauth's logs, but for a key of the provider that siteauth cannot know yet."""
        nginx = [line for line in self.log("nginx").splitlines() if re.search(r"\[(error|crit|alert|emerg)\]", line)]
        siteauth = [line for name in self.names for line in self.log(name).splitlines()]
        return nginx + [line for line in siteauth
                        if line.startswith("siteauth: error") and "the provider publishes no such key" not in line]

    def close(self):
        super().close()
        for listening in self.listening:
            listening.close()
