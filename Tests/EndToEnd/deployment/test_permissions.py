"""Files and sockets that the wrong accounts can read or change, or that the right ones cannot read."""

import os
import re
import subprocess

import pytest
import requests

from demo_site import NAVIGATE, NGINX, sitegen, write

FILES = {
    "sitegen.toml": '[groups]\nhr = { role = "HR" }\n',
    "site/index.md": "# Home\n",
    "site/hr/index.md": "---\naccess: [hr]\n---\n# Human resources\n",
}


def build(folder, files, **options):
    write(folder, files)
    return sitegen(folder, "build", **options)


def test_a_build_with_umask_077(tmp_path):
    first = build(tmp_path, FILES, umask=0o077)
    assert first.returncode == 0 and "warning: only this account can read the release" in first.stderr
    # Not only once, and not only by the build that did it.
    again = build(tmp_path, FILES, umask=0o027)
    assert "[unreadable-release]" in again.stderr
    commands = re.findall("'(ch[^']*)'", again.stderr)
    assert len(commands) == 4
    for command in commands:
        own = command.replace("www-data", str(os.getgid()))
        subprocess.run(own, shell=True, cwd=tmp_path, check=True)
    # From now on the umask takes nothing from the group.
    for index in range(2):
        built = build(tmp_path, {"site/index.md": f"# Home {index}\n"}, umask=0o077)
        assert built.returncode == 0 and "warning" not in built.stderr
    for path in (tmp_path / "public").rglob("[!.]*"):
        mode = 0o050 if path.is_dir() else 0o040
        assert path.is_symlink() or path.stat().st_mode & mode == mode, path
        assert path.is_symlink() or path.stat().st_mode & 0o002 == 0


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a folder to another group")
def test_a_folder_that_lost_its_group(tmp_path):
    build(tmp_path, FILES)
    public = tmp_path / "public"
    os.chown(public, -1, 12345)
    for path in [public, *public.rglob("*")]:
        if not path.is_symlink():
            path.chmod(path.stat().st_mode & ~0o007)
    assert "[unreadable-release]" in build(tmp_path, FILES).stderr


@pytest.mark.parametrize("mode, owner", [(0o644, 0), (0o604, 0), (0o620, 0), (0o660, 0), (0o640, os.getuid())])
def test_secrets_that_others_may_read_or_change(own, mode, owner):
    if os.getuid() == 0 and mode == 0o640:
        # The file is the account's own, so its group has no need of it; a file of root's is read by the group.
        own.secrets.chmod(mode)
        assert own.check_config().returncode == 0
        owner = 65534
    os.chown(own.secrets, owner, -1)
    own.secrets.chmod(mode)
    own.folder.chmod(0o755)
    user = {} if owner == os.getuid() else {"user": owner}
    told = own.check_config(**user)
    assert told.returncode == 1 and f"other users have permissions on this file (mode {mode:o})" in told.stderr
    subprocess.run(re.search("run '(chmod [^']*)'", told.stderr)[1], shell=True, check=True)
    assert own.check_config(**user).returncode == 0


def test_a_folder_in_which_everybody_may_replace_the_secrets(own):
    for mode in [0o777, 0o1777]:
        own.folder.chmod(mode)
        told = own.check_config()
        assert told.returncode == 1
        assert "other users may write to the folder of this file; run 'chmod o-w" in told.stderr
    subprocess.run(re.search("run '(chmod [^']*)'", told.stderr)[1], shell=True, check=True)
    assert own.check_config().returncode == 0


@pytest.mark.skipif(os.getuid() != 0, reason="only root can start nginx under another account")
def test_nginx_that_may_not_connect(own):
    wrapper = own.folder / "nginx"
    wrapper.write_text(f'#!/bin/sh\nexec setpriv --reuid=65534 --regid=65534 --clear-groups {NGINX} "$@"\n')
    own.folder.chmod(0o777)
    wrapper.chmod(0o755)
    own.program = wrapper
    own.demo.folder.chmod(0o755)
    # Not the folder of the secrets: siteauth would refuse it.
    secrets = own.folder / "etc/secrets.toml"
    secrets.parent.mkdir()
    secrets.write_text(own.secrets.read_text())
    secrets.chmod(0o600)
    own.secrets = secrets
    own.serve()

    def answer():
        return requests.get(own.url + "/", headers=NAVIGATE, allow_redirects=False, timeout=60)

    assert "<h1>The site is not available</h1>" in answer().text
    assert "Permission denied" in own.log()
    for name in ["check", "pages"]:
        os.chown(own.folder / f"{name}.sock", -1, 65534)
    assert answer().status_code == 303
