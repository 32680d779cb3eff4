"""A short selection of what Tests/Faults does for hours, and that its machines notice what they are to notice."""

import argparse
import os
import pathlib
import random
import shutil
from contextlib import closing
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Faults"))

import every_call  # noqa: E402
import hostile_provider  # noqa: E402
import power_loss  # noqa: E402
from control_file import ERRORS, scratch  # noqa: E402
from gateway import parsed  # noqa: E402
from running_siteauth import ALICE, BOB, Service  # noqa: E402
from small_site import SmallSite  # noqa: E402

# Each run has the same faults, so a failure is nobody's bad luck.
SEED = 7
QUIET = {"show": lambda line: None}


def some_faults(number):
    """So many faults of those that are possible, each call at least once while there is room."""

    def choose(counts):
        chance = random.Random(SEED)
        calls = sorted(counts)
        chance.shuffle(calls)
        chosen = [(call, chance.randint(1, counts[call]), chance.choice(ERRORS[call])) for call in calls][:number]
        while len(chosen) < number:
            call = chance.choice(calls)
            chosen.append((call, chance.randint(1, counts[call]), chance.choice(ERRORS[call])))
        return chosen

    return choose


def options(**changes):
    return argparse.Namespace(**({"random": 2, "recover": 0, "no_fsync": False} | changes))


@pytest.fixture
def folder():
    folder = scratch("faults")
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.parametrize("name, number", [("text", 16), ("rule", 10), ("rollback", 8), ("activate", 8)])
def test_a_system_call_that_fails_leaves_a_whole_release_and_the_next_run_mends_all(name, number):
    work = every_call.sweep(name, some_faults(number), **QUIET)
    assert work.findings == []
    assert sum(work.runs.values()) == number and work.missed <= number // 3


@pytest.mark.parametrize("name, number", [("check", 60), ("sign-in", 12), ("sign-out", 16), ("restart", 6)])
def test_a_system_call_that_fails_lets_nobody_in_and_is_forgotten(name, number):
    work = every_call.sweep(name, some_faults(number), **QUIET)
    assert work.findings == []
    assert sum(work.runs.values()) == number


@pytest.mark.parametrize("name", ["text", "activate"])
def test_a_power_loss_at_any_moment_leaves_a_whole_release(name):
    findings = power_loss.lose_power(name, options(recover=400), random.Random(SEED), **QUIET)
    assert findings.counts == {}
    assert findings.points > 50 and findings.states > 500


def test_a_sign_out_that_was_confirmed_outlives_a_power_loss():
    findings = power_loss.lose_sign_out(options(recover=40), random.Random(SEED), **QUIET)
    assert findings.counts == {}
    assert findings.points > 5


def test_a_hostile_provider_makes_no_session():
    with closing(hostile_provider.HostileProvider(SEED, **QUIET)) as provider:
        for _ in range(20):
            provider.round()
        assert provider.findings == []
        assert sum(provider.attempts.values()) >= 20


# What the machines notice


def test_a_build_that_does_not_sync_is_found_out():
    findings = power_loss.lose_power("text", options(no_fsync=True), random.Random(SEED), **QUIET)
    assert findings.total > 0 and any("no whole release" in problem for problem in findings.counts)


def test_a_byte_that_is_changed_or_lost_is_found_out(folder):
    site = SmallSite(folder)
    site.change("old")
    site.build()
    assert site.current() == ("old", "")
    page = site.output / "current/site/hr/index.html"
    whole = page.read_bytes()
    for change in [
        lambda: page.write_bytes(whole.replace(b"numbat", b"numbar")),
        lambda: page.write_bytes(b""),
        page.unlink,
        lambda: (site.output / "current/site/more.html").write_text("more"),
        lambda: shutil.rmtree(site.output / "theme"),
        lambda: os.replace(site.output / "releases/1", site.output / "releases/2"),
    ]:
        change()
        state, wrong = site.current()
        assert state is None and wrong
        if (site.output / "releases/1").exists():
            (site.output / "current/site/more.html").unlink(missing_ok=True)
            page.write_bytes(whole)


def test_a_reader_who_gets_too_much_or_too_little_is_found_out(folder):
    with closing(Service(folder)) as service:
        assert service.start()
        (alice, _), (bob, _) = service.sign_in(ALICE), service.sign_in(BOB)
        readers = [(None, ""), (ALICE, alice), (BOB, bob)]
        assert service.wrongs(readers) == []
        policy = pathlib.Path(service.release) / "access"
        text = policy.read_text()
        assert "[hr]" in text
        policy.write_text(text.replace("allow [hr]", "allow signed-in"))
        assert any(wrong.startswith(BOB) and "gets 204 for /hr/" in wrong for wrong in service.wrongs(readers, is_exact=False))
        policy.write_text("")
        assert service.wrongs(readers, is_exact=False) == []
        assert any(wrong.startswith(ALICE) and "which is theirs" in wrong for wrong in service.wrongs(readers))


def test_an_answer_without_a_status_counts_as_nginx_counts_it():
    assert parsed(b"Content-Type: text/plain\r\n\r\n").status == 200
    assert parsed(b"Status: 204 No Con").status == 0
