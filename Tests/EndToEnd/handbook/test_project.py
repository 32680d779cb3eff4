"""The handbook's part 'Project', README and CONTRIBUTING.md name files, layers, versions and tests: each is there."""

import functools
import json
import re
import subprocess
import sys

import pytest

from demo_site import ROOT
from handbook_pages import rows

sys.path.insert(0, str(ROOT / "Tests/Differential"))
from compare import Comparison  # noqa: E402
from normalise import KNOWN  # noqa: E402

PROJECT = ROOT / "site/handbook/project"


def section(text, heading):
    """What stands below a heading, up to the next one of its level or a higher one."""
    level = heading.split(" ")[0]
    start = text.index(f"\n{heading}\n") + len(heading) + 2
    end = re.compile(rf"^#{{1,{len(level)}}} ", re.M).search(text, start)
    return text[start:end.start() if end else len(text)]


# Names of files and types


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", *(f"site/handbook/project/{name}.md" for name in (
    "architecture", "decisions", "dependencies", "measurements", "threat-model"))])
def test_every_file_that_is_named_is_there(page):
    text = (ROOT / page).read_text()
    top = {path.name for path in ROOT.iterdir() if not path.name.startswith(".") or path.name == ".ci"}
    for name in re.findall(r"`([^`\s]+)`", text):
        name = name.rstrip(",.:")
        first = name.split("/")[0]
        # What a build makes is on no list, and `<…>` stands for a name.
        if first in top and first not in {"public", "state"} and "<" not in name and "…" not in name:
            assert (ROOT / name).exists(), f"{page} names '{name}'"


def test_every_place_to_change_something_is_there():
    text = section((PROJECT / "architecture.md").read_text(), "## Where do I change X?")
    count = 0
    for heading in re.findall(r"^### .*$", text, re.M):
        part = section(text, heading)
        below = re.search(r"Paths are below `([^`]+)`", part)
        for x, places in rows(part):
            for name in re.findall(r"`([^`]+)`", places):
                if "/" in name or "." in name:
                    count += 1
                    is_whole = below is None or (ROOT / name.split("/")[0]).exists()
                    assert ((ROOT if is_whole else ROOT / below[1]) / name).exists(), f"{x}: '{name}'"
    assert count > 50


@pytest.mark.parametrize("page", ["architecture", "decisions", "threat-model"])
def test_every_type_that_is_named_is_there(page):
    sources = "\n".join(path.read_text() for folder in ("Sources", "Tests") for path in (ROOT / folder).rglob("*.swift"))
    known = set(re.findall(r"\b(?:struct|class|enum|actor|protocol|extension|typealias)\s+(\w+)", sources))
    known |= {path.name for folder in (ROOT, ROOT / "Sources") for path in folder.iterdir()}
    for name in re.findall(r"`([A-Z]\w*[a-z]\w*)`", (PROJECT / f"{page}.md").read_text()):
        assert name in known, f"{page}.md names '{name}'"


# Layers


@functools.cache
def targets():
    """Each target of Package.swift that is for no test, with the targets that it depends on."""
    command = ["swift", "package", "dump-package"]
    package = json.loads(subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout)
    return {
        target["name"]: {dependency["byName"][0] for dependency in target["dependencies"] if "byName" in dependency}
        for target in package["targets"] if target["type"] != "test" and target["name"] != "Fixtures"
    }


def layers():
    """The layers of the page, highest first: of each, its targets and what they depend on; `None` if it does not say."""
    text = section((PROJECT / "architecture.md").read_text(), "## Layers")
    found = []
    for heading in re.findall(r"^### .*$", text, re.M):
        part = section(text, heading)
        if "\n|" in part:
            found.append({row[0].strip("`"): set(re.findall(r"[\w-]+", row[-1])) for row in rows(part)})
        else:
            found.append(dict.fromkeys(re.findall(r"`(\w+)`", part)))
    return found


def test_the_layers_are_those_of_the_package():
    drawn = {name: dependencies for layer in layers() for name, dependencies in layer.items()}
    assert drawn.keys() == targets().keys()
    for name, dependencies in targets().items():
        if drawn[name] is not None:
            assert drawn[name] == dependencies, name
        else:
            assert not dependencies, name


def test_a_target_depends_on_lower_layers_and_on_the_neighbours_that_the_page_names():
    neighbours = {
        ("FastCGI", "POSIX"), ("Loopback", "POSIX"), ("Redis", "POSIX"),
        ("MicrosoftGraph", "SiteauthConfiguration"), ("Settings", "Diagnostics"), ("UsageErrors", "Diagnostics"), ("Markdown", "HTML"),
        ("Markdown", "CodeBlocks"),
        ("SourceFolder", "Rules"), ("MarkdownWriting", "Diagnostics"), ("MarkdownWriting", "HTML"),
    }
    rank = {name: number for number, layer in enumerate(layers()) for name in layer}
    level = {(name, other) for name, others in targets().items() for other in others if rank[other] <= rank[name]}
    assert level == neighbours


# Markdown differences


def differences():
    """The name of each difference with its example."""
    text = (PROJECT / "markdown-differences.md").read_text()
    return re.findall(r"^### (.*)\n\n(?:.+\n)+\n`{3,}markdown\n((?:(?!`{3,}\n\n).*\n)*?)`{3,}$", text, re.M)


def test_the_page_and_the_differential_test_know_the_same_differences():
    names = [name for name, _ in differences()]
    assert sorted(names) == sorted([*KNOWN, "CommonMark 0.30 (libcmark) and 0.29 (cmark-gfm) differ"])


def test_each_example_shows_its_difference():
    comparison = Comparison()
    names = [name for name, _ in differences()]
    cases = comparison.named(list(comparison.both([example for _, example in differences()])))
    for name, ((markdown, theirs, ours), found) in zip(names, cases, strict=True):
        assert theirs != ours, f"no difference: {markdown}"
        assert found == name


# Dependencies


def table(heading):
    """The rows of a table by the name in their first cell."""
    return {row[0]: row[1:] for row in rows(section((PROJECT / "dependencies.md").read_text(), heading))}


def test_every_dependency_says_version_licence_and_reason():
    headings = ["## Swift packages", "### For building and running", "### For the tests", "## Python packages"]
    for name, cells in [item for heading in headings for item in table(heading).items()]:
        assert len(cells) == 3 and all(cells), name


def test_swift_packages_are_those_of_the_package():
    text = (ROOT / "Package.swift").read_text()
    wanted = dict(re.findall(r'\.package\(\s*url: "[^"]*/([^"/]+?)(?:\.git)?",\s*(?:from|exact): "([^"]+)"', text))
    assert {name: cells[0] for name, cells in table("## Swift packages").items()} == wanted


@pytest.mark.parametrize(("variable", "heading"), [
    ("PACKAGES", "### For building and running"), ("TEST_PACKAGES", "### For the tests"),
])
def test_debian_packages_are_those_of_the_makefile(variable, heading):
    text = (ROOT / "Makefile").read_text().replace("\\\n", " ")
    wanted = re.search(rf"^{variable} *:?= *(.*)$", text, re.M)[1].split()
    assert sorted(table(heading)) == sorted(wanted)


def requirements():
    """The packages that the tests ask for, with the version that is installed; not what those bring along."""
    folder = ROOT / "Tests/EndToEnd"
    name = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])? *(?:>=|==) *([\w.]+)", re.M)
    asked = {match[1].lower() for match in name.finditer((folder / "requirements.in").read_text())}
    return {match[1]: match[2] for match in name.finditer((folder / "requirements.txt").read_text()) if match[1] in asked}


def test_python_packages_are_those_of_the_requirements():
    assert {name.lower(): cells[0] for name, cells in table("## Python packages").items()} == requirements()
    pin = (ROOT / "Packaging/mermaid.txt").read_text().splitlines()[1]
    assert pin.replace(" --", " \\\n    --") in (ROOT / "Tests/EndToEnd/requirements.txt").read_text()


# Promises


@functools.cache
def text_of_tests():
    return "".join(path.read_text() for pattern in ("*.swift", "*.py") for path in (ROOT / "Tests").rglob(pattern))


def is_test(name):
    return (f"def {name}(" if name.startswith("test_") else f"func `{name}`") in text_of_tests()


def test_the_readme_is_short_and_every_guarantee_has_a_test():
    text = (ROOT / "README.md").read_text()
    assert len(text.encode()) <= 8192
    guarantees = rows(section(text, "## What it guarantees"))
    assert len(guarantees) >= 6 and all(is_test(test.strip("`")) for _, test in guarantees)
    for target in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (ROOT / target).exists(), target


def test_every_promise_of_the_threat_model_has_a_test():
    text = section((PROJECT / "threat-model.md").read_text(), "## Promises")
    promises = [row for heading in re.findall(r"^### .*$", text, re.M) for row in rows(section(text, heading))]
    assert len(promises) > 40
    for promise, names in promises:
        for name in names.split(" · "):
            assert is_test(name), f"{promise} {name}"


def test_every_criterion_of_wcag_has_a_row_and_its_tests_are_there():
    text = (PROJECT / "accessibility.md").read_text()
    criteria = [row for heading in re.findall(r"^## .*able$|^## Robust$", text, re.M) for row in rows(section(text, heading))]
    counts = {"1.1": 1, "1.2": 5, "1.3": 5, "1.4": 9, "2.1": 3, "2.2": 2, "2.3": 1, "2.4": 8, "2.5": 6, "3.1": 2, "3.2": 5, "3.3": 6, "4.1": 2}
    numbers = [name.split()[0] for name, *_ in criteria]
    assert {start: sum(number.startswith(start + ".") for number in numbers) for start in counts} == counts
    assert len(set(numbers)) == len(numbers)
    for name, _, tests in criteria:
        for test in tests.split(" · "):
            assert test in {"axe", "no test", "nothing to test"} or is_test(test), f"{name} {test}"


def test_every_module_of_the_conformance_suite_that_has_a_result_has_a_test():
    text = section((PROJECT / "conformance.md").read_text(), "## Results")
    modules = [row for row in rows(text) if row[0].startswith("`oidcc-")]
    for module, *_, result, test in modules:
        assert is_test(test) == (result != "not run"), module
    for result, count, _ in [row for row in rows(text) if row[1].isdigit()]:
        assert sum(row[-2] == result for row in modules) == int(count), result
