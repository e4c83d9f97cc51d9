#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints a bill of materials (SPDX 2.3, JSON) of an installed Parallax: the packages of Debian or Ubuntu that its programs and plug-ins are linked
with, and their versions. The same installation gives the same text if SOURCE_DATE_EPOCH is set.
Usage: packaging/sbom.py FOLDER [VERSION]     FOLDER: where cmake --install put it"""
import datetime
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys


def output(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False, text=True).stdout


def programs(folder):
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            with path.open("rb") as file:
                if file.read(4) == b"\x7fELF":
                    yield path


def libraries(files, folder):
    """Files of libraries outside of the folder that these are linked with."""
    found = set()
    for file in files:
        for path in re.findall(r"=> (/\S+)", output("ldd", str(file))):
            real = pathlib.Path(path).resolve()
            if folder not in real.parents:
                found.add(real)
    return sorted(found)


def owners(files):
    """Packages of these files, by file."""
    lines = output("dpkg", "-S", *map(str, files)).splitlines() if files else []
    return {path: names.split(":")[0] for names, path in (line.split(": ", 1) for line in lines if ": " in line)}


def packages(files):
    """Source of each library: {(name, version)}."""
    known = owners(files)
    # Where /lib is /usr/lib, a library is known by one of both.
    known |= {"/usr" + path: name for path, name in owners([str(f).removeprefix("/usr") for f in files if str(f) not in known]).items()}
    for file in files:
        if str(file) not in known:
            raise SystemExit(f"sbom: no package has the library {file}")
    lines = output("dpkg-query", "-W", "-f", "${Package} ${Version}\n", *sorted(set(known.values()))).splitlines()
    return sorted({tuple(line.split(" ", 1)) for line in lines})


def entry(name, version, **more):
    return {"SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name), "name": name, "versionInfo": version, "downloadLocation": "NOASSERTION",
            "filesAnalyzed": False, "licenseConcluded": "NOASSERTION", "licenseDeclared": "NOASSERTION", "copyrightText": "NOASSERTION", **more}


def bill(folder, version):
    files = list(programs(folder))
    if not files:
        raise SystemExit(f"sbom: there is no program in {folder}")
    system = dict(line.split("=", 1) for line in pathlib.Path("/etc/os-release").read_text().splitlines() if "=" in line)["ID"].strip('"')
    parts = [entry(name, found, externalRefs=[{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                                               "referenceLocator": f"pkg:deb/{system}/{name}@{found}"}])
             for name, found in packages(libraries(files, folder))]
    checksum = hashlib.sha256()
    for file in files:
        checksum.update(file.read_bytes())
    time = datetime.datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", datetime.datetime.now().timestamp())), datetime.timezone.utc)
    main = entry("parallax", version, licenseDeclared="GPL-3.0-or-later", licenseConcluded="GPL-3.0-or-later")
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"parallax-{version}",
            "documentNamespace": f"https://spdx.org/spdxdocs/parallax-{version}-{checksum.hexdigest()}",
            "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: packaging/sbom.py"]},
            "packages": [main, *parts],
            "relationships": [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": main["SPDXID"]},
                              *({"spdxElementId": main["SPDXID"], "relationshipType": "DYNAMIC_LINK", "relatedSpdxElement": p["SPDXID"]} for p in parts)]}


def main():
    if len(sys.argv) not in (2, 3):
        raise SystemExit(__doc__)
    folder = pathlib.Path(sys.argv[1]).resolve()
    version = sys.argv[2] if len(sys.argv) == 3 else output(str(folder / "bin" / "parallax-cli"), "--version").split()[1]
    print(json.dumps(bill(folder, version), indent=2))


if __name__ == "__main__":
    main()
