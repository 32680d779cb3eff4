"""The reference of the handbook has every key, option, route, event, metric, value and fault, and no other.

What the programs accept and print is asked from the programs; see accepted_keys.py and told_by_programs.py.
"""

import re

import pytest

from accepted_keys import RIGHT_SECRETS, SITE_LIBRARIES, front_matter_keys, secrets_keys, sitegen_keys, sources
from accepted_keys import tenant_keys
from accepted_keys import complaints_about_front_matter, complaints_about_secrets, complaints_about_site
from demo_site import ROOT
from handbook_pages import CODE, page
from told_by_programs import OneAnswer, commands, option_names, template_values

PROGRAMS = {"sitegen": "sitegen.md", "siteauth": "siteauth.md", "entra-emulator": "emulator.md"}
# Every command has these.
EVERYWHERE = {"--help", "-h", "--version", "--generate-completion-script"}


def compare(program, handbook, place, kind):
    """Both directions at once, so that one run names all that is missing."""
    problems = [f"{place} has no entry for the {kind} {name!r}" for name in sorted(program - handbook)]
    problems += [f"{place} has an entry for {name!r}, which is no {kind}" for name in sorted(handbook - program)]
    assert not problems, "\n".join(problems)


def reference(name):
    return page(f"reference/{name}")


def once(entries, place):
    """Each name has one entry."""
    names = [name for entry in entries for name in entry.names]
    twice = sorted({name for name in names if names.count(name) > 1})
    assert not twice, f"{place} has two entries for {twice}"


# Markdown


def test_markdown_has_every_element_of_safe_html():
    table = (ROOT / "Sources/HTML/SafeElement.swift").read_text()
    table = table[table.index("private static let kinds"):]
    names = set(re.findall(r'"([a-z][a-z0-9]*)": \.', table))
    names |= {name for text in re.findall(r'"([a-z0-9 ]+)"(?!:)', table) for name in text.split()}
    text = (ROOT / "site/handbook/reference/markdown.md").read_text()
    text = text[text.index("- In a line: "):text.index("They keep harmless attributes")]
    text = text.replace("`h1` to `h6`", " ".join(f"`h{level}`" for level in range(1, 7)))
    compare(names, set(re.findall(r"`([a-z0-9]+)`", text)), "markdown.md, Safe HTML", "element")


# Keys

KEY = r"[a-z][a-z0-9_]*"
VARIABLE = r"[A-Z][A-Z_]+"
# What the programs call a kind of value, and what the pages call it.
KINDS = {"true or false": "`true` or `false`", "a whole number": "whole number", "a table": "table"}


def heading_of(table):
    return table.replace("_", " ").capitalize()


def test_sitegen_toml_has_every_key(tmp_path):
    keys, tables = sitegen_keys(tmp_path)
    found = reference("sitegen-toml.md")
    for table in sorted(set(keys) - {""}):
        compare(keys[table], found.heads(KEY, under=heading_of(table)), f"sitegen-toml.md, {table}", "key")
    inner = {name for table in set(keys) - {""} for name in found.heads(KEY, under=heading_of(table))}
    outer = {
        name for entry in found.entries() if not {heading_of(table) for table in tables} & set(entry.headings)
        for name in entry.names if re.fullmatch(KEY, name)
    }
    assert inner, "sitegen-toml.md has sections for the tables"
    compare(keys[""] | tables, outer, "sitegen-toml.md", "key")


def test_secrets_toml_has_every_key(tmp_path):
    found = reference("secrets-toml.md")
    compare(secrets_keys(tmp_path), found.heads(KEY), "secrets-toml.md", "key")
    once([entry for entry in found.entries() if re.fullmatch(KEY, entry.names[0])], found.path)


def examples(name):
    """Each key with the line that its entry shows as an example."""
    for entry in reference(name).entries():
        example = re.search(r"Example: `([^`]+ = [^`]+)`", entry.text)
        if example:
            yield entry, example[1]


def test_sitegen_takes_every_example_of_a_key(tmp_path):
    taken = 0
    (tmp_path / ".baseline.json").write_text('{"version":2,"findings":[]}')
    for name in ["mkdocs.yml", "site/brand/logo.svg", "site/brand/icon.svg", "pages/index.md", "design/page.html"]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("<svg/>" if name.endswith("svg") else "")
    for entry, example in examples("sitegen-toml.md"):
        table = entry.headings[-1].lower().replace(" ", "_")
        header = {
            "groups": "[groups.some]\n", "links": "[links]\n", "navigation": "[navigation]\n",
            "front_matter": "[front_matter]\n", "theme": '[theme]\naccent = "#0a6b4f"\n'
        }.get(table, "")
        if example.startswith("accent ="):
            header = "[theme]\n"
        if example.startswith("authentication_context_seconds"):
            header += 'authentication_context = "c1"\n'
        assert example.startswith(f"{entry.names[0]} = "), f"sitegen-toml.md:{entry.line}"
        messages = [text for text in complaints_about_site(tmp_path, header + example + "\n") if entry.names[0] in text]
        assert not messages, f"sitegen-toml.md:{entry.line}: {messages}"
        taken += 1
    assert taken > 20


def test_siteauth_takes_every_example_of_a_key(tmp_path):
    taken = 0
    for entry, example in examples("secrets-toml.md"):
        assert example.startswith(f"{entry.names[0]} = "), f"secrets-toml.md:{entry.line}"
        messages = [
            text for text in complaints_about_secrets(tmp_path, f"[auth]\n{example}\n")
            if re.search(rf":2:\d+: error: .*'{entry.names[0]}'.*(must be|unknown)", text)
        ]
        assert not messages, f"secrets-toml.md:{entry.line}: {messages}"
        taken += 1
    assert taken > 20


def rules_of_values(messages):
    """What the program says a key must be."""
    return dict(re.findall(r"'([a-z_]+)'[^\n]*? must be ([^\n;]*)", "\n".join(messages)))


@pytest.mark.parametrize("value", ['"?"', "-1"])
@pytest.mark.parametrize("name", ["sitegen-toml.md", "secrets-toml.md"])
def test_the_reference_names_the_values_that_a_key_can_have(tmp_path, name, value):
    """The program says so where the value is another; the entry has each of these words and numbers."""
    entries = {key: entry for entry in reference(name).entries() for key in entry.names if re.fullmatch(KEY, key)}
    lines = {key: f"{key} = {value}\n" for key in entries}
    if name == "sitegen-toml.md":
        rules = rules_of_values(complaints_about_site(tmp_path, "".join(lines.values())))
    else:
        rules = rules_of_values(complaints_about_secrets(tmp_path, "[auth]\n" + "".join(lines.values())))
        # Some keys are looked at only where the others are right.
        for key in lines.keys() - rules.keys():
            others = re.sub(rf"^{key} = .*\n", "", RIGHT_SECRETS, flags=re.MULTILINE)
            rules |= rules_of_values(complaints_about_secrets(tmp_path, others + lines[key]))
    asked = 0
    for key, rule in rules.items():
        told = entries[key].text.split("Example:")[0]
        kind = KINDS.get(rule, "")
        assert kind in told, f"{name}:{entries[key].line}: {key} must be {rule}"
        for word in re.findall(r"['\"]([\w-]+)['\"]", rule) + re.findall(r"\bto (\d+)\b", rule):
            is_told = re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", told)
            assert is_told, f"{name}:{entries[key].line}: {key} must be {rule}"
            asked += 1
    assert asked > 2


def test_every_variable_has_an_entry():
    pattern = r'nvironment\["([A-Z_]+)"'
    listed = re.search(r"static let variables = \[(.*?)\]", sources("SiteauthConfiguration"), re.DOTALL)[1]
    siteauth = set(re.findall(pattern, sources("RelyingParty", "SiteauthConfiguration", "siteauth", "POSIX")))
    siteauth |= set(re.findall(r'"([A-Z_]+)"', listed))
    sitegen = set(re.findall(pattern, sources(*SITE_LIBRARIES, "sitegen")))
    # Some are read by libraries.
    known = set(re.findall(r'"([A-Z_]+)"', sources())) | {"HTTPS_PROXY"}
    for read, names in [(siteauth, ["secrets-toml.md", "siteauth.md"]), (sitegen, ["sitegen.md"])]:
        pages, place = [reference(name) for name in names], " or ".join(names)
        named = {name for found in pages for name in found.names}
        heads = {name for found in pages for name in found.heads(VARIABLE)}
        compare(read, read & named, place, "variable")
        compare(heads, heads & known, place, "variable")


def test_front_matter_has_every_key(tmp_path):
    found = reference("front-matter.md")
    entries = [entry for entry in found.entries() if re.fullmatch(r"[A-Za-z_]+", entry.names[0])]
    once(entries, found.path)
    keys = front_matter_keys(tmp_path, "0")
    heads = {name.lower() for entry in entries for name in entry.names}
    others = {
        name.lower() for entry in entries for also in re.findall(r"Also ((?:`\w+`(?:, | and )?)+)", entry.text)
        for name in CODE.findall(also)
    }
    # Some keys are known with certain values alone.
    known = keys | front_matter_keys(tmp_path, "false")
    compare(keys | (heads | others) & known, heads | others, "front-matter.md", "key")


def test_sitegen_takes_every_example_of_front_matter(tmp_path):
    taken = 0
    for entry in reference("front-matter.md").entries():
        example = re.search(r"Example: `([^`]+: [^`]+)`", entry.text)
        if example:
            messages = [text for text in complaints_about_front_matter(tmp_path, example[1]) if entry.names[0] in text]
            assert not messages, f"front-matter.md:{entry.line}: {messages}"
            taken += 1
    assert taken > 15


# Commands and options


def commands_of(entry, names):
    """For which commands an entry is: those that the line above the list names, or its heading."""
    if entry.before.startswith("Of every"):
        return set(names) - set(CODE.findall(entry.before))
    named = CODE.findall(entry.before)
    if not entry.before.startswith("Of "):
        # 'sitegen build' is the heading, or the first words of the paragraph.
        titles = [entry.headings[-1]] + named[:1]
        named = [title.split(" ", 1)[1] for title in titles if title.split()[0] in PROGRAMS and " " in title][:1]
    return {name for name in names if any(name == word or name.startswith(word + " ") for word in named)}


@pytest.mark.parametrize("program", PROGRAMS)
def test_every_command_has_its_options(program):
    name = PROGRAMS[program]
    accepted, entries = commands(program), reference(name).entries()
    entries = [entry for entry in entries if entry.names[0].startswith("-")]
    for command, options in accepted.items():
        title = f"{program} {command}"
        titles = headings(name) | reference(name).names
        assert any(title.startswith(heading) and heading != program for heading in titles), f"{name} has no '{title}'"
        found = {
            option.split()[0].split("=")[0] for entry in entries
            if command in commands_of(entry, accepted) for option in entry.names
        }
        compare(
            {option for names in options for option in option_names(names)}, found - EVERYWHERE,
            f"{name}, {title}", "option",
        )
    sections = {heading for heading in headings(name) if re.fullmatch(rf"{program} [a-z-]+", heading)}
    titles = " ".join(f"{program} {command} " for command in accepted)
    compare(sections, {section for section in sections if f"{section} " in titles}, name, "command")


def headings(name):
    return {heading for _, _, above in reference(name).prose for heading in above}


@pytest.mark.parametrize("program", PROGRAMS)
def test_every_default_of_an_option_is_told(program):
    name = PROGRAMS[program]
    accepted, entries = commands(program), reference(name).entries()
    for command, options in accepted.items():
        for option in options:
            long = option_names(option)[0]
            entry = next(entry for entry in entries if long in entry.names and command in commands_of(entry, accepted))
            default = option.get("defaultValue")
            told = re.search(r"[Dd]efault `([^`]+)`", entry.text)
            assert default is None or told and told[1] == default, f"{name}:{entry.line}: the default is '{default}'"
            for value in option.get("allValues") or []:
                assert f"`{value}`" in entry.text, f"{name}:{entry.line} has no value '{value}'"


# siteauth


@pytest.fixture(scope="module")
def siteauth(tmp_path_factory):
    return OneAnswer(tmp_path_factory.mktemp("siteauth"))


def test_every_event_of_the_log_has_an_entry(siteauth):
    events = siteauth.metrics()["siteauth_events_total"]["event"]
    found = reference("log-events.md")
    members = siteauth.members_of_log_lines()
    compare(events, found.heads(r"[a-z_]+", under="Events"), "log-events.md", "event")
    compare(members, found.heads(r"[a-z_]+", under="Lines of siteauth"), "log-events.md", "member of a line")


def test_every_metric_has_an_entry(siteauth):
    found, metrics = reference("addresses.md"), siteauth.metrics()
    compare(set(metrics), found.heads(r"siteauth_[a-z_]+"), "addresses.md", "metric")
    for metric, labels in metrics.items():
        for label in labels.keys() - {"le"}:
            assert label in found.names, f"addresses.md does not name the label '{label}' of {metric}"
        # The events have a page of their own, and a version is no word.
        values = {value for label in labels.keys() - {"le", "event", "version"} for value in labels[label]}
        assert values <= found.names, f"addresses.md: {metric} has {sorted(values - found.names)} as well"


def test_every_route_has_an_entry(siteauth):
    nginx = (ROOT / "nginx/siteauth.conf").read_text()
    locations = set(re.findall(r"^location (?:= )?(/auth/[a-z-]+) ", nginx, re.MULTILINE))
    assert "/auth/check" in locations
    found = reference("addresses.md").heads(r"/auth/[a-z-]+")
    compare(siteauth.routes() | locations, found, "addresses.md", "route")


# Templates


def test_every_value_of_a_template_has_an_entry(tmp_path):
    entries = [entry for entry in reference("templates.md").entries() if "Values" in entry.headings]
    once(entries, "templates.md")
    for template, values in template_values(tmp_path).items():
        # 'site' stands for 'site.title' and the others; 'number' is in the entry of 'pages'.
        inner = {value for value in values if value.split(".")[0] in ("pages", "previous", "next", "site")}
        told = {name for entry in entries if is_for(template, entry) for name in entry.names}
        compare(
            {value for value in values - inner if value.split(".")[0] not in told or "." not in value}
            | {value for value in inner if value.startswith("site.") or "." not in value and value != "site"},
            told - {"theme.favicon", "theme.logo"}, f"templates.md, {template}.html", "value",
        )
        for value in sorted(value for value in inner if "." in value and not value.startswith("site.")):
            outer, name = value.split(".")
            entry = next(entry for entry in entries if outer in entry.names)
            assert f"`{name}`" in entry.text, f"templates.md:{entry.line} does not name '{name}'"


def is_for(template, entry):
    """Whether the line above a list, or the entry itself, says that the template has the value."""
    if f"Also in `{template}`" in entry.text:
        return True
    in_list = "every template" in entry.before or template in CODE.findall(entry.before)
    return in_list and f"Not in `{template}`" not in entry.text


def test_every_template_has_an_entry():
    names = {path.name for path in (ROOT / "templates").glob("*.html")}
    compare(names, reference("templates.md").heads(r"[a-z0-9]+\.html"), "templates.md", "template")


# The emulator


def test_every_fault_has_an_entry(provider):
    found = reference("emulator.md")
    faults = provider.words("/faults", name="?")
    compare(faults, found.heads(r"[a-z0-9]+(-[a-z0-9]+)*", under="Faults"), "emulator.md", "fault")


def test_every_word_of_the_administration_is_named(provider):
    entries = {entry.names[0]: entry for entry in reference("emulator.md").entries(under="Administration")}
    user = "/users/b0b00000-0000-4000-8000-00000000000b"
    paths = provider.words("/?")
    assert paths <= set(entries), f"emulator.md has no entry for {sorted(paths - set(entries))}"
    for path, words in [
        ("/faults", provider.words("/faults", name="slow", endpoint="?")),
        ("/keys", provider.words("/keys", change="?")),
        ("/keys", provider.words("/keys", change="rotate", family="?")),
        ("/users/<object id>", provider.words(user, change="?")),
    ]:
        missing = sorted(words - set(CODE.findall(entries[path].text)))
        assert not missing, f"emulator.md:{entries[path].line}: {path} takes {missing} as well"


def test_every_key_of_a_tenant_has_an_entry(tmp_path):
    found = reference("tenants-toml.md")
    sections = {"": "The file", "tenant": "tenant", "tenant.user": "user", "tenant.application": "application"}
    keys = tenant_keys(tmp_path)
    for table, section in sections.items():
        inner = {path.split(".")[-1] for path in keys if path and ".".join(path.split(".")[:-1]) == table}
        compare(keys[table] | inner, found.heads(KEY, under=section), f"tenants-toml.md, {section}", "key")
    for path in set(keys) - set(sections):
        table, name = path.rsplit(".", 1)
        entry = next(entry for entry in found.entries(sections[table]) if name in entry.names)
        missing = sorted(keys[path] - set(CODE.findall(entry.text)))
        assert not missing, f"tenants-toml.md:{entry.line} does not name {missing}"
