"""entra-emulator by itself, on free ports and with a tenant file of the test's own."""

import functools
import pathlib
import shutil
import subprocess
import tempfile

from demo_site import CLIENT_SECRET as SECRET
from demo_site import BIN, free_port, order, wait_for
from tls_front import TLSFront, make_certificate

TENANT = "33333333-cccc-4000-8000-000000000003"
ALICE = "a11ce333-0000-4000-8000-00000000000a"
ORCHARD = "44444444-dddd-4000-8000-000000000004"
APPLICATION = "22222222-bbbb-4000-8000-000000000033"
CERTIFIED_APPLICATION = "22222222-bbbb-4000-8000-000000000034"
APPROVED_APPLICATION = "22222222-bbbb-4000-8000-000000000035"
COMMAND_LINE = "22222222-bbbb-4000-8000-000000000036"
TASKS_API = "22222222-bbbb-4000-8000-000000000037"
ORCHARD_APPLICATION = "22222222-bbbb-4000-8000-000000000044"
IDENTITY = "1de00000-0000-4000-8000-000000000001"
PRINCIPAL = "1de00000-0000-4000-8000-000000000002"

TENANT_FILE = pathlib.Path(__file__).with_name("tenants.toml").read_text().format_map(globals())


class EntraEmulator:
    """entra-emulator with the tenants of a file; what it writes stays in the folder."""

    order = order

    def __init__(self, folder, port=None, admin_port=None):
        self.folder, self.log = folder, folder / "entra.log"
        self.port, self.admin_port = port or free_port(), admin_port or free_port()
        self.url, self.admin = f"http://localhost:{self.port}", f"http://localhost:{self.admin_port}"
        self.process = None

    def start(self, tenants):
        (self.folder / "tenants.toml").write_text(tenants)
        command = [BIN / "entra-emulator", "serve", "--port", str(self.port), "--admin-port", str(self.admin_port)]
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [*command, "--base-url", self.url, "--tenants", "tenants.toml"], cwd=self.folder, stderr=log
            )
        wait_for(lambda: "administration at" in self.log.read_text() or self.process.poll() is not None)
        assert self.process.poll() is None, self.log.read_text()
        return self

    def close(self):
        if self.process:
            self.process.terminate()
            self.process.wait(timeout=60)


@functools.cache
def built_in_tenants():
    command = [BIN / "entra-emulator", "init"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


class Emulator(EntraEmulator):
    """With the tenants above and behind TLS; managed identities are at `admin`."""

    def __init__(self):
        super().__init__(pathlib.Path(tempfile.mkdtemp(prefix="emulator-", dir="/tmp")))
        self.front = TLSFront(self.port)
        self.url = self.front.url

    def start(self):
        make_certificate(self.folder, "client", "/CN=Certified")
        super().start(TENANT_FILE)
        self.front.start()
        return self

    def authority(self, tenant=TENANT):
        return f"{self.url}/{tenant}"

    def close(self):
        super().close()
        self.front.close()
        shutil.rmtree(self.folder, ignore_errors=True)
