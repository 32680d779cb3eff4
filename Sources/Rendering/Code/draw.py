"""Draws diagrams, one after the other: arguments `dot DOT` with Graphviz, `plantuml JAVA JAR` with PlantUML,
`mermaid` with Python's package merman.

Says first `NAME VERSION PATH` and a zero byte. Then, until standard input ends, for each diagram

    reads    LANGUAGE SP LENGTH LF, and that many bytes of UTF-8
    writes   `html ` and SVG, `mistake LINE COLUMN MESSAGE`, or `slow `, `large `, `failed `, `unavailable `,
             and a zero byte

Only `unavailable ` says nothing about the diagram: the program could not be run.

Authors need not be trusted: Graphviz opens no files (SERVER_NAME), PlantUML only those that Java's
security manager allows, and neither gets the environment. Each program has limits of its own, and is
killed with all that it has started; merman is code in this process, which draws in a child for each
diagram. Of the SVG, shapes and texts are written anew; links, pictures, scripts and styles are not. The
colours of the programs become those of the theme, and each other colour gets one for the dark.
"""

import colorsys
import copy
import hashlib
import json
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
# In pixels: on a phone, more than this scrolls, and less is made smaller.
WIDE = 560
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
SHAPES = {"path", "polygon", "polyline", "line", "rect", "circle", "ellipse"}
# Written if something refers to them.
PARTS = {"marker", "linearGradient", "radialGradient"}
ELEMENTS = {"svg", "g", "stop", "text", "tspan"} | SHAPES | PARTS
NUMBERS = {"x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry", "fx", "fy", "dx", "dy", "width", "height",
           "points", "d", "viewBox", "transform", "offset", "opacity", "fill-opacity", "stroke-opacity",
           "stop-opacity", "stroke-width", "stroke-dasharray", "font-size", "textLength", "refX", "refY",
           "markerWidth", "markerHeight"}  # fmt: skip
COLOURS = {"fill", "stroke", "stop-color"}
WORDS = {"text-anchor", "font-weight", "font-style", "text-decoration", "lengthAdjust", "gradientUnits",
         "stroke-linejoin", "stroke-linecap", "dominant-baseline", "markerUnits", "orient"}  # fmt: skip
MARKERS = {"marker-start", "marker-mid", "marker-end"}
# Which elements have what not all may have, as checkers of HTML see it.
TEXTS = {"svg", "g", "text", "tspan"}
ONLY = {
    **dict.fromkeys(["x", "y"], {"svg", "rect", "text", "tspan"}), **dict.fromkeys(["dx", "dy"], {"text", "tspan"}),
    **dict.fromkeys(["width", "height"], {"svg", "rect"}), "viewBox": {"svg", "marker"},
    **dict.fromkeys(["x1", "x2", "y1", "y2"], {"line", "linearGradient"}),
    **dict.fromkeys(["font-size", "font-style", "font-weight", "dominant-baseline"], TEXTS),
}  # fmt: skip
BASELINES = {"auto", "middle", "central", "hanging", "alphabetic", "text-before-edge", "text-after-edge"}


class Mistake(Exception):
    def __init__(self, line, message, column=1):
        super().__init__(message)
        self.line = line
        self.column = column


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
    return ended(process)


class Child:
    """A copy of this process that writes what `work` returns, within its limits."""

    def __init__(self, work, memory):
        pipes = [os.pipe(), os.pipe()]
        self.pid = os.fork()
        if self.pid == 0:
            try:
                os.setsid()
                os.dup2(os.open("/dev/null", os.O_RDONLY), 0)
                for number, (_, writes) in enumerate(pipes, 1):
                    os.dup2(writes, number)
                limited(memory)
                with os.fdopen(1, "wb") as output:
                    output.write(work().encode())
                os._exit(0)
            except BaseException as error:
                os.write(2, repr(error).encode())
            finally:
                os._exit(1)
        for _, writes in pipes:
            os.close(writes)
        self.stdout, self.stderr = (os.fdopen(reads, "rb") for reads, _ in pipes)

    def wait(self):
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def ended(process):
    """Waits for a process within its limits, and ends all that it has started."""
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
    if code != 0 and re.search(rb"out of memory|OutOfMemoryError|memory allocation of|MemoryError", messages + output):
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


# The colours of the theme's light scheme, and what stands for them in both schemes.
NODE, PANEL, LINE, EDGE, SOFT, INK, PAPER = "#ecedfa", "#f3f4f7", "#dfe2e8", "#858c9b", "#565d6b", "#1a1e27", "#ffffff"
SKIN = {
    NODE: "var(--node)", PANEL: "var(--panel)", LINE: "var(--line)", EDGE: "var(--edge)", SOFT: "var(--soft)",
    PAPER: "var(--paper)", INK: "currentColor", "#000000": "currentColor",
}  # fmt: skip


class Tool:
    skin = SKIN
    scale = 1

    def said(self, title, is_root):
        """What a title says to readers. Edges are named by what they connect; nodes have a text."""
        return title.replace("->", "→").replace("--", "–") if re.search(r"->|--", title) else ""


class Graphviz(Tool):
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
        return self.dressed(ElementTree.fromstring(output))

    def dressed(self, root):
        """What the author gave no colour looks as the diagrams of the others do."""
        colours = {"node": (NODE, EDGE), "cluster": (PANEL, LINE)}
        for group in root.iter(SVG + "g"):
            kind = group.get("class")
            shapes = [node for node in group.iter() if node.tag.removeprefix(SVG) in SHAPES]
            has_none = shapes and shapes[0].get("fill") in ("none", "transparent") and shapes[0].get("stroke") == "black"
            if kind in colours and has_none:
                shapes[0].set("fill", colours[kind][0])
                for shape in shapes:
                    shape.set("stroke", colours[kind][1])
            if kind == "edge":
                for shape in shapes:
                    for key in ("fill", "stroke"):
                        if shape.get(key) == "black":
                            shape.set(key, SOFT)
        return root


class PlantUML(Tool):
    name = "plantuml"
    # Its own colours: shapes, lines, and what lies behind titles and groups.
    skin = {**SKIN, "#fefece": SKIN[NODE], "#a80036": SKIN[SOFT], "#eeeeee": SKIN[PANEL], "#dddddd": SKIN[PANEL]}

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
        return ElementTree.fromstring(output[: end + 6])


# Colours of sets: what text can stand on, and what is seen on paper.
HUES = (231, 160, 35, 340, 200, 95, 280, 15, 180, 55, 310, 250)
PALE = [f"hsl({hue}, 70%, 86%)" for hue in HUES]
STRONG = [f"hsl({hue}, 55%, 40%)" for hue in HUES]
THEME = {
    "background": PAPER, "primaryColor": NODE, "secondaryColor": PANEL, "tertiaryColor": PANEL,
    "primaryBorderColor": EDGE, "secondaryBorderColor": EDGE, "tertiaryBorderColor": LINE, "lineColor": SOFT,
    "arrowheadColor": SOFT, "textColor": INK, "primaryTextColor": INK, "secondaryTextColor": INK,
    "tertiaryTextColor": INK, "titleColor": INK, "edgeLabelBackground": PAPER, "clusterBkg": PANEL,
    "clusterBorder": LINE, "noteBkgColor": PALE[2], "noteTextColor": INK, "noteBorderColor": EDGE,
    "signalColor": SOFT, "actorLineColor": EDGE, "activationBkgColor": PANEL, "activationBorderColor": EDGE,
    "sequenceNumberColor": PAPER, "labelBoxBkgColor": PANEL, "compositeBackground": PANEL, "altBackground": PANEL,
    "compositeTitleBackground": NODE, "rowOdd": PAPER, "rowEven": PANEL, "attributeBackgroundColorOdd": PAPER,
    "attributeBackgroundColorEven": PANEL, "sectionBkgColor": PANEL, "altSectionBkgColor": PAPER,
    "sectionBkgColor2": PANEL, "excludeBkgColor": LINE, "gridColor": LINE, "taskBkgColor": NODE,
    "taskBorderColor": EDGE, "activeTaskBkgColor": PALE[2], "activeTaskBorderColor": EDGE, "doneTaskBkgColor": LINE,
    "doneTaskBorderColor": EDGE, "critBkgColor": PALE[3], "critBorderColor": STRONG[3], "todayLineColor": STRONG[3],
    "vertLineColor": STRONG[0], "taskTextColor": INK, "taskTextOutsideColor": INK, "taskTextLightColor": INK,
    "taskTextDarkColor": INK, "taskTextClickableColor": INK, "pieStrokeColor": PAPER, "pieOuterStrokeColor": EDGE,
    "pieOpacity": "1", "pieTitleTextSize": "18px", "pieSectionTextSize": "15px", "pieLegendTextSize": "15px",
    "archEdgeColor": SOFT, "archEdgeArrowColor": SOFT, "archGroupBorderColor": EDGE, "quadrant1Fill": NODE,
    "quadrant2Fill": PANEL, "quadrant3Fill": PAPER, "quadrant4Fill": PANEL, "quadrantPointFill": STRONG[0],
    "commitLabelColor": INK, "commitLabelBackground": PANEL, "tagLabelColor": INK, "tagLabelBackground": NODE,
    "relationLabelBackground": PAPER, "branchLabelColor": PAPER, "wardleyEvolutionColor": STRONG[3],
    "xyChart": {"backgroundColor": PAPER, "plotColorPalette": ",".join(STRONG).replace(", ", " ")},
    "radar": {"axisColor": EDGE, "graticuleColor": EDGE},
    **{f"cScale{number}": colour for number, colour in enumerate(PALE)},
    **{f"cScaleInv{number}": colour for number, colour in enumerate(STRONG)},
    **{f"cScalePeer{number}": colour for number, colour in enumerate(STRONG)},
    **{f"cScaleLabel{number}": INK for number in range(12)},
    **{f"fillType{number}": colour for number, colour in enumerate(PALE[:8])},
    **{f"pie{number}": colour for number, colour in enumerate(PALE, 1)},
    **{f"venn{number}": colour for number, colour in enumerate(STRONG[:8], 1)},
    **{f"git{number}": colour for number, colour in enumerate(STRONG[:8])},
    **{f"gitInv{number}": PAPER for number in range(8)},
    **{f"gitBranchLabel{number}": PAPER for number in range(8)},
}  # fmt: skip


# What Mermaid's theme has no names for, behind its own rules.
RULES = f"""
.edgeLabel .label rect {{ fill: {PAPER}; opacity: 0.85 }}
.packetBlock, .participant-box {{ fill: {NODE}; stroke: {EDGE} }}
.frame-border-outer, .frame-border-inner, .lifeline, .frame-header-line, .group-outline {{ stroke: {EDGE} }}
.occurrence, .fragment-header {{ fill: {PANEL}; stroke: {EDGE} }}
.seq-number, .comment-text {{ fill: {SOFT}; opacity: 1; font-weight: 400 }}
.radarGraticule {{ fill: none; stroke: {LINE}; stroke-opacity: 1 }}
""" + "".join(
    f".radarCurve-{number}, .radarLegendBox-{number} {{ fill: {colour}; stroke: {colour}; fill-opacity: 0.15 }}"
    f".section-edge-{number - 1} {{ stroke: {colour}; stroke-opacity: 0.6 }}"
    for number, colour in enumerate(STRONG)
)  # fmt: skip


class Mermaid(Tool):
    name = "merman"
    # What a diagram cannot set for itself, beside what Mermaid refuses anyway.
    secure = ("secure securityLevel startOnLoad maxTextSize suppressErrorRendering maxEdges htmlLabels themeCSS"
              " fontFamily dompurifyConfig").split()  # fmt: skip

    def __init__(self):
        try:
            import merman
        except ImportError:
            sys.exit(3)
        self.module = merman
        self.path = merman.merman_uniffi.__file__
        # Labels of HTML have the best places; the pipeline makes texts of SVG of them.
        configuration = {
            "theme": "base", "look": "classic", "themeVariables": THEME, "fontFamily": "Helvetica, Arial, sans-serif",
            "securityLevel": "strict", "secure": self.secure, "htmlLabels": True,
        }  # fmt: skip
        options = {
            "svg": {"pipeline": "resvg-safe"}, "site_config": configuration,
            "layout": {"container_width": 736, "screen_available_width": 736},
        }  # fmt: skip
        self.engine = merman.MermanEngine(json.dumps(options), None)

    def version(self):
        return self.module.Merman().package_version()

    def said(self, title, is_root):
        return title if is_root else ""

    def svg(self, source):
        try:
            root = ElementTree.fromstring(self.engine.render_svg(source, None))
        except self.module.MermanError as error:
            if getattr(error, "resource", None):
                raise Excess("large") from None
            raise self.mistake(source, error) from None
        css = "".join(style.text or "" for style in root.iter(SVG + "style"))
        if not any(node.get("data-look") == "neo" for node in root.iter()):
            # Most of the rules are for another look.
            css = re.sub(r'[^{}]*data-look="neo"[^{}]*\{[^{}]*\}', "", css)
        StyleSheet(css, RULES).apply(root)
        Copies(root).expand(root)
        self.align(root)
        _, _, width, height = root.get("viewBox").split()
        root.set("width", width)
        root.set("height", height)
        return root

    def align(self, root):
        """Labels below each other begin at one place, whatever font a reader has; those of Sankey are on top."""
        for parent in list(root.iter()):
            parent[:] = sorted(parent, key=lambda child: child.get("class") == "node-labels")
            columns = {}
            for child in parent:
                if "label" in child.get("class", "").split():
                    place = child.get("transform", "").partition("(")[2].partition(",")[0]
                    columns.setdefault(place, []).append(child)
            for text in (text for labels in columns.values() if len(labels) > 1 for label in labels for text in label.iter(SVG + "text")):
                text.attrib.update({"x": "0", "text-anchor": "start"})

    def mistake(self, source, error):
        """The first error that the analysis names, which has a place."""
        for found in json.loads(self.engine.analyze_json(source, None))["diagnostics"]:
            if found["severity"] == "error":
                place = found.get("span") or {"line": 1, "column": 1}
                return Mistake(place["line"], found["message"], place["column"])
        return Mistake(1, getattr(error, "message", "merman cannot draw this"))


class StyleSheet:
    """The style sheet of a drawing: each element gets what the rules say as attributes."""

    properties = COLOURS | {
        "opacity", "fill-opacity", "stroke-opacity", "stop-opacity", "stroke-width", "stroke-dasharray",
        "stroke-linecap", "stroke-linejoin", "font-size", "font-weight", "font-style", "font-family", "text-anchor",
        "text-decoration", "dominant-baseline", "rx", "ry", "display", "visibility",
    }  # fmt: skip

    def __init__(self, *sheets):
        """The rules of a sheet count more than those of the sheets before it."""
        self.rules = {}
        found = [(number, *rule) for number, css in enumerate(sheets) for rule in re.findall(r"([^{}]+)\{([^{}]*)\}", css)]
        for order, (number, selectors, body) in enumerate(found):
            declarations = list(self.declarations(body))
            for selector in selectors.split(","):
                if declarations and (parts := self.parts(selector)):
                    weight = [number, *(sum(column) for column in zip(*(weight for _, _, weight in parts)))]
                    _, (tag, classes, _, _), _ = parts[-1]
                    key = "." + classes[0] if classes else tag
                    self.rules.setdefault(key, []).append((weight, order, parts, declarations))

    def declarations(self, body):
        for declaration in body.split(";"):
            name, _, value = declaration.partition(":")
            value, mark, _ = value.partition("!important")
            if name.strip() in self.properties:
                yield name.strip(), value.strip(), bool(mark)

    def parts(self, selector):
        """Each with what must stand before it; `None` for what no drawing needs, such as `:hover`."""
        parts, relation = [], " "
        for text in re.findall(r"[>+~]|(?:\[[^\]]*\]|\([^)]*\)|[^\s>+~\[(])+", selector):
            if text in ">+~":
                relation = text
                continue
            found = re.fullmatch(r"([\w-]*|\*)((?:[.#][\w-]+|\[[\w-]+(?:=[^\]]*)?\]|:not\(\.[\w-]+\))*)", text)
            if not found or relation in "+~":
                return None
            names = re.findall(r"(?<!\()([.#])([\w-]+)|\[([\w-]+)(?:=[\"']?([^\]\"']*)[\"']?)?\]|:not\(\.([\w-]+)\)", found[2])
            classes = [name for mark, name, *_ in names if mark == "."]
            wanted = [("id", name) for mark, name, *_ in names if mark == "#"]
            wanted += [(key, value) for _, _, key, value, _ in names if key]
            without = {name for *_, name in names if name}
            tag = "" if found[1] == "*" else found[1]
            ids = sum(mark == "#" for mark, *_ in names)
            parts.append((relation, (tag, classes, wanted, without), (ids, len(names) - ids, bool(tag))))
            relation = " "
        return parts

    def apply(self, node, above=()):
        line = (*above, (node, set(node.get("class", "").split())))
        found = []
        for key in ("", node.tag.removeprefix(SVG), *(f".{name}" for name in line[-1][1])):
            found += [rule for rule in self.rules.get(key, ()) if self.matches(rule[2], line)]
        found.sort(key=lambda rule: rule[:2])
        told = [declaration for *_, declarations in found for declaration in declarations]
        told += self.declarations(node.attrib.pop("style", ""))
        for name, value, _ in sorted(told, key=lambda declaration: declaration[2]):
            node.set(name, value)
        for child in list(node):
            if not isinstance(child.tag, str):
                node.remove(child)
                continue
            self.apply(child, line)
            if child.get("display") == "none" or child.get("visibility") == "hidden":
                node.remove(child)

    def matches(self, parts, line):
        relation, (tag, classes, wanted, without), _ = parts[-1]
        node, names = line[-1]
        if (
            tag and node.tag != SVG + tag or not names.issuperset(classes) or names & without
            or any(node.get(key) != value for key, value in wanted)
        ):  # fmt: skip
            return False
        if len(parts) == 1:
            return True
        ends = range(len(line) - 1, 0, -1)
        return any(self.matches(parts[:-1], line[:end]) for end in (ends[:1] if relation == ">" else ends))


class Copies:
    """Puts copies of what `use` names in its place, and groups in place of drawings in a drawing."""

    most = 20_000

    def __init__(self, root):
        self.originals = {node.get("id"): node for node in root.iter() if node.get("id")}
        self.count = 0

    def expand(self, parent):
        for child in list(parent):
            self.count += 1
            if self.count > self.most:
                raise Excess("large")
            name = child.tag.removeprefix(SVG)
            if name == "use":
                address = child.get("href") or child.get("{http://www.w3.org/1999/xlink}href") or ""
                original = self.originals.get(address.removeprefix("#"))
                child[:] = [] if original is None else [copy.deepcopy(original)]
                self.group(child, child.get("viewBox"))
                for copied in child.iter():
                    copied.attrib.pop("id", None)
                    if copied.tag == SVG + "symbol":
                        copied.attrib.update({key: child.get(key) for key in ("width", "height") if child.get(key)})
                        self.group(copied, copied.get("viewBox"))
            elif name == "svg":
                self.group(child, child.get("viewBox"))
            self.expand(child)

    def group(self, node, box):
        """A drawing is moved to its place, and scaled from its box."""
        node.tag = SVG + "g"
        x, y = (float(re.sub("[a-z]+$", "", node.attrib.pop(key, "0"))) for key in ("x", "y"))
        moves = f"translate({x:g},{y:g})"
        sizes = [re.fullmatch(r"([0-9.]+)(px)?", node.attrib.pop(key, "")) for key in ("width", "height")]
        if box and all(sizes):
            left, top, width, height = (float(number) for number in box.replace(",", " ").split())
            scale = min(float(sizes[0][1]) / width, float(sizes[1][1]) / height)
            moves += f" scale({scale:g}) translate({-left:g},{-top:g})"
        node.set("transform", f"{node.get('transform', '')} {moves}".strip())


# Names of colours that CSS and SVG have.
NAMES = dict(zip(*[iter("""
aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc bisque ffe4c4 black
000000 blanchedalmond ffebcd blue 0000ff blueviolet 8a2be2 brown a52a2a burlywood deb887 cadetblue 5f9ea0 chartreuse
7fff00 chocolate d2691e coral ff7f50 cornflowerblue 6495ed cornsilk fff8dc crimson dc143c cyan 00ffff darkblue 00008b
darkcyan 008b8b darkgoldenrod b8860b darkgray a9a9a9 darkgreen 006400 darkgrey a9a9a9 darkkhaki bdb76b darkmagenta
8b008b darkolivegreen 556b2f darkorange ff8c00 darkorchid 9932cc darkred 8b0000 darksalmon e9967a darkseagreen 8fbc8f
darkslateblue 483d8b darkslategray 2f4f4f darkslategrey 2f4f4f darkturquoise 00ced1 darkviolet 9400d3 deeppink ff1493
deepskyblue 00bfff dimgray 696969 dimgrey 696969 dodgerblue 1e90ff firebrick b22222 floralwhite fffaf0 forestgreen
228b22 fuchsia ff00ff gainsboro dcdcdc ghostwhite f8f8ff gold ffd700 goldenrod daa520 gray 808080 green 008000
greenyellow adff2f grey 808080 honeydew f0fff0 hotpink ff69b4 indianred cd5c5c indigo 4b0082 ivory fffff0 khaki
f0e68c lavender e6e6fa lavenderblush fff0f5 lawngreen 7cfc00 lemonchiffon fffacd lightblue add8e6 lightcoral f08080
lightcyan e0ffff lightgoldenrodyellow fafad2 lightgray d3d3d3 lightgreen 90ee90 lightgrey d3d3d3 lightpink ffb6c1
lightsalmon ffa07a lightseagreen 20b2aa lightskyblue 87cefa lightslategray 778899 lightslategrey 778899
lightsteelblue b0c4de lightyellow ffffe0 lime 00ff00 limegreen 32cd32 linen faf0e6 magenta ff00ff maroon 800000
mediumaquamarine 66cdaa mediumblue 0000cd mediumorchid ba55d3 mediumpurple 9370db mediumseagreen 3cb371
mediumslateblue 7b68ee mediumspringgreen 00fa9a mediumturquoise 48d1cc mediumvioletred c71585 midnightblue 191970
mintcream f5fffa mistyrose ffe4e1 moccasin ffe4b5 navajowhite ffdead navy 000080 oldlace fdf5e6 olive 808000
olivedrab 6b8e23 orange ffa500 orangered ff4500 orchid da70d6 palegoldenrod eee8aa palegreen 98fb98 paleturquoise
afeeee palevioletred db7093 papayawhip ffefd5 peachpuff ffdab9 peru cd853f pink ffc0cb plum dda0dd powderblue b0e0e6
purple 800080 rebeccapurple 663399 red ff0000 rosybrown bc8f8f royalblue 4169e1 saddlebrown 8b4513 salmon fa8072
sandybrown f4a460 seagreen 2e8b57 seashell fff5ee sienna a0522d silver c0c0c0 skyblue 87ceeb slateblue 6a5acd
slategray 708090 slategrey 708090 snow fffafa springgreen 00ff7f steelblue 4682b4 tan d2b48c teal 008080 thistle
d8bfd8 tomato ff6347 turquoise 40e0d0 violet ee82ee wheat f5deb3 white ffffff whitesmoke f5f5f5 yellow ffff00
yellowgreen 9acd32
""".split())] * 2))


def channels(text):
    """Red, green, blue and opacity, from 0 to 1; `None` for what is no colour."""
    text = text.strip().lower()
    text = "#" + NAMES[text] if text in NAMES else text
    if re.fullmatch("#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})", text):
        digits = text[1:] if len(text) > 5 else "".join(digit * 2 for digit in text[1:])
        return tuple(int((digits + "ff")[place:place + 2], 16) / 255 for place in (0, 2, 4, 6))
    found = re.fullmatch(r"(rgb|hsl)a?\(#(?:deg)?[, ]+#(%?)[, ]+#%?(?:[,/ ]+#(%?))?\)".replace("#", r"(-?\d*\.?\d+)"), text)
    if not found:
        return None
    first, second, third = (float(found[number]) for number in (2, 3, 5))
    opacity = float(found[6] or 1) / (100 if found[7] else 1)
    if found[1] == "hsl":
        colour = colorsys.hls_to_rgb(first / 360 % 1, third / 100, second / 100)
    else:
        colour = [value / (100 if found[4] else 255) for value in (first, second, third)]
    return tuple(min(1, max(0, value)) for value in (*colour, opacity))


def linear(colour):
    return [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in colour[:3]]


def in_the_dark(colour):
    """The same hue, as dark on light as it was light on dark (in the colour space Oklab)."""
    red, green, blue = linear(colour)
    l = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    m = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    s = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    lightness = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s
    a = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s
    b = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s
    # White becomes the theme's paper, and its ink the ink of the dark.
    lightness = min(1, 1.16 - 0.96 * lightness)
    for chroma in (1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0):
        l = (lightness + chroma * (0.3963377774 * a + 0.2158037573 * b)) ** 3
        m = (lightness - chroma * (0.1055613458 * a + 0.0638541728 * b)) ** 3
        s = (lightness - chroma * (0.0894841775 * a + 1.2914855480 * b)) ** 3
        light = (
            4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
            -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
            -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s,
        )
        if min(light) >= -0.001 and max(light) <= 1.001:
            break
    light = [min(1, max(0, value)) for value in light]
    return [value * 12.92 if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055 for value in light]


def hexadecimal(colour):
    digits = "".join(f"{round(value * 255):02x}" for value in colour)
    return "#" + (digits[:6] if digits[6:] == "ff" else digits)


def brightness(colour):
    """Of WCAG, for contrasts."""
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def make_readable(root, skin):
    """Where an author has coloured a node and not its text, that has the colour that can be read on it."""
    for group in root.iter(SVG + "g"):
        if "node" not in group.get("class", "").split():
            continue
        fills = [channels(node.get("fill", "")) for node in group.iter() if node.tag.removeprefix(SVG) in SHAPES]
        fill = next((fill for fill in fills if fill), None)
        # The theme's ink can be read better on what is brighter than this.
        if fill is None or fill[3] < 1 or hexadecimal(fill) in skin or brightness(fill) > 0.2:
            continue
        for node in group.iter():
            colour = channels(node.get("fill", "black"))
            if node.tag in (SVG + "text", SVG + "tspan") and colour and skin.get(hexadecimal(colour)) == "currentColor":
                node.set("fill", PAPER)


class Writer:
    def __init__(self, source, tool):
        self.prefix = "d" + hashlib.sha256(source.encode()).hexdigest()[:8] + "-"
        self.tool = tool
        self.ids = {}
        self.parts = []

    def drawing(self, root):
        for node in root.iter():
            if node.tag in (SVG + "image", SVG + "foreignObject"):
                raise Mistake(1, "diagrams cannot show pictures")
            for value in node.attrib.values():
                for name in re.findall(r"url\(#([^)]*)\)", value):
                    self.ids.setdefault(name, f"{self.prefix}{len(self.ids)}")
        self.write(root, is_root=True)
        return "".join(self.parts)

    def write(self, node, is_root=False):
        name = node.tag.removeprefix(SVG) if isinstance(node.tag, str) else ""
        name = "g" if name == "a" else name
        if name == "defs":
            for child in node:
                if child.tag.removeprefix(SVG) in PARTS:
                    self.write(child)
            return
        if name not in ELEMENTS or name in PARTS and node.get("id") not in self.ids:
            return
        values = dict(node.attrib)
        for rule in values.pop("style", "").split(";"):
            key, _, value = rule.partition(":")
            values.setdefault(key.strip(), value.strip())
        self.parts.append(f"<{name}")
        if values.get("id") in self.ids:
            self.attribute("id", self.ids[values["id"]])
        for key, value in values.items():
            self.checked(name, key, value, is_root)
        self.parts.append(">")
        if name in ("text", "tspan"):
            self.parts.append(escape(node.text or ""))
        for child in node:
            if child.tag in (SVG + "title", SVG + "desc"):
                text = self.tool.said(child.text or "", is_root)
                self.parts.append(f"<{child.tag[len(SVG):]}>{escape(text)}</{child.tag[len(SVG):]}>" if text else "")
                continue
            self.write(child)
            if name in ("text", "tspan") and child.tail:
                self.parts.append(escape(child.tail))
        self.parts.append(f"</{name}>")

    def checked(self, name, key, value, is_root):
        if name not in ONLY.get(key, [name]) or key == "dominant-baseline" and value not in BASELINES:
            return
        if is_root and key in ("width", "height"):
            if found := re.match(r"[0-9.]+", value):
                size = float(found[0]) * self.tool.scale
                self.attribute(key, f"{size:.0f}")
                if key == "width" and size > WIDE:
                    self.attribute("class", "is-broad")
        elif key in COLOURS:
            self.colour(key, value)
        elif key in NUMBERS and re.fullmatch(r"[A-Za-z0-9 .,+()%-]*", value.replace("\n", " ")):
            self.attribute(key, value.replace("\n", " ").removesuffix("px").strip())
        elif key in WORDS and re.fullmatch(r"[A-Za-z0-9 -]+", value):
            self.attribute(key, value)
        elif key in MARKERS and (found := re.fullmatch(r"url\(#([^)]*)\)", value)):
            self.attribute(key, f"url(#{self.ids[found[1]]})")
        elif key == "font-family" and re.search(r"courier|mono", value, re.IGNORECASE):
            self.attribute(key, "monospace")

    def colour(self, key, value):
        if found := re.fullmatch(r"url\(#([^)]*)\)", value):
            self.attribute(key, f"url(#{self.ids[found[1]]})")
        elif value in ("none", "transparent", "currentColor"):
            self.attribute(key, value)
        elif colour := channels(value):
            light = hexadecimal(colour)
            dark = hexadecimal((*in_the_dark(colour), colour[3]))
            self.attribute(key, self.tool.skin.get(light, f"light-dark({light},{dark})"))

    def attribute(self, key, value):
        self.parts.append(f" {key}={quoteattr(value)}")


def answer(tool, source):
    if len(source) > LARGEST:
        return "large "
    if "\0" in source:
        return "failed "
    try:
        try:
            root = tool.svg(source)
            make_readable(root, tool.skin)
        except ElementTree.ParseError:
            raise Mistake(1, "a block has exactly one diagram") from None
        svg = Writer(source, tool).drawing(root)
        return f"html {svg}" if len(svg) <= LARGEST * 8 else "large "
    except Mistake as mistake:
        return f"mistake {mistake.line} {mistake.column} {' '.join(str(mistake).split())[:200]}"
    except Excess as limit:
        return f"{limit} "
    except MemoryError:
        return "large "
    except (Unavailable, OSError):
        return "unavailable "
    except Exception:
        return "failed "


def answer_of_a_child(tool, source):
    """What stops the code that draws stops the child alone."""
    try:
        code, output, _ = ended(Child(lambda: answer(tool, source), MEMORY))
        return output.decode() if code == 0 and output else f"mistake 1 1 {tool.name} cannot draw this"
    except Excess as limit:
        return f"{limit} "
    except (Unavailable, OSError):
        return "unavailable "


def main():
    os.environ.clear()
    tool = {"dot": Graphviz, "plantuml": PlantUML, "mermaid": Mermaid}[sys.argv[1]](*sys.argv[2:])
    respond = answer_of_a_child if isinstance(tool, Mermaid) else answer
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
        answers.write(respond(tool, source).replace("\0", "").encode() + b"\0")
        answers.flush()


if __name__ == "__main__":
    main()
