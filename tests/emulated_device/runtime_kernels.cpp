// SPDX-License-Identifier: GPL-3.0-or-later
// The runtime: launches and attributes of kernels.
#include "tests/emulated_device/device.hpp"

namespace emulatedDevice {
namespace {

std::size_t dynamicLimit(Machine& d, const void* kernel) {
    const auto& limits = d.current().sharedLimits;
    const auto found = limits.find(kernel);
    return found == limits.end() ? kSharedByDefault : static_cast<std::size_t>(found->second);
}

}  // namespace

void enqueueKernel(const Configuration& c, const char* name, const void* address, std::function<void()> thread) {
    Call call;
    Machine& d = call.d;
    const auto launch = [&]() -> cudaError_t {
        if (d.current().lost != cudaSuccess) return d.current().lost;
        CUstream_st* const s = d.find(c.stream);
        if (!s || s->device != currentDevice) return cudaErrorInvalidResourceHandle;
        const auto none = [](const dim3& v) { return v.x == 0 || v.y == 0 || v.z == 0; };
        if (none(c.grid) || none(c.block) || c.grid.x > 0x7FFFFFFFU || c.grid.y > 65535 || c.grid.z > 65535 || c.block.x > 1024 ||
            c.block.y > 1024 || c.block.z > 64 || std::uint64_t{c.block.x} * c.block.y * c.block.z > 1024)
            return cudaErrorInvalidConfiguration;
        if (c.sharedBytes > dynamicLimit(d, address)) return cudaErrorInvalidValue;
        // Static and dynamic together; kernels that set the attribute may have all of it.
        const std::size_t whole = d.current().sharedLimits.contains(address) ? kSharedAtMost : kSharedByDefault;
        return d.enqueue(call.lock, *s,
                         {name,
                          [&d, device = currentDevice, c, name, whole, work = std::move(thread)] {
                              int& rest = d.of(device).kernelsUntilFailure;
                              if (rest >= 0 && rest-- == 0)
                                  return d.fault(device, cudaErrorLaunchFailure, std::string("kernel ") + name + " was made to fail");
                              enterKernel(device);
                              const std::string wrong = runLaunch(c, name, whole, work);
                              leaveKernel();
                              if (!wrong.empty()) d.fault(device, cudaErrorLaunchFailure, wrong);
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
    for (Device& d : call.d.devices) d.lost = cudaSuccess, d.kernelsUntilFailure = -1;
    lastError = cudaSuccess;
    return std::exchange(call.d.faults, {});
}

void setDeviceCount(int count) {
    const Call call;
    call.d.deviceCount = count;
}

void failKernelAfter(int device, int kernels) {
    const Call call;
    call.d.of(device).kernelsUntilFailure = kernels;
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
        if (value < 0 || static_cast<std::size_t>(value) > call.d.sharedAtMost) return call.end(cudaErrorInvalidValue);
        call.d.current().sharedLimits[kernel] = value;
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
