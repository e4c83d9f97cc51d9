// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/run/run_target.hpp"

#include <algorithm>
#include <numeric>

#include "core/engine/run/resource_limits.hpp"
#include "core/engine/run/translated_errors.hpp"
#include "core/parallel/partition.hpp"

namespace parallax {

RunTarget::RunTarget(const Catalog& catalog, const Target& target, RunContext& context)
    : target_(target), backend_(&catalog.availableBackend(target.backend)) {
    catalog.checkModes(target);
    context.device = target.device;
    if (target.threads > 0) context.threads = target.threads;
    translated(target.label(), [&] { sessions_.push_back(backend_->open(context)); });
    if (target.parts > 1 && !onHost())
        throw Error(ErrorCode::unavailable, "'" + target.label() + "' cannot do this",
                    "parts share the memory of the host so far, and '" + target.backend + "' has memory of its own",
                    "Leave @" + std::to_string(target.parts) + " out, or use a CPU backend");
    while (static_cast<int>(sessions_.size()) < target.parts)
        translated(target.label(), [&] { sessions_.push_back(backend_->open(context)); });
    context.session = &session();
    for (const DeviceInfo& d : backend_->devices()) {
        if (d.index != target.device) continue;
        deviceName_ = d.name;
        if (onHost()) continue;
        const std::uint64_t limit = resourceLimits().deviceBytes;
        freeDeviceMemory_ = limit > 0 ? std::min(d.memoryFree, limit) : d.memoryFree;
    }
    if (!onHost()) return;
    const Partition shares(backend_->isSerial() ? 1 : effectiveThreads(context), target.parts);
    for (int part = 0; part < target.parts; ++part) threads_.push_back(static_cast<int>(std::max<std::int64_t>(1, shares[part].count())));
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
    own.threads = threads_.empty() ? 0 : threads_[static_cast<std::size_t>(part)];
    own.device = target_.device;
    return own;
}

void ensureBuffer(Buffer& buffer, const Layout& layout, BackendSession* session, std::shared_ptr<Allocator> hostMemory) {
    if (!buffer.empty() && buffer.layout() == layout) return;
    buffer = Buffer();
    buffer =
        session ? session->allocate(layout) : Buffer(layout, SampleType::float32, hostMemory ? std::move(hostMemory) : hostAllocator());
}

}  // namespace parallax
