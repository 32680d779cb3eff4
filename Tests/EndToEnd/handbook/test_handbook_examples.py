"""Every example of a file in the handbook is given to the program that reads such files."""

import json
import os
import re
import secrets
import shutil
import subprocess
import tomllib

import pytest
import yaml

from accepted_keys import complaints_about_front_matter, complaints_about_site, secrets_keys
from demo_site import CLIENT, ROOT, siteauth
from handbook_machine import Machine
from handbook_pages import CODE, all_pages, page
from tls_front import make_certificate
from told_by_programs import commands, option_names

BLOCKS = [block for found in all_pages() for block in found.blocks]
PROGRAMS = {name: commands(name) for name in ["sitegen", "siteauth", "entra-emulator"]}
ALWAYS = {"--help", "-h", "--version", "--generate-completion-script"}
# Of a provider that is not on this machine, siteauth refuses a secret that stands in an example.
NEW_SECRET = secrets.token_urlsafe(30)
# One of each is needed; where an example has one, it takes the place of this one.
PROVIDERS = {"authority", "oidc_authority", "server_metadata_url"}
CREDENTIALS = {"client_secret", "client_secret_file", "client_certificate", "federated_token_file", "managed_identity"}


@pytest.fixture(scope="module")
def machine(provider, image):
    machine = Machine(provider, image)
    machine.prepare()
    yield machine
    machine.close()


def of(*languages):
    blocks = [block for block in BLOCKS if block.language in languages]
    return pytest.mark.parametrize("block", blocks, ids=str)


@pytest.fixture(scope="module")
def keys_of_secrets(tmp_path_factory):
    return secrets_keys(tmp_path_factory.mktemp("keys"))


@of("toml")
def test_every_example_in_toml_is_taken(block, machine, keys_of_secrets, tmp_path):
    if block.text.startswith("+++"):
        messages = complaints_about_front_matter(tmp_path, block.text)
    elif block.name == "import.toml":
        # The page imports with it.
        messages = ""
    else:
        keys = set(tomllib.loads(block.text))
        if "tenant" in keys:
            machine.write(machine.folder / "work/tenants.toml", block.text)
            code, output = machine.run("entra-emulator serve --tenants tenants.toml")
            messages = output if code != 0 else ""
        elif keys <= {"dates", "texts"}:
            (tmp_path / "templates/languages").mkdir(parents=True)
            (tmp_path / "templates/languages/de.toml").write_text(block.text)
            messages = complaints_about_settings('language = "de"', tmp_path)
        elif "auth" in keys or keys <= keys_of_secrets:
            messages = complaints_about_example(machine, block.text, tmp_path)
        else:
            messages = complaints_about_settings(block.text, tmp_path)
    assert not messages, f"{block}: {messages}"


def complaints_about_settings(text, folder):
    if "[groups]" not in text and "access" in text:
        text += '\n[groups]\nhr = { role = "HR" }\nboard = { role = "Board" }\n'
    for table in tomllib.loads(text).get("theme", {}).values():
        if table.endswith(".svg"):
            (folder / "site" / table).parent.mkdir(parents=True, exist_ok=True)
            (folder / "site" / table).write_text("<svg/>")
    source = tomllib.loads(text).get("source", "site")
    (folder / source).mkdir(parents=True, exist_ok=True)
    (folder / source / "index.md").write_text("# Home\n")
    if tool := tomllib.loads(text).get("from"):
        (folder / tool).parent.mkdir(parents=True, exist_ok=True)
        (folder / tool).write_text("")
    return complaints_about_site(folder, text)


def complaints_about_example(machine, text, folder):
    """The example with values in place of its words, and with what else siteauth needs."""
    keys = set(tomllib.loads(machine.filled_in(text)).get("auth", {})) | set(tomllib.loads(text))
    lines = [] if "[auth]" in text else ["[auth]"]
    needed = {
        "redirect_uri": '"https://docs.example.com/auth/callback"',
        "cookie_secret": '"the output of siteauth generate-secret"',
        "client_id": f'"{CLIENT}"', "authority": f'"{machine.emulator.authority}"',
        "client_secret": '"the Value of the client secret"',
    }
    if keys & {"id_token_algorithms", "pushed_authorization_requests"}:
        # Entra takes neither.
        needed["oidc_authority"] = needed.pop("authority").replace("/v2.0", "")
    for group in [PROVIDERS, CREDENTIALS, {"cookie_secret", "cookie_secret_file"}]:
        if group & keys:
            needed = {name: value for name, value in needed.items() if name not in group}
    added = [f"{name} = {value}" for name, value in needed.items() if name not in keys]
    path = folder / "secrets.toml"
    text = machine.filled_in("\n".join([*lines, text, *added, ""]), secret=NEW_SECRET)
    path.write_text(text.replace("/var/run/secrets/azure/tokens", str(folder)))
    make_files(folder, machine)
    for path in folder.iterdir():
        path.chmod(0o600)
    result = siteauth(folder, "check-config")
    # No Redis is there.
    return [line for line in result.stderr.splitlines() if ": error:" in f": {line}" and "redis" not in line.lower()]


def make_files(folder, machine):
    """Those that examples name."""
    if not (machine.folder / "siteauth.crt").exists():
        make_certificate(machine.folder, "siteauth", "/CN=siteauth")
    for name in ["siteauth.crt", "siteauth.key"]:
        shutil.copy(machine.folder / name, folder)
    shutil.copy(machine.folder / "siteauth.crt", folder / "company-ca.pem")
    (folder / "cookie_secret").write_text(machine.filled_in("the output of siteauth generate-secret\n"))
    (folder / "client_secret").write_text(NEW_SECRET)
    (folder / "azure-identity-token").write_text("a.b.c\n")


@of("yaml")
def test_every_example_in_yaml_is_taken(block, machine, tmp_path):
    if block.name:
        # The files of a CI: test_publish_from_ci.py runs their commands.
        assert yaml.safe_load(block.text)
        return
    if block.text.startswith("- run:"):
        for command in re.findall(r"- run: (.+)", block.text):
            code, output = machine.run(command)
            assert code == 0 or "--baseline" in command, f"{block}: {output}"
        return
    if "scrape_configs:" in block.text:
        return  # test_monitoring.py gives it to Prometheus
    messages = complaints_about_front_matter(tmp_path, block.text.strip().removeprefix("---\n").removesuffix("\n---"))
    assert not messages, f"{block}: {messages}"


@of("markdown", "md")
def test_the_front_matter_of_every_example_is_taken(block, tmp_path):
    parts = block.text.split("---\n")
    if len(parts) > 2 and not parts[0]:
        messages = complaints_about_front_matter(tmp_path, parts[1].strip())
        assert not messages, f"{block}: {messages}"


@of("json")
def test_every_example_in_json_is_json(block):
    json.loads(block.text)


@of("python")
def test_every_example_in_python_is_python(block):
    compile(block.text, str(block), "exec")


@of("nginx")
def test_nginx_takes_every_example(block, machine):
    folder = machine.folder / "etc/nginx"
    shutil.rmtree(folder / "snippets", ignore_errors=True)
    shutil.copytree(ROOT / "nginx", folder / "snippets/siteauth")
    shutil.copy(ROOT / "nginx/http.conf", folder / "conf.d/siteauth.conf")
    certificate = machine.folder / "etc/letsencrypt/live/docs.example.com"
    shutil.copy(certificate / "fullchain.pem", folder / "localhost.crt")
    shutil.copy(certificate / "privkey.pem", folder / "localhost.key")
    (machine.folder / "srv/docs/public/current").mkdir(parents=True, exist_ok=True)
    (machine.folder / "srv/docs/public/current/redirects.map").touch()
    main = (folder / "nginx.conf").read_text()
    # The addresses of a network that is not here.
    site, text = (ROOT / "nginx/site.conf").read_text(), block.text.replace(" 10.0.0.", " 127.0.0.")
    include = "    include snippets/siteauth/siteauth.conf;"
    for place in ["conf.d/example.conf", "sites-enabled/example"]:
        (folder / place).write_text("")
    if re.search(r"^server \{", text, re.MULTILINE):
        # A server may name what conf.d/siteauth.conf brings; other lines may stand before it only.
        (folder / ("sites-enabled/example" if text.startswith("server") else "conf.d/example.conf")).write_text(text)
    elif re.match(r"location|set |listen |if ", text):
        site = site.replace(include, text + include)
    elif re.search(r"^events \{", text, re.MULTILINE):
        (folder / "nginx.conf").write_text(re.sub(r"events \{.*?\n\}", "", main, flags=re.DOTALL) + text)
    else:
        location = "location /example/ { include snippets/siteauth/application.conf; proxy_pass http://127.0.0.1:9000;\n"
        site = site.replace(include, location + text + "}\n" + include)
    (folder / "sites-enabled/docs").write_text(site)
    (folder / "sites-enabled/default").unlink(missing_ok=True)
    code, output = machine.run("nginx -t")
    (folder / "nginx.conf").write_text(main)
    assert code == 0, f"{block}: {output}"


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_takes_the_units_and_every_example(tmp_path):
    shutil.copytree(ROOT / "Packaging/systemd", tmp_path / "units")
    drop_in = tmp_path / "units/siteauth@.service.d"
    drop_in.mkdir()
    for number, block in enumerate(block for block in BLOCKS if block.language == "ini"):
        # A block with a name is a whole unit, and any other changes one.
        unit = tmp_path / "units" / os.path.basename(block.name) if block.name else drop_in / f"{number}.conf"
        unit.write_text(block.text)
    result = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *sorted((tmp_path / "units").glob("*.s*t"))],
        env=os.environ | {"SYSTEMD_UNIT_PATH": f"{tmp_path}/units:"}, capture_output=True, text=True,
    )
    problems = [line for line in result.stderr.splitlines() if "units/" in line]
    assert not problems, problems


def test_every_finding_that_a_page_shows_names_a_rule():
    rules = page("reference/rules.md").heads(r"[a-z0-9-]+")
    assert len(rules) > 40
    for block in BLOCKS:
        if block.language == "text":
            for rule in re.findall(r"(?:error|warning|note): .* \[([a-z0-9-]+)\]$", block.text, re.MULTILINE):
                assert rule in rules, f"{block}: '{rule}' is no rule"


def test_every_command_in_a_sentence_exists():
    for found in all_pages():
        for number, line, _ in found.prose:
            for code in CODE.findall(line):
                words = code.split()
                if words[0] in PROGRAMS and len(words) > 1:
                    assert exists(words), f"{found.path}:{number}: {code}"


def exists(words):
    accepted = PROGRAMS[words[0]]
    named = " ".join(words[1:])
    names = [name for name in accepted if (named + " ").startswith(name + " ")]
    options = {word.split("=")[0] for word in words if word.startswith("-")}
    if not names:
        # A group of commands, or options alone.
        group = any(name.startswith(words[1] + " ") for name in accepted) and len(words) == 2 + len(options)
        alone = words[1].startswith("-") or words[1] in ("COMMAND", "help")
        return (group or alone) and options <= ALWAYS | all_options(accepted)
    return any(options <= ALWAYS | all_options({name: accepted[name]}) for name in names)


def all_options(accepted):
    return {name for options in accepted.values() for option in options for name in option_names(option)}


def test_every_script_that_a_page_shows_is_one():
    for block in BLOCKS:
        if block.text.startswith("#!"):
            checked = subprocess.run(["bash", "-n"], input=block.text, capture_output=True, text=True)
            assert checked.returncode == 0, f"{block}: {checked.stderr}"
            for line in block.text.replace("\\\n", " ").splitlines():
                words = re.sub(r"^exec |/usr/(local/)?bin/", "", line).split()
                assert not words or words[0] not in PROGRAMS or exists(words), f"{block}: {line}"


def commands_of_developers():
    """Lines with four spaces in front, and code in sentences, of the pages for those who change the programs."""
    for found in all_pages():
        for number, line, _ in found.prose:
            indented = re.match(r" {4,}(\S.*?)(?:  .*)?$", line)
            for code in [indented[1]] if indented else CODE.findall(line):
                yield f"{found.path}:{number}: {code}", code.split()


def test_every_command_of_developers_exists():
    makefile = (ROOT / "Makefile").read_text()
    targets = set(re.findall(r"^([\w./-]+):", makefile, re.MULTILINE))
    tests = "\n".join(path.read_text() for suffix in ["swift", "py"] for path in (ROOT / "Tests").rglob(f"*.{suffix}"))
    demo = (ROOT / "nginx/demo.sh").read_text()
    suites = set(re.findall(r"(?:struct|class|extension) (\w+)", tests))
    seen = set()
    for place, words in commands_of_developers():
        while words and re.match(r"[A-Z_]+=", words[0]):
            variable = words.pop(0).split("=")[0]
            assert re.search(rf"\b{variable}\b", makefile + tests + demo), f"{place}: nothing reads {variable}"
        if words[:1] == ["make"]:
            named = {word for word in words[1:] if "=" not in word}
            assert named <= targets, place
            seen |= named
            for tests_named in [word.removeprefix("TESTS=").strip("'") for word in words[1:] if word.startswith("TESTS=")]:
                assert set(tests_named.split("|")) <= suites, place
        if words[:2] == ["swift", "test"] and "--filter" in words:
            named = words[words.index("--filter") + 1].strip("'")
            assert set(named.split("|")) <= suites, place
    assert {"test", "demo"} <= seen


def test_every_file_of_this_repository_that_a_page_names_is_there():
    """test_project.py looks at the other pages."""
    for found in all_pages():
        if "project/" in found.path or found.path == "CONTRIBUTING.md":
            continue
        for number, line, _ in found.prose:
            for code in CODE.findall(line):
                if re.fullmatch(r"(Sources|Tests|Packaging|\.ci|nginx)/[\w./+*-]*", code):
                    assert list(ROOT.glob(code.rstrip("/"))), f"{found.path}:{number} names {code}"
