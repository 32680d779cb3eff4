#!/usr/bin/env python3
"""Makes the container images `sitegen` and `siteauth` from this project's Debian packages.

usage: images.py PACKAGES FOLDER [IMAGE...]

PACKAGES is the folder with the .deb files. Each image becomes one archive in FOLDER, NAME.tar, which `docker load` and
`podman load` accept: an OCI image layout (index.json) that also has Docker's manifest.json.

mmdebstrap fetches the packages of Debian that the programs need, and verifies their signatures. Their files are put
into the only layer as they are; no script of a package runs. So neither a shell nor apt is in an image, and the same
packages make the same bytes. SOURCE_DATE_EPOCH is the date of the image, MIRROR a Debian archive, such as one day of
snapshot.debian.org.
"""

import fnmatch
import gzip
import hashlib
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
EPOCH = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))
# Kubernetes accepts only a number as an account that is not root.
USER = 10001
# These are for scripts, which do not run, and for parts of Python, git and SASL that nothing here uses.
OMITTED_PACKAGES = {
    "debconf", "default-systemd-sysusers", "default-systemd-tmpfiles", "dpkg", "git-man", "iproute2", "libcurl3-gnutls", "libdb5.3", "liberror-perl", "libncursesw6",
    "libnginx-mod-http-echo", "libnsl2", "libreadline8", "libsasl2-modules-db", "libsqlite3-0", "libtinfo6", "libtirpc3",
    "media-types", "openssl", "perl", "python3-pkg-resources", "readline-common",
    "systemd", "systemd-standalone-sysusers", "systemd-standalone-tmpfiles", "systemd-sysusers", "systemd-tmpfiles",
}
# Of these, nothing but these files.
FILES_OF_PACKAGES = {
    "base-files": ["etc/debian_version", "etc/os-release", "usr/lib/os-release"],
    "git": ["usr/bin/git"],
}
OMITTED_FILES = [
    "etc/cron.*", "etc/default", "etc/init.d", "etc/logrotate.d", "etc/nginx/modules-*", "etc/nginx/nginx.conf",
    "etc/nginx/sites-*", "etc/ufw", "lib/systemd", "usr/bin/c_rehash", "usr/bin/p*3c*", "usr/bin/pdb3*",
    "usr/bin/py3versions", "usr/bin/pydoc*", "usr/bin/pyg*", "usr/include", "usr/lib/*/gconv", "usr/lib/python3*/ensurepip",
    "usr/lib/python3*/lib2to3", "usr/lib/python3*/pydoc_data", "usr/lib/systemd", "usr/lib/sysusers.d",
    "usr/lib/tmpfiles.d", "usr/lib/valgrind", "usr/sbin/update-*", "var",
]
FILES_OF_SHARE = ["usr/share/doc/*/copyright*", "usr/share/doc/*/NOTICE*", "usr/share/siteauth/*"]
FILES = {
    "etc/group": f"root:x:0:\nsiteauth:x:{USER}:\n",
    "etc/nsswitch.conf": "hosts: files dns\n",
    "etc/passwd": f"root:x:0:0::/:/usr/sbin/nologin\nsiteauth:x:{USER}:{USER}::/nonexistent:/usr/sbin/nologin\n",
}
IMAGES = {
    "sitegen": {
        "packages": ["sitegen", "python3-pygments", "git"],
        # The folder of the site may belong to another account of the machine outside.
        "files": {"etc/gitconfig": "[safe]\n\tdirectory = *\n"},
        "folders": ["site"], "links": {},
        "config": {
            "Env": ["HOME=/tmp"],
            "Entrypoint": ["sitegen"],
            "Cmd": ["serve", "--host", "0.0.0.0"],
            "ExposedPorts": {"8000/tcp": {}},
            "WorkingDir": "/site",
        },
    },
    "siteauth": {
        "packages": ["siteauth", "nginx-light", "curl"],
        "files": {"etc/nginx/nginx.conf": (HERE / "nginx.conf").read_text()},
        "links": {
            "var/log/nginx/docs.log": "/dev/stdout", "var/log/nginx/error.log": "/dev/stderr",
        },
        "folders": ["etc/nginx/sites-enabled", "run/siteauth/docs", "srv/docs/public", "var/lib/siteauth/docs", "var/log/nginx"],
        "config": {
            "Env": ["SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt"],
            "Cmd": [
                "siteauth", "serve", "--config", "/etc/siteauth/docs/secrets.toml", "--site", "/srv/docs/public",
                "--state", "/var/lib/siteauth/docs", "--check-socket", "/run/siteauth/docs/check.sock",
                "--pages-socket", "/run/siteauth/docs/pages.sock", "--status-socket", "/run/siteauth/docs/status.sock",
            ],
            "WorkingDir": "/",
        },
    },
}


class Layer:
    """The files of an image, by their paths without the first slash."""

    def __init__(self):
        self.members = {}
        # Folders that stay although nothing is in them.
        self.wanted = set()
        for name in ["bin", "lib", "lib64", "sbin"]:
            self.link(name, f"usr/{name}")
        for name in ["dev", "etc", "proc", "run", "sys", "var"]:
            self.folder(name, owner=0)
        self.folder("tmp", owner=0, mode=0o1777)

    def add(self, member, content=None):
        """Puts it where it is on a system with /usr merged."""
        first, slash, rest = member.name.partition("/")
        if first in ("bin", "lib", "lib64", "sbin"):
            if not rest:
                return
            member.name = f"usr/{member.name}"
            if member.islnk():
                member.linkname = f"usr/{member.linkname.removeprefix('./')}"
        member.mtime = min(int(member.mtime), EPOCH)
        member.pax_headers, member.uname, member.gname = {}, "", ""
        self.members.setdefault(member.name, (member, content))

    def link(self, name, target):
        member = tarfile.TarInfo(name)
        member.type, member.linkname = tarfile.SYMTYPE, target
        self.members[name] = (member, None)

    def folder(self, name, owner=USER, mode=0o755):
        for parent in reversed(pathlib.PurePath(name).parents[:-1]):
            if str(parent) not in self.members:
                self.folder(str(parent), owner=0)
        member = tarfile.TarInfo(name)
        member.type, member.mode, member.uid, member.gid, member.mtime = tarfile.DIRTYPE, mode, owner, owner, EPOCH
        self.members[name] = (member, None)
        self.wanted.add(name)

    def file(self, name, content):
        if parent := name.rpartition("/")[0]:
            self.members.get(parent) or self.folder(parent, owner=0)
        member = tarfile.TarInfo(name)
        member.size, member.mtime = len(content), EPOCH
        self.members[name] = (member, content)

    def write(self, target):
        """Without a package's folders of which nothing is left."""
        parents = {str(parent) for name in self.members if not self.members[name][0].isdir() or name in self.wanted
                   for parent in pathlib.PurePath(name).parents}
        with tarfile.open(fileobj=target, mode="w", format=tarfile.PAX_FORMAT) as archive:
            for name, (member, content) in sorted(self.members.items()):
                if not member.isdir() or name in parents or name in self.wanted:
                    archive.addfile(member, io.BytesIO(content) if content is not None else None)


def files(package):
    """The files of a .deb with their content."""
    content = subprocess.run(["dpkg-deb", "--fsys-tarfile", package], check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        for member in archive:
            member.name = member.name.removeprefix("./").rstrip("/")
            if member.name not in ("", "."):
                yield member, archive.extractfile(member).read() if member.isreg() else None


def is_wanted(member, package):
    name = member.name
    if name.startswith("usr/share/") and not member.isdir():
        # Some packages share the folder of their licence.
        is_link = member.issym() and fnmatch.fnmatchcase(name, "usr/share/doc/*")
        return is_link or any(fnmatch.fnmatchcase(name, pattern) for pattern in FILES_OF_SHARE)
    if package in FILES_OF_PACKAGES:
        return member.isdir() or name in FILES_OF_PACKAGES[package]
    parts = name.split("/")
    paths = ["/".join(parts[:count]) for count in range(1, len(parts) + 1)]
    return not any(fnmatch.fnmatchcase(path, pattern) for path in paths for pattern in OMITTED_FILES)


def fields(package):
    """What a .deb says of itself: the text, and its fields of one line."""
    text = subprocess.run(["dpkg-deb", "--field", package], check=True, capture_output=True, text=True).stdout
    return text, dict(re.findall(r"^(\S+): (.*)$", text, re.M))


def dependencies(package):
    """The first of each alternative."""
    depends = ", ".join(fields(package)[1].get(name, "") for name in ["Pre-Depends", "Depends"])
    return set(re.findall(r"(?:^|,)\s*([a-z0-9.+-]+)", depends)) - OMITTED_PACKAGES


def fetch(names, folder):
    """The .deb files of packages of Debian, and of all that they depend on."""
    subprocess.run(
        ["mmdebstrap", "--quiet", "--variant=extract", "--skip=cleanup", f"--include={','.join(sorted(names))}", "bookworm",
         f"{folder}/root", *filter(None, [os.environ.get("MIRROR")])],
        check=True,
    )
    return {fields(file)[1]["Package"]: file for file in pathlib.Path(folder, "root/var/cache/apt/archives").glob("*.deb")}


def closure(names, known):
    """The packages with all that they depend on."""
    found, waiting = set(), {"base-files", "ca-certificates", *names}
    while waiting:
        name = waiting.pop()
        # A virtual package, or one that comes with another name.
        if name in known and name not in found:
            found.add(name)
            waiting |= dependencies(known[name])
    return sorted(found)


def layer(description, known):
    """The only layer of an image."""
    result = Layer()
    for name, text in (FILES | description["files"]).items():
        result.file(name, text.encode())
    for name in description["folders"]:
        result.folder(name)
    for name, target in description["links"].items():
        result.link(name, target)
    certificates, status = [], []
    for name in closure(description["packages"], known):
        # Programs that look for known holes read this list.
        status.append(fields(known[name])[0].strip().replace("\n", "\nStatus: install ok installed\n", 1))
        for member, content in files(known[name]):
            if name == "ca-certificates" and member.name.endswith(".crt"):
                certificates.append(content.strip() + b"\n")
            if is_wanted(member, name):
                result.add(member, content)
    result.file("etc/ssl/certs/ca-certificates.crt", b"".join(certificates))
    result.file("var/lib/dpkg/status", ("\n\n".join(status) + "\n").encode())
    plain = io.BytesIO()
    result.write(plain)
    return plain.getvalue()


def digest(content):
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


def archive(name, version, description, known, target):
    """Writes the archive of an image: an OCI image layout, and Docker's manifest.json for its older versions."""
    blobs = {}

    def blob(kind, content):
        content = content if isinstance(content, bytes) else json.dumps(content, sort_keys=True).encode()
        blobs[f"blobs/{digest(content).replace(':', '/')}"] = content
        return {"mediaType": f"application/vnd.oci.image.{kind}", "digest": digest(content), "size": len(content)}

    plain = layer(description, known)
    packed = gzip.compress(plain, 6, mtime=0)
    created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(EPOCH))
    config = description["config"]
    labels = {"org.opencontainers.image.title": name, "org.opencontainers.image.version": version}
    image = blob("config.v1+json", {
        "created": created, "architecture": "amd64", "os": "linux",
        "config": config | {
            "User": f"{USER}:{USER}", "Labels": labels,
            "Env": ["PATH=/usr/sbin:/usr/bin", "LANG=C.UTF-8", *config["Env"]],
        },
        "rootfs": {"type": "layers", "diff_ids": [digest(plain)]},
        "history": [{"created": created, "created_by": "make images"}],
    })
    manifest = blob("manifest.v1+json", {
        "schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": image, "layers": [blob("layer.v1.tar+gzip", packed)],
    })
    # A tag may have no plus sign.
    paths, tag = list(blobs), f"localhost/{name}:{version.replace('+', '-')}"
    manifest["annotations"] = {"org.opencontainers.image.ref.name": tag, "io.containerd.image.name": tag}
    index = {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [manifest]}
    docker = [{"Config": paths[0], "Layers": [paths[1]], "RepoTags": [tag]}]
    members = blobs | {
        "index.json": json.dumps(index, sort_keys=True).encode(),
        "manifest.json": json.dumps(docker, sort_keys=True).encode(),
        "oci-layout": b'{"imageLayoutVersion": "1.0.0"}',
    }
    with tarfile.open(target, "w") as archive:
        for path, content in sorted(members.items()):
            member = tarfile.TarInfo(path)
            member.size, member.mtime = len(content), EPOCH
            archive.addfile(member, io.BytesIO(content))
    return len(plain), len(packed)


def main(debs, folder, *names):
    own = {fields(package)[1]["Package"]: package for package in pathlib.Path(debs).glob("*.deb")}
    names = names or IMAGES.keys()
    if missing := names - own.keys():
        sys.exit(f"error: there is no package of {' and '.join(sorted(missing))} in '{debs}'; run 'make deb' first")
    wanted = {"base-files", "ca-certificates"}
    for name in names:
        wanted.update(IMAGES[name]["packages"], dependencies(own[name]))
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="image-") as scratch:
        known = fetch(wanted - own.keys(), scratch) | own
        for name in names:
            target = pathlib.Path(folder, f"{name}.tar")
            plain, packed = archive(name, fields(own[name])[1]["Version"], IMAGES[name], known, target)
            print(f"{target}: {packed / 1e6:.1f} MB, {plain / 1e6:.1f} MB unpacked")


if __name__ == "__main__":
    main(*sys.argv[1:])
