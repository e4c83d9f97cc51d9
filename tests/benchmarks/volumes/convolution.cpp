// SPDX-License-Identifier: GPL-3.0-or-later
// Filters a synthetic volume each time that a line comes from standard input, and prints the milliseconds of the compute stage: for
// convolution.py, which takes turns with SciPy. Usage: bench_volume_convolution SIZE THREADS TARGET STEP
#include <cstdio>
#include <iostream>
#include <string>

#include "core/engine/run/engine.hpp"
#include "core/image/error.hpp"
#include "core/image/synthetic.hpp"

int main(int argc, char** argv) {
    using namespace parallax;
    if (argc != 5) {
        std::fputs("usage: bench_volume_convolution SIZE THREADS TARGET STEP\n", stderr);
        return 2;
    }
    try {
        const std::int64_t extent = std::stoll(argv[1]);
        const auto volume = std::make_shared<const Image>(makeSynthetic({SyntheticKind::noise, {extent, extent, extent, 1}, 1}));
        Target target = parseTarget(argv[3]);
        target.threads = std::stoi(argv[2]);
        RunContext context;
        PreparedRun run = Engine(processCatalog()).prepare(parsePipeline(processCatalog(), {argv[4]}), volume, target, context);
        std::printf("%s\n", run.plan()[0].implementation.c_str());
        std::fflush(stdout);
        for (std::string line; std::getline(std::cin, line);) {
            std::printf("%.3f\n", static_cast<double>(run.run(context).compute()) * 1e-6);
            std::fflush(stdout);
        }
        return 0;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
}
