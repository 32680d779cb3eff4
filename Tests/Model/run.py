"""Compares many random answers of the real programs with the model.

    .venv/bin/python Tests/Model/run.py --answers 100000 --seed 1

The same seed makes the same site and begins with the same steps. The programs' random numbers and the clock are
others each time, so later steps may differ; a failure prints the last ones.
"""

import argparse
import pathlib
import random
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import service  # noqa: E402, F401  # finds the modules of the end-to-end tests
from client import Client, Failed, cookie_of  # noqa: E402
from questions import Questions, Wrong, judge  # noqa: E402
from steps import Steps  # noqa: E402

BATCH, BATCHES = 40, 5


class Run:
    """One site from its start to its end; `spoil` may break something behind the model's back."""

    def __init__(self, seed, spoil=None):
        self.seed, self.spoil, self.rng = seed, spoil, random.Random(seed)
        # Some sites with sessions that end within the run.
        lifetime, idle = self.rng.choice([(36_000, 7200), (36_000, 60), (60, 60)])
        # Some behind systemd's sockets, and some with two processes that share the state.
        is_activated, processes = self.rng.choice([(False, 1), (True, 1), (False, 2)])
        self.steps = Steps(self.rng, lifetime, idle, is_activated, processes)
        self.questions, self.answers, self.statuses = Questions(self.rng), 0, {}

    def go(self, answers):
        steps = self.steps
        try:
            steps.start()
            self.client = Client(steps.site.port, steps.site.authority)
            for _ in range(3):
                steps.step("sign_in")
            while self.answers < answers:
                steps.step()
                if self.spoil:
                    self.spoil(self)
                for _ in range(BATCHES):
                    self.ask(BATCH)
            complaints = steps.site.complaints()
            assert not complaints, f"the log: {complaints[:5]}"
        except BaseException as error:
            error.add_note(self.story())
            raise
        finally:
            steps.close()
        return self

    def ask(self, count):
        steps, release = self.steps, self.steps.world.release
        self.questions.learn(release.paths)
        questions = [self.questions.make(steps.sessions) for _ in range(count)]
        sent = time.time()
        answers = self.client.ask([question.request for question in questions])
        received = time.time()
        for question, answer in zip(questions, answers, strict=True):
            judge(question, answer, steps.worlds[steps.settled:], sent, received, steps.site.entra)
            self.answers += 1
            self.statuses[answer.status] = self.statuses.get(answer.status, 0) + 1
            cookie = cookie_of(answer)
            if cookie and len(question.sessions) == 1 and self.rng.random() < 0.1:
                steps.renewed(question.sessions[0], cookie, sent, received)

    def story(self):
        lines = "\n".join(f"    {step}" for step in self.steps.done)
        return f"seed {self.seed}, after {self.answers} answers; the last steps:\n{lines}"


def main():
    parser = argparse.ArgumentParser(description="Compares random answers of the real programs with the model.")
    parser.add_argument("--answers", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1, help="of the first site; the next one has the next number")
    parser.add_argument("--answers-per-site", type=int, default=10_000)
    arguments = parser.parse_args()
    start, seed, total, statuses, steps = time.monotonic(), arguments.seed, 0, {}, {}
    while total < arguments.answers:
        try:
            run = Run(seed).go(min(arguments.answers_per_site, arguments.answers - total))
        except (Wrong, Failed, AssertionError) as error:
            print(f"{type(error).__name__}: {error}", *getattr(error, "__notes__", []), sep="\n", file=sys.stderr)
            print(f"Again: .venv/bin/python Tests/Model/run.py --seed {seed}", file=sys.stderr)
            sys.exit(1)
        total += run.answers
        for sums, counts in [(statuses, run.statuses), (steps, run.steps.counts)]:
            for key, count in counts.items():
                sums[key] = sums.get(key, 0) + count
        print(f"seed {seed}: {run.answers:,} answers as the model says; {total:,} in all", flush=True)
        seed += 1
    for title, sums in [("answers", statuses), ("steps", steps)]:
        print(f"{title}: " + ", ".join(f"{key}: {count:,}" for key, count in sorted(sums.items(), key=str)))
    print(f"{total:,} answers, none wrong, in {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()
