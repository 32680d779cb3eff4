"""Writes TOML documents with what Python's `tomllib` makes of them.

    python Tests/Differential/toml_documents.py --count 200000 --seed 1 > documents.tsv
    TOML_DOCUMENTS=$PWD/documents.tsv swift test --disable-xctest --filter TOMLDocumentsTests

Each line has the values of a document (`-` where it is not TOML), a tab, and the document. Half of
the documents come from the grammar, half are such documents with damaged bytes. The committed
`Tests/SettingsTests/toml-documents.tsv` is a small part: `--count 2500 --seed 7`.

`tomllib` and TOML 1.0, or what the reader here makes of it, differ in these:

- whole numbers beyond 64 bits: an error in TOML 1.0, no limit in `tomllib`;
- `SettingsFile` decodes a file before: byte-order marks, UTF-16, and carriage returns as line ends,
  which are errors here and in `tomllib`; what is not UTF-8 counts as an error;
- leap seconds (`23:59:60`) and the year 0: dates of RFC 3339, errors in Python's `datetime`;
  documents that may have one are left out;
- fractions of a second are compared to six digits, which is what Python keeps;
- nesting of more than 100 levels: an error here, so no document has it.
"""

import argparse
import random
import re
import struct
import sys
import tomllib
from collections.abc import Iterator
from datetime import date, datetime, time
from itertools import islice

KEYS = ["a", "b", "c", "d1", "_", "-", "3", "1.5", '"a"', "'b'", '"a b"', '"é"', '"\\u00e9"', '""']
STRINGS = [
    '"x"', "'x'", '""', "''", '"a\\tb\\\\c\\""', "'C:\\x'", '"\\u00E9\\U0001F600"', '"é\u0301"',
    '"""a"""', '"""\na\n  b\n"""', "'''a'''", "'''\na''b\n'''", '"""a \\\n   b"""', '"""\\\r\n  x"""',
    '""""a"""""', "''''a'''''", '"""a""b"""', '"""\r\nx\r\n"""', '"#"', "'a # b'", '"=["',
]
NUMBERS = [
    "0", "1", "-1", "+7", "1_000", "0xFF", "0xdead_beef", "0o17", "0b101", "9223372036854775807",
    "-9223372036854775808", "0x7fffffffffffffff", "1.5", "-0.0", "+0.25", "1e3", "1E-3", "6.02_2e2_3",
    "1e400", "5e-324", "inf", "-inf", "+nan", "3.141592653589793238462643", "0e0", "1.0e01",
]
DATES = [
    "2026-11-22", "2024-02-29", "07:32:00", "23:59:59.999999", "00:00:00.5", "2026-11-22T07:32:00",
    "2026-11-22 07:32:00", "2026-11-22t07:32:00z", "2026-11-22T07:32:00.25-08:00",
    "2026-11-22T07:32:00+00:00", "9999-12-31T23:59:59Z", "2026-11-22 07:32:00.123456789Z",
]
WRONG = [
    "", "x", "True", "01", "1_", "_1", "1__0", "0x", "0X1", "0b2", "+0x1", "1.", ".5", "1.e5", "1e",
    "--1", "+", "9223372036854775808", "0x8000000000000000", "2026-13-01", "2026-02-30",
    "2025-02-29", "2026-1-1", "24:00:00", "10:60:00", "10:00", "2026-11-22T", "2026-11-22T10",
    "2026-11-22T10:00:00+25:00", "2026-11-22T10:00:00+0100", "10:00:00Z", "10:00:00.", '"', "'", '"\n"',
    '"\\x"', '"\\u12"', '"\\uD800"', '"\\U00110000"', '"""', "'''", '"""a""""""', "[", "[1 2]", "[,]",
    "[1,,2]", "{", "{a}", "{a=1,}", "{a=1\n}", "{a=1,a=2}", "{a.b=1,a=2}", "{a={},a.b=1}", "1 2", "]",
    "infx", "nan_", "trues", "2026-11-22 x", "0_1", "1.0_", "1_.0", "1e_1", "00", "+00", "0.1.2",
]
PIECES = [
    *(bytes([byte]) for byte in b"\"'[]{}=.,#\n\r \t\\_-+:01aeTZx\0\x1f\x7f\x80\xc3\xe9\xff"),
    *(text.encode() for text in ["é", "\ufeff", "\u2028", '"""', "'''", "[[", "]]", "= ", "a.b"]),
    *(b"\r\n", b"\\u00", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc0\x80"),
]


class Generator:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.newline = "\n"

    def any_of(self, texts: list[str]) -> str:
        return self.random.choice(texts)

    def space(self) -> str:
        return self.random.choice(["", "", "", " ", "\t", "  "])

    def key(self) -> str:
        parts = [self.any_of(KEYS) for _ in range(self.random.choice([1, 1, 1, 2, 2, 3]))]
        return (self.space() + "." + self.space()).join(parts)

    def blank(self) -> str:
        return self.random.choice(["", "", " ", self.newline, f"# c{self.newline}", "\t"])

    def value(self, depth: int = 0) -> str:
        kind = self.random.random()
        if kind < 0.02:
            return self.any_of(WRONG)
        if kind < 0.30:
            return self.any_of(STRINGS)
        if kind < 0.50:
            return self.any_of(NUMBERS)
        if kind < 0.62:
            return self.any_of(DATES)
        if kind < 0.70 or depth > 3:
            return self.random.choice(["true", "false"])
        if kind < 0.86:
            values = [
                f"{self.blank()}{self.value(depth + 1)}{self.blank()}"
                for _ in range(self.random.randrange(4))
            ]
            return "[" + ",".join(values) + self.random.choice(["", "", ","] if values else [""]) + "]"
        pairs = [
            f"{self.space()}{self.key()}{self.space()}={self.space()}{self.value(depth + 1)}"
            for _ in range(self.random.randrange(4))
        ]
        return "{" + ",".join(pairs) + "}"

    def statement(self) -> str:
        kind = self.random.random()
        if kind < 0.12:
            return self.random.choice(["", "# a comment é", "  ", "#"])
        if kind < 0.26:
            return f"{self.space()}[{self.space()}{self.key()}{self.space()}]{self.space()}"
        if kind < 0.36:
            return f"[[{self.key()}]]" + self.random.choice(["", " # c"])
        return f"{self.space()}{self.key()}{self.space()}={self.space()}{self.value()}{self.space()}"

    def document(self) -> bytes:
        self.newline = self.random.choice(["\n", "\n", "\n", "\r\n"])
        lines = [self.statement() for _ in range(self.random.randrange(1, 6))]
        return self.newline.join(lines).encode()

    def damaged(self, document: bytes) -> bytes:
        for _ in range(self.random.choice([1, 1, 1, 2, 4])):
            start = self.random.randrange(len(document) + 1)
            end = min(len(document), start + self.random.choice([0, 0, 1, 1, 2, 5]))
            kind = self.random.random()
            if kind < 0.7:
                insert = self.random.choice([*PIECES, b"", b"", b""])
            elif kind < 0.9:
                other = self.random.randrange(len(document) + 1)
                insert = document[other : other + self.random.randrange(12)]
            else:
                insert = bytes([self.random.randrange(256)])
            document = document[:start] + insert + document[end:]
        return document

    def documents(self) -> Iterator[bytes]:
        while True:
            document = self.document()
            if self.random.random() < 0.5:
                document = self.damaged(document)
            # What `datetime` cannot say; the tests of the reader have cases of both.
            if not re.search(rb"\d:60|0000-\d", document):
                yield document


class TooLarge(Exception):
    pass


def moment(value: date | time | datetime) -> str:
    text = value.isoformat()
    return re.sub(r"(\.\d*?)0+(?=$|[+-])", lambda match: match[1], text)


def escaped(data: bytes, also: bytes = b"") -> str:
    return "".join(
        chr(byte) if 32 <= byte < 127 and byte not in b"\\" + also else f"\\x{byte:02x}"
        for byte in data
    )


def quoted(data: bytes) -> str:
    return '"' + escaped(data, also=b'"') + '"'


def written(value: object) -> str:
    """A value in the form that both sides write, tables sorted by the bytes of their keys."""
    match value:
        case bool():
            return str(value).lower()
        case int():
            if not -(2**63) <= value < 2**63:
                raise TooLarge
            return f"i{value}"
        case float():
            return "fnan" if value != value else f"f{struct.pack('>d', value).hex()}"
        case str():
            return quoted(value.encode())
        case list():
            return f"[{','.join(map(written, value))}]"
        case dict():
            pairs = sorted((key.encode(), element) for key, element in value.items())
            return "{" + ",".join(f"{quoted(key)}:{written(element)}" for key, element in pairs) + "}"
        case _:
            return f"d{moment(value)}"


def verdict(document: bytes) -> str:
    try:
        return written(tomllib.loads(document.decode()))
    # A number of thousands of digits is a ValueError.
    except (ValueError, TooLarge):
        return "-"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for document in islice(Generator(options.seed).documents(), options.count):
        print(f"{verdict(document)}\t{escaped(document)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
