// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/run/memory_meter.hpp"

#include <algorithm>

namespace parallax {

std::uint64_t MemoryMeter::Kind::most() const { return static_cast<std::uint64_t>(std::max<std::int64_t>(0, most_)); }

void MemoryMeter::Kind::add(std::uint64_t before, std::uint64_t most, std::uint64_t after) {
    if (spans_ == kSpans) return;
    ++spans_;
    const auto since = [before](std::uint64_t bytes) { return static_cast<std::int64_t>(bytes) - static_cast<std::int64_t>(before); };
    most_ = std::max(most_, kept_ + since(most));
    kept_ += since(after);
}

MemoryMeter::Span::Span(MemoryMeter& meter, BackendSession& session)
    : meter_(meter), before_(hostMemoryUse()), device_(dynamic_cast<MeasuresDeviceMemory*>(&session)) {
    if (!device_) return;
    (void)device_->takeDeviceMemoryPeak();
    deviceBefore_ = device_->usedDeviceMemory();
}

MemoryMeter::Span::~Span() {
    const HostMemoryUse most = peak_.most(), after = hostMemoryUse();
    meter_.memory_.add(before_.memory, most.memory, after.memory);
    meter_.scratch_.add(before_.scratch, most.scratch, after.scratch);
    if (device_) meter_.device_.add(deviceBefore_, device_->takeDeviceMemoryPeak(), device_->usedDeviceMemory());
}

}  // namespace parallax
