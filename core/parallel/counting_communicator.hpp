// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "core/parallel/communicator.hpp"
#include "core/parallel/part_traffic.hpp"

namespace parallax {

/// Hands every call to another communicator, which must outlive it, and counts what the rank receives.
class CountingCommunicator final : public Communicator {
public:
    explicit CountingCommunicator(Communicator& communicator) : inner_(communicator) {}
    const PartTraffic& traffic() const { return traffic_; }

    int rank() const override { return inner_.rank(); }
    int size() const override { return inner_.size(); }
    std::stop_token stop() const override { return inner_.stop(); }
    /// Samples that a rank sends to itself are not counted. The exchange must not outlive this communicator.
    std::unique_ptr<HaloExchange> startExchange(std::vector<HaloSend> sends, std::vector<HaloReceive> receives) override;
    void allReduce(std::span<double> values, Reduce how) override;
    void allReduce(std::span<std::int64_t> counts) override;
    void broadcast(std::span<std::byte> data, int root) override;
    void gather(std::span<const std::byte> own, const Partition& places, std::span<std::byte> all, int root) override;
    void barrier() override;
    void cancel(const Error& error) override { inner_.cancel(error); }

private:
    void count(std::size_t bytes);

    Communicator& inner_;
    PartTraffic traffic_;
};

}  // namespace parallax
