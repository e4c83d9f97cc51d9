// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "core/parallel/rank_device.hpp"
#include "core/parallel/ranks.hpp"

namespace parallax {

/// Communicator of a rank whose samples are in the memory of a device. Hands every call to another communicator, which must outlive it,
/// and samples via page-locked memory. The host sends while the device computes: messages leave in finish(), after the interior has been
/// enqueued.
class DeviceCommunicator final : public Communicator {
public:
    DeviceCommunicator(Communicator& communicator, RankDevice& device, ExchangeMode mode)
        : inner_(communicator), device_(device), mode_(mode) {}

    int rank() const override { return inner_.rank(); }
    int size() const override { return inner_.size(); }
    std::stop_token stop() const override { return inner_.stop(); }
    std::unique_ptr<HaloExchange> startExchange(std::vector<HaloSend> sends, std::vector<HaloReceive> receives) override;
    void allReduce(std::span<double> values, Reduce how) override { inner_.allReduce(values, how); }
    void allReduce(std::span<std::int64_t> counts) override { inner_.allReduce(counts); }
    void broadcast(std::span<std::byte> data, int root) override { inner_.broadcast(data, root); }
    void gather(std::span<const std::byte> own, const Partition& places, std::span<std::byte> all, int root) override {
        inner_.gather(own, places, all, root);
    }
    void barrier() override { inner_.barrier(); }
    void cancel(const Error& error) override { inner_.cancel(error); }

private:
    Communicator& inner_;
    RankDevice& device_;
    ExchangeMode mode_;
};

}  // namespace parallax
