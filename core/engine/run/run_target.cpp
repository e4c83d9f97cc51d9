// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/run/run_target.hpp"

#include <algorithm>

#include "core/engine/run/resource_limits.hpp"
#include "core/engine/run/translated_errors.hpp"

namespace parallax {

RunTarget::RunTarget(const Catalog& catalog, const Target& target, RunContext& context)
    : target_(target), backend_(&catalog.availableBackend(target.backend)) {
    catalog.checkModes(target);
    context.device = target.device;
    if (target.threads > 0) context.threads = target.threads;
    translated(target.label(), [&] { session_ = backend_->open(context); });
    context.session = session_.get();
    for (const DeviceInfo& d : backend_->devices()) {
        if (d.index != target.device) continue;
        deviceName_ = d.name;
        if (onHost()) continue;
        const std::uint64_t limit = resourceLimits().deviceBytes;
        freeDeviceMemory_ = limit > 0 ? std::min(d.memoryFree, limit) : d.memoryFree;
    }
    if (onHost()) threads_ = backend_->isSerial() ? 1 : effectiveThreads(context);
}

std::string RunTarget::modeOf(Capability capability) const {
    for (const auto& [mode, meaning] : backend_->capabilities())
        if (meaning == capability && target_.has(mode)) return mode;
    return {};
}

RunContext RunTarget::contextFor(const RunContext& context) const {
    RunContext own = context;
    own.session = session_.get();
    own.threads = threads_;
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
