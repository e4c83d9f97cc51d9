// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>

#include "core/engine/pipeline/pipeline.hpp"
#include "core/engine/run/planner.hpp"

namespace parallax {

/// One step, prepared for an image that is larger than the memory of the host: bands of rows of all channels are read, computed and handed
/// out one after another, with the same bits as in one run. Samples are unknown until they are read.
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

    /// Plans bands whose buffers take at most `memory` bytes of the host, with inputs of about `largestBand` bytes. Throws Error(memory);
    /// `besides` bytes are in use already and `advice` says how to get more.
    void planBands(std::uint64_t memory, std::uint64_t besides, std::uint64_t largestBand, const char* advice);
    const Shape& shape() const { return plan_.shape; }
    const std::vector<Strip>& bands() const { return plan_.strips; }
    /// Bytes of the buffers of the largest band.
    std::uint64_t bandBytes() const;

    /// Reads and computes a band and adds the times of its stages. The result is valid until the next call. Throws Error(unavailable) if
    /// the implementation does not support the samples that were read. `onRead`: called when the rows were read.
    View<const float> compute(const Strip& band, const ReadRows& read, const RunContext& context, StageTimes& times,
                              const std::function<void()>& onRead);
    /// To be called after an exception: waits until nothing is in flight.
    void drain();

private:
    void ensureBuffers(const Strip& band);
    void readInput(const Strip& band, const ReadRows& read);
    void checkSamples() const;
    void computeChannels(const Strip& band, const View<const float>& in, const View<float>& out, RunContext& context);

    RunTarget target_;
    PlannedStep step_;
    StripSupport support_;
    std::unique_ptr<Execution> execution_;
    StripPlan plan_;  // of one channel, with the shape of the whole image
    Buffer hostIn_, hostOut_, deviceIn_, deviceOut_;
};

}  // namespace parallax
