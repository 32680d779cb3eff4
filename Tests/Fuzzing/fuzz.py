#!/usr/bin/env python3
"""Runs the targets of Tests/Fuzzing one after the other, and prints a table.

What libFuzzer finds on its way stays in .build-fuzz/corpus, where the next run goes on from. An input for
which a property does not hold, which crashes, takes more than four seconds or too much memory is put into
.build-fuzz/findings, made smaller, and the message is printed.
"""
import argparse
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
BUILD = HERE.parents[1] / ".build-fuzz"
PROGRAM = BUILD / "release" / "fuzz"
LIMITS = ["-rss_limit_mb=1500", "-malloc_limit_mb=500", "-detect_leaks=0"]
# The words of a language that several targets read.
DICTIONARIES = {
    "imported-page": "markdown", "raw-html": "markdown", "summary": "markdown", "drawing": "markdown", "secrets": "toml",
    "sitegen-toml": "toml", "tenants": "toml", "protected-page": "front-matter",
    "key-set": "json", "discovery": "json", "token-answer": "json", "kept-metadata": "json",
    "id-token": "json", "jwt": "json", "emulator-requests": "requests", "emulator-queries": "requests",
    "form": "requests", "return-path": "url", "site-path": "url", "redirects": "url",
    "release-path": "url", "script": "style-sheet",
}


# Seconds of wall time for one input; more on a machine that does other work.
TIMEOUT = ["-timeout=4"]


def environment(target, scratch):
    # With Swift's own backtraces each crash would wait for a debugger.
    # What a target keeps for all inputs is no leak.
    return {
        **os.environ, "FUZZ_TARGET": target, "FUZZ_FOLDER": scratch, "SWIFT_BACKTRACE": "enable=no",
        "ASAN_OPTIONS": "detect_leaks=0",
    }


def seeds(target):
    """The inputs in Seeds/<target>.txt: separated by lines of '=====', with \\xHH for a byte."""
    file = HERE / "Seeds" / f"{target}.txt"
    if not file.exists():
        return []
    parts = re.split(r"^=====\n", file.read_text(), flags=re.MULTILINE)[1:]
    hexadecimal = re.compile(rb"\\x([0-9A-Fa-f]{2})")
    return [hexadecimal.sub(lambda match: bytes([int(match[1], 16)]), part.removesuffix("\n").encode()) for part in parts]


def libfuzzer(target, scratch, seconds, arguments):
    """What libFuzzer prints, and its status; ends it and its children after so many seconds."""
    program = subprocess.Popen(
        [PROGRAM, *LIMITS, *TIMEOUT, *arguments], env=environment(target, scratch), start_new_session=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    )
    try:
        text = program.communicate(timeout=seconds)[1]
    except subprocess.TimeoutExpired:
        os.killpg(program.pid, signal.SIGKILL)
        text = program.communicate()[1]
    return text.decode(errors="replace"), program.returncode


def smaller(target, finding, scratch):
    """Makes an input smaller for which a property does not hold, as far as half a minute allows."""
    small = finding.with_name(finding.name + ".small")
    options = ["-minimize_crash=1", "-max_total_time=30", f"-exact_artifact_path={small}"]
    libfuzzer(target, scratch, 45, [*options, finding])
    if small.exists() and small.stat().st_size < finding.stat().st_size:
        small.replace(finding)
    small.unlink(missing_ok=True)


def message(target, finding, scratch):
    """What the target says about an input."""
    text, _ = libfuzzer(target, scratch, 120, [finding])
    said = re.search(r"Fatal error: (.*?)\n==", text, re.DOTALL) or re.search(r"(ERROR: .*|SUMMARY: .*)", text)
    return said[1][:2000] if said else text[-500:]


def run(target, seconds, scratch):
    corpus, planted, findings = (BUILD / name / target for name in ["corpus", "seeds", "findings"])
    for folder in [corpus, planted, findings]:
        folder.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(seeds(target)):
        (planted / str(number)).write_bytes(seed)
    dictionary = HERE / "Dictionaries" / f"{DICTIONARIES.get(target, target)}.dict"
    options = [f"-dict={dictionary}"] if dictionary.exists() else []
    # libFuzzer writes a finding of an earlier run again.
    start = time.time()
    options += [f"-max_total_time={seconds}", f"-artifact_prefix={findings}/", "-print_final_stats=1"]
    text, status = libfuzzer(target, scratch, seconds + 300, [*options, corpus, planted])
    count = re.findall(r"stat::number_of_executed_units:\s*(\d+)|^#(\d+)\t", text, re.MULTILINE)
    executions = max((int(one or other) for one, other in count), default=0)
    found = sorted(finding for finding in findings.iterdir() if finding.stat().st_mtime >= start - 1)
    if status and not found:
        print(text[-2000:], file=sys.stderr)
        sys.exit(f"error: the target '{target}' ended with the status {status}")
    for finding in found:
        if not finding.name.startswith("slow-unit"):
            smaller(target, finding, scratch)
            print(f"\n{target}: {finding.relative_to(BUILD.parent)}: {message(target, finding, scratch)}", flush=True)
    return executions, [finding for finding in found if not finding.name.startswith("slow-unit")]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=int, default=60, help="for each target")
    parser.add_argument("--timeout", type=int, default=4, help="for one input")
    parser.add_argument("targets", nargs="*", help="all by default")
    arguments = parser.parse_args()
    TIMEOUT[:] = [f"-timeout={arguments.timeout}"]
    known = subprocess.run([PROGRAM], capture_output=True, text=True, check=True).stdout.split()
    for target in arguments.targets + [file.stem for file in (HERE / "Seeds").iterdir()]:
        if target not in known:
            sys.exit(f"error: there is no target '{target}'; there are: {', '.join(known)}")
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    scratch = tempfile.mkdtemp(prefix="fuzz-", dir=memory)
    results = []
    try:
        print(f"{'target':20}{'executions':>12}{'seconds':>9}{'findings':>10}", flush=True)
        for target in arguments.targets or known:
            executions, found = run(target, arguments.seconds, scratch)
            results.append((target, executions, len(found)))
            print(f"{target:20}{executions:12,}{arguments.seconds:9}{len(found):10}", flush=True)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    total = sum(count for _, _, count in results)
    print(f"\n{sum(count for _, count, _ in results):,} executions of {len(results)} targets, {total} findings")
    sys.exit(1 if total else 0)


if __name__ == "__main__":
    main()
