# SPDX-License-Identifier: GPL-3.0-or-later
"""A build that is installed, by cmake --install or as a package of RPM, runs from where it lies."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(os.environ["PARALLAX_BUILD"])
SOURCE = pathlib.Path(__file__).resolve().parents[2]


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=True, text=True).stdout


class Install(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def check_programs(self, prefix):
        """The programs find their library and plug-ins in this folder, not in the build."""
        cli = prefix / "bin" / "parallax-cli"
        devices = {b["id"]: b for b in json.loads(run(cli, "devices", "--json"))["backends"]}
        self.assertTrue(devices["openmp"]["available"], devices["openmp"])
        image = self.folder / "a.exr"
        run(cli, "run", "-i", "synthetic:noise:64x48", "-o", image, "--op", "convolve:size=3", "--backend", "openmp")
        self.assertTrue(image.exists())
        self.assertNotIn(str(BUILD), run("readelf", "-d", cli))
        for name in ("share/man/man1/parallax-cli.1.gz", "share/applications/io.github.parallax.Parallax.desktop"):
            self.assertTrue((prefix / name).exists(), name)

    def test_cmake_installs_it_anywhere(self):
        prefix = self.folder / "a folder"
        run("cmake", "--install", BUILD, "--prefix", prefix)
        self.check_programs(prefix)

    def test_nothing_of_the_build_is_in_what_is_installed(self):
        """Two builds in different folders give the same files."""
        run("cmake", "--install", BUILD, "--prefix", self.folder)
        for path in self.folder.rglob("*"):
            if path.is_file():
                self.assertNotIn(str(SOURCE).encode(), path.read_bytes(), path)

    @unittest.skipUnless(shutil.which("dpkg-query") and shutil.which("ldd"), "this system has no packages of Debian")
    def test_bill_of_materials(self):
        run("cmake", "--install", BUILD, "--prefix", self.folder)
        script = SOURCE / "packaging" / "sbom.py"
        os.environ["SOURCE_DATE_EPOCH"] = "1000000000"
        self.addCleanup(os.environ.pop, "SOURCE_DATE_EPOCH")
        text = run(sys.executable, script, self.folder)
        self.assertEqual(text, run(sys.executable, script, self.folder))
        bill = json.loads(text)
        self.assertEqual(bill["creationInfo"]["created"], "2001-09-09T01:46:40Z")
        packages = {p["name"]: p for p in bill["packages"]}
        self.assertEqual(packages["parallax"]["licenseDeclared"], "GPL-3.0-or-later")
        for name in ("libc6", "libstdc++6", "libgomp1"):
            self.assertEqual(packages[name]["versionInfo"], run("dpkg-query", "-W", "-f", "${Version}", name))
        self.assertTrue(any(name.startswith("libopenexr") for name in packages))
        identifiers = {p["SPDXID"] for p in bill["packages"]}
        self.assertEqual(len(identifiers), len(packages))
        self.assertEqual({r["relatedSpdxElement"] for r in bill["relationships"]}, identifiers)

    @unittest.skipUnless(shutil.which("rpmbuild"), "rpmbuild is not installed")
    def test_rpm_packages(self):
        run("cpack", "--config", BUILD / "CPackConfig.cmake", "-G", "RPM", "-B", self.folder)
        packages = {p.name.rsplit("-", 2)[0]: p for p in self.folder.glob("*.rpm")}
        self.assertIn("parallax", packages)
        for name, package in packages.items():
            self.assertEqual(run("rpm", "-qp", "--queryformat", "%{license}", package), "GPL-3.0-or-later")
            if name != "parallax":
                self.assertIn("parallax = ", run("rpm", "-qRp", package))
        # Folders of the system belong to other packages.
        self.assertFalse({"/usr/share/man/man1", "/usr/share/applications", "/usr/bin"} & set(run("rpm", "-qlp", packages["parallax"]).split("\n")))
        root = self.folder / "root"
        root.mkdir()
        run("sh", "-c", 'rpm2archive - < "$2" | tar -C "$1" -xz', "sh", root, packages["parallax"])
        self.check_programs(root / "usr")


if __name__ == "__main__":
    unittest.main()
