// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include "core/engine/backend/catalog.hpp"

namespace parallax {

/// A target that was opened: its session, and what planning must know about its device.
class RunTarget {
public:
    /// Opens a session and makes `context` that of its runs. Throws Error(unavailable) or Error(usage) for unknown names.
    RunTarget(const Catalog& catalog, const Target& target, RunContext& context);

    const Target& target() const { return target_; }
    BackendSession& session() const { return *session_; }
    const std::string& deviceName() const { return deviceName_; }
    int threads() const { return threads_; }  ///< that run it; 0 for a device with memory of its own
    bool onHost() const { return isHostAccessible(session_->memorySpace()); }
    /// Bytes; nothing if unknown, or if the session computes in host memory.
    std::optional<std::uint64_t> freeDeviceMemory() const { return freeDeviceMemory_; }

    /// Whether the target's modes ask for a capability.
    bool asksFor(Capability capability) const { return !modeOf(capability).empty(); }
    /// The mode of the target that asks for it; empty if none does.
    std::string modeOf(Capability capability) const;
    StripLimits stripLimits() const { return session_->stripLimits(asksFor(Capability::pageLocked)); }
    StripLimits slabLimits() const { return session_->slabLimits(asksFor(Capability::pageLocked)); }

    /// The context of a run or a query on this target.
    RunContext contextFor(const RunContext& context) const;

private:
    Target target_;
    const Backend* backend_;
    std::unique_ptr<BackendSession> session_;
    std::string deviceName_;
    int threads_ = 0;
    std::optional<std::uint64_t> freeDeviceMemory_;
};

/// Makes `buffer` one of this layout unless it is: in the memory of a session, or without one in `hostMemory` (null: hostAllocator()).
/// Releases the old one first, since the peak counts.
void ensureBuffer(Buffer& buffer, const Layout& layout, BackendSession* session, std::shared_ptr<Allocator> hostMemory = nullptr);

}  // namespace parallax
