// SPDX-License-Identifier: GPL-3.0-or-later
// The runtime: errors and device properties.
#include <cstdio>
#include <cstring>

#include "tests/emulated_device/device.hpp"

using emulatedDevice::Call;
using emulatedDevice::machine;
using emulatedDevice::report;

cudaError_t cudaGetLastError() {
    const cudaError_t e = emulatedDevice::lastError;
    // An error that lost the device is sticky.
    emulatedDevice::lastError = cudaSuccess;
    return e;
}
cudaError_t cudaPeekAtLastError() { return emulatedDevice::lastError; }

const char* cudaGetErrorName(cudaError_t error) {
    switch (error) {
#define PARALLAX_ERROR_NAME(name) \
    case name: return #name;
        PARALLAX_ERROR_NAME(cudaSuccess)
        PARALLAX_ERROR_NAME(cudaErrorInvalidValue)
        PARALLAX_ERROR_NAME(cudaErrorMemoryAllocation)
        PARALLAX_ERROR_NAME(cudaErrorInitializationError)
        PARALLAX_ERROR_NAME(cudaErrorInvalidConfiguration)
        PARALLAX_ERROR_NAME(cudaErrorInvalidPitchValue)
        PARALLAX_ERROR_NAME(cudaErrorInvalidDevicePointer)
        PARALLAX_ERROR_NAME(cudaErrorInvalidMemcpyDirection)
        PARALLAX_ERROR_NAME(cudaErrorInsufficientDriver)
        PARALLAX_ERROR_NAME(cudaErrorDevicesUnavailable)
        PARALLAX_ERROR_NAME(cudaErrorInvalidDeviceFunction)
        PARALLAX_ERROR_NAME(cudaErrorNoDevice)
        PARALLAX_ERROR_NAME(cudaErrorInvalidDevice)
        PARALLAX_ERROR_NAME(cudaErrorNoKernelImageForDevice)
        PARALLAX_ERROR_NAME(cudaErrorECCUncorrectable)
        PARALLAX_ERROR_NAME(cudaErrorInvalidResourceHandle)
        PARALLAX_ERROR_NAME(cudaErrorNotReady)
        PARALLAX_ERROR_NAME(cudaErrorIllegalAddress)
        PARALLAX_ERROR_NAME(cudaErrorLaunchOutOfResources)
        PARALLAX_ERROR_NAME(cudaErrorLaunchTimeout)
        PARALLAX_ERROR_NAME(cudaErrorPeerAccessUnsupported)
        PARALLAX_ERROR_NAME(cudaErrorPeerAccessAlreadyEnabled)
        PARALLAX_ERROR_NAME(cudaErrorPeerAccessNotEnabled)
        PARALLAX_ERROR_NAME(cudaErrorAssert)
        PARALLAX_ERROR_NAME(cudaErrorHostMemoryAlreadyRegistered)
        PARALLAX_ERROR_NAME(cudaErrorHostMemoryNotRegistered)
        PARALLAX_ERROR_NAME(cudaErrorMisalignedAddress)
        PARALLAX_ERROR_NAME(cudaErrorLaunchFailure)
        PARALLAX_ERROR_NAME(cudaErrorNotSupported)
        PARALLAX_ERROR_NAME(cudaErrorStreamCaptureUnsupported)
        PARALLAX_ERROR_NAME(cudaErrorStreamCaptureInvalidated)
        PARALLAX_ERROR_NAME(cudaErrorStreamCaptureMerge)
        PARALLAX_ERROR_NAME(cudaErrorStreamCaptureUnmatched)
        PARALLAX_ERROR_NAME(cudaErrorStreamCaptureUnjoined)
        PARALLAX_ERROR_NAME(cudaErrorStreamCaptureIsolation)
        PARALLAX_ERROR_NAME(cudaErrorStreamCaptureImplicit)
        PARALLAX_ERROR_NAME(cudaErrorCapturedEvent)
        PARALLAX_ERROR_NAME(cudaErrorGraphExecUpdateFailure)
        PARALLAX_ERROR_NAME(cudaErrorUnknown)
#undef PARALLAX_ERROR_NAME
    }
    return "unrecognized error code";
}
const char* cudaGetErrorString(cudaError_t error) {
    switch (error) {
        case cudaSuccess: return "no error";
        case cudaErrorMemoryAllocation: return "out of memory";
        case cudaErrorInvalidValue: return "invalid argument";
        case cudaErrorInvalidConfiguration: return "invalid configuration argument";
        case cudaErrorInvalidDevice: return "invalid device ordinal";
        case cudaErrorNotReady: return "device not ready";
        case cudaErrorIllegalAddress: return "an illegal memory access was encountered";
        case cudaErrorLaunchFailure: return "unspecified launch failure";
        case cudaErrorNotSupported: return "operation not supported by the emulated device";
        case cudaErrorStreamCaptureUnsupported: return "operation not permitted when stream is capturing";
        case cudaErrorStreamCaptureInvalidated: return "operation failed due to a previous error during capture";
        default: return cudaGetErrorName(error);
    }
}

cudaError_t cudaDriverGetVersion(int* version) {
    *version = CUDART_VERSION;
    return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) {
    *version = CUDART_VERSION;
    return cudaSuccess;
}
cudaError_t cudaGetDeviceCount(int* count) {
    *count = machine().deviceCount;
    return cudaSuccess;
}
cudaError_t cudaGetDevice(int* number) {
    *number = emulatedDevice::currentDevice;
    return cudaSuccess;
}
cudaError_t cudaSetDevice(int number) {
    if (!machine().isDevice(number)) return report(cudaErrorInvalidDevice);
    emulatedDevice::currentDevice = number;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int number) {
    if (!machine().isDevice(number)) return report(cudaErrorInvalidDevice);
    *p = {};
    std::snprintf(p->name, sizeof p->name, "%s", "Emulated device (no GPU)");
    p->totalGlobalMem = emulatedDevice::kMemory;
    p->sharedMemPerBlock = emulatedDevice::kSharedByDefault;
    p->regsPerBlock = p->regsPerMultiprocessor = 65536;
    p->warpSize = emulatedDevice::kWarpSize;
    p->maxThreadsPerBlock = 1024;
    p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024, p->maxThreadsDim[2] = 64;
    p->maxGridSize[0] = 0x7FFFFFFF, p->maxGridSize[1] = p->maxGridSize[2] = 65535;
    p->totalConstMem = 65536;
    p->major = 9, p->minor = 0;
    p->multiProcessorCount = emulatedDevice::kMultiprocessors;
    p->canMapHostMemory = p->concurrentKernels = p->unifiedAddressing = p->memoryPoolsSupported = 1;
    p->pciDomainID = 0xFFFF, p->pciBusID = number;
    p->asyncEngineCount = 2;
    p->memoryBusWidth = 64;
    p->l2CacheSize = 1 << 20;
    p->maxThreadsPerMultiProcessor = emulatedDevice::kThreadsPerMultiprocessor;
    p->sharedMemPerMultiprocessor = emulatedDevice::kSharedPerMultiprocessor;
    p->sharedMemPerBlockOptin = machine().sharedAtMost;
    p->reservedSharedMemPerBlock = emulatedDevice::kSharedReserved;
    p->maxBlocksPerMultiProcessor = emulatedDevice::kBlocksPerMultiprocessor;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int number) {
    cudaDeviceProp p;
    if (const cudaError_t e = cudaGetDeviceProperties(&p, number); e != cudaSuccess) return e;
    switch (attribute) {
        case cudaDevAttrMaxThreadsPerBlock: *value = p.maxThreadsPerBlock; break;
        case cudaDevAttrMaxBlockDimX: *value = p.maxThreadsDim[0]; break;
        case cudaDevAttrMaxBlockDimY: *value = p.maxThreadsDim[1]; break;
        case cudaDevAttrMaxBlockDimZ: *value = p.maxThreadsDim[2]; break;
        case cudaDevAttrMaxGridDimX: *value = p.maxGridSize[0]; break;
        case cudaDevAttrMaxGridDimY: *value = p.maxGridSize[1]; break;
        case cudaDevAttrMaxGridDimZ: *value = p.maxGridSize[2]; break;
        case cudaDevAttrMaxSharedMemoryPerBlock: *value = static_cast<int>(p.sharedMemPerBlock); break;
        case cudaDevAttrTotalConstantMemory: *value = static_cast<int>(p.totalConstMem); break;
        case cudaDevAttrWarpSize: *value = p.warpSize; break;
        case cudaDevAttrMaxRegistersPerBlock: *value = p.regsPerBlock; break;
        case cudaDevAttrClockRate: *value = 1'000'000; break;
        case cudaDevAttrMultiProcessorCount: *value = p.multiProcessorCount; break;
        case cudaDevAttrIntegrated: *value = p.integrated; break;
        case cudaDevAttrConcurrentKernels: *value = p.concurrentKernels; break;
        case cudaDevAttrMemoryClockRate: *value = 1'000'000; break;
        case cudaDevAttrGlobalMemoryBusWidth: *value = p.memoryBusWidth; break;
        case cudaDevAttrL2CacheSize: *value = p.l2CacheSize; break;
        case cudaDevAttrMaxThreadsPerMultiProcessor: *value = p.maxThreadsPerMultiProcessor; break;
        case cudaDevAttrAsyncEngineCount: *value = p.asyncEngineCount; break;
        case cudaDevAttrUnifiedAddressing: *value = p.unifiedAddressing; break;
        case cudaDevAttrComputeCapabilityMajor: *value = p.major; break;
        case cudaDevAttrComputeCapabilityMinor: *value = p.minor; break;
        case cudaDevAttrMaxSharedMemoryPerMultiprocessor: *value = static_cast<int>(p.sharedMemPerMultiprocessor); break;
        case cudaDevAttrMaxRegistersPerMultiprocessor: *value = p.regsPerMultiprocessor; break;
        case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = static_cast<int>(p.sharedMemPerBlockOptin); break;
        case cudaDevAttrMaxBlocksPerMultiprocessor: *value = p.maxBlocksPerMultiProcessor; break;
        case cudaDevAttrReservedSharedMemoryPerBlock: *value = static_cast<int>(p.reservedSharedMemPerBlock); break;
        case cudaDevAttrMemoryPoolsSupported: *value = p.memoryPoolsSupported; break;
        case cudaDevAttrCooperativeLaunch:
        case cudaDevAttrMaxPersistingL2CacheSize:
        case cudaDevAttrMaxAccessPolicyWindowSize: *value = 0; break;
        default: return report(cudaErrorInvalidValue);
    }
    return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int number) {
    if (!machine().isDevice(number)) return report(cudaErrorInvalidDevice);
    // Not a valid bus, so that the management library does not know it.
    if (length < 13) return report(cudaErrorInvalidValue);
    std::snprintf(text, static_cast<std::size_t>(length), "FFFF:%02X:00.0", static_cast<unsigned>(number));
    return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize() {
    Call call;
    if (const cudaError_t e = call.d.refuseWhileCapturing(); e != cudaSuccess) return call.end(e);
    call.d.runAll(call.lock, emulatedDevice::currentDevice);
    call.d.afterWait();
    return call.end(cudaSuccess);
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
    Call call;
    *total = emulatedDevice::kMemory;
    *free = emulatedDevice::kMemory - call.d.current().used;
    return call.end(cudaSuccess);
}
