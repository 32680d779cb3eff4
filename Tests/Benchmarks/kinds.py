"""What a megabyte of text costs on sites that include texts, or were written for other tools.

Each is compared with a site of plain Markdown, which takes turns with it. A missed bar fails nothing.
"""

import argparse
import pathlib
import shutil
import tempfile

import builds
import corpus

BAR = 1.5
PLAIN, INCLUDES, DIALECTS = "plain Markdown", "14 includes a page", "in the syntax of other tools"


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=3000, help="the pages of each site (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("parent", nargs="?", default=builds.MEMORY)
    options = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="kinds-", dir=options.parent))
    try:
        rows, megabytes = {}, {}
        for number, (name, kind) in enumerate({PLAIN: corpus.Rich, INCLUDES: corpus.Including, DIALECTS: corpus.Dialects}.items()):
            pages = kind(options.count)
            site = builds.Site(folder / str(number), pages, 'search = false\nhighlight = false\nparts = ["/parts/"]\n')
            rows[name] = site.clean
            # An included text is read and written as often as pages include it.
            megabytes[name] = (sum(page.stat().st_size for page in site.pages) + getattr(pages, "included", 0)) / 1e6
        results = builds.measure(rows, options.rounds)
        plain = results[PLAIN]["CPU"] / megabytes[PLAIN]
        for name, values in results.items():
            cost = values["CPU"] / megabytes[name]
            print(f"{name:30}{megabytes[name]:6.1f} MB {values['CPU']:6.2f} s of CPU {1000 * cost:5.0f} ms a megabyte   "
                  + builds.comparison(cost / plain, "to plain", None if name == PLAIN else BAR))
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
