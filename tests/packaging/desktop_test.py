# SPDX-License-Identifier: GPL-3.0-or-later
"""Desktop entry, AppStream metadata, MIME types and icons: valid, and in agreement with each other."""
import configparser
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as tree

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGING = ROOT / "packaging"
ID = "io.github.parallax.Parallax"
MIME = "{http://www.freedesktop.org/standards/shared-mime-info}"


def program(name):
    return unittest.skipUnless(shutil.which(name), f"no {name} here")


class Desktop(unittest.TestCase):
    def setUp(self):
        entry = configparser.ConfigParser(interpolation=None, strict=True)
        entry.optionxform = str
        entry.read(PACKAGING / f"{ID}.desktop", encoding="utf-8")
        self.entry = entry
        self.types = set(filter(None, entry["Desktop Entry"]["MimeType"].split(";")))
        self.metadata = tree.parse(PACKAGING / f"{ID}.metainfo.xml").getroot()

    def check(self, *command):
        done = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout + done.stderr

    @program("desktop-file-validate")
    def test_desktop_entry_is_valid(self):
        self.assertEqual(self.check("desktop-file-validate", PACKAGING / f"{ID}.desktop"), "")

    @program("appstreamcli")
    def test_metadata_is_valid(self):
        self.check("appstreamcli", "validate", "--no-net", PACKAGING / f"{ID}.metainfo.xml")

    def test_metadata_has_what_stores_show(self):
        # <developer_name> is deprecated.
        self.assertIsNone(self.metadata.find("developer_name"))
        self.assertTrue(self.metadata.find("developer").get("id"))
        self.assertTrue(self.metadata.findtext("developer/name"))
        self.assertLessEqual({"homepage", "bugtracker", "help"}, {e.get("type") for e in self.metadata.iter("url")})
        self.assertTrue(list(self.metadata.iter("release")))

    @program("update-mime-database")
    def test_mime_package_gives_types_to_names(self):
        with tempfile.TemporaryDirectory() as folder:
            packages = pathlib.Path(folder) / "packages"
            packages.mkdir()
            shutil.copy(PACKAGING / f"{ID}.mime.xml", packages / f"{ID}.xml")
            self.check("update-mime-database", folder)
            globs = dict(reversed(line.split(":")[1:3]) for line in (pathlib.Path(folder) / "globs2").read_text().splitlines() if line[0] != "#")
        for glob, name in (("*.parallax", "application/x-parallax-session"), ("*.nii", "image/x-nifti"), ("*.nii.gz", "image/x-nifti"),
                           ("*.nrrd", "image/x-nrrd"), ("*.nhdr", "image/x-nrrd"), ("*.mha", "image/x-metaimage"), ("*.mhd", "image/x-metaimage")):
            self.assertEqual(globs.get(glob), name)

    def test_entry_metadata_and_mime_package_agree(self):
        self.assertEqual(self.types, {e.text for e in self.metadata.iter("mediatype")})
        own = {e.get("type") for e in tree.parse(PACKAGING / f"{ID}.mime.xml").getroot().iter(MIME + "mime-type")}
        self.assertLessEqual(own, self.types)
        self.assertLessEqual({"image/webp", "application/dicom", "image/x-exr"}, self.types)
        main = self.entry["Desktop Entry"]
        self.assertEqual((main["StartupWMClass"], main["Icon"], self.metadata.findtext("id")), (ID, ID, ID))
        for action in filter(None, main["Actions"].split(";")):
            self.assertTrue(self.entry[f"Desktop Action {action}"]["Exec"].startswith("parallax"))

    def test_screenshots_exist_in_the_manual(self):
        images = [e.text for e in self.metadata.iter("image")]
        self.assertGreaterEqual(len(images), 3)
        for image in images:
            self.assertTrue((ROOT / "resources/manual/pictures" / image.rsplit("/", 1)[1]).is_file(), image)

    def test_nothing_connects_to_a_network(self):
        self.assertEqual([e.text for e in self.metadata.iter("internet")], ["offline-only"])
        sources = [p for folder in ("core", "gpu", "ui", "app") for p in (ROOT / folder).rglob("*") if p.suffix in (".cpp", ".hpp", ".cu", ".txt")]
        self.assertGreater(len(sources), 500)
        for source in sources:
            self.assertNotRegex(source.read_text(encoding="utf-8"), r"AF_INET|getaddrinfo|QTcpSocket|QUdpSocket|QNetworkAccess|Qt6::Network|curl_easy", source)

    def test_every_icon_is_installed(self):
        installed = (PACKAGING / "CMakeLists.txt").read_text()
        sizes = re.search(r"foreach\(size ([\d ]+)\)", installed)[1].split()
        icons = {p.name for p in (ROOT / "resources/icons").glob(f"{ID}*")}
        self.assertEqual(icons, {f"{ID}-{s}.png" for s in sizes} | {f"{ID}.svg", f"{ID}-symbolic.svg"})
        self.assertIn("512", sizes)
        self.assertIn("-symbolic.svg", installed)


if __name__ == "__main__":
    unittest.main()
