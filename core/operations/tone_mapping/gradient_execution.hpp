// SPDX-License-Identifier: GPL-3.0-or-later
// The sequence of the passes of the gradient operator in host memory; derived classes define the passes on rows, in double (reference) or
// float (openmp), and a method of core/solvers solves the equation. Sums are taken by rows and combined in their order, so bits are the
// same for any number of parts.
#pragma once

#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

#include "core/engine/backend/implementation.hpp"
#include "core/engine/parts/part_execution.hpp"
#include "core/image/host/host_vector.hpp"
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
class HostGradientToneMapping : public Execution, public PartExecution {
public:
    HostGradientToneMapping(const Problem& problem, std::unique_ptr<solvers::HostMethod> method)
        : plan_(planToneMapping(problem)),
          gradient_(planGradient(plan_, problem.shape)),
          method_(std::move(method)),
          rows_(gradient_.stencil.shape) {}

    /// Makes workspace for the whole image.
    void makeArrays() { makeArrays(solvers::GridPart(gradient_.stencil.shape)); }

    /// Bytes besides those of the method.
    static std::uint64_t bytes(const GradientPlan& g) {
        return 2 * sizeof(T) * static_cast<std::uint64_t>(g.allPixels()) + 2 * sizeof(double) * static_cast<std::uint64_t>(g.pixels()) +
               static_cast<std::uint64_t>(g.stencil.shape.height) * sizeof(ToneStatistics);
    }

    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override {
        makeArrays();
        runRows(inputs[0], outputs[0], context);
    }
    void runPart(const ImagePart& part, const View<const float>& input, const View<float>& output, Communicator& communicator,
                 RunContext& context) override {
        makeArrays(solvers::GridPart(gradient_.stencil.shape, part.range, communicator));
        runRows(input, output, context);
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
    std::int64_t pixels() const { return gradient_.pixels(); }
    /// The rows that are worked on: all, or those of a part. Rows of views count from the first one.
    const solvers::GridPart& part() const { return rows_; }

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
    /// Returns white and black of the logarithms of all parts, of which `logarithms` are those of part(); NaN is ignored.
    virtual tone::DisplayRange rangeOf(const double* logarithms, const RunContext& context) = 0;
    /// Writes the colour channels; returns how many pixels are brighter than white.
    virtual std::int64_t mapRow(const View<const float>& in, const View<float>& out, std::int64_t y, const double* logarithms,
                                const ToneConstants& constants, const tone::DisplayRange& range) = 0;

private:
    static constexpr std::int64_t kPhases = 4;  ///< of the progress: gradients, solve, white and black, mapping
    static constexpr std::int64_t kReach = 2;   ///< rows beside it that a row of the next level is made of

    /// A level of the pyramid, with the rows that the part keeps.
    struct Level {
        solvers::GridPart rows;
        HostArray<T> logarithms, attenuation;
        /// For rows counted from that of the image.
        T* logarithmsOf(std::int64_t y) const { return logarithms.get() + y * rows.width() - rows.origin(); }
        T* attenuationOf(std::int64_t y) const { return attenuation.get() + y * rows.width() - rows.origin(); }
    };

    void makeArrays(const solvers::GridPart& rows) {
        const bool isSame = !levels_.empty() && rows.first() == rows_.first() && rows.end() == rows_.end();
        rows_ = rows;
        solve_.make(rows.keptSamples());
        solvers::GridPart level = rows.withReach(kReach);
        for (std::size_t k = 0; k < gradient_.levels.size(); ++k) {
            if (k > 0) level = level.coarser(gradient_.levels[k], true, kReach);
            if (isSame) {
                levels_[k].rows = level;
                continue;
            }
            const auto samples = static_cast<std::size_t>(level.keptSamples());
            if (k == 0) levels_.clear();
            levels_.push_back({level, makeHostArray<T>(samples), makeHostArray<T>(samples)});
        }
    }

    void runRows(const View<const float>& in, const View<float>& out, RunContext& context) {
        copyChannels(in, out, context);
        const ToneConstants constants = computeLogarithms(in, context);
        for (std::size_t k = 0; k + 1 < levels_.size(); ++k) reduce(k, context);
        for (std::size_t k = levels_.size(); k-- > 0;) attenuate(k, context);
        computeDivergence(context);
        advance(context, 0, 1);
        solvers::SolveProgress progress(context, share(2) - share(1));
        history_ = {method_->solve(gradient_.stencil, rows_, 1, solve_.f(), solve_.u(), gradient_.options, context, progress)};
        double* const logarithms = solve_.u() + rows_.samplesBefore();
        if (constants.finite < pixels()) markNan(in, logarithms, context);
        const tone::DisplayRange range = rangeOf(logarithms, context);
        advance(context, 2, 3);
        std::vector<std::int64_t> brighter(rows());
        method_->forEachRow(context, rows_.rows(), [&](std::int64_t y) {
            brighter[static_cast<std::size_t>(y)] = mapRow(in, out, y, logarithms + y * width(), constants, range);
        });
        advance(context, 3, kPhases);
        std::int64_t all[] = {std::reduce(brighter.begin(), brighter.end())};
        if (rows_.communicator()) rows_.communicator()->allReduce(all);
        statistics_ = {{"log-average", constants.logAverage, {}, {}},
                       {"largest", constants.largest, {}, {}},
                       {"brighter", 100 * static_cast<double>(all[0]) / static_cast<double>(pixels()), {}, {}}};
    }

    std::size_t rows() const { return static_cast<std::size_t>(rows_.rows()); }
    /// Rows that are finished after so many phases.
    std::int64_t share(std::int64_t phases) const { return rows_.rows() * plan_.channels() * phases / kPhases; }
    void advance(const RunContext& context, std::int64_t from, std::int64_t to) const {
        if (context.progress) context.progress->add(share(to) - share(from));
    }

    void copyChannels(const View<const float>& in, const View<float>& out, const RunContext& context) {
        for (const int c : plan_.copied)
            method_->forEachRow(context, rows_.rows(), [&](std::int64_t y) {
                std::copy_n(in.row(y, 0, c), width(), out.row(y, 0, c));
                if (context.progress) context.progress->add();
            });
    }

    ToneConstants computeLogarithms(const View<const float>& in, const RunContext& context) {
        std::vector<ToneStatistics> ofRows(rows());
        const Level& level = levels_[0];
        T* const to = level.logarithmsOf(rows_.first());
        method_->forEachRow(context, rows_.rows(),
                            [&](std::int64_t y) { addLuminance(in, y, to + y * width(), ofRows[static_cast<std::size_t>(y)]); });
        if (rows_.communicator()) ofRows = gatherBlocks<ToneStatistics>(*rows_.communicator(), ofRows);
        ToneStatistics all;
        for (const ToneStatistics& s : ofRows) all.merge(s);
        const ToneConstants constants = toneConstants(plan_, all);
        method_->forEachRow(context, rows_.rows(), [&](std::int64_t y) { takeLogarithms(in, y, constants, to + y * width()); });
        level.rows.exchange(level.logarithms.get());
        return constants;
    }

    /// Calls body(y) for the rows of the part, counted from that of the image.
    template <class F>
    void forOwnRows(const solvers::GridPart& rows, const RunContext& context, F&& body) const {
        method_->forEachRow(context, rows.rows(), [&](std::int64_t row) { body(rows.first() + row); });
    }

    void reduce(std::size_t k, const RunContext& context) {
        const Level &fine = levels_[k], &coarse = levels_[k + 1];
        forOwnRows(coarse.rows, context, [&](std::int64_t y) {
            const T* from[5];
            for (std::int64_t i = 0; i < 5; ++i)
                from[i] = fine.logarithmsOf(std::clamp<std::int64_t>(2 * y + i - 2, 0, fine.rows.allRows() - 1));
            reduceRow(from, fine.rows.width(), coarse.logarithmsOf(y));
        });
        coarse.rows.exchange(coarse.logarithms.get());
    }

    /// From magnitudes to the product of the attenuations of this and all coarser levels.
    void attenuate(std::size_t k, const RunContext& context) {
        const Level& level = levels_[k];
        const std::int64_t width = level.rows.width(), height = level.rows.allRows();
        const ToneMappingParameters& p = plan_.parameters;
        std::vector<double> sums(static_cast<std::size_t>(level.rows.rows()));
        forOwnRows(level.rows, context, [&](std::int64_t y) {
            const auto from = RowTriple<const T*>::of(level.logarithmsOf(0), width, height, y);
            sums[static_cast<std::size_t>(y - level.rows.first())] = magnitudes(from, width, level.attenuationOf(y));
        });
        const double mean = level.rows.sum(sums) / static_cast<double>(width * height);
        const auto attenuation = tone::Attenuation<T>::of(mean, p.alpha, p.beta, p.noise);
        forOwnRows(level.rows, context, [&](std::int64_t y) {
            const T *coarse = nullptr, *next = nullptr;
            if (k + 1 < levels_.size()) {
                const Level& below = levels_[k + 1];
                coarse = below.attenuationOf(y / 2);
                next = below.attenuationOf(std::min(y / 2 + y % 2, below.rows.allRows() - 1));
            }
            attenuateRow(level.attenuationOf(y), width, attenuation, coarse, next);
        });
        level.rows.exchange(level.attenuation.get());
    }

    void computeDivergence(const RunContext& context) {
        const Level& level = levels_[0];
        const std::int64_t height = rows_.allRows();
        forOwnRows(rows_, context, [&](std::int64_t y) {
            const std::int64_t first = y * width() - rows_.origin();
            divergenceRow(RowTriple<const T*>::of(level.logarithmsOf(0), width(), height, y),
                          RowTriple<const T*>::of(level.attenuationOf(0), width(), height, y), width(), y == 0, y + 1 == height,
                          solve_.f() + first);
            std::fill_n(solve_.u() + first, width(), 0.0);
        });
    }

    void markNan(const View<const float>& in, double* logarithms, const RunContext& context) {
        method_->forEachRow(context, rows_.rows(), [&](std::int64_t y) {
            for (const int c : plan_.colour) {
                const float* const samples = in.row(y, 0, c);
                for (std::int64_t x = 0; x < width(); ++x)
                    if (samples[x] != samples[x]) logarithms[y * width() + x] = static_cast<double>(samples[x]);
            }
        });
    }

    ToneMappingPlan plan_;
    GradientPlan gradient_;
    std::unique_ptr<solvers::HostMethod> method_;
    solvers::GridPart rows_;  ///< of the image
    std::vector<Level> levels_;
    solvers::SolveArrays solve_;  ///< the divergence, and the logarithms that have it
    std::vector<solvers::SolveHistory> history_;
    std::vector<Statistic> statistics_;
};

}  // namespace parallax
