"""Takes each guard of guards.toml away in turn, and looks whether a test fails.

    python3 Tests/Mutation/mutants.py [--only WORDS OF A NAME] [--from NUMBER]

Works in a copy of the sources, in .build-mutants. Ends with 1 if a guard could be taken away without a failing test,
or is no longer where guards.toml says. A guard that others make up for says so ('is_equivalent') and is not counted.
"""

import argparse
import pathlib
import subprocess
import sys
import time
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORK = ROOT / ".build-mutants"
SOURCES = WORK / "project"
# A guard that is gone leaves values that nobody reads.
FLAGS = ["--scratch-path", str(WORK / "build"), "-Xswiftc", "-no-warnings-as-errors"]


def swift(*arguments):
    return subprocess.run(["swift", *arguments, *FLAGS], cwd=SOURCES, capture_output=True, text=True)


def build():
    return swift("build", "--build-tests", "--quiet")


def test(names):
    # The programs ignore SIGPIPE; the tests share one process, which must ignore it too.
    command = ["bash", "-c", "trap '' PIPE; exec swift \"$@\"", "swift", "test", "--skip-build", "--disable-xctest", "--filter", names, *FLAGS]
    return subprocess.run(command, cwd=SOURCES, capture_output=True, text=True)


def main():
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--only", default="", metavar="WORDS", help="guards with these words in their names")
    options.add_argument("--from", type=int, default=1, dest="first", metavar="NUMBER", help="on from this guard")
    options = options.parse_args()
    guards = tomllib.loads((ROOT / "Tests/Mutation/guards.toml").read_text())["guard"]
    chosen = [(n, guard) for n, guard in enumerate(guards, 1) if n >= options.first and options.only in guard["name"]]
    if not chosen:
        print(f"error: no guard has '{options.only}' in its name", file=sys.stderr)
        return 2
    missing = [guard["name"] for _, guard in chosen if (ROOT / guard["file"]).read_text().count(guard["old"]) != 1]
    for name in missing:
        print(f"not found once in its file: {name}")
    if missing:
        return 1
    WORK.mkdir(exist_ok=True)
    # By what they contain: a run that was ended leaves a file without its guard, which is newer. Files that are
    # the same keep their times, so that little is compiled again.
    names = ["Package.swift", "Sources", "Tests", "templates", "languages", "site", "sitegen.toml", "nginx"]
    command = ["rsync", "--recursive", "--links", "--checksum", "--delete", "--force"]
    subprocess.run([*command, *names, f"{SOURCES}/"], cwd=ROOT, check=True)
    print("Building without a change")
    built = build()
    if built.returncode:
        print(built.stdout + built.stderr)
        return 1
    # A test that fails for another reason would count as one that watches.
    names = "|".join(sorted({guard.get("tests", "RelyingPartyTests") for _, guard in chosen}))
    passed = test(names)
    if passed.returncode:
        print(f"{passed.stdout[-2000:]}{passed.stderr[-2000:]}\nerror: these tests fail without a change", file=sys.stderr)
        return 1
    survivors = []
    for number, guard in chosen:
        file = SOURCES / guard["file"]
        original = file.read_text()
        start = time.monotonic()
        try:
            file.write_text(original.replace(guard["old"], guard.get("new", "")))
            built = build()
            if built.returncode:
                outcome = "does not compile"
            else:
                outcome = "no test fails" if test(guard.get("tests", "RelyingPartyTests")).returncode == 0 else "killed"
        finally:
            file.write_text(original)
        if outcome != "killed":
            if "is_equivalent" in guard:
                outcome += f"; {guard['is_equivalent']}"
            else:
                survivors.append(guard["name"])
        print(f"{number:3}  {outcome:20}{guard['name']} ({time.monotonic() - start:.0f} s)", flush=True)
        if outcome == "does not compile":
            print(built.stdout[-2000:] + built.stderr[-2000:])
    print(f"{len(chosen) - len(survivors)} of {len(chosen)} guards are watched by a test")
    for name in survivors:
        print(f"not watched: {name}")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
