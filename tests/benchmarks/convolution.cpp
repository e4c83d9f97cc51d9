// SPDX-License-Identifier: GPL-3.0-or-later
// Convolution on every backend asked for, in one run: same image, same weights, same border; results checked against the
// reference before times are shown; samples of all candidates interleaved, so that a slow moment of the machine meets all.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "parallax/engine/engine.hpp"
#include "parallax/image/difference.hpp"
#include "parallax/image/synthetic.hpp"

namespace {

using namespace parallax;

struct Options {
    std::int64_t size = 4096;
    int threads = 1;
    int samples = 11;
    double seconds = 0.5;
    bool json = false;
    bool separable = false;
    std::string border = "replicate";
    std::vector<std::string> kernels{"3", "5", "7", "11", "15"};
    std::vector<std::string> backends;
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

constexpr const char* kUsage =
    "bench_convolution [--size N] [--threads N (0: all)] [--kernel 3,5,7x3] [--backend openmp.simd,opencv,cuda.tiled]\n"
    "                  [--border NAME] [--samples N] [--seconds S] [--separable] [--json]\n"
    "Random weights (of full rank, or of rank 1) on noise; medians of interleaved samples; speedup against opencv.";

Options parse(int argc, char** argv) {
    Options o;
    for (int i = 1; i < argc; ++i) {
        const std::string name = argv[i];
        if (name == "--json") {
            o.json = true;
            continue;
        }
        if (name == "--separable") {
            o.separable = true;
            continue;
        }
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
        else if (name == "--kernel") o.kernels = split(value);
        else if (name == "--backend") o.backends = split(value);
        else if (name == "--border") o.border = value;
        else throw Error(ErrorCode::usage, "Option " + name + " is unknown", kUsage);
    }
    return o;
}

/// Every variant of every backend that is there; the reference is too slow to be a candidate.
std::vector<std::string> allTargets(const Catalog& catalog) {
    std::vector<std::string> names;
    for (const auto& backend : catalog.backends())
        if (backend->id() != "reference")
            for (const Implementation* i : catalog.implementations("convolve", backend->id()))
                names.push_back(backend->id() + "." + i->variant());
    return names;
}

/// "7" or "7x3", random weights: no rank-1 shortcut applies unless asked for.
Step makeStep(const Catalog& catalog, const std::string& size, const Options& options) {
    const std::size_t cross = size.find('x');
    const int width = static_cast<int>(number("--kernel", size.substr(0, cross), 1));
    const int height = cross == std::string::npos ? width : static_cast<int>(number("--kernel", size.substr(cross + 1), 1));
    std::mt19937 random(7);
    std::vector<unsigned long> row;
    for (int u = 0; u < width; ++u) row.push_back(1 + random() % 100);
    std::string weights;
    for (int v = 0; v < height; ++v) {
        const unsigned long column = 1 + random() % 100;
        for (const unsigned long r : row) weights += std::to_string(options.separable ? column * r : random() % 1000) + " ";
        weights += ";";
    }
    Step step = parseStep(catalog, "convolve:kernel=custom");
    step.parameters.setText("weights", weights);
    step.parameters.setText("border", options.border);
    return step;
}

/// Reasons may hold quotes and file names.
std::string jsonText(const std::string& text) {
    std::string escaped;
    for (const char c : text) {
        if (c == '"' || c == '\\') escaped += '\\';
        escaped += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return escaped;
}

struct Candidate {
    std::string name;
    std::string skipped;  ///< why, if it was
    std::unique_ptr<PreparedRun> run;
    std::vector<double> compute, endToEnd;  ///< ms
    double maxError = 0, tolerance = 0;
    bool agrees = false;
};

double median(std::vector<double> v) {
    std::sort(v.begin(), v.end());
    const std::size_t n = v.size();
    return n == 0 ? 0 : (v[(n - 1) / 2] + v[n / 2]) / 2;
}

/// The reference is serial double arithmetic: a part of the image is enough to check against.
constexpr std::int64_t kCheckedSize = 700;

void verify(const Engine& engine, const Pipeline& pipeline, const Target& target, const ImagePtr& image, const Image& expected,
            Candidate& c) {
    RunContext context;
    PreparedRun run = engine.prepare(pipeline, image, target, context);
    run.run(context);
    const DifferenceMetrics d = compareViews(expected.view(), run.output());
    c.maxError = d.maxAbs;
    c.tolerance = run.tolerance().absolute;
    c.agrees = d.within(c.tolerance);
}

int bench(const Options& o) {
    const Catalog& catalog = processCatalog();
    const Engine engine(catalog);
    const auto image =
        std::make_shared<const Image>(makeSynthetic({.kind = SyntheticKind::noise, .shape = {o.size, o.size, 1, 1}, .seed = 1}));
    const std::int64_t small = std::min(o.size, kCheckedSize);
    const auto checked =
        std::make_shared<const Image>(makeSynthetic({.kind = SyntheticKind::noise, .shape = {small, small, 1, 1}, .seed = 2}));
    std::vector<std::string> names = o.backends.empty() ? allTargets(catalog) : o.backends;
    bool allAgree = true;
    if (o.json)
        std::printf(
            "{\"schema\": \"parallax-bench-convolution/1\", \"size\": %lld, \"separable\": %s, \"threads\": %d, \"border\": \"%s\", "
            "\"results\": [",
            static_cast<long long>(o.size), o.separable ? "true" : "false", o.threads, o.border.c_str());
    else
        std::printf("convolution, %lld x %lld float32, one channel, %s weights, border %s, threads %s (GFLOP/s of the direct form)\n",
                    static_cast<long long>(o.size), static_cast<long long>(o.size), o.separable ? "separable" : "full-rank",
                    o.border.c_str(), o.threads == 0 ? "all" : std::to_string(o.threads).c_str());
    bool firstLine = true;
    for (const std::string& size : o.kernels) {
        Pipeline pipeline;
        pipeline.steps.push_back(makeStep(catalog, size, o));
        RunContext context;
        Target reference = parseTarget("reference");
        const Image expected = engine.run(pipeline, checked, reference, context).image;
        std::vector<Candidate> candidates;
        for (const std::string& name : names) {
            Candidate& c = candidates.emplace_back();
            c.name = name;
            Target target = parseTarget(name);
            target.threads = o.threads;
            try {
                verify(engine, pipeline, target, checked, expected, c);
                c.run = std::make_unique<PreparedRun>(engine.prepare(pipeline, image, target, context));
                c.run->run(context);  // warm-up
            } catch (const Error& e) {
                c.skipped = e.what();
                c.run.reset();
            }
        }
        const auto start = std::chrono::steady_clock::now();
        const auto elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
        // Slow candidates get fewer samples, or the scalar baseline would take all the time.
        const double budget = std::max(o.seconds, 0.01) * static_cast<double>(candidates.size()) * 4;
        for (int round = 0; round < o.samples || (elapsed() < o.seconds && round < 10000); ++round)
            for (Candidate& c : candidates) {
                if (!c.run) continue;
                if (round >= 3 && !c.compute.empty() && median(c.compute) * o.samples * 1e-3 > budget) continue;
                const StageTimes t = c.run->run(context);
                c.compute.push_back(static_cast<double>(t.compute()) * 1e-6);
                c.endToEnd.push_back(static_cast<double>(t.endToEnd()) * 1e-6);
            }
        double peer = 0;
        for (const Candidate& c : candidates)
            if (c.run && c.name.starts_with("opencv")) peer = median(c.compute);
        if (!o.json)
            std::printf("\nk = %s\n  %-18s %10s %10s %10s %9s %9s %4s  %s\n", size.c_str(), "", "compute ms", "fastest", "end to end",
                        "GFLOP/s", "x opencv", "n", "largest error / tolerance");
        for (const Candidate& c : candidates) {
            if (o.json) std::printf("%s\n  {\"kernel\": \"%s\", \"target\": \"%s\", ", firstLine ? "" : ",", size.c_str(), c.name.c_str());
            firstLine = false;
            if (!c.run) {
                if (o.json) std::printf("\"skipped\": \"%s\"}", jsonText(c.skipped).c_str());
                else std::printf("  %-18s skipped: %s\n", c.name.c_str(), c.skipped.c_str());
                continue;
            }
            allAgree = allAgree && c.agrees;
            const double ms = median(c.compute), fastest = *std::min_element(c.compute.begin(), c.compute.end());
            const double gflops = c.run->work().flops / ms * 1e-6;
            // No speedup for a wrong result.
            const std::string ratio = c.agrees && peer > 0 ? toText(ParameterValue(std::round(peer / ms * 100) / 100)) : "-";
            if (o.json)
                std::printf(
                    "\"compute_ms\": %.4f, \"fastest_ms\": %.4f, \"end_to_end_ms\": %.4f, \"gflops\": %.2f, \"speedup\": %s, "
                    "\"samples\": %zu, \"max_error\": %.3e, \"tolerance\": %.3e, \"agrees\": %s}",
                    ms, fastest, median(c.endToEnd), gflops, ratio == "-" ? "null" : ratio.c_str(), c.compute.size(), c.maxError,
                    c.tolerance, c.agrees ? "true" : "false");
            else
                std::printf("  %-18s %10.3f %10.3f %10.3f %9.1f %9s %4zu  %.1e / %.1e%s\n", c.name.c_str(), ms, fastest, median(c.endToEnd),
                            gflops, ratio.c_str(), c.compute.size(), c.maxError, c.tolerance, c.agrees ? "" : "  DISAGREES");
        }
        std::fflush(stdout);
    }
    if (o.json) std::printf("\n]}\n");
    return allAgree ? 0 : 7;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return bench(parse(argc, argv));
    } catch (const Error& e) {
        std::fprintf(stderr, "bench_convolution: %s\n", e.what());
        return e.code() == ErrorCode::usage ? 2 : 1;
    }
}
