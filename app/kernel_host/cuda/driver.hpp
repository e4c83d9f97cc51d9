// SPDX-License-Identifier: GPL-3.0-or-later
// The driver of CUDA, loaded at run time. Types and numbers are those of its documented interface (CUDA Driver API, cuda.h), declared here
// so that this program is built without the toolkit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

extern "C" {
struct CUctx_st;
struct CUmod_st;
struct CUfunc_st;
struct CUstream_st;
struct CUevent_st;
}

namespace parallax::user {

using DevicePointer = unsigned long long;
using AllocationHandle = unsigned long long;

struct MemoryLocation {
    int type = 1;  // CU_MEM_LOCATION_TYPE_DEVICE
    int id = 0;
};
struct AllocationProperties {
    int type = 1;  // CU_MEM_ALLOCATION_TYPE_PINNED
    int handleTypes = 0;
    MemoryLocation location;
    void* unused = nullptr;
    unsigned char flags[8] = {};
};
struct AccessDescription {
    MemoryLocation location;
    int flags = 3;  // CU_MEM_ACCESS_FLAGS_PROT_READWRITE
};

/// Results of the driver that kernels lead to.
enum Result : int {
    kSuccess = 0,
    kOutOfMemory = 2,
    kNoBinary = 209,
    kNotFound = 500,
    kIllegalAddress = 700,
    kOutOfResources = 701,
    kTimeout = 702,
    kAssert = 710,
    kIllegalInstruction = 715,
    kMisalignedAddress = 716,
    kInvalidAddressSpace = 717,
    kLaunchFailed = 719
};
enum DeviceAttribute : int {
    kMultiprocessors = 16,
    kThreadsOfMultiprocessor = 39,
    kCapabilityMajor = 75,
    kCapabilityMinor = 76,
    kSharedOptIn = 97,
    kVirtualMemory = 102
};
enum FunctionAttribute : int { kStaticShared = 1, kLocalBytes = 3, kRegisters = 4, kDynamicShared = 8 };

/// Functions of the driver: X(symbol, parameters).
#define PARALLAX_DRIVER_FUNCTIONS(X)                                                                                                    \
    X(cuInit, (unsigned))                                                                                                               \
    X(cuDriverGetVersion, (int*))                                                                                                       \
    X(cuDeviceGetCount, (int*))                                                                                                         \
    X(cuDeviceGet, (int*, int))                                                                                                         \
    X(cuDeviceGetName, (char*, int, int))                                                                                               \
    X(cuDeviceTotalMem_v2, (std::size_t*, int))                                                                                         \
    X(cuDeviceGetAttribute, (int*, int, int))                                                                                           \
    X(cuDevicePrimaryCtxRetain, (CUctx_st**, int))                                                                                      \
    X(cuCtxSetCurrent, (CUctx_st*))                                                                                                     \
    X(cuCtxSynchronize, ())                                                                                                             \
    X(cuGetErrorString, (int, const char**))                                                                                            \
    X(cuModuleLoadData, (CUmod_st**, const void*))                                                                                      \
    X(cuModuleUnload, (CUmod_st*))                                                                                                      \
    X(cuModuleGetFunction, (CUfunc_st**, CUmod_st*, const char*))                                                                       \
    X(cuModuleGetGlobal_v2, (DevicePointer*, std::size_t*, CUmod_st*, const char*))                                                     \
    X(cuFuncGetAttribute, (int*, int, CUfunc_st*))                                                                                      \
    X(cuFuncSetAttribute, (CUfunc_st*, int, int))                                                                                       \
    X(cuOccupancyMaxActiveBlocksPerMultiprocessor, (int*, CUfunc_st*, int, std::size_t))                                                \
    X(cuLaunchKernel, (CUfunc_st*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream_st*, void**, void**)) \
    X(cuStreamCreate, (CUstream_st**, unsigned))                                                                                        \
    X(cuStreamSynchronize, (CUstream_st*))                                                                                              \
    X(cuEventCreate, (CUevent_st**, unsigned))                                                                                          \
    X(cuEventRecord, (CUevent_st*, CUstream_st*))                                                                                       \
    X(cuEventElapsedTime, (float*, CUevent_st*, CUevent_st*))                                                                           \
    X(cuMemAlloc_v2, (DevicePointer*, std::size_t))                                                                                     \
    X(cuMemFree_v2, (DevicePointer))                                                                                                    \
    X(cuMemcpyHtoDAsync_v2, (DevicePointer, const void*, std::size_t, CUstream_st*))                                                    \
    X(cuMemcpyDtoHAsync_v2, (void*, DevicePointer, std::size_t, CUstream_st*))                                                          \
    X(cuMemsetD32Async, (DevicePointer, unsigned, std::size_t, CUstream_st*))                                                           \
    X(cuMemHostAlloc, (void**, std::size_t, unsigned))                                                                                  \
    X(cuMemHostRegister_v2, (void*, std::size_t, unsigned))                                                                             \
    X(cuMemAddressReserve, (DevicePointer*, std::size_t, std::size_t, DevicePointer, unsigned long long))                               \
    X(cuMemAddressFree, (DevicePointer, std::size_t))                                                                                   \
    X(cuMemCreate, (AllocationHandle*, std::size_t, const AllocationProperties*, unsigned long long))                                   \
    X(cuMemRelease, (AllocationHandle))                                                                                                 \
    X(cuMemMap, (DevicePointer, std::size_t, std::size_t, AllocationHandle, unsigned long long))                                        \
    X(cuMemUnmap, (DevicePointer, std::size_t))                                                                                         \
    X(cuMemSetAccess, (DevicePointer, std::size_t, const AccessDescription*, std::size_t))                                              \
    X(cuMemGetAllocationGranularity, (std::size_t*, const AllocationProperties*, int))                                                  \
    X(cuStreamWaitValue32_v2, (CUstream_st*, DevicePointer, std::uint32_t, unsigned))

struct Driver {
#define PARALLAX_DECLARE(name, parameters) int(*name) parameters = nullptr;
    PARALLAX_DRIVER_FUNCTIONS(PARALLAX_DECLARE)
#undef PARALLAX_DECLARE
    int (*cuFuncGetParamInfo)(CUfunc_st*, std::size_t, std::size_t*, std::size_t*) = nullptr;  ///< since CUDA 12.4; may be null
};

/// Why kernels in CUDA cannot run, and what to do.
class NoDevice : public std::runtime_error {
public:
    NoDevice(const std::string& reason, std::string whatToDo) : std::runtime_error(reason), advice(std::move(whatToDo)) {}
    std::string advice;
};

/// The driver, initialised. Throws NoDevice.
const Driver& driver();

/// "an illegal memory access was encountered".
std::string textOf(int result);

/// Throws std::runtime_error that begins with `what`, or std::bad_alloc as a runtime_error with the words of the C++ host.
void check(int result, const char* what);

/// parallax-kernel-host --devices: prints a line for each device, as core/kernels/cuda/devices.cpp reads it. Returns the exit code: 3
/// without a device, with the reason and an advice as two lines.
int printDevices();

}  // namespace parallax::user
