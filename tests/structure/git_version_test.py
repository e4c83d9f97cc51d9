# SPDX-License-Identifier: GPL-3.0-or-later
"""The version that a build carries: of the repository, of an archive, or unknown; the header changes only when the version does.
Usage: git_version_test.py CMAKE SOURCE_DIR"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

CMAKE, SOURCE = sys.argv[1:3]
SCRIPT = pathlib.Path(SOURCE) / "core" / "cmake" / "git_version.cmake"
GIT = shutil.which("git") or ""
# Neither a hook, which names its repository to all that it starts, nor the person's settings, as to sign each commit, matter here.
for name in [n for n in os.environ if n.startswith("GIT_")]:
    del os.environ[name]
os.environ.update(GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_NOSYSTEM="1")


class GitVersion(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="parallax_git_")).resolve()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.source = self.folder / "source"
        (self.source / "core" / "cmake").mkdir(parents=True)
        self.header = self.folder / "git_version.hpp"

    def version(self, given="", git=GIT):
        subprocess.run([CMAKE, f"-DSOURCE_DIR={self.source}", f"-DGIT={git}", f"-DVERSION={given}", f"-DOUTPUT={self.header}", "-P", SCRIPT],
                       check=True)
        text = self.header.read_text()
        return text.split('"')[1]

    def git(self, *arguments, cwd=None):
        subprocess.run([GIT, "-c", "user.name=n", "-c", "user.email=e@e", *arguments], cwd=cwd or self.source, check=True, stdout=subprocess.DEVNULL)

    def commit(self, where=None):
        self.git("add", "-A", cwd=where)
        self.git("commit", "-q", "-m", "m", cwd=where)

    def test_without_a_repository(self):
        self.assertEqual(self.version(), "unknown")
        self.assertEqual(self.version(git=""), "unknown")
        archived = self.source / "core" / "cmake" / "git_archive.txt"
        archived.write_text("$Format:%(describe)$\n")
        self.assertEqual(self.version(git=""), "unknown")
        archived.write_text("v1.2-3-gabcdef\n")
        self.assertEqual(self.version(git=""), "v1.2-3-gabcdef")
        self.assertEqual(self.version(given="1.2-debian1"), "1.2-debian1")
        self.assertEqual(self.version(given='a"b\\c'), "a_b_c")

    def test_an_unchanged_version_leaves_the_header_alone(self):
        self.version(given="1")
        os.utime(self.header, (1000, 1000))
        self.version(given="1")
        self.assertEqual(self.header.stat().st_mtime, 1000)
        self.version(given="2")
        self.assertNotEqual(self.header.stat().st_mtime, 1000)

    @unittest.skipUnless(GIT, "git is not installed")
    def test_a_repository(self):
        self.git("init", "-q")
        (self.source / "file").write_text("one")
        self.commit()
        self.git("tag", "v1")
        self.assertEqual(self.version(), "v1")
        (self.source / "file").write_text("two")
        self.assertEqual(self.version(), "v1-dirty")
        self.commit()
        self.assertRegex(self.version(), "^v1-1-g[0-9a-f]+$")

    @unittest.skipUnless(GIT, "git is not installed")
    def test_somebody_elses_repository_does_not_count(self):
        self.git("init", "-q", cwd=self.folder)
        (self.folder / "file").write_text("one")
        self.commit(self.folder)
        self.assertEqual(self.version(), "unknown")

    @unittest.skipUnless(GIT, "git is not installed")
    def test_an_archive_carries_its_version(self):
        self.git("init", "-q")
        shutil.copy(pathlib.Path(SOURCE) / ".gitattributes", self.source)
        shutil.copy(pathlib.Path(SOURCE) / "core" / "cmake" / "git_archive.txt", self.source / "core" / "cmake")
        self.commit()
        self.git("tag", "v7")
        unpacked = self.folder / "unpacked"
        unpacked.mkdir()
        archive = subprocess.run([GIT, "archive", "HEAD"], cwd=self.source, check=True, capture_output=True).stdout
        subprocess.run(["tar", "-x"], cwd=unpacked, input=archive, check=True)
        self.source = unpacked
        answer = self.version()
        if answer == "unknown":
            self.skipTest("this git is too old to describe in archives (2.32)")
        self.assertEqual(answer, "v7")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
