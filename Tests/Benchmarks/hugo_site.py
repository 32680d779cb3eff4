"""A site of the same pages for Hugo: with the navigation of the folder, contents and its highlighter."""

import shutil

HEAD = '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{{ .Title }}</title><meta name="description" content="{{ .Description }}"></head>'
LINK = '<li><a href="{{ .RelPermalink }}">{{ .Title }}</a></li>'
PAGE = HEAD + ("<body><nav><ul>{{ range .CurrentSection.RegularPages }}" + LINK + "{{ end }}</ul></nav>"
               "<main><h1>{{ .Title }}</h1>{{ .Content }}</main><aside>{{ .TableOfContents }}</aside></body></html>")
LIST = HEAD + "<body><main><h1>{{ .Title }}</h1>{{ .Content }}<ul>{{ range .Pages }}" + LINK + "{{ end }}</ul></main></body></html>"
CONFIGURATION = 'baseURL = "https://example.com/"\ntitle = "Bench"\ndisableKinds = ["taxonomy", "term", "rss", "sitemap"]\n'


def write(folder, pages):
    shutil.copytree(pages, folder / "content")
    for page in list((folder / "content").rglob("index.md")):
        page.rename(page.with_name("_index.md"))
    (folder / "hugo.toml").write_text(CONFIGURATION)
    layouts = folder / "layouts/_default"
    layouts.mkdir(parents=True)
    (layouts / "single.html").write_text(PAGE)
    (layouts / "list.html").write_text(LIST)
