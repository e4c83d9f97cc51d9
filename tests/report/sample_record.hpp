// SPDX-License-Identifier: GPL-3.0-or-later
// A record as a measurement makes it, with names that are awkward in every format.
#pragma once

#include <limits>

#include "core/engine/run/run_record.hpp"

namespace parallax {

inline StageTimes stageTimes(std::int64_t upload, std::int64_t compute) {
    StageTimes t;
    t[Stage::upload] = upload;
    t[Stage::compute] = compute;
    t[Stage::download] = upload / 2;
    return t;
}

/// The residuals of a solver.
inline SeriesRecord sampleSeries() {
    return {.step = 0,
            .operation = "poisson",
            .key = "convergence",
            .title = "Convergence",
            .xTitle = "Iteration",
            .yTitle = "Relative residual",
            .xUnit = "",
            .yUnit = "",
            .help = "",
            .logarithmic = true,
            .label = "",
            .end = "converged",
            .x = {0, 1, 2},
            .y = {1, 0.125, 1e-9}};
}

/// Ten samples around a time, by hand: 1 % wide.
inline RunEntry sampleEntry(const std::string& label, std::int64_t computeNs) {
    RunEntry e;
    e.label = e.backend = label;
    e.variant = "tiled";
    e.device = "A \"device\", <fast> & 'quoted'";
    e.threads = 4;
    e.implementations = {"convolve / " + label + " / tiled"};
    e.choices = {"a \"tile\" & <few> taps"};
    e.prepare[Stage::prepare] = 1234;
    e.cold = stageTimes(computeNs / 4, computeNs * 3);
    for (int i = 0; i < 10; ++i) e.samples.push_back(stageTimes(computeNs / 10, computeNs + (i - 5) * computeNs / 1000));
    e.verification = Verification::agrees;
    e.difference.maxAbs = 1.25e-7;
    e.difference.psnr = std::numeric_limits<double>::infinity();
    e.difference.worst.push_back({3, 4, 0, 1, 0.5, 0.25});
    e.tolerance = 1e-6;
    e.toleranceReason = "rounding";
    e.flops = 1e9;
    e.bytes = 2e8;
    e.memory.estimatedHost = 1U << 20;
    return e;
}

inline RunRecord sampleRecord() {
    RunRecord r;
    r.toolVersion = "0.1.0";
    r.git = "abc";
    r.buildType = "Release";
    r.compiler = "GNU 12";
    r.flags = "-O3";
    r.when = "2026-01-31T12:00:00Z";
    r.command = "parallax-cli bench -i 'a, \"b\" <c>.png' --op convolve:size=7";
    r.machine.cpu = "CPU <one> & only";
    r.machine.hardwareThreads = 8;
    r.machine.cores = 4;
    r.machine.sockets = 1;
    r.machine.memory = 16ULL << 30;
    r.machine.caches = {"L1d 48K"};
    r.machine.simd = {"avx2", "fma"};
    r.machine.threadsPerCore = 2;
    r.machine.usableThreads = 6;
    r.machine.minMHz = 800;
    r.machine.maxMHz = 3500;
    r.machine.virtualMachine = true;
    r.machine.timerResolutionNs = 21.5;
    r.machine.numa = {"node 0: CPUs 0-7, 16 GiB"};
    r.machine.host = "secret-host";
    r.machine.ceilings.push_back({"triad", "L2", 4, 123.5, "GB/s", 1U << 20});
    r.machine.ceilings.push_back({"upload", "pinned", 0, 55.5, "GB/s", 1U << 28, "GPU", "cuda", 1});
    r.backends = {{"cuda", {{"compiler", "NVIDIA 13.0"}, {"flags", "-O3 <cuda>"}}}};
    r.machine.gpus.push_back({"GPU", 1ULL << 33, {{"driver", "580.1"}, {"compute capability", "9.0"}}});
    r.input = {"a, \"b\" <c>|d.png", {640, 480, 1, 3}, {"R", "G", "B"}, "0123456789abcdef", 2};
    r.sweep = {"size", "640"};
    r.recipe = {"convolve:size=7"};
    r.protocol = {"normal", 3, 10, 0.5, 15, 0.01, 1};
    r.baseline = "slow";
    r.entries.push_back(sampleEntry("slow", 8'000'000));
    r.entries.back().blocks = {0, 4, 8};
    r.entries.push_back(sampleEntry("fast", 1'000'000));
    r.entries.back().modes = {"overlapped", "pinned"};
    r.entries.back().memory = {.estimatedHost = 12U << 20, .estimatedDevice = 3U << 30, .host = 13U << 20, .device = 3U << 29};
    r.entries.back().metrics =
        ResultMetrics{.ssim = 0.999998, .ssimLinear = {}, .flip = 0.00012, .highDynamicRange = true, .largestUlp = 3};
    RunEntry wrong = sampleEntry("wrong", 500'000);
    wrong.verification = Verification::disagrees;
    wrong.difference.maxAbs = 0.5;
    wrong.difference.nanMismatches = 3;
    r.entries.push_back(wrong);
    RunEntry skipped;
    skipped.label = skipped.backend = "absent";
    skipped.status = RunStatus::skipped;
    skipped.reason = "No \"driver\",\nno device | nothing";
    r.entries.push_back(skipped);
    r.warnings = {"The governor is 'powersave'"};
    return r;
}

}  // namespace parallax
