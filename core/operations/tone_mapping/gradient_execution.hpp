// SPDX-License-Identifier: GPL-3.0-or-later
// The sequence of the passes of the gradient operator in host memory; derived classes define the passes on rows, in double (reference) or
// float (openmp), and a method of core/solvers solves the equation. Sums are taken by rows and combined in their order.
#pragma once

#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

#include "core/engine/backend/implementation.hpp"
#include "core/operations/tone_mapping/gradient_plan.hpp"
#include "core/solvers/host_method.hpp"
#include "core/solvers/reporting.hpp"

namespace parallax {

/// Rows of an array with the ones above and below, which at the border are the row itself.
template <class P>
struct RowTriple {
    P above, own, below;
    static RowTriple of(P data, std::int64_t width, std::int64_t height, std::int64_t y) {
        return {data + std::max<std::int64_t>(y - 1, 0) * width, data + y * width, data + std::min(y + 1, height - 1) * width};
    }
};

template <class T>
class HostGradientToneMapping : public Execution {
public:
    HostGradientToneMapping(const Problem& problem, std::unique_ptr<solvers::HostMethod> method)
        : plan_(planToneMapping(problem)), gradient_(planGradient(plan_, problem.shape)), method_(std::move(method)) {
        for (const Shape& level : gradient_.levels) {
            logarithms_.push_back(std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(level.pixels())));
            attenuation_.push_back(std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(level.pixels())));
        }
        f_ = solvers::makeArray(gradient_.pixels());
        u_ = solvers::makeArray(gradient_.pixels());
    }

    /// Bytes besides those of the method.
    static std::uint64_t bytes(const GradientPlan& g) {
        return 2 * sizeof(T) * static_cast<std::uint64_t>(g.allPixels()) + 2 * sizeof(double) * static_cast<std::uint64_t>(g.pixels()) +
               static_cast<std::uint64_t>(g.stencil.shape.height) * sizeof(ToneStatistics);
    }

    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override {
        const View<const float>& in = inputs[0];
        const View<float>& out = outputs[0];
        copyChannels(in, out, context);
        const ToneConstants constants = computeLogarithms(in, context);
        for (std::size_t k = 0; k + 1 < gradient_.levels.size(); ++k) reduce(k, context);
        for (std::size_t k = gradient_.levels.size(); k-- > 0;) attenuate(k, context);
        computeDivergence(context);
        advance(context, 0, 1);
        solvers::SolveProgress progress(context, share(2) - share(1));
        history_ = {method_->solve(gradient_.stencil, 1, f_.get(), u_.get(), gradient_.options, context, progress)};
        if (constants.finite < gradient_.pixels()) markNan(in, context);
        const tone::DisplayRange range = rangeOf(u_.get(), gradient_.pixels(), context);
        advance(context, 2, 3);
        std::vector<std::int64_t> brighter(rows());
        method_->forEachRow(context, height(), [&](std::int64_t y) {
            brighter[static_cast<std::size_t>(y)] = mapRow(in, out, y, u_.get() + y * width(), constants, range);
        });
        advance(context, 3, kParts);
        const auto all = std::reduce(brighter.begin(), brighter.end());
        statistics_ = {{"log-average", constants.logAverage, {}, {}},
                       {"largest", constants.largest, {}, {}},
                       {"brighter", 100 * static_cast<double>(all) / static_cast<double>(gradient_.pixels()), {}, {}}};
    }

    std::vector<Statistic> statistics(RunContext&) override {
        std::vector<Statistic> all = statistics_;
        for (Statistic& s : gradientStatistics(history_)) all.push_back(std::move(s));
        return all;
    }
    std::vector<RunSeries> series(RunContext&) override { return solvers::seriesOf(history_); }
    std::vector<std::string> warnings(RunContext&) override { return gradientWarnings(history_, gradient_); }
    double dataTolerance() const override {
        return history_.empty() ? 0 : gradientDataTolerance(plan_, gradient_, history_.front().trueResidual);
    }

protected:
    const ToneMappingPlan& plan() const { return plan_; }
    const ToneMappingParameters& parameters() const { return plan_.parameters; }
    std::int64_t width() const { return gradient_.stencil.shape.width; }
    std::int64_t height() const { return gradient_.stencil.shape.height; }

    /// Statistics of the luminance of a row. `scratch`: the row of logarithms to come, which the pass may use.
    virtual void addLuminance(const View<const float>& in, std::int64_t y, T* scratch, ToneStatistics& statistics) = 0;
    /// Logarithms of the relative luminance of a row, in `row` as addLuminance() left it. Pixels with a NaN count as the log-average.
    virtual void takeLogarithms(const View<const float>& in, std::int64_t y, const ToneConstants& constants, T* row) = 0;
    /// A row of the next level, of (width + 1) / 2 samples, from five rows.
    virtual void reduceRow(const T* const (&from)[5], std::int64_t width, T* to) = 0;
    /// Magnitudes of central differences; returns their sum.
    virtual double magnitudes(const RowTriple<const T*>& from, std::int64_t width, T* to) = 0;
    /// Magnitudes to attenuations, times those of the coarser level, which are the mean of two of its rows; null on the coarsest level.
    virtual void attenuateRow(T* row, std::int64_t width, const tone::Attenuation<T>& attenuation, const T* coarse,
                              const T* nextCoarse) = 0;
    /// The negative divergence of the attenuated gradients. `first`, `last`: the row is at the border.
    virtual void divergenceRow(const RowTriple<const T*>& logarithms, const RowTriple<const T*>& attenuation, std::int64_t width,
                               bool first, bool last, double* to) = 0;
    /// Returns white and black of `count` logarithms; NaN is ignored.
    virtual tone::DisplayRange rangeOf(double* logarithms, std::int64_t count, const RunContext& context) = 0;
    /// Writes the colour channels; returns how many pixels are brighter than white.
    virtual std::int64_t mapRow(const View<const float>& in, const View<float>& out, std::int64_t y, const double* logarithms,
                                const ToneConstants& constants, const tone::DisplayRange& range) = 0;

private:
    static constexpr std::int64_t kParts = 4;  ///< of the progress: gradients, solve, white and black, mapping

    std::size_t rows() const { return static_cast<std::size_t>(height()); }
    /// Rows that are finished after so many parts.
    std::int64_t share(std::int64_t parts) const { return height() * plan_.channels() * parts / kParts; }
    void advance(const RunContext& context, std::int64_t from, std::int64_t to) const {
        if (context.progress) context.progress->add(share(to) - share(from));
    }

    void copyChannels(const View<const float>& in, const View<float>& out, const RunContext& context) {
        for (const int c : plan_.copied)
            method_->forEachRow(context, height(), [&](std::int64_t y) {
                std::copy_n(in.row(y, 0, c), width(), out.row(y, 0, c));
                if (context.progress) context.progress->add();
            });
    }

    ToneConstants computeLogarithms(const View<const float>& in, const RunContext& context) {
        std::vector<ToneStatistics> ofRows(rows());
        T* const to = logarithms_[0].get();
        method_->forEachRow(context, height(),
                            [&](std::int64_t y) { addLuminance(in, y, to + y * width(), ofRows[static_cast<std::size_t>(y)]); });
        ToneStatistics all;
        for (const ToneStatistics& s : ofRows) all.merge(s);
        const ToneConstants constants = toneConstants(plan_, all);
        method_->forEachRow(context, height(), [&](std::int64_t y) { takeLogarithms(in, y, constants, to + y * width()); });
        return constants;
    }

    void reduce(std::size_t k, const RunContext& context) {
        const Shape &fine = gradient_.levels[k], &coarse = gradient_.levels[k + 1];
        method_->forEachRow(context, coarse.height, [&](std::int64_t y) {
            const T* from[5];
            for (std::int64_t i = 0; i < 5; ++i)
                from[i] = logarithms_[k].get() + std::clamp<std::int64_t>(2 * y + i - 2, 0, fine.height - 1) * fine.width;
            reduceRow(from, fine.width, logarithms_[k + 1].get() + y * coarse.width);
        });
    }

    /// From magnitudes to the product of the attenuations of this and all coarser levels.
    void attenuate(std::size_t k, const RunContext& context) {
        const Shape& level = gradient_.levels[k];
        const ToneMappingParameters& p = plan_.parameters;
        T* const to = attenuation_[k].get();
        std::vector<double> sums(static_cast<std::size_t>(level.height));
        method_->forEachRow(context, level.height, [&](std::int64_t y) {
            const auto from = RowTriple<const T*>::of(logarithms_[k].get(), level.width, level.height, y);
            sums[static_cast<std::size_t>(y)] = magnitudes(from, level.width, to + y * level.width);
        });
        const double mean = std::accumulate(sums.begin(), sums.end(), 0.0) / static_cast<double>(level.pixels());
        const auto attenuation = tone::Attenuation<T>::of(mean, p.alpha, p.beta, p.noise);
        method_->forEachRow(context, level.height, [&](std::int64_t y) {
            const T *coarse = nullptr, *next = nullptr;
            if (k + 1 < gradient_.levels.size()) {
                const Shape& below = gradient_.levels[k + 1];
                coarse = attenuation_[k + 1].get() + y / 2 * below.width;
                next = attenuation_[k + 1].get() + std::min(y / 2 + y % 2, below.height - 1) * below.width;
            }
            attenuateRow(to + y * level.width, level.width, attenuation, coarse, next);
        });
    }

    void computeDivergence(const RunContext& context) {
        method_->forEachRow(context, height(), [&](std::int64_t y) {
            divergenceRow(RowTriple<const T*>::of(logarithms_[0].get(), width(), height(), y),
                          RowTriple<const T*>::of(attenuation_[0].get(), width(), height(), y), width(), y == 0, y + 1 == height(),
                          f_.get() + y * width());
            std::fill_n(u_.get() + y * width(), width(), 0.0);
        });
    }

    void markNan(const View<const float>& in, const RunContext& context) {
        method_->forEachRow(context, height(), [&](std::int64_t y) {
            for (const int c : plan_.colour) {
                const float* const samples = in.row(y, 0, c);
                for (std::int64_t x = 0; x < width(); ++x)
                    if (samples[x] != samples[x]) u_[static_cast<std::size_t>(y * width() + x)] = static_cast<double>(samples[x]);
            }
        });
    }

    ToneMappingPlan plan_;
    GradientPlan gradient_;
    std::unique_ptr<solvers::HostMethod> method_;
    std::vector<std::unique_ptr<T[]>> logarithms_, attenuation_;  ///< of each level, dense
    solvers::Array<double> f_, u_;
    std::vector<solvers::SolveHistory> history_;
    std::vector<Statistic> statistics_;
};

}  // namespace parallax
