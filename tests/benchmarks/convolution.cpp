// SPDX-License-Identifier: GPL-3.0-or-later
// Benchmarks convolutions in one run: same image, weights and border mode for all candidates. Results are verified before times are shown;
// candidates take turns, so that a slow moment of the machine affects all of them. convolution_tables.py makes tables and charts.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>

#include "core/image/difference.hpp"
#include "core/image/synthetic.hpp"
#include "core/operations/convolution/kernel.hpp"
#include "tests/benchmarks/convolution_candidates.hpp"
#include "tests/benchmarks/turn.hpp"

namespace {

using namespace parallax;
using namespace parallax::bench;

struct Options {
    std::vector<std::string> sizes{"4096"}, kernels{"3", "5", "7", "11", "15"}, backends;
    int threads = 1;
    int samples = 11;
    double seconds = 0.5, limit = 4;
    bool json = false, ceilings = false;
    std::string weights = "random", border = "replicate";
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
    "bench_convolution [--size N,...] [--threads N (0: all)] [--kernel 3,5,7x3] [--backend openmp.direct,opencv@1,cuda.tiled,halide,copy]\n"
    "                  [--weights random|separable|ones] [--border NAME] [--samples N] [--seconds S] [--limit S] [--ceilings] [--json]\n"
    "Weights of full rank, of rank 1, or all 1, on noise; medians of samples in turns; speedup against opencv. No candidate is\n"
    "measured for longer than the limit, but once. --ceilings: only the measured limits of the devices.";

Options parse(int argc, char** argv) {
    Options o;
    for (int i = 1; i < argc; ++i) {
        const std::string name = argv[i];
        if (name == "--json" || name == "--ceilings") {
            (name == "--json" ? o.json : o.ceilings) = true;
            continue;
        }
        if (name == "--help") {
            std::puts(kUsage);
            std::exit(0);
        }
        if (i + 1 == argc) throw Error(ErrorCode::usage, "Option " + name + " is unknown or lacks its value", kUsage);
        const std::string value = argv[++i];
        if (name == "--size") o.sizes = split(value);
        else if (name == "--threads") o.threads = static_cast<int>(number(name, value, 0));
        else if (name == "--samples") o.samples = static_cast<int>(number(name, value, 1));
        else if (name == "--seconds") o.seconds = number(name, value, 0);
        else if (name == "--limit") o.limit = number(name, value, 0);
        else if (name == "--kernel") o.kernels = split(value);
        else if (name == "--backend") o.backends = split(value);
        else if (name == "--border") o.border = value;
        else if (name == "--weights") o.weights = value;
        else throw Error(ErrorCode::usage, "Option " + name + " is unknown", kUsage);
    }
    if (o.weights != "random" && o.weights != "separable" && o.weights != "ones")
        throw Error(ErrorCode::usage, "--weights is '" + o.weights + "'", kUsage);
    return o;
}

/// "7" or "7x3".
Step makeStep(const std::string& size, const Options& options) {
    const std::size_t cross = size.find('x');
    const int width = static_cast<int>(number("--kernel", size.substr(0, cross), 1));
    const int height = cross == std::string::npos ? width : static_cast<int>(number("--kernel", size.substr(cross + 1), 1));
    std::mt19937 random(7);
    std::vector<unsigned long> row;
    for (int u = 0; u < width; ++u) row.push_back(1 + random() % 100);
    std::string weights;
    for (int v = 0; v < height; ++v) {
        const unsigned long column = 1 + random() % 100;
        for (const unsigned long r : row)
            weights += std::to_string(options.weights == "ones" ? 1 : options.weights == "separable" ? column * r : random() % 1000) + " ";
        weights += ";";
    }
    Step step = parseStep(processCatalog(), "convolve:kernel=custom");
    step.parameters.setText("weights", weights);
    step.parameters.setText("border", options.border);
    return step;
}

/// Quotes a CSV field: reasons may contain quotes and file names.
std::string jsonText(const std::string& text) {
    std::string escaped;
    for (const char c : text) {
        if (c == '"' || c == '\\') escaped += '\\';
        escaped += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return escaped;
}

struct Measured {
    std::string name, skipped;  ///< why, if it was
    std::unique_ptr<Candidate> candidate;
    std::vector<double> compute, endToEnd;  ///< ms
    double maxError = 0;
    bool agrees = true, done = false;
    double spent() const {
        double sum = 0;
        for (const double ms : endToEnd) sum += ms * 1e-3;
        return sum;
    }
    void add(const Sample& s) {
        compute.push_back(s.compute);
        endToEnd.push_back(s.endToEnd);
    }
};

double median(std::vector<double> v) {
    std::sort(v.begin(), v.end());
    const std::size_t n = v.size();
    return n == 0 ? 0 : (v[(n - 1) / 2] + v[n / 2]) / 2;
}

ImagePtr noise(std::int64_t size, std::uint64_t seed) {
    return std::make_shared<const Image>(makeSynthetic({.kind = SyntheticKind::noise, .shape = {size, size, 1, 1}, .seed = seed}));
}

/// Compares results with the reference on a small image, and with sums in double at some places of the large one, those along the edges
/// first.
class Checker {
public:
    Checker(const Step& step, ImagePtr small, const ImagePtr& large)
        : step_(step), small_(std::move(small)), large_(large), plan_(planConvolution(makeProblem(*large, step.parameters))) {
        Pipeline pipeline;
        pipeline.steps.push_back(step);
        RunContext context;
        RunResult r = Engine(processCatalog()).run(pipeline, small_, parseTarget("reference"), context);
        expected_ = std::make_unique<Image>(std::move(r.image));
        tolerance_ = r.plan.front().tolerance.absolute;
        work_ = step.operation->work(makeProblem(*large, step.parameters));
    }
    double tolerance() const { return tolerance_; }
    const Work& work() const { return work_; }
    double smallError(const std::string& name, int threads) const {
        const auto candidate = makeCandidate(name, threads, step_, small_);
        candidate->run();
        const DifferenceMetrics d = compareViews(expected_->view(), candidate->output());
        return d.nanMismatches > 0 ? HUGE_VAL : d.maxAbs;
    }
    double largeError(const Candidate& candidate) const {
        const View<const float> in = large_->view(), out = candidate.output();
        const std::int64_t width = in.shape.width, height = in.shape.height;
        const Kernel& k = plan_.kernel;
        std::mt19937_64 random(11);
        double worst = 0;
        for (int i = 0; i < 400; ++i) {
            auto x = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(width));
            auto y = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(height));
            if (i < 100) x = i % 2 ? width - 1 - std::min<std::int64_t>(width - 1, i / 4) : std::min<std::int64_t>(width - 1, i / 4);
            if (i >= 50 && i < 150)
                y = i % 2 ? height - 1 - std::min<std::int64_t>(height - 1, i / 8) : std::min<std::int64_t>(height - 1, i / 8);
            double sum = 0;
            for (int v = 0; v < k.height; ++v)
                for (int u = 0; u < k.width; ++u) {
                    const std::int64_t sx = borderIndex<std::int64_t>(x + u - k.anchorX, width, plan_.border),
                                       sy = borderIndex<std::int64_t>(y + v - k.anchorY, height, plan_.border);
                    sum += k.at(u, v) * static_cast<double>(sx < 0 || sy < 0 ? plan_.borderValue : in.at(sx, sy));
                }
            const double error = std::fabs(static_cast<double>(out.at(x, y)) - sum);
            worst = std::isfinite(error) ? std::max(worst, error) : HUGE_VAL;
        }
        return worst;
    }

private:
    const Step& step_;
    ImagePtr small_, large_;
    ConvolutionPlan plan_;
    std::unique_ptr<Image> expected_;
    double tolerance_ = 0;
    Work work_;
};

/// The reference is serial double arithmetic: a part of the image is enough to check against.
constexpr std::int64_t kCheckedSize = 700;

std::vector<Measured> measure(const Options& o, const std::vector<std::string>& names, const Step& step, const Checker& checker,
                              const ImagePtr& image) {
    std::vector<Measured> all;
    for (const std::string& name : names) {
        Measured& m = all.emplace_back();
        m.name = name;
        try {
            m.candidate = makeCandidate(name, o.threads, step, image);
            if (m.candidate->filters()) m.maxError = checker.smallError(name, o.threads);
            const Sample first = m.candidate->run();
            if (m.candidate->filters()) m.maxError = std::max(m.maxError, checker.largeError(*m.candidate));
            m.agrees = m.maxError <= checker.tolerance();
            // The first run warms up, and touches memory for the first time: 1.4 s instead of 0.1 for a gigabyte. It counts only
            // if there is no time for another one.
            if (first.endToEnd * 1e-3 > 2 * o.limit) {
                m.add(first);
                m.done = true;
            }
        } catch (const Error& e) {
            m.skipped = e.what();
            m.candidate.reset();
        }
    }
    const auto start = std::chrono::steady_clock::now();
    const auto elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
    for (int round = 0; round < o.samples || (elapsed() < o.seconds && round < 10000); ++round) {
        bool any = false;
        for (Measured& m : all) {
            if (!m.candidate || m.done) continue;
            takeTurn([&] {
                const Sample sample = m.candidate->run();
                m.add(sample);
                return sample.endToEnd;
            });
            m.done = m.spent() > o.limit;
            any = true;
        }
        if (!any) break;
    }
    return all;
}

void print(const Options& o, const std::string& size, const std::string& kernel, const std::vector<Measured>& all, const Checker& checker,
           bool& first) {
    double peer = 0;
    for (const Measured& m : all)
        if (m.candidate && m.name.starts_with("opencv")) peer = median(m.compute);
    if (!o.json)
        std::printf("\n%s x %s, k = %s\n  %-18s %4s %10s %10s %10s %9s %9s %4s  %s\n", size.c_str(), size.c_str(), kernel.c_str(), "",
                    "thr", "compute ms", "fastest", "end to end", "GFLOP/s", "x opencv", "n", "largest error / tolerance");
    for (const Measured& m : all) {
        if (o.json) {
            std::printf("%s\n  {\"size\": %s, \"kernel\": \"%s\", \"weights\": \"%s\", \"target\": \"%s\", ", first ? "" : ",",
                        size.c_str(), kernel.c_str(), o.weights.c_str(), jsonText(m.name).c_str());
            first = false;
        }
        if (!m.candidate) {
            if (o.json) std::printf("\"skipped\": \"%s\"}", jsonText(m.skipped).c_str());
            else std::printf("  %-18s skipped: %s\n", m.name.c_str(), m.skipped.c_str());
            continue;
        }
        const Candidate& c = *m.candidate;
        const double ms = median(m.compute), fastest = *std::min_element(m.compute.begin(), m.compute.end());
        const double gflops = c.filters() ? checker.work().flops / ms * 1e-6 : 0;
        if (o.json) {
            std::printf(
                "\"threads\": %d, \"device\": \"%s\", \"variant\": \"%s\", \"choice\": \"%s\", \"compute_ms\": %.5f, \"fastest_ms\": %.5f, "
                "\"end_to_end_ms\": %.5f, \"gflops\": %.2f, \"samples\": %zu, \"max_error\": %.3e, \"tolerance\": %.3e, \"agrees\": %s}",
                c.threads(), jsonText(c.device()).c_str(), jsonText(c.variant()).c_str(), jsonText(c.choice()).c_str(), ms, fastest,
                median(m.endToEnd), gflops, m.compute.size(), m.maxError, checker.tolerance(), m.agrees ? "true" : "false");
        } else {
            // A wrong result gets no speedup.
            char ratio[32] = "-";
            if (m.agrees && peer > 0 && c.filters()) std::snprintf(ratio, sizeof ratio, "%.2f", peer / ms);
            std::printf("  %-18s %4d %10.3f %10.3f %10.3f %9.1f %9s %4zu  %.1e / %.1e%s\n", m.name.c_str(), c.threads(), ms, fastest,
                        median(m.endToEnd), gflops, ratio, m.compute.size(), m.maxError, checker.tolerance(),
                        m.agrees ? "" : "  DISAGREES");
        }
    }
    std::fflush(stdout);
}

int compareAll(const Options& o) {
    const std::vector<std::string> names = o.backends.empty() ? allCandidates() : o.backends;
    bool allAgree = true, first = true;
    if (o.json) std::printf("{\"schema\": \"parallax-bench-convolution/2\", \"border\": \"%s\", \"results\": [", o.border.c_str());
    else
        std::printf("convolution, float32, one channel, weights %s, border %s (GFLOP/s of the direct form)\n", o.weights.c_str(),
                    o.border.c_str());
    for (const std::string& sizeText : o.sizes) {
        const auto size = static_cast<std::int64_t>(number("--size", sizeText, 1));
        const ImagePtr image = noise(size, 1), small = noise(std::min(size, kCheckedSize), 2);
        for (const std::string& kernel : o.kernels) {
            const Step step = makeStep(kernel, o);
            const Checker checker(step, small, image);
            const std::vector<Measured> all = measure(o, names, step, checker, image);
            for (const Measured& m : all) allAgree = allAgree && m.agrees;
            print(o, sizeText, kernel, all, checker, first);
        }
    }
    if (o.json) std::printf("\n]}\n");
    return allAgree ? 0 : 7;
}

int printCeilings() {
    std::printf("{\"schema\": \"parallax-bench-convolution-ceilings/1\", \"ceilings\": [");
    bool first = true;
    for (const auto& backend : processCatalog().backends()) {
        if (!backend->availability().yes) continue;
        for (const DeviceInfo& device : backend->devices())
            for (const CeilingRecord& c : backend->measureCeilings(device.index, {})) {
                std::printf("%s\n  {\"name\": \"%s\", \"level\": \"%s\", \"value\": %.3f, \"unit\": \"%s\", \"device\": \"%s\"}",
                            first ? "" : ",", jsonText(c.name).c_str(), jsonText(c.level).c_str(), c.value, jsonText(c.unit).c_str(),
                            jsonText(c.device).c_str());
                first = false;
            }
    }
    std::printf("\n]}\n");
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const Options options = parse(argc, argv);
        return options.ceilings ? printCeilings() : compareAll(options);
    } catch (const Error& e) {
        std::fprintf(stderr, "bench_convolution: %s\n", e.what());
        return e.code() == ErrorCode::usage ? 2 : 1;
    }
}
