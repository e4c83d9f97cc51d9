// SPDX-License-Identifier: GPL-3.0-or-later
// Benchmarks every tone mapping operator on every available backend and variant; prints CSV with floor, peer and target beside each time.
// Results are verified first; candidates of an operator take turns, so that a slow moment of the machine affects all of them.
//   bench_tone_mapping [--size N] [--threads N (0: all)] [--operator global,local] [--backend openmp.simd,cuda] [--samples N] [--seconds S]
// Floor: bytes of the work model over the copy bandwidth measured here, or its operations over the multiply-add rate, whichever takes
// longer. Target: of 4096 x 4096 with one CPU thread, and of 8192 x 8192 on an NVIDIA H200, scaled by the number of pixels, or a multiple
// of the floor; 0: none. Peer: OpenCV in the same run; for a GPU the global operator by torch.compile on an H200 (2026-11-20, 1.06 ms at
// 8192 x 8192), scaled likewise.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/engine/backend/ranks_target.hpp"
#include "core/engine/run/engine.hpp"
#include "core/image/difference.hpp"
#include "core/image/synthetic.hpp"
#ifdef PARALLAX_WITH_MEASURE
#include "core/measure/ceilings/ceilings.hpp"
#endif
#include "tests/benchmarks/turn.hpp"

namespace {

using namespace parallax;

struct Options {
    std::int64_t size = 4096;
    int threads = 1, samples = 11;
    double seconds = 0.5;
    std::vector<std::string> operators, backends;
};

constexpr const char* kUsage =
    "bench_tone_mapping [--size N] [--threads N (0: all)] [--operator NAME,...] [--backend NAME,...] [--samples N] [--seconds S]";

struct OperatorCase {
    const char* name;
    const char* step;
    double processorTarget, deviceTarget;  ///< ms, see above
    double deviceTimesFloor;               ///< the target on a device, in floors; 0: deviceTarget
    double devicePeer;                     ///< ms
};
constexpr OperatorCase kOperators[] = {
    {"global", "tonemap:operator=global", 120, 0.66, 0, 1.06},
    {"local", "tonemap:operator=local", 0, 0, 2.5, 0},
    // Nothing exceeds the threshold: every pixel reaches the largest scale, the worst case.
    {"local-all-scales", "tonemap:operator=local,phi=20", 0, 0, 2.5, 0},
    {"photoreceptor", "tonemap:operator=photoreceptor,luminance=rec601", 150, 0, 0, 0},
    {"photoreceptor-chromatic", "tonemap:operator=photoreceptor,luminance=rec601,chromatic=0.5,light=0.8", 0, 0, 0, 0},
    {"histogram", "tonemap:operator=histogram", 0, 0, 0, 0},
};

std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> parts;
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t end = std::min(text.find(',', start), text.size());
        if (end > start) parts.push_back(text.substr(start, end - start));
        start = end + 1;
    }
    return parts;
}

double number(const std::string& option, const std::string& text, double minimum) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < minimum)
        throw Error(ErrorCode::usage, option + " wants a number of at least " + toText(ParameterValue(minimum)) + ", not '" + text + "'");
    return value;
}

Options parse(int argc, char** argv) {
    Options o;
    for (int i = 1; i < argc; ++i) {
        const std::string name = argv[i];
        if (name == "--help") {
            std::puts(kUsage);
            std::exit(0);
        }
        if (i + 1 == argc) throw Error(ErrorCode::usage, "Option " + name + " is unknown or lacks its value", kUsage);
        const std::string value = argv[++i];
        if (name == "--size") o.size = static_cast<std::int64_t>(number(name, value, 1));
        else if (name == "--threads") o.threads = static_cast<int>(number(name, value, 0));
        else if (name == "--samples") o.samples = static_cast<int>(number(name, value, 1));
        else if (name == "--seconds") o.seconds = number(name, value, 0);
        else if (name == "--operator") o.operators = split(value);
        else if (name == "--backend") o.backends = split(value);
        else throw Error(ErrorCode::usage, "Option " + name + " is unknown", kUsage);
    }
    return o;
}

/// A scene of smooth light over ten powers of two, texture and small lamps. (Noise would stop the local operator at its first scale.) No
/// sample is 0, but the smallest one is close.
ImagePtr makeScene(std::int64_t size) {
    Image image = makeSynthetic({.kind = SyntheticKind::noise, .shape = {size, size, 1, 3}, .seed = 7});
    const View<float> v = image.view();
    const double unit = 6.283185307179586 / static_cast<double>(size);
    std::vector<double> across(static_cast<std::size_t>(size));
    for (std::int64_t x = 0; x < size; ++x)
        across[static_cast<std::size_t>(x)] =
            std::sin(1.3 * unit * static_cast<double>(x)) + 0.4 * std::sin(7.1 * unit * static_cast<double>(x));
    for (std::int64_t y = 0; y < size; ++y) {
        const double down = std::cos(1.9 * unit * static_cast<double>(y)) + 0.4 * std::cos(11.3 * unit * static_cast<double>(y));
        for (std::int64_t x = 0; x < size; ++x) {
            const bool lamp = x % 509 < 12 && y % 401 < 12;
            const double light = std::exp2(1.8 * (across[static_cast<std::size_t>(x)] + down)) * (lamp ? 200 : 1);
            const double tint[] = {1.1, 1.0, 0.7};
            for (std::int64_t c = 0; c < 3; ++c)
                v.at(x, y, 0, c) = static_cast<float>(light * tint[c] * (0.9 + 0.2 * static_cast<double>(v.at(x, y, 0, c))));
        }
    }
    v.at(size / 2, size / 2, 0, 1) = 1e-6F;  // so that OpenCV also scales from nearly 0
    return std::make_shared<const Image>(std::move(image));
}

struct PeakRates {
    double bytesPerMs = 0, flopsPerMs = 0;
};

/// Measured once per device.
PeakRates peakRates(const Backend& backend, int threads) {
    static std::map<std::string, PeakRates> known;
    const bool host = isHostAccessible(backend.open({})->memorySpace());
    const std::string key = host ? "host" : backend.id();
    if (const auto it = known.find(key); it != known.end()) return it->second;
    std::vector<CeilingRecord> ceilings;
    if (!host) ceilings = backend.measureCeilings(0, {});
#ifdef PARALLAX_WITH_MEASURE
    if (host) ceilings = measureCeilings({.threads = {threads > 0 ? threads : effectiveThreads({})}, .seconds = 0.3});
#else
    (void)threads;
#endif
    PeakRates peak;
    for (const CeilingRecord& c : ceilings) {
        const bool memory = c.level == (host ? "memory" : "device");
        if (memory && c.name.starts_with("copy")) peak.bytesPerMs = std::max(peak.bytesPerMs, c.value * 1e6);
        if (c.name == "fma") peak.flopsPerMs = std::max(peak.flopsPerMs, c.value * 1e6);
    }
    std::fprintf(stderr, "%s: copy %.2f GB/s, multiply-adds %.1f GFLOP/s\n", key.c_str(), peak.bytesPerMs * 1e-6, peak.flopsPerMs * 1e-6);
    return known[key] = peak;
}

struct Candidate {
    const Backend* backend = nullptr;
    std::string variant, skipped;
    std::unique_ptr<PreparedRun> run;
    std::vector<double> compute, endToEnd;  ///< ms
    double maxError = 0;
    Tolerance tolerance;
    bool agrees = false;
};

double median(std::vector<double> v) {
    std::sort(v.begin(), v.end());
    const std::size_t n = v.size();
    return n == 0 ? 0 : (v[(n - 1) / 2] + v[n / 2]) / 2;
}

constexpr std::int64_t kCheckedSize = 600;

void prepare(const Engine& engine, const Pipeline& pipeline, const Target& target, const ImagePtr& image, const ImagePtr& checked,
             const Image& expected, Candidate& c) {
    RunContext context;
    PreparedRun small = engine.prepare(pipeline, checked, target, context);
    small.run(context);
    c.tolerance = small.tolerance();
    const DifferenceMetrics d = compareViews(expected.view(), small.output(), {.tolerance = c.tolerance.absolute});
    c.maxError = d.maxAbs;
    c.agrees = d.within(c.tolerance.absolute, c.tolerance.ambiguous);
    c.run = std::make_unique<PreparedRun>(engine.prepare(pipeline, image, target, context));
    c.run->run(context);  // warm-up
}

/// Quotes a CSV field: reasons may contain commas and quotes.
std::string csvText(const std::string& text) {
    std::string escaped = "\"";
    for (const char c : text) {
        if (c == '"') escaped += '"';
        escaped += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return escaped + '"';
}

bool benchOperator(const Engine& engine, const Options& o, const OperatorCase& op, const ImagePtr& image, const ImagePtr& checked) {
    const Catalog& catalog = engine.catalog();
    Pipeline pipeline;
    pipeline.steps.push_back(parseStep(catalog, op.step));
    RunContext context;
    const Image expected = engine.run(pipeline, checked, parseTarget("reference"), context).image;
    std::vector<Candidate> candidates;
    for (const auto& backend : catalog.backends()) {
        if (backend->id() == kReferenceBackend || runsOnlyWhenNamed(backend->id()) || !backend->availability().yes) continue;
        for (const Implementation* i : catalog.implementations("tonemap", backend->id())) {
            const auto asked = [&](const std::string& name) { return name == backend->id() || name == backend->id() + "." + i->variant(); };
            if (!o.backends.empty() && std::none_of(o.backends.begin(), o.backends.end(), asked)) continue;
            Candidate& c = candidates.emplace_back();
            c.backend = backend.get();
            c.variant = i->variant();
            try {
                prepare(engine, pipeline, {.backend = backend->id(), .variant = c.variant, .threads = o.threads}, image, checked, expected,
                        c);
            } catch (const Error& e) {
                c.skipped = e.what();
                c.run.reset();
            }
        }
    }
    const auto start = std::chrono::steady_clock::now();
    const auto elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
    // Slow candidates get fewer samples to limit the total time.
    const double budget = std::max(o.seconds, 0.01) * static_cast<double>(candidates.size()) * 4;
    for (int round = 0; round < o.samples || (elapsed() < o.seconds && round < 10000); ++round)
        for (Candidate& c : candidates) {
            if (!c.run) continue;
            if (round >= 3 && !c.compute.empty() && median(c.compute) * o.samples * 1e-3 > budget) continue;
            takeTurn([&] {
                const StageTimes t = c.run->run(context);
                c.compute.push_back(static_cast<double>(t.compute()) * 1e-6);
                c.endToEnd.push_back(static_cast<double>(t.endToEnd()) * 1e-6);
                return c.endToEnd.back();
            });
        }
    double peer = 0;
    for (const Candidate& c : candidates)
        if (c.run && c.agrees && c.backend->id() == "opencv") peer = median(c.compute);
    bool allAgree = true;
    for (const Candidate& c : candidates) {
        const std::string name = std::string(op.name) + "," + c.backend->id() + "," + c.variant;
        if (!c.run) {
            std::printf("%s,,,,,,,,,,,,,,,,%s\n", name.c_str(), csvText(c.skipped).c_str());
            continue;
        }
        allAgree = allAgree && c.agrees;
        const bool host = c.run->threads() > 0;
        const PeakRates peak = peakRates(*c.backend, o.threads);
        const Work work = c.run->work();
        const double floor =
            std::max(peak.bytesPerMs > 0 ? work.bytes / peak.bytesPerMs : 0, peak.flopsPerMs > 0 ? work.flops / peak.flopsPerMs : 0);
        const double ms = median(c.compute), fastest = *std::min_element(c.compute.begin(), c.compute.end());
        const double pixels = static_cast<double>(o.size) * static_cast<double>(o.size);
        const double ofDevice = pixels / (8192.0 * 8192);
        const double peerHere = host ? peer : op.devicePeer * ofDevice;
        const double target = !host && op.deviceTimesFloor > 0 ? op.deviceTimesFloor * floor
                              : !host                          ? op.deviceTarget * ofDevice
                              : c.run->threads() == 1          ? op.processorTarget * pixels / (4096.0 * 4096)
                                                               : 0;
        // A wrong result gets no speedup.
        std::printf("%s,%d,%lld,3,%.4f,%.4f,%.4f,%zu,%.4f,%.3f,%.4f,%.3f,%.4f,%.3g,%.3g,%s,\n", name.c_str(), c.run->threads(),
                    static_cast<long long>(o.size), ms, fastest, median(c.endToEnd), c.compute.size(), floor, floor > 0 ? ms / floor : 0,
                    peerHere, c.agrees && peerHere > 0 ? peerHere / ms : 0, target, c.maxError, c.tolerance.absolute,
                    c.agrees ? "yes" : "NO");
    }
    std::fflush(stdout);
    return allAgree;
}

int bench(const Options& o) {
    const Engine engine(processCatalog());
    const ImagePtr image = makeScene(o.size), checked = makeScene(std::min(o.size, kCheckedSize));
    std::puts(
        "operator,backend,variant,threads,size,channels,compute_ms,fastest_ms,end_to_end_ms,samples,floor_ms,times_floor,peer_ms,"
        "speedup_over_peer,target_ms,max_error,tolerance,agrees,skipped");
    bool allAgree = true;
    for (const OperatorCase& op : kOperators)
        if (o.operators.empty() || std::find(o.operators.begin(), o.operators.end(), op.name) != o.operators.end())
            allAgree = benchOperator(engine, o, op, image, checked) && allAgree;
    return allAgree ? 0 : 7;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return bench(parse(argc, argv));
    } catch (const Error& e) {
        std::fprintf(stderr, "bench_tone_mapping: %s\n", e.what());
        return e.code() == ErrorCode::usage ? 2 : 1;
    }
}
