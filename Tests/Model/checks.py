"""Asks siteauth's check socket as nginx does, a connection for each check, and compares each verdict with the model."""

import os
import random
import socket
import struct
import threading
import time

from model import Verdict
from questions import ACCOUNT, Questions
from resources import growth, sample
from status_page import BEGIN, PARAMETERS, STANDARD_INPUT, record

STATUSES = {Verdict.PAGE: b"204", Verdict.MISSING: b"204", Verdict.SIGN_IN: b"401", Verdict.FORBIDDEN: b"403"}
SAMPLES = 60


def length(value):
    return bytes([len(value)]) if len(value) < 128 else struct.pack(">I", len(value) | 1 << 31)


def check_request(variables):
    """All records of one request, which ends its connection."""
    pairs = b"".join(length(name) + length(value) + name + value for name, value in (
        (name.encode(), value.encode()) for name, value in variables.items()))
    return (record(BEGIN, struct.pack(">HB5x", 1, 0)) + record(PARAMETERS, pairs) + record(PARAMETERS)
            + record(STANDARD_INPUT))


def prepare(steps, count, rng):
    """So many requests, each with the status that the model gives."""
    questions, release, made = Questions(rng, steps.world.release.paths), os.path.realpath(steps.site.public / "current"), []
    while len(made) < count:
        question = questions.make(steps.sessions)
        if question.path == ACCOUNT:
            continue
        variables = {
            "REQUEST_METHOD": "GET", "HTTP_COOKIE": question.cookie, "SITE_PATH": question.path, "SITE_RELEASE": release,
            "HTTP_SEC_FETCH_MODE": "navigate" if question.is_navigation else "cors", "HTTP_ACCEPT": "",
            "HTTP_X_REQUESTED_WITH": "",
        }
        verdict = steps.world.verdict(question.path, question.sessions, int(time.time()))
        made.append((check_request(variables), STATUSES[verdict], question))
    return made


class Checks:
    def __init__(self, path, prepared, count, seconds):
        self.path, self.prepared, self.limit = str(path), prepared, count
        self.ends, self.count, self.wrong = time.monotonic() + seconds, 0, []
        self.lock = threading.Lock()

    def take(self):
        """A thousand of them, or fewer at the end."""
        with self.lock:
            taken = 0 if time.monotonic() > self.ends or len(self.wrong) > 20 else min(1000, self.limit - self.count)
            self.count += taken
            return taken

    def work(self, number):
        place = number
        while taken := self.take():
            for _ in range(taken):
                request, status, question = self.prepared[place % len(self.prepared)]
                place += 1
                try:
                    with socket.socket(socket.AF_UNIX) as connection:
                        connection.connect(self.path)
                        connection.sendall(request)
                        answer = connection.recv(65_536)
                    found = answer[8:19]
                except OSError as error:
                    found = str(error).encode()
                if found != b"Status: " + status:
                    self.wrong.append(f"{found!r} instead of {status!r}: {question}")


def run(steps, count, minutes, threads=2):
    """Whether all was right; prints what was measured."""
    rng = random.Random(1)
    for _ in range(20):
        steps.step("sign_in")
    steps.step("sign_out")
    checks = Checks(steps.site.folder / "check-0.sock", prepare(steps, 997, rng), count, minutes * 60)
    workers = [threading.Thread(target=checks.work, args=(number,)) for number in range(threads)]
    start, samples = time.monotonic(), []
    for worker in workers:
        worker.start()
    pid, printed, last = steps.site.siteauth.pid, time.monotonic(), 0
    while any(worker.is_alive() for worker in workers):
        time.sleep(min(5, minutes * 60 / SAMPLES))
        samples.append(sample(pid))
        if time.monotonic() - printed > 60:
            print(f"{checks.count:12,} checks, {(checks.count - last) / (time.monotonic() - printed):,.0f}/s, "
                  f"{len(checks.wrong)} wrong; {samples[-1]}", flush=True)
            printed, last = time.monotonic(), checks.count
    seconds = time.monotonic() - start
    # The first tenth fills what a process fills once.
    lines, has_grown = growth(samples[len(samples) // 10:])
    print(f"{checks.count:,} checks in {seconds:.0f} s, {checks.count / seconds:,.0f} a second, {len(checks.wrong)} wrong")
    print("siteauth, first and last third:", *lines, *checks.wrong[:5], sep="\n    ", flush=True)
    return not checks.wrong and not has_grown
