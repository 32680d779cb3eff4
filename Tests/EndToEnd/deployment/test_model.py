"""Random sites, readers and changes through the real programs, compared with a model of who may read what.

Tests/Model/run.py does the same with a hundred thousand answers, and soak.py beside it for hours.
"""

import re
import sys

import pytest

from demo_site import ROOT

sys.path.insert(0, str(ROOT / "Tests/Model"))
import resources  # noqa: E402
from questions import Wrong  # noqa: E402
from run import Run  # noqa: E402


def test_every_answer_of_a_random_site_is_what_the_model_says():
    run = Run(11).go(3000)
    assert run.answers >= 3000 and set(run.statuses) == {200, 303, 401, 403, 404}


# That the model notices: each of these breaks one thing that it watches.


def rules_changed_places(run):
    """Two rules of the release's policy, as if sitegen had confused two pages."""
    policy = (run.steps.site.public / "current/access").resolve()
    if policy in run.spoilt:
        return
    run.spoilt.add(policy)
    text = policy.read_text()
    rules = [line for line in text.splitlines() if re.fullmatch(r"allow \S+ /[a-zO]\S*", line)]
    for one in rules:
        for other in rules:
            (_, first, path), (_, second, place) = one.split(), other.split()
            if first != second:
                changed = text.replace(one + "\n", f"allow {second} {path}\n")
                policy.write_text(changed.replace(other + "\n", f"allow {first} {place}\n"))
                return


def pages_changed_places(run):
    """All pages are one page, as if nginx had sent another file than the one that was judged.

    All, because who signs in is random: two pages may be such that none of these readers may open them.
    """
    release, site = run.steps.world.release, run.steps.site.public / "current/site"
    first, *others = [site / (path[1:] + "index.html") for path, page in release.pages.items() if page.marker and path[-1] == "/"]
    for other in others:
        other.write_bytes(first.read_bytes())


def one_reader_has_the_cookie_of_another(run):
    sessions = run.steps.sessions
    alice = next((session for session in sessions if session.groups), None)
    other = next((session for session in sessions if alice and session.groups != alice.groups), None)
    if alice and other:
        object.__setattr__(other, "cookie", alice.cookie)


def ended_sessions_are_forgotten(run):
    for name in (run.steps.site.folder / "state/revoked").iterdir():
        name.unlink()


def an_old_secret_is_kept(run):
    """A secret that was taken out of secrets.toml still opens cookies."""
    site, pool = run.steps.site, run.steps.pool
    others = [secret for secret in pool if secret not in run.steps.world.secrets]
    site.set_secrets([*run.steps.world.secrets, *others])


def the_release_before_is_served(run):
    if len(run.steps.releases) > 1:
        run.steps.site.sitegen("releases", "rollback")


@pytest.mark.parametrize(("spoil", "step"), [
    (rules_changed_places, "build"), (pages_changed_places, "build"), (one_reader_has_the_cookie_of_another, "sign_in"),
    (ended_sessions_are_forgotten, "sign_out"), (an_old_secret_is_kept, "secrets"), (the_release_before_is_served, "build"),
])
def test_the_model_notices_that(spoil, step):
    """The seed and the last steps stand in the message, so that it can be looked at again."""
    run = Run(21, spoil=spoil)
    # What is spoilt has to be there first, so each other step is the one that makes it.
    run.steps.step = alternating(run.steps, step)
    run.spoilt = set()
    with pytest.raises(Wrong) as found:
        run.go(6000)
    assert "seed 21" in found.value.__notes__[0] and "the model:" in str(found.value)


def alternating(steps, name):
    whole, count = type(steps).step, iter(range(10_000))

    def step(wanted=None):
        return whole(steps, wanted or [None, name, "sign_in"][next(count) % 3])

    return step


def test_growth_is_what_is_more_than_noise():
    def samples(values):
        return [resources.Sample(25 + value, 8, 10, 190) for value in values]

    assert not resources.growth(samples([0, 1, 0.5, 1, 0, 1.5, 0.5, 1, 0]))[1]
    assert resources.growth(samples([index / 10 for index in range(60)]))[1]
    leaked = [resources.Sample(25, 8, 10 + index // 5, 190) for index in range(60)]
    assert resources.growth(leaked)[1]
