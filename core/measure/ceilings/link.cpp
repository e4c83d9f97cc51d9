// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/ceilings/link.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <limits>

#include "core/engine/parts/rank_order.hpp"
#include "core/parallel/bytes.hpp"
#include "core/parallel/thread_team.hpp"

namespace parallax {
namespace {

using Clock = std::chrono::steady_clock;

/// Returns the ns of one call, of the fastest batch in at least these seconds. Every rank calls it, and rank 0 decides when it ends.
template <class F>
double best(Communicator& communicator, double seconds, F&& call) {
    struct {
        std::int64_t calls = 1;  // of a batch
        double spent = 0, least = std::numeric_limits<double>::infinity();
    } state;
    const double shortestBatch = 1e9 * seconds / 20;
    while (state.spent < 1e9 * seconds || state.least == std::numeric_limits<double>::infinity()) {
        communicator.barrier();
        const auto start = Clock::now();
        for (std::int64_t i = 0; i < state.calls; ++i) call();
        const double batch = std::chrono::duration<double, std::nano>(Clock::now() - start).count();
        state.spent += batch;
        if (batch < shortestBatch) state.calls *= 2;
        else state.least = std::min(state.least, batch / static_cast<double>(state.calls));
        communicator.broadcast(std::as_writable_bytes(std::span(&state, 1)), 0);
    }
    return state.least;
}

}  // namespace

LinkTimes measureLink(Communicator& communicator, double seconds) {
    const int rank = communicator.rank(), size = communicator.size();
    if (size < 2) throw Error(ErrorCode::usage, "A link needs two ranks");
    std::vector<float> samples(rank < 2 ? kLinkBytes / sizeof(float) : 0);
    const auto send = [&](std::int64_t count) {
        communicator.startExchange({{1 - rank, denseView(std::as_const(samples).data(), Shape{count, 1, 1, 1})}}, {})->finish();
    };
    const auto receive = [&](std::int64_t count) {
        communicator.startExchange({}, {{1 - rank, denseView(samples.data(), Shape{count, 1, 1, 1})}})->finish();
    };
    LinkTimes times;
    times.latency = 0.5 * best(communicator, seconds, [&] {
                        if (rank == 0) send(1), receive(1);
                        if (rank == 1) receive(1), send(1);
                    });
    times.bandwidth = static_cast<double>(kLinkBytes) / best(communicator, seconds, [&] {
                          if (rank == 0) send(static_cast<std::int64_t>(samples.size()));
                          if (rank == 1) receive(static_cast<std::int64_t>(samples.size()));
                      });
    // A tree over all ranks has as many levels as their number has bits.
    const int levels = std::bit_width(static_cast<unsigned>(size - 1));
    double value = 1;
    times.reduction = best(communicator, seconds, [&] { communicator.allReduce(std::span(&value, 1), Reduce::maximum); }) / levels;
    return times;
}

std::vector<CeilingRecord> linkCeilings(const std::string& name, const LinkTimes& times) {
    return {{name, "latency", 2, 1e-3 * times.latency, "us", sizeof(float)},
            {name, "bandwidth", 2, times.bandwidth, "GB/s", kLinkBytes},
            {name, "reduction", 2, 1e-3 * times.reduction, "us", sizeof(double)}};
}

std::vector<CeilingRecord> measureRankLink(Ranks& ranks, double seconds, const std::stop_token& stop) {
    if (ranks.size() < 2) return {};
    const RankOrder order{.kind = RankOrder::Kind::job, .layer = kRankLinkLayer, .job = bytesOf(seconds)};
    LinkTimes times;
    ranks.setExchangeMode(ExchangeMode::overlapped);
    ranks.lead(
        order.bytes(), ranks.size(), [&](Communicator& communicator) { times = measureLink(communicator, seconds); }, stop);
    return linkCeilings(kRankLink, times);
}

void serveRankLink(std::span<const std::byte> job, Communicator& communicator) { (void)measureLink(communicator, messageOf<double>(job)); }

std::vector<CeilingRecord> measureThreadLink(double seconds, const std::stop_token& stop) {
    LinkTimes times;
    ThreadTeam(2).run(
        [&](Communicator& communicator) {
            const LinkTimes measured = measureLink(communicator, seconds);
            if (communicator.rank() == 0) times = measured;
        },
        stop);
    return linkCeilings(kThreadLink, times);
}

}  // namespace parallax
