// SPDX-License-Identifier: GPL-3.0-or-later
// Common property of the sessions of one run on several devices.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "gpu/parallel/device_group.hpp"

namespace parallax::gpu {

class SessionGroup {
public:
    /// The devices of the sessions, in the order of the parts.
    explicit SessionGroup(std::vector<int> devices) : devices_(std::move(devices)) {}
    const std::vector<int>& devices() const { return devices_; }
    /// Created on first use. Throws Error.
    DeviceGroup& deviceGroup() {
        const std::scoped_lock lock(mutex_);
        if (!group_) group_ = std::make_unique<DeviceGroup>(devices_);
        return *group_;
    }

private:
    std::vector<int> devices_;
    std::mutex mutex_;
    std::unique_ptr<DeviceGroup> group_;
};

}  // namespace parallax::gpu
