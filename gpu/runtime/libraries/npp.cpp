// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/runtime/libraries/npp.hpp"

#if __has_include(<nppi_filtering_functions.h>) && !defined(PARALLAX_EMULATED_DEVICE)
#include <nppi_filtering_functions.h>
#define PARALLAX_HAS_NPP_HEADER 1
#endif

#include <cstddef>
#include <type_traits>

#include "gpu/runtime/cuda_check.hpp"
#include "gpu/runtime/libraries/shared_library.hpp"

namespace parallax::gpu {
namespace {

// NPP's interface by its C types, so that building needs no NPP; checked against the header if there is one.
struct Extent {
    int width, height;
};
struct Point {
    int x, y;
};
constexpr int kReplicate = 2;
using FilterBorder = int (*)(const float* in, int inStep, Extent inSize, Point inOffset, float* out, int outStep, Extent outSize,
                             const float* weights, Extent kernelSize, Point anchor, int border, NppContext context);

#if defined(PARALLAX_HAS_NPP_HEADER)
static_assert(sizeof(NppStreamContext) == sizeof(NppContext) &&
              offsetof(NppStreamContext, nSharedMemPerBlock) == offsetof(NppContext, sharedBytes) &&
              offsetof(NppStreamContext, nStreamFlags) == offsetof(NppContext, streamFlags));
static_assert(sizeof(NppiSize) == sizeof(Extent) && sizeof(NppiPoint) == sizeof(Point) && NPP_BORDER_REPLICATE == kReplicate);
static_assert(std::is_same_v<decltype(&nppiFilterBorder_32f_C1R_Ctx),
                             NppStatus (*)(const Npp32f*, Npp32s, NppiSize, NppiPoint, Npp32f*, Npp32s, NppiSize, const Npp32f*, NppiSize,
                                           NppiPoint, NppiBorderType, NppStreamContext)>);
#endif

struct Library {
    FilterBorder filterBorder = nullptr;
    NppState state;

    Library() {
        // libnppif needs libnppc, which may be in a folder that the loader does not search.
        std::string ignored;
        (void)openToolkitLibrary({"libnppc.so.13", "libnppc.so.12"}, ignored);
        void* library = openToolkitLibrary({"libnppif.so.13", "libnppif.so.12"}, state.reason);
        if (!library) return;
        filterBorder = reinterpret_cast<FilterBorder>(toolkitFunction(library, "nppiFilterBorder_32f_C1R_Ctx", state.reason));
        state.loaded = filterBorder != nullptr;
    }
};

const Library& library() {
    static const Library loaded;
    return loaded;
}

int attribute(cudaDeviceAttr name, int device) {
    int value = 0;
    check(cudaDeviceGetAttribute(&value, name, device), "The properties of the CUDA device could not be read");
    return value;
}

}  // namespace

const NppState& nppState() { return library().state; }

NppFilter::NppFilter(int device, cudaStream_t stream) : context_{} {
    if (!library().state.loaded) throw Error(ErrorCode::unavailable, "NPP is not available", library().state.reason);
    context_.stream = stream;
    context_.device = device;
    context_.multiprocessors = attribute(cudaDevAttrMultiProcessorCount, device);
    context_.threadsPerMultiprocessor = attribute(cudaDevAttrMaxThreadsPerMultiProcessor, device);
    context_.threadsPerBlock = attribute(cudaDevAttrMaxThreadsPerBlock, device);
    context_.sharedBytes = static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlock, device));
    context_.major = attribute(cudaDevAttrComputeCapabilityMajor, device);
    context_.minor = attribute(cudaDevAttrComputeCapabilityMinor, device);
    check(cudaStreamGetFlags(stream, &context_.streamFlags), "The properties of a CUDA stream could not be read");
}

void NppFilter::run(const NppFilterArguments& a) const {
    const auto bytes = [](std::int64_t stride) { return static_cast<int>(stride * static_cast<std::int64_t>(sizeof(float))); };
    const Extent size{a.width, a.height};
    const int status =
        library().filterBorder(a.in, bytes(a.inRowStride), size, {0, 0}, a.out, bytes(a.outRowStride), size, a.reversedWeights,
                               {a.kernelWidth, a.kernelHeight}, {a.anchorX, a.anchorY}, kReplicate, context_);
    // Positive values are warnings that the result is incomplete.
    if (status != 0) throw Error(ErrorCode::failed, "NPP could not filter the image", "NPP returned status " + std::to_string(status));
}

}  // namespace parallax::gpu
