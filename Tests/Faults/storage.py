"""Disks that are full, and disks that can only be read."""

import contextlib
import os
import subprocess

import building
from hardship import mounted, workplace
from running_siteauth import ALICE, BOB, Service
from small_site import SmallSite


def disk(work):
    """Output and state on a file system that has room for less and less, in bytes or in files."""
    with workplace() as folder:
        site_folder = folder / "site"
        site_folder.mkdir()
        site = SmallSite(site_folder)
        site.change("old")
        with mounted(folder / "measure", "size=64m") as disk_folder:
            if not disk_folder:
                work.skipped = f"{work.name}: skipped, because this user may not mount a file system"
                return
            assert site.build(arguments=["--output", disk_folder / "public"]).returncode == 0
            found = os.statvfs(disk_folder)
            blocks, files = found.f_blocks - found.f_bfree, found.f_files - found.f_ffree
        sizes = [(f"size={4 * n}k", 4 * n) for n in range(blocks // 3, 2 * blocks + 30, 5)]
        sizes += [(f"size=64m,nr_inodes={n}", n) for n in range(files // 2, 2 * files + 20, 5)]
        work.chance.shuffle(sizes)
        for size, _ in sizes:
            if not work.goes_on():
                break
            with mounted(folder / "disk", size) as disk_folder:
                output = disk_folder / "public"
                site.change("old")
                first = site.build(arguments=["--output", output])
                before, wrong = site.current(output)
                site.change("new")
                second = site.build(arguments=["--output", output])
                after, more = site.current(output)
                problems = building.ending(first) + building.ending(second)
                if before is None or after is None:
                    problems.append(wrong or more)
                if (first.returncode == 0) != (before == "old") or (second.returncode == 0) != (after == "new"):
                    problems.append(f"status {first.returncode} and {second.returncode}, but current was '{before}' and is '{after}'")
                if second.returncode and after != before:
                    problems.append(f"a failed build made '{after}' of '{before}'")
                subprocess.run(["mount", "-o", "remount,size=64m,nr_inodes=100000", disk_folder], check=True)
                third = site.build(arguments=["--output", output])
                last, wrong = site.current(output)
                if third.returncode or last != "new":
                    problems.append(f"with room again: status {third.returncode}, current is '{last}': {wrong} {third.stderr[-300:]}")
                problems += [f"with room again it leaves {left[:4]}" for left in [site.leftovers(output)] if left]
                work.runs += 1
                work.add(size, problems)
    disk_of_siteauth(work)


def disk_of_siteauth(work):
    """A state folder without room: nobody gets more, and a sign-out that cannot be kept is not confirmed."""
    with workplace() as folder, mounted(folder / "state", "size=64m") as state:
        service = Service(folder)
        try:
            assert service.start()
            alice, bob, gone = service.sign_in(ALICE)[0], service.sign_in(BOB)[0], service.sign_in(ALICE)[0]
            assert service.sign_out(gone).status == 303
            for option in ["size=4k", "nr_inodes=1"]:
                subprocess.run(["mount", "-o", f"remount,{option}", state], capture_output=True)
                filler = state / "filler"
                with contextlib.suppress(OSError), filler.open("wb") as file:
                    while True:
                        file.write(bytes(1 << 20))
                        file.flush()
                number, made = 0, []
                with contextlib.suppress(OSError):
                    while number < 100_000:
                        (state / f"filler{number}").touch()
                        made.append(state / f"filler{number}")
                        number += 1
                copy = service.sign_in(ALICE)
                problems = [] if copy else ["nobody can sign in"]
                if copy:
                    ended = service.sign_out(copy[0]).status == 303
                    problems += service.wrongs([(None if ended else ALICE, copy[0])])
                problems += service.wrongs([(None, ""), (None, gone), (ALICE, alice), (BOB, bob)])
                filler.unlink(missing_ok=True)
                for file in made:
                    file.unlink()
                subprocess.run(["mount", "-o", "remount,size=64m,nr_inodes=100000", state], capture_output=True)
                copy = service.sign_in(ALICE)
                if not copy or service.sign_out(copy[0]).status != 303:
                    problems.append("with room again nobody can sign out")
                work.runs += 1
                work.add(f"siteauth with {option}", problems)
        finally:
            service.close()

def forbidden(work):
    """Output and state that can only be read."""
    with workplace() as folder, mounted(folder / "disk", "size=64m") as disk_folder:
        if not disk_folder:
            work.skipped = f"{work.name}: skipped, because this user may not mount a file system"
            return
        (folder / "site").mkdir()
        site = SmallSite(folder / "site")
        site.change("old")
        output, pack = disk_folder / "public", folder / "pack"
        assert site.build(arguments=["--output", output]).returncode == 0
        site.change("new")
        assert site.build(arguments=["--output", folder / "other"]).returncode == 0
        assert site.sitegen("releases", "pack", pack, "--output", folder / "other").returncode == 0
        subprocess.run(["mount", "-o", "remount,ro", disk_folder], check=True)
        for command in [["build"], ["releases", "activate", pack], ["releases", "rollback", "1"]]:
            result = site.sitegen(*command, "--output", output)
            problems = building.ending(result)
            if site.current(output) != ("old", "") or result.returncode == 0:
                problems.append(f"exit status {result.returncode}, current is {site.current(output)}")
            work.runs += 1
            work.add(" ".join(str(word) for word in command[:2]), problems)
        subprocess.run(["mount", "-o", "remount,rw", disk_folder], check=True)
        result = site.sitegen("build", "--output", output)
        work.add("afterwards", [] if site.current(output) == ("new", "") else [result.stderr])
    with workplace() as folder, mounted(folder / "state", "size=64m") as state:
        service = Service(folder)
        try:
            assert service.start()
            alice = service.sign_in(ALICE)[0]
            subprocess.run(["mount", "-o", "remount,ro", state], check=True)
            copy = service.sign_in(ALICE)
            answer = service.sign_out(copy[0] if copy else alice).status
            problems = ["signing out is confirmed"] if answer == 303 else []
            problems += service.wrongs([(None, ""), (ALICE, alice)])
            service.kill()
            # It may refuse to start, with a reason.
            if service.start():
                problems += service.wrongs([(None, ""), (ALICE, alice)])
            elif service.process.poll() is None or service.process.poll() < 0 or "error" not in service.log.read_text():
                problems.append(f"it does not start: {service.process.poll()} {service.log.read_text()[-300:]}")
            work.runs += 2
            work.add("siteauth", problems)
        finally:
            service.close()
