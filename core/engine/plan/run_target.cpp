// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/plan/run_target.hpp"

#include <algorithm>
#include <numeric>

#include "core/engine/backend/resource_limits.hpp"
#include "core/engine/run/remote_run.hpp"
#include "core/engine/run/translated_errors.hpp"
#include "core/parallel/partition.hpp"

namespace parallax {
namespace {

/// Threads compute, if in memory that this process cannot access.
bool areProcessor(const std::vector<DeviceInfo>& devices) {
    return !devices.empty() && std::all_of(devices.begin(), devices.end(), [](const DeviceInfo& d) { return d.name == processorName(); });
}

}  // namespace

int deviceOfRank(const Target& target, const Ranks& ranks, int devices) {
    int before = 0;  // ranks of this machine
    for (int r = 0; r < ranks.rank(); ++r) before += ranks.host(r) == ranks.host(ranks.rank());
    if (!target.otherDevices.empty()) return target.deviceOf(before % (1 + static_cast<int>(target.otherDevices.size())));
    // One that does not exist is refused when it is opened.
    return target.device < devices ? (target.device + before) % devices : target.device;
}

RunTarget::RunTarget(const Catalog& catalog, const Target& target, RunContext& context)
    : target_(target),
      backend_(&catalog.availableBackend(target.backend)),
      parts_(dynamic_cast<const RunsPipelines*>(backend_) ? 1 : target.parts) {
    catalog.checkModes(target);
    if (parts_ > 1) ranks_ = processRanks();
    if (ranks_) requireRanks();
    device_ = ranks_ ? deviceOfRank(target, *ranks_, static_cast<int>(backend_->devices().size())) : target.device;
    context.device = device_;
    if (target.threads > 0) context.threads = target.threads;
    translated(target.label(), [&] { sessions_.push_back(backend_->open(context)); });
    if (ranks_) requireRankDevice();
    else openOtherParts(context);
    context.session = &session();
    const std::vector<DeviceInfo> devices = backend_->devices();  // with the memory that the sessions have left
    nameDevices(devices);
    if (!onHost() && !areProcessor(devices)) return;
    const Partition shares(backend_->isSerial() ? 1 : effectiveThreads(context), partsHere());
    for (int part = 0; part < partsHere(); ++part) threads_.push_back(static_cast<int>(std::max<std::int64_t>(1, shares[part].count())));
}

void RunTarget::requireRanks() const {
    const std::string parts = std::to_string(target_.parts);
    if (target_.parts > ranks_->size())
        throw Error(ErrorCode::unavailable, "'" + target_.label() + "' cannot do this",
                    "it needs " + parts + " ranks, and " + std::to_string(ranks_->size()) + " were started",
                    "Start more ranks, as in 'mpirun -n " + parts + "'");
}

void RunTarget::requireRankDevice() {
    if (onHost()) return;
    rankDevice_ = dynamic_cast<RankDevice*>(&session());
    if (!rankDevice_)
        throw Error(ErrorCode::unavailable, "'" + target_.label() + "' cannot do this",
                    "it has memory of its own, from which ranks cannot exchange",
                    "Use 'cuda' or a CPU backend, or '" + target_.label() + "' in parallax-cli");
}

/// Opens the sessions of the other parts, on their devices.
void RunTarget::openOtherParts(const RunContext& context) {
    const int existing = onHost() ? 0 : static_cast<int>(backend_->devices().size());
    int highest = 0;
    for (int part = 0; part < parts_; ++part) highest = std::max(highest, target_.deviceOf(part));
    if (!onHost() && highest >= existing) {
        const std::string needed = target_.otherDevices.empty()
                                       ? std::to_string(target_.parts) + " devices from device " + std::to_string(target_.device) + " on"
                                       : "device " + std::to_string(highest);
        throw Error(
            ErrorCode::unavailable, "'" + target_.label() + "' cannot do this",
            "it needs " + needed + ", and " + (existing == 1 ? "one device was" : std::to_string(existing) + " devices were") + " found",
            "Leave @" + std::to_string(target_.parts) + " out; 'parallax-cli devices' lists the devices");
    }
    RunContext own = context;
    while (static_cast<int>(sessions_.size()) < parts_) {
        if (!onHost()) own.device = target_.deviceOf(static_cast<int>(sessions_.size()));
        translated(target_.label(), [&] { sessions_.push_back(backend_->open(own)); });
    }
    if (onHost() || parts_ == 1) return;
    std::vector<BackendSession*> all;
    for (const auto& s : sessions_) all.push_back(s.get());
    translated(target_.label(), [&] { transport_ = backend_->connect(all); });
}

void RunTarget::nameDevices(const std::vector<DeviceInfo>& devices) {
    const std::uint64_t limit = resourceLimits().deviceBytes;
    std::vector<std::string> names;
    std::vector<int> used;
    used.push_back(device_);
    for (int part = 1; part < (onHost() ? 1 : partsHere()); ++part) used.push_back(target_.deviceOf(part));
    for (const DeviceInfo& d : devices) {
        if (std::find(used.begin(), used.end(), d.index) == used.end()) continue;
        names.push_back(d.name);
        if (onHost()) continue;
        const std::uint64_t free = limit > 0 ? std::min(d.memoryFree, limit) : d.memoryFree;
        freeDeviceMemory_ = std::min(freeDeviceMemory_.value_or(free), free);
    }
    const bool alike = !names.empty() && std::count(names.begin(), names.end(), names[0]) == static_cast<std::ptrdiff_t>(names.size());
    if (alike && names.size() > 1) names = {std::to_string(names.size()) + " x " + names[0]};
    for (const std::string& name : names) deviceName_ += (deviceName_.empty() ? "" : ", ") + name;
}

void RunTarget::drain() const {
    for (const auto& s : sessions_) s->drain();
    if (transport_) transport_->drain();
}

int RunTarget::threads() const { return std::accumulate(threads_.begin(), threads_.end(), 0); }

std::string RunTarget::modeOf(Capability capability) const {
    for (const auto& [mode, meaning] : backend_->capabilities())
        if (meaning == capability && target_.has(mode)) return mode;
    return {};
}

RunContext RunTarget::contextFor(const RunContext& context, int part) const {
    RunContext own = context;
    own.session = &session(part);
    own.threads = threads_.empty() ? 0 : threads_[static_cast<std::size_t>(part - firstPart())];
    own.device = onHost() ? target_.device : part == firstPart() ? device_ : target_.deviceOf(part);
    return own;
}

void ensureBuffer(Buffer& buffer, const Layout& layout, BackendSession* session, std::shared_ptr<Allocator> hostMemory) {
    if (!buffer.empty() && buffer.layout() == layout) return;
    buffer = Buffer();
    buffer =
        session ? session->allocate(layout) : Buffer(layout, SampleType::float32, hostMemory ? std::move(hostMemory) : hostAllocator());
}

}  // namespace parallax
