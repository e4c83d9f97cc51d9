// SPDX-License-Identifier: GPL-3.0-or-later
// The runtime: launches and attributes of kernels.
#include "tests/emulated_device/device.hpp"

namespace emulatedDevice {
namespace {

std::size_t dynamicLimit(Device& d, const void* kernel) {
    const auto found = d.sharedLimits.find(kernel);
    return found == d.sharedLimits.end() ? kSharedByDefault : static_cast<std::size_t>(found->second);
}

}  // namespace

void enqueueKernel(const Configuration& c, const char* name, const void* address, std::function<void()> thread) {
    Call call;
    Device& d = call.d;
    const auto launch = [&]() -> cudaError_t {
        if (d.lost != cudaSuccess) return d.lost;
        CUstream_st* const s = d.find(c.stream);
        if (!s) return cudaErrorInvalidResourceHandle;
        const auto none = [](const dim3& v) { return v.x == 0 || v.y == 0 || v.z == 0; };
        if (none(c.grid) || none(c.block) || c.grid.x > 0x7FFFFFFFU || c.grid.y > 65535 || c.grid.z > 65535 || c.block.x > 1024 ||
            c.block.y > 1024 || c.block.z > 64 || std::uint64_t{c.block.x} * c.block.y * c.block.z > 1024)
            return cudaErrorInvalidConfiguration;
        if (c.sharedBytes > dynamicLimit(d, address)) return cudaErrorInvalidValue;
        // Static and dynamic together; kernels that set the attribute may have all of it.
        const std::size_t whole = d.sharedLimits.contains(address) ? kSharedAtMost : kSharedByDefault;
        return d.enqueue(call.lock, *s,
                         {name,
                          [&d, c, name, whole, work = std::move(thread)] {
                              if (const std::string wrong = runLaunch(c, name, whole, work); !wrong.empty())
                                  d.fault(cudaErrorLaunchFailure, wrong);
                          },
                          nullptr, 0, false, 0});
    };
    (void)report(launch());
}

cudaError_t enqueueWork(cudaStream_t stream, const char* name, std::function<void()> work) {
    Call call;
    CUstream_st* const s = call.d.find(stream);
    if (!s) return call.end(cudaErrorInvalidResourceHandle);
    return call.end(call.d.enqueue(call.lock, *s, {name, std::move(work), nullptr, 0, false, 0}));
}

std::string takeFault() {
    Call call;
    call.d.runAll(call.lock);
    call.d.lost = cudaSuccess;
    lastError = cudaSuccess;
    return std::exchange(call.d.faults, {});
}

cudaError_t lastLaunchError() { return lastError; }

}  // namespace emulatedDevice

using emulatedDevice::Call;
using emulatedDevice::report;

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* kernel) {
    const Call call;
    if (!kernel) return call.end(cudaErrorInvalidDeviceFunction);
    *attributes = {};
    attributes->maxThreadsPerBlock = 1024;
    attributes->numRegs = 32;
    attributes->ptxVersion = attributes->binaryVersion = 90;
    attributes->maxDynamicSharedSizeBytes = static_cast<int>(emulatedDevice::dynamicLimit(call.d, kernel));
    return call.end(cudaSuccess);
}
cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute, int value) {
    const Call call;
    if (!kernel) return call.end(cudaErrorInvalidDeviceFunction);
    if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) {
        if (value < 0 || static_cast<std::size_t>(value) > emulatedDevice::kSharedAtMost) return call.end(cudaErrorInvalidValue);
        call.d.sharedLimits[kernel] = value;
    }
    return call.end(cudaSuccess);
}
cudaError_t cudaFuncSetCacheConfig(const void* kernel, cudaFuncCache) {
    return report(kernel ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* kernel, int threads, std::size_t dynamicSharedBytes) {
    const Call call;
    if (!kernel || threads < 1 || threads > 1024) return call.end(cudaErrorInvalidValue);
    const int warps = (threads + emulatedDevice::kWarpSize - 1) / emulatedDevice::kWarpSize;
    const int byThreads = emulatedDevice::kThreadsPerMultiprocessor / (warps * emulatedDevice::kWarpSize);
    const auto byShared =
        static_cast<int>(emulatedDevice::kSharedPerMultiprocessor / (dynamicSharedBytes + emulatedDevice::kSharedReserved));
    *blocks = dynamicSharedBytes > emulatedDevice::dynamicLimit(call.d, kernel)
                  ? 0
                  : std::min({byThreads, byShared, emulatedDevice::kBlocksPerMultiprocessor});
    return call.end(cudaSuccess);
}
