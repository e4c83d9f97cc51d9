// SPDX-License-Identifier: GPL-3.0-or-later
// NPP's filter, loaded on first use. NPP is an optional peer for comparisons.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace parallax::gpu {

struct NppState {
    bool loaded = false;
    std::string reason;  ///< a sentence, if not loaded
};
const NppState& nppState();

struct NppFilterArguments {
    const float* in = nullptr;
    float* out = nullptr;
    std::int64_t inRowStride = 0, outRowStride = 0;  ///< samples
    int width = 0, height = 0;
    const float* reversedWeights = nullptr;  ///< device memory, last weight first
    int kernelWidth = 1, kernelHeight = 1;
    int anchorX = 0, anchorY = 0;  ///< of the reversed weights
};

/// NppStreamContext: the stream and the properties of its device.
struct NppContext {
    cudaStream_t stream;
    int device, multiprocessors, threadsPerMultiprocessor, threadsPerBlock;
    std::size_t sharedBytes;
    int major, minor;
    unsigned streamFlags;
    int reserved;
};

/// nppiFilterBorder_32f_C1R_Ctx, border replicate. Constructed once per session, since it reads the device's properties.
class NppFilter {
public:
    /// Throws Error(unavailable) without the library.
    NppFilter(int device, cudaStream_t stream);
    /// Enqueues the filter of one plane. Throws Error(failed) with NPP's status.
    void run(const NppFilterArguments& arguments) const;

private:
    NppContext context_;
};

}  // namespace parallax::gpu
