// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/parallel/peer_access.hpp"

#include <cstdlib>
#include <mutex>
#include <set>
#include <string_view>
#include <utility>

#include "gpu/runtime/cuda_check.hpp"
#include "gpu/runtime/memory/memory_pool.hpp"

namespace parallax::gpu {
namespace {

constexpr const char* kPeerAccessName = "PARALLAX_CUDA_PEER_ACCESS";

/// Calls use(device, peer) for all pairs.
template <class F>
void forPairs(const std::vector<int>& devices, F&& use) {
    for (const int device : devices)
        for (const int peer : devices)
            if (device != peer) use(device, peer);
}

}  // namespace

std::string whyNoPeerAccess(const std::vector<int>& devices) {
    if (const char* const text = std::getenv(kPeerAccessName); text && std::string_view(text) == "off")
        return std::string(kPeerAccessName) + " is off";
    std::string why;
    forPairs(devices, [&](int device, int peer) {
        int can = 0;
        if (!why.empty() || (checkNoThrow(cudaDeviceCanAccessPeer(&can, device, peer)) && can != 0)) return;
        why = "device " + std::to_string(device) + " cannot access the memory of device " + std::to_string(peer);
    });
    return why;
}

void enablePeerAccess(const std::vector<int>& devices) {
    static std::mutex mutex;
    static std::set<std::pair<int, int>> enabled;
    const std::scoped_lock lock(mutex);
    forPairs(devices, [&](int device, int peer) {
        const CurrentDevice current(device);
        MemoryPool::of(device).giveAccess(peer);
        // For copies, and for memory outside of pools. An error if it is enabled already.
        if (enabled.contains({device, peer})) return;
        const cudaError_t error = cudaDeviceEnablePeerAccess(peer, 0);
        if (error == cudaErrorPeerAccessAlreadyEnabled) (void)cudaGetLastError();
        else check(error, "A CUDA device could not be given access to the memory of another one");
        enabled.emplace(device, peer);
    });
}

}  // namespace parallax::gpu
