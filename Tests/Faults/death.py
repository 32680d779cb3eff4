"""SIGKILL at random moments."""

import subprocess
import time

import building
from hardship import workplace
from running_siteauth import ALICE, BIN, BOB, Service
from small_site import bounded


def death_of_commands(work):
    """SIGKILL at a random moment of a command that changes the output folder."""
    for name in ["text", "rule", "first", "rollback", "activate"]:
        with workplace() as folder:
            (folder / "site").mkdir()
            scenario = building.SCENARIOS[name](folder / "site")
            scenario.prepare()
            start = time.monotonic()
            scenario.check(scenario.run(None))
            usual = time.monotonic() - start
            share = time.monotonic() + max(1, (work.deadline - start) / 6)
            while time.monotonic() < share:
                scenario.prepare()
                moment = work.chance.uniform(0, usual)
                result = bounded(
                    ["timeout", "--signal=KILL", f"{moment:.4f}", BIN / "sitegen", *arguments(scenario)], cwd=scenario.site.folder)
                work.runs += 1
                # `timeout` dies of the signal that it sends.
                if result.returncode == -9:
                    result.returncode, result.stderr = 1, "error: killed"
                    state, _ = scenario.site.current()
                    if state == scenario.target:
                        # Killed when all was done.
                        result.returncode = 0
                work.add(f"{name} after {moment:.4f} s", scenario.check(result))


def arguments(scenario):
    if isinstance(scenario, building.Rollback):
        return ["releases", "rollback", "1" if scenario.target == "old" else "2"]
    if isinstance(scenario, building.Activate):
        return ["releases", "activate", scenario.pack]
    return ["build", "--jobs", "1"]


def death_of_siteauth(work):
    """SIGKILL while sessions are ended: a sign-out that was confirmed holds after the next start."""
    with workplace() as folder:
        service = Service(folder)
        try:
            assert service.start()
            share = time.monotonic() + max(2, (work.deadline - time.monotonic()) / 2)
            while time.monotonic() < share:
                copies = [service.sign_in(ALICE)[0] for _ in range(4)]
                kept = service.sign_in(BOB)[0]
                moment = work.chance.uniform(0, 0.006)
                killer = subprocess.Popen(["sh", "-c", f"sleep {moment:.4f}; kill -9 {service.process.pid}"])
                ended = [cookie for cookie in copies if service.sign_out(cookie).status == 303]
                killer.wait()
                service.process.wait()
                work.runs += 1
                if not service.start():
                    work.add(f"after {moment:.4f} s", ["it does not start again"])
                    return
                readers = [(None, ""), (BOB, kept)] + [(None, cookie) for cookie in ended]
                work.add(f"siteauth after {moment:.4f} s", service.wrongs(readers))
        finally:
            service.close()


def death(work):
    death_of_commands(work)
    work.deadline += 10
    death_of_siteauth(work)
