# SPDX-License-Identifier: GPL-3.0-or-later
"""A build that is installed, by cmake --install or as a package of RPM, runs from where it lies."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

BUILD = pathlib.Path(os.environ["PARALLAX_BUILD"])


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
