# SPDX-License-Identifier: GPL-3.0-or-later
"""Figures that the convolution benchmark is compared with: the two earlier systems, the peers when the targets were set, and the targets."""

# Earlier system 1: k = 7, replicated border, 2 k^2 flops a pixel, RTX 3090 and two EPYC 7413. GFLOP/s of the kernels, ms end to end with
# allocation and copies.
SYSTEM_1 = {
    "serial": {1024: 1.83, 2048: 1.83, 4096: 1.84, 8192: 1.85},
    "naive": {1024: 819, 2048: 964, 4096: 999, 8192: 1007},
    "tiled": {1024: 647, 2048: 948, 4096: 980, 8192: 985},
}
SYSTEM_1_END_TO_END = {1024: 3.75, 2048: 11.14, 4096: 38.90, 8192: 150.06}  # naive
SYSTEM_1_THREADS = {1: 1.83, 2: 3.61, 4: 7.06, 8: 6.81, 16: 6.89}  # OpenMP, 4096^2, GFLOP/s

# Earlier system 2: 5 x 5 mask of ones, GTX 1660 Super, ms.
SYSTEM_2 = {
    "serial": {1024: 121, 4096: 2102, 8192: 8524, 16384: 31559},
    "naive": {1024: 0.119, 4096: 1.847, 8192: 7.554, 16384: 28.211},
    "tiled": {1024: 0.106, 4096: 1.613, 8192: 6.573, 16384: 23.512},
}

# Peers on an H200 when the targets were set: (size, kernel) -> ms.
PEERS_H200 = {
    "cuda.naive": {(8192, 3): 0.515, (8192, 5): 1.073, (8192, 7): 1.876, (8192, 11): 4.188, (8192, 15): 7.474, (4096, 31): 7.545},
    "cuda.tiled": {(8192, 3): 0.535, (8192, 5): 0.897, (8192, 7): 1.220, (8192, 11): 2.287, (8192, 15): 4.032, (4096, 31): 4.161},
    "cudnn": {(8192, 3): 4.69, (8192, 5): 7.51, (8192, 7): 11.78, (8192, 11): 24.7, (8192, 15): 43.4},
    "cupy": {(8192, 5): 0.995, (8192, 7): 1.738},
    "cuda.npp": {(8192, 3): 0.181, (8192, 5): 0.252, (8192, 7): 1.493, (8192, 11): 2.391, (8192, 15): 4.066, (4096, 31): 4.191,
                 (1024, 3): 0.0100, (1024, 5): 0.0116, (1024, 7): 0.0313},
}
# OpenCV 4.6 on a 2-core Sapphire Rapids, one thread, 4096^2, ms.
OPENCV_STATED = {3: 19.3, 5: 26.0, 7: 40.3, 11: 78.1, 15: 275}

# Targets: at most so many ms of compute on an H200.
GPU_MS = {(8192, 3): 0.140, (8192, 5): 0.148, (8192, 7): 0.172, (8192, 11): 0.345, (8192, 15): 0.630, (4096, 31): 0.70,
          (1024, 3): 0.0085, (1024, 5): 0.0095, (1024, 7): 0.0110}
GPU_SEPARABLE_MS = {(8192, 7): 0.16}
HOST_TO_HOST = 1.25  # times the copy of one image over the link; 8192^2, k = 7
# At least so many times as fast as OpenCV's filter2D on one thread, 4096^2.
CPU_AGAINST_OPENCV = {3: 2.0, 5: 1.9, 7: 2.1, 11: 1.8, 15: 3.5}
CPU_THREADS, CPU_SCALING = 16, 12  # so many threads, so many times one thread, k = 11
CPU_COPY_LIMIT = 0.9  # of the speed of a copy with all threads, k = 3
ACCURACY = 4  # times the direct form's error
