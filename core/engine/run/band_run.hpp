// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <functional>
#include <memory>

#include "core/engine/pipeline/pipeline.hpp"
#include "core/engine/plan/planner.hpp"

namespace parallax {

/// One step, prepared for an image that is not in memory as a whole: bands of rows of all channels are read, computed and handed out one
/// after another, with the same bits as in one run. Samples are unknown until they are read. There are two buffers for each direction, so
/// that a band can be read while the one before is computed and the result of the one before that is written.
class BandRun {
public:
    /// Reads rows [first, first + rows.shape.height) of all channels.
    using ReadRows = std::function<void(std::int64_t first, const View<float>& rows)>;

    /// Selects the implementation and prepares it. `description`: names and metadata of the image, `shape`: its size. Throws Error, also
    /// Error(unavailable) for targets with modes and for implementations that need the whole image.
    BandRun(const Catalog& catalog, const Step& step, const Image& description, const Shape& shape, const Target& target,
            RunContext& context);
    ~BandRun();
    BandRun(const BandRun&) = delete;
    BandRun& operator=(const BandRun&) = delete;

    const StepPlan& record() const { return step_.record; }
    const std::string& deviceName() const { return target_.deviceName(); }
    int threads() const { return target_.threads(); }
    /// Facts of the result.
    std::vector<Fact> facts() const { return outputFactsOf(*step_.operation, step_.problem); }
    /// Host memory of the step besides the buffers of a band.
    std::uint64_t hostBytes() const;

    /// Plans bands whose buffers, two of each kind, take at most `memory` bytes of the host, with inputs of about `largestBand` bytes.
    /// Throws Error(memory); `besides` bytes are in use already and `advice` says how to get more.
    void planBands(std::uint64_t memory, std::uint64_t besides, std::uint64_t largestBand, const char* advice);
    /// Bands are divided among several runs of the same step: this one keeps every `count`-th from `first` on.
    void keepBands(std::size_t first, std::size_t count);
    const Shape& shape() const { return plan_.shape; }
    const std::vector<Strip>& bands() const { return plan_.strips; }
    /// Bytes of all buffers.
    std::uint64_t bandBytes() const;

    /// Reads band `index`, in ascending order, and adds the times of its stages. Throws Error(unavailable) if the implementation does not
    /// support the samples. May run while compute(index - 1) does.
    void read(std::size_t index, const ReadRows& rows, StageTimes& times);
    /// Computes band `index` and adds the times of its stages. The result is valid until compute(index + 2).
    View<const float> compute(std::size_t index, const RunContext& context, StageTimes& times);
    /// To be called after an exception: waits until nothing is in flight.
    void drain();

private:
    Shape inputShape(const Strip& band) const { return {plan_.shape.width, plan_.inputRows(band), 1, plan_.shape.channels}; }
    Shape outputShape(const Strip& band) const { return {plan_.shape.width, band.rows, 1, plan_.shape.channels}; }
    void readInput(std::size_t index, const ReadRows& rows);
    void checkSamples(const View<const float>& samples) const;
    void computeChannels(const Strip& band, const View<const float>& in, const View<float>& out, RunContext& context);

    RunTarget target_;
    PlannedStep step_;
    StripSupport support_;
    std::unique_ptr<Execution> execution_;
    StripPlan plan_;                          // of one channel, with the shape of the whole image
    std::array<Buffer, 2> hostIn_, hostOut_;  // of even and odd bands
    Buffer deviceIn_, deviceOut_;
};

}  // namespace parallax
