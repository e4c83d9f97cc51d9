#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Convolution on a GPU by CuPy and by cuDNN (through PyTorch), timed with CUDA events: peers beside bench_convolution, whose rows these
are like. Prints JSON; what is not installed is a row with the reason. CuPy repeats the edge as Parallax does; cuDNN knows zeros
around the image only, which is less work.

Usage: convolution_gpu_peers.py SIZE:KERNEL[,KERNEL...] ...        as in 8192:3,5,7 4096:31
"""
import json
import statistics
import sys

SAMPLES = 10


def weights(size):
    """Returns weights of full rank; their values do not affect the time."""
    return [[((7 * v + 3 * u * u + v * u * 11) % 97) / 97 for u in range(size)] for v in range(size)]


def cupy_runs(cases):
    import cupy
    from cupyx.scipy import ndimage

    cupy.cuda.runtime.getDeviceCount()
    name = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    for size, kernel in cases:
        image = cupy.random.random((size, size), dtype=cupy.float32)
        window = cupy.asarray(weights(kernel), dtype=cupy.float32)
        out = cupy.empty_like(image)

        def run():
            ndimage.correlate(image, window, output=out, mode="nearest")

        def timed():
            begin, end = cupy.cuda.Event(), cupy.cuda.Event()
            begin.record()
            run()
            end.record()
            end.synchronize()
            return cupy.cuda.get_elapsed_time(begin, end)

        yield name, size, kernel, timed


def cudnn_runs(cases):
    import torch

    if not torch.cuda.is_available():
        raise RuntimeError("PyTorch sees no CUDA device")
    if not torch.backends.cudnn.is_available():
        raise RuntimeError("PyTorch was built without cuDNN")
    torch.backends.cudnn.allow_tf32 = False  # float32, as everybody else
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.benchmark = True
    name = torch.cuda.get_device_name(0)
    for size, kernel in cases:
        image = torch.rand((1, 1, size, size), device="cuda")
        window = torch.tensor(weights(kernel), dtype=torch.float32, device="cuda").reshape(1, 1, kernel, kernel)

        def timed():
            begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            begin.record()
            with torch.no_grad():
                torch.nn.functional.conv2d(image, window, padding=kernel // 2)
            end.record()
            end.synchronize()
            return begin.elapsed_time(end)

        yield name, size, kernel, timed


def measure(target, runs, cases):
    rows, left = [], list(cases)
    try:
        for name, size, kernel, timed in runs(cases):
            for _ in range(3):
                timed()
            times = [timed() for _ in range(SAMPLES)]
            ms = statistics.median(times)
            rows.append({"size": size, "kernel": str(kernel), "weights": "random", "target": target, "threads": 0, "device": name,
                         "variant": target, "choice": "", "compute_ms": ms, "fastest_ms": min(times), "end_to_end_ms": 0,
                         "gflops": 2 * kernel * kernel * size * size / ms * 1e-6, "samples": len(times)})
            left.remove((size, kernel))
    except Exception as e:  # whatever a package that is not ours has to say
        reason = "not installed" if isinstance(e, ImportError) else f"{type(e).__name__}: {e}"
        rows += [{"size": s, "kernel": str(k), "weights": "random", "target": target, "skipped": reason} for s, k in left]
    return rows


def main():
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__)
        return 0 if len(sys.argv) > 1 else 2
    cases = [(int(size), int(k)) for size, kernels in (a.split(":") for a in sys.argv[1:]) for k in kernels.split(",")]
    print(json.dumps({"results": measure("cupy", cupy_runs, cases) + measure("cudnn", cudnn_runs, cases)}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
