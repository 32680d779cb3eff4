"""The JSON Schemas of the handbook: made of its reference, and true for the sites that are here."""

import json
import subprocess
import tomllib

import jsonschema
import pytest
import yaml

from demo_site import BIN, ROOT

NAMES = ["front-matter", "configuration"]


def schema(name):
    return json.loads((ROOT / f"site/handbook/reference/{name}.schema.json").read_text())


@pytest.mark.parametrize("name", NAMES)
def test_a_schema_is_what_the_reference_says_and_what_the_program_prints(name, tmp_path):
    subprocess.run([ROOT / "Packaging/json-schemas", tmp_path], check=True)
    path = ROOT / f"site/handbook/reference/{name}.schema.json"
    made = (tmp_path / path.name).read_text()
    assert path.read_text() == made, "run 'Packaging/json-schemas site/handbook/reference'"
    assert subprocess.run([BIN / "sitegen", "schema", name], capture_output=True, text=True).stdout == made
    jsonschema.Draft7Validator.check_schema(schema(name))


def front_matter(path):
    """The front matter of a page in YAML; moments stay texts, as editors see them."""
    lines = path.read_text(errors="replace").split("\n")
    if lines[0] != "---" or "---" not in lines[1:]:
        return None
    return yaml.load("\n".join(lines[1:lines.index("---", 1)]), Loader=yaml.BaseLoader)


def typed(value):
    """A value as YAML 1.2 has it: BaseLoader makes texts of everything."""
    if isinstance(value, dict):
        return {key: typed(each) for key, each in value.items()}
    if isinstance(value, list):
        return [typed(each) for each in value]
    try:
        return json.loads(value) if value[:1] not in '"[{' else value
    except ValueError:
        return value


def test_the_pages_and_settings_that_are_here_are_right():
    validators = {name: jsonschema.Draft7Validator(schema(name)) for name in NAMES}
    cases = ROOT / "Tests/SiteGeneratorTests/Sites"
    folders = [folder for folder in cases.iterdir() if folder.name not in ("mistakes", "wrong")]
    pages = [*(ROOT / "site").rglob("*.md"), *(path for folder in folders for path in folder.glob("site/**/*.md"))]
    read = 0
    for path in pages:
        found = front_matter(path)
        if found is not None:
            errors = [f"{path}: {error.message}" for error in validators["front-matter"].iter_errors(typed(found))]
            assert not errors
            read += 1
    assert read > 60
    settings = [ROOT / "sitegen.toml", *(folder / "sitegen.toml" for folder in folders)]
    for path in filter(lambda path: path.exists(), settings):
        errors = [error.message for error in validators["configuration"].iter_errors(tomllib.loads(path.read_text()))]
        assert not errors, path
    assert len(settings) > 10


@pytest.mark.parametrize("name, value", [
    ("front-matter", {"titel": "x"}), ("front-matter", {"draft": "maybe"}), ("front-matter", {"access": {"hr": True}}),
    ("front-matter", {"order": "first"}), ("configuration", {"acces": "public"}), ("configuration", {"toc_depth": 7}),
    ("configuration", {"access": "everybody"}), ("configuration", {"checks": {"dead-lnk": "off"}}),
    ("configuration", {"checks": {"widened-access": "off"}}), ("configuration", {"groups": {"hr": {"rolle": "HR"}}}),
])
def test_mistakes_are_seen(name, value):
    assert not jsonschema.Draft7Validator(schema(name)).is_valid(value)
