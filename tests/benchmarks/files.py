#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints a table of the time to write and read files with Parallax and its peers in one run: OpenCV, OpenEXR and libtiff (through
bench_files), and nibabel where Python has it. The run of an operation from file to file is compared with the sum of its stages, which overlap
and therefore take longer than alone, and with a run of one stage after another. Seconds are medians; "processor" counts all threads. Targets are for two idle cores and a size of 4096.

Usage: files.py BENCH_FILES [--folder FOLDER] [--size N] [--rounds N] [--work TEXT]
A folder in memory, such as /dev/shm (the default), leaves the disk out: Parallax waits for it (fsync), its peers do not.
"""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

try:
    import nibabel
    import numpy
except ImportError:
    nibabel = None


# What Parallax must reach, by the beginning of the work: seconds at most, the peer's seconds for each of ours at least, bytes for each of the
# peer's at most.
TARGETS = [("write png noise", {"seconds": .30, "bytes": 1.05}), ("write png HDR ramp", {"seconds": .20, "bytes": 1.05}),
           ("write png 874 x 644", {"seconds": .02}), ("read png 874 x 644", {}), ("read png", {"seconds": .40}),
           ("write exr", {"ratio": 1 / 1.1}), ("write nii.gz", {"ratio": 4}), ("read nii.gz", {"ratio": 2}), ("run exr to exr", {"ratio": 1 / .75})]


def measured(function):
    wall, busy = time.perf_counter(), time.process_time()
    function()
    return time.perf_counter() - wall, time.process_time() - busy


def volume(size, depth):
    """Returns int16 samples like those of a CT: noise of 18 HU in an ellipsoid, of 6 HU in the air around it."""
    random = numpy.random.default_rng(1)
    x, y, z = numpy.ogrid[-1:1:size * 1j, -1:1:size * 1j, -1:1:depth * 1j]
    inside = (x / .8) ** 2 + (y / .6) ** 2 + (z / 1.2) ** 2 < 1
    tissue = 40 + 60 * numpy.sin(20 * x) * numpy.cos(25 * y)
    noise = random.standard_normal((size, size, depth), numpy.float32)
    return numpy.where(inside, tissue + 18 * noise, -1000 + 6 * noise).round().astype(numpy.int16)


def compare_nibabel(bench, folder, size, rounds, rows):
    """In turn, so that other load meets both alike."""
    path = os.path.join(folder, "peer.nii.gz")
    image = nibabel.Nifti1Image(volume(size, 300 * size // 512), numpy.diag([.7, .7, 1, 1]))
    actions = {"write nii.gz": lambda: nibabel.save(image, path), "read nii.gz": lambda: numpy.asarray(nibabel.load(path).dataobj)}
    samples, sizes = {}, {}
    for _ in range(rounds):
        for work, action in actions.items():
            samples.setdefault((work, "nibabel"), []).append(measured(action))
            sizes[work, "nibabel"] = os.path.getsize(path)
        for work, program, wall, busy, written in lines(bench, folder, "volume", path, "1"):
            samples.setdefault((work, program), []).append((wall, busy))
            sizes[work, program] = written
    rows.extend([*key, *(statistics.median(s) for s in zip(*values)), sizes[key]] for key, values in samples.items())


def lines(bench, folder, *arguments):
    output = subprocess.run([bench, folder, *arguments], check=True, capture_output=True, text=True).stdout
    for line in output.splitlines():
        work, program, wall, busy, size = line.split("\t")
        yield [work, program, float(wall), float(busy), int(size)]


def judged(work, own, peer):
    """Returns the target of Parallax's row, and whether it is reached."""
    target = next((target for beginning, target in TARGETS if work.startswith(beginning)), {})
    texts = {"seconds": "<= {:.2f} s", "ratio": "peer >= {:.2f} x", "bytes": "<= {:.2f} x the bytes"}
    reached = {"seconds": lambda most: own[2] <= most, "ratio": lambda least: peer[2] / own[2] >= least,
               "bytes": lambda most: own[4] <= most * peer[4]}
    return (", ".join(texts[kind].format(value) for kind, value in target.items()),
            "" if not target else "yes" if all(reached[kind](value) for kind, value in target.items()) else "no")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bench")
    parser.add_argument("--folder", default="/dev/shm" if os.path.isdir("/dev/shm") else None)
    parser.add_argument("--size", type=int, default=4096)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--work", default="")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        rows = list(lines(arguments.bench, folder, str(arguments.size), str(arguments.rounds), arguments.work))
        if nibabel and arguments.work in "nii.gz":
            compare_nibabel(arguments.bench, folder, max(64, arguments.size // 8), arguments.rounds, rows)
        elif not nibabel:
            print("nibabel is not installed: no rows for .nii.gz", file=sys.stderr)
    print("| work | program | seconds | processor seconds | bytes | peer's seconds / Parallax's | target | reached |")
    print("|---|---|---|---|---|---|---|---|")
    for work, program, wall, busy, size in rows:
        own = [r for r in rows if r[0] == work and r[1] == "Parallax"]
        peers = [r for r in rows if r[0] == work and not r[1].startswith("Parallax")]
        ratio = f"{wall / own[0][2]:.2f}" if own and not program.startswith("Parallax") else ""
        # The first peer, or the sum of the stages.
        target, reached = judged(work, own[0], min(peers, key=lambda r: not r[1].startswith("sum"))) if own and peers and program == "Parallax" else ("", "")
        print(f"| {work} | {program} | {wall:.3f} | {busy:.3f} | {size:,} | {ratio} | {target} | {reached} |")


if __name__ == "__main__":
    main()
