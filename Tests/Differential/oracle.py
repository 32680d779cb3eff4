"""Renders documents with Debian's cmark-gfm library, as its command does with

    cmark-gfm --unsafe -e table -e strikethrough -e autolink -e tasklist -e footnotes

Reads documents separated by NUL from standard input and writes their HTML in the same order,
each followed by NUL. The package `cmark-gfm` brings the libraries.

    python oracle.py < documents > fragments
    python oracle.py --plain < documents > fragments      without extensions
"""

import ctypes
import sys
from ctypes import c_char_p, c_int, c_size_t, c_void_p

VERSION = "0.29.0.gfm.6"
EXTENSIONS = (b"table", b"strikethrough", b"autolink", b"tasklist")
# cmark-gfm.h: CMARK_OPT_UNSAFE and CMARK_OPT_FOOTNOTES.
OPTIONS = 1 << 17 | 1 << 13
PLAIN = 1 << 17


class Oracle:
    def __init__(self) -> None:
        self.core = ctypes.CDLL(f"libcmark-gfm.so.{VERSION}")
        register = ctypes.CDLL(f"libcmark-gfm-extensions.so.{VERSION}")
        self.libc = ctypes.CDLL(None)
        self.libc.free.argtypes = [c_void_p]
        self.declare("cmark_find_syntax_extension", c_void_p, c_char_p)
        self.declare("cmark_parser_new", c_void_p, c_int)
        self.declare("cmark_parser_attach_syntax_extension", c_int, c_void_p, c_void_p)
        self.declare("cmark_parser_feed", None, c_void_p, c_char_p, c_size_t)
        self.declare("cmark_parser_finish", c_void_p, c_void_p)
        self.declare("cmark_parser_get_syntax_extensions", c_void_p, c_void_p)
        self.declare("cmark_parser_free", None, c_void_p)
        self.declare("cmark_render_html", c_void_p, c_void_p, c_int, c_void_p)
        self.declare("cmark_node_free", None, c_void_p)
        register.cmark_gfm_core_extensions_ensure_registered()
        self.extensions = [self.core.cmark_find_syntax_extension(name) for name in EXTENSIONS]
        assert all(self.extensions), "an extension is missing"

    def declare(self, name: str, result: type | None, *arguments: type) -> None:
        function = getattr(self.core, name)
        function.restype, function.argtypes = result, arguments

    def html(self, markdown: bytes, is_plain: bool = False) -> bytes:
        core = self.core
        parser = core.cmark_parser_new(PLAIN if is_plain else OPTIONS)
        for extension in [] if is_plain else self.extensions:
            core.cmark_parser_attach_syntax_extension(parser, extension)
        core.cmark_parser_feed(parser, markdown, len(markdown))
        document = core.cmark_parser_finish(parser)
        attached = core.cmark_parser_get_syntax_extensions(parser)
        rendered = core.cmark_render_html(document, OPTIONS, attached)
        html = ctypes.string_at(rendered)
        self.libc.free(rendered)
        core.cmark_node_free(document)
        core.cmark_parser_free(parser)
        return html


def main() -> None:
    oracle, is_plain = Oracle(), sys.argv[1:2] == ["--plain"]
    # A last document without its NUL counts too.
    markdowns = sys.stdin.buffer.read().removesuffix(b"\0").split(b"\0")
    for markdown in markdowns:
        sys.stdout.buffer.write(oracle.html(markdown, is_plain) + b"\0")


if __name__ == "__main__":
    main()
