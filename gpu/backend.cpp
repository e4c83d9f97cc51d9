// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallax/gpu/backend.hpp"

#include "parallax/gpu/runtime/device.hpp"
#include "parallax/gpu/session.hpp"

namespace parallax::gpu {

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

std::unique_ptr<BackendSession> CudaBackend::open(const RunContext& context) const {
    if (const Availability a = cudaAvailability(); !a.yes)
        throw Error(ErrorCode::unavailable, "CUDA is not available", a.reason, a.whatToDo);
    const int count = deviceCount();
    if (context.device < 0 || context.device >= count)
        throw Error(ErrorCode::unavailable, "There is no CUDA device " + std::to_string(context.device),
                    count == 1 ? "the only one is device 0" : "they are numbered 0 to " + std::to_string(count - 1),
                    "Choose one of those that 'devices' lists");
    return std::make_unique<CudaSession>(context.device);
}

}  // namespace parallax::gpu
