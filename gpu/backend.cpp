// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/backend.hpp"

#include <cuda_runtime_api.h>

#include <cstddef>

#include "gpu/measure/ceilings.hpp"
#include "gpu/parallel/peer_transport.hpp"
#include "gpu/parallel/session_group.hpp"
#include "gpu/runtime/cuda_check.hpp"
#include "gpu/runtime/device.hpp"
#include "gpu/runtime/memory/device_buffer.hpp"
#include "gpu/runtime/memory/memory_pool.hpp"
#include "gpu/runtime/stream.hpp"
#include "gpu/session.hpp"

namespace parallax::gpu {
namespace {

void requireDevice(int device) {
    if (const Availability a = cudaAvailability(); !a.yes)
        throw Error(ErrorCode::unavailable, "CUDA is not available", a.reason, a.whatToDo);
    const int count = deviceCount();
    if (device < 0 || device >= count)
        throw Error(ErrorCode::unavailable, "CUDA device " + std::to_string(device) + " does not exist",
                    count == 1 ? "the only device is 0" : "devices are numbered 0 to " + std::to_string(count - 1),
                    "Choose a device that 'devices' lists");
}

}  // namespace

CudaBackend::CudaBackend() : implementations_(makeImplementations()) {}

Availability CudaBackend::availability() const { return cudaAvailability(); }

std::vector<DeviceInfo> CudaBackend::devices() const {
    if (!cudaAvailability().yes) return {};
    return listDevices();
}

std::vector<const Implementation*> CudaBackend::implementations() const {
    std::vector<const Implementation*> all;
    for (const auto& i : implementations_) all.push_back(i.get());
    return all;
}

std::vector<Condition> CudaBackend::conditions(int device) const {
    if (!cudaAvailability().yes) return {};
    return conditionsOf(deviceState(device));
}

std::vector<CeilingRecord> CudaBackend::measureCeilings(int device, const CeilingProbe& probe) const {
    requireDevice(device);
    return measureDeviceCeilings(device, probe);
}

bool CudaBackend::emptyCaches(int device) const {
    constexpr const char* what = "The caches of the device could not be emptied";
    requireDevice(device);
    const CurrentDevice current(device);
    const auto stream = std::make_shared<Stream>(device);
    // Several times the L2, whose lines may be held in both of its halves. Other caches do not outlive a kernel.
    DeviceBuffer<std::byte> written(makeStreamAllocator(MemoryPool::of(device), stream), 4 * deviceLimits(device).cacheBytes);
    if (written.size() == 0) return false;
    check(cudaMemsetAsync(written.data(), 0, written.size(), stream->get()), what);
    check(cudaStreamSynchronize(stream->get()), what);
    return true;
}

EnergyReading CudaBackend::energy(int device) const {
    if (const Availability a = cudaAvailability(); !a.yes) return {{}, {}, a.reason};
    return energyOf(device);
}

std::vector<std::pair<std::string, std::string>> CudaBackend::buildDetails() const {
    return {{"compiler", PARALLAX_CUDA_COMPILER},
            {"flags", PARALLAX_CUDA_COMPILER_FLAGS},
            {"device code for", PARALLAX_CUDA_ARCHITECTURES},
            {"CUDA runtime", std::to_string(CUDART_VERSION / 1000) + "." + std::to_string(CUDART_VERSION % 1000 / 10)}};
}

std::vector<ModeInfo> CudaBackend::modes() const {
    return {{{kModeGraph}, "The first run records the kernels in a CUDA graph, later runs start them with one call"},
            {{kModeGraph, kModePinned}, "As 'graph', with image and result in page-locked memory"},
            {{kModeOverlapped},
             "In strips: upload, compute and download overlap in three streams; pageable memory is copied through page-locked buffers"},
            {{kModeOverlapped, kModePinned},
             "In strips: upload, compute and download overlap in three streams; image and result in page-locked memory"},
            {{kModePinned}, "Image and result in page-locked memory; the image is copied there in the stage 'prepare'"}};
}

std::vector<std::pair<std::string, Capability>> CudaBackend::capabilities() const {
    return {{kModeGraph, Capability::recorded}, {kModeOverlapped, Capability::overlapped}, {kModePinned, Capability::pageLocked}};
}

std::unique_ptr<BackendSession> CudaBackend::open(const RunContext& context) const {
    requireDevice(context.device);
    checkMemoryLimit();
    return std::make_unique<CudaSession>(context.device);
}

std::shared_ptr<SampleTransport> CudaBackend::connect(std::span<BackendSession* const> sessions) const {
    std::vector<CudaSession*> own;
    std::vector<int> devices;
    for (BackendSession* const session : sessions) {
        own.push_back(&dynamic_cast<CudaSession&>(*session));
        devices.push_back(own.back()->device());
    }
    const auto group = std::make_shared<SessionGroup>(devices);
    for (std::size_t rank = 0; rank < own.size(); ++rank) own[rank]->join(group, static_cast<int>(rank));
    return makePeerTransport(own);
}

}  // namespace parallax::gpu
