// SPDX-License-Identifier: GPL-3.0-or-later
// Parts on ranks: orders, the rows that rank 0 hands out and takes back, and what ranks tell each other about a run.
#include <algorithm>
#include <atomic>
#include <utility>

#include "core/engine/parts/part_views.hpp"
#include "core/engine/parts/parts_run.hpp"
#include "core/engine/run/build_info.hpp"

namespace parallax {
namespace {

/// What one rank tells the others of its run, as bytes.
struct RankReport {
    std::int64_t origin = 0;
    std::int64_t together = 0;  ///< when all ranks had their samples, by the clock of this one
    std::array<std::int64_t, kAllStages.size()> times{};
    std::array<StageTimes::Span, kAllStages.size()> spans{};
    PartTraffic traffic;
};

}  // namespace

void PartsRun::together(RankOrder order, const Work& work, const RunContext& context) {
    if (!target_.ranks()) return team_->run(work, context.stop);
    order.id = id_;
    target_.ranks()->setExchangeMode(target_.target().has(kBlockingMode) ? ExchangeMode::blocking : ExchangeMode::overlapped);
    target_.ranks()->lead(order.bytes(), target_.parts(), work, context.stop);
}

PartsRun::~PartsRun() {
    if (id_ == 0 || !target_.ranks()) return;
    try {
        together({.kind = RankOrder::Kind::release}, [](Communicator&) {}, {});
    } catch (const std::exception&) {
        // The run whose error this is has reported it already.
    }
}

RankOrder PartsRun::prepareOrder() {
    static std::atomic<std::int64_t> lastId = 0;
    id_ = ++lastId;
    RankOrder order{.kind = RankOrder::Kind::prepare, .build = buildInfo().stamp, .target = target_.target()};
    for (const PlannedStep& step : plan_.steps) {
        order.steps.push_back(step.record.step);
        order.implementations.push_back(step.record.implementation);
    }
    order.problem = plan_.steps.front().problem;
    return order;
}

/// Returns the rows of the part, in the memory of the session.
View<const float> PartsRun::uploadOnRank(Part& part, const View<const float>& image, Communicator& communicator,
                                         BackendSession& session) const {
    if (!ownRows_) scatter(part, image, communicator);
    const PartRange& range = part.ranges[0];
    const View<const float> rows = ownRows_                   ? image
                                   : communicator.rank() == 0 ? viewOf(image, range)
                                                              : std::as_const(part.rows).view<float>();
    if (target_.onHost()) return rows;
    if (!range.empty()) session.upload(rows, part.input.view<float>());
    return std::as_const(part.input).view<float>();
}

/// `rows`: of the result, in the memory of the session.
void PartsRun::downloadOnRank(Part& part, const View<const float>& rows, const View<float>& result, Communicator& communicator,
                              BackendSession& session) const {
    const View<float> own = lastRows(part, result);
    if (!target_.onHost() && !part.ranges.back().empty()) session.download(rows, own);
    if (!ownRows_) collect(part, own, result, communicator);
}

/// Hands each rank the rows of its part.
void PartsRun::scatter(Part& part, const View<const float>& image, Communicator& communicator) const {
    std::vector<HaloSend> sends;
    std::vector<HaloReceive> receives;
    if (communicator.rank() > 0 && !part.ranges[0].empty()) receives.push_back({0, part.rows.view<float>()});
    for (int r = 1; communicator.rank() == 0 && r < communicator.size(); ++r)
        if (const PartRange range = plan_.partition[r]; !range.empty()) sends.push_back({r, viewOf(image, range)});
    communicator.startExchange(std::move(sends), std::move(receives))->finish();
}

/// Takes the rows of all results.
void PartsRun::collect(const Part& part, const View<const float>& rows, const View<float>& result, Communicator& communicator) const {
    std::vector<HaloSend> sends;
    std::vector<HaloReceive> receives;
    if (communicator.rank() > 0 && !part.ranges.back().empty()) sends.push_back({0, rows});
    for (int r = 1; communicator.rank() == 0 && r < communicator.size(); ++r)
        if (const PartRange range = plan_.steps.back().partition[r]; !range.empty()) receives.push_back({r, viewOf(result, range)});
    communicator.startExchange(std::move(sends), std::move(receives))->finish();
}

/// Makes the times of all ranks those of this run, on the clock of rank 0, and finds the busiest traffic and the largest tolerances.
void PartsRun::shareReports(Communicator& communicator, std::int64_t together) {
    const Ranks& ranks = *target_.ranks();
    const auto rank = static_cast<std::size_t>(communicator.rank());
    RankReport own{.origin = times_[rank].origin(), .together = together, .traffic = parts_.front().traffic};
    for (const Stage stage : kAllStages) {
        own.times[static_cast<std::size_t>(stage)] = times_[rank][stage];
        own.spans[static_cast<std::size_t>(stage)] = times_[rank].span(stage);
    }
    const std::vector<RankReport> all = gatherBlocks(communicator, std::span<const RankReport>(&own, 1));
    for (std::size_t r = 0; r < all.size(); ++r) {
        parts_.front().traffic = busiest(parts_.front().traffic, all[r].traffic);
        StageTimes& times = times_[r] = StageTimes();
        // Machines have clocks of their own.
        const bool sameClock = ranks.host(static_cast<int>(r)) == ranks.host(0);
        times.setOrigin(all[r].origin + (sameClock ? 0 : all[0].together - all[r].together));
        for (const Stage stage : kAllStages) {
            times[stage] = all[r].times[static_cast<std::size_t>(stage)];
            const StageTimes::Span& span = all[r].spans[static_cast<std::size_t>(stage)];
            if (span.known()) times.extendSpan(stage, span.begin, span.end);
        }
    }
    tolerances_.clear();
    for (const auto& execution : parts_.front().executions) tolerances_.push_back(execution->dataTolerance());
    communicator.allReduce(tolerances_, Reduce::maximum);
}

}  // namespace parallax
