// SPDX-License-Identifier: GPL-3.0-or-later
// Turns results of CUDA calls into parallax::Error, or drops them where nothing may be thrown.
#pragma once

#include <cuda_runtime_api.h>

#include <new>
#include <string>

#include "core/image/error.hpp"

namespace parallax::gpu {

inline constexpr const char* kMemoryAdvice = "Use a smaller image, another device or a CPU backend";

[[noreturn]] inline void throwCuda(cudaError_t error, const char* what) {
    (void)cudaGetLastError();  // the next call must not report this error again
    const std::string why = std::string(cudaGetErrorName(error)) + ", " + cudaGetErrorString(error);
    switch (error) {
        case cudaErrorMemoryAllocation: throw Error(ErrorCode::memory, what, why, kMemoryAdvice);
        case cudaErrorNoDevice:
        case cudaErrorInvalidDevice:
        case cudaErrorInsufficientDriver:
        case cudaErrorDevicesUnavailable: throw Error(ErrorCode::unavailable, what, why);
        case cudaErrorNoKernelImageForDevice:
            throw Error(ErrorCode::unavailable, what, why, "Build with PARALLAX_CUDA_ALL_ARCHITECTURES=ON for this GPU");
        case cudaErrorIllegalAddress:
        case cudaErrorLaunchFailure:
        case cudaErrorAssert:
        case cudaErrorLaunchTimeout:
        case cudaErrorECCUncorrectable:
            throw Error(ErrorCode::failed, what, why, "This process can no longer use the device: restart the program");
        default: throw Error(ErrorCode::failed, what, why);
    }
}

/// Throws unless the call succeeded. `what`: a sentence for the user.
inline void check(cudaError_t error, const char* what) {
    if (error != cudaSuccess) throwCuda(error, what);
}
/// For destructors and error handling.
inline bool checkNoThrow(cudaError_t error) noexcept {
    if (error != cudaSuccess) (void)cudaGetLastError();
    return error == cudaSuccess;
}
/// To be called after each kernel launch.
inline void checkLaunch(const char* what) { check(cudaGetLastError(), what); }

/// Loads a kernel's code onto the current device, which CUDA otherwise does during the first (timed) run.
inline void preload(const void* kernel) {
    cudaFuncAttributes attributes{};
    check(cudaFuncGetAttributes(&attributes, kernel), "A kernel could not be loaded");
}
template <class... Arguments>
void preload(void (*kernel)(Arguments...)) {
    preload(reinterpret_cast<const void*>(kernel));
}

/// Shared memory that a block may have without opting in.
inline constexpr int kDefaultSharedBytes = 48 * 1024;
/// Returns the shared memory that a block of the current device may have by opting in.
inline int maxSharedBytes() {
    int device = 0, bytes = 0;
    check(cudaGetDevice(&device), "The current CUDA device could not be queried");
    check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device), "A property of the device could not be read");
    return bytes;
}
/// Opts in to `bytes` of dynamic shared memory if a kernel needs that.
inline void allowSharedMemory(const void* kernel, int bytes, const char* what = "The device has too little shared memory for a kernel") {
    if (bytes > kDefaultSharedBytes) check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes), what);
}

/// Makes a device current for this thread; the destructor restores the previous one.
class CurrentDevice {
public:
    explicit CurrentDevice(int device) {
        check(cudaGetDevice(&before_), "The current CUDA device could not be queried");
        if (before_ != device) check(cudaSetDevice(device), "The CUDA device could not be used");
        restore_ = before_ != device;
    }
    CurrentDevice(int device, std::nothrow_t) noexcept {
        restore_ = checkNoThrow(cudaGetDevice(&before_)) && before_ != device && checkNoThrow(cudaSetDevice(device));
    }
    ~CurrentDevice() {
        if (restore_) checkNoThrow(cudaSetDevice(before_));
    }
    CurrentDevice(const CurrentDevice&) = delete;
    CurrentDevice& operator=(const CurrentDevice&) = delete;

private:
    int before_ = 0;
    bool restore_ = false;
};

}  // namespace parallax::gpu
