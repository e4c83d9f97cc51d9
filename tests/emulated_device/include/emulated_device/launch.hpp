// SPDX-License-Identifier: GPL-3.0-or-later
// Launches. translate.py translates kernel<<<grid, block, shared, stream>>>(arguments) into configure(grid, ...).kernel(name,
// kernel)(arguments). Arguments are converted and copied at the launch, and each thread gets its own copy.
#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace emulatedDevice {

struct Configuration {
    dim3 grid, block;
    std::size_t sharedBytes = 0;
    cudaStream_t stream = nullptr;
};

/// Enqueues a launch; `thread` is called once per thread. `address` identifies the kernel; nullptr if it cannot be named. Errors of the
/// configuration are left for cudaGetLastError().
void enqueueKernel(const Configuration& configuration, const char* name, const void* address, std::function<void()> thread);
/// Enqueues the work of a library on the device.
cudaError_t enqueueWork(cudaStream_t stream, const char* name, std::function<void()> work);
/// Memory that the driver maps: the runtime copies from and to it as its own, and does not guard it.
void addDriverMemory(void* p, std::size_t bytes);
void removeDriverMemory(void* p);

template <class... P>
class NamedKernel {
public:
    NamedKernel(const Configuration& configuration, const char* name, void (*kernel)(P...))
        : configuration_(configuration), name_(name), kernel_(kernel) {}
    template <class... A>
    void operator()(A&&... arguments) const {
        static_assert(sizeof...(A) == sizeof...(P));
        enqueueKernel(
            configuration_, name_, reinterpret_cast<const void*>(kernel_),
            [kernel = kernel_, copies = std::tuple<std::decay_t<P>...>(std::forward<A>(arguments)...)] { std::apply(kernel, copies); });
    }

private:
    Configuration configuration_;
    const char* name_;
    void (*kernel_)(P...);
};

/// A template with deduced arguments, which cannot be named and so has no attributes.
template <class Call>
class DeducedKernel {
public:
    DeducedKernel(const Configuration& configuration, const char* name, Call call)
        : configuration_(configuration), name_(name), call_(call) {}
    template <class... A>
    void operator()(A&&... arguments) const {
        enqueueKernel(configuration_, name_, nullptr,
                      [call = call_, copies = std::tuple<std::decay_t<A>...>(std::forward<A>(arguments)...)] { std::apply(call, copies); });
    }

private:
    Configuration configuration_;
    const char* name_;
    Call call_;
};

class Launcher {
public:
    explicit Launcher(const Configuration& configuration) : configuration_(configuration) {}
    template <class... P>
    NamedKernel<P...> kernel(const char* name, void (*f)(P...)) const {
        return {configuration_, name, f};
    }
    template <class Call>
    DeducedKernel<Call> deduced(const char* name, Call call) const {
        return {configuration_, name, call};
    }

private:
    Configuration configuration_;
};
inline Launcher configure(dim3 grid, dim3 block, std::size_t sharedBytes = 0, cudaStream_t stream = nullptr) {
    return Launcher({grid, block, sharedBytes, stream});
}

cudaError_t lastLaunchError();

}  // namespace emulatedDevice

/// Constants and variables of the device are variables of the process.
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(T& symbol, const void* from, std::size_t bytes, std::size_t offset = 0,
                                    cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = nullptr);
template <class T>
cudaError_t cudaMemcpyToSymbol(T& symbol, const void* from, std::size_t bytes, std::size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice);
template <class T>
cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, std::size_t bytes, std::size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost);
template <class T>
cudaError_t cudaGetSymbolAddress(void** p, T& symbol) {
    *p = const_cast<std::remove_const_t<T>*>(&symbol);
    return cudaSuccess;
}

namespace emulatedDevice {
/// A copy to or from a variable of the device.
cudaError_t copySymbol(void* to, const void* from, std::size_t bytes, bool toDevice, bool wait, cudaStream_t stream);
}  // namespace emulatedDevice

template <class T>
cudaError_t cudaMemcpyToSymbolAsync(T& symbol, const void* from, std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                                    cudaStream_t stream) {
    if (bytes > sizeof(T) || offset > sizeof(T) - bytes || kind != cudaMemcpyHostToDevice) return cudaErrorInvalidValue;
    return emulatedDevice::copySymbol(reinterpret_cast<char*>(&symbol) + offset, from, bytes, true, false, stream);
}
template <class T>
cudaError_t cudaMemcpyToSymbol(T& symbol, const void* from, std::size_t bytes, std::size_t offset, cudaMemcpyKind kind) {
    if (bytes > sizeof(T) || offset > sizeof(T) - bytes || kind != cudaMemcpyHostToDevice) return cudaErrorInvalidValue;
    return emulatedDevice::copySymbol(reinterpret_cast<char*>(&symbol) + offset, from, bytes, true, true, nullptr);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, std::size_t bytes, std::size_t offset, cudaMemcpyKind kind) {
    if (bytes > sizeof(T) || offset > sizeof(T) - bytes || kind != cudaMemcpyDeviceToHost) return cudaErrorInvalidValue;
    return emulatedDevice::copySymbol(to, reinterpret_cast<const char*>(&symbol) + offset, bytes, false, true, nullptr);
}

// ---- launches without <<<>>> ----------------------------------------------------------------------------------------------------------

enum cudaLaunchAttributeID { cudaLaunchAttributeProgrammaticStreamSerialization = 6 };
struct cudaLaunchAttribute {
    int id;
    union {
        char pad[64];
        int cooperative, priority, programmaticStreamSerializationAllowed;
    } val;
};
struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    std::size_t dynamicSmemBytes = 0;
    cudaStream_t stream = nullptr;
    cudaLaunchAttribute* attrs = nullptr;
    unsigned numAttrs = 0;
};
/// Kernels never begin before the previous one has ended; other attributes are not emulated.
template <class... P, class... A>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* c, void (*kernel)(P...), A&&... arguments) {
    for (unsigned i = 0; i < c->numAttrs; ++i)
        if (c->attrs[i].id != cudaLaunchAttributeProgrammaticStreamSerialization) return cudaErrorNotSupported;
    emulatedDevice::Launcher({c->gridDim, c->blockDim, c->dynamicSmemBytes, c->stream})
        .kernel("cudaLaunchKernelEx", kernel)(std::forward<A>(arguments)...);
    return emulatedDevice::lastLaunchError();
}
namespace emulatedDevice {
template <class... P, std::size_t... I>
cudaError_t launchFrom(const Configuration& configuration, void (*kernel)(P...), void** arguments, std::index_sequence<I...>) {
    Launcher(configuration).kernel("cudaLaunchKernel", kernel)(*static_cast<std::decay_t<P>*>(arguments[I])...);
    return lastLaunchError();
}
}  // namespace emulatedDevice
template <class... P>
cudaError_t cudaLaunchKernel(void (*kernel)(P...), dim3 grid, dim3 block, void** arguments, std::size_t sharedBytes = 0,
                             cudaStream_t stream = nullptr) {
    return emulatedDevice::launchFrom({grid, block, sharedBytes, stream}, kernel, arguments, std::index_sequence_for<P...>());
}
