"""Few descriptors, and clocks that jump."""

import threading

import building
from control_file import Control
from hardship import workplace
from running_siteauth import ALICE, BIN, BOB, Emulator, Service, until
from small_site import SmallSite, bounded


def descriptors(work):
    """With 64 descriptors and fewer, each program does its work or says why it does not."""
    with workplace() as folder:
        (folder / "site").mkdir()
        site = SmallSite(folder / "site")
        pack = folder / "pack"
        for limit in [64, 48, 32, 24, 16, 12, 8, 6, 5, 4]:
            for command in [["build"], ["releases", "pack", pack], ["releases", "activate", pack], ["releases"], ["check"]]:
                site.change(work.chance.choice(["old", "new"]))
                before = site.current()
                result = bounded(
                    ["bash", "-c", f'ulimit -n {limit}; exec "$@"', "sh", BIN / "sitegen", *command], cwd=site.folder, seconds=60)
                problems = building.ending(result)
                state, wrong = site.current()
                if state is None and not (command[-1] == pack and "activate" in command and result.returncode == 0):
                    problems.append(wrong)
                if limit == 64 and result.returncode:
                    problems.append(f"64 are too few: {result.stderr[-300:]}")
                if result.returncode and before != site.current():
                    problems.append("it failed, and changed something")
                work.runs += 1
                work.add(f"{limit} for {command}", problems)
                if command[-1] == pack and "activate" in command:
                    site.clean_up()
                    site.build()
    with workplace() as folder:
        service = Service(folder)
        try:
            for limit in [64, 48, 40]:
                # The hard limit, too: siteauth raises the soft one.
                command = ["bash", "-c", f'ulimit -Hn {limit}; ulimit -Sn {limit}; exec "$@"', "sh", *service.command()]
                work.runs += 1
                if not service.start(command):
                    code = service.process.poll()
                    is_told = code is not None and code > 0 and "error" in service.log.read_text()
                    if not is_told or limit == 64:
                        work.add(f"siteauth {limit}", [f"it ends with {code}: {service.log.read_text()[-300:]}"])
                    continue
                work.add(f"siteauth {limit}", crowd(service))
        finally:
            service.close()


def crowd(service):
    """More readers wait for the provider than siteauth has descriptors for, and then all is as before."""
    alice, bob = service.sign_in(ALICE), service.sign_in(BOB)
    if not alice or not bob:
        return ["nobody can sign in"]
    readers = [(None, ""), (ALICE, alice[0]), (BOB, bob[0])]
    begun = [service.begin() for _ in range(80)]
    callbacks = [service.emulator.pick(answer.field("location"), BOB) for answer in begun]
    service.emulator.order("faults", name="slow", endpoint="token", seconds=2, until="further-notice")
    answers, problems = [], []
    threads = [
        threading.Thread(target=lambda pair=pair: answers.append(service.finish(*pair))) for pair in zip(begun, callbacks)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        problems += service.wrongs(readers, is_exact=False)
    service.emulator.order("faults", name="all", until="off")
    for answer in answers:
        if session := answer.cookies.get("session"):
            problems += service.wrongs([(BOB, f"session={session}")])
        elif answer.status not in (0, 500, 503):
            problems.append(f"a callback answers {answer.status} without a session")
    # Until the provider is asked again.
    if not until(lambda: service.sign_in(BOB), 30):
        problems.append("afterwards nobody can sign in")
    return problems + [f"afterwards {wrong}" for wrong in service.wrongs(readers)]


DAY = 86_400
YEAR = 365 * DAY
JUMPS = [3600, -3600, DAY, -DAY, 31 * DAY, -31 * DAY, 12 * YEAR, 80 * YEAR, -20 * YEAR, -56 * YEAR, 400 * YEAR]


def clocks(work):
    """The time of day jumps, also past 2038 and before 2001."""
    with workplace() as folder:
        (folder / "site").mkdir()
        site = SmallSite(folder / "site")
        control = Control(folder, "sitegen")
        for number, jump in enumerate([0, *JUMPS, 0]):
            state = "new" if number % 2 else "old"
            site.change(state)
            control.set_clock(jump)
            result = site.build(control.environment)
            problems = building.ending(result)
            if result.returncode or site.current() != (state, ""):
                problems.append(f"exit status {result.returncode}, {site.current()}: {result.stderr[-300:]}")
            work.runs += 1
            work.add(f"build at {jump:+} s", problems)
    with workplace() as folder:
        emulator = Emulator(folder)
        service = Service(folder, emulator=emulator)
        try:
            assert service.start()
            alice, bob, gone = service.sign_in(ALICE)[0], service.sign_in(BOB)[0], service.sign_in(ALICE)[0]
            assert service.sign_out(gone).status == 303
            for jump in JUMPS:
                service.control.set_clock(jump)
                readers = [(None, ""), (None, gone), (ALICE, alice), (BOB, bob)]
                problems = service.wrongs(readers, is_exact=False)
                # A session that ends by a clock that is wrong stays ended when the clock is right again.
                copy = service.sign_in(ALICE) if abs(jump) <= 3600 else None
                target = copy[0] if copy else alice
                ended = service.sign_out(target).status == 303 if copy else False
                if ended:
                    problems += service.wrongs([(None, target)], is_exact=False)
                service.control.set_clock(0)
                problems += service.wrongs(readers + ([(None, target)] if ended else []))
                if service.process.poll() is not None:
                    problems.append(f"it has ended: {service.process.poll()}")
                    service.start()
                work.runs += 1
                work.add(f"siteauth at {jump:+} s", problems)
        finally:
            service.close()
            emulator.close()
