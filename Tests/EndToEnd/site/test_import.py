"""An export of Confluence becomes a site that is closed until somebody decides, and then has tree, links and readers."""

import re

from demo_site import ROOT, replaced, sitegen

EXPORT = ROOT / "Tests/ImportTests/Exports/confluence-xml/source"
# Its name has the same meaning in each import.
BOTH = "restricted-d82f7771dfbc910e"
GROUPS = f"""
hr = {{ role = "HR" }}
{BOTH} = {{ users = "ca401000-0000-4000-8000-00000000000c" }}
"""


def change(path, old, new):
    path.write_text(replaced(path.read_text(), {old: new}))


def test_a_space_is_closed_until_somebody_decides(tmp_path):
    made = sitegen(tmp_path, "import", EXPORT, "new")
    assert made.returncode == 0, made.stderr
    site = tmp_path / "new"

    def refused():
        build = sitegen(site, "build")
        assert build.returncode == 1 and not (site / "public/current").exists()
        return build.stderr

    assert "group 'space-readers' is not defined" in refused()
    change(site / "sitegen.toml", '["space-readers"]', '"signed-in"')
    found = refused()
    assert "group 'hr' is not defined" in found and f"group '{BOTH}' is not defined" in found
    change(site / "sitegen.toml", "[groups]", "[groups]" + GROUPS)
    assert "[widened-access]" in refused()
    change(site / "site/salaries-2027/bonuses/index.md", "access:", "widens: true\naccess:")
    built = sitegen(site, "build")
    assert built.returncode == 0, built.stderr

    release = site / "public/current"
    access = (release / "access").read_text()
    assert "allow signed-in /\n" in access
    assert "allow [hr] /salaries-2027/\n" in access and "allow [hr] /display/PT/Board/\n" in access
    home = (release / "site/index.html").read_text()
    # The order of the tree, and no title that some readers of the page must not know.
    navigation = re.findall(r'href="/([a-z0-9-]+)/"', home[home.index("<nav"):])
    assert navigation.index("travel-costs") < navigation.index("etc-passwd")
    assert "Salaries" not in home and "Bonuses" not in home
    assert 'href="/travel-costs/#Nighttrains"' in home
    travel = (release / "site/travel-costs/index.html").read_text()
    assert 'id="Nighttrains"' in travel and re.search(r'src="[^"]*night-train\.png"', travel)
    for page in (release / "site").rglob("*.html"):
        assert "alert(1)</script>" not in page.read_text() and "/etc/passwd:" not in page.read_text()
    assert (release / "site/display/PT/Travel+costs/index.html").exists()

    again = sitegen(tmp_path, "import", EXPORT, site)
    assert again.returncode == 0 and "site/salaries-2027/bonuses/index.md" in again.stdout
    assert "widens: true" in (site / "site/salaries-2027/bonuses/index.md").read_text()
    assert sitegen(site, "build").returncode == 0
