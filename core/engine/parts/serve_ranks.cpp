// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/parts/serve_ranks.hpp"

#include <map>
#include <memory>
#include <utility>

#include "core/engine/operation/plan_cache.hpp"
#include "core/engine/parts/parts_run.hpp"
#include "core/engine/parts/rank_order.hpp"
#include "core/engine/plan/planner.hpp"
#include "core/engine/run/build_info.hpp"
#include "core/engine/run/translated_errors.hpp"

namespace parallax {
namespace {

/// A prepared run on this rank.
struct ServedRun {
    ServedRun(const Catalog& catalog, const RankOrder& order, RunContext context)
        : target(catalog, order.target, context),
          plan(planRun(catalog, parsePipeline(catalog, order.steps), problemOf(order), target, context)),
          parts(plan, target) {
        for (std::size_t i = 0; i < plan.steps.size(); ++i)
            if (const std::string& own = plan.steps[i].record.implementation; own != order.implementations[i])
                throw Error(ErrorCode::unavailable, "Ranks cannot work together",
                            "rank 0 runs " + order.implementations[i] + ", this one " + own,
                            "Name the variant, as in --backend openmp.direct");
    }
    static Problem problemOf(const RankOrder& order) {
        Problem problem = order.problem;
        problem.plans = std::make_shared<PlanCache>();
        return problem;
    }

    RunTarget target;
    RunPlan plan;
    PartsRun parts;
};

}  // namespace

void serveRanks(const Catalog& catalog, Ranks& ranks, const RankJobs& jobs) {
    std::map<std::int64_t, std::unique_ptr<ServedRun>> runs;
    const auto serve = [&](std::span<const std::byte> bytes, Communicator& communicator) {
        const RankOrder order = RankOrder::of(bytes);
        RunContext context;
        context.stop = communicator.stop();
        if (order.kind == RankOrder::Kind::release) {
            runs.erase(order.id);
            return;
        }
        if (order.kind == RankOrder::Kind::job) {
            const auto job = jobs.find(order.layer);
            if (job == jobs.end()) throw Error(ErrorCode::failed, "A rank was asked for work that it cannot do", order.layer);
            return job->second(order.job, communicator);
        }
        const auto known = runs.find(order.id);
        if (order.kind == RankOrder::Kind::run) {
            if (known == runs.end()) throw Error(ErrorCode::failed, "A rank was asked for a run that it has not prepared");
            ServedRun& run = *known->second;
            try {
                return translated(run.target.target().label(),
                                  [&] { run.parts.runRank({}, {}, communicator, run.target.contextFor(context)); });
            } catch (const Error& e) {
                if (e.code() == ErrorCode::memory) run.parts.releaseBuffers();  // the next run may need them
                throw;
            }
        }
        if (order.build != buildInfo().stamp)
            throw Error(ErrorCode::unavailable, "Ranks cannot work together", "this one is another build than rank 0",
                        "Install the same version on all machines");
        translated(order.target.label(), [&] {
            auto run = std::make_unique<ServedRun>(catalog, order, context);
            run->parts.prepareRank(communicator, run->target.contextFor(context));
            runs.emplace(order.id, std::move(run));
        });
    };
    for (;;) {
        try {
            if (!ranks.follow(serve)) return;
        } catch (const std::exception&) {
            // Rank 0 reports it.
        }
    }
}

}  // namespace parallax
