// SPDX-License-Identifier: GPL-3.0-or-later
// Wavelet transforms on every backend asked for: results checked against the reference on a small volume before times are taken, samples
// of all cases interleaved, so that a slow moment of the machine meets all, and the floor beside them: the time in which as many threads
// copy as many bytes as the transform reads and writes at least. wavelet.py puts PyWavelets' times beside these.
#include <algorithm>
#include <barrier>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "parallax/engine/engine.hpp"
#include "parallax/image/difference.hpp"
#include "parallax/image/synthetic.hpp"

namespace {

using namespace parallax;
using Clock = std::chrono::steady_clock;

struct Options {
    Shape shape{512, 512, 78, 1};
    std::vector<int> threads{1};
    std::vector<std::string> backends{"openmp"};
    std::vector<std::string> cases{"dwt:wavelet=haar,levels=1", "dwt:wavelet=db4,levels=1",  "dwt:wavelet=db4,levels=3",
                                   "idwt:wavelet=db4,levels=1", "idwt:wavelet=db4,levels=3", "dwt:wavelet=db20,levels=1"};
    int samples = 11;
    bool json = false;
};

constexpr const char* kUsage =
    "bench_wavelet [--shape 512x512x78] [--threads 1,16 (0: all)] [--backend openmp,cuda] [--case dwt:wavelet=db4,levels=1;...]\n"
    "              [--samples N] [--json]\n"
    "Milliseconds of the compute stage, medians of interleaved samples. idwt is given what the same dwt makes.";

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts;
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t end = std::min(text.find(separator, start), text.size());
        if (end > start) parts.push_back(text.substr(start, end - start));
        start = end + 1;
    }
    return parts;
}

std::int64_t number(const std::string& option, const std::string& text, std::int64_t minimum) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < minimum)
        throw Error(ErrorCode::usage, option + " wants a whole number of at least " + std::to_string(minimum) + ", not '" + text + "'");
    return value;
}

Options parse(int argc, char** argv) {
    Options o;
    for (int i = 1; i < argc; ++i) {
        const std::string name = argv[i];
        if (name == "--json") {
            o.json = true;
            continue;
        }
        if (name == "--help") {
            std::puts(kUsage);
            std::exit(0);
        }
        if (i + 1 == argc) throw Error(ErrorCode::usage, "Option " + name + " is unknown or lacks its value", kUsage);
        const std::string value = argv[++i];
        if (name == "--shape") {
            const auto extents = split(value, 'x');
            if (extents.size() != 3) throw Error(ErrorCode::usage, "--shape is written WxHxD");
            o.shape = {number(name, extents[0], 1), number(name, extents[1], 1), number(name, extents[2], 1), 1};
        } else if (name == "--threads") {
            o.threads.clear();
            for (const auto& t : split(value, ',')) o.threads.push_back(static_cast<int>(number(name, t, 0)));
        } else if (name == "--samples") {
            o.samples = static_cast<int>(number(name, value, 1));
        } else if (name == "--backend") {
            o.backends = split(value, ',');
        } else if (name == "--case") {
            o.cases = split(value, ';');
        } else {
            throw Error(ErrorCode::usage, "Option " + name + " is unknown", kUsage);
        }
    }
    return o;
}

double milliseconds(Clock::duration d) { return std::chrono::duration<double, std::milli>(d).count(); }

double median(std::vector<double> v) {
    std::sort(v.begin(), v.end());
    const std::size_t n = v.size();
    return n == 0 ? 0 : (v[(n - 1) / 2] + v[n / 2]) / 2;
}

/// The time that a number of threads need to read and write bytes: each copies its own part of large arrays that it touched first.
class CopyFloor {
public:
    CopyFloor(std::uint64_t bytes, int threads)
        : threads_(threads), from_(Shape{floats(bytes), 1, 1, 1}), to_(Shape{floats(bytes), 1, 1, 1}) {
        parts([&](std::int64_t first, std::int64_t n) {
            for (std::int64_t i = first; i < first + n; ++i) {
                from_.view<float>().data[i] = static_cast<float>(i % 1000);
                to_.view<float>().data[i] = 1;
            }
        });
    }
    void sample() {
        std::barrier start(threads_ + 1), end(threads_ + 1);
        std::vector<std::jthread> all;
        const std::int64_t n = from_.shape().width, part = (n + threads_ - 1) / threads_;
        for (int t = 0; t < threads_; ++t)
            all.emplace_back([&, t] {
                const std::int64_t first = std::min(n, t * part), count = std::min(n, first + part) - first;
                start.arrive_and_wait();
                std::memcpy(to_.view<float>().data + first, from_.view<float>().data + first,
                            static_cast<std::size_t>(count) * sizeof(float));
                end.arrive_and_wait();
            });
        start.arrive_and_wait();
        const auto begin = Clock::now();
        end.arrive_and_wait();
        msPerByte_.push_back(milliseconds(Clock::now() - begin) / (2.0 * static_cast<double>(from_.bytes())));
    }
    /// Milliseconds for reading and writing this many bytes together.
    double of(double bytes) const { return median(msPerByte_) * bytes; }

private:
    static std::int64_t floats(std::uint64_t bytes) { return static_cast<std::int64_t>(bytes / sizeof(float)) + 1; }
    template <class F>
    void parts(F&& f) {
        const std::int64_t n = from_.shape().width, part = (n + threads_ - 1) / threads_;
        std::vector<std::jthread> all;
        for (int t = 0; t < threads_; ++t)
            all.emplace_back([&, t] {
                const std::int64_t first = std::min(n, t * part);
                f(first, std::min(n, first + part) - first);
            });
    }
    int threads_;
    Buffer from_, to_;
    std::vector<double> msPerByte_;
};

struct Candidate {
    std::string name, target, skipped;
    int threads = 1;
    ImagePtr input;
    std::unique_ptr<PreparedRun> run;
    std::vector<double> compute;
    double maxError = 0, tolerance = 0;
    bool agrees = false;
};

Pipeline pipelineOf(const Step& step) {
    Pipeline p;
    p.steps.push_back(step);
    return p;
}

ImagePtr inputFor(const Step& step, const Shape& shape, unsigned seed) {
    return std::make_shared<const Image>(
        step.operation->sampleInput(step.parameters, makeSynthetic({.kind = SyntheticKind::noise, .shape = shape, .seed = seed})));
}

void verify(const Engine& engine, const Step& step, const Target& target, Candidate& c) {
    const ImagePtr small = inputFor(step, {93, 71, 45, 1}, 2);
    RunContext context;
    const Image expected = engine.run(pipelineOf(step), small, parseTarget("reference"), context).image;
    PreparedRun run = engine.prepare(pipelineOf(step), small, target, context);
    run.run(context);
    const DifferenceMetrics d = compareViews(expected.view(), run.output());
    c.maxError = d.maxAbs;
    c.tolerance = run.tolerance().absolute;
    c.agrees = d.within(c.tolerance);
}

int bench(const Options& o) {
    const Catalog& catalog = processCatalog();
    const Engine engine(catalog);
    std::vector<Candidate> candidates;
    // One input a case for all candidates.
    for (const std::string& name : o.cases) {
        const Step step = parseStep(catalog, name);
        const ImagePtr input = inputFor(step, o.shape, 1);
        for (const std::string& backend : o.backends)
            for (const int threads : o.threads) {
                Candidate& c = candidates.emplace_back();
                c.name = name;
                c.target = backend;
                c.input = input;
                Target target = parseTarget(backend);
                target.threads = threads;
                RunContext context;
                try {
                    verify(engine, step, target, c);
                    c.run = std::make_unique<PreparedRun>(engine.prepare(pipelineOf(step), input, target, context));
                    c.threads = std::max(1, c.run->threads());
                    c.run->run(context);  // warm-up
                } catch (const Error& e) {
                    c.skipped = e.what();
                    c.run.reset();
                }
            }
    }
    const auto volume = static_cast<std::uint64_t>(o.shape.samples()) * sizeof(float);
    std::vector<std::pair<int, std::unique_ptr<CopyFloor>>> floors;
    for (const Candidate& c : candidates)
        if (std::none_of(floors.begin(), floors.end(), [&](const auto& f) { return f.first == c.threads; }))
            floors.emplace_back(c.threads, std::make_unique<CopyFloor>(volume, c.threads));
    RunContext context;
    for (int round = 0; round < o.samples; ++round) {
        for (auto& [threads, copy] : floors) copy->sample();
        for (Candidate& c : candidates)
            if (c.run) c.compute.push_back(static_cast<double>(c.run->run(context).compute()) * 1e-6);
    }

    const Shape& s = o.shape;
    if (o.json)
        std::printf("{\"schema\": \"parallax-bench-wavelet/1\", \"width\": %lld, \"height\": %lld, \"depth\": %lld, \"results\": [",
                    static_cast<long long>(s.width), static_cast<long long>(s.height), static_cast<long long>(s.depth));
    else
        std::printf(
            "%lld x %lld x %lld float32, medians of %d interleaved samples; floor: a copy of as many bytes by as many threads\n  %-28s "
            "%-14s %7s %10s %10s %9s %9s %9s  %s\n",
            static_cast<long long>(s.width), static_cast<long long>(s.height), static_cast<long long>(s.depth), o.samples, "case", "target",
            "threads", "compute ms", "fastest ms", "floor ms", "x floor", "GFLOP/s", "largest error / tolerance");
    bool allAgree = true, first = true;
    for (const Candidate& c : candidates) {
        if (!c.run) {
            if (o.json)
                std::printf("%s\n  {\"case\": \"%s\", \"target\": \"%s\", \"skipped\": true}", first ? "" : ",", c.name.c_str(),
                            c.target.c_str());
            else std::printf("  %-28s %-14s skipped: %s\n", c.name.c_str(), c.target.c_str(), c.skipped.c_str());
            first = false;
            continue;
        }
        allAgree = allAgree && c.agrees;
        const auto& copy = std::find_if(floors.begin(), floors.end(), [&](const auto& f) { return f.first == c.threads; })->second;
        const double ms = median(c.compute), fastest = *std::min_element(c.compute.begin(), c.compute.end());
        const double floor = copy->of(c.run->work().bytes), gflops = c.run->work().flops / ms * 1e-6;
        if (o.json)
            std::printf(
                "%s\n  {\"case\": \"%s\", \"target\": \"%s\", \"threads\": %d, \"compute_ms\": %.4f, \"fastest_ms\": %.4f, \"floor_ms\": "
                "%.4f, "
                "\"gflops\": %.2f, \"estimated_bytes\": %llu, \"samples\": %zu, \"max_error\": %.3e, \"tolerance\": %.3e, \"agrees\": %s}",
                first ? "" : ",", c.name.c_str(), c.target.c_str(), c.threads, ms, fastest, floor, gflops,
                static_cast<unsigned long long>(c.run->estimatedHostBytes()), c.compute.size(), c.maxError, c.tolerance,
                c.agrees ? "true" : "false");
        else
            std::printf("  %-28s %-14s %7d %10.2f %10.2f %9.2f %9.2f %9.1f  %.1e / %.1e%s\n", c.name.c_str(), c.target.c_str(), c.threads,
                        ms, fastest, floor, ms / floor, gflops, c.maxError, c.tolerance, c.agrees ? "" : "  DISAGREES");
        first = false;
    }
    if (o.json) std::printf("\n]}\n");
    return allAgree ? 0 : 7;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return bench(parse(argc, argv));
    } catch (const Error& e) {
        std::fprintf(stderr, "bench_wavelet: %s\n", e.what());
        return e.code() == ErrorCode::usage ? 2 : 1;
    }
}
