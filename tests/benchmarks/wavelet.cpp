// SPDX-License-Identifier: GPL-3.0-or-later
// Benchmarks wavelet transforms on the chosen backends. Results are verified on a small volume first; cases take turns, so that a slow
// moment of the machine affects all of them. Floor: a copy of the bytes that the transform must read and write, by as many threads or by
// the device. For devices also end to end, beside the longer of both transfers. --sizes finds from which size on a device wins end to end.
// wavelet.py adds PyWavelets.
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

#include "core/engine/backend/ranks_target.hpp"
#include "core/engine/run/engine.hpp"
#include "core/image/difference.hpp"
#include "core/image/synthetic.hpp"
#include "tests/benchmarks/turn.hpp"
#if defined(PARALLAX_WITH_REPORT)
#include <fstream>

#include "core/measure/sampling/protocol.hpp"
#include "core/measure/sampling/sampler.hpp"
#include "core/measure/sweeps/sweep.hpp"
#include "core/report/charts/record_charts.hpp"
#include "core/report/charts/report_parts.hpp"
#include "core/report/formats/formats.hpp"
#include "core/report/record/record_json.hpp"
#endif

namespace {

using namespace parallax;
using Clock = std::chrono::steady_clock;

struct Options {
    Shape shape{512, 512, 78, 1};
    std::vector<int> threads{1};
    std::vector<std::string> backends;  ///< or targets such as cuda.constant; empty: all available
    std::vector<std::string> cases{"dwt:wavelet=haar,levels=1", "dwt:wavelet=db4,levels=1",  "dwt:wavelet=db4,levels=3",
                                   "idwt:wavelet=db4,levels=1", "idwt:wavelet=db4,levels=3", "dwt:wavelet=db20,levels=1"};
    int samples = 11;
    bool json = false, sizes = false;
    std::string sweep, report;
};

/// Targets in ms of compute, for 512 x 512 slices of float32, db4, on an H200.
struct Target512 {
    const char* name;
    std::int64_t depth;
    double ms;
};
constexpr Target512 kTargets[] = {{"dwt:wavelet=db4,levels=1", 78, 0.085},   {"idwt:wavelet=db4,levels=1", 78, 0.085},
                                  {"dwt:wavelet=db4,levels=1", 512, 0.45},   {"idwt:wavelet=db4,levels=1", 512, 0.45},
                                  {"dwt:wavelet=db4,levels=3", 78, 0.10625}, {"idwt:wavelet=db4,levels=3", 78, 0.10625},
                                  {"dwt:wavelet=db4,levels=3", 512, 0.5625}, {"idwt:wavelet=db4,levels=3", 512, 0.5625}};
double targetOf(const std::string& name, const Shape& s) {
    for (const Target512& t : kTargets)
        if (name == t.name && s.width == 512 && s.height == 512 && s.depth == t.depth) return t.ms;
    return 0;
}
/// Times reported for one level of 512 x 512 x 78 on an RTX 3060 by the authors of the earlier system, and our variant of the same method.
struct Earlier {
    const char* target;
    double ms;
};
constexpr Earlier kEarlier[] = {{"cuda.global", 31.97}, {"cuda.shared", 12.44}, {"cuda.constant", 4.43}};
double earlierOf(const std::string& target, const std::string& name, const Shape& s) {
    if (name != "dwt:wavelet=db4,levels=1" || s.width != 512 || s.height != 512 || s.depth != 78) return 0;
    for (const Earlier& e : kEarlier)
        if (target == e.target) return e.ms;
    return 0;
}

constexpr const char* kUsage =
    "bench_wavelet [--shape 512x512x78] [--threads 1,16 (0: all)] [--backend openmp,cuda] [--case dwt:wavelet=db4,levels=1;...]\n"
    "              [--samples N] [--sizes] [--json]\n"
    "bench_wavelet --sweep size=32,64,... --report RUN.json: as parallax-cli bench, of the first case, where that is not at hand\n"
    "Milliseconds of the compute stage, medians of samples in turns. idwt is given what the same dwt makes.";

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
        if (name == "--sizes") {
            o.sizes = true;
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
        } else if (name == "--sweep") {
            o.sweep = value;
        } else if (name == "--report") {
            o.report = value;
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

/// Time for a number of threads to copy bytes: each thread copies the part of large arrays that it touched first.
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
    double sample() {
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
        const double ms = milliseconds(Clock::now() - begin);
        msPerByte_.push_back(ms / (2.0 * static_cast<double>(from_.bytes())));
        return ms;
    }
    /// Milliseconds for this many bytes, read and written together.
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
    std::vector<double> compute, endToEnd, transfer;  ///< transfer: the longer of upload and download
    bool onDevice = false;
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
        sampleInputOf(*step.operation, step.parameters, makeSynthetic({.kind = SyntheticKind::noise, .shape = shape, .seed = seed})));
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

double sample(Candidate& c, RunContext& context) {
    const StageTimes t = c.run->run(context);
    c.compute.push_back(static_cast<double>(t.compute()) * 1e-6);
    c.endToEnd.push_back(static_cast<double>(t.endToEnd()) * 1e-6);
    c.transfer.push_back(static_cast<double>(std::max(t[Stage::upload], t[Stage::download])) * 1e-6);
    return c.endToEnd.back();
}

/// Milliseconds per byte copied within the memory of a device; a copy reads and writes, which counts as two bytes.
double deviceCopy(const Backend& backend) {
    double best = 0;
    for (const CeilingRecord& c : backend.measureCeilings(0, {}))
        if (c.name == "copy" && c.level == "device") best = std::max(best, c.value * 1e6);
    return best > 0 ? 1 / best : 0;
}

/// Every variant of the available backends except the reference, unless some are named.
std::vector<std::string> targetsOf(const Options& o, const Catalog& catalog) {
    if (!o.backends.empty()) return o.backends;
    std::vector<std::string> all;
    for (const auto& backend : catalog.backends()) {
        if (backend->id() == kReferenceBackend || runsOnlyWhenNamed(backend->id()) || !backend->availability().yes) continue;
        for (const Implementation* i : catalog.implementations("dwt", backend->id())) all.push_back(backend->id() + "." + i->variant());
    }
    return all;
}

/// End to end by size: finds from which size on a device is faster than the CPU with all threads.
int benchSizes(const Options& o) {
    const Catalog& catalog = processCatalog();
    const Engine engine(catalog);
    const Step step = parseStep(catalog, o.cases.front());
    const std::vector<std::string> backends = o.backends.empty() ? std::vector<std::string>{"openmp", "cuda"} : o.backends;
    std::printf("%s, end to end from host to host, medians of samples in %d turns\n  %-18s", o.cases.front().c_str(), o.samples, "size");
    for (const std::string& b : backends) std::printf(" %14s", (b + " ms").c_str());
    std::printf("\n");
    for (const Shape& shape : {Shape{64, 64, 1, 1}, Shape{256, 256, 1, 1}, Shape{512, 512, 1, 1}, Shape{1024, 1024, 1, 1},
                               Shape{2048, 2048, 1, 1}, Shape{16, 16, 16, 1}, Shape{32, 32, 32, 1}, Shape{64, 64, 64, 1},
                               Shape{128, 128, 128, 1}, Shape{256, 256, 256, 1}, Shape{512, 512, 78, 1}}) {
        const ImagePtr input = inputFor(step, shape, 1);
        std::vector<Candidate> candidates(backends.size());
        RunContext context;
        for (std::size_t i = 0; i < backends.size(); ++i) {
            try {
                candidates[i].run =
                    std::make_unique<PreparedRun>(engine.prepare(pipelineOf(step), input, parseTarget(backends[i]), context));
                candidates[i].run->run(context);
            } catch (const Error&) {
                candidates[i].run.reset();
            }
        }
        for (int round = 0; round < o.samples; ++round)
            for (Candidate& c : candidates)
                if (c.run) takeTurn([&] { return sample(c, context); });
        std::printf("  %4lld x %4lld x %3lld ", static_cast<long long>(shape.width), static_cast<long long>(shape.height),
                    static_cast<long long>(shape.depth));
        for (const Candidate& c : candidates) {
            if (c.run) std::printf(" %14.4f", median(c.endToEnd));
            else std::printf(" %14s", "-");
        }
        std::printf("\n");
    }
    return 0;
}

#if defined(PARALLAX_WITH_REPORT)
/// A record like that of parallax-cli, for machines without the libraries that it needs for files.
int benchSweep(const Options& o) {
    const Catalog& catalog = processCatalog();
    SweepPoint base;
    base.recipes = {{{}, pipelineOf(parseStep(catalog, o.cases.front()))}};
    for (const std::string& b : o.backends) base.targets.push_back(parseTarget(b));
    base.input = std::make_shared<const Image>(makeSynthetic({.kind = SyntheticKind::noise, .shape = o.shape, .seed = 1}));
    std::vector<RunRecord> records;
    forEachPoint(o.sweep, base, [&](const SweepPoint& point, const SweepPosition&) {
        MeasureOptions options;
        options.protocol = protocolFor("quick");
        options.command = "bench_wavelet --sweep " + o.sweep;
        RunRecord r = measureRecipes(Engine(catalog), point.recipes, point.input, rowsOf(1, point.targets), options);
        r.sweep = point.at;
        std::printf("%s\n%s\n", point.name().c_str(), toTerminalTable(r, false).c_str());
        std::fflush(stdout);
        records.push_back(std::move(r));
        return true;
    });
    for (const std::string& sentence : sweepSentences(records, kAsciiSigns)) std::printf("%s\n", sentence.c_str());
    if (!o.report.empty()) std::ofstream(o.report) << toJson(records);
    return 0;
}
#endif

int bench(const Options& o) {
    const Catalog& catalog = processCatalog();
    const Engine engine(catalog);
    const std::vector<std::string> targets = targetsOf(o, catalog);
    std::vector<Candidate> candidates;
    // One input per case, for all candidates.
    for (const std::string& name : o.cases) {
        const Step step = parseStep(catalog, name);
        const ImagePtr input = inputFor(step, o.shape, 1);
        for (const std::string& backend : targets)
            for (const int threads : o.threads) {
                const bool onDevice = !isHostAccessible(catalog.backend(parseTarget(backend).backend).open({})->memorySpace());
                if (onDevice && threads != o.threads.front()) continue;  // threads do not matter there
                Candidate& c = candidates.emplace_back();
                c.name = name;
                c.target = backend;
                c.onDevice = onDevice;
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
    double deviceMsPerByte = 0;
    for (const Candidate& c : candidates)
        if (c.onDevice && deviceMsPerByte == 0) deviceMsPerByte = deviceCopy(catalog.backend(parseTarget(c.target).backend));
    for (const Candidate& c : candidates)
        if (!c.onDevice && std::none_of(floors.begin(), floors.end(), [&](const auto& f) { return f.first == c.threads; }))
            floors.emplace_back(c.threads, std::make_unique<CopyFloor>(volume, c.threads));
    RunContext context;
    for (int round = 0; round < o.samples; ++round) {
        for (auto& floor : floors) takeTurn([&] { return floor.second->sample(); });
        for (Candidate& c : candidates)
            if (c.run) takeTurn([&] { return sample(c, context); });
    }

    const Shape& s = o.shape;
    if (o.json)
        std::printf("{\"schema\": \"parallax-bench-wavelet/1\", \"width\": %lld, \"height\": %lld, \"depth\": %lld, \"results\": [",
                    static_cast<long long>(s.width), static_cast<long long>(s.height), static_cast<long long>(s.depth));
    else
        std::printf(
            "%lld x %lld x %lld float32, medians of samples in %d turns; floor: a copy of as many bytes by as many threads\n  %-28s "
            "%-14s %7s %10s %10s %9s %9s %9s %11s %11s  %s\n",
            static_cast<long long>(s.width), static_cast<long long>(s.height), static_cast<long long>(s.depth), o.samples, "case", "target",
            "threads", "compute ms", "fastest ms", "floor ms", "x floor", "GFLOP/s", "end to end", "transfer", "largest error / tolerance");
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
        const double ms = median(c.compute), fastest = *std::min_element(c.compute.begin(), c.compute.end());
        const auto copy = std::find_if(floors.begin(), floors.end(), [&](const auto& f) { return f.first == c.threads; });
        const double floor = c.onDevice ? deviceMsPerByte * c.run->work().bytes : copy->second->of(c.run->work().bytes);
        const double target = c.onDevice ? targetOf(c.name, s) : 0, earlier = earlierOf(c.target, c.name, s);
        const double gflops = c.run->work().flops / ms * 1e-6;
        if (o.json)
            std::printf(
                "%s\n  {\"case\": \"%s\", \"target\": \"%s\", \"threads\": %d, \"compute_ms\": %.4f, \"fastest_ms\": %.4f, \"floor_ms\": "
                "%.4f, "
                "\"end_to_end_ms\": %.4f, \"longer_transfer_ms\": %.4f, \"gflops\": %.2f, \"estimated_bytes\": %llu, \"samples\": %zu, "
                "\"max_error\": %.3e, \"tolerance\": %.3e, \"agrees\": %s}",
                first ? "" : ",", c.name.c_str(), c.target.c_str(), c.threads, ms, fastest, floor, median(c.endToEnd), median(c.transfer),
                gflops, static_cast<unsigned long long>(c.run->estimatedHostBytes()), c.compute.size(), c.maxError, c.tolerance,
                c.agrees ? "true" : "false");
        else
            std::printf("  %-28s %-14s %7d %10.4f %10.4f %9.4f %9.2f %9.1f %11.3f %11.3f  %.1e / %.1e%s", c.name.c_str(), c.target.c_str(),
                        c.threads, ms, fastest, floor, ms / floor, gflops, median(c.endToEnd), median(c.transfer), c.maxError, c.tolerance,
                        c.agrees ? "" : "  DISAGREES");
        if (!o.json && target > 0) std::printf(", target %.3f on H200: %s", target, ms <= target ? "met" : "missed");
        if (!o.json && earlier > 0) std::printf(", earlier system %.2f on RTX 3060", earlier);
        if (!o.json) std::printf("\n");
        first = false;
    }
    if (o.json) std::printf("\n]}\n");
    return allAgree ? 0 : 7;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const Options options = parse(argc, argv);
        if (!options.sweep.empty()) {
#if defined(PARALLAX_WITH_REPORT)
            return benchSweep(options);
#else
            throw Error(ErrorCode::unavailable, "--sweep needs the reports, which were not built");
#endif
        }
        return options.sizes ? benchSizes(options) : bench(options);
    } catch (const Error& e) {
        std::fprintf(stderr, "bench_wavelet: %s\n", e.what());
        return e.code() == ErrorCode::usage ? 2 : 1;
    }
}
