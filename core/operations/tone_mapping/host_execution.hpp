// SPDX-License-Identifier: GPL-3.0-or-later
// The sequence of the passes, common to all implementations on the host; derived classes define the passes on rows and the threads that
// run them. Blocks of rows and the order in which they are combined follow from the image alone.
#pragma once

#include <functional>
#include <utility>

#include "core/engine/backend/implementation.hpp"
#include "core/engine/parts/part_execution.hpp"
#include "core/operations/tone_mapping/histogram_adjustment.hpp"
#include "core/operations/tone_mapping/plan.hpp"
#include "core/primitives/blocks.hpp"

namespace parallax {

class HostToneMapping : public Execution, public PartExecution {
public:
    explicit HostToneMapping(ToneMappingPlan plan) : plan_(std::move(plan)) {}
    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) final;
    void runPart(const ImagePart& part, const View<const float>& input, const View<float>& output, Communicator& communicator,
                 RunContext& context) final;
    /// How an operator works on parts.
    static Distribution distribution(const Problem& problem);
    std::vector<Statistic> statistics(RunContext&) final { return statistics_; }
    TransferCurve transferCurve(RunContext&) final { return curve_ ? curve_() : TransferCurve(); }
    double dataTolerance() const final { return dataTolerance_; }
    /// Bytes of what the passes find: statistics of blocks, histograms of workers, the curve.
    static std::uint64_t bytes(const ToneMappingPlan& plan, const Shape& shape, int workers);

protected:
    using Input = View<const float>;
    using Output = View<float>;
    using Body = std::function<void(std::int64_t task, int worker)>;

    const ToneMappingPlan& plan() const { return plan_; }
    const ToneMappingParameters& parameters() const { return plan_.parameters; }

    /// Runs all tasks, checks the stop token, and rethrows exceptions. `worker` is below workers(context).
    virtual void forEach(RunContext& context, std::int64_t tasks, const Body& body) = 0;
    virtual int workers(const RunContext&) const { return 1; }

    /// Photoreceptor, first pass: samples and luminance as they are.
    virtual void addSamples(const Input& in, RowRange rows, ToneStatistics& statistics) = 0;
    /// Luminance and its logarithms, of the scaled image for the photoreceptor model.
    virtual void addLuminance(const Input& in, RowRange rows, const ToneConstants& constants, ToneStatistics& statistics) = 0;
    virtual void addBrightness(const Input& in, RowRange rows, const BinScale<double>& scale, Histogram& histogram) = 0;
    /// Photoreceptor, third pass: the range of the output.
    virtual void addMapped(const Input& in, RowRange rows, const ToneConstants& constants, Reduction& mapped) = 0;
    /// Writes the colour channels; returns how many pixels are brighter than white. `curve`: of histogram adjustment, else null.
    virtual std::int64_t map(const Input& in, const Output& out, RowRange rows, const ToneConstants& constants,
                             const AdjustmentCurve* curve) = 0;
    /// Rows of a part with the local operator, and those of other parts above and below that its surrounds reach. Called first.
    struct SurroundRows {
        std::int64_t above = 0, own = 0, below = 0;
        std::int64_t reach = 0;  ///< of the largest Gaussian
    };
    virtual void localRowsAre(const SurroundRows& rows) = 0;
    /// Called before the surrounds of the local operator are computed.
    virtual void localBegins(const Input&, const ToneConstants&, RunContext&) {}
    /// Luminance of rows as bytes of floats, to exchange: of the first or last rows of the part, which are complete, or of those above
    /// (`first` negative) and below it, which are received. localReceived() is called when they are.
    virtual View<float> luminanceRows(std::int64_t first, std::int64_t count) = 0;
    virtual void localReceived() {}
    /// The same with the local operator; rows are bands of localRows().
    virtual std::int64_t mapLocal(const Input& in, const Output& out, RowRange rows, const ToneConstants& constants, int worker,
                                  const RunContext& context) = 0;
    virtual std::int64_t localRows() const = 0;

private:
    void runOperator(const Input& in, const Output& out, RunContext& context);
    /// What all parts found for their blocks, in order.
    template <class T>
    std::vector<T> ofAllParts(std::vector<T> blocks) const {
        return communicator_ ? gatherBlocks<T>(*communicator_, blocks) : std::move(blocks);
    }
    void sumOverParts(std::span<std::int64_t> counts) const {
        if (communicator_) communicator_->allReduce(counts);
    }
    void copyChannels(const Input& in, const Output& out, RunContext& context);
    ToneStatistics gatherStatistics(const Input& in, RunContext& context, const ToneConstants& constants, int pass, int passes,
                                    bool ofSamples);
    std::int64_t mapAll(const Input& in, const Output& out, RunContext& context, const ToneConstants& constants,
                        const AdjustmentCurve* curve, int pass, int passes);
    void runPhotoreceptor(const Input& in, const Output& out, RunContext& context);
    void exchangeLuminance(const Partition& rows, std::int64_t reach);
    void runLocal(const Input& in, const Output& out, RunContext& context);
    void runHistogram(const Input& in, const Output& out, RunContext& context);
    void runGlobal(const Input& in, const Output& out, RunContext& context);
    void found(const char* key, double value) { statistics_.push_back({key, value}); }
    void foundBrighterThanWhite(std::int64_t pixels);
    /// Keeps the data of the transfer curve; its points are computed on request.
    void applied(const ToneConstants& constants, const Reduction& luminance, const AdjustmentCurve* curve = nullptr);
    /// Adds the progress of rows of all colour channels in pass `pass` of `passes`.
    void advance(const RunContext& context, std::int64_t rows, std::int64_t pass, std::int64_t passes) const;

    ToneMappingPlan plan_;
    Shape image_;                           // of all parts
    Communicator* communicator_ = nullptr;  // of a run on parts
    std::vector<Statistic> statistics_;
    double dataTolerance_ = 0;
    std::function<TransferCurve()> curve_;
};

}  // namespace parallax
