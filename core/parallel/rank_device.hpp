// SPDX-License-Identifier: GPL-3.0-or-later
// What ranks need of a device to exchange samples of its memory: messages are sent from host memory.
#pragma once

#include <cstdint>
#include <memory>

#include "core/parallel/communicator.hpp"

namespace parallax {

/// Copies of one exchange, between samples of a device and messages. They come after all work that the session has ordered before. Rows of
/// a channel follow each other without gaps; messages are dense. Destroying it waits for the copies.
class RankCopies {
public:
    virtual ~RankCopies() = default;
    /// Page-locked memory for all messages, valid as long as this object. Called once, before any copy. Throws Error(memory).
    virtual float* messages(std::int64_t samples) = 0;
    virtual void toMessage(const View<const float>& samples, float* message) = 0;
    virtual void fromMessage(const float* message, const View<float>& samples) = 0;
    /// Copies what a rank sends to itself.
    virtual void copy(const View<const float>& from, const View<float>& to) = 0;
    /// Waits, on the host, until all messages are complete.
    virtual void waitForMessages() = 0;
    /// Work that the session orders from now on comes after all copies.
    virtual void finish() = 0;
};

/// Inherited by sessions of devices on which ranks can compute.
class RankDevice {
public:
    virtual ~RankDevice() = default;
    virtual std::unique_ptr<RankCopies> startCopies() = 0;
    /// The ranks with which the session computes from now on, all of which call this; null: none any more.
    virtual void useRanks(Communicator* communicator) = 0;
};

/// Makes a session compute with other ranks as long as it exists.
class RanksInUse {
public:
    /// `device`: null for a session in host memory, where there is nothing to do.
    RanksInUse(RankDevice* device, Communicator& communicator) : device_(device) {
        if (device_) device_->useRanks(&communicator);
    }
    ~RanksInUse() {
        if (device_) device_->useRanks(nullptr);
    }
    RanksInUse(const RanksInUse&) = delete;
    RanksInUse& operator=(const RanksInUse&) = delete;

private:
    RankDevice* device_;
};

}  // namespace parallax
