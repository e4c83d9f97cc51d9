// SPDX-License-Identifier: GPL-3.0-or-later
// Records with known times, as many series as one likes, for charts.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/run/run_record.hpp"

namespace parallax::ui {

inline std::string sampleLabel(int i) {
    static const char* const names[] = {"reference", "openmp",      "cuda",        "opencv",       "openmp.scalar", "cuda.tiled",
                                        "cuda.fft",  "openmp.simd", "cuda.direct", "opencv.boxed", "cuda.naive",    "openmp.separable"};
    return names[i % 12];
}

/// Twenty samples around a time, 2 % wide, with one outlier; a device has transfers that overlap with its work.
inline RunEntry sampleRun(int i, double computeNs, int threads) {
    RunEntry e;
    e.label = sampleLabel(i);
    const bool device = e.label.starts_with("cuda");
    if (threads > 0 && !device && i > 0) e.label += ":" + std::to_string(threads) + "t";
    e.backend = e.label.substr(0, e.label.find_first_of(".@:"));
    e.device = device ? "NVIDIA H200" : "AMD EPYC";
    e.threads = device ? 0 : i == 0 ? 1 : std::max(1, threads);
    e.verification = Verification::agrees;
    e.flops = 4e8;
    e.bytes = 1.6e8;
    for (int s = 0; s < 20; ++s) {
        StageTimes t;
        const double factor = s == 13 ? 1.3 : 1 + 0.02 * std::sin(s * 2.4 + i);
        const auto compute = static_cast<std::int64_t>(std::max(1.0, computeNs * factor));
        const std::int64_t upload = device ? compute / 2 + 1 : 0;
        t[Stage::allocate] = compute / 40;
        t[Stage::upload] = upload;
        t[Stage::compute] = compute;
        t[Stage::download] = upload / 2;
        std::int64_t at = t[Stage::allocate];
        t.extendSpan(Stage::allocate, 0, at);
        if (device) t.extendSpan(Stage::upload, at, at + upload);
        if (device) at += upload / 2;  // begins with the first part
        t.extendSpan(Stage::compute, at, at + compute);
        if (device) t.extendSpan(Stage::download, at + compute * 9 / 10, at + compute * 9 / 10 + upload / 2);
        e.samples.push_back(t);
    }
    return e;
}

/// The residual of a solver after each iteration, and over time: preconditioned or not, the reference to a tolerance of its own.
inline std::vector<SeriesRecord> sampleConvergence(int i, double nanoseconds) {
    const double tolerance = i == 0 ? 1e-12 : 1e-8, rate = i == 0 ? 0.95 : 0.15 + 0.05 * i;
    SeriesRecord iterations{.step = 0,
                            .operation = "poisson",
                            .key = "convergence",
                            .title = "Convergence",
                            .xTitle = "Iteration",
                            .yTitle = "Relative residual",
                            .xUnit = {},
                            .yUnit = {},
                            .help = {},
                            .logarithmic = true,
                            .label = {},
                            .end = "converged",
                            .x = {},
                            .y = {},
                            .tolerance = tolerance};
    for (double residual = 1;; residual *= rate * (1 + 0.3 * std::sin(3.0 * static_cast<double>(iterations.x.size())))) {
        iterations.x.push_back(static_cast<double>(iterations.x.size()));
        iterations.y.push_back(residual);
        if (residual <= tolerance) break;
    }
    SeriesRecord time = iterations;
    time.key = "convergence-time";
    time.title = "Convergence over time";
    time.xTitle = "Time";
    time.xUnit = "s";
    for (double& x : time.x) x = nanoseconds * 1e-9 * (x + 1) / static_cast<double>(time.x.size());
    return {iterations, time};
}

/// `scale`: nanoseconds of the slowest; the others are faster by their number.
inline RunRecord sampleRecordOf(int series, double scale) {
    RunRecord r;
    r.when = "2026-01-31T12:00:00Z";
    r.machine.cpu = "AMD EPYC";
    r.recipe = {"convolve:size=7"};
    r.input = {"/tmp/photo of a cat.png", {640, 480, 1, 3}, {"R", "G", "B"}, "0123456789abcdef", 0};
    for (int i = 0; i < series; ++i) r.entries.push_back(sampleRun(i, scale / (1 + i * i * 0.7), 0));
    r.baseline = r.entries.front().label;
    r.machine.ceilings = {{"triad", "L1", 2, 300, "GB/s", 50'000},
                          {"triad", "L2", 2, 120, "GB/s", 1'500'000},
                          {"triad", "memory", 2, 25, "GB/s", 1U << 30},
                          {"fma", "scalar", 2, 14, "GFLOP/s", 0},
                          {"fma", "avx2", 2, 110, "GFLOP/s", 0},
                          {"fma", "avx512", 2, 190, "GFLOP/s", 0},
                          {"copy", "device", 0, 4000, "GB/s", 1U << 30, "NVIDIA H200"},
                          {"fma", "float", 0, 60000, "GFLOP/s", 0, "NVIDIA H200"}};
    return r;
}

/// The same of an iterative operation.
inline RunRecord sampleSolves(int series, double scale) {
    RunRecord r = sampleRecordOf(series, scale);
    r.recipe = {"poisson"};
    const auto lap = [](const char* key, const char* title, const char* label, double ns, std::int64_t count) {
        return LapRecord{0, "poisson", key, title, "", label, static_cast<std::int64_t>(ns), count};
    };
    for (int i = 1; i < series; ++i) {
        RunEntry& e = r.entries[static_cast<std::size_t>(i)];
        const std::int64_t compute = e.samples.back().compute();
        const auto part = [&](double share) { return share * static_cast<double>(compute); };
        e.laps = {compute, {lap("set-up", "Set-up", "", part(0.06 + 0.01 * i), 1)}};
        if (i % 2 == 1)
            for (const auto& [label, share] : {std::pair{"level 0", 0.3}, std::pair{"level 1", 0.12}, std::pair{"level 2", 0.02}})
                e.laps.laps.push_back(lap("v-cycle", "V-cycle", label, part(share), 18));
        e.laps.laps.push_back(lap("direction", "Direction and stencil", "", part(0.2), 9));
        e.laps.laps.push_back(lap("update", "Updates and residual", "", part(i % 2 == 1 ? 0.18 : 0.5), 9));
    }
    for (int i = 0; i < series; ++i) r.entries[static_cast<std::size_t>(i)].series = sampleConvergence(i, scale / (1 + i * i * 0.7));
    return r;
}

/// A sweep over "parts" or "weak", of which the parts exchange with measured links.
inline std::vector<RunRecord> samplePartsSweep(const std::string& axis, int series, double scale) {
    std::vector<RunRecord> records;
    for (const int parts : {1, 2, 4, 8}) {
        RunRecord& r = records.emplace_back(sampleRecordOf(series, scale));
        r.sweep = {axis, std::to_string(parts)};
        r.input.shape = {4096, axis == "weak" ? 4096 * parts : 4096, 1, 1};
        r.machine.usableThreads = 32;
        r.machine.ceilings.insert(r.machine.ceilings.end(), {{kThreadLink, "latency", 2, 2, "us", 4},
                                                             {kThreadLink, "bandwidth", 2, 12, "GB/s", 1U << 23},
                                                             {kThreadLink, "reduction", 2, 1.5, "us", 8},
                                                             {kPeerLink, "to 1", 0, 350, "GB/s", 1U << 28, "NVIDIA H200", "cuda"},
                                                             {kPeerLink, "latency to 1", 0, 6, "us", 4096, "NVIDIA H200", "cuda"}});
        r.entries.clear();
        for (int i = 0; i < series; ++i) {
            const double share = axis == "weak" ? 1.0 : 1.0 / parts;
            RunEntry e = sampleRun(i, scale / (1 + i) * share * (1 + 0.01 * i * (parts - 1)), parts);
            const bool device = e.threads == 0;
            e.label = sampleLabel(i);
            if (!device) e.threads = parts;
            if (parts > 1) {
                e.label += "@" + std::to_string(parts);
                e.traffic = TrafficRecord{.link = device ? kPeerLink : kThreadLink,
                                          .edge = 6,
                                          .received = {.messages = 2, .bytes = 98'304, .collectives = i, .collectiveBytes = 8 * i}};
            }
            r.entries.push_back(std::move(e));
        }
        r.baseline = r.entries.front().label;
    }
    return records;
}

/// A sweep over "size", "threads", "parts", "weak" or "convolve.size" of which the times follow what one expects of such.
inline std::vector<RunRecord> sampleSweep(const std::string& axis, int series, double scale) {
    if (axis == "parts" || axis == "weak") return samplePartsSweep(axis, series, scale);
    std::vector<RunRecord> records;
    const std::vector<int> values = axis == "threads" ? std::vector<int>{1, 2, 4, 8, 16, 32}
                                    : axis == "size"  ? std::vector<int>{128, 256, 512, 1024, 2048, 4096}
                                                      : std::vector<int>{3, 5, 7, 9, 11, 15, 21, 31};
    for (const int v : values) {
        RunRecord r = sampleRecordOf(series, scale);
        r.sweep = {axis, std::to_string(v)};
        r.entries.clear();
        for (int i = 0; i < series; ++i) {
            const bool device = sampleLabel(i).starts_with("cuda");
            // A device has a start that costs, and is faster by far where there is much to do.
            const double work = axis == "threads" ? 1.0 : std::pow(static_cast<double>(v) / values.back(), 2);
            double time = scale * work / (1 + i) + (device ? scale * 2e-4 * (1 + i) : 0);
            if (device) time -= scale * work / (1 + i) * 0.97;
            const int threads = axis == "threads" ? v : 0;
            if (axis == "threads" && !device && i > 0) time *= (0.02 * i + (1 - 0.02 * i) / v);
            r.entries.push_back(sampleRun(i, time, threads));
        }
        r.baseline = r.entries.front().label;
        records.push_back(std::move(r));
    }
    return records;
}

}  // namespace parallax::ui
