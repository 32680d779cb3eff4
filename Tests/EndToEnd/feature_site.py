"""A small site in which everything stands once that Markdown and front matter can bring into a page."""

from demo_site import write

CONFIGURATION = """
title = "Everything & <all>"
description = 'Every feature once, with "quotes" & <brackets>'
language = "en"
base_url = "https://docs.example.com"
edit_url = "https://git.example.com/edit/{path}"
listings = "all"
listing_size = 3
toc_depth = 4
section_tabs = true
smart_punctuation = true
access = "signed-in"

[groups]
hr = { role = "HR", title = "Human & resources" }
"""

EVERYTHING = """\
---
title: Everything "quoted" & <bracketed>
date: 2026-01-02
lastmod: 2026-03-04
tags: [one, "two & <three>", größe, 漢字]
aliases: [/old/everything/, "/with \\"quotes\\"/"]
---
[[_TOC_]]

## Inline

*Emphasis*, **strong**, ***both***, ~~struck~~, `code <b>`, "quotes" -- and dashes ... H~2~O,
a line with two spaces  
that ends, another that ends\\
with a backslash, https://example.com/?a=1&b=2, www.example.com, desk@example.com, <https://example.org>,
[a page](more/second.md), [a heading](#über-größen-漢字), [with a title](more/third.md "A 'title' & more"),
[[Second]], [[Second#Part|its part]], [reference][], &copy; &#x1F680;, <i>raw</i>, a footnote[^1], another[^long],
and the first again[^1].

[reference]: more/second.md "Title"

## Über Größen 漢字

Words that are long: Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverordnungsentwurfsbesprechung.

### Right to left שלום

![A square](square.svg "Its title") and ![](square.svg)

#### The same heading

#### The same heading

## An id of its own {#own}

> A quote
>
> > in a quote

> [!NOTE]
> Useful.

> [!TIP]
> Helpful.

> [!IMPORTANT]
> Crucial.

> [!WARNING]
> Urgent.

> [!CAUTION]
> Risky, with `code` and a [link](more/second.md).

> [!div class="checklist"]
> - First
> - Second

- [x] Done
- [ ] To do, with a [link](more/second.md)
  - [ ] Further in

1. One
2. Two

   With a paragraph.

7. Seven

* * *

| Left | Centre | Right | Wide enough to leave a narrow screen behind it |
|:-----|:------:|------:|---|
| a    | `b \\| c` | 1,000 | A cell with many words, so that it has to be scrolled or broken where the screen is narrow |
| [d](more/second.md) | **e** | 2 | f |

| Only a head |
|---|

```python
def greet(name: str) -> str:
    return f"Hello, {name}!"  # a comment that is longer than a narrow screen is wide, so that the block scrolls
```

```yaml title="compose.yaml" linenums="1" hl_lines="2"
services:
  web: # (1)!
    image: nginx
```

1. A note with `code`.

```swift
let answer = [1, 2, 3].map { $0 * 2 }
```

```bash
curl -s "https://example.com" | grep -c '<html>' && echo "$?"
```

```json
{"a": [1, true, null], "b": "c"}
```

```diff
- old
+ new
```

```html
<p class="a">&amp;</p><script>alert(1)</script>
```

```
plain <text>
```

    indented <code>

```mermaid
graph LR; A --> B
```

::: mermaid
graph LR; C --> D
:::

$a^2 + b^2 = c^2$ stands in a line, and this stands alone:

$$
\\int_0^1 x\\,dx \\tag{1}
$$

```dot title="How a request is answered"
digraph { rankdir=LR; Browser -> nginx -> siteauth; nginx -> files }
```

```plantuml
Alice -> Bob: hi
```

==Marked==, ++ctrl+alt+del++, and HR.

*[HR]: Human Resources

!!! example "An *example*"
    Text.

    ??? bug "Folded"
        Text.

:::question
Text.
:::

Term
: What it means

![A square](square.svg "A caption"){width=30}

:::cards
- [One](more/second.md)

  The first.
- Two
:::

=== "First"
    One.

=== "Second"
    Two.

# [Windows](#tab/windows)

Open *Settings*.

```powershell
Get-Process | Where-Object { $_.CPU -gt 1 }
```

# [Linux](#tab/linux)

Open a terminal.

---

After the tabs.

[^1]: The first note, with a [link](more/second.md).
[^long]: A long note

    with a second paragraph and code:

    ```sh
    ls
    ```
"""

SQUARE = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" viewBox="0 0 40 40">'
    '<rect width="40" height="40" fill="#0f5ea8"/></svg>\n'
)


def write_feature_site(folder):
    """Writes sources and configuration; returns the configuration's path."""
    files = {
        "sitegen.toml": CONFIGURATION,
        "templates/announcement.md": "The office is *closed* on Friday. [More](/more/second/)\n",
        "site/index.md": EVERYTHING,
        "site/square.svg": SQUARE,
        "site/more/second.md": "---\ntags: [one]\ndate: 2026-02-03\n---\n# Second\n\n## Part\n\nText.\n\n## Other\n\nText.\n",
        "site/more/third.md": "---\ntitle: 'Third: \"x\" & <y>'\ntags: [one]\ntoc: false\n---\nNo heading of its own.\n",
        "site/more/unlisted.md": "---\nunlisted: true\n---\n# Unlisted\n",
        "site/more/draft.md": "---\ndraft: true\n---\n# Draft\n",
        "site/漢字/größe.md": "---\ntitle: 漢字 und Größe\nlinkTitle: 漢字\n---\nText.\n",
        "site/漢字/שלום.md": "# שלום עולם\n\nText.\n",
        "site/hr/index.md": "---\naccess: [hr]\nlisting: true\n---\n# For human resources\n",
        "site/hr/pay.md": "# Pay\n",
        "site/open/index.md": "---\naccess: public\nwidens: true\n---\n# For everybody\n",
        "site/empty.md": "",
    }
    for number in range(8):
        files[f"site/list/page-{number}.md"] = f"---\ntags: [one]\norder: {number}\n---\n# Page {number}\n\nText.\n"
    write(folder, files)
    return folder / "sitegen.toml"
