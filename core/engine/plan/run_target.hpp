// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/engine/backend/catalog.hpp"
#include "core/parallel/rank_device.hpp"
#include "core/parallel/ranks.hpp"

namespace parallax {

/// The device of a rank, for backends that have some of their own: the ranks of a machine take those of the target in turn, else all of the
/// machine's from Target::device on. `devices`: of the machine. More ranks than devices share them.
int deviceOfRank(const Target& target, const Ranks& ranks, int devices);

/// A target that was opened: its session, and what planning must know about its device.
class RunTarget {
public:
    /// Opens a session for each part of this process and makes `context` that of the runs of the first. Parts of a backend with memory of
    /// its own are on devices of their own. If this process is a rank (processRanks()), each part is on a rank. Throws Error(unavailable),
    /// or Error(usage) for unknown names.
    RunTarget(const Catalog& catalog, const Target& target, RunContext& context);

    const Target& target() const { return target_; }
    /// The session of a part of this process. All of them have the same memory space.
    BackendSession& session(int part) const { return *sessions_[static_cast<std::size_t>(part - firstPart())]; }
    BackendSession& session() const { return *sessions_.front(); }
    /// Parts that this process divides the work into; 1 if another one divides it (RunsPipelines).
    int parts() const { return parts_; }
    /// The ranks that parts are on; null: all of them are in this process.
    Ranks* ranks() const { return ranks_.get(); }
    /// The first part of this process, which the others of it follow.
    int firstPart() const { return ranks_ ? ranks_->rank() : 0; }
    int partsHere() const { return ranks_ ? 1 : parts_; }
    /// How a part on a rank exchanges samples with the others; null in host memory, and in runs without ranks.
    RankDevice* rankDevice() const { return rankDevice_; }
    /// How the sessions exchange samples; null in host memory, and for a single part.
    const std::shared_ptr<SampleTransport>& transport() const { return transport_; }
    /// Waits for all work of all parts.
    void drain() const;
    const std::string& deviceName() const { return deviceName_; }
    int threads() const;  ///< of all parts of this process; 0 for a device with memory of its own
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
    RunContext contextFor(const RunContext& context, int part) const;
    RunContext contextFor(const RunContext& context) const { return contextFor(context, firstPart()); }

private:
    void requireRanks() const;
    void requireRankDevice();
    void openOtherParts(const RunContext& context);
    void nameDevices(const std::vector<DeviceInfo>& devices);

    Target target_;
    const Backend* backend_;
    int parts_;
    std::shared_ptr<Ranks> ranks_;
    std::vector<std::unique_ptr<BackendSession>> sessions_;  // one for each part of this process
    std::shared_ptr<SampleTransport> transport_;
    RankDevice* rankDevice_ = nullptr;
    int device_ = 0;  // of the first part of this process
    std::string deviceName_;
    std::vector<int> threads_;  // as sessions_; empty for a device
    std::optional<std::uint64_t> freeDeviceMemory_;
};

/// Makes `buffer` one of this layout unless it is: in the memory of a session, or without one in `hostMemory` (null: hostAllocator()).
/// Releases the old one first, since the peak counts.
void ensureBuffer(Buffer& buffer, const Layout& layout, BackendSession* session, std::shared_ptr<Allocator> hostMemory = nullptr);

}  // namespace parallax
