/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a kernel that you write gets and gives. The header of an operation, as parallax/convolve.h, includes this one and adds the
 * parameters of that operation; `parallax-cli kernel new` writes a kernel to begin with. */
#ifndef PARALLAX_KERNEL_H
#define PARALLAX_KERNEL_H

#include <stdint.h>

#define PARALLAX_KERNEL_VERSION 1

#ifdef __cplusplus
#define PARALLAX_ENTRY extern "C" __attribute__((visibility("default")))
#else
#define PARALLAX_ENTRY __attribute__((visibility("default")))
#endif

/* Sample (x, y, z) of channel c is data[x + y * row + z * slice + c * channel]. An image has a depth of 1. The first sample is aligned to
 * 64 bytes. Only these samples may be read: what lies behind them is not memory. */
typedef struct parallax_input {
    const float* data;
    int64_t width, height, depth, channels;
    int64_t row, slice, channel; /* distances in samples */
} parallax_input;

/* Every sample must be written, and nothing else. It never overlaps the input. */
typedef struct parallax_output {
    float* data;
    int64_t width, height, depth, channels;
    int64_t row, slice, channel;
} parallax_output;

/* Numbers that Parallax computed from the parameters: value (i, j) is data[i + j * width]. */
typedef struct parallax_array {
    const float* data;
    int64_t width, height;
} parallax_array;

typedef struct parallax_context {
    int64_t threads;   /* as many as the kernel should use, at least 1 */
    double spacing[3]; /* of samples along x, y, z: mm in a volume, else 1 */
    int64_t alpha;     /* the channel that holds opacity, or -1 */
    void* workspace;   /* as large as parallax_workspace() says, aligned to 64 bytes; NULL without it */
} parallax_context;

#endif
