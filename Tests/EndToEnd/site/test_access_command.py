"""`sitegen access`: who may read what, and what changes for readers."""

import pytest

from demo_site import sitegen, write

FILES = {
    "sitegen.toml": 'title = "T"\n[groups]\nhr = { role = "HR" }\nboard = { users = ["aaaaaaaa-0000-4000-8000-000000000001"] }\n',
    "site/index.md": "# Home\n",
    "site/press.md": "---\naccess: public\nwidens: true\n---\n# Press\n",
    "site/hr/index.md": "---\naccess: [hr]\n---\n# HR\n",
    "site/hr/salaries.md": "---\ntags: [pay]\n---\n# Salaries\n\n![](map.gif)\n",
    "site/hr/map.gif": "GIF8",
    "site/hr/board/index.md": "---\naccess: [board]\nwidens: true\n---\n# Board\n",
}
HR = "  site/hr/index.md:2:9: access: [hr]\n  hr is role HR\n"


def told(site, *arguments, code=0):
    result = sitegen(site, *arguments)
    assert result.returncode == code, result.stdout + result.stderr
    return result.stdout if code == 0 else result.stderr


@pytest.fixture
def site(tmp_path):
    write(tmp_path, FILES)
    return tmp_path


@pytest.mark.parametrize("name", ["site/hr/salaries.md", "hr/salaries.md", "/hr/salaries/", "hr/salaries"])
def test_readers_of_a_page_and_where_they_are_written(site, name):
    assert told(site, "access", name) == "/hr/salaries/ is for hr\n" + HR


def test_readers_of_other_things(site):
    assert told(site, "access", "hr/map.gif") == "/hr/map.gif is for hr\n" + HR
    assert told(site, "access", "/", "press.md").splitlines() == [
        "/ is for all who sign in", "  'access' of sitegen.toml, or its default: signed-in",
        "/press/ is for everybody", "  site/press.md:2:9: access: public",
    ]
    assert "board is user aaaaaaaa-0000" in told(site, "access", "/hr/board/")
    assert "there is no page or file 'nowhere'" in told(site, "access", "nowhere", code=1)
    listed = [line.split()[:2] for line in told(site, "access").splitlines()]
    assert listed == [
        ["signed-in", "/"], ["[hr]", "/hr/"], ["[board]", "/hr/board/"], ["[hr]", "/hr/map.gif"],
        ["[hr]", "/hr/salaries/"], ["public", "/press/"],
    ]


def test_nothing_is_said_while_readers_are_in_doubt(site):
    (site / "site/hr/salaries.md").write_text("---\naccess: [hrr]\n---\n# Salaries\n")
    message = told(site, "access", code=1)
    assert "site/hr/salaries.md:2:10: error:" in message and "hrr" in message


def test_what_changes_for_readers(site):
    assert "there is no release" in told(site, "access", "--compare", "current", code=1)
    told(site, "build")
    assert told(site, "access", "--compare", "current") == "nothing changes for readers\n"
    write(site, {
        "sitegen.toml": FILES["sitegen.toml"].replace('"HR"', '["HR", "People"]'),
        "site/hr/index.md": "---\naccess: [hr, board]\n---\n# HR\n",
        "site/new.md": "# New\n",
    })
    (site / "site/press.md").unlink()
    expected = [
        "wider  /hr/  [hr] -> [board, hr]", "wider  /hr/map.gif  [hr] -> [board, hr]",
        "wider  /hr/salaries/  [hr] -> [board, hr]", "new    /new/  signed-in", "gone   /press/  public",
        "group  hr is role HR, role People", "group  no longer: hr is role HR",
    ]
    assert told(site, "access", "--compare", "1").splitlines() == expected
    told(site, "build")
    assert told(site, "access", "--compare", "current") == "nothing changes for readers\n"
    assert told(site, "access", "--compare", "1").splitlines() == expected
    assert "there is no release 9; the releases are 1, 2" in told(site, "access", "--compare", "9", code=1)
    for wrong in ["0", "-1", "x"]:
        told(site, "access", f"--compare={wrong}", code=64)
