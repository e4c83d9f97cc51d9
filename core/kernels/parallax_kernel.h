/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a kernel that you write gets and gives. The header of an operation, as parallax/convolve.h, includes this one and adds the
 * parameters of that operation; `parallax-cli kernel new` writes a kernel to begin with. */
#ifndef PARALLAX_KERNEL_H
#define PARALLAX_KERNEL_H

#ifdef __CUDACC_RTC__ /* NVRTC has no headers of the system */
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
#else
#include <stdint.h>
#endif

#define PARALLAX_KERNEL_VERSION 1

#ifdef __cplusplus
#define PARALLAX_ENTRY extern "C" __attribute__((visibility("default")))
#else
#define PARALLAX_ENTRY __attribute__((visibility("default")))
#endif

/* Sample (x, y, z) of channel c is data[x + y * row + z * slice + c * channel]. An image has a depth of 1. The first sample is aligned to
 * 64 bytes, in CUDA to 256. In CUDA all pointers are of the device. Only these samples may be read: what lies behind them is not memory. */
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
    int64_t threads;            /* as many as the kernel should use, at least 1 */
    double spacing[3];          /* of samples along x, y, z: mm in a volume, else 1 */
    int64_t alpha;              /* the channel that holds opacity, or -1 */
    void* workspace;            /* as large as parallax_workspace() or the workspace comment says, aligned like samples; NULL without it */
    struct CUstream_st* stream; /* CUDA, for launches by a function on the host: a cudaStream_t; NULL in C++ and on the device */
} parallax_context;

#endif
