// SPDX-License-Identifier: GPL-3.0-or-later
// tonemap / openmp / simd: one pass for the statistics, one for the mapping, each over runs of contiguous pixels. The
// local operator's Gaussians: local.cpp.
#include <cmath>

#include "core/backends/openmp/parallel.hpp"
#include "core/operations/tone_mapping/gradient_plan.hpp"
#include "core/operations/tone_mapping/host_execution.hpp"
#include "core/operations/tone_mapping/openmp/implementations.hpp"
#include "core/operations/tone_mapping/openmp/kernels.hpp"
#include "core/operations/tone_mapping/openmp/local.hpp"

namespace parallax {
namespace {

/// Larger results do not stay in the caches: streaming stores save reading each line before it is written.
constexpr std::int64_t kStreamBytes = std::int64_t{16} << 20;

class SimdExecution final : public HostToneMapping {
public:
    SimdExecution(const Problem& problem, const RunContext& context)
        : HostToneMapping(planToneMapping(problem)),
          threads_(effectiveThreads(context)),
          pixels_(problem.shape.pixels()),
          large_(problem.shape.samples() * static_cast<std::int64_t>(sizeof(float)) >= kStreamBytes) {
        numbers_.channels = plan().channels();
        for (int i = 0; i < 3; ++i) numbers_.weights[i] = static_cast<float>(plan().weights.c[i]);
        const ToneMappingParameters& p = parameters();
        numbers_.receptor = p.op == ToneOperator::photoreceptor;
        numbers_.receptorDelta = static_cast<float>(plan().controls.receptorDelta());
        numbers_.receptorFloor = static_cast<float>(plan().controls.receptorFloor());
        numbers_.delta = static_cast<float>(p.delta);
        numbers_.saturation = static_cast<float>(p.saturation);
        numbers_.chromatic = static_cast<float>(p.chromatic);
        numbers_.light = static_cast<float>(p.light);
        numbers_.largestRatio = static_cast<float>(plan().largestRatio);
        numbers_.encoding = p.encoding;
        numbers_.inverseGamma = static_cast<float>(1 / p.gamma);
        if (p.op == ToneOperator::local) local_ = std::make_unique<SimdSurround>(plan(), problem.shape, threads_);
    }

protected:
    void forEach(RunContext& context, std::int64_t tasks, const Body& body) override { parallelTasks(context, tasks, threads_, body); }
    int workers(const RunContext&) const override { return threads_; }

    /// The constants as known after some of the passes.
    tone::PixelNumbers numbers(const ToneConstants& c) const {
        tone::PixelNumbers k = numbers_;
        k.allFinite = c.finite == pixels_;
        k.limit = static_cast<float>(c.limit);
        k.q = static_cast<float>(c.q);
        k.k = static_cast<float>(c.k);
        k.low = static_cast<float>(c.low);
        k.perRange = static_cast<float>(c.perRange);
        k.f = static_cast<float>(c.f);
        k.m = static_cast<float>(c.m);
        for (int i = 0; i < 3; ++i) k.average[i] = static_cast<float>(c.average[i]);
        k.mappedLow = static_cast<float>(c.mappedLow);
        k.mappedPerRange = static_cast<float>(c.mappedPerRange);
        return k;
    }

    /// Calls body(run) for runs of contiguous pixels: whole blocks if there are no gaps between the rows.
    template <class Body>
    void forRuns(const Input& in, const Output* out, RowRange rows, Body&& body) const {
        const bool dense = in.rowStride == in.shape.width && (!out || out->rowStride == out->shape.width);
        const std::int64_t length = dense ? in.shape.width * rows.count() : in.shape.width;
        for (std::int64_t y = rows.first; y < rows.last; y += dense ? rows.count() : 1)
            for (std::int64_t start = 0; start < length; start += tone::kLongestRun) {
                tone::PixelRun run;
                run.count = std::min(tone::kLongestRun, length - start);
                run.stream = out && large_;
                for (int i = 0; i < plan().channels(); ++i) {
                    const int c = plan().colour[static_cast<std::size_t>(i)];
                    run.in[i] = in.row(y, 0, c) + start;
                    if (!out) continue;
                    run.out[i] = out->row(y, 0, c) + start;
                    run.stream = run.stream && reinterpret_cast<std::uintptr_t>(run.out[i]) % 64 == 0;
                }
                body(run);
            }
    }

    void addSamples(const Input& in, RowRange rows, ToneStatistics& s) override {
        const tone::PixelNumbers k = numbers({});
        tone::RunSums sums;
        forRuns(in, nullptr, rows, [&](const tone::PixelRun& run) { tone::sumSamples(run, k, sums); });
        if (sums.finite == 0) return;
        s.samples = {.sum = 0, .minimum = double{sums.minimumSample}, .maximum = double{sums.maximumSample}, .count = sums.finite};
        s.luminance = {.sum = 0, .minimum = double{sums.minimum}, .maximum = double{sums.maximum}, .count = sums.finite};
    }

    void addLuminance(const Input& in, RowRange rows, const ToneConstants& constants, ToneStatistics& s) override {
        const tone::PixelNumbers k = numbers(constants);
        tone::RunSums sums;
        if (local_) {
            for (std::int64_t y = rows.first; y < rows.last; ++y)
                forRuns(in, nullptr, {y, y + 1}, [&, x = std::int64_t{0}](const tone::PixelRun& run) mutable {
                    tone::sumLuminance(run, k, local_->row(y) + x, sums);
                    x += run.count;
                });
        } else {
            forRuns(in, nullptr, rows, [&](const tone::PixelRun& run) { tone::sumLuminance(run, k, nullptr, sums); });
        }
        if (sums.finite == 0) return;
        const double low = double{sums.minimum}, high = double{sums.maximum};
        const auto logarithm = [&](double luminance) {
            return k.receptor ? std::log(tone::receptorLight(luminance, plan().controls.receptorDelta(), plan().controls.receptorFloor()))
                              : tone::brightness(luminance, parameters().delta);
        };
        s.luminance = {.sum = sums.luminance, .minimum = low, .maximum = high, .count = sums.finite};
        s.logarithms = {.sum = sums.logarithms, .minimum = logarithm(low), .maximum = logarithm(high), .count = sums.finite};
        for (int c = 0; c < 3; ++c) s.channelSums[c] = sums.channels[c];
    }

    void addBrightness(const Input& in, RowRange rows, const BinScale<double>& scale, Histogram& histogram) override {
        tone::PixelNumbers k = numbers({});
        setScale(k, scale);
        const auto half = static_cast<std::size_t>(scale.bins) + 1;
        std::vector<std::uint32_t> counts(2 * half);
        forRuns(in, nullptr, rows, [&](const tone::PixelRun& run) { tone::countBrightness(run, k, counts.data()); });
        for (int bin = 0; bin < scale.bins; ++bin)
            histogram.add(bin, std::uint64_t{counts[static_cast<std::size_t>(bin)]} + counts[half + static_cast<std::size_t>(bin)]);
    }

    void addMapped(const Input& in, RowRange rows, const ToneConstants& constants, Reduction& mapped) override {
        const tone::PixelNumbers k = numbers(constants);
        tone::RunSums sums;
        forRuns(in, nullptr, rows, [&](const tone::PixelRun& run) { tone::rangeOfMapped(run, k, sums); });
        if (sums.minimumSample <= sums.maximumSample)
            mapped = {.sum = 0, .minimum = double{sums.minimumSample}, .maximum = double{sums.maximumSample}, .count = 1};
    }

    std::int64_t map(const Input& in, const Output& out, RowRange rows, const ToneConstants& constants,
                     const AdjustmentCurve* curve) override {
        tone::PixelNumbers k = numbers(constants);
        std::vector<float> cumulative;
        if (curve) {
            setScale(k, curve->scale);
            k.logRange = static_cast<float>(curve->logRange);
            k.perDisplayRange = static_cast<float>(curve->perRange);
            k.linear = static_cast<float>(curve->linear);
            cumulative.assign(curve->cumulative.begin(), curve->cumulative.end());
            k.cumulative = cumulative.data();
        }
        std::int64_t brighter = 0;
        bool streamed = false;
        forRuns(in, &out, rows, [&](const tone::PixelRun& run) {
            brighter += curve ? tone::mapHistogram(run, k) : k.receptor ? tone::mapPhotoreceptor(run, k) : tone::mapGlobal(run, k);
            streamed = streamed || run.stream;
        });
        if (streamed) tone::finishStores();
        return brighter;
    }

    std::int64_t localRows() const override { return SimdSurround::kBandRows; }

    void localRowsAre(const SurroundRows& rows) override {
        rows_ = rows;
        local_->use(rows.above, rows.own, rows.below);
    }
    View<float> luminanceRows(std::int64_t first, std::int64_t count) override {
        const std::int64_t stride = local_->stride();
        return {local_->row(first), Shape{local_->width(), count, 1, 1}, stride, stride * count, stride * count};
    }
    void localReceived() override {
        for (std::int64_t y = -rows_.above; y < 0; ++y) local_->completeRow(y);
        for (std::int64_t y = rows_.own; y < rows_.own + rows_.below; ++y) local_->completeRow(y);
    }

    void localBegins(const Input& in, const ToneConstants& constants, RunContext& context) override {
        const tone::PixelNumbers k = numbers(constants);
        const RowBlocks blocks(in.shape.height, in.shape.width);
        forEach(context, blocks.count(), [&](std::int64_t task, int) {
            for (std::int64_t y = blocks[task].first; y < blocks[task].last; ++y) {
                if (!k.allFinite) fillGaps(in, y, constants);
                local_->completeRow(y);
            }
        });
    }

    std::int64_t mapLocal(const Input& in, const Output& out, RowRange rows, const ToneConstants& constants, int worker,
                          const RunContext& context) override {
        const tone::PixelNumbers k = numbers(constants);
        const bool image = parameters().output == ToneOutput::image;
        std::int64_t brighter = 0;
        local_->forTiles(rows, constants, worker, context, [&](const SimdSurround::Tile& tile) {
            for (std::int64_t y = rows.first; y < rows.last; ++y) {
                const std::int64_t row = y - rows.first;
                if (!image) {
                    showScale(in, out, y, tile, tile.chosen + row * tile.stride);
                    continue;
                }
                tone::PixelRun run;
                run.count = tile.last - tile.first;
                for (int i = 0; i < plan().channels(); ++i) {
                    const int c = plan().colour[static_cast<std::size_t>(i)];
                    run.in[i] = in.row(y, 0, c) + tile.first;
                    run.out[i] = out.row(y, 0, c) + tile.first;
                }
                brighter += tone::mapLocal(run, k, tile.surround + row * tile.stride);
            }
        });
        return brighter;
    }

private:
    static void setScale(tone::PixelNumbers& k, const BinScale<double>& scale) {
        k.first = static_cast<float>(scale.first);
        k.perUnit = static_cast<float>(scale.perUnit);
        k.bins = scale.bins;
    }

    /// Pixels of a row whose luminance is not finite: infinities count as the limit, a NaN as middle grey for its neighbours.
    void fillGaps(const Input& in, std::int64_t y, const ToneConstants& constants) const {
        const tone::ColourWeights<float> weights{{numbers_.weights[0], numbers_.weights[1], numbers_.weights[2]}};
        float* row = local_->row(y);
        for (std::int64_t x = 0; x < in.shape.width; ++x) {
            if (row[x] == row[x]) continue;
            float sample[3] = {0, 0, 0};
            for (int i = 0; i < plan().channels(); ++i)
                sample[i] =
                    tone::withoutInfinity(in.at(x, y, 0, plan().colour[static_cast<std::size_t>(i)]), static_cast<float>(constants.limit));
            const float luminance = std::fabs(tone::luminance(weights, sample, plan().channels()));
            row[x] = luminance == luminance ? luminance : static_cast<float>(constants.logAverage);
        }
    }

    void showScale(const Input& in, const Output& out, std::int64_t y, const SimdSurround::Tile& tile, const float* chosen) const {
        const float perScale = parameters().scales > 1 ? 1.0F / static_cast<float>(parameters().scales - 1) : 0.0F;
        for (std::int64_t x = tile.first; x < tile.last; ++x) {
            float shown = std::max(chosen[x - tile.first], 0.0F) * perScale;
            for (const int c : plan().colour)
                if (const float sample = in.at(x, y, 0, c); sample != sample) shown = sample;
            for (const int c : plan().colour) out.at(x, y, 0, c) = shown;
        }
    }

    int threads_;
    std::int64_t pixels_;
    bool large_;
    tone::PixelNumbers numbers_;
    std::unique_ptr<SimdSurround> local_;
    SurroundRows rows_;
};

class OpenmpSimdToneMapping final : public Implementation {
public:
    std::string operation() const override { return "tonemap"; }
    std::string variant() const override { return "simd"; }
    std::string summary() const override {
        return "Vectors of pixels, logarithms of products instead of sums of logarithms, one pass for the statistics and one for the "
               "mapping; "
               "the local operator by separable Gaussians on tiles that stay in the cache";
    }
    Support supports(const Problem& problem) const override { return supportsPointwise(planToneMapping(problem)); }
    MemoryEstimate estimate(const Problem& problem) const override {
        const ToneMappingPlan plan = planToneMapping(problem);
        const int threads = effectiveThreads({});
        std::uint64_t bytes = HostToneMapping::bytes(plan, problem.shape, threads);
        if (plan.parameters.op == ToneOperator::local) bytes += SimdSurround::bytes(plan, problem.shape, threads);
        return {.host = bytes, .device = 0};
    }
    Distribution distribution(const Problem& problem) const override { return HostToneMapping::distribution(problem); }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext& context) const override {
        return std::make_unique<SimdExecution>(problem, context);
    }
};

}  // namespace

std::unique_ptr<Implementation> makeOpenmpSimdToneMapping() { return std::make_unique<OpenmpSimdToneMapping>(); }

}  // namespace parallax
