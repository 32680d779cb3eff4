#!/usr/bin/env python3
"""Readers sign in at a provider that answers in every hostile way that the emulator knows, in random order.

    hostile_provider.py --minutes 5 --seed 1

Nobody gets the session of another, every answer is a page with a sensible status, those who are signed in notice nothing, and
siteauth stays alive. Which lies let nobody in is for the unit tests to say: EntraFaultTests for each fault of the emulator,
HostileProviderTests for each member of each document.
"""

import argparse
import collections
import random
import re
import shutil
import sys
import time

import requests

from control_file import ROOT_OF_TESTS, clean_up_when_told_to_end, scratch
from running_siteauth import ALICE, BOB, CAROL, Service, picked, until

# Where a slow answer is given up after ten seconds, a second is as good.
SECONDS = 1
ENDPOINTS = ["discovery", "keys", "authorize", "token", "logout", "userinfo", "graph"]
SENSIBLE = {303, 400, 401, 403, 429, 500, 502, 503, 504}


def fault_names():
    """All faults of the emulator, as its page in the handbook lists them."""
    text = (ROOT_OF_TESTS.parent / "site/handbook/reference/emulator.md").read_text()
    part = text[text.index("\n## Faults\n"):text.index("\n## With libraries")]
    return re.findall(r"^- \*\*`([a-z0-9-]+)`\*\*", part, re.M)


class HostileProvider:
    def __init__(self, seed=0, show=print):
        self.folder = scratch("provider")
        self.service = Service(self.folder)
        self.chance, self.show = random.Random(seed), show
        self.signed_in, self.attempts, self.findings = collections.Counter(), collections.Counter(), []
        assert self.service.start()
        self.clock = 0
        self.renew()

    def renew(self):
        """Three readers who signed in while all was well."""
        found = {account: until(lambda: self.service.sign_in(account), 60) for account in [ALICE, BOB, CAROL]}
        assert all(found.values()), self.service.log.read_text()[-2000:]
        self.renewed = self.clock
        self.readers = [(None, "")] + [(account, cookie) for account, (cookie, _) in found.items()]

    def advance(self):
        """Six minutes pass here and at the provider: for five, unknown keys are asked for once only."""
        self.clock += 360
        self.service.control.set_clock(self.clock)
        self.service.emulator.order("clock", offset=self.clock)

    def order(self):
        """One fault, or two at once."""
        names = self.chance.sample(fault_names(), self.chance.choice([0, 1, 1, 1, 1, 2]))
        for name in names:
            values = {"name": name, "until": self.chance.choice(["once", "further-notice"])}
            if name in ("slow", "truncated", "throttled", "unavailable", "garbage", "huge", "empty"):
                values |= {"endpoint": self.chance.choice(ENDPOINTS), "seconds": SECONDS}
            elif name == "sign-in-error":
                values["number"] = self.chance.choice([53003, 50105, 65004, 50058, 90072, 16000])
            elif name == "token-error":
                values["number"] = self.chance.choice([7000215, 7000222, 54005, 70008])
            self.service.emulator.order("faults", **values)
        if self.chance.random() < 0.05:
            self.service.emulator.order("keys", change=self.chance.choice(["rotate", "replace", "publish", "adopt"]))
            if self.chance.random() < 0.7:
                self.advance()
        return names

    def attempt(self, account, names):
        """A reader tries to sign in; returns what is wrong."""
        self.attempts[" + ".join(names) or "nothing"] += 1
        begun = self.service.begin()
        if begun.status != 303:
            return [] if begun.status in SENSIBLE and begun.body else [f"sign-in answers {begun.status}"]
        try:
            callback = picked(begun.field("location"), account)
        except requests.RequestException:
            return []
        if not callback or not callback.startswith("http://localhost:3000/auth/callback"):
            return []
        if "?" not in callback:
            callback += "?"
        answer = self.service.finish(begun, callback)
        session = answer.cookies.get("session")
        problems = []
        if answer.status not in SENSIBLE or (answer.status != 303 and not answer.body):
            problems.append(f"the callback answers {answer.status} with {len(answer.body)} bytes")
        if answer.status != 303 and session:
            problems.append(f"a session with status {answer.status}")
        if session:
            self.signed_in[" + ".join(names) or "nothing"] += 1
            problems += self.service.wrongs([(account, f"session={session}")], is_exact=False)
        return problems

    def round(self):
        self.service.emulator.order("faults", name="all", until="off")
        if self.chance.random() < 0.1:
            self.advance()
        # A session that the provider is not asked about again ends after a while.
        if self.clock - self.renewed > 3600:
            self.advance()
            self.renew()
        names = self.order()
        account = self.chance.choice([ALICE, BOB, CAROL])
        problems = self.attempt(account, names)
        # The same fault once more: the first answer may have spoilt what is remembered.
        if self.chance.random() < 0.3:
            problems += self.attempt(self.chance.choice([ALICE, BOB, CAROL]), [*names, "again"])
        # Those who are signed in notice nothing.
        problems += self.service.wrongs(self.readers)
        if (code := self.service.process.poll()) is not None:
            problems.append(f"siteauth has ended with {code}: {self.service.log.read_text()[-300:]}")
            self.service.start()
        for problem in problems:
            finding = f"{' + '.join(names)} for {account}: {problem}"
            self.findings.append(finding)
            self.show(f"finding: hostile_provider.py {finding}")

    def settle(self):
        """With a provider that is well again, everybody can sign in."""
        self.service.emulator.order("reset")
        self.advance()
        try:
            self.renew()
        except AssertionError as error:
            self.findings.append(f"afterwards nobody can sign in: {error}")
        self.findings += self.service.wrongs(self.readers)

    def summary(self):
        alone = {name: number for name, number in sorted(self.signed_in.items()) if "+" not in name}
        lines = [f"{number} of {self.attempts[name]} signed in: {name}" for name, number in alone.items()]
        done = f"{sum(self.attempts.values())} sign-ins, {sum(self.signed_in.values())} successful, {len(self.findings)} findings"
        never = set(fault_names()) - {part for name in self.attempts for part in name.split(" + ")}
        return "\n".join([done, f"faults that did not come up: {', '.join(sorted(never)) or 'none'}", *lines])

    def close(self):
        self.service.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=2)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    clean_up_when_told_to_end()
    provider = HostileProvider(options.seed, lambda line: print(line, flush=True))
    try:
        deadline = time.monotonic() + 60 * options.minutes
        while time.monotonic() < deadline:
            provider.round()
        provider.settle()
        print(provider.summary())
    finally:
        provider.close()
    sys.exit(len(provider.findings) > 0)


if __name__ == "__main__":
    main()
