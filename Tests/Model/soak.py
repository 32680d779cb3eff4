"""Half of full load for hours, with everything that happens at a site in between; each answer is compared.

    .venv/bin/python Tests/Model/soak.py --minutes 30

Every four minutes the full rate is measured. Otherwise the same clients ask half as often, while people sign in and
out, and the site is published, rolled back, reloaded and restarted; secrets and keys change. The restarts are in the
first third. A process grows until each of its 128 threads for sign-ins has worked some times, which some thousand
sign-ins see to; the second half shows whether it grows further.

It ends with 1 if an answer was wrong, a request failed, a log has an error, or siteauth grew in the second half
(`resources.py` has the limits).
"""

import argparse
import collections
import pathlib
import random
import sys
import threading
import time
import traceback

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import service  # noqa: E402, F401  # finds the modules of the end-to-end tests
from client import Client, Failed  # noqa: E402
from questions import Questions, Wrong, judge  # noqa: E402
from resources import growth, sample  # noqa: E402
from steps import CHANGES, Steps  # noqa: E402

CLIENTS, BATCH, SAMPLE_SECONDS = 4, 20, 5
# In seconds. Again and again, because others may use the machine.
CALIBRATION, CALIBRATION_PAUSE = 8, 240
# After the last restart.
SIGN_INS = 2500


class Load:
    """Some clients that ask at a given rate together, or as fast as they can."""

    def __init__(self, steps, seed):
        self.steps, self.rate, self.done = steps, None, threading.Event()
        self.counts, self.shown, self.lock = collections.Counter(), [], threading.Lock()
        self.threads = [threading.Thread(target=self.work, args=(random.Random(f"{seed} {number}"),)) for number in range(CLIENTS)]

    def work(self, rng):
        site = self.steps.site
        client, questions, due = Client(site.port, site.authority), Questions(rng), time.monotonic()
        while not self.done.is_set():
            try:
                self.ask(client, questions)
            except Exception:
                self.show("broken", traceback.format_exc())
            # Late ones do not catch up: nobody who waited for a page asks twice as often afterwards.
            due = max(due + BATCH * CLIENTS / self.rate, time.monotonic() - 1) if self.rate else time.monotonic()
            # The full rate may be measured meanwhile.
            while self.rate and not self.done.is_set() and (pause := due - time.monotonic()) > 0:
                self.done.wait(min(pause, 0.1))
        client.close()

    def ask(self, client, questions):
        steps = self.steps
        settled = steps.settled
        questions.learn(steps.world.release.paths)
        asked = [questions.make(steps.sessions) for _ in range(BATCH)]
        sent = time.time()
        try:
            answers = client.ask([question.request for question in asked])
        except Failed as error:
            seconds = time.time() - sent
            return self.show("failed", f"{error} after {seconds:.1f} s; {steps.done[-1]}", BATCH)
        received, worlds = time.time(), steps.worlds[settled:]
        for question, answer in zip(asked, answers, strict=True):
            if answer.status >= 500:
                self.show("failed", f"{answer.status}: {question.target}; {steps.done[-1]}")
                continue
            try:
                judge(question, answer, worlds, sent, received, steps.site.entra)
            except Wrong as wrong:
                self.show("wrong", f"{wrong}\n" + "\n".join(steps.done))
        with self.lock:
            self.counts["answers"] += BATCH

    def show(self, kind, text, count=1):
        with self.lock:
            self.counts[kind] += count
            if len(self.shown) < 3:
                self.shown.append(text)
                print(f"{kind}: {text}", file=sys.stderr, flush=True)

    def close(self):
        self.done.set()
        for thread in self.threads:
            if thread.is_alive():
                thread.join()


class Hours:
    def __init__(self, minutes, seed):
        self.seconds, self.seed, self.rng = minutes * 60, seed, random.Random(seed)
        self.steps = Steps(self.rng, is_activated=True)
        self.load, self.samples, self.rows = Load(self.steps, seed), [], []

    def go(self):
        steps, load = self.steps, self.load
        try:
            steps.start()
            for _ in range(20):
                steps.step("sign_in")
            for thread in load.threads:
                thread.start()
            time.sleep(CALIBRATION)
            self.live()
            load.close()
            return self.report()
        except BaseException as error:
            error.add_note("the last steps:\n" + "\n".join(steps.done))
            raise
        finally:
            load.close()
            steps.close()

    def calibrate(self):
        """As fast as they can for some seconds; from then on half of that."""
        self.load.rate = None
        time.sleep(1)
        before = self.load.counts["answers"]
        time.sleep(CALIBRATION)
        full = (self.load.counts["answers"] - before) / CALIBRATION
        self.load.rate = max(full / 2, 1)
        print(f"full load: {full:,.0f} answers a second; now half of that", flush=True)

    def live(self):
        steps = self.steps
        start = minute = time.monotonic()
        sampled, last, restarts, calibrated, sign_ins = 0, collections.Counter(self.load.counts), 0, 0, 0
        while (now := time.monotonic()) < start + self.seconds:
            is_first_half = now < start + self.seconds / 2
            if now - calibrated > CALIBRATION_PAUSE:
                calibrated = now
                self.calibrate()
            if now < start + self.seconds / 3 and (now - start) // 45 > restarts:
                restarts += 1
                self.restart()
            elif now >= start + self.seconds / 3 and is_first_half and sign_ins < SIGN_INS:
                sign_ins += 10
                for _ in range(10):
                    steps.step("sign_in")
            name = self.rng.choices(list(CHANGES), CHANGES.values())[0]
            # Everybody's session ends less often, and the processes are counted above.
            if name != "restart" and (name != "revoke_all" or self.rng.random() < 0.3):
                steps.step(name)
            assert steps.site.siteauth.poll() is None, "siteauth has ended: " + steps.site.log("siteauth-0")[-2000:]
            if now - sampled >= SAMPLE_SECONDS:
                sampled = now
                self.samples.append((is_first_half, sample(steps.site.siteauth.pid)))
            if now - minute >= 60:
                self.row((now - start) / 60, last)
                minute, last = now, collections.Counter(self.load.counts)
            time.sleep(self.rng.uniform(0, 0.6))
        self.row(self.seconds / 60, last)

    def restart(self):
        """While people sign in, if the provider's keys are those that siteauth has before and afterwards."""
        steps = self.steps
        if steps.provider.signing not in steps.provider.known & steps.provider.published:
            return steps.step("restart")
        failed = []

        def sign_in():
            try:
                for _ in range(3):
                    steps.step("sign_in")
            except Exception as error:
                failed.append(error)

        people = threading.Thread(target=sign_in)
        people.start()
        steps.step("restart")
        people.join()
        if failed:
            raise failed[0]

    def row(self, minute, last):
        counts = {kind: self.load.counts[kind] - last[kind] for kind in ["answers", "wrong", "failed", "broken"]}
        steps, before = sum(self.steps.counts.values()), self.rows[-1][2] if self.rows else 0
        self.rows.append((minute, counts, steps))
        print(f"{minute:5.1f} min  {counts['answers']:9,} answers  {counts['wrong'] + counts['broken']} wrong  "
              f"{counts['failed']} failed  {steps - before:3} steps  {self.samples[-1][1]}", flush=True)

    def report(self):
        lines, has_grown = growth([sample for is_first, sample in self.samples if not is_first])
        counts, complaints = self.load.counts, self.steps.site.complaints()
        print("\nsteps: " + ", ".join(f"{name}: {count:,}" for name, count in sorted(self.steps.counts.items())))
        print(f"{counts['answers']:,} answers, {counts['wrong'] + counts['broken']} wrong, {counts['failed']} failed, "
              f"{len(complaints)} errors in the logs", *complaints[:5], sep="\n    ")
        print("siteauth, first and last third of the second half:", *lines, sep="\n    ")
        return not (counts["wrong"] or counts["broken"] or counts["failed"] or complaints or has_grown)


def main():
    parser = argparse.ArgumentParser(description="Half of full load for hours; each answer is compared with the model.")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    sys.exit(0 if Hours(arguments.minutes, arguments.seed).go() else 1)


if __name__ == "__main__":
    main()
