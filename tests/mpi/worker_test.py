# SPDX-License-Identifier: GPL-3.0-or-later
"""parallax-worker under mpirun: the bytes, errors and exit codes of parallax-cli, and the end of a job in every way."""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
from command_line import (INPUT, MEMORY, OUTPUT, PATIENCE, SAME, SUCCESS, UNAVAILABLE, USAGE, CommandLineTest)  # noqa: E402

LAUNCHER = os.environ.get("PARALLAX_MPIEXEC", "mpirun")
WORKER = os.environ.get("PARALLAX_WORKER", "parallax-worker")
SAMPLE = pathlib.Path(__file__).resolve().parents[2] / "resources" / "samples" / "atrium.exr"
# Takes minutes: thousands of steps of conjugate gradients.
LONG = ["-i", "synthetic:noise:1500x1500", "--op", "poisson", "--backend", "openmp.cg"]


class WorkerTest(CommandLineTest):
    def launch(self, ranks, *arguments, others=None):
        """Starts ranks; `others`: what starts all but rank 0, if not the same command."""
        command = [WORKER, *map(str, arguments)]
        if others:
            command += [":", "-n", str(ranks - 1), *others, *command]
            ranks = 1
        command = [LAUNCHER, "--oversubscribe", "-n", str(ranks), *command]
        return subprocess.Popen(command, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def worker(self, ranks, *arguments, code=SUCCESS, **options):
        process = self.launch(ranks, *arguments, **options)
        out, err = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, code, f"{ranks} ranks: {' '.join(map(str, arguments))}\nstdout: {out}\nstderr: {err}")
        return out, err

    def assert_same(self, name, input, steps, ranks, backend="openmp", options=(), at_once=None):
        """The file that ranks write has the bytes of parallax-cli. `at_once`: its backend."""
        arguments = ["run", "-i", input, *steps, "--force"]
        self.cli(*arguments, "-o", f"cli-{name}", "--backend", at_once or backend)
        expected = self.path(f"cli-{name}").read_bytes()
        for count in ranks:
            self.worker(count, *arguments, "-o", name, "--backend", backend, *options)
            self.assertEqual(self.path(name).read_bytes(), expected, f"{name} on {count} ranks")


class Run(WorkerTest):
    def setUp(self):
        super().setUp()
        self.need("openmp")

    def test_writes_the_bytes_of_the_command_line(self):
        steps = ["--op", "convolve:size=7", "--op", "tonemap"]
        self.assert_same("image.exr", SAMPLE, steps, [1, 4])
        self.assert_same("blocking.png", SAMPLE, steps, [3], "openmp+blocking", options=["--threads", "2"], at_once="openmp")

    def test_divides_volumes_in_slices(self):
        self.assert_same("volume.nii", "synthetic:shepp-logan:40x30x9", ["--op", "wavelet-denoise", "--op", "convolve:size=3"], [4])

    def test_computes_with_more_ranks_than_rows(self):
        self.assert_same("thin.exr", "synthetic:noise:50x3", ["--op", "convolve:size=9,border=wrap"], [5])

    def test_changes_sizes_between_steps(self):
        self.assert_same("round.exr", "synthetic:zone-plate:61x47", ["--op", "dwt:levels=2", "--op", "idwt"], [3])

    def test_adds_sums_in_the_order_of_ranks(self):
        self.assert_same("solved.exr", "synthetic:noise:60x50", ["--op", "poisson"], [3], "openmp.cg", at_once="openmp.cg@3")
        fireflies = ["--op", "fill:missing=fireflies,factor=1.5"]
        self.assert_same("filled.exr", "synthetic:noise:60x50", fireflies, [3], "openmp.multigrid", at_once="openmp.multigrid@3")
        self.assert_same("gaps.nii", "synthetic:noise:20x16x5", ["--op", "fill:missing=above,threshold=0.6"], [4], "openmp.cg")

    def test_transforms_the_tiles_of_each_rank(self):
        # Tiles depend on the threads of a process.
        arguments = ["run", "-i", "synthetic:noise:90x70", "--op", "convolve:kernel=gaussian,size=31,border=wrap", "--backend", "openmp.fft"]
        self.cli(*arguments, "-o", "whole.exr")
        self.worker(3, *arguments, "-o", "ranks.exr")
        self.assertLess(self.json("diff", "whole.exr", "ranks.exr")["max_abs"], 1e-6)

    def test_reports_all_ranks(self):
        out, _ = self.worker(3, "run", "-i", SAMPLE, "-o", "out.exr", "--op", "convolve", "--backend", "openmp", "--threads", "2", "--json")
        run = json.loads(out)
        self.assertEqual(run["label"], "openmp@3")
        self.assertEqual(run["threads"], 6)
        self.assertEqual(len(run["ranks"]["hosts"]), 3)
        for stage in ("load", "compute", "exchange", "encode"):
            self.assertIn(stage, run["stages_ns"])

    def test_uses_as_many_ranks_as_the_backend_names(self):
        out, _ = self.worker(3, "run", "-i", SAMPLE, "-o", "out.exr", "--op", "convolve", "--backend", "openmp@2", "--json")
        self.assertEqual(json.loads(out)["label"], "openmp@2")


    def test_measures_ranks_beside_one(self):
        with unittest.mock.patch.dict(os.environ, PARALLAX_SAMPLING_SECONDS="0.05"):
            self.worker(2, "bench", "--effort", "quick", "-i", "synthetic:noise:300x200", "--op", "convolve:size=5",
                        "--backend", "openmp.direct@1", "--backend", "openmp.direct", "--backend", "openmp.direct+blocking", "--report",
                        "ranks.json")
        record = json.loads(self.path("ranks.json").read_text())
        self.assertTrue(record["command"].startswith("mpirun -n 2 parallax-worker bench "), record["command"])
        self.assertEqual([(e["label"], e["verification"]) for e in record["entries"]],
                         [("openmp.direct", "agrees"), ("openmp.direct@2", "agrees"), ("openmp.direct+blocking@2", "agrees")])
        self.assertRegex(record["machine"]["host"], r"^\S+ \(2 ranks\)$")
        self.assertNotIn("hosts", record["entries"][0])
        for entry in record["entries"][1:]:
            self.assert_hosts(entry, 2)
            self.assertEqual(len(entry["traffic"]["part_times"]), 2)
            self.assertGreater(entry["traffic"]["bytes"], 0)
        links = [c["level"] for c in record["machine"]["ceilings"] if c["name"] == "ranks"]
        self.assertEqual(sorted(links), ["bandwidth", "latency", "reduction"])

    def test_predicts_more_ranks_from_the_measured_link(self):
        with unittest.mock.patch.dict(os.environ, PARALLAX_SAMPLING_SECONDS="0.05"):
            out, _ = self.worker(4, "bench", "--effort", "quick", "-i", "synthetic:noise:300x200", "--op", "convolve:size=5",
                                 "--backend", "openmp.direct", "--sweep", "parts=1,2,4", "--report", "sweep.md")
        report = self.path("sweep.md").read_text()
        self.assertRegex(report, r"openmp\.direct, predicted by the cost model \(dashed\): 16 parts .*It deviates from|No measured point")
        self.assertRegex(out, r"openmp\.direct@4: 4 ranks on .*; compute of the slowest part .*, imbalance .*, longest exchange .* received in ")


class Files(WorkerTest):
    """Each rank reads the rows of its part, and no rank has the whole image."""

    def setUp(self):
        super().setUp()
        self.need("openmp")

    def test_reads_and_writes_volumes_in_parts(self):
        self.cli("run", "-i", "synthetic:shepp-logan:40x30x9", "-o", "in.raw", "--op", "convolve:size=3", "--backend", "openmp")
        samples = self.path("in.raw").read_bytes()
        self.path("in.mha").write_bytes(b"ObjectType = Image\nNDims = 3\nDimSize = 40 30 9\nElementType = MET_FLOAT\n"
                                        b"ElementSpacing = 1 1 2\nElementDataFile = LOCAL\n" + samples)
        self.path("in.nrrd").write_bytes(b"NRRD0004\ntype: float\ndimension: 3\nsizes: 40 30 9\nendian: little\nencoding: raw\n\n" + samples)
        self.path("in.bin").write_bytes(b"head" + samples)
        self.cli("run", "-i", "in.mha", "-o", "in.nii", "--op", "convolve:size=3", "--backend", "openmp")
        for name, input in [("a.raw", "in.raw"), ("b.nii", "in.mha"), ("c.nii", "in.nrrd"), ("d.raw", "in.nii"), ("e.nii.gz", "in.nii"),
                            ("f.raw", "raw:40x30x9,offset=4:in.bin")]:
            self.assert_same(name, input, ["--op", "wavelet-denoise"], [4])

    def test_reads_images_in_parts(self):
        for name, input in [("a.exr", "synthetic:gradient:50x41,channels=4"), ("b.pfm", "synthetic:checker:50x41,channels=3"),
                            ("c.exr", "synthetic:shepp-logan:30x29"), ("d.nii", "synthetic:impulse:33x31")]:
            self.assert_same(name, input, ["--op", "convolve:size=5"], [3])

    def test_hands_out_rows_of_png_and_tiff(self):
        """Rank 0 decodes rows and sends them; it reads interlaced and turned pictures as a whole."""
        grey, colours, clear = "gradient:50x41", "checker:50x41,channels=3", "noise:50x41,channels=4"
        inputs = []
        for kind, depth, extension in [(grey, 8, "png"), (colours, 16, "png"), (clear, 8, "png"), (grey, "float", "tif"), (colours, 8, "tif"),
                                       (clear, 16, "tif")]:
            name = f"in{len(inputs)}.{extension}"
            self.cli("run", "-i", f"synthetic:{kind}", "-o", name, "--depth", depth, *SAME, "--backend", "openmp")
            inputs.append(name)
        made = pathlib.Path(__file__).resolve().parents[1] / "io" / "files"
        inputs += [made / name for name in ("png_palette_8.png", "png_grey_1.png", "png_rgb_8_interlaced.png", "png_exif_before.png",
                                            "tiff_planes_16.tif", "tiff_packed_12.tif", "tiff_turned_8.tif")]
        for i, input in enumerate(inputs):
            self.assert_same(f"{i}.exr", input, ["--op", "convolve:size=5"], [3] if i else [1, 3, 7])
        self.assert_same("more.nii", inputs[0], ["--op", "convolve:size=1,kernel=box"], [3])

    def test_needs_png_and_tiff_on_the_first_machine_only(self):
        other, _ = self.elsewhere()
        for input in ("in.png", "in.tif"):
            self.cli("run", "-i", SAMPLE, "-o", input, *SAME, "--backend", "openmp")
            self.worker(3, "run", "-i", input, "-o", "out.exr", "--op", "convolve", "--backend", "openmp", "--force", others=other)
        damaged = self.path("in.png").read_bytes()
        self.path("in.png").write_bytes(damaged[:len(damaged) // 2])
        _, err = self.worker(3, "run", "-i", "in.png", "-o", "never.exr", "--op", "convolve", "--backend", "openmp", code=INPUT, others=other)
        self.assertIn("it is damaged", err)
        self.assertNotIn("never.exr", self.leftovers())

    def test_no_rank_holds_the_whole_of_a_png_or_tiff(self):
        size, limit = (6000, 4000), 200  # 275 MiB of samples, 138 of a part and its result
        for input in ("in.png", "in.tif"):
            self.cli("run", "-i", f"synthetic:gradient:{size[0]}x{size[1]},channels=3", "-o", input, *SAME, "--backend", "openmp")
            steps = ["--op", "convolve:kernel=box,size=5"]
            self.cli("run", "-i", input, *steps, "-o", "cli.exr", "--backend", "openmp", "--force")
            out, _ = self.worker(4, "run", "-i", input, *steps, "-o", "out.exr", "--backend", "openmp", "--memory-limit", limit,
                                 "--threads", "1", "--json", "--force")
            self.assertEqual(self.path("out.exr").read_bytes(), self.path("cli.exr").read_bytes())
            peak = json.loads(out)["ranks"]["peak_bytes"]
            self.assertLess(peak, limit << 20)
            self.assertLess(peak, size[0] * size[1] * 3 * 4)

    def test_keeps_small_integers(self):
        stored = b"".join(value.to_bytes(2, "little", signed=True) for value in range(-600, 600))
        self.path("in.mha").write_bytes(b"ObjectType = Image\nNDims = 3\nDimSize = 10 20 6\nElementType = MET_SHORT\n"
                                        b"ElementDataFile = LOCAL\n" + stored)
        self.assert_same("integers.nii", "in.mha", ["--op", "convolve:size=1,kernel=box"], [4])
        self.assertLess(self.path("integers.nii").stat().st_size, 3000)

    def test_streams_what_is_larger_than_the_memory_of_all_ranks(self):
        # MiB of memory, and rows of 8,000 samples: 800 MB for four ranks of 300 MB if asked for.
        limit, rows = (286, 25000) if os.environ.get("PARALLAX_LARGE_TESTS") else (100, 7000)
        self.cli("run", "-i", f"synthetic:gradient:8000x{rows}", "-o", "in.exr", "--op", "convolve:kernel=box,size=1", "--backend", "openmp")
        steps = ["--op", "convolve:kernel=box,size=5"]
        self.cli("run", "-i", "in.exr", *steps, "-o", "cli.exr", "--backend", "openmp")
        out, _ = self.worker(4, "run", "-i", "in.exr", *steps, "-o", "out.exr", "--backend", "openmp", "--memory-limit", limit,
                             "--threads", "1", "--json")
        self.assertEqual(self.path("out.exr").read_bytes(), self.path("cli.exr").read_bytes())
        run = json.loads(out)
        self.assertGreater(run["strips"]["count"], 4)
        self.assertLess(run["ranks"]["peak_bytes"], limit << 20)

    def test_refuses_what_cannot_be_streamed(self):
        _, err = self.worker(2, "run", "-i", "synthetic:gradient:4000x4000", "-o", "out.exr", "--op", "convolve", "--backend", "openmp",
                             "--memory-limit", "20", code=MEMORY)
        self.assertIn("a part of image and result needs", err)
        self.assertEqual(self.leftovers(), [])

    def elsewhere(self):
        """Starts the other ranks in another folder, as on another machine. Returns the command and the folder."""
        folder = self.path("elsewhere")
        folder.mkdir(exist_ok=True)
        return ["bash", "-c", f'cd "{folder}" && exec "$@"', "bash"], folder

    def test_names_a_rank_that_has_another_file(self):
        self.cli("run", "-i", SAMPLE, "-o", "in.exr", "--op", "convolve", "--backend", "openmp")
        other, folder = self.elsewhere()
        whole = self.path("in.exr").read_bytes()
        for content, reason in [(None, "does not exist"), (whole[:len(whole) // 2], "another file than that of rank 0"),
                                (whole[:300], ""), (whole[:len(whole) // 2] + bytes(len(whole) - len(whole) // 2), "")]:
            if content is not None:
                folder.joinpath("in.exr").write_bytes(content)
            _, err = self.worker(3, "run", "-i", "in.exr", "-o", "out.exr", "--op", "convolve", "--backend", "openmp", code=INPUT,
                                 others=other)
            self.assertRegex(err, rf"(?m)^parallax-worker: .*'in.exr'.*{reason}.*; rank [12] on \S+")
            self.assertEqual(err.count("parallax-worker: "), 1, err)
            self.assertFalse(self.path("out.exr").exists())

    def test_writes_through_rank_0_where_ranks_do_not_see_its_folder(self):
        self.cli("run", "-i", "synthetic:noise:20x10x7", "-o", "cli.nii", "--op", "convolve:size=3", "--backend", "openmp")
        other, folder = self.elsewhere()
        self.worker(3, "run", "-i", "synthetic:noise:20x10x7", "-o", "out.nii", "--op", "convolve:size=3", "--backend", "openmp", others=other)
        self.assertEqual(self.path("out.nii").read_bytes(), self.path("cli.nii").read_bytes())
        self.assertEqual(list(folder.iterdir()), [])


class Errors(WorkerTest):
    def test_prints_one_message_and_ends_with_its_code(self):
        self.path("there.exr").write_bytes(b"")
        for code, part, arguments in [
                (INPUT, "Cannot open 'missing.exr'", ["-i", "missing.exr", "-o", "out.exr", "--op", "convolve"]),
                (OUTPUT, "there.exr", ["-i", SAMPLE, "-o", "there.exr", "--op", "convolve"]),
                (USAGE, "no operation 'blur'", ["-i", SAMPLE, "-o", "out.exr", "--op", "blur"]),
                (USAGE, "a single rank exchanges nothing",
                 ["-i", SAMPLE, "-o", "out.exr", "--op", "convolve", "--backend", "openmp+blocking@1"]),
                (UNAVAILABLE, ". Use parallax-cli", ["-i", SAMPLE, "-o", "out.exr", "--op", "convolve", "--backend", "opencv"]),
                (UNAVAILABLE, "mpirun -n 5", ["-i", SAMPLE, "-o", "out.exr", "--op", "convolve", "--backend", "reference@5"])]:
            if "opencv" in arguments and not self.available("opencv"):
                continue
            _, err = self.worker(3, "run", *arguments, code=code)
            messages = [line for line in err.splitlines() if line.startswith("parallax-worker: ")]
            self.assertEqual(len(messages), 1, err)
            self.assertIn(part, messages[0])
            self.assertEqual(self.leftovers(), ["there.exr"])

    def test_names_the_rank_that_failed(self):
        self.need("openmp")
        if "sanitizers" in self.cli("--version")[0]:
            self.skipTest("sanitizers need more address space than the limit")
        # Rank 1 gets less memory than its part needs.
        limited = ["bash", "-c", 'ulimit -v 500000 && exec "$@"', "bash"]
        _, err = self.worker(2, "run", "-i", "synthetic:noise:6000x6000,channels=3", "-o", "out.exr", "--op", "convolve:size=3",
                             "--backend", "openmp", code=MEMORY, others=limited)
        self.assertRegex(err, r"(?m)^parallax-worker: Not enough memory: .*; rank 1 on \S+\. ")
        self.assertEqual(err.count("parallax-worker: "), 1, err)
        self.assertEqual(self.leftovers(), [])

    def test_names_a_rank_of_another_build(self):
        library = pathlib.Path(WORKER).resolve().parents[1] / "lib" / "libparallax_core.so.0"
        code = library.read_bytes()
        other = re.sub(rb"\d(\.\d+\.\d+/\w+-\d)", rb"x\1", code)  # the stamp
        self.assertNotEqual(other, code)
        self.path("lib").mkdir()
        self.path("lib").joinpath(library.name).write_bytes(other)
        _, err = self.worker(3, "run", "-i", SAMPLE, "-o", "out.exr", "--op", "convolve", code=UNAVAILABLE,
                             others=["env", f"LD_LIBRARY_PATH={self.path('lib')}"])
        self.assertRegex(err, r"(?m)^parallax-worker: The ranks are of different builds: parallax-worker of rank 1 on \S+ is not that of rank 0")
        self.assertEqual(err.count("parallax-worker: "), 1, err)

    def test_names_the_version_once(self):
        out, _ = self.worker(3, "--version")
        self.assertEqual(out.count("parallax-worker "), 1, out)


class Ends(WorkerTest):
    RUN = LONG

    def start_long_run(self):
        """Returns the launcher and the ids of its ranks, once they compute."""
        process = self.launch(4, "run", *self.RUN, "-o", "never.exr")
        self.addCleanup(process.kill)
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            ranks = [int(p) for p in pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()]
            if len(ranks) == 4 and all(self.seconds(rank) > 0.3 for rank in ranks):
                return process, ranks
            self.assertIsNone(process.poll(), "the run ended too early")
            time.sleep(0.05)
        self.fail("the ranks do not compute")

    @staticmethod
    def seconds(pid):
        """Time that a process has computed; -1 once it has ended."""
        try:
            fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return -1
        return -1 if fields[0] == "Z" else (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self, send, limit):
        """Ends a long run by a signal; checks that all of it ends soon and leaves no file. Returns stderr."""
        texts = []

        def attempt():
            process, ranks = self.start_long_run()
            begin = time.monotonic()
            send(process, ranks)
            texts.append(process.communicate(timeout=PATIENCE)[1])
            self.assertNotEqual(process.returncode, SUCCESS)
            while any(self.seconds(rank) >= 0 for rank in ranks):
                self.assertLess(time.monotonic() - begin, PATIENCE, "a rank was left behind")
                time.sleep(0.02)
            took = time.monotonic() - begin
            self.assertEqual(self.leftovers(), [])
            return took

        self.promptly(limit, attempt, attempts=3)
        return texts[-1]

    def test_a_killed_rank_ends_the_job_and_is_named(self):
        for rank in (0, 2):
            err = self.end(lambda _, ranks, r=rank: os.kill(ranks[r], signal.SIGKILL), limit=2)
            self.assertRegex(err, rf"(?m)^parallax-worker: A rank has ended unexpectedly: rank {rank} on \S+ was killed")
            self.assertEqual(err.count("parallax-worker: "), 1, err)

    def test_ranks_do_not_outlive_the_launcher(self):
        self.end(lambda process, _: process.kill(), limit=2)

    def test_an_interrupt_ends_all_ranks(self):
        err = self.end(lambda process, _: process.send_signal(signal.SIGINT), limit=2)
        self.assertIn("parallax-worker: Cancelled", err)


if __name__ == "__main__":
    unittest.main()
