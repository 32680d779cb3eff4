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


@pytest.mark.parametrize("readers, urls", [
    (["public"], {"/press/"}), (["signed-in"], {"/", "/press/"}),
    (["hr"], {"/", "/press/", "/hr/", "/hr/map.gif", "/hr/salaries/"}),
    (["hr", "board"], {"/", "/press/", "/hr/", "/hr/map.gif", "/hr/salaries/", "/hr/board/"}),
])
def test_what_a_reader_may_read_dead_links_or_not(site, readers, urls):
    (site / "site/press.md").write_text("---\naccess: public\nwidens: true\n---\n# Press\n\n[Dead](nowhere.md)\n")
    lines = told(site, "access", *(word for reader in readers for word in ("--as", reader))).splitlines()
    authors = {line.split()[1] for line in lines if "(made by the build)" not in line}
    assert authors == urls
    assert any(line.split()[1] == "/search/" for line in lines) == (readers != ["public"])


def test_a_group_that_is_not_there_has_no_list(site):
    assert "group 'hrr' is not defined" in told(site, "access", "--as", "hrr", code=1)


def test_nothing_is_said_while_readers_are_in_doubt(site):
    (site / "site/hr/salaries.md").write_text("---\naccess: [hrr]\n---\n# Salaries\n")
    message = told(site, "access", code=1)
    assert "site/hr/salaries.md:2:10: error:" in message and "hrr" in message


def test_what_changes_for_readers(site):
    assert "there is no release" in told(site, "access", "--compare", "current", code=1)
    told(site, "build")
    assert told(site, "access", "--compare", "current") == "nothing changes for readers\n"
    write(site, {
        "sitegen.toml": FILES["sitegen.toml"].replace('"HR"', '["HR", "People"], audit = true, authentication_context = "c1"'),
        "site/hr/index.md": "---\naccess: [hr, board]\n---\n# HR\n",
        "site/new.md": "# New\n\n[A dead link is another matter](nowhere.md)\n",
    })
    (site / "site/press.md").unlink()
    expected = [
        "wider  /hr/  [hr] -> [board, hr]", "wider  /hr/map.gif  [hr] -> [board, hr]",
        "wider  /hr/salaries/  [hr] -> [board, hr]", "new    /new/  signed-in", "gone   /press/  public",
        "group  hr is role HR, role People; confirms 'c1' for 3600 s; is audited", "group  no longer: hr is role HR",
    ]
    assert told(site, "access", "--compare", "1").splitlines() == expected
    write(site, {"site/new.md": "# New\n"})
    told(site, "build")
    assert told(site, "access", "--compare", "current") == "nothing changes for readers\n"
    assert told(site, "access", "--compare", "1").splitlines() == expected
    assert "there is no release 9; the releases are 1, 2" in told(site, "access", "--compare", "9", code=1)
    for wrong in ["0", "-1", "x"]:
        told(site, "access", f"--compare={wrong}", code=64)
    # A page's Markdown has the page's readers, and no line of its own.
    with open(site / "sitegen.toml", "r+") as file:
        text = file.read()
        file.seek(0)
        file.write("markdown_copies = true\n" + text)
    assert told(site, "access", "--compare", "current") == "new    /llms.txt  public\n"
    assert told(site, "access", "/new/index.md").startswith("/new/index.md is for all who sign in\n")
