// SPDX-License-Identifier: GPL-3.0-or-later
// tonemap / openmp / multigrid and dct: the gradient operator, with rows distributed to threads and vectors of pixels.
#include <cmath>
#include <limits>

#include "core/backends/openmp/parallel.hpp"
#include "core/operations/tone_mapping/gradient_execution.hpp"
#include "core/operations/tone_mapping/openmp/implementations.hpp"
#include "core/operations/tone_mapping/openmp/kernels_gradient.hpp"
#include "core/primitives/blocks.hpp"
#include "core/primitives/histogram.hpp"
#include "core/solvers/openmp/methods.hpp"

namespace parallax {
namespace {

/// Two order statistics of the doubles of all parts in blocks of rows, to 2^-24 of their range: counts in kBins bins, then in kBins parts
/// of the bins that hold the two. Values that are NaN do not count.
class TwoOrderStatistics {
public:
    static constexpr int kBins = 4096;
    static std::uint64_t bytes(const Shape& shape, int threads) {
        // A single pixel is not counted.
        return static_cast<std::uint64_t>(shape.pixels() > 1 ? threads : 0) * 2 * kBins * sizeof(std::uint64_t) +
               static_cast<std::uint64_t>(RowBlocks(shape.height, shape.width).count()) * sizeof(Reduction);
    }

    /// `values`: the own rows of the part.
    TwoOrderStatistics(const double* values, const solvers::GridPart& part, const RunContext& context)
        : values_(values),
          width_(part.width()),
          blocks_(part.rows(), part.width()),
          communicator_(part.communicator()),
          context_(context),
          threads_(effectiveThreads(context)) {
        std::vector<Reduction> ofBlocks(static_cast<std::size_t>(blocks_.count()));
        forValues([&](std::int64_t block, int, double v) { ofBlocks[static_cast<std::size_t>(block)].add(v); });
        if (communicator_) ofBlocks = gatherBlocks<Reduction>(*communicator_, ofBlocks);
        all_ = combine(ofBlocks);
    }
    std::int64_t size() const { return all_.count; }

    /// The values with these ranks, from 0.
    std::array<double, 2> values(const std::array<std::int64_t, 2>& ranks) const {
        if (all_.range() == 0) return {all_.count > 0 ? all_.minimum : 0, all_.count > 0 ? all_.minimum : 0};
        const BinScale<double> coarse{all_.minimum, kBins / all_.range(), kBins};
        std::vector<std::uint64_t> counts(static_cast<std::size_t>(threads_) * 2 * kBins);
        count(counts, [&](double v, const auto& add) { add(0, coarse.binOf(v)); });
        int bins[2];
        std::uint64_t rest[2];
        BinScale<double> fine[2];
        for (std::size_t i = 0; i < 2; ++i) {
            rest[i] = static_cast<std::uint64_t>(ranks[i]);
            bins[i] = binOfRank(counts.data(), rest[i]);
            fine[i] = {coarse.first + bins[i] / coarse.perUnit, coarse.perUnit * kBins, kBins};
        }
        count(counts, [&](double v, const auto& add) {
            const int bin = coarse.binOf(v);
            for (int i = 0; i < 2; ++i)
                if (bin == bins[i]) add(i, fine[i].binOf(v));
        });
        std::array<double, 2> found{};
        for (std::size_t i = 0; i < 2; ++i)
            found[i] = fine[i].first + (binOfRank(counts.data() + i * kBins, rest[i]) + 0.5) / fine[i].perUnit;
        return found;
    }

private:
    template <class Body>
    void forValues(const Body& body) const {
        parallelTasks(context_, blocks_.count(), threads_, [&](std::int64_t block, int worker) {
            const RowRange rows = blocks_[block];
            for (std::int64_t i = rows.first * width_; i < rows.last * width_; ++i)
                if (values_[i] == values_[i]) body(block, worker, values_[i]);
        });
    }
    /// Fills two histograms, the first ones of `counts`, which has two for each thread: body(value, add) calls add(histogram, bin).
    template <class Body>
    void count(std::vector<std::uint64_t>& counts, const Body& body) const {
        constexpr std::size_t each = 2 * kBins;
        std::fill(counts.begin(), counts.end(), 0);
        forValues([&](std::int64_t, int worker, double v) {
            std::uint64_t* const mine = counts.data() + each * static_cast<std::size_t>(worker);
            body(v, [&](int histogram, int bin) { ++mine[histogram * kBins + bin]; });
        });
        for (std::size_t i = each; i < counts.size(); ++i) counts[i % each] += counts[i];
        if (!communicator_) return;
        std::vector<std::int64_t> ofAllParts(counts.begin(), counts.begin() + each);
        communicator_->allReduce(ofAllParts);
        std::copy(ofAllParts.begin(), ofAllParts.end(), counts.begin());
    }
    /// The bin that has the value of a rank; the rank becomes that within the bin.
    static int binOfRank(const std::uint64_t* counts, std::uint64_t& rank) {
        int bin = 0;
        for (; bin + 1 < kBins && rank >= counts[bin]; ++bin) rank -= counts[bin];
        return bin;
    }

    const double* values_;
    std::int64_t width_;
    RowBlocks blocks_;
    Communicator* communicator_;  // null: there is one part
    const RunContext& context_;
    int threads_;
    Reduction all_;
};

class OpenmpGradient final : public HostGradientToneMapping<float> {
public:
    OpenmpGradient(const Problem& problem, std::unique_ptr<solvers::HostMethod> method)
        : HostGradientToneMapping<float>(problem, std::move(method)) {
        numbers_.channels = plan().channels();
        for (int i = 0; i < 3; ++i) numbers_.weights[i] = static_cast<float>(plan().weights.c[i]);
        numbers_.delta = static_cast<float>(parameters().delta);
        numbers_.encoding = parameters().encoding;
        numbers_.inverseGamma = static_cast<float>(1 / parameters().gamma);
    }

protected:
    using Rows = RowTriple<const float*>;

    void addLuminance(const View<const float>& in, std::int64_t y, float* row, ToneStatistics& s) override {
        tone::RunSums sums;
        forRuns(in, nullptr, y, [&](const tone::PixelRun& run, std::int64_t x) { tone::sumLuminance(run, numbers_, row + x, sums); });
        if (sums.finite == 0) return;
        const double low = double{sums.minimum}, high = double{sums.maximum}, delta = parameters().delta;
        s.luminance = {.sum = sums.luminance, .minimum = low, .maximum = high, .count = sums.finite};
        s.logarithms = {.sum = sums.logarithms,
                        .minimum = tone::brightness(low, delta),
                        .maximum = tone::brightness(high, delta),
                        .count = sums.finite};
    }

    void takeLogarithms(const View<const float>& in, std::int64_t y, const ToneConstants& constants, float* row) override {
        if (constants.finite < pixels()) replaceInfinities(in, y, constants, row);
        tone::takeLogarithms(row, width(), gradientNumbers(constants));
    }

    void reduceRow(const float* const (&from)[5], std::int64_t width, float* to) override {
        tone::reduceRow(from, width, scratch(width), to);
    }
    double magnitudes(const Rows& from, std::int64_t width, float* to) override {
        return tone::gradientMagnitudes(from.above, from.own, from.below, width, to);
    }
    void attenuateRow(float* row, std::int64_t width, const tone::Attenuation<float>& attenuation, const float* coarse,
                      const float* nextCoarse) override {
        tone::attenuateRow(row, width, attenuation, coarse, nextCoarse, scratch(2 * (width + 2)));
    }
    void divergenceRow(const Rows& h, const Rows& phi, std::int64_t width, bool, bool, double* to) override {
        tone::divergenceRow({h.above, h.own, h.below}, {phi.above, phi.own, phi.below}, width, to);
    }

    tone::DisplayRange rangeOf(const double* logarithms, const RunContext& context) override {
        const TwoOrderStatistics statistics(logarithms, part(), context);
        const std::int64_t n = statistics.size();
        if (n == 0) return {};
        const auto [white, black] =
            statistics.values({n - 1 - tone::clippedCount(parameters().clipWhite, n), tone::clippedCount(parameters().clipBlack, n)});
        return tone::DisplayRange::of(white, black);
    }

    std::int64_t mapRow(const View<const float>& in, const View<float>& out, std::int64_t y, const double* logarithms,
                        const ToneConstants& constants, const tone::DisplayRange& range) override {
        tone::PixelNumbers k = numbers_;
        k.allFinite = constants.finite == pixels();
        k.limit = static_cast<float>(constants.limit);
        tone::GradientNumbers g = gradientNumbers(constants);
        g.black = static_cast<float>(range.black);
        g.perRange = static_cast<float>(range.perRange());
        constexpr std::int64_t kRoom = 16;  // for the last vector
        float* const relative = scratch(width() + kRoom);
        for (std::int64_t x = 0; x < width(); ++x) relative[x] = static_cast<float>(logarithms[x] - range.white);
        std::fill_n(relative + width(), kRoom, 0.0F);
        std::int64_t brighter = 0;
        forRuns(in, &out, y, [&](const tone::PixelRun& run, std::int64_t x) { brighter += tone::mapGradient(run, k, g, relative + x); });
        return brighter;
    }

private:
    /// Memory of the calling thread.
    static float* scratch(std::int64_t count) {
        thread_local std::vector<float> memory;
        if (memory.size() < static_cast<std::size_t>(count)) memory.resize(static_cast<std::size_t>(count));
        return memory.data();
    }

    tone::GradientNumbers gradientNumbers(const ToneConstants& constants) const {
        tone::GradientNumbers g;
        g.average = static_cast<float>(constants.logAverage);
        g.delta = static_cast<float>(parameters().delta);
        g.largestRatio = static_cast<float>(plan().largestRatio + 1);
        g.saturation = plan().grey() ? 1.0F : static_cast<float>(parameters().saturation);
        return g;
    }

    /// Calls body(run, x) for the runs of a row.
    template <class Body>
    void forRuns(const View<const float>& in, const View<float>* out, std::int64_t y, const Body& body) const {
        for (std::int64_t x = 0; x < width(); x += tone::kLongestRun) {
            tone::PixelRun run;
            run.count = std::min(tone::kLongestRun, width() - x);
            for (int i = 0; i < plan().channels(); ++i) {
                const int c = plan().colour[static_cast<std::size_t>(i)];
                run.in[i] = in.row(y, 0, c) + x;
                if (out) run.out[i] = out->row(y, 0, c) + x;
            }
            body(run, x);
        }
    }

    /// Luminances that are not finite: infinities count as the limit.
    void replaceInfinities(const View<const float>& in, std::int64_t y, const ToneConstants& constants, float* row) const {
        const tone::ColourWeights<float> weights{{numbers_.weights[0], numbers_.weights[1], numbers_.weights[2]}};
        for (std::int64_t x = 0; x < width(); ++x) {
            if (row[x] == row[x]) continue;
            float sample[3] = {0, 0, 0};
            for (int i = 0; i < plan().channels(); ++i)
                sample[i] =
                    tone::withoutInfinity(in.at(x, y, 0, plan().colour[static_cast<std::size_t>(i)]), static_cast<float>(constants.limit));
            row[x] = std::fabs(tone::luminance(weights, sample, plan().channels()));
        }
    }

    tone::PixelNumbers numbers_;
};

class OpenmpGradientToneMapping final : public Implementation, public PreparesParts {
public:
    OpenmpGradientToneMapping(solvers::HostMethodKind kind, const char* summary) : kind_(std::move(kind)), summary_(summary) {}
    std::string operation() const override { return "tonemap"; }
    std::string variant() const override { return kind_.variant; }
    std::string summary() const override { return summary_; }
    Support supports(const Problem& problem) const override {
        if (const Support support = supportsGradient(planToneMapping(problem)); !support) return support;
        return kind_.supports(false);
    }
    bool errsLocally(const Problem&) const override { return false; }
    MemoryEstimate estimate(const Problem& problem) const override {
        const GradientPlan gradient = planGradient(planToneMapping(problem), problem.shape);
        const Shape& shape = gradient.stencil.shape;
        // The method keeps its memory until the next run.
        return {.host = HostGradientToneMapping<float>::bytes(gradient) + kind_.bytes(shape, 1, false) +
                        TwoOrderStatistics::bytes(shape, effectiveThreads({})),
                .device = 0};
    }
    Distribution distribution(const Problem&) const override { return kind_.distribution(false); }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext&) const override {
        auto execution = std::make_unique<OpenmpGradient>(problem, kind_.make());
        execution->makeArrays();
        return execution;
    }
    std::unique_ptr<Execution> preparePart(const Problem& problem, RunContext&) const override {
        return std::make_unique<OpenmpGradient>(problem, kind_.make());
    }

private:
    solvers::HostMethodKind kind_;
    const char* summary_;
};

}  // namespace

std::unique_ptr<Implementation> makeOpenmpMultigridToneMapping() {
    return std::make_unique<OpenmpGradientToneMapping>(
        solvers::openmpMultigrid(),
        "Gradient operator: rows of the pyramid by vectors, the equation by conjugate gradients preconditioned by a V-cycle of multigrid");
}
std::unique_ptr<Implementation> makeOpenmpTransformToneMapping() {
    return std::make_unique<OpenmpGradientToneMapping>(
        solvers::openmpTransforms(), "Gradient operator: rows of the pyramid by vectors, the equation by cosine transforms of FFTW");
}

}  // namespace parallax
