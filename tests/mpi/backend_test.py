# SPDX-License-Identifier: GPL-3.0-or-later
"""The backend `mpi` of parallax-cli and the window: results, errors, and jobs that lose a process in every phase."""
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
from command_line import (FAILED, INTERRUPTED, PATIENCE, PROGRAM, SUCCESS, UNAVAILABLE, USAGE, CommandLineTest)  # noqa: E402

WINDOW = os.environ.get("PARALLAX_WINDOW", "")
WORKER = os.environ.get("PARALLAX_WORKER", "parallax-worker")
SAMPLE = pathlib.Path(__file__).resolve().parents[2] / "resources" / "samples" / "atrium.exr"
# Takes minutes: thousands of steps of conjugate gradients.
LONG = ["-i", "synthetic:noise:1500x1500", "--op", "poisson"]
TICKS = os.sysconf("SC_CLK_TCK")


def seconds(pid):
    """Time that a process has computed; -1 once it has ended."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return -1
    return -1 if fields[0] == "Z" else (int(fields[11]) + int(fields[12])) / TICKS


def children(pid):
    found = []
    try:
        for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
            found += map(int, (task / "children").read_text().split())
    except OSError:
        pass
    return found


def command_of(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")
    except OSError:
        return []


class Job:
    """The processes of a job whose client is `client`, and the folder of its files."""

    def __init__(self, client):
        self.client = client
        self.supervisor = next(p for p in children(client) if "launch" in command_of(p)[1:2])
        self.launcher = next(p for p in children(self.supervisor) if "serve" in command_of(p))
        self.ranks = sorted(p for p in children(self.launcher) if command_of(p)[1:2] == ["serve"])
        environment = pathlib.Path(f"/proc/{self.ranks[0]}/environ").read_bytes().decode().split("\0")
        self.files = pathlib.Path(next(e for e in environment if e.startswith("OMPI_MCA_orte_tmpdir_base=")).partition("=")[2])

    def left(self):
        return [p for p in (self.supervisor, self.launcher, *self.ranks) if seconds(p) >= 0]


class BackendTest(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.need("openmp")
        self.need("mpi")

    def wait_for_job(self, process, ranks, ready=lambda job: True):
        """Waits until a client has a job that is ready."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                job = Job(process.pid)
                if len(job.ranks) == ranks and ready(job):
                    return job
            except (StopIteration, IndexError, OSError):
                pass
            self.assertIsNone(process.poll(), "the client ended too early")
            time.sleep(0.01)
        self.fail("there is no such job")

    def assert_gone(self, job, limit=PATIENCE):
        """Waits until nothing of a job is left; returns how long that took."""
        begin = time.monotonic()
        while job.left() or job.files.exists():
            self.assertLess(time.monotonic() - begin, limit, f"left: {[command_of(p) for p in job.left()]}, {job.files}")
            time.sleep(0.01)
        return time.monotonic() - begin


class Run(BackendTest):
    def assert_same(self, input, steps, *targets, backend="openmp"):
        self.cli("run", "-i", input, *steps, "-o", "expected.nii", "--backend", backend, "--force")
        for target in targets:
            self.cli("run", "-i", input, *steps, "-o", "result.nii", "--backend", target, "--force")
            self.assertEqual(self.path("result.nii").read_bytes(), self.path("expected.nii").read_bytes(), f"{target}: {steps}")

    def test_computes_the_samples_of_one_process(self):
        self.assert_same("synthetic:noise:90x70", ["--op", "convolve:size=7", "--op", "tonemap"], "mpi.openmp@1", "mpi.openmp@3")
        self.assert_same("synthetic:shepp-logan:40x30x9", ["--op", "wavelet-denoise", "--op", "convolve:size=3"], "mpi.openmp@3")
        self.assert_same("synthetic:zone-plate:61x47", ["--op", "dwt:levels=2", "--op", "idwt"], "mpi@3")
        self.assert_same("synthetic:noise:50x3", ["--op", "convolve:size=5"], "mpi.reference@3", backend="reference")
        self.assert_same("synthetic:noise:60x50", ["--op", "convolve:size=5"], "mpi.openmp.direct@2", backend="openmp.direct")

    def test_describes_the_run(self):
        run = self.json("run", "-i", SAMPLE, "-o", "out.exr", "--op", "tonemap", "--backend", "mpi.openmp.simd@2")
        self.assertEqual(run["label"], "mpi.openmp.simd@2")
        self.assertEqual(run["implementations"], ["tonemap / mpi / openmp.simd"])
        self.assertIn("white", [f["key"] for f in run["findings"]])
        for stage in ("prepare", "upload", "compute", "download"):
            self.assertIn(stage, run["stages_ns"])

    def test_runs_on_the_cores_of_the_machine_unless_ranks_are_named(self):
        device = next(b for b in self.json("devices")["backends"] if b["id"] == "mpi")["devices"][0]
        run = self.json("run", "-i", "synthetic:noise:64x64", "-o", "out.exr", "--op", "convolve", "--backend", "mpi.openmp")
        self.assertEqual(run["label"], "mpi.openmp@" + device["details"]["ranks without @N"])

    def test_is_measured_beside_one_process(self):
        self.bench_quick("-i", "synthetic:noise:300x200", "--op", "convolve:size=7", "--backend", "openmp", "--backend", "mpi.openmp@2",
                         "--report", "r.json", "--report", "r.html")
        record = json.loads(self.path("r.json").read_text())
        self.assertEqual([(e["label"], e["verification"]) for e in record["entries"]], [("openmp", "agrees"), ("mpi.openmp@2", "agrees")])
        ranks = record["entries"][1]
        self.assert_hosts(ranks, 2)
        self.assertEqual(ranks["traffic"]["link"], "ranks")
        self.assertGreater(ranks["traffic"]["bytes"], 0)
        self.assertIn("mpi.openmp@2", self.path("r.html").read_text())
        # The timeline has a lane for each rank.
        self.assertEqual({p.get("part", 0) for p in ranks["timeline"]["pieces_ns"]}, {0, 1})

    def test_names_the_machines_of_the_ranks(self):
        """In the record, on the terminal and in reports, unless they are redacted."""
        arguments = ["-i", "synthetic:noise:80x60", "--op", "convolve:size=3", "--backend", "openmp", "--backend", "mpi.openmp@2"]
        name = os.uname().nodename
        files = ["r.json", "r.html", "r.md", "r.pdf"]
        reports = [word for file in files for word in ("--report", file)]
        text = f"2 ranks on {name} ("
        out, _ = self.bench_quick(*arguments, *reports)
        self.assertIn(f"mpi.openmp@2: {text}", out)
        for file in files[1:3]:
            self.assertIn(text, self.path(file).read_text(), file)
        if shutil.which("pdftotext"):
            pages = subprocess.run(["pdftotext", self.path("r.pdf"), "-"], check=True, capture_output=True, text=True).stdout
            self.assertIn(text, " ".join(pages.split()))
        for file in ("a.json", "a.md", "a.html"):
            self.cli("report", "r.json", "--redact", "-o", file)
        hosts = json.loads(self.path("a.json").read_text())["entries"][1]["hosts"]
        self.assertEqual([(h["name"], h["ranks"]) for h in hosts], [("", 2)])
        for file in ("a.json", "a.md", "a.html"):
            self.assertNotIn(name, self.path(file).read_text(), file)
        self.assertIn("2 ranks on a machine (", self.path("a.md").read_text())

    def test_is_swept(self):
        self.bench_quick("-i", "synthetic:noise:200x200", "--op", "convolve:size=5", "--backend", "mpi.openmp", "--sweep", "parts=1,2,3",
                         "--report", "r.json")
        labels = [e["label"] for r in json.loads(self.path("r.json").read_text())["records"] for e in r["entries"]]
        self.assertEqual(labels, ["mpi.openmp@1", "mpi.openmp@2", "mpi.openmp@3"])

    def test_says_what_ranks_cannot_do(self):
        _, err = self.cli("run", "-i", SAMPLE, "-o", "out.exr", "--op", "convolve:kernel=custom,weights=1 0 0;0 2 0;0 0 3",
                          "--backend", "mpi.openmp.separable@2", code=UNAVAILABLE)
        self.assertIn("'mpi.openmp.separable@2' cannot do this", err)
        _, err = self.cli("run", "-i", SAMPLE, "-o", "out.exr", "--op", "convolve", "--backend", "mpi.nothing@2", code=USAGE)
        self.assertIn("no variant 'nothing'", err)


class Start(BackendTest):
    def unavailable(self, program=None, **environment):
        """Returns the message of a run that cannot start its ranks."""
        command = [program or PROGRAM, "run", "-i", "synthetic:noise:64x64", "-o", "out.exr", "--op", "convolve", "--backend", "mpi.openmp@2"]
        variables = {k: v for k, v in {**os.environ, **environment}.items() if v is not None}
        ended = subprocess.run(command, cwd=self.folder, env=variables, capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(ended.returncode, UNAVAILABLE, ended.stderr)
        self.assertFalse(self.path("out.exr").exists())
        return ended.stderr

    def test_says_why_it_is_not_available(self):
        self.assertIn("'no-such-launcher' was not found", self.unavailable(PARALLAX_MPI_LAUNCHER="no-such-launcher -n {ranks}"))
        self.assertIn("{ranks}", self.unavailable(PARALLAX_MPI_LAUNCHER="mpiexec -n 2"))
        self.assertIn("a quote is not closed", self.unavailable(PARALLAX_MPI_LAUNCHER="mpiexec -n '{ranks}"))
        if os.geteuid() == 0:
            self.assertIn("as root", self.unavailable(OMPI_ALLOW_RUN_AS_ROOT=None, OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=None))

    def test_tells_the_last_words_of_a_launcher(self):
        err = self.unavailable(PARALLAX_MPI_LAUNCHER="/bin/sh -c 'echo It is too hot; exit 9' {ranks}")
        self.assertIn("The ranks did not start: ", err)
        self.assertIn("exit code 9: It is too hot", err)
        err = self.unavailable(PARALLAX_MPI_LAUNCHER="/bin/sh -c 'exec sleep 100' {ranks}", PARALLAX_MPI_START_SECONDS="1")
        self.assertIn("no rank within 1 second", err)

    def test_leaves_oversubscription_to_the_template(self):
        # More slots than any machine of a test has; ranks are not started.
        err = self.unavailable(PARALLAX_MPI_LAUNCHER="mpiexec --host localhost:1 -n {ranks}", OMPI_MCA_rmaps_base_oversubscribe=None)
        self.assertIn("add --oversubscribe to the launcher", err)

    def alone(self):
        """A copy of the program without a worker beside it, and its folder."""
        tree = self.path("tree")
        (tree / "bin").mkdir(parents=True)
        shutil.copy(PROGRAM, tree / "bin" / "parallax-cli")
        (tree / "lib").symlink_to(pathlib.Path(PROGRAM).resolve().parents[1] / "lib")
        return tree / "bin"

    def test_needs_a_worker_of_the_same_build(self):
        folder = self.alone()
        self.assertIn("parallax-worker was found neither beside the program nor in PATH", self.unavailable(folder / "parallax-cli"))
        worker = folder / "parallax-worker"
        worker.write_text(f"#!/bin/sh\n[ \"$1\" = launch ] && exec {WORKER} \"$@\"\necho something else\nexit 4\n")
        worker.chmod(0o755)
        self.assertIn("something else", self.unavailable(folder / "parallax-cli"))

    def test_finds_a_worker_in_the_path(self):
        folder = self.alone()
        environment = dict(os.environ, PATH=f"{pathlib.Path(WORKER).parent}:{os.environ['PATH']}")
        subprocess.run([folder / "parallax-cli", "run", "-i", "synthetic:noise:64x64", "-o", "out.exr", "--op", "convolve", "--backend",
                        "mpi.openmp@2"], cwd=self.folder, env=environment, check=True, capture_output=True, timeout=PATIENCE)

    def test_shares_nothing_with_a_client_that_is_not_there(self):
        ended = subprocess.run([WORKER, "serve", "--client", "parallax-none"], capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(ended.returncode, UNAVAILABLE)
        self.assertIn("No program waits for these ranks", ended.stderr)


class Ends(BackendTest):
    """Phases: the job starts; image and result move, and ranks compute; ranks compute for minutes; the job is idle."""

    def start_phase(self, phase):
        if phase == "start":
            process = self.start(*["run", *LONG], "-o", "never.exr", "--backend", "mpi.openmp.cg@2")
            deadline = time.monotonic() + PATIENCE
            while time.monotonic() < deadline:
                try:
                    return process, Job(process.pid)
                except (StopIteration, IndexError, OSError):
                    time.sleep(0.002)
            self.fail("nothing has started")
        if phase == "compute":
            process = self.start("run", *LONG, "-o", "never.exr", "--backend", "mpi.openmp.cg@2")
            return process, self.wait_for_job(process, 2, lambda job: all(seconds(r) > 0.3 for r in job.ranks))
        if phase == "transfer":
            # Short work on a large image, again and again.
            process = self.start("bench", "-i", "synthetic:noise:2000x2000", "--op", "convolve:size=1", "--backend", "mpi.openmp@2",
                                 "--effort", "thorough", "--report", "never.json")
            job = self.wait_for_job(process, 2, lambda job: all(seconds(r) > 0.2 for r in job.ranks))
            time.sleep(random.uniform(0, 0.1))
            return process, job
        # The reference computes for a long time while the ranks wait.
        process = self.start("bench", "-i", "synthetic:noise:1300x1300", "--op", "convolve:size=31", "--backend", "mpi.openmp@2",
                             "--backend", "reference", "--report", "never.json")
        job = self.wait_for_job(process, 2)
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            self.assertIsNone(process.poll(), "the client ended too early")
            before = [seconds(r) for r in job.ranks]
            client = seconds(process.pid)
            time.sleep(0.3)
            if seconds(process.pid) - client > 0.05 and [seconds(r) for r in job.ranks] == before and before[0] > 0.1:
                process.send_signal(signal.SIGSTOP)  # it stays idle
                return process, job
        self.fail("the job is never idle")

    def kill(self, phase, victim, limit=2):
        """Kills a process of a job; all of it ends soon, and leaves nothing. Returns what the client prints."""
        texts = []

        def attempt():
            process, job = self.start_phase(phase)
            self.addCleanup(process.kill)
            begin = time.monotonic()
            os.kill({"rank 0": job.ranks[0], "rank 1": job.ranks[-1], "launcher": job.launcher, "client": job.client}[victim], signal.SIGKILL)
            self.assert_gone(job)
            took = time.monotonic() - begin
            if phase == "idle":
                process.kill()
            texts.append(process.communicate(timeout=PATIENCE)[1])
            if phase != "idle":
                took = time.monotonic() - begin
            self.assertNotEqual(process.returncode, SUCCESS)
            # A benchmark keeps what it has measured.
            self.assertLessEqual(set(self.leftovers()), set() if "run" in process.args else {"never.json"})
            self.path("never.json").unlink(missing_ok=True)
            return took

        self.promptly(limit, attempt, attempts=3)
        return texts[-1]

    def test_a_killed_rank_is_named(self):
        err = self.kill("compute", "rank 1")
        self.assertRegex(err, r"parallax-cli: A rank has ended unexpectedly: rank 1 on \S+ was killed or has crashed\. The next run")
        err = self.kill("compute", "rank 0")
        self.assertRegex(err, r"parallax-cli: .*rank 0 on \S+ was killed or has crashed")

    def test_a_killed_launcher_ends_the_ranks(self):
        self.assertIn("launcher", self.kill("compute", "launcher"))

    def test_ranks_do_not_outlive_the_client(self):
        self.kill("compute", "client")

    def test_kills_while_the_job_starts(self):
        for victim in ("launcher", "client"):
            self.kill("start", victim)

    def test_kills_between_computing_and_transfers(self):
        for victim in ("rank 0", "rank 1", "launcher", "client"):
            self.kill("transfer", victim)

    def test_kills_while_the_job_is_idle(self):
        for victim in ("rank 1", "launcher", "client"):
            self.kill("idle", victim)

    def test_the_next_run_starts_the_ranks_again(self):
        process, job = self.start_phase("idle")
        self.addCleanup(process.kill)
        os.kill(job.ranks[1], signal.SIGKILL)
        self.assert_gone(job)
        process.send_signal(signal.SIGCONT)
        self.assertNotEqual(self.wait_for_job(process, 2).supervisor, job.supervisor)
        process.kill()
        process.communicate()

    def test_an_interrupt_ends_all_ranks(self):
        def attempt():
            process, job = self.start_phase("compute")
            begin = time.monotonic()
            process.send_signal(signal.SIGINT)
            err = process.communicate(timeout=PATIENCE)[1]
            self.assertEqual(process.returncode, INTERRUPTED)
            self.assertIn("Cancelled", err)
            self.assert_gone(job)
            self.assertEqual(self.leftovers(), [])
            return time.monotonic() - begin

        self.promptly(1, attempt, attempts=3)

    def test_a_rank_that_hangs_can_be_cancelled(self):
        def attempt():
            process, job = self.start_phase("compute")
            os.kill(job.ranks[1], signal.SIGSTOP)
            begin = time.monotonic()
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=PATIENCE)
            took = time.monotonic() - begin
            self.assertEqual(process.returncode, INTERRUPTED)
            self.assert_gone(job)
            return took

        self.promptly(2, attempt, attempts=3)

    def test_a_rank_that_hangs_is_named(self):
        # Both at the same time: each is silent for 30 s.
        hanging = []
        for rank, message in ((1, r"A rank hangs: rank 1 on \S+ has been silent for 30 s"), (0, r"rank 0 on \S+ has been silent for 30 s")):
            process, job = self.start_phase("compute")
            self.addCleanup(process.kill)
            os.kill(job.ranks[rank], signal.SIGSTOP)
            hanging.append((process, job, message))
        for process, job, message in hanging:
            err = process.communicate(timeout=PATIENCE)[1]
            self.assertEqual(process.returncode, FAILED)
            self.assertRegex(err, message)
            self.assert_gone(job)

    def test_an_idle_job_uses_no_processor(self):
        process, job = self.start_phase("idle")
        self.addCleanup(process.kill)
        time.sleep(2)  # ranks have stopped to look for work at short intervals
        before, begin = sum(map(seconds, job.ranks)), time.monotonic()
        time.sleep(3)
        self.assertLess((sum(map(seconds, job.ranks)) - before) / (time.monotonic() - begin), 0.03, "share of a processor, of both ranks")
        process.kill()
        process.communicate()
        self.assert_gone(job)


@unittest.skipUnless(WINDOW, "there is no window in this build")
class Window(BackendTest):
    def open(self):
        home = self.path("home")
        home.mkdir()
        environment = dict(os.environ, HOME=str(home), XDG_CONFIG_HOME=str(home), XDG_DATA_HOME=str(home), XDG_CACHE_HOME=str(home),
                           QT_QPA_PLATFORM="offscreen", LC_ALL="C.UTF-8")
        process = subprocess.Popen([WINDOW, "--compare", "mpi.openmp@2,reference", "--op", "convolve:size=5", "synthetic:noise:300x200"],
                                   cwd=self.folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def test_lives_on_without_its_ranks_and_takes_them_along(self):
        process = self.open()
        job = self.wait_for_job(process, 2, lambda job: all(seconds(r) > 0.05 for r in job.ranks))
        time.sleep(1)
        os.kill(job.ranks[1], signal.SIGKILL)
        self.assert_gone(job)
        self.assertIsNone(process.poll())
        process.kill()

    def test_takes_its_ranks_along(self):
        process = self.open()
        job = self.wait_for_job(process, 2, lambda job: all(seconds(r) > 0.05 for r in job.ranks))
        process.kill()
        self.assert_gone(job)

    def test_ends_its_ranks_when_it_is_closed(self):
        process = self.open()
        job = self.wait_for_job(process, 2, lambda job: all(seconds(r) > 0.05 for r in job.ranks))
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE)
        self.assert_gone(job)


if __name__ == "__main__":
    unittest.main()
