"""Reads what recorded_disk.c has written, and rebuilds the folder as a power loss may leave it.

A change is on disk for certain once it was synced; until then it may be there or not:

- Names come and go in the order in which the program changed them, because ext4 and XFS have one journal.
  Syncing a file or a folder writes the journal up to the last change of its names.
- The bytes of a file that was not synced may be missing, wholly or from some point on, or be zeros, though its name is there.
"""

import dataclasses
import os
import stat
import struct

RECORD = struct.Struct("=IIIIQq")
MARK = ord("k")


@dataclasses.dataclass(eq=False)
class Node:
    """A file, a folder or a link; `changes` are those of its bytes, with their numbers."""

    kind: str
    content: bytes = b""
    time: int = 0
    entries: dict = dataclasses.field(default_factory=dict)
    changes: list = dataclasses.field(default_factory=list)
    last_name: int = -1


@dataclasses.dataclass
class Naming:
    """A name of a folder begins or ceases to mean something."""

    number: int
    folder: Node
    sets: list
    synced: float = float("inf")


class Recording:
    """Everything that happened, in order; record number `n` has happened at the crash point `n`."""

    def __init__(self, folder):
        self.folder = str(folder)
        self.inodes = {}
        self.root = self.snapshot(self.folder)
        self.start = {}
        self.keep(self.root)
        self.namings, self.length, self.marks = [], 0, []

    def snapshot(self, path):
        status = os.lstat(path)
        if stat.S_ISLNK(status.st_mode):
            return Node("link", os.readlink(path).encode())
        if status.st_ino in self.inodes:
            return self.inodes[status.st_ino]
        node = self.inodes[status.st_ino] = Node("folder" if stat.S_ISDIR(status.st_mode) else "file", time=int(status.st_mtime))
        if node.kind == "folder":
            node.entries = {name: self.snapshot(f"{path}/{name}") for name in os.listdir(path)}
        else:
            with open(path, "rb") as file:
                node.content = file.read()
        return node

    def keep(self, node):
        """Remembers the entries of the beginning."""
        self.start[node] = dict(node.entries)
        for child in node.entries.values():
            if child.kind == "folder":
                self.keep(child)

    def above(self, path):
        node = self.root
        parts = path[len(self.folder):].strip("/").split("/")
        for name in parts[:-1]:
            node = node.entries[name]
        return node, parts[-1]

    def read(self, log):
        data, position = log.read_bytes(), 0
        while position < len(data):
            kind, first, second, _, inode, number = RECORD.unpack_from(data, position)
            position += RECORD.size
            one, two = data[position:position + first], data[position + first:position + first + second]
            position += first + second
            self.take(chr(kind), one, two, inode, number)
            self.length += 1
        return self

    def take(self, kind, one, two, inode, number):
        now = self.length
        if kind in "cdls":
            path = (two if kind == "l" else one).decode()
            if kind == "l":
                node = self.inodes[inode]
            else:
                node = Node({"c": "file", "d": "folder", "s": "link"}[kind], two if kind == "s" else b"")
                if inode:
                    self.inodes[inode] = node
                if kind == "d":
                    self.start[node] = {}
            self.name(now, path, [node])
        elif kind == "u":
            self.name(now, one.decode(), [None])
        elif kind == "r":
            (source, old), (target, new) = self.above(one.decode()), self.above(two.decode())
            assert source is target, "a rename between folders is not modelled"
            self.name(now, two.decode(), [source.entries[old]], old)
        elif kind == "w":
            self.inodes[inode].changes.append([now, "write", number, one, float("inf")])
        elif kind == "t":
            self.inodes[inode].changes.append([now, "size", number, b"", float("inf")])
        elif kind == "m":
            self.inodes[inode].changes.append([now, "time", number, b"", float("inf")])
        elif kind == "f":
            node = self.inodes[inode]
            self.sync_bytes(now, [node])
            for naming in self.namings:
                if naming.number <= node.last_name:
                    naming.synced = min(naming.synced, now)
        elif kind == "F":
            self.sync_bytes(now, self.inodes.values())
            for naming in self.namings:
                naming.synced = min(naming.synced, now)
        elif kind == "k":
            self.marks.append(now)

    def name(self, now, path, nodes, old=None):
        folder, name = self.above(path)
        sets = [(name, nodes[0])] + ([(old, None)] if old else [])
        self.namings.append(Naming(now, folder, sets))
        apply(folder.entries, sets)
        for node in [folder, *nodes]:
            if node:
                node.last_name = now

    @staticmethod
    def sync_bytes(now, nodes):
        for node in nodes:
            for change in node.changes:
                change[4] = min(change[4], now)

    # What is there after a crash

    def entries(self, point, chance):
        """The entries of all folders. `chance(n)` says how many of the `n` changes that are uncertain have happened."""
        happened = [naming for naming in self.namings if naming.number <= point]
        entries = {folder: dict(names) for folder, names in self.start.items()}
        certain = max((index + 1 for index, naming in enumerate(happened) if naming.synced <= point), default=0)
        for naming in happened[:certain + chance(len(happened) - certain)]:
            apply(entries[naming.folder], naming.sets)
        return entries

    def content(self, node, point, damage):
        """Bytes and time of a file. `damage` is what became of bytes that were not synced: whole, lost, half or zeros."""
        content, time = bytearray(node.content), node.time
        for number, kind, value, written, synced in node.changes:
            if number > point:
                break
            is_certain = synced <= point
            if not is_certain and damage == "lost":
                continue
            if kind == "time":
                time = value
            elif kind == "size":
                content = content[:value] + bytes(max(0, value - len(content)))
            else:
                if not is_certain and damage == "half":
                    written = written[:len(written) // 2]
                elif not is_certain and damage == "zeros":
                    written = bytes(len(written))
                content += bytes(max(0, value - len(content)))
                content[value:value + len(written)] = written
        return bytes(content), time

    def tree(self, point, chance, damage):
        """The files by their paths, as small_site.tree; `damage()` is asked for each file. Also their times."""
        entries, files, times = self.entries(point, chance), {}, {}
        done = {}

        def walk(folder, prefix):
            for name, node in entries[folder].items():
                if node.kind == "folder":
                    files[f"{prefix}{name}/"] = None
                    if node.time:
                        times[f"{prefix}{name}/"] = node.time
                    walk(node, f"{prefix}{name}/")
                elif node.kind == "link":
                    files[prefix + name] = b"-> " + node.content
                else:
                    if node not in done:
                        done[node] = self.content(node, point, damage())
                    files[prefix + name], times[prefix + name] = done[node]

        walk(self.root, "")
        return files, times


def apply(entries, sets):
    for name, node in sets:
        if node is None:
            entries.pop(name, None)
        else:
            entries[name] = node


def write_mark(log):
    """The test's own record: what follows happens after something was promised."""
    with log.open("ab") as file:
        file.write(RECORD.pack(MARK, 0, 0, 0, 0, 0))


def write_tree(files, times, folder):
    """Makes a folder of a tree; shared names become separate files."""
    for name, content in sorted(files.items()):
        path = folder / name
        if content is None:
            path.mkdir(parents=True, exist_ok=True)
        elif content.startswith(b"-> "):
            path.symlink_to(content[3:].decode())
        else:
            path.write_bytes(content)
    # A folder's own time changes with each entry, so it comes after its entries.
    for name in sorted(times, reverse=True):
        os.utime(folder / name, (times[name], times[name]))
