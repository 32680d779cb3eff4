"""Who may read what, written a second time and as short as possible; the programs are compared with it.

A `World` is everything that an answer depends on. It never changes: a change makes another world, so that a
request under way during a change can be compared with both.
"""

import dataclasses
import enum
import functools

PUBLIC, SIGNED_IN = "public", "signed-in"  # Any other audience is a frozenset of groups.
# What siteauth waits before it writes the cookie again, and before it believes the same `sid` again.
RENEWAL, PAUSE = 300, 300


class Verdict(enum.Enum):
    PAGE, MISSING, SIGN_IN, FORBIDDEN = "the page", "404", "sign in", "forbidden"


def is_subset(audience, other):
    """Whether every reader of the one audience is a reader of the other."""
    if PUBLIC in (audience, other) or SIGNED_IN in (audience, other):
        return other == PUBLIC or (other == SIGNED_IN and audience != PUBLIC)
    return audience <= other


def said_above(says, path, default):
    """The audience of a path: that of the nearest address above it that says one."""
    above = [address for address in says if path.lower().startswith(address)]
    return says[max(above, key=len)] if above else default


@dataclasses.dataclass(frozen=True, eq=False)
class Release:
    default: object  # audience
    groups: tuple  # of (name, frozenset of what makes a reader a member)
    says: dict  # address that ends with '/' -> audience
    pages: dict  # address -> Page
    files: dict  # address -> marker

    @functools.lru_cache(maxsize=20_000)
    def audience(self, path):
        return said_above(self.says, path if path.endswith("/") else path + "/", self.default)

    @functools.cached_property
    def paths(self):
        """Addresses of pages and files, and of unpublished pages; not `/feed.xml/`, by which a file says its readers."""
        return [*self.pages, *self.files, *(path for path in self.says if path[:-1] not in self.pages)]

    def members(self, traits):
        return frozenset(name for name, enough in self.groups if enough & traits)


@dataclasses.dataclass(frozen=True)
class Page:
    marker: str | None  # None for a list that sitegen makes
    title: str | None
    is_certain: bool = True  # False if the list may be missing
    is_listed: bool = True


@dataclasses.dataclass(frozen=True)
class Session:
    """A cookie. `groups` and `definitions` are those of the sign-in, `seen` and `secret` of the cookie."""

    number: int
    user: str
    browser: int
    started: int
    seen: int
    groups: frozenset
    definitions: tuple
    secret: str
    sid: str
    cookie: str


@dataclasses.dataclass(frozen=True)
class World:
    release: Release
    secrets: tuple  # of secrets.toml; the first one seals
    lifetime: int
    idle: int
    ended: frozenset = frozenset()  # numbers of sessions that somebody signed out of
    everybody: int = 0  # when everybody's sessions were ended
    accounts: tuple = ()  # of (user, when their sessions were ended)
    sids: tuple = ()  # of (sid, when the provider said that it ended)

    def is_alive(self, session, now):
        ends = [self.everybody, dict(self.accounts).get(session.user, 0), dict(self.sids).get(session.sid, 0)]
        return (session.number not in self.ended and session.started > max(ends)
                and session.started > now - self.lifetime and session.seen > now - self.idle)

    def session(self, sessions, now):
        """The session of a request: of the cookies that a secret opens there must be exactly one."""
        opened = [session for session in sessions if session.secret in self.secrets]
        return opened[0] if len(opened) == 1 and self.is_alive(opened[0], now) else None

    def verdict(self, path, sessions, now):
        audience = self.release.audience(path)
        if audience != PUBLIC:
            session = self.session(sessions, now)
            if session is None or session.definitions != self.release.groups:
                return Verdict.SIGN_IN
            if audience != SIGNED_IN and not audience & session.groups:
                return Verdict.FORBIDDEN
        return Verdict.PAGE if path in self.release.pages or path in self.release.files else Verdict.MISSING

    def renews(self, path, sessions, now):
        """Whether the answer to an allowed request brings a fresh cookie."""
        if self.release.audience(path) == PUBLIC:
            return False
        session = self.session(sessions, now)
        return session is not None and now - session.seen >= min(RENEWAL, self.idle // 4)
