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
    explicit SessionGroup(std::vector<int> devices) : devices_(std::move(devices)), size_(static_cast<int>(devices_.size())) {}
    /// Of sessions that each belong to a rank.
    SessionGroup(int device, int ranks) : devices_{device}, size_(ranks), onRanks_(true) {}
    int size() const { return size_; }
    bool isOnRanks() const { return onRanks_; }
    /// See DeviceGroup::useRanks().
    void useRanks(Communicator* communicator) {
        communicator_ = communicator;
        if (group_) group_->useRanks(communicator);
    }
    /// Created on first use, by all ranks. Throws Error.
    DeviceGroup& deviceGroup() {
        const std::scoped_lock lock(mutex_);
        if (group_) return *group_;
        if (onRanks_ && !communicator_) throw Error(ErrorCode::failed, "Ranks form a group of CUDA devices within a run only");
        group_ = onRanks_ ? std::make_unique<DeviceGroup>(devices_.front(), *communicator_) : std::make_unique<DeviceGroup>(devices_);
        return *group_;
    }

private:
    std::vector<int> devices_;  // of this process
    int size_;
    bool onRanks_ = false;
    Communicator* communicator_ = nullptr;
    std::mutex mutex_;
    std::unique_ptr<DeviceGroup> group_;
};

}  // namespace parallax::gpu
