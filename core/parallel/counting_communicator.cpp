// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parallel/counting_communicator.hpp"

#include <chrono>
#include <utility>

namespace parallax {
namespace {

using Clock = std::chrono::steady_clock;

/// Adds the time from its construction to finish().
class TimedExchange final : public HaloExchange {
public:
    TimedExchange(std::unique_ptr<HaloExchange> inner, std::int64_t& overlapped) : inner_(std::move(inner)), overlapped_(overlapped) {}
    void finish() override {
        overlapped_ += std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start_).count();
        inner_->finish();
    }

private:
    std::unique_ptr<HaloExchange> inner_;
    std::int64_t& overlapped_;
    Clock::time_point start_ = Clock::now();
};

}  // namespace

void CountingCommunicator::count(std::size_t bytes) {
    ++traffic_.collectives;
    traffic_.collectiveBytes += static_cast<std::int64_t>(bytes);
}

std::unique_ptr<HaloExchange> CountingCommunicator::startExchange(std::vector<HaloSend> sends, std::vector<HaloReceive> receives) {
    for (const HaloReceive& r : receives) {
        if (r.from == rank()) continue;
        ++traffic_.messages;
        traffic_.bytes += r.samples.shape.samples() * static_cast<std::int64_t>(sizeof(float));
    }
    return std::make_unique<TimedExchange>(inner_.startExchange(std::move(sends), std::move(receives)), traffic_.overlapped);
}

void CountingCommunicator::allReduce(std::span<double> values, Reduce how) {
    count(values.size_bytes());
    inner_.allReduce(values, how);
}

void CountingCommunicator::allReduce(std::span<std::int64_t> counts) {
    count(counts.size_bytes());
    inner_.allReduce(counts);
}

void CountingCommunicator::broadcast(std::span<std::byte> data, int root) {
    count(data.size_bytes());
    inner_.broadcast(data, root);
}

void CountingCommunicator::gather(std::span<const std::byte> own, const Partition& places, std::span<std::byte> all, int root) {
    count(root == kEveryRank || root == rank() ? all.size_bytes() : 0);
    inner_.gather(own, places, all, root);
}

void CountingCommunicator::barrier() {
    count(0);
    inner_.barrier();
}

}  // namespace parallax
