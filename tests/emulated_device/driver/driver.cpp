// SPDX-License-Identifier: GPL-3.0-or-later
// The functions of CUDA's driver that parallax-kernel-host calls, on the emulated device. Modules are shared libraries, as nvrtc.cpp makes
// them. Built as libcuda.so.1, in a folder of its own.
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <string>

#include "emulated_device/launch.hpp"

namespace {

constexpr int kInvalidValue = 1, kOutOfMemory = 2, kNotFound = 500, kInvalidImage = 200;
constexpr int kSharedOptIn = 227 << 10, kThreadsOfMultiprocessor = 2048;

/// Writes a kernel with copies of its arguments into the function of a thread.
using Bind = void (*)(void** arguments, std::function<void()>* thread);

template <class T>
cudaStream_t asStream(T* stream) {
    return reinterpret_cast<cudaStream_t>(stream);
}

}  // namespace

extern "C" {
struct CUctx_st {};
struct CUmod_st {
    void* library = nullptr;
};
struct CUfunc_st {
    std::string name;
    Bind bind = nullptr;
    int dynamicShared = 0;
};
struct CUstream_st;
struct CUevent_st;
using Pointer = unsigned long long;

int cuInit(unsigned) { return 0; }
int cuDriverGetVersion(int* version) {
    *version = 13000;
    return 0;
}
int cuDeviceGetCount(int* count) { return cudaGetDeviceCount(count); }
int cuDeviceGet(int* device, int index) {
    *device = index;
    return 0;
}
int cuDeviceGetName(char* name, int length, int) {
    std::strncpy(name, "Emulated device (no GPU)", static_cast<std::size_t>(length) - 1);
    return 0;
}
int cuDeviceTotalMem_v2(std::size_t* bytes, int) {
    *bytes = std::size_t{1} << 30;
    return 0;
}
int cuDeviceGetAttribute(int* value, int which, int) {
    static const std::map<int, int> values{{16, 4}, {39, kThreadsOfMultiprocessor}, {75, 9}, {76, 0}, {97, kSharedOptIn}, {102, 1}};
    const auto found = values.find(which);
    if (found == values.end()) return kInvalidValue;
    *value = found->second;
    return 0;
}
int cuDevicePrimaryCtxRetain(CUctx_st** context, int device) {
    static CUctx_st only;
    *context = &only;
    return cudaSetDevice(device);
}
int cuCtxSetCurrent(CUctx_st*) { return 0; }
int cuCtxSynchronize() { return cudaDeviceSynchronize(); }
int cuGetErrorString(int result, const char** text) {
    *text = cudaGetErrorString(static_cast<cudaError_t>(result));
    return 0;
}

int cuModuleLoadData(CUmod_st** module, const void* image) {
    std::size_t bytes = 0;
    const char* const from = static_cast<const char*>(image);
    if (std::memcmp(from, "EMULATED", 8) != 0) return kInvalidImage;
    std::memcpy(&bytes, from + 8, sizeof bytes);
    const int file = memfd_create("emulated-module", MFD_CLOEXEC);
    if (file < 0 || write(file, from + 16, bytes) != static_cast<ssize_t>(bytes)) return kInvalidImage;
    void* const library = dlopen(("/proc/self/fd/" + std::to_string(file)).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        std::fprintf(stderr, "%s\n", dlerror());
        return kInvalidImage;
    }
    *module = new CUmod_st{library};
    return 0;
}
int cuModuleUnload(CUmod_st*) { return 0; }
int cuModuleGetFunction(CUfunc_st** function, CUmod_st* module, const char* name) {
    void* const bind = dlsym(module->library, ("emulatedBind_" + std::string(name)).c_str());
    if (!bind) return kNotFound;
    *function = new CUfunc_st{name, reinterpret_cast<Bind>(bind)};
    return 0;
}
int cuModuleGetGlobal_v2(Pointer* address, std::size_t* bytes, CUmod_st* module, const char* name) {
    void* const variable = dlsym(module->library, name);
    Dl_info info{};
    const ElfW(Sym)* symbol = nullptr;
    if (!variable || dladdr1(variable, &info, const_cast<void**>(reinterpret_cast<const void**>(&symbol)), RTLD_DL_SYMENT) == 0 || !symbol)
        return kNotFound;
    *address = reinterpret_cast<Pointer>(variable);
    *bytes = symbol->st_size;
    return 0;
}
int cuFuncGetAttribute(int* value, int which, CUfunc_st*) {
    constexpr int kRegisters = 4;
    *value = which == kRegisters ? 32 : 0;
    return 0;
}
int cuFuncSetAttribute(CUfunc_st* function, int, int value) {
    if (value > kSharedOptIn) return kInvalidValue;
    function->dynamicShared = value;
    return 0;
}
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunc_st*, int threads, std::size_t shared) {
    *blocks = std::min({kThreadsOfMultiprocessor / std::max(threads, 1), static_cast<int>(kSharedOptIn / (shared + 1024)), 32});
    return 0;
}
int cuLaunchKernel(CUfunc_st* f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared,
                   CUstream_st* stream, void** arguments, void**) {
    if (static_cast<int>(shared) > std::max(f->dynamicShared, 48 << 10)) return kInvalidValue;
    std::function<void()> thread;
    f->bind(arguments, &thread);
    // No key: limits of dynamic shared memory are those above.
    cudaFuncSetAttribute(reinterpret_cast<const void*>(f->bind), cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedOptIn);
    emulatedDevice::enqueueKernel({dim3(gx, gy, gz), dim3(bx, by, bz), shared, asStream(stream)}, f->name.c_str(),
                                  reinterpret_cast<const void*>(f->bind), thread);
    return emulatedDevice::lastLaunchError();
}

int cuStreamCreate(CUstream_st** stream, unsigned) { return cudaStreamCreate(reinterpret_cast<cudaStream_t*>(stream)); }
int cuStreamSynchronize(CUstream_st* stream) { return cudaStreamSynchronize(asStream(stream)); }
int cuEventCreate(CUevent_st** event, unsigned) { return cudaEventCreate(reinterpret_cast<cudaEvent_t*>(event)); }
int cuEventRecord(CUevent_st* event, CUstream_st* stream) {
    return cudaEventRecord(reinterpret_cast<cudaEvent_t>(event), asStream(stream));
}
int cuEventElapsedTime(float* milliseconds, CUevent_st* begin, CUevent_st* end) {
    return cudaEventElapsedTime(milliseconds, reinterpret_cast<cudaEvent_t>(begin), reinterpret_cast<cudaEvent_t>(end));
}
/// Kernels begin when somebody waits for them, so that nothing needs to hold them back.
int cuStreamWaitValue32_v2(CUstream_st*, Pointer, std::uint32_t, unsigned) { return 0; }

int cuMemAlloc_v2(Pointer* address, std::size_t bytes) { return cudaMalloc(reinterpret_cast<void**>(address), bytes); }
int cuMemFree_v2(Pointer address) { return cudaFree(reinterpret_cast<void*>(address)); }
int cuMemcpyHtoDAsync_v2(Pointer to, const void* from, std::size_t bytes, CUstream_st* stream) {
    return emulatedDevice::enqueueWork(asStream(stream), "copy", [=] { std::memcpy(reinterpret_cast<void*>(to), from, bytes); });
}
int cuMemcpyDtoHAsync_v2(void* to, Pointer from, std::size_t bytes, CUstream_st* stream) {
    return emulatedDevice::enqueueWork(asStream(stream), "copy", [=] { std::memcpy(to, reinterpret_cast<const void*>(from), bytes); });
}
int cuMemsetD32Async(Pointer to, unsigned value, std::size_t count, CUstream_st* stream) {
    return emulatedDevice::enqueueWork(asStream(stream), "fill", [=] { std::fill_n(reinterpret_cast<unsigned*>(to), count, value); });
}
int cuMemHostAlloc(void** p, std::size_t bytes, unsigned) {
    *p = std::aligned_alloc(64, bytes);
    return *p ? 0 : kOutOfMemory;
}
int cuMemHostRegister_v2(void*, std::size_t, unsigned) { return 0; }

// Addresses without access until memory is mapped there.
int cuMemGetAllocationGranularity(std::size_t* bytes, const void*, int) {
    *bytes = std::size_t{64} << 10;
    return 0;
}
int cuMemAddressReserve(Pointer* address, std::size_t bytes, std::size_t, Pointer, unsigned long long) {
    void* const p = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) return kOutOfMemory;
    *address = reinterpret_cast<Pointer>(p);
    return 0;
}
int cuMemAddressFree(Pointer address, std::size_t bytes) {
    return munmap(reinterpret_cast<void*>(address), bytes) == 0 ? 0 : kInvalidValue;
}
int cuMemCreate(Pointer* handle, std::size_t bytes, const void*, unsigned long long) {
    if (bytes > std::size_t{1} << 30) return kOutOfMemory;
    *handle = bytes;
    return 0;
}
int cuMemRelease(Pointer) { return 0; }
int cuMemMap(Pointer, std::size_t bytes, std::size_t, Pointer handle, unsigned long long) { return bytes == handle ? 0 : kInvalidValue; }
int cuMemUnmap(Pointer address, std::size_t bytes) {
    emulatedDevice::removeDriverMemory(reinterpret_cast<void*>(address));
    return mprotect(reinterpret_cast<void*>(address), bytes, PROT_NONE) == 0 ? 0 : kInvalidValue;
}
int cuMemSetAccess(Pointer address, std::size_t bytes, const void*, std::size_t) {
    emulatedDevice::addDriverMemory(reinterpret_cast<void*>(address), bytes);
    return mprotect(reinterpret_cast<void*>(address), bytes, PROT_READ | PROT_WRITE) == 0 ? 0 : kInvalidValue;
}
}
