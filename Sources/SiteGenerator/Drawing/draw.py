"""Draws diagrams, one after the other: argument `dot` with Graphviz, `plantuml` with PlantUML.

Says first `NAME VERSION PATH` and a zero byte. Then, until standard input ends, for each diagram

    reads    LANGUAGE SP LENGTH LF, and that many bytes of UTF-8
    writes   `html ` and SVG, `mistake LINE COLUMN MESSAGE`, or `slow `, `large `, `failed `, and a zero byte

Authors need not be trusted: Graphviz opens no files (SERVER_NAME), PlantUML only those that Java's
security manager allows, and neither gets the environment. Of the SVG, shapes and texts are written
anew; links, pictures, scripts and styles are not.
"""

import hashlib
import os
import re
import resource
import subprocess
import sys
from xml.etree import ElementTree
from xml.sax.saxutils import escape, quoteattr

SECONDS = 10
LARGEST = 1 << 17
MEMORY = 1 << 30
DOT, JAVA, JAR = "/usr/bin/dot", "/usr/bin/java", "/usr/share/plantuml/plantuml.jar"
# SERVER_NAME makes Graphviz refuse files.
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "SERVER_NAME": "sitegen", "GRAPHVIZ_DOT": DOT}

POLICY = """grant {
permission java.io.FilePermission "/usr/share/java/-", "read";
permission java.io.FilePermission "/usr/share/plantuml/-", "read";
permission java.io.FilePermission "/usr/share/fonts/-", "read";
permission java.io.FilePermission "/usr/lib/jvm/-", "read";
permission java.io.FilePermission "/etc/java-17-openjdk/-", "read";
permission java.io.FilePermission "/etc/java-21-openjdk/-", "read";
permission java.io.FilePermission "/usr/bin/dot", "read,execute";
permission java.util.PropertyPermission "*", "read,write";
permission java.lang.RuntimePermission "*";
permission java.awt.AWTPermission "*";
};
"""

SVG = "{http://www.w3.org/2000/svg}"
ELEMENTS = {"svg", "g", "defs", "path", "polygon", "polyline", "line", "rect", "circle", "ellipse", "text",
            "tspan", "title", "linearGradient", "radialGradient", "stop"}  # fmt: skip
NUMBERS = {"x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry", "fx", "fy", "dx", "dy", "width", "height",
           "points", "d", "viewBox", "transform", "offset", "opacity", "fill-opacity", "stroke-opacity",
           "stop-opacity", "stroke-width", "stroke-dasharray", "font-size", "textLength"}  # fmt: skip
COLOURS = {"fill", "stroke", "stop-color"}
WORDS = {"text-anchor", "font-weight", "font-style", "text-decoration", "lengthAdjust",
         "gradientUnits", "stroke-linejoin", "stroke-linecap"}  # fmt: skip
BLACK = {"black", "#000000", "#000"}
PAPER = {"none", "transparent", "#00000000"}


class Mistake(Exception):
    def __init__(self, line, message):
        super().__init__(message)
        self.line = line


def limited():
    # The JVM reserves more addresses than it uses.
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(command, source, *files):
    return subprocess.run(
        command, input=source.encode(), capture_output=True, timeout=2 * SECONDS, cwd="/",
        env=ENVIRONMENT, preexec_fn=limited, pass_fds=files,
    )  # fmt: skip


class Graphviz:
    name, path = "graphviz", DOT
    # The page decides about the font; this one has the widths of the usual ones.
    command = [DOT, "-Tsvg", "-Gbgcolor=transparent", "-Gfontname=Helvetica", "-Nfontname=Helvetica",
               "-Efontname=Helvetica"]  # fmt: skip
    # Its text of 14 points is as large as that of the page.
    scale = 16 / 14

    def version(self):
        text = run([DOT, "-V"], "").stderr.decode(errors="replace")
        return re.search(r"version ([0-9.]+)", text)[1]

    def svg(self, source):
        result = run(self.command, source)
        messages = result.stderr.decode(errors="replace")
        if found := re.search(r"Error: <stdin>: syntax error in line (\d+)(.*)", messages):
            near = found[2].strip()
            raise Mistake(int(found[1]), "syntax error" + (f" {near}" if near else ""))
        if found := re.search(r"^Error: (?:<stdin>: )?(.*)", messages, re.MULTILINE):
            raise Mistake(1, found[1])
        if result.returncode != 0 or not result.stdout:
            raise Mistake(1, "Graphviz found no graph")
        return result.stdout


class PlantUML:
    name, path = "plantuml", JAR
    scale = 1

    def __init__(self):
        # A file that goes with the process, however that ends.
        self.policy = os.memfd_create("policy")
        os.write(self.policy, POLICY.encode())
        self.command = [
            JAVA, "-Xmx512m", "-XX:TieredStopAtLevel=1", "-Djava.awt.headless=true", "-Djava.security.manager",
            f"-Djava.security.policy==/dev/fd/{self.policy}", "-jar", JAR,
        ]  # fmt: skip

    def version(self):
        text = run([*self.command, "-version"], "", self.policy).stdout.decode(errors="replace")
        return re.search(r"version ([0-9.]+)", text)[1]

    def svg(self, source):
        lines = source.split("\n")
        first = next((number for number, line in enumerate(lines) if line.strip()), 0)
        before = 0
        if not lines[first].strip().startswith("@start"):
            source, before = f"@startuml\n{source}\n@enduml\n", 1
        for number, line in enumerate(lines, 1):
            if re.match(r"\s*!(include|import|theme)", line):
                raise Mistake(number, "diagrams cannot include files")
        options = ["-pipe", "-tsvg", "-stdrpt:1", "-charset", "UTF-8", "-Sshadowing=false"]
        result = run([*self.command, *options], source, self.policy)
        messages = result.stderr.decode(errors="replace") + result.stdout.decode(errors="replace")
        if result.returncode != 0 or "\nstatus=ERROR" in messages:
            line = re.search(r"^lineNumber=(\d+)", messages, re.MULTILINE)
            label = re.search(r"^label=(.*)", messages, re.MULTILINE)
            if not label and "No diagram found" not in messages:
                # Java has failed, such as for lack of memory. Without an answer, the next build tries again.
                sys.exit(1)
            # The report counts from 0 behind the first line.
            number = int(line[1]) + 1 - before if line else 1
            raise Mistake(max(1, number), label[1].rstrip("?") if label else "PlantUML found no diagram")
        if b">An error has occured" in result.stdout or b"/@enduml found<" in result.stdout:
            raise Mistake(1, "PlantUML cannot draw this")
        end = result.stdout.rfind(b"</svg>")
        return result.stdout[: end + 6]


def is_coloured(root):
    """Whether shapes have fills of their own: black text is readable on those, white text is not."""
    for node in root.iter():
        fill = node.get("fill", "none").lower()
        if node.tag != SVG + "text" and fill not in PAPER | BLACK:
            return True
    return False


class Writer:
    def __init__(self, source, scale):
        self.prefix = "d" + hashlib.sha256(source.encode()).hexdigest()[:8] + "-"
        self.scale = scale
        self.ids = {}
        self.parts = []

    def drawing(self, root):
        for node in root.iter():
            if node.tag in (SVG + "image", SVG + "foreignObject"):
                raise Mistake(1, "diagrams cannot show pictures")
            for value in node.attrib.values():
                for name in re.findall(r"url\(#([^)]*)\)", value):
                    self.ids.setdefault(name, f"{self.prefix}{len(self.ids)}")
        self.is_coloured = is_coloured(root)
        self.write(root, is_root=True)
        return "".join(self.parts)

    def write(self, node, is_root=False):
        name = node.tag.removeprefix(SVG) if isinstance(node.tag, str) else ""
        if name == "a":
            for child in node:
                self.write(child)
            return
        if name not in ELEMENTS or name == "title" and not self.wants(node):
            return
        self.parts.append(f"<{name}")
        if is_root:
            self.attribute("class", "is-coloured" if self.is_coloured else "is-plain")
        values = dict(node.attrib)
        for rule in values.pop("style", "").split(";"):
            key, _, value = rule.partition(":")
            values.setdefault(key.strip(), value.strip())
        if values.get("id") in self.ids:
            self.attribute("id", self.ids[values["id"]])
        for key, value in values.items():
            self.checked(name, key, value, is_root)
        self.parts.append(">")
        if name in ("text", "tspan", "title"):
            text = (node.text or "").replace("->", "→").replace("--", "–") if name == "title" else node.text
            self.parts.append(escape(text or ""))
        for child in node:
            self.write(child)
            if name in ("text", "tspan") and child.tail:
                self.parts.append(escape(child.tail))
        self.parts.append(f"</{name}>")

    def wants(self, title):
        """Edges are named by what they connect; nodes have a text."""
        return bool(re.search(r"->|--", title.text or ""))

    def checked(self, name, key, value, is_root):
        if is_root and key in ("width", "height"):
            if found := re.match(r"[0-9.]+", value):
                self.attribute(key, f"{float(found[0]) * self.scale:.0f}")
        elif key in COLOURS:
            self.colour(key, value)
        elif key in NUMBERS and re.fullmatch(r"[A-Za-z0-9 .,+()%-]*", value.replace("\n", " ")):
            self.attribute(key, value.replace("\n", " ").removesuffix("px").strip())
        elif key in WORDS and re.fullmatch(r"[A-Za-z0-9 -]+", value):
            self.attribute(key, value)
        elif key == "font-family" and re.search(r"courier|mono", value, re.IGNORECASE):
            self.attribute(key, "monospace")

    def colour(self, key, value):
        if found := re.fullmatch(r"url\(#([^)]*)\)", value):
            self.attribute(key, f"url(#{self.ids[found[1]]})")
        elif value.lower() in BLACK and not self.is_coloured:
            self.attribute(key, "currentColor")
        elif re.fullmatch(r"#[0-9A-Fa-f]{3,8}|[A-Za-z]+", value):
            self.attribute(key, value)

    def attribute(self, key, value):
        self.parts.append(f" {key}={quoteattr(value)}")


def answer(tool, source):
    if len(source) > LARGEST:
        return "large "
    if "\0" in source:
        return "failed "
    try:
        try:
            root = ElementTree.fromstring(tool.svg(source))
        except ElementTree.ParseError:
            raise Mistake(1, "a block has exactly one diagram") from None
        svg = Writer(source, tool.scale).drawing(root)
        return f"html {svg}" if len(svg) <= LARGEST * 8 else "large "
    except Mistake as mistake:
        return f"mistake {mistake.line} 1 {' '.join(str(mistake).split())[:200]}"
    except subprocess.TimeoutExpired:
        return "slow "
    except Exception:
        return "failed "


def main():
    tool = {"dot": Graphviz, "plantuml": PlantUML}[sys.argv[1]]()
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    try:
        version = tool.version()
    except Exception:
        sys.exit(3)
    answers.write(f"{tool.name} {version} {tool.path}\0".encode())
    answers.flush()
    while header := requests.readline():
        length = int(header.decode().rsplit(" ", 1)[1])
        source = requests.read(length).decode(errors="replace")
        answers.write(answer(tool, source).replace("\0", "").encode() + b"\0")
        answers.flush()


if __name__ == "__main__":
    main()
