"""What siteauth does, each with one failed system call."""

import os
import shutil
import signal
import time

from redis_server import RedisServer
from running_siteauth import ALICE, BOB, CAROL, Service, picked, until


class Serving:
    """A running siteauth; each fault happens while it does one thing."""

    program = "siteauth"
    settings = ""
    # How long it may take until everything is as before.
    seconds = 0

    def __init__(self, folder):
        self.folder = folder
        self.service = Service(folder, self.settings)
        self.control = self.service.control
        self.again()

    def again(self):
        assert self.service.start(), self.service.log.read_text()
        self.cookies = {account: self.signed_in(account)[0] for account in [ALICE, BOB, CAROL]}
        gone = self.signed_in(ALICE)[0]
        assert self.service.sign_out(gone).status == 303
        alice = self.cookies[ALICE]
        forged = alice[:-9] + ("B" if alice[-9] == "A" else "A") + alice[-8:]
        self.readers = [(None, ""), (None, gone), (None, forged), *self.cookies.items()]

    def signed_in(self, account):
        # After a failure the provider is left alone for some seconds, and with a new Redis a session of the same second
        # counts as one that was ended before.
        def opens():
            found = self.service.sign_in(account)
            return found if found and self.service.check("/team/", found[0]) == 204 else None

        found = until(opens, 30)
        assert found, self.service.log.read_text()[-2000:]
        return found

    def prepare(self):
        pass

    def check(self, problems):
        """What is wrong after the fault: `problems` are those of the moment."""
        if (code := self.service.process.poll()) is not None:
            problems.append(f"it has ended: {signal.Signals(-code).name if code < 0 else code}: {self.service.log.read_text()[-300:]}")
            self.again()
        wrongs = self.service.wrongs(self.readers)
        if wrongs and self.seconds:
            until(lambda: not self.service.wrongs(self.readers), self.seconds)
            wrongs = self.service.wrongs(self.readers)
        if wrongs:
            self.again()
        return problems + [f"afterwards {wrong}" for wrong in wrongs]

    def end(self):
        problems = [] if self.service.stop() else ["it does not end when it is told to"]
        self.service.close()
        return problems


class Checks(Serving):
    def prepare(self):
        # Another status of the file: the policy is read again.
        os.utime(f"{self.service.release}/access")

    def run(self, _):
        return self.service.wrongs(self.readers, is_exact=False)


class SignIn(Serving):
    """Bob signs in, who may open less than Alice."""

    def run(self, _):
        begun = self.service.begin()
        if begun.status != 303:
            return [] if begun.status == 0 or begun.status >= 500 else [f"sign-in answers {begun.status}"]
        callback = picked(begun.field("location"), BOB)
        finished = self.service.finish(begun, callback)
        if finished.status == 303 and (session := finished.cookies.get("session")):
            self.made = f"session={session}"
            return self.service.wrongs([(BOB, self.made)], is_exact=False)
        is_sensible = finished.status in (0, 303) or finished.status >= 400
        return [] if is_sensible else [f"the callback answers {finished.status}"]

    def check(self, problems):
        result = super().check(problems)
        if getattr(self, "made", None):
            result += [f"the new session: {wrong}" for wrong in self.service.wrongs([(BOB, self.made)])]
        self.made = None
        # The next fault has to meet a provider that is asked.
        self.signed_in(BOB)
        return result


class Account(Serving):
    def run(self, _):
        problems = []
        for route in ["/auth/account", "/auth/me", "/auth/forbidden", "/auth/keys"]:
            for name, cookie in [("Alice", self.cookies[ALICE]), ("Bob", self.cookies[BOB]), ("", "")]:
                answer = self.service.page(route, cookie, SITE_WANTED="/hr/")
                for other in {"Alice", "Bob"} - {name}:
                    if other.encode() in answer.body:
                        problems.append(f"{route} shows {other} to {name or 'a stranger'}")
                if not (answer.status == 0 or 200 <= answer.status < 600):
                    problems.append(f"{route} answers {answer.status}")
        return problems


class SignOut(Serving):
    """A session ends, here or at the provider; with 303, copies of its cookie are dead."""

    reported = float("-inf")

    def prepare(self):
        self.copy = self.signed_in(ALICE)[0]
        self.told, self.sid = self.signed_in(ALICE)

    def run(self, _):
        self.answer = self.service.sign_out(self.copy)
        self.logged = len(self.service.log.read_text())
        self.frame = self.service.tell(self.sid)
        ended = self.answer.status == 303
        return self.service.wrongs([(None, self.copy)], is_exact=False) if ended else []

    def check(self, problems):
        if self.answer.status not in (0, 303, 500, 503):
            problems.append(f"signing out answers {self.answer.status}")
        if self.answer.status == 303:
            problems += self.service.wrongs([(None, self.copy)], is_exact=False)
        # The frame's answer is always the same; what was not done is in the log.
        if "front-channel sign-out not done" in self.service.log.read_text()[self.logged:]:
            self.reported = time.monotonic()
        # It is logged once a minute.
        is_quiet = time.monotonic() - self.reported > 60
        if self.frame.status == 200 and is_quiet and self.service.process.poll() is None:
            problems += [f"told by the provider: {wrong}" for wrong in self.service.wrongs([(None, self.told)], is_exact=False)]
        return super().check(problems)


class Reload(Serving):
    """The configuration is read again; a second SIGHUP makes good what failed."""

    def prepare(self):
        text = self.service.secrets.read_text().replace("# changed\n", "")
        self.service.secrets.write_text(text + "# changed\n")
        self.before = len(self.service.log.read_text())

    def lines(self):
        return [line for line in self.service.log.read_text()[self.before:].splitlines() if "configuration" in line]

    def run(self, _):
        self.service.hang_up()
        is_done = until(lambda: self.lines() or self.service.process.poll() is not None, 5)
        # The line itself may be what could not be written.
        if not is_done and "siteauth.log" not in self.control.what:
            return ["SIGHUP has no effect"]
        return self.service.wrongs(self.readers, is_exact=False)

    def check(self, problems):
        self.before = len(self.service.log.read_text())
        self.service.hang_up()
        if not until(lambda: any("read again" in line for line in self.lines()), 10):
            problems.append(f"a second SIGHUP does not help: {self.service.log.read_text()[-300:]}")
        return super().check(problems)


class Upkeep(Serving):
    """Old entries of the list of ended sessions are removed, once an hour: the clock jumps for it."""

    def prepare(self):
        self.state = self.service.folder / "state"
        self.old = self.state / "revoked" / ("0" * 43)
        self.old.touch()
        os.utime(self.old, (1, 1))
        (self.state / "cleaned").unlink(missing_ok=True)

    def round(self, seconds):
        """Until the next round of maintenance, whose clock differs by more than an hour from the last one."""
        self.clock = 0 if getattr(self, "clock", 0) else 4000
        self.control.set_clock(self.clock)
        self.control.hasten(200)
        until(lambda: (self.state / "cleaned").exists(), seconds)
        self.control.hasten(1)
        return (self.state / "cleaned").exists() and not self.old.exists()

    def run(self, _):
        self.round(1.5)
        return self.service.wrongs(self.readers, is_exact=False)

    def check(self, problems):
        self.control.disarm()
        is_done = until(lambda: (self.state / "cleaned").exists() and not self.old.exists(), 0.1)
        for _ in range(4):
            # A round of the former clock may be under way.
            if not is_done:
                self.prepare()
                is_done = self.round(5)
        if not is_done:
            problems.append("nothing is cleaned up any more")
        self.control.set_clock(0)
        return super().check(problems)


class Start(Serving):
    """A start without a state folder; the provider is asked for everything."""

    keeps_state = False

    def prepare(self):
        if self.service.process.poll() is None:
            self.service.stop()
        if not self.keeps_state:
            shutil.rmtree(self.service.folder / "state", ignore_errors=True)

    def again(self):
        if not hasattr(self, "cookies"):
            super().again()
            # The list of ended sessions is thrown away with the folder.
            if not self.keeps_state:
                self.readers = [reader for number, reader in enumerate(self.readers) if number != 1]

    def run(self, _):
        self.is_up = self.service.start()
        return self.service.wrongs(self.readers, is_exact=False) if self.is_up else []

    def check(self, problems):
        code, log = self.service.process.poll(), self.service.log.read_text()
        # What could not be written is not in the log.
        is_told = "error" in log or self.service.log.name in self.control.what
        if code is not None and (code <= 0 or not is_told):
            problems.append(f"it ended with {signal.Signals(-code).name if code < 0 else code}: {log[-300:]}")
        if code is None and not self.is_up:
            problems.append("it does not come up, and does not end")
        if code is not None:
            self.prepare()
            if not self.service.start():
                return [*problems, f"the next start: {self.service.log.read_text()[-300:]}"]
        return super().check(problems)


class Restart(Start):
    keeps_state = True


def with_redis(scenario):
    class WithRedis(scenario):
        # A server that failed is left alone for five seconds.
        seconds = 15

        def __init__(self, folder):
            self.redis = RedisServer(folder / "redis").start()
            self.settings = f'redis = "{self.redis.url}"'
            super().__init__(folder)

        def end(self):
            problems = super().end()
            self.redis.stop()
            return problems

    return WithRedis


SCENARIOS = {
    "check": Checks, "sign-in": SignIn, "account": Account, "sign-out": SignOut, "reload": Reload, "upkeep": Upkeep, "start": Start,
    "restart": Restart, "check-redis": with_redis(Checks), "sign-in-redis": with_redis(SignIn), "sign-out-redis": with_redis(SignOut),
    "start-redis": with_redis(Restart),
}
