"""What happens at a site: random, one after the other, each with the world that it makes."""

import collections
import dataclasses
import os
import re
import secrets
import time

import requests

from demo_site import COOKIE_SECRET, NAVIGATE
from model import PUBLIC, SIGNED_IN, Session, World
from questions import CLOCK_STEP, is_ignored
from service import READERS, TRAITS, ModelSite
from sources import Site

# Of ended and living sessions together.
MAXIMUM_SESSIONS = 60
CHANGES = {
    "sign_in": 30, "slow_sign_in": 4, "sign_out": 8, "provider_sign_out": 5, "revoke_user": 4, "revoke_all": 1, "secrets": 8, "build": 18,
    "bad_build": 3, "roll_back": 8, "roles": 8, "disable": 3, "provider_keys": 6, "restart": 3, "reload": 2,
}


class Provider:
    """Which key signs at the provider, and whether siteauth can know it."""

    def __init__(self, processes):
        self.processes = processes
        self.published, self.known, self.signing, self.next = {0}, {0}, 0, 1
        self.asked_at = None

    def change(self, how):
        if how == "adopt":
            self.signing = max(self.published)
        elif how != "retire":
            self.published = {self.next} | (set() if how == "replace" else self.published)
            if how != "publish":
                self.signing = self.next
            self.next += 1
        if how == "retire":
            self.published = {self.signing}

    def restarted(self):
        self.known, self.asked_at = set(self.published), None

    def is_accepted(self):
        """Whether siteauth knows the key, or asks once more for it; None if that cannot be said to the second."""
        if self.signing in self.known:
            return True
        if self.processes > 1:
            # Each of them asks for itself, and nobody knows which one answers.
            return None
        age = None if self.asked_at is None else time.time() - self.asked_at
        if age is None or age > 302:
            return True
        return False if age < 298 else None

    def used(self, is_accepted, has_session):
        if is_accepted is None and self.processes == 1:
            # Now it can be said.
            is_accepted = has_session
        if self.signing not in self.known and is_accepted:
            self.known, self.asked_at = set(self.published), time.time()


class Steps:
    def __init__(self, rng, lifetime=36_000, idle=7200, is_activated=False, processes=1):
        self.rng = rng
        self.site = ModelSite(
            f"session_lifetime_seconds = {lifetime}\nsession_idle_seconds = {idle}", is_activated, processes
        )
        self.sources = Site(rng, self.site.source, TRAITS)
        self.members = {user: set(traits) | {f"users {user}"} for user, traits in READERS.items()}
        self.disabled, self.provider, self.browsers = set(), Provider(processes), [requests.Session()]
        self.sessions, self.count, self.releases = [], 0, {}
        self.pool = [COOKIE_SECRET] + [secrets.token_urlsafe(32) for _ in range(3)]
        self.done = collections.deque(maxlen=25)
        self.counts = collections.Counter()
        self.lifetime, self.idle = lifetime, idle
        self.worlds, self.settled = [], 0

    def start(self):
        self.sources.write()
        self.published(self.site.sitegen("build"))
        self.worlds = [World(self.release, (COOKIE_SECRET,), self.lifetime, self.idle)]
        self.site.start()
        self.site.wait_for_keys()
        return self

    @property
    def world(self):
        return self.worlds[-1]

    @property
    def release(self):
        return self.releases[int(os.readlink(self.site.public / "current").rpartition("/")[2])]

    def change(self, do, **values):
        """Makes another world; while it is made, both count."""
        self.worlds.append(dataclasses.replace(self.world, **values))
        result = do()
        self.settled = len(self.worlds) - 1
        return result

    def step(self, name=None):
        name = name or self.rng.choices(list(CHANGES), CHANGES.values())[0]
        self.counts[name] += 1
        self.done.append(name)
        detail = getattr(self, name)()
        if detail is not None:
            self.done[-1] = f"{name}: {detail}"

    # Sessions

    def slow_sign_in(self):
        """Something happens at the site while somebody is at the provider."""
        name = self.rng.choice(["secrets", "secrets", "build", "roll_back", "reload", "provider_sign_out"])
        return f"{name} during {self.sign_in(lambda: self.step(name))}"

    def sign_in(self, meanwhile=lambda: None):
        rng = self.rng
        user = rng.choice(list(READERS))
        if len(self.browsers) < 6 and rng.random() < 0.3:
            self.browsers.append(requests.Session())
        browser = rng.randrange(len(self.browsers))
        jar, site = self.browsers[browser], self.site
        jar.trust_env, jar.verify = False, site.authority
        # The provider alone remembers the browser: without its cookie of ours, signing in often is no loop.
        for name in {"__Host-session", "__Host-browser"} & set(jar.cookies.keys()):
            jar.cookies.pop(name)
        begun = jar.get(site.url + "/auth/sign-in?return=/", headers=NAVIGATE, allow_redirects=False)
        assert begun.status_code == 303, (begun.status_code, begun.text[-1500:])
        picked = jar.post(begun.headers["Location"], data={"account": user}, allow_redirects=False)
        if user in self.disabled:
            assert "Location" not in picked.headers, "a disabled account signs in"
            return f"{user[:8]} is disabled"
        secret = self.world.secrets[0]
        meanwhile()
        # What was sealed with a secret that is gone is not opened; then the provider's token is not asked for.
        is_opened = secret in self.world.secrets
        is_accepted = is_opened and self.provider.is_accepted()
        callback = picked.headers["Location"]
        before = time.time()
        finished = jar.get(callback, headers=NAVIGATE, allow_redirects=False)
        after = time.time()
        cookie = jar.cookies.get("__Host-session")
        if is_opened:
            self.provider.used(is_accepted, cookie is not None)
        if is_accepted is not None:
            assert (cookie is not None) == is_accepted, (finished.status_code, is_accepted, finished.text[:500])
        started = int(after)
        # In two seconds at once: nobody can say in which one the session began.
        if cookie is None or int(before - CLOCK_STEP) != started:
            return f"{user[:8]}, no session to compare"
        groups = self.world.release.members(self.members[user])
        self.count += 1
        sid = re.search(r"session_state=([0-9a-f-]+)", callback)[1]
        self.keep(Session(self.count, user, browser, started, started, groups, self.world.release.groups,
                          self.world.secrets[0], sid, cookie))
        return f"{user[:8]} in {', '.join(sorted(groups)) or 'no group'} is session {self.count}"

    def keep(self, session):
        self.sessions = [*self.sessions, session][-MAXIMUM_SESSIONS:]

    def renewed(self, session, cookie, sent, received):
        """A copy of the session with the cookie that an answer brought."""
        if int(sent - CLOCK_STEP) == int(received):
            self.keep(dataclasses.replace(session, seen=int(received), secret=self.world.secrets[0], cookie=cookie))

    def sign_out(self):
        opened = [session for session in self.sessions if session.secret in self.world.secrets]
        if not opened:
            return "nobody is there"
        session, site = self.rng.choice(opened), self.site

        def post():
            fields = {"Origin": site.url, "Cookie": f"__Host-session={session.cookie}"}
            return requests.post(site.url + "/auth/sign-out", headers=fields, verify=site.authority, allow_redirects=False)

        # Nobody asks with the cookie of a session that is five hundred sign-ins old.
        ended = {number for number in self.world.ended if number > self.count - 500}
        answer = self.change(post, ended=frozenset(ended | {session.number}))
        assert answer.status_code == 303, answer.text
        return f"session {session.number}"

    def ending(self, do, field, entry=None):
        """Ends sessions as of this second; waits if nobody can say which one that is."""

        def at(second):
            value = second if entry is None else tuple({**dict(getattr(self.world, field)), entry: second}.items())
            return dataclasses.replace(self.world, **{field: value})

        before = time.time()
        # No session that is known begins later, so for those it does not matter which second it becomes.
        self.worlds.append(at(int(before) + 1))
        do()
        after = int(time.time())
        self.worlds.append(at(after))
        self.settled = len(self.worlds) - 1
        if int(before - CLOCK_STEP) != after:
            time.sleep(max(0, after + 1 + CLOCK_STEP - time.time()))

    def provider_sign_out(self):
        if not self.sessions:
            return "nobody is there"
        sid = self.rng.choice(self.sessions).sid
        ignored = is_ignored(self.world.sids, sid, time.time())
        if ignored is None:
            return "not now"
        if ignored:
            self.site.provider_ends(sid)
            return f"{sid[:8]}, which is ignored"
        self.ending(lambda: self.site.provider_ends(sid), "sids", sid)
        return sid[:8]

    def revoke_user(self):
        user = self.rng.choice(list(READERS))
        self.ending(lambda: self.revoke("--user", user), "accounts", user)
        return user[:8]

    def revoke_all(self):
        self.ending(lambda: self.revoke("--all"), "everybody")

    def revoke(self, *arguments):
        result = self.site.revoke(*arguments)
        assert result.returncode == 0, result.stderr

    # Keys and secrets

    def secrets(self):
        """A new secret in front of the old ones, or one fewer, or one that was used before."""
        chosen = tuple(self.rng.sample(self.pool, self.rng.choice([1, 2, 2, 3])))
        if self.rng.random() < 0.6:
            chosen = (*chosen, *(secret for secret in self.world.secrets if secret not in chosen))
        self.change(lambda: self.site.set_secrets(chosen), secrets=chosen)
        return [self.pool.index(secret) for secret in chosen]

    def provider_keys(self):
        how = self.rng.choice(["rotate", "publish", "adopt", "retire", "replace"])
        if how == "adopt" and max(self.provider.published) == self.provider.signing:
            how = "publish"
        self.site.order("keys", change=how)
        self.provider.change(how)
        return how

    # Who is who

    def roles(self):
        user = self.rng.choice(list(READERS))
        trait = self.rng.choice(sorted(trait for trait in TRAITS if not trait.startswith("users")))
        kind, value = trait.split(" ", 1)
        has = trait in self.members[user]
        self.site.order(f"users/{user}", change=f"{'remove' if has else 'add'}-{kind}", value=value)
        self.members[user] ^= {trait}
        return f"{user[:8]} {'loses' if has else 'gets'} {trait}"

    def disable(self):
        user = self.rng.choice(list(READERS))
        is_disabled = user in self.disabled
        self.site.order(f"users/{user}", change="enable" if is_disabled else "disable")
        self.disabled ^= {user}
        return f"{user[:8]} is {'enabled' if is_disabled else 'disabled'}"

    # Releases

    def published(self, result):
        found = re.search(r"published release (\d+)", result.stderr + result.stdout)
        assert result.returncode == 0 and found, result.stderr + result.stdout
        self.releases[int(found[1])] = self.sources.release()

    def build(self):
        self.sources.mutate()
        self.sources.mend()
        self.sources.write()
        self.change(lambda: self.published(self.site.sitegen("build")), release=self.sources.release())
        # The very object, so that what is remembered of it is not worked out twice.
        self.releases[max(self.releases)] = self.world.release
        return f"release {max(self.releases)}"

    def bad_build(self):
        """A page that lets in more readers than its folder, and does not say that it means it."""
        self.sources.mutate()
        wrong = list(self.sources.widened())
        if not wrong:
            candidates = [node for _, node in self.sources.nodes() if node.access in (PUBLIC, SIGNED_IN)]
            for node in candidates:
                node.widens = False
            wrong = list(self.sources.widened())
        self.sources.write()
        if wrong:
            result = self.site.sitegen("build")
            assert result.returncode == 1 and "nothing was published" in result.stderr + result.stdout, result
        self.sources.mend()
        return f"{len(wrong)} mistakes"

    def roll_back(self):
        kept = [int(folder.name) for folder in (self.site.public / "releases").iterdir() if folder.name.isdigit()]
        current = int(os.readlink(self.site.public / "current").rpartition("/")[2])
        others = sorted(set(kept) - {current})
        if not others:
            return "there is one release"
        number = self.rng.choice(others)

        def go():
            result = self.site.sitegen("releases", "rollback", str(number))
            assert result.returncode == 0, result.stderr

        self.change(go, release=self.releases[number])
        return f"release {number}"

    # siteauth

    def restart(self):
        self.site.restart()
        self.provider.restarted()

    def reload(self):
        self.site.reload()

    def close(self):
        for browser in self.browsers:
            browser.close()
        self.site.close()
