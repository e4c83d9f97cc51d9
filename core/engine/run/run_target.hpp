// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/engine/backend/catalog.hpp"

namespace parallax {

/// A target that was opened: its session, and what planning must know about its device.
class RunTarget {
public:
    /// Opens a session for each part and makes `context` that of the runs of the first. Parts of a backend with memory of its own are on
    /// devices of their own. Throws Error(unavailable), or Error(usage) for unknown names.
    RunTarget(const Catalog& catalog, const Target& target, RunContext& context);

    const Target& target() const { return target_; }
    /// The session of a part. All of them have the same memory space.
    BackendSession& session(int part = 0) const { return *sessions_[static_cast<std::size_t>(part)]; }
    int parts() const { return target_.parts; }
    /// How the sessions exchange samples; null in host memory, and for a single part.
    const std::shared_ptr<SampleTransport>& transport() const { return transport_; }
    /// Waits for all work of all parts.
    void drain() const;
    const std::string& deviceName() const { return deviceName_; }
    int threads() const;  ///< of all parts; 0 for a device with memory of its own
    bool onHost() const { return isHostAccessible(session().memorySpace()); }
    /// Bytes of the device that has least; nothing if unknown, or if the sessions compute in host memory.
    std::optional<std::uint64_t> freeDeviceMemory() const { return freeDeviceMemory_; }

    /// Whether the target's modes ask for a capability.
    bool asksFor(Capability capability) const { return !modeOf(capability).empty(); }
    /// The mode of the target that asks for it; empty if none does.
    std::string modeOf(Capability capability) const;
    StripLimits stripLimits() const { return session().stripLimits(asksFor(Capability::pageLocked)); }
    StripLimits slabLimits() const { return session().slabLimits(asksFor(Capability::pageLocked)); }

    /// The context of a run or a query on a part of this target.
    RunContext contextFor(const RunContext& context, int part = 0) const;

private:
    void openOtherParts(const RunContext& context);
    void nameDevices();

    Target target_;
    const Backend* backend_;
    std::vector<std::unique_ptr<BackendSession>> sessions_;  // one for each part
    std::shared_ptr<SampleTransport> transport_;
    std::string deviceName_;
    std::vector<int> threads_;  // of each part; empty for a device
    std::optional<std::uint64_t> freeDeviceMemory_;
};

/// Makes `buffer` one of this layout unless it is: in the memory of a session, or without one in `hostMemory` (null: hostAllocator()).
/// Releases the old one first, since the peak counts.
void ensureBuffer(Buffer& buffer, const Layout& layout, BackendSession* session, std::shared_ptr<Allocator> hostMemory = nullptr);

}  // namespace parallax
