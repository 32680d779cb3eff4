"""A folder of Markdown and nothing else: what 'sitegen build' makes of it, and its flags."""

import re
import subprocess

from demo_site import NGINX, ROOT, sitegen, write

# 2026-11-22, noon.
NOW = {"SOURCE_DATE_EPOCH": "1795348800", "PATH": "/usr/bin:/bin"}


def build(folder, *arguments):
    return sitegen(folder, "build", *arguments, env=NOW)


def page(folder, path):
    return (folder / "public/current/site" / path).read_text()


def test_a_plain_folder_becomes_a_site(tmp_path):
    write(tmp_path, {"docs/README.md": "# Hello\n\n[a](guide/a.md)\n", "docs/guide/a.md": "# First\n"})
    result = build(tmp_path)
    assert result.returncode == 0, result.stderr
    assert 'href="/guide/">Guide</a>' in page(tmp_path, "index.html")
    assert 'href="/guide/a/">First</a>' in page(tmp_path, "guide/index.html")
    assert (tmp_path / "public/current/access").read_text() == """\
site-access 1
allow signed-in /
allow nobody /_reader/group/
allow nobody /_search/
allow public /_reader/public.json
allow signed-in /_reader/signed-in.json
allow signed-in /_search/signed-in/
end 6
"""
    # The look is that of the repository's templates, though the program is all there is here.
    styles = re.search(r'href="/_theme/(site\.[0-9a-f]+\.css)" integrity="(sha384-[^"]+)"', page(tmp_path, "index.html"))
    style = (tmp_path / "public/theme" / styles[1]).read_bytes()
    # Of all parts, in their order.
    sheets = [re.sub(rb"(?s)/\*.*?\*/", b"", part.read_bytes()) for part in sorted((ROOT / "templates/theme/site.css").iterdir())]
    parts = [re.sub(rb"\s", b"", sheet.split(b"{")[0]) for sheet in sheets]
    places = [re.sub(rb"\s", b"", style).find(part) for part in parts]
    assert -1 not in places and places[0] == 0
    digest = subprocess.run("openssl dgst -sha384 -binary | base64 -w0", input=style,
                            shell=True, capture_output=True, check=True).stdout.decode()
    assert styles[2] == "sha384-" + digest


def test_a_sites_own_file_replaces_the_one_that_is_built_in(tmp_path):
    write(tmp_path, {"pages/a.md": "# A\n", "templates/404.html": "gone", "templates/theme/site.css": "a{}"})
    assert build(tmp_path, "--source", "pages/").returncode == 0
    assert (tmp_path / "public/current/errors/404.html").read_text() == "gone"
    assert [file.read_text() for file in (tmp_path / "public/theme").glob("site.*.css")] == ["a{}"]
    assert "There is no such page" not in (tmp_path / "public/current/errors/503.html").read_text()


def test_nginx_reads_the_redirects(tmp_path):
    write(tmp_path, {
        "sitegen.toml": 'access = "public"\n[groups]\nhr = { role = "HR" }\n',
        "site/index.md": f"---\naliases: ['/with \"quotes\" and $dollar', /ä/{'long-' * 40}/]\n---\n# Home\n",
        "site/secret.md": "---\naccess: [hr]\naliases: [/plan]\n---\n# Secret\n",
    })
    assert build(tmp_path).returncode == 0
    redirects = tmp_path / "public/current/redirects.map"
    assert len(redirects.read_text().splitlines()) == 4 and "secret" not in redirects.read_text()
    (tmp_path / "nginx.conf").write_text(
        f"error_log stderr; pid {tmp_path}/pid; events {{}} http {{ map_hash_bucket_size 1024;\n"
        f"map $uri $moved {{ include {redirects}; }} }}\n")
    command = [NGINX, "-t", "-p", tmp_path, "-c", tmp_path / "nginx.conf"]
    checked = subprocess.run(command, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr


def test_without_a_folder_it_says_what_is_missing(tmp_path):
    result = build(tmp_path)
    assert result.returncode == 1
    assert "there is no folder 'site' or 'docs'; '--source FOLDER' sets the source folder" in result.stderr
    assert build(tmp_path, "--config", "none.toml").returncode == 1
