"""Draws diagrams, one after the other: arguments `dot DOT` with Graphviz, `plantuml JAVA JAR` with PlantUML.

Says first `NAME VERSION PATH` and a zero byte. Then, until standard input ends, for each diagram

    reads    LANGUAGE SP LENGTH LF, and that many bytes of UTF-8
    writes   `html ` and SVG, `mistake LINE COLUMN MESSAGE`, or `slow `, `large `, `failed `, `unavailable `,
             and a zero byte

Only `unavailable ` says nothing about the diagram: the program could not be run.

Authors need not be trusted: Graphviz opens no files (SERVER_NAME), PlantUML only those that Java's
security manager allows, and neither gets the environment. Each program has limits of its own, and is
killed with all that it has started. Of the SVG, shapes and texts are written anew; links, pictures,
scripts and styles are not.
"""

import hashlib
import os
import re
import resource
import selectors
import signal
import subprocess
import sys
import time
from xml.etree import ElementTree
from xml.sax.saxutils import escape, quoteattr

# Of processor time, and of the clock: less than sitegen waits, so that this program can name the block.
SECONDS, PATIENCE = 10, 20
LARGEST = 1 << 17
MEMORY = 1 << 30
# Of a program's output and messages; more than the SVG of a drawing that is not too large.
MOST_BYTES = 8 << 20
DOT = "/usr/bin/dot"
# SERVER_NAME makes Graphviz refuse files.
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "SERVER_NAME": "sitegen", "GRAPHVIZ_DOT": DOT}

POLICY = """grant {
permission java.io.FilePermission "/usr/share/java/-", "read";
permission java.io.FilePermission "/usr/share/plantuml", "read";
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


class Excess(Exception):
    """A limit was reached: `slow` or `large`."""


class Unavailable(Exception):
    """The program could not be run, or got no processor for too long, whatever the diagram."""


def lower(kind, limit, beyond=0):
    hard = resource.getrlimit(kind)[1]
    if hard != resource.RLIM_INFINITY:
        limit = min(limit, hard)
    resource.setrlimit(kind, (limit, limit + beyond if hard == resource.RLIM_INFINITY else hard))


def limited(memory):
    """Limits of the program that is about to run.

    The JVM reserves more addresses than it uses, so that `memory` is for Graphviz; what Java may use is
    bounded by sitegen's limit of data, which all processes inherit.
    """
    # The signal of the lower limit tells it from a program that somebody else has killed.
    lower(resource.RLIMIT_CPU, SECONDS, beyond=1)
    lower(resource.RLIMIT_CORE, 0)
    # No file can be written. A program that tries is told so, and not ended by a signal.
    lower(resource.RLIMIT_FSIZE, 0)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    if memory:
        lower(resource.RLIMIT_AS, memory)
        lower(resource.RLIMIT_NPROC, 0)


def run(command, source, *files, memory=0):
    """Runs a program within its limits, and ends all processes that it has started."""
    # The input lies in a file: a program that reads it late, or not at all, keeps nobody waiting.
    with os.fdopen(os.memfd_create("source"), "w+b") as text:
        text.write(source.encode())
        text.seek(0)
        process = subprocess.Popen(
            command, stdin=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd="/", env=ENVIRONMENT,
            preexec_fn=lambda: limited(memory), pass_fds=files, start_new_session=True,
        )  # fmt: skip
    try:
        output, messages = finished(process)
    finally:
        # Nobody has waited for the process yet, so that its number is still its own.
        os.killpg(process.pid, signal.SIGKILL)
        code = process.wait()
        process.stdout.close()
        process.stderr.close()
    if code == -signal.SIGXCPU:
        raise Excess("slow")
    if code == -signal.SIGKILL:
        raise Unavailable
    if code != 0 and re.search(rb"out of memory|OutOfMemoryError", messages + output):
        raise Excess("large")
    return code, output, messages.decode(errors="replace")


def finished(process):
    """Standard output and standard error, when both and the process have ended."""
    parts = {process.stdout: bytearray(), process.stderr: bytearray()}
    end = time.monotonic() + PATIENCE
    with selectors.DefaultSelector() as selector:
        for stream in parts:
            selector.register(stream, selectors.EVENT_READ)
        while selector.get_map():
            ready = selector.select(max(0, end - time.monotonic()))
            if not ready:
                raise Unavailable
            for key, _ in ready:
                piece = os.read(key.fd, 1 << 16)
                parts[key.fileobj] += piece
                if not piece:
                    selector.unregister(key.fileobj)
            if sum(map(len, parts.values())) > MOST_BYTES:
                raise Excess("large")
    while not os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
        if time.monotonic() > end:
            raise Unavailable
        time.sleep(0.001)
    return bytes(parts[process.stdout]), bytes(parts[process.stderr])


class Graphviz:
    name = "graphviz"
    # Its text of 14 points is as large as that of the page.
    scale = 16 / 14

    def __init__(self, dot):
        self.path = dot
        # The page decides about the font; this one has the widths of the usual ones.
        fonts = [f"-{kind}fontname=Helvetica" for kind in "GNE"]
        self.command = [dot, "-Tsvg", "-Gbgcolor=transparent", *fonts]

    def version(self):
        _, _, messages = run([self.path, "-V"], "", memory=MEMORY)
        return re.search(r"version ([0-9.]+)", messages)[1]

    def svg(self, source):
        code, output, messages = run(self.command, source, memory=MEMORY)
        if found := re.search(r"Error: <stdin>: syntax error in line (\d+)(.*)", messages):
            # The end has the number of the line behind the last one, which is the block's fence.
            line = min(int(found[1]), len(source.rstrip().split("\n")))
            raise Mistake(line, f"syntax error {found[2].strip() or 'at the end'}")
        if found := re.search(r"^Error: (.*) in line \d+ ?\n\.\.\. (.*?) \.\.\.\n(.*)", messages, re.M | re.S):
            # Graphviz counts the lines of the label, and shows what it has read last.
            before, is_found, _ = source.partition(found[2])
            line = (before + found[2]).count("\n") + 1 if is_found else 1
            raise Mistake(line, f"{found[1]} {found[3].splitlines()[0]}")
        if found := re.search(r"^Error: (?:<stdin>: )?(.*)", messages, re.MULTILINE):
            raise Mistake(1, found[1])
        if code < 0:
            raise Mistake(1, "Graphviz cannot draw this")
        if code != 0 or not output:
            raise Mistake(1, "Graphviz found no graph")
        return output


class PlantUML:
    name = "plantuml"
    scale = 1

    def __init__(self, java, jar):
        self.path = jar
        # A file that goes with the process, however that ends.
        self.policy = os.memfd_create("policy")
        os.write(self.policy, POLICY.encode())
        self.command = [
            java, "-Xmx512m", "-XX:+ExitOnOutOfMemoryError", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData", "-XX:ErrorFile=/dev/null", "-Djava.awt.headless=true", "-Djava.security.manager",
            f"-Djava.security.policy==/dev/fd/{self.policy}", "-jar", jar,
        ]  # fmt: skip

    def version(self):
        _, output, _ = run([*self.command, "-version"], "", self.policy)
        return re.search(r"version ([0-9.]+)", output.decode(errors="replace"))[1]

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
        code, output, messages = run([*self.command, *options], source, self.policy)
        messages += output.decode(errors="replace")
        if code != 0 or "\nstatus=ERROR" in messages:
            line = re.search(r"^lineNumber=(\d+)", messages, re.MULTILINE)
            label = re.search(r"^label=(.*)", messages, re.MULTILINE)
            if not label and re.search(r"^Exception in thread", messages, re.MULTILINE):
                # Such as what asks another machine, which the security manager does not allow.
                raise Mistake(1, "PlantUML cannot draw this")
            if not label and "No diagram found" not in messages:
                # Java has failed, such as for lack of memory.
                raise Unavailable
            # The report counts from 0 behind the first line.
            number = int(line[1]) + 1 - before if line else 1
            raise Mistake(max(1, number), label[1].rstrip("?") if label else "PlantUML found no diagram")
        if b">An error has occured" in output or b"/@enduml found<" in output:
            raise Mistake(1, "PlantUML cannot draw this")
        end = output.rfind(b"</svg>")
        return output[: end + 6]


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
    except Excess as limit:
        return f"{limit} "
    except (Unavailable, OSError):
        return "unavailable "
    except Exception:
        return "failed "


def main():
    tool = {"dot": Graphviz, "plantuml": PlantUML}[sys.argv[1]](*sys.argv[2:])
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    try:
        version = tool.version()
    except Exception:
        # It is there, or sitegen would not have asked. The next build tries again.
        sys.exit(1)
    answers.write(f"{tool.name} {version} {tool.path}\0".encode())
    answers.flush()
    while header := requests.readline():
        length = int(header.decode().rsplit(" ", 1)[1])
        source = requests.read(length).decode(errors="replace")
        answers.write(answer(tool, source).replace("\0", "").encode() + b"\0")
        answers.flush()


if __name__ == "__main__":
    main()
