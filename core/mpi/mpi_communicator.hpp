// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mpi/mpi_ranks.hpp"
#include "core/mpi/mpi_run.hpp"

namespace parallax {

/// Communicator of one run. Samples are in host memory.
class MpiCommunicator final : public Communicator {
public:
    MpiCommunicator(MpiRun& run, ExchangeMode mode) : run_(run), mode_(mode) {}
    int rank() const override { return run_.rank(); }
    int size() const override { return run_.parts(); }
    std::stop_token stop() const override { return run_.stop(); }
    std::unique_ptr<HaloExchange> startExchange(std::vector<HaloSend> sends, std::vector<HaloReceive> receives) override;
    void allReduce(std::span<double> values, Reduce how) override;
    void allReduce(std::span<std::int64_t> counts) override;
    void broadcast(std::span<std::byte> data, int root) override;
    void gather(std::span<const std::byte> own, const Partition& places, std::span<std::byte> all, int root) override;
    void barrier() override;
    void cancel(const Error& error) override { run_.cancel(error); }

private:
    template <class T, class F>
    void reduce(std::span<T> values, F&& combine);

    MpiRun& run_;
    ExchangeMode mode_;
};

}  // namespace parallax
