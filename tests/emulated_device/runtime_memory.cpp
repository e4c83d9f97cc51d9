// SPDX-License-Identifier: GPL-3.0-or-later
// The runtime: memory and pools.
#include "emulated_device/launch.hpp"
#include "tests/emulated_device/device.hpp"

namespace emulatedDevice {

void addDriverMemory(void* p, std::size_t bytes) {
    Call call;
    Allocation a;
    a.bytes = a.capacity = bytes;
    a.registered = true;
    call.d.memory[reinterpret_cast<std::uintptr_t>(p)] = a;
}

void removeDriverMemory(void* p) {
    Call call;
    call.d.memory.erase(reinterpret_cast<std::uintptr_t>(p));
}

}  // namespace emulatedDevice

using emulatedDevice::Call;
using emulatedDevice::currentDevice;
using emulatedDevice::machine;
using emulatedDevice::report;

cudaError_t cudaMalloc(void** p, std::size_t bytes) {
    Call call;
    if (const cudaError_t e = call.d.refuseWhileCapturing(); e != cudaSuccess) return call.end(e);
    return call.end(call.d.allocate(p, bytes));
}
cudaError_t cudaMallocPitch(void** p, std::size_t* pitch, std::size_t width, std::size_t height) {
    *pitch = (width + 511) / 512 * 512;
    return cudaMalloc(p, *pitch * height);
}
cudaError_t cudaFree(void* p) {
    Call call;
    if (!p) return call.end(cudaSuccess);
    if (const cudaError_t e = call.d.refuseWhileCapturing(); e != cudaSuccess) return call.end(e);
    call.d.runAll(call.lock, currentDevice);  // as in the real runtime
    const auto a = call.d.memory.find(reinterpret_cast<std::uintptr_t>(p));
    if (a == call.d.memory.end() || a->second.type != cudaMemoryTypeDevice || !a->second.given || a->second.registered)
        return call.end(cudaErrorInvalidValue);
    if (a->second.pool) a->second.pool->used -= a->second.capacity;
    call.d.unmake(a);
    return call.end(cudaSuccess);
}
cudaError_t cudaHostAlloc(void** p, std::size_t bytes, unsigned) {
    Call call;
    *p = nullptr;
    if (bytes == 0) return call.end(cudaSuccess);
    if (const cudaError_t e = call.d.refuseWhileCapturing(); e != cudaSuccess) return call.end(e);
    *p = call.d.make(bytes, bytes, cudaMemoryTypeHost, currentDevice, nullptr);
    return call.end(*p ? cudaSuccess : cudaErrorMemoryAllocation);
}
cudaError_t cudaMallocHost(void** p, std::size_t bytes) { return cudaHostAlloc(p, bytes, cudaHostAllocDefault); }
cudaError_t cudaFreeHost(void* p) {
    Call call;
    if (!p) return call.end(cudaSuccess);
    call.d.runAll(call.lock);
    const auto a = call.d.memory.find(reinterpret_cast<std::uintptr_t>(p));
    if (a == call.d.memory.end() || a->second.type != cudaMemoryTypeHost || a->second.registered) return call.end(cudaErrorInvalidValue);
    call.d.unmake(a);
    return call.end(cudaSuccess);
}
cudaError_t cudaHostRegister(void* p, std::size_t bytes, unsigned) {
    Call call;
    if (!p || bytes == 0) return call.end(cudaErrorInvalidValue);
    if (call.d.typeOf(p) != cudaMemoryTypeUnregistered) return call.end(cudaErrorHostMemoryAlreadyRegistered);
    emulatedDevice::Allocation a;
    a.bytes = a.capacity = bytes;
    a.type = cudaMemoryTypeHost;
    a.registered = true;
    call.d.memory[reinterpret_cast<std::uintptr_t>(p)] = a;
    return call.end(cudaSuccess);
}
cudaError_t cudaHostUnregister(void* p) {
    Call call;
    call.d.runAll(call.lock);
    const auto a = call.d.memory.find(reinterpret_cast<std::uintptr_t>(p));
    if (a == call.d.memory.end() || !a->second.registered) return call.end(cudaErrorHostMemoryNotRegistered);
    call.d.memory.erase(a);
    return call.end(cudaSuccess);
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* p) {
    Call call;
    *attributes = {};
    attributes->type = call.d.typeOf(p);
    attributes->device = attributes->type == cudaMemoryTypeUnregistered ? -2 : call.d.allocationOf(p)->second.device;
    attributes->devicePointer = attributes->type == cudaMemoryTypeUnregistered ? nullptr : const_cast<void*>(p);
    attributes->hostPointer = attributes->type == cudaMemoryTypeDevice ? nullptr : const_cast<void*>(p);
    return call.end(cudaSuccess);
}
cudaError_t cudaMallocFromPoolAsync(void** p, std::size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
    Call call;
    CUstream_st* const s = call.d.find(stream);
    if (!s) return call.end(cudaErrorInvalidResourceHandle);
    if (!pool) return call.end(cudaErrorInvalidValue);
    return call.end(call.d.allocateFromPool(call.lock, p, bytes, *pool, *s));
}
cudaError_t cudaMallocAsync(void** p, std::size_t bytes, cudaStream_t stream) {
    return cudaMallocFromPoolAsync(p, bytes, &machine().current().defaultPool, stream);
}
cudaError_t cudaFreeAsync(void* p, cudaStream_t stream) {
    Call call;
    if (!p) return call.end(cudaSuccess);
    CUstream_st* const s = call.d.find(stream);
    return call.end(s ? call.d.release(call.lock, p, *s) : cudaErrorInvalidResourceHandle);
}
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int number) {
    if (!machine().isDevice(number)) return report(cudaErrorInvalidDevice);
    *pool = &machine().of(number).defaultPool;
    return cudaSuccess;
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
    Call call;
    if (!call.d.isDevice(properties->location.id)) return call.end(cudaErrorInvalidDevice);
    if (properties->location.type != cudaMemLocationTypeDevice || properties->allocType != cudaMemAllocationTypePinned)
        return call.end(cudaErrorInvalidValue);
    call.d.pools.push_back(std::make_unique<CUmemPoolHandle_st>());
    *pool = call.d.pools.back().get();
    (*pool)->device = properties->location.id;
    return call.end(cudaSuccess);
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
    Call call;
    call.d.runAll(call.lock, pool->device);
    call.d.trim(*pool, 0);
    if (pool->reserved > 0) return call.end(cudaErrorNotSupported);  // memory that outlives its pool
    std::erase_if(call.d.pools, [&](const auto& p) { return p.get() == pool; });
    return call.end(cudaSuccess);
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
    Call call;
    if (attribute == cudaMemPoolAttrReleaseThreshold) pool->threshold = *static_cast<std::uint64_t*>(value);
    else if (attribute == cudaMemPoolAttrReservedMemHigh) pool->reservedHigh = pool->reserved;
    else if (attribute == cudaMemPoolAttrUsedMemHigh) pool->usedHigh = pool->used;
    else if (attribute > cudaMemPoolReuseAllowInternalDependencies) return call.end(cudaErrorInvalidValue);
    return call.end(cudaSuccess);
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
    const Call call;
    std::uint64_t v = 0;
    switch (attribute) {
        case cudaMemPoolAttrReleaseThreshold: v = pool->threshold; break;
        case cudaMemPoolAttrReservedMemCurrent: v = pool->reserved; break;
        case cudaMemPoolAttrReservedMemHigh: v = pool->reservedHigh; break;
        case cudaMemPoolAttrUsedMemCurrent: v = pool->used; break;
        case cudaMemPoolAttrUsedMemHigh: v = pool->usedHigh; break;
        default: return call.end(cudaErrorInvalidValue);
    }
    *static_cast<std::uint64_t*>(value) = v;
    return call.end(cudaSuccess);
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t bytesToKeep) {
    const Call call;
    call.d.trim(*pool, bytesToKeep);
    return call.end(cudaSuccess);
}
