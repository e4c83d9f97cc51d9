# SPDX-License-Identifier: GPL-3.0-or-later
"""Every image file of the test data opens or is rejected with exit code 3 and a message, as its facts say; those that open can be
processed and saved."""
import json
import os
import pathlib
import unittest

from command_line import INPUT, PATIENCE, SUCCESS, CommandLineTest, needs_test_data

FOLDER = pathlib.Path(os.environ.get("PARALLAX_TEST_DATA") or os.environ["PARALLAX_TEST_DATA_DEFAULT"]).resolve()
# Volumes have tests of their own.
IMAGE_KINDS = {"png", "png_bad", "exr", "exr_bad", "exr_deep", "hdr", "img", "img_bad"}


@needs_test_data(FOLDER / "facts.json")
class Files(CommandLineTest):
    def test_every_file_matches_its_facts(self):
        facts = FOLDER / "facts.json"
        opened = refused = 0
        for entry in json.loads(facts.read_text())["entries"]:
            if entry["kind"] not in IMAGE_KINDS:
                continue
            with self.subTest(entry["path"]):
                # Deep data are flattened, which is more than the facts ask for.
                opens = self.check(FOLDER / entry["path"], "open" if entry["kind"] == "exr_deep" else entry["expect"])
                opened += opens
                refused += not opens
        print(f"{opened} files opened, {refused} refused")
        self.assertGreater(opened, 0)

    def check(self, source, expect):
        target = self.path("out.exr")
        target.unlink(missing_ok=True)
        process = self.start("run", "-i", source, "-o", target, "--op", "convolve:size=3", "--backend", "reference")
        _, err = process.communicate(timeout=PATIENCE)
        opens = process.returncode == SUCCESS
        self.assertIn(process.returncode, (SUCCESS, INPUT), err)
        if expect != "open_or_refuse":
            self.assertEqual(opens, expect == "open", err)
        self.assertEqual(target.exists(), opens)
        if not opens:
            self.assertIn(source.name, err)
            self.cli("info", source, code=INPUT)
            return False
        described = self.json("info", source)
        self.assertEqual(described["schema"], "parallax.info")
        return True


if __name__ == "__main__":
    unittest.main()
