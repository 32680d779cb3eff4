"""A random site: pages, folders, files and who may read them; written as Markdown, and described as a `Release`."""

import dataclasses
import random
import shutil

from model import PUBLIC, SIGNED_IN, Page, Release, is_subset, said_above

GROUPS = ["board", "hr", "it", "night"]
TAGS = ["travel", "money"]
NAMES = ["alpha", "beta", "gamma", "delta", "Omega", "pay", "plan", "x1"]
# A title begins with one of these and a body with the other; nothing else on any page does.
TITLE, BODY = "Tq", "Kb"


@dataclasses.dataclass
class Node:
    """An address. A folder's page may be `index.md`, or a file beside the folder, or there may be none."""

    name: str
    kind: str  # "page", "folder" with an index page, "beside" the folder, "bare" folder without a page
    access: object = None
    widens: bool = False
    is_draft: bool = False
    title: str = ""
    body: str = ""
    note: str | None = None  # the marker of a file in the folder
    alias: str | None = None
    tags: list = dataclasses.field(default_factory=list)
    is_unlisted: bool = False
    index: str = "index.md"
    children: list = dataclasses.field(default_factory=list)


class Site:
    def __init__(self, rng: random.Random, folder, traits):
        """`traits` is what can make a reader a member of a group: `role HR`, `group …`, `users …`."""
        self.rng, self.folder, self.traits = rng, folder, sorted(traits)
        self.default = self.audience()
        self.groups = {name: self.definition() for name in GROUPS}
        self.kept = rng.randint(2, 6)
        self.root = Node("", "folder", self.maybe_audience(), True, title=self.marker(TITLE), body=self.marker(BODY))
        for _ in range(rng.randint(6, 14)):
            self.add()
        self.mend()

    def marker(self, kind):
        return f"{kind}{self.rng.getrandbits(48):012x}"

    def audience(self):
        choice = self.rng.random()
        if choice < 0.15:
            return PUBLIC
        if choice < 0.4:
            return SIGNED_IN
        return frozenset(self.rng.sample(GROUPS, self.rng.choice([1, 1, 2, 3])))

    def maybe_audience(self):
        return self.audience() if self.rng.random() < 0.5 else None

    def definition(self):
        return frozenset(self.rng.sample(self.traits, self.rng.choice([1, 1, 2])))

    def nodes(self):
        """Each node with its address, folders before what is in them."""
        waiting = [("/", self.root)]
        for path, node in waiting:
            yield path, node
            waiting += [(f"{path}{child.name}/", child) for child in node.children]

    def add(self):
        folders = [node for path, node in self.nodes() if node.kind != "page" and path.count("/") < 5]
        parent = self.rng.choice(folders)
        taken = {child.name.lower() for child in parent.children}
        names = [name for name in NAMES if name.lower() not in taken]
        if not names:
            return
        kind = self.rng.choice(["page", "page", "page", "folder", "folder", "beside", "bare"])
        access = None if kind == "bare" else self.maybe_audience()
        parent.children.append(Node(
            self.rng.choice(names), kind, access, self.rng.random() < 0.5, kind != "bare" and self.rng.random() < 0.1,
            self.marker(TITLE), self.marker(BODY), self.marker(BODY) if self.rng.random() < 0.4 else None,
            self.rng.choice(["index.md", "_index.md", "README.md"]),
        ))
        self.decorate(parent.children[-1])

    def decorate(self, node):
        """What makes other addresses name the page, or not."""
        node.tags = self.rng.sample(TAGS, self.rng.choice([0, 1, 1, 2]))
        node.alias = f"/old-{self.rng.getrandbits(24):06x}/" if self.rng.random() < 0.3 else None
        node.is_unlisted = node.kind == "page" and self.rng.random() < 0.2

    def mutate(self):
        """What authors do between two releases; always something."""
        self.root.body = self.marker(BODY)
        for _ in range(self.rng.randint(1, 5)):
            nodes = [node for _, node in self.nodes()][1:]
            node = self.rng.choice(nodes) if nodes else self.root
            match self.rng.randrange(9):
                case 0 | 1 | 2 if node.kind != "bare":
                    node.access, node.widens = self.maybe_audience(), self.rng.random() < 0.5
                case 3 if node is not self.root and node.kind != "bare":
                    node.is_draft = not node.is_draft
                case 4:
                    self.add()
                case 5 if len(nodes) > 5:
                    for _, parent in list(self.nodes()):
                        parent.children = [child for child in parent.children if child is not node]
                case 6 if self.rng.random() < 0.3:
                    # All readers have to sign in again.
                    self.groups[self.rng.choice(GROUPS)] = self.definition()
                case 7 if node is not self.root and node.kind != "bare":
                    self.decorate(node)
                case _:
                    node.body, node.title = self.marker(BODY), self.marker(TITLE)
        if self.rng.random() < 0.1:
            self.default = self.audience()

    def widened(self):
        """The nodes at which the build has to stop: they let in more readers and do not say that they mean it."""
        says = {}
        for path, node in self.nodes():
            inherited = said_above(says, path, self.default)
            if node.access is not None:
                if not node.widens and not is_subset(node.access, inherited):
                    yield node
                says[path.lower()] = node.access

    def mend(self):
        for node in list(self.widened()):
            node.widens = True

    def release(self):
        says, pages, files, aliases, nodes = {}, {}, {}, [], dict(self.nodes())
        for path, node in self.nodes():
            if node.access is not None:
                says[path.lower()] = node.access
            if node.kind != "bare" and not node.is_draft:
                pages[path] = Page(node.body, node.title, is_listed=not node.is_unlisted)
                # The page as Markdown says the same to the same readers.
                pages[f"{path}index.md"] = pages[path]
                if node.alias:
                    aliases.append((path, node.alias))
            elif node.kind != "page":
                # A list, if there is anything to list.
                pages[path] = Page(None, None, is_certain=False)
            if self.has_note(node) and not self.is_withheld(path, nodes):
                files[f"{path}note.txt"] = node.note
        # Made by the build. A folder of another kind of reader may be missing.
        for name, audience in [("public", PUBLIC), ("signed-in", SIGNED_IN)] + [
            (f"group/{name}", frozenset([name])) for name in GROUPS
        ]:
            for path in [f"/_reader/{name}.json", "/llms.txt" if audience == PUBLIC else f"/_reader/{name}.txt"]:
                says[f"{path}/"] = audience
                pages[path] = Page(None, None, is_certain=False)
        home = said_above(says, "/", self.default)
        for path in ["/tags/", *(f"/tags/{tag}/" for tag in TAGS), "/feed.xml", "/sitemap.xml", "/robots.txt"]:
            says[f"{path.rstrip('/')}/"] = PUBLIC if path in ("/sitemap.xml", "/robots.txt") else home
            pages[path] = Page(None, None, is_certain=False)
        for path, alias in aliases:
            says[alias] = said_above(says, path, self.default)
            pages[alias] = Page(None, None)
        pages["/search/"] = Page(None, None)
        return Release(self.default, tuple(sorted(self.groups.items())), says, pages, files)

    @staticmethod
    def has_note(node):
        return node.note is not None and node.kind in ("folder", "bare")

    @staticmethod
    def is_withheld(path, nodes):
        """Whether a file goes with the draft of its folder, or of one above if there is no published page between."""
        while path:
            node = nodes[path]
            has_index = node.kind == "folder" and not node.is_draft
            if has_index or any(child.kind in ("page", "beside") and not child.is_draft for child in node.children):
                return False
            if node.kind == "folder":
                return True
            path = path[:-1].rpartition("/")[0] + "/" if path != "/" else ""
        return False

    def write(self):
        site = self.folder / "site"
        shutil.rmtree(site, ignore_errors=True)
        for path, node in self.nodes():
            here = site / path.strip("/")
            if node.kind in ("folder", "bare"):
                here.mkdir(parents=True)
            if self.has_note(node):
                (here / "note.txt").write_text(f"A file. {node.note}\n")
            if node.kind == "beside" and node.children:
                here.mkdir(parents=True)
            if node.kind != "bare":
                file = here / node.index if node.kind == "folder" else here.with_name(node.name + ".md")
                file.write_text(self.page(node))
        values = "\n".join(f"{name} = {{ {self.toml(enough)} }}" for name, enough in self.groups.items())
        (self.folder / "sitegen.toml").write_text(
            f'access = {self.text(self.default, quoted=True)}\nfsync = false\nreleases_kept = {self.kept}\n'
            'base_url = "https://docs.example.com"\nmarkdown_copies = true\n'
            f"[checks]\norphan-page = \"off\"\n[groups]\n{values}\n"
        )

    @staticmethod
    def toml(enough):
        kinds = {}
        for trait in sorted(enough):
            kind, value = trait.split(" ", 1)
            kinds.setdefault(kind, []).append(f'"{value}"')
        return ", ".join(f"{kind} = [{', '.join(values)}]" for kind, values in kinds.items())

    @staticmethod
    def text(audience, quoted=False):
        if isinstance(audience, frozenset):
            names = sorted(audience)
            return f"[{', '.join(repr(name) if quoted else name for name in names)}]"
        return f'"{audience}"' if quoted else audience

    def page(self, node):
        lines = ["---", f"title: {node.title}"]
        if node.access is not None:
            lines.append(f"access: {self.text(node.access)}")
        if node.access is not None and node.widens:
            lines.append("widens: true")
        if node.is_draft:
            lines.append("draft: true")
        if node.is_unlisted:
            lines.append("unlisted: true")
        if node.tags:
            lines += [f"tags: [{', '.join(node.tags)}]", "date: 2026-11-01"]
        if node.alias:
            lines.append(f"aliases: [{node.alias}]")
        return "\n".join([*lines, "---", "", f"This is {node.body}.", "", "## Part", "", f"More of {node.body}.", ""])
