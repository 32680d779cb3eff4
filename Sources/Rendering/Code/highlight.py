"""Highlights code blocks with Pygments, one after the other.

Says first `pygments VERSION PATH` and a zero byte. Then, until standard input ends, for each block

    reads    LANGUAGE SP LENGTH LF, and that many bytes of UTF-8
    writes   STATUS SP HTML, and a zero byte

STATUS is `html`, or with no HTML: `unknown` (language), `slow`, `large`, `failed`.
The HTML is the code, escaped, with <span class="…"> around what has a colour.
"""

import functools
import resource
import signal
import sys

try:
    import pygments
    from pygments.lexers import find_lexer_class, get_all_lexers
    from pygments.token import Comment, Generic, Keyword, Literal, Name, Number, Operator, String
except ImportError:
    sys.exit(3)

# Processor time, not the clock's: what a block gives does not depend on what else runs.
SECONDS = 2.0
MEMORY = 1 << 30
LARGEST = 1 << 17
# HTML bytes for a byte of code; usual code has 2 to 4.
GROWTH = 12

# A token has the class of its nearest ancestor here; the rest has no colour.
CLASSES = {
    Comment: "c", Comment.Preproc: "cp", Comment.PreprocFile: "s",
    Keyword: "k", Keyword.Type: "kt", Keyword.Constant: "m",
    Operator.Word: "k",
    String: "s", String.Escape: "se", String.Interpol: "se", String.Regex: "sr", String.Doc: "c",
    String.Symbol: "m", Literal.Date: "m", Number: "m",
    Name.Function: "nf", Name.Class: "nc", Name.Namespace: "", Name.Exception: "nc",
    Name.Tag: "nt", Name.Attribute: "na", Name.Property: "na",
    Name.Builtin: "nb", Name.Variable: "nv", Name.Constant: "m", Name.Decorator: "nd",
    Name.Entity: "se", Name.Label: "nd",
    Generic.Inserted: "gi", Generic.Deleted: "gd", Generic.Heading: "gh", Generic.Subheading: "gh",
    Generic.Prompt: "gp", Generic.Output: "go", Generic.Error: "gd", Generic.Traceback: "gd",
    Generic.Emph: "ge", Generic.Strong: "gs",
}  # fmt: skip

# Names that Microsoft Learn, GitHub and others use.
SYNONYMS = {
    "azurecli": "bash", "azurecli-interactive": "bash", "azurepowershell": "powershell",
    "azurepowershell-interactive": "powershell", "powershell-interactive": "powershell",
    "dotnetcli": "bash", "cmd": "batch", "cs": "csharp", "jsonc": "javascript",
    "json5": "javascript",
    "jsonl": "json", "ndjson": "json", "env": "ini", "dotenv": "ini", "conf": "ini", "vue": "html",
    "gitignore": "bash", "zsh": "bash", "shell-session": "console", "terminal": "console",
    "hcl": "terraform", "tsx": "typescript", "jsx": "javascript", "mjs": "javascript", "svg": "xml",
    "xaml": "xml", "csproj": "xml", "razor": "html", "cshtml": "html", "patch": "diff",
    "tsql": "sql",
    "yml": "yaml", "systemd": "ini", "vb": "vb.net", "plaintext": "text", "plain": "text",
    "none": "text", "output": "text", "csv": "text", "mermaid": "text",
}  # fmt: skip


class Slow(BaseException):
    """A base exception: no lexer's `except Exception` takes it."""


def too_slow(_signal, _frame):
    raise Slow


@functools.cache
def class_of(kind):
    while kind is not None and kind not in CLASSES:
        kind = kind.parent
    return CLASSES.get(kind, "")


def highlighted(lexer, code):
    if "\0" in code:
        raise ValueError("a zero byte would end the answer")
    runs, length = [], 0
    for _, kind, text in lexer.get_tokens_unprocessed(code):
        length += len(text)
        style = class_of(kind)
        # White space on a line goes with what is before it: fewer, longer spans.
        if runs and (runs[-1][0] == style or text.isspace() and "\n" not in text):
            runs[-1][1].append(text)
        else:
            runs.append((style, [text]))
    if length != len(code) or "".join(text for _, run in runs for text in run) != code:
        raise ValueError("the tokens are not the code")
    return "".join(
        f'<span class="{style}">{escaped(run)}</span>' if style else escaped(run)
        for style, run in runs
    )


def escaped(run):
    text = "".join(run).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace('"', "&quot;")


class Highlighter:
    def __init__(self):
        # Only what Pygments brings itself: plug-ins are code of others, and slow to find.
        self.names = {}
        for name, aliases, _, _ in get_all_lexers(plugins=False):
            for alias in map(str.lower, (*aliases, name)):
                self.names.setdefault(alias, name)
        self.lexers = {}

    def answer(self, language, code):
        language = language.lower()
        if language not in self.names:
            language = SYNONYMS.get(language, language)
        if language not in self.names:
            return "unknown", ""
        if len(code) > LARGEST:
            return "large", ""
        # And again after that, should a lexer's own handler have taken the first.
        signal.setitimer(signal.ITIMER_PROF, SECONDS, SECONDS)
        try:
            if language not in self.lexers:
                self.lexers[language] = find_lexer_class(self.names[language])()
            html = highlighted(self.lexers[language], code)
            return ("html", html) if len(html) <= GROWTH * len(code) + 1000 else ("large", "")
        except Slow:
            # It may have been interrupted half-way through making its tables.
            self.lexers.pop(language, None)
            return "slow", ""
        except Exception:
            self.lexers.pop(language, None)
            return "failed", ""
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)


def main():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGPROF, too_slow)
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    highlighter = Highlighter()
    answers.write(f"pygments {pygments.__version__} {pygments.__file__}\0".encode())
    answers.flush()
    while header := requests.readline():
        language, length = header.decode().rsplit(" ", 1)
        code = requests.read(int(length)).decode(errors="replace")
        status, html = highlighter.answer(language, code)
        answers.write(f"{status} {html}\0".encode())
        answers.flush()


if __name__ == "__main__":
    main()
