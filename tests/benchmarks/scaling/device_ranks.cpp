// SPDX-License-Identifier: GPL-3.0-or-later
// Work on one CUDA device, on several of this process, and on as many ranks with a device each, in turns: compute with what parts wait for
// each other, end to end, speedup, and the largest difference from one device. Exit code 7 if a result is wrong. Images have the given
// side.
//
//   mpirun --bind-to none -n 2 bench_mpi_devices [--only OPERATION] [--side N] [--rounds N]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/engine/parts/serve_ranks.hpp"
#include "core/engine/run/engine.hpp"
#include "core/image/difference.hpp"
#include "core/image/synthetic.hpp"
#include "core/mpi/mpi_ranks.hpp"

namespace parallax {
namespace {

struct Workload {
    std::string step, backend;
    std::int64_t side;
    int channels = 1;
    int iterations = 0;    ///< prints the time of one
    double tolerance = 0;  ///< largest difference from one device, divided by the largest magnitude; 0: the same bits
    int rounds = 7;
};
const std::vector<Workload> kWorkloads{
    {.step = "convolve:kernel=gaussian,size=7", .backend = "cuda.direct", .side = 16384},
    {.step = "tonemap:operator=global", .backend = "cuda.fused", .side = 16384, .channels = 3, .tolerance = 1e-5, .rounds = 3},
    {.step = "poisson:tolerance=1e-12,iterations=100", .backend = "cuda.cg", .side = 10000, .iterations = 100, .tolerance = 1e-5},
    {.step = "poisson:tolerance=1e-8", .backend = "cuda.multigrid", .side = 10000, .tolerance = 1e-5},
};

struct Row {
    std::string name;
    PreparedRun run;
    std::vector<double> compute{}, exchange{}, endToEnd{};  // ms

    void once(bool counts) {
        RunContext context;
        const StageTimes times = run.run(context);
        if (!counts) return;
        compute.push_back(static_cast<double>(times.compute()) * 1e-6);
        exchange.push_back(static_cast<double>(times[Stage::exchange]) * 1e-6);
        endToEnd.push_back(static_cast<double>(times.endToEnd()) * 1e-6);
    }
};

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

Row prepare(const Workload& work, const ImagePtr& image, int parts, const std::string& where) {
    RunContext context;
    Target target = parseTarget(work.backend);
    target.parts = parts;
    return {target.label() + where, Engine(processCatalog()).prepare(parsePipeline(processCatalog(), {work.step}), image, target, context)};
}

/// Returns whether all results are right.
bool measure(const Workload& work, const std::shared_ptr<MpiRanks>& ranks, std::int64_t side, int rounds) {
    const std::string size = std::to_string(side) + "x" + std::to_string(side);
    const auto image = std::make_shared<const Image>(
        makeSynthetic(parseSynthetic("synthetic:noise:" + size + ",channels=" + std::to_string(work.channels))));
    std::printf("\n%s, %s, %d channel(s)\n", work.step.c_str(), size.c_str(), work.channels);
    std::vector<Row> rows;
    rows.push_back(prepare(work, image, 1, ""));
    // Without ranks, parts are on devices of this process.
    setProcessRanks(nullptr);
    try {
        rows.push_back(prepare(work, image, ranks->size(), ", one process"));
    } catch (const Error& e) {
        std::printf("  one process: %s\n", e.what());
    }
    setProcessRanks(ranks);
    rows.push_back(prepare(work, image, ranks->size(), ", ranks"));
    for (Row& row : rows) row.once(false);
    for (int i = 0; i < rounds; ++i)
        for (Row& row : rows) row.once(true);
    const Row& one = rows.front();
    const DifferenceMetrics self = compareViews(one.run.output(), one.run.output(), {});
    bool right = true;
    for (const Row& row : rows) {
        const double difference = compareViews(one.run.output(), row.run.output(), {}).maxAbs / self.peak;
        const bool agrees = difference <= work.tolerance;
        right = right && agrees;
        const double compute = median(row.compute);
        std::printf("  %-32s compute %9.3f ms (waiting %7.3f)  %6.3f x   end to end %9.2f ms   difference %.1e%s", row.name.c_str(),
                    compute, median(row.exchange), median(one.compute) / compute, median(row.endToEnd), difference, agrees ? "" : " WRONG");
        if (work.iterations > 0) std::printf("   an iteration %.3f ms", compute / work.iterations);
        std::printf("\n");
    }
    return right;
}

std::string argument(int argc, char** argv, const std::string& name) {
    for (int i = 1; i + 1 < argc; ++i)
        if (argv[i] == name) return argv[i + 1];
    return {};
}

}  // namespace
}  // namespace parallax

int main(int argc, char** argv) {
    using namespace parallax;
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    const std::shared_ptr<MpiRanks> ranks = startMpi();
    setProcessRanks(ranks);
    int code = 0;
    if (ranks->rank() > 0) {
        serveRanks(processCatalog(), *ranks);
    } else {
        try {
            const std::string only = argument(argc, argv, "--only"), side = argument(argc, argv, "--side");
            const std::string rounds = argument(argc, argv, "--rounds");
            std::printf("%d ranks, %s\n", ranks->size(), processCatalog().availableBackend("cuda").devices().front().name.c_str());
            bool right = true;
            for (const Workload& work : kWorkloads)
                if (work.backend.starts_with(only) || work.step.starts_with(only))
                    right = measure(work, ranks, side.empty() ? work.side : std::atoll(side.c_str()),
                                    rounds.empty() ? work.rounds : std::atoi(rounds.c_str())) &&
                            right;
            code = right ? 0 : 7;
        } catch (const Error& e) {
            std::printf("failed: %s\n", e.what());
            code = 1;
        }
        ranks->dismiss();
    }
    setProcessRanks(nullptr);
    return code;
}
