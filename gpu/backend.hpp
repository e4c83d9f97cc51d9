// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "core/engine/backend/backend.hpp"
#include "core/engine/backend/backend_names.hpp"

namespace parallax::gpu {

/// Modes and the capabilities that they stand for: pageLocked, overlapped, recorded.
inline constexpr const char* kModePinned = "pinned";
inline constexpr const char* kModeOverlapped = "overlapped";
inline constexpr const char* kModeGraph = "graph";

class CudaBackend final : public Backend {
public:
    CudaBackend();
    std::string id() const override { return "cuda"; }
    std::string title() const override { return kCudaTitle; }
    Availability availability() const override;
    std::vector<DeviceInfo> devices() const override;
    std::vector<const Implementation*> implementations() const override;
    std::vector<Condition> conditions(int device) const override;
    std::vector<CeilingRecord> measureCeilings(int device, const CeilingProbe& probe) const override;
    bool emptyCaches(int device) const override;
    EnergyReading energy(int device) const override;
    std::vector<std::pair<std::string, std::string>> buildDetails() const override;
    std::vector<ModeInfo> modes() const override;
    std::vector<std::pair<std::string, Capability>> capabilities() const override;
    std::unique_ptr<BackendSession> open(const RunContext& context) const override;
    std::shared_ptr<SampleTransport> connect(std::span<BackendSession* const> sessions) const override;

private:
    std::vector<std::unique_ptr<Implementation>> implementations_;
};

/// catalog.cpp
std::vector<std::unique_ptr<Implementation>> makeImplementations();

}  // namespace parallax::gpu
