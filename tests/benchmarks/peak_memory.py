#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Peak memory of `parallax-cli run` on each CPU backend; the limit is 3 x the image plus 100 MB.

Usage: peak_memory.py PARALLAX_CLI [SIZE]     SIZE x SIZE, RGB, 4 bytes a sample in memory; exit code 1 beyond the limit.
"""
import json
import os
import subprocess
import sys
import tempfile


def peak_bytes(command: list[str]) -> int:
    """Returns the peak memory of the command alone: wait4 counts no other child."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)}: {errors}")
    return usage.ru_maxrss * 1024


def main() -> int:
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    program, size = sys.argv[1], int(sys.argv[2]) if len(sys.argv) == 3 else 4096
    image = size * size * 3 * 4
    limit = 3 * image + 100e6
    known = json.loads(subprocess.run([program, "devices", "--json"], capture_output=True, check=True).stdout)["backends"]
    print(f"parallax-cli run, EXR of {size} x {size} RGB: {image / 1e6:.0f} MB in memory, limit {limit / 1e6:.0f} MB")
    within = True
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "in.exr")
        peak_bytes([program, "run", "-i", f"synthetic:noise:{size}x{size},channels=3", "-o", source, "--op", "convolve:size=1"])
        processor = next(b["devices"][0]["name"] for b in known if b["id"] == "reference")
        for backend in known:
            # Backends on other devices are left out: they also map the driver of the device.
            if not backend["available"] or backend["devices"][0]["name"] != processor:
                continue
            for extension in ("exr", "png"):
                output = os.path.join(folder, f"{backend['id']}.{extension}")
                peak = peak_bytes([program, "run", "-i", source, "-o", output, "--op", "convolve:size=7", "--backend", backend["id"]])
                print(f"  {backend['id']:10} to {extension}  {peak / 1e6:7.0f} MB  {(peak - 100e6) / image:.2f} x the image + 100 MB")
                within = within and peak <= limit
    return 0 if within else 1


if __name__ == "__main__":
    sys.exit(main())
