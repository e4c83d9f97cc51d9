# SPDX-License-Identifier: GPL-3.0-or-later
"""HTML and PDF reports with their pictures, and CSV."""
import base64
import csv
import html.parser
import io
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import unittest
import zlib

from command_line import BLUR, OUTPUT, PATIENCE, SUCCESS, USAGE, CommandLineTest, write_png


class Page(html.parser.HTMLParser):
    """Collects references, images and texts of a page; every element must be closed in order."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.images, self.references, self.texts, self.svgs = [], [], [], [], 0
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        self.handle_startendtag(tag, attributes)
        if tag not in ("meta", "br", "img"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.svgs += tag == "svg"
        for name, value in attributes:
            if name in ("src", "href", "srcset", "data", "action", "poster"):
                self.references.append(value)
        if tag == "img":
            self.images.append(dict(attributes))

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, (tag, self.open)
        self.open.pop()

    def handle_data(self, data):
        self.texts.append(data)


def png_size(data):
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    at, size, names = 8, None, []
    while at < len(data):
        length = int.from_bytes(data[at:at + 4], "big")
        name, body = data[at + 4:at + 8], data[at + 8:at + 8 + length]
        assert zlib.crc32(name + body) == int.from_bytes(data[at + 8 + length:at + 12 + length], "big")
        if name == b"IHDR":
            size = int.from_bytes(body[:4], "big"), int.from_bytes(body[4:8], "big")
        names.append(name)
        at += 12 + length
    assert names[-1] == b"IEND"
    return size


class Pages(CommandLineTest):
    def setUp(self):
        super().setUp()
        write_png(self.path("patient.png"), 300, 40, lambda x, y: (x % 256, 6 * y, 128))

    def page(self, name):
        text = self.path(name).read_text()
        self.assertNotRegex(text, r"https?:|@import|url\(|<script|<link|<iframe|<object")
        page = Page(text)
        for reference in page.references:
            self.assertTrue(reference.startswith("data:image/png;base64,"), reference[:80])
        return page

    def test_page_embeds_pictures(self):
        self.bench_quick("-i", "patient.png", *BLUR, "--backend", "reference", "--backend", "openmp.scalar", "--report", "a.html", "--report", "a.json")
        page = self.page("a.html")
        done = sum(e["status"] == "done" for e in json.loads(self.path("a.json").read_text())["entries"])
        # The input, each result, and a difference for each but the reference.
        self.assertEqual(len(page.images), 2 * done)
        for image in page.images:
            self.assertTrue(image["alt"])
            self.assertEqual(png_size(base64.b64decode(image["src"].split(",")[1], validate=True)), (150, 20))
        self.assertGreaterEqual(page.svgs, 3 if done > 1 else 2)
        text = " ".join(page.texts)
        for word in ("Machine and build", "patient.png", "--backend openmp.scalar", "core", "Release"):
            self.assertIn(word, text)
        # The record has no pictures.
        self.assertNotIn("base64", self.path("a.json").read_text())
        self.cli("report", "a.json", "-o", "b.html")
        self.assertEqual(self.page("b.html").images, [])

    def test_redacted_reports_have_no_pictures(self):
        reports = ["--report", "a.html"] + (["--report", "a.pdf"] if self.pdf_is_made() else [])
        self.bench_quick("-i", "patient.png", *BLUR, "--backend", "reference", *reports, "--redact")
        page = self.page("a.html")
        self.assertEqual(page.images, [])
        self.assertNotIn("patient", self.path("a.html").read_text())
        if self.pdf_is_made():
            self.assertNotIn(b"/Subtype /Image", self.path("a.pdf").read_bytes())

    def test_sweep_has_line_charts(self):
        self.bench_quick("-i", "synthetic:noise:16x16", *BLUR, "--backend", "reference", "--sweep", "size=16,32,64", "--report", "s.html", "--report", "s.json")
        page = self.page("s.html")
        text = " ".join(page.texts)
        for word in ("Sweep", "Width and height, pixels", "Same machine, build and command"):
            self.assertIn(word, text)
        self.assertEqual(len(page.images), 6)  # three inputs, three results
        self.cli("report", "s.json", "-o", "again.html")
        self.assertIn("Width and height", self.path("again.html").read_text())

    def test_repeated_measurement_has_pictures(self):
        self.bench_quick("-i", "patient.png", *BLUR, "--backend", "reference", "--report", "a.json")
        self.cli("bench", "--from", "a.json", "--report", "b.html")
        self.assertEqual(len(self.page("b.html").images), 2)

    pdf = None

    def pdf_is_made(self):
        if Pages.pdf is None:  # once for all tests
            self.bench_quick("-i", "synthetic:noise:8x8", *BLUR, "--backend", "reference", "--report", "probe.json")
            process = self.start("report", "probe.json", "-o", "probe.pdf")
            _, err = process.communicate(timeout=PATIENCE)
            if process.returncode == USAGE:
                self.assertIn("cairo", err)
            else:
                self.assertEqual(process.returncode, SUCCESS, err)
            Pages.pdf = process.returncode == SUCCESS
        return Pages.pdf

    def test_pdf(self):
        if not self.pdf_is_made():
            self.skipTest("built without cairo")
        self.bench_quick("-i", "patient.png", *BLUR, "--backend", "reference", "--backend", "openmp.scalar", "--report", "a.pdf")
        data = self.path("a.pdf").read_bytes()
        self.assertTrue(data.startswith(b"%PDF-1."))
        self.assertTrue(data.rstrip().endswith(b"%%EOF"))
        # The file ends with the position of its cross-reference table or stream.
        start = int(re.search(rb"startxref\s+(\d+)\s+%%EOF\s*$", data).group(1))
        self.assertTrue(data[start:start + 4] == b"xref" or re.match(rb"\d+ \d+ obj", data[start:start + 20]))
        self.assertIn(b"/Subtype /Image", data)
        self.assertIn(b"/FontFile", data)  # embedded fonts
        if shutil.which("qpdf"):
            subprocess.run(["qpdf", "--check", self.path("a.pdf")], check=True, stdout=subprocess.DEVNULL)
        if shutil.which("pdftotext"):
            text = subprocess.run(["pdftotext", "-layout", self.path("a.pdf"), "-"], check=True, capture_output=True, text=True).stdout
            for word in ("Parallax report", "reference", "baseline", "Machine and build", "Reproduce", "page 1 of"):
                self.assertIn(word, text)

    @unittest.skipUnless(shutil.which("pdftotext"), "no pdftotext here")
    def test_the_heading_of_charts_is_on_their_page(self):
        if not self.pdf_is_made():
            self.skipTest("built without cairo")
        self.bench_quick("-i", "synthetic:noise:16x16", *BLUR, "--backend", "reference", "--report", "s.json")
        record = json.loads(self.path("s.json").read_text())
        record["machine"]["ceilings"] = [{"name": name, "level": level, "threads": 1, "value": 50, "unit": unit, "bytes": 0}
                                         for name, level, unit in (("fma", "scalar", "GFLOP/s"), ("triad", "memory", "GB/s"))]
        for lines in range(0, 48, 6):  # the charts begin at another height
            self.path("t.json").write_text(json.dumps(record | {"command": " ".join([record["command"]] + lines * [80 * "x"])}))
            self.cli("report", "t.json", "-o", "t.pdf", "--force")
            text = subprocess.run(["pdftotext", self.path("t.pdf"), "-"], check=True, capture_output=True, text=True).stdout
            pages = [page for page in text.split("\f") if re.search("^Roofline$", page, re.M)]
            self.assertEqual(len(pages), 1, text)
            self.assertIn("Roofline: operations a second", pages[0])

    def test_pdf_of_a_sweep_from_json(self):
        if not self.pdf_is_made():
            self.skipTest("built without cairo")
        self.bench_quick("-i", "synthetic:noise:16x16", *BLUR, "--backend", "reference", "--sweep", "convolve.size=3,5,7", "--report", "s.json")
        self.cli("report", "s.json", "-o", "s.pdf")
        self.cli("report", "s.json", "-o", "s.pdf", code=OUTPUT)
        if shutil.which("pdftotext"):
            text = subprocess.run(["pdftotext", self.path("s.pdf"), "-"], check=True, capture_output=True, text=True).stdout
            self.assertIn("convolve.size", text)

    def test_csv_follows_the_standard(self):
        self.bench_quick("-i", "synthetic:noise:16x16", "--op", "convolve:kernel=custom,weights='0 1 0; 1 -4 1; 0 1 0'", "--backend", "reference",
                         "--report", "a.csv", "--report", "a.json")
        raw = self.path("a.csv").read_bytes()
        self.assertEqual(raw.count(b"\n"), raw.count(b"\r\n"))
        self.assertTrue(raw.endswith(b"\r\n"))
        rows = list(csv.reader(io.StringIO(raw.decode(), newline=""), strict=True))
        self.assertEqual({len(r) for r in rows}, {len(rows[0])})
        samples = json.loads(self.path("a.json").read_text())["entries"][0]["samples_ns"]
        column = rows[0].index("compute_ns"), rows[0].index("kind")
        self.assertEqual([int(r[column[0]]) for r in rows[1:] if r[column[1]] == "sample"], [s["compute"] for s in samples])

    def test_full_disk_keeps_the_old_file(self):
        self.bench_quick("-i", "synthetic:noise:16x16", *BLUR, "--backend", "reference", "--report", "a.json")

        def no_room():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300))

        for name in ("r.html", "r.json", "r.csv", "r.md") + (("r.pdf",) if self.pdf_is_made() else ()):
            self.path(name).write_text("precious")
            before = self.leftovers()
            _, err = self.cli("report", "a.json", "-o", name, "--force", code=OUTPUT, preexec_fn=no_room)
            self.assertIn("Cannot write", err)
            self.assertEqual(self.path(name).read_text(), "precious")
            self.assertEqual(self.leftovers(), before)
        os.symlink("/dev/full", self.path("full.html"))
        self.cli("report", "a.json", "-o", "full.html", "--force", code=OUTPUT)


if __name__ == "__main__":
    unittest.main()
