"""Takes each guard of guards.toml away in turn, and looks whether a test fails.

    mutants.py [--only WORDS] [--from NUMBER]

Works in a copy of the sources, in .build-mutants. Ends with 1 if a guard could be taken away without a failing test,
or is no longer where guards.toml says. A guard that others make up for says so ('is_equivalent') and is not counted.
"""

import argparse
import pathlib
import shutil
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
    options = argparse.ArgumentParser()
    options.add_argument("--only", default="")
    options.add_argument("--from", type=int, default=1, dest="first")
    options = options.parse_args()
    guards = tomllib.loads((ROOT / "Tests/Mutation/guards.toml").read_text())["guard"]
    chosen = [(n, guard) for n, guard in enumerate(guards, 1) if n >= options.first and options.only in guard["name"]]
    missing = [guard["name"] for _, guard in chosen if (ROOT / guard["file"]).read_text().count(guard["old"]) != 1]
    for name in missing:
        print(f"not found once in its file: {name}")
    if missing:
        return 1
    WORK.mkdir(exist_ok=True)
    for name in ["Package.swift", "Sources", "Tests", "templates", "languages", "site", "sitegen.toml", "nginx"]:
        source, copy = ROOT / name, SOURCES / name
        if source.is_dir():
            # Files that are as they were keep their times, so that little is compiled again.
            subprocess.run(["cp", "--archive", "--update", f"{source}/.", copy], check=True) if copy.exists() else shutil.copytree(source, copy, symlinks=True)
        else:
            SOURCES.mkdir(exist_ok=True)
            shutil.copy2(source, copy)
    print("Building without a change")
    built = build()
    if built.returncode:
        print(built.stdout + built.stderr)
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
