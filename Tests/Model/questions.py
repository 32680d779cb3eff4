"""Random requests of random readers, and whether an answer is one that the model gives."""

import dataclasses
import json
import re

from client import cookie_of
from model import PAUSE, PUBLIC, Session, Verdict, is_subset

BODIES, TITLES = re.compile(rb"Kb[0-9a-f]{12}"), re.compile(rb"Tq[0-9a-f]{12}")
ADDRESSES = re.compile(rb"<loc>https://docs.example.com(/[^<]*)</loc>")
# Between the programs' clocks and ours there is none; a file's date is up to four milliseconds old.
CLOCK_STEP = 0.01
# Who the cookie says that the reader is; siteauth answers, and no release has to do with it.
ACCOUNT = "/auth/me"


@dataclasses.dataclass(slots=True)
class Question:
    target: str  # as the browser writes it
    path: str  # as nginx understands it
    sessions: list[Session]  # whose cookies it sends
    cookie: str
    is_navigation: bool = True
    is_script: bool = False  # a <script src>

    @property
    def request(self):
        mode = "navigate" if self.is_navigation else "no-cors" if self.is_script else "cors"
        destination = "Sec-Fetch-Dest: script\r\n" if self.is_script else ""
        cookie = f"Cookie: {self.cookie}\r\n" if self.cookie else ""
        return (f"GET {self.target} HTTP/1.1\r\nHost: localhost\r\n{cookie}"
                f"Sec-Fetch-Mode: {mode}\r\n{destination}\r\n").encode()


class Questions:
    """`rng` decides; `paths` are the addresses of all releases until now."""

    def __init__(self, rng, paths=()):
        self.rng, self.paths, self.known = rng, [], set()
        self.learn(paths)

    def learn(self, paths):
        # In the order of the list: a set's is another one in each run.
        self.paths += [path for path in paths if path not in self.known and not self.known.add(path)]

    def make(self, sessions):
        rng = self.rng
        path = target = ACCOUNT if rng.random() < 0.03 else rng.choice(self.paths)
        spelling = rng.random()
        if spelling < 0.05 and path.endswith("/") and path != "/":
            target = path[:-1]
        elif spelling < 0.1 and path.endswith("/"):
            target = path + "index.html"
        elif path == ACCOUNT:
            pass
        elif spelling < 0.13:
            path = target = path.upper() if rng.random() < 0.5 else path.swapcase()
        elif spelling < 0.16:
            target = "/".join("%" + part.encode()[:1].hex() + part[1:] if part else "" for part in path.split("/"))
        elif spelling < 0.19:
            target = path.replace("/", "//", 1) if rng.random() < 0.5 else "/nowhere/.." + path
        elif spelling < 0.22 and path.endswith("/"):
            path = target = path + rng.choice(["nothing/", "nothing.html", "note.txt.gz"])
        elif spelling < 0.24:
            target = path + "?" + rng.choice(["a=1", "/", "return=/hr/"])
        cookies = rng.random()
        # Most of them came lately, so that most of them may read something.
        likely = sessions[-8:] if rng.random() < 0.7 else sessions
        used = [] if cookies < 0.1 or not sessions else [rng.choice(likely)]
        cookie = "; ".join(f"__Host-session={session.cookie}" for session in used)
        if used and cookies < 0.15:
            # One bit of it: of the bytes that are encrypted, or of the others.
            value = used[0].cookie
            place = rng.randrange(len(value))
            other = rng.choice([letter for letter in "ABcd01-_" if letter != value[place]])
            # The last letter of a text in base64 has bits that do not count.
            if place < len(value) - 1:
                cookie, used = f"__Host-session={value[:place]}{other}{value[place + 1:]}", []
        elif used and cookies < 0.2:
            used.append(rng.choice(sessions))
            cookie += f"; x=1; __Host-session={used[1].cookie}"
        kind = rng.random()
        return Question(target, path, used, cookie, kind < 0.7, kind > 0.97 and path != ACCOUNT)


@dataclasses.dataclass
class Wrong(Exception):
    """An answer that the model does not give."""

    reason: str
    question: Question
    answer: object
    verdicts: list

    def __str__(self):
        of = ", ".join(f"{s.user} (session {s.number})" for s in self.question.sessions) or "nobody"
        mode = "navigation" if self.question.is_navigation else "fetch"
        said = " or ".join(sorted({verdict.value for verdict in self.verdicts}))
        return (f"{self.reason}: {mode} of {self.question.target} ({self.question.path}) by {of}; the model: {said}\n"
                f"{self.answer.status}\n{self.answer.head.decode(errors='replace')}\n{self.answer.body[:500]!r}")


def problem(question, answer, world, now, provider):
    """Why this is not what the world answers; None if it is."""
    release = world.release
    if question.path == ACCOUNT:
        return problem_of_account(answer, world.session(question.sessions, now))
    verdict = world.verdict(question.path, question.sessions, now)
    if question.is_script:
        verdict = Verdict.MISSING
    page = release.pages.get(question.path)
    bodies, titles = set(BODIES.findall(answer.body)), set(TITLES.findall(answer.body))
    if verdict is Verdict.PAGE:
        if answer.status == 404 and page and not page.is_certain:
            return None if not bodies and not titles else "a missing page with a word of another"
        if answer.status != 200:
            return "no page"
        own = release.files.get(question.path) or page.marker
        # Lists and feeds show the first words of the pages that their readers may read.
        allowed = set() if page is None or own else shown_to(release, release.audience(question.path), "marker")
        if not (own is None or own.encode() in bodies) or bodies - allowed != ({own.encode()} if own else set()):
            return "not the words of the page" if own and own.encode() not in bodies else "words of another page"
        if page and page.title and page.title.encode() not in titles:
            return "not the title of the page"
        shown = shown_to(release, release.audience(question.path), "title")
        if not titles - {page and page.title and page.title.encode()} <= shown:
            return "titles that not all readers of the page may know"
        if question.path == "/sitemap.xml":
            for address in ADDRESSES.findall(answer.body):
                listed = release.pages.get(address.decode())
                if release.audience(address.decode()) != PUBLIC or (listed and not listed.is_listed):
                    return f"the address {address} in the sitemap"
        if (cookie_of(answer) is not None) != world.renews(question.path, question.sessions, now):
            return "a cookie that is not due, or none that is due"
        return None
    if bodies or titles:
        return "words of a page in another answer"
    if verdict is Verdict.MISSING:
        return None if answer.status == 404 else "no 404"
    if verdict is Verdict.FORBIDDEN:
        return None if answer.status == 403 else "not refused"
    # No sign-in carries an address that no browser sends as it is; a page says so.
    is_sent = question.is_navigation and not question.target.startswith(("//", "/nowhere/.."))
    if answer.status != (303 if is_sent else 401):
        return "not asked to sign in"
    if is_sent and not (answer.value(b"location") or b"").startswith(provider.encode()):
        return "sent elsewhere to sign in"
    return None


def problem_of_account(answer, session):
    if session is None:
        return None if answer.status == 401 else "an account without a session"
    if answer.status != 200:
        return "no account"
    account = json.loads(answer.body)
    told = account["object_id"], account["groups"], account["signed_in_at"]
    return None if told == (session.user, sorted(session.groups), session.started) else "the account of somebody else"


def shown_to(release, audience, what, memory={}):
    """The words ('marker') or titles of other pages that all readers of a page with this audience may read."""
    key = release, audience, what
    if key not in memory:
        memory[key] = {getattr(page, what).encode() for path, page in release.pages.items()
                       if getattr(page, what) and page.is_listed and is_subset(audience, release.audience(path))}
    return memory[key]


def judge(question, answer, worlds, sent, received, provider):
    """Raises `Wrong` if none of the worlds gives this answer at any second of the request."""
    seconds = {int(sent - CLOCK_STEP), int(received)}
    problems = []
    for world in reversed(worlds):
        for now in seconds:
            found = problem(question, answer, world, now, provider)
            if found is None:
                return
            problems.append((found, world.verdict(question.path, question.sessions, now)))
    raise Wrong(problems[0][0], question, answer, [verdict for _, verdict in problems])


def is_ignored(sids, sid, now):
    """Whether the site ignores that a session at the provider ended, because it was told so a moment ago.

    None if that cannot be said to the second.
    """
    told = dict(sids).get(sid)
    if told is None or now > told + PAUSE + 1:
        return False
    return True if now < told + PAUSE - 1 else None
