"""What a build leaves behind where the disk fails it, and in which order it writes."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import time

import pytest

from demo_site import BIN, ROOT

EIO, EINTR, EPERM, ENOSPC = 5, 4, 1, 28


@pytest.fixture(scope="session")
def failing_disk(tmp_path_factory):
    library = tmp_path_factory.mktemp("failing-disk") / "failing_disk.so"
    source = pathlib.Path(__file__).with_name("failing_disk.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    return library


@pytest.fixture
def site(tmp_path):
    (tmp_path / "site/hr").mkdir(parents=True)
    (tmp_path / "sitegen.toml").write_text('releases_kept = 2\n[groups]\nhr = { role = "HR" }\n')
    (tmp_path / "site/index.md").write_text("# Home\n")
    (tmp_path / "site/hr/index.md").write_text("---\naccess: [hr]\n---\n# Secret\n")
    (tmp_path / "site/hr/pay.md").write_text("# Pay\n")
    return tmp_path


def build(site, failing_disk=None, fail=None, log=None, arguments=(), **options):
    environment = dict(os.environ)
    if failing_disk:
        environment["LD_PRELOAD"] = str(failing_disk)
    if fail:
        environment["CALLS_FAIL"] = fail
    if log:
        environment["CALLS_LOG"] = str(log)
    return subprocess.run(
        [BIN / "sitegen", "build", *arguments], cwd=site, env=environment, capture_output=True, text=True, timeout=120,
        **options,
    )


def releases(site):
    return sorted(path.name for path in (site / "public/releases").iterdir())


def calls(log, site):
    """The calls below the output folder, without the folder's own path."""
    text = log.read_text().replace(f"{site}/public", "public")
    return [line for line in text.splitlines() if "public" in line]


def test_a_release_is_on_disk_before_it_is_visible(site, failing_disk, tmp_path):
    log = tmp_path / "calls"
    assert build(site, failing_disk, log=log).returncode == 0
    made = calls(log, site)
    order = [
        "syncfs public/releases/.1", "rename public/releases/.1 public/releases/1", "fsync public/releases",
        "rename public/current.new public/current", "fsync public",
    ]
    positions = [made.index(line) for line in order]
    assert positions == sorted(positions)
    # All that the release has was there when it was synced.
    assert not [line for line in made[positions[0]:] if "releases/.1/" in line]
    assert len([line for line in made[:positions[0]] if line.startswith("write public/releases/.1/")]) > 10
    log.unlink()
    (site / "site/index.md").write_text("# New\n")
    assert build(site, failing_disk, log=log, arguments=["--no-fsync"]).returncode == 0
    assert calls(log, site)
    assert not [line for line in calls(log, site) if "sync" in line]
    (site / "sitegen.toml").write_text("fsync = false\n[groups]\nhr = { role = 'HR' }\n")
    log.unlink()
    assert build(site, failing_disk, log=log).returncode == 0
    assert releases(site) == ["1", "2", "3"]
    assert not [line for line in calls(log, site) if "sync" in line]


@pytest.mark.parametrize("folder", ["/site", "/site/hr"])
@pytest.mark.parametrize("skip", [0, 1])
def test_a_folder_that_is_not_read_to_its_end_publishes_nothing(site, failing_disk, folder, skip):
    result = build(site, failing_disk, f"getdents64:{EIO}:{site}{folder}:{skip}")
    assert result.returncode != 0, result.stderr
    assert "input/output error" in result.stderr
    assert not (site / "public/current").exists()


@pytest.mark.parametrize("fail", [
    f"write:{ENOSPC}:releases/.2/site/", f"mkdir:{ENOSPC}:releases/.2/site/", f"syncfs:{EIO}:releases/.2",
    f"rename:{EIO}:releases/.2", f"fsync:{EIO}:/public/releases", f"rename:{EIO}:current.new", f"symlink:{EIO}:current.new",
    f"write:{ENOSPC}:releases/.2/:1",
])
def test_a_build_that_fails_leaves_nothing_and_the_release_before(site, failing_disk, fail):
    build(site)
    (site / "site/index.md").write_text("# New\n")
    result = build(site, failing_disk, fail)
    assert result.returncode == 74, result.stderr
    assert "nothing was published" in result.stderr
    assert releases(site) == ["1"]
    assert os.readlink(site / "public/current") == "releases/1"
    assert build(site).returncode == 0
    assert releases(site) == ["1", "2"]


@pytest.mark.parametrize("fail", [
    f"unlink:{EPERM}:releases/.removed-1/", f"rmdir:{EPERM}:releases/.removed-1", f"rename:{EPERM}:releases/.removed-1",
    # But for the folder of releases, and for a link of that name that an earlier build has left.
    f"fsync:{EIO}:/public:1", f"unlink:{EIO}:.unpublished:1",
])
def test_a_clean_up_that_fails_is_a_warning_about_a_published_release(site, failing_disk, fail):
    for text in ["# Home\n", "# Newer\n"]:
        (site / "site/index.md").write_text(text)
        build(site)
    (site / "site/index.md").write_text("# New\n")
    result = build(site, failing_disk, fail)
    assert result.returncode == 0, result.stderr
    assert re.search("warning: the release is published, but cleaning up after it failed: .*\\[clean-up\\]", result.stderr)
    assert "published release 3 in 'public'" in result.stderr
    assert os.readlink(site / "public/current") == "releases/3"
    # The cache was written: only what changes is made again.
    (site / "site/hr/pay.md").write_text("# Pay\n\nMore.\n")
    again = build(site, arguments=["--verbose"])
    assert "2 unchanged" in again.stderr and "clean-up" not in again.stderr
    assert releases(site) == ["3", "4"]


def test_without_hard_links_files_are_copied(site, failing_disk):
    for number in "12":
        # Without a change there would be no second release.
        (site / "site/hr/pay.md").write_text(f"# Pay {number}\n")
        result = build(site, failing_disk, f"link:{EPERM}:/")
        assert result.returncode == 0, result.stderr
    assert releases(site) == ["1", "2"]
    assert (site / "public/current/site/index.html").read_text() == (
        site / "public/releases/1/site/index.html"
    ).read_text()
    assert [path.name for path in (site / "public/theme").iterdir()]
    assert not list((site / "public/theme").glob("*.partial"))


def test_an_interrupted_lock_is_tried_again(site, failing_disk):
    # Fails for ever: the build must neither end with that nor publish.
    process = subprocess.Popen(
        [BIN / "sitegen", "build"], cwd=site, stderr=subprocess.DEVNULL,
        env=os.environ | {"LD_PRELOAD": str(failing_disk), "CALLS_FAIL": f"flock:{EINTR}:.lock"},
    )
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(timeout=1)
    process.kill()
    process.wait()
    assert build(site).returncode == 0


def test_a_picture_that_cannot_be_read_is_an_error(site, failing_disk):
    shutil.copy(ROOT / "site/handbook/page.png", site / "site/picture.png")
    result = build(site, failing_disk, f"pread:{EIO}:picture.png")
    assert result.returncode != 0
    assert "site/picture.png:1:1: error: input/output error [source-file]" in result.stderr
    assert not (site / "public/current").exists()


@pytest.mark.parametrize("limit", [8, 10, 12, 14, 15, 16, 18, 20, 32, 48, 64, 128])
def test_too_few_descriptors_are_an_error_and_no_hang(site, limit):
    (site / "site/code.md").write_text("```python\nx = 1\n```\n")
    subprocess.run(["git", "init", "-q", "."], cwd=site, check=True)
    command = f"ulimit -n {limit}; exec {BIN}/sitegen build"
    start = time.monotonic()
    result = subprocess.run(["bash", "-c", command], cwd=site, capture_output=True, text=True, timeout=60)
    assert time.monotonic() - start < 20
    if result.returncode:
        assert result.returncode == 74
        assert "sitegen: error: the limit of open files is too low; 'ulimit -n 1024' raises it" in result.stderr
    else:
        assert limit > 40


def test_a_second_build_waits_for_the_first(site):
    for number in range(2000):
        (site / f"site/p{number}.md").write_text("text\n" * 50)
    first = subprocess.Popen([BIN / "sitegen", "build"], cwd=site, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 20
    while not (site / "public/.lock").exists() and time.monotonic() < deadline:
        time.sleep(0.005)
    first.send_signal(signal.SIGSTOP)
    try:
        refused = build(site, arguments=["--wait", "0"])
        assert refused.returncode == 74
        assert refused.stderr.startswith("sitegen: error: another build publishes to 'public'; '--wait' sets how long to wait for it\n")
        # While the first one sleeps on what it has read, the site changes.
        (site / "site/index.md").write_text("---\naccess: [hr]\n---\n# Changed\n")
        second = subprocess.Popen([BIN / "sitegen", "build"], cwd=site, stderr=subprocess.PIPE, text=True)
        assert second.stderr.readline() == "sitegen: another build publishes to 'public'; waiting until it ends\n"
    finally:
        first.send_signal(signal.SIGCONT)
    assert first.wait(timeout=60) == 0 and second.wait(timeout=60) == 0
    assert os.readlink(site / "public/current") == "releases/2"
    assert "Changed" in (site / "public/current/site/index.html").read_text()
    assert "allow [hr] /\n" in (site / "public/current/access").read_text()
