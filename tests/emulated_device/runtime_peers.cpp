// SPDX-License-Identifier: GPL-3.0-or-later
// The runtime: access of devices to each other's memory.
#include <cstdlib>
#include <cstring>

#include "tests/emulated_device/device.hpp"

using emulatedDevice::Call;
using emulatedDevice::currentDevice;

namespace {

/// PARALLAX_EMULATED_PEERS=none: a machine whose devices do not reach each other.
bool canAccess(emulatedDevice::Machine& m, int device, int peer) {
    const char* const text = std::getenv("PARALLAX_EMULATED_PEERS");
    return m.isDevice(device) && m.isDevice(peer) && device != peer && !(text && std::strcmp(text, "none") == 0);
}

}  // namespace

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
    Call call;
    if (!call.d.isDevice(device) || !call.d.isDevice(peer)) return call.end(cudaErrorInvalidDevice);
    *can = canAccess(call.d, device, peer) ? 1 : 0;
    return call.end(cudaSuccess);
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
    Call call;
    if (flags != 0) return call.end(cudaErrorInvalidValue);
    if (!call.d.isDevice(peer)) return call.end(cudaErrorInvalidDevice);
    if (!canAccess(call.d, currentDevice, peer)) return call.end(cudaErrorPeerAccessUnsupported);
    return call.end(call.d.current().peers.insert(peer).second ? cudaSuccess : cudaErrorPeerAccessAlreadyEnabled);
}
cudaError_t cudaDeviceDisablePeerAccess(int peer) {
    Call call;
    return call.end(call.d.current().peers.erase(peer) > 0 ? cudaSuccess : cudaErrorPeerAccessNotEnabled);
}
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* descriptions, std::size_t count) {
    Call call;
    for (std::size_t i = 0; i < count; ++i) {
        const auto& [location, flags] = descriptions[i];
        if (location.type != cudaMemLocationTypeDevice) return call.end(cudaErrorInvalidValue);
        if (location.id == pool->device) continue;
        if (!canAccess(call.d, location.id, pool->device)) return call.end(cudaErrorInvalidDevice);
        if (flags == cudaMemAccessFlagsProtNone) pool->peers.erase(location.id);
        else pool->peers.insert(location.id);
    }
    return call.end(cudaSuccess);
}

namespace {

cudaError_t checkPlaces(Call& call, const void* to, int toDevice, const void* from, int fromDevice) {
    const auto a = call.d.allocationOf(to), b = call.d.allocationOf(from);
    const auto isOn = [&](auto found, int device) {
        return found != call.d.memory.end() && found->second.type == cudaMemoryTypeDevice && found->second.device == device;
    };
    return isOn(a, toDevice) && isOn(b, fromDevice) ? cudaSuccess : cudaErrorInvalidValue;
}

}  // namespace

cudaError_t cudaMemcpyPeerAsync(void* to, int toDevice, const void* from, int fromDevice, std::size_t bytes, cudaStream_t stream) {
    {
        Call call;
        if (const cudaError_t e = checkPlaces(call, to, toDevice, from, fromDevice); e != cudaSuccess) return call.end(e);
    }
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
}
cudaError_t cudaMemcpyPeer(void* to, int toDevice, const void* from, int fromDevice, std::size_t bytes) {
    const cudaError_t e = cudaMemcpyPeerAsync(to, toDevice, from, fromDevice, bytes, nullptr);
    return e != cudaSuccess ? e : cudaStreamSynchronize(nullptr);
}
