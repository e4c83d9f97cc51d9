// SPDX-License-Identifier: GPL-3.0-or-later
// wavelet-denoise and wavelet-compress / cuda: transform, statistics and thresholds on the device, inverse. Compression never waits for the
// host. Denoising waits once per channel if thresholds follow from statistics, since all backends share the function that computes them. On
// several devices coefficients stay where they are computed, and counts of them are added up on the host.
#include "core/operations/wavelet/shrinkage.hpp"

#include <algorithm>
#include <limits>

#include "core/engine/parts/part_execution.hpp"
#include "gpu/operations/convolution/planes.hpp"
#include "gpu/operations/wavelet/band_groups.hpp"
#include "gpu/operations/wavelet/parts/part_transform.hpp"
#include "gpu/operations/wavelet/transform.hpp"
#include "gpu/runtime/memory/pinned_allocator.hpp"
#include "gpu/runtime/memory/staging_engine.hpp"

namespace parallax::gpu {
namespace {

/// Page-locked memory for asynchronous transfers of parameters and statistics.
template <class T>
class PinnedArray {
public:
    PinnedArray(int device, std::size_t size) : memory_(pinnedAllocator(device), size) { std::fill_n(memory_.data(), size, T{}); }
    T& operator[](std::size_t i) { return memory_.data()[i]; }
    const T& operator[](std::size_t i) const { return memory_.data()[i]; }
    T* data() { return memory_.data(); }

private:
    DeviceBuffer<T> memory_;
};

template <class T>
void download(T* host, const T* device, std::size_t count, cudaStream_t stream) {
    if (count > 0)
        check(cudaMemcpyAsync(host, device, count * sizeof(T), cudaMemcpyDeviceToHost, stream), "Statistics could not be downloaded");
}

std::vector<BandBox> boxesOf(const std::vector<WaveletBand>& bands) {
    std::vector<BandBox> boxes;
    for (const WaveletBand& band : bands) boxes.push_back(boxOf(band));
    return boxes;
}

/// Transforms, modifies and inverts the filtered channels; copies the others.
class RoundTripExecution : public Execution, public PartExecution, public KeepsOwnSamples {
public:
    /// `Plan`: DenoisePlan or CompressPlan.
    template <class Plan>
    RoundTripExecution(const Problem& problem, const Plan& plan, WaveletVariant variant, const CudaSession& session, bool onParts)
        : problem_(problem),
          plan_(plan.wavelet),
          filtered_(plan.filtered),
          bands_(plan.bands),
          gains_(waveletGains(plan_)),
          coefficientError_(forwardTolerance(plan_, problem.statistics.maxAbs()).absolute),
          stream_(session.stream()),
          thresholds_(session.allocator(), bands_.size() * filtered_.size()),
          counts_(session.allocator(), filtered_.size()),
          countsHere_(session.device(), filtered_.size()),
          copied_(plan.copied),
          mosaicShape_{plan_.mosaic.width, plan_.mosaic.height, plan_.mosaic.depth, 1},
          done_(Event::Kind::ordering) {
        preloadStatistics();
        if (onParts) {
            part_.emplace(plan_, variant, useOnParts(filtered_), session);
            return;
        }
        whole_.emplace(plan_, variant, session, true, true);
        mosaic_ = DeviceBuffer<float>(session.allocator(), static_cast<std::size_t>(mosaicShape_.pixels()));
        const BandsInMemory all{{mosaic_.data(), mosaicShape_.width, mosaicShape_.width * mosaicShape_.height}, boxesOf(bands_)};
        groups_.emplace(std::span(&all, 1), session);
    }
    static PartTransform::Use useOnParts(const std::vector<int>& filtered) {
        return {.forward = true, .inverse = true, .channels = filtered, .mosaics = 1};
    }

    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override {
        const View<const float>& in = inputs[0];
        const View<float>& out = outputs[0];
        const CurrentDevice current(cudaSession(context).device());
        begin(in, out, context);
        const auto channels = static_cast<std::int64_t>(filtered_.size());
        ProgressShare progress(context.progress, in.shape.height * in.shape.depth * channels,
                               (whole_->units(true) + whole_->units(false)) * channels);
        const View<float> mosaic = denseView(mosaic_.data(), mosaicShape_);
        for (std::size_t i = 0; i < filtered_.size(); ++i) {
            whole_->forward(in.channel(filtered_[i]), mosaic, context, progress);
            change(i, nullptr);
            whole_->inverse(mosaic, out.channel(filtered_[i]), context, progress);
        }
        end();
    }

    void take(const ImagePart& part, const View<const float>& input, Communicator& communicator, RunContext& context) override {
        const CudaSession& session = cudaSession(context);
        const CurrentDevice current(session.device());
        const bool isNew = part_->divide(part.range.count(), communicator);
        part_->takeImage(input, communicator);
        if (isNew) groups_.emplace(part_->bandsInMemory(bands_, 0), session);
    }
    void runPart(const ImagePart& part, const View<const float>& in, const View<float>& out, Communicator& communicator,
                 RunContext& context) override {
        const CurrentDevice current(cudaSession(context).device());
        begin(in, out, context);
        const auto channels = static_cast<std::int64_t>(filtered_.size());
        ProgressShare progress(context.progress, part.range.count() * (part.slices() ? part.image.height : 1) * channels,
                               (part_->units(true) + part_->units(false)) * channels);
        for (int i = 0; i < static_cast<int>(filtered_.size()); ++i) {
            part_->forward(i, 0, communicator, context, progress);
            change(static_cast<std::size_t>(i), &communicator);
            {
                const ExchangeTime time(context);
                part_->shareCoefficients(0, communicator);
            }
            part_->inverse(0, i, communicator, context, progress);
        }
        end();
        finish();
        std::vector<std::int64_t> counts;
        for (std::size_t i = 0; i < filtered_.size(); ++i)
            for (const unsigned long long count : {countsHere_[i].zero, countsHere_[i].ambiguous})
                counts.push_back(static_cast<std::int64_t>(count));
        communicator.allReduce(std::span<std::int64_t>(counts));
        for (std::size_t i = 0; i < filtered_.size(); ++i)
            countsHere_[i] = {static_cast<unsigned long long>(counts[2 * i]), static_cast<unsigned long long>(counts[2 * i + 1])};
    }
    void give(const ImagePart&, const View<float>& output, Communicator&, RunContext&) override { part_->giveImage(output); }

    static std::uint64_t deviceBytes(const WaveletPlan& plan, WaveletVariant variant, std::size_t bands, std::size_t channels) {
        return DeviceTransform::deviceBytes(plan, variant, true, true) + static_cast<std::uint64_t>(plan.mosaic.pixels()) * sizeof(float) +
               statisticsBytes(bands, channels);
    }
    static std::uint64_t statisticsBytes(std::size_t bands, std::size_t channels) {
        return bands * (sizeof(BandBox) + (kMaxBoxBlocks + 1) * sizeof(BandMoments) + channels * sizeof(BandThreshold)) +
               sizeof(SelectionState);
    }

protected:
    /// Enqueues the modification of the coefficients of the i-th filtered channel, those of all ranks of a communicator.
    virtual void change(std::size_t i, Communicator* communicator) = 0;

    void finish() {
        if (pending_) done_.wait();
        pending_ = false;
    }
    BandThreshold* thresholdsOf(std::size_t i) { return thresholds_.data() + i * bands_.size(); }
    const BandGroups& groups() const { return *groups_; }
    int bandCount() const { return static_cast<int>(bands_.size()); }
    std::string suffix(std::size_t i) const { return statisticSuffix(problem_, filtered_, filtered_[i]); }

    Problem problem_;
    WaveletPlan plan_;
    std::vector<int> filtered_;
    std::vector<WaveletBand> bands_;
    WaveletGains gains_;
    double coefficientError_;
    cudaStream_t stream_;
    DeviceBuffer<BandThreshold> thresholds_;  ///< per channel and band
    DeviceBuffer<ShrinkCounts> counts_;       ///< per channel
    PinnedArray<ShrinkCounts> countsHere_;
    std::vector<Statistic> statistics_;

private:
    void begin(const View<const float>& in, const View<float>& out, RunContext& context) {
        finish();  // results of the previous run in page-locked memory
        statistics_.clear();
        if (in.shape.samples() > 0) copyChannels(copied_, in, out, stream_, context);
        if (!filtered_.empty())
            check(cudaMemsetAsync(counts_.data(), 0, counts_.size() * sizeof(ShrinkCounts), stream_), "Device memory could not be cleared");
    }
    void end() {
        download(countsHere_.data(), counts_.data(), filtered_.size(), stream_);
        done_.record(stream_);
        pending_ = true;
    }

    std::vector<int> copied_;
    Shape mosaicShape_;
    std::optional<DeviceTransform> whole_;
    std::optional<PartTransform> part_;  // instead, on several devices
    DeviceBuffer<float> mosaic_;
    std::optional<BandGroups> groups_;
    Event done_;
    bool pending_ = false;
};

class DenoiseExecution final : public RoundTripExecution {
public:
    DenoiseExecution(const Problem& problem, DenoisePlan plan, WaveletVariant variant, const CudaSession& session, bool onParts)
        : RoundTripExecution(problem, plan, variant, session, onParts),
          denoise_(std::move(plan)),
          noiseLevels_(!denoise_.estimatesNoise()                                  ? 0
                       : denoise_.parameters.noiseSource == NoiseSource::eachLevel ? denoise_.noiseBands.size()
                                                                                   : 1),
          selection_(session.allocator(), 1),
          selectedHere_(session.device(), 2 * noiseLevels_),
          momentsHere_(session.device(), bands_.size()),
          thresholdsHere_(session.device(), bands_.size() * filtered_.size()),
          statisticsThere_(Event::Kind::ordering) {
        if (!needsStatistics()) return;
        // No part of a band needs more blocks than the band.
        const auto blocks = static_cast<std::size_t>(BandGroups::blocksOf(boxesOf(bands_)));
        partial_ = DeviceBuffer<BandMoments>(session.allocator(), bands_.size() * blocks);
        moments_ = DeviceBuffer<BandMoments>(session.allocator(), bands_.size());
    }

    std::vector<Statistic> statistics(RunContext&) override {
        finish();
        std::vector<Statistic> all = statistics_;
        std::int64_t coefficients = 0;
        unsigned long long zero = 0;
        for (const WaveletBand& band : bands_) coefficients += band.samples();
        for (std::size_t i = 0; i < filtered_.size(); ++i) zero += countsHere_[i].zero;
        coefficients *= static_cast<std::int64_t>(filtered_.size());
        if (coefficients > 0) all.push_back({"zero", 100 * static_cast<double>(zero) / static_cast<double>(coefficients), {}, {}});
        return all;
    }

    double dataTolerance() const override {
        double largest = 0;
        for (std::size_t i = 0; i < ofChannels_.size(); ++i)
            largest = std::max(
                largest, ofChannels_[i].tolerance +
                             decisionTolerance(plan_, gains_, static_cast<std::int64_t>(countsHere_[i].ambiguous), ofChannels_[i].flip));
        return largest;
    }

private:
    struct ChannelTolerance {
        double tolerance = 0;  ///< error that follows from thresholds
        double flip = 0;       ///< largest coefficient that rounding decides to keep or drop
    };
    bool needsStatistics() const { return denoise_.needsEnergy() || denoise_.estimatesNoise(); }

    void change(std::size_t i, Communicator* communicator) override {
        if (i == 0) ofChannels_.clear();
        const std::vector<BandStatistics> statistics = statisticsOf(communicator);
        const Thresholds t = findThresholds(denoise_, statistics, coefficientError_);
        const bool hard = denoise_.parameters.method == ShrinkageMethod::hard;
        ChannelTolerance tolerance{thresholdTolerance(denoise_, gains_, t, statistics), 0};
        BandThreshold* const here = &thresholdsHere_[i * bands_.size()];
        for (std::size_t b = 0; b < bands_.size(); ++b) {
            here[b] = {static_cast<float>(t.threshold[b])};
            if (!hard) continue;
            // So close that rounding decides whether such a coefficient is kept.
            const double slack = coefficientError_ + 0x1p-23 * std::min(t.threshold[b], 1e30);
            here[b].from = static_cast<float>(t.low[b] - slack);
            here[b].to = static_cast<float>(t.high[b] + slack);
            tolerance.flip = std::max(tolerance.flip, std::min(t.high[b] + slack, statistics[b].largest + slack));
        }
        ofChannels_.push_back(tolerance);
        check(cudaMemcpyAsync(thresholdsOf(i), here, bands_.size() * sizeof(BandThreshold), cudaMemcpyHostToDevice, stream_),
              "Thresholds could not be uploaded");
        groups().shrink(thresholdsOf(i), denoise_.parameters.shrinkage(), counts_.data() + i);
        addStatistics(statistics_, denoise_, t, statistics, suffix(i));
    }

    std::vector<BandStatistics> statisticsOf(Communicator* communicator) {
        std::vector<BandStatistics> statistics(bands_.size());
        if (!needsStatistics()) {
            for (BandStatistics& s : statistics) s.largest = std::numeric_limits<double>::max();
            return statistics;
        }
        groups().moments(partial_.data(), moments_.data());
        // Two medians of each band: without the fewest details that may count as 0, and without the most.
        for (std::size_t s = 0; s < 2 * noiseLevels_; ++s) {
            const std::size_t b = denoise_.noiseBands[s / 2];
            const ZeroDetails zero = zeroDetailsInFloat(plan_, bands_[b].level, problem_.statistics.maxAbs());
            SelectionState* const state = selection_.data();
            groups().select(b, SelectedRanks::median, static_cast<float>(s % 2 == 0 ? zero.least : zero.most), 0, state, communicator);
            download(&selectedHere_[s], &state->result, 1, stream_);
        }
        download(momentsHere_.data(), moments_.data(), bands_.size(), stream_);
        statisticsThere_.record(stream_);
        statisticsThere_.wait();
        if (communicator) addUpMoments(*communicator);
        for (std::size_t b = 0; b < bands_.size(); ++b) {
            const BandMoments& m = momentsHere_[b];
            statistics[b].finite = m.finite;
            statistics[b].largest = static_cast<double>(m.largest);
            if (m.finite > 0) statistics[b].meanSquare = m.squares / static_cast<double>(m.finite);
        }
        for (std::size_t l = 0; l < noiseLevels_; ++l) {
            BandStatistics& source = statistics[denoise_.noiseBands[l]];
            const auto median = [](const Selected& s) { return (static_cast<double>(s.low) + static_cast<double>(s.high)) / 2; };
            const Selected &least = selectedHere_[2 * l], &most = selectedHere_[2 * l + 1];
            // Along one axis, the details of equal samples are as large as any rounding error.
            const Selected& chosen = plan_.transformedAxes() > 1 ? least : most;
            source.median = median(chosen);
            source.leftOut = source.finite - chosen.finite;
            source.medianBelow = std::max(0.0, source.median - median(least));
            source.medianAbove = std::max(0.0, median(most) - source.median);
        }
        return statistics;
    }

    void addUpMoments(Communicator& communicator) {
        std::vector<double> squares, largest;
        std::vector<std::int64_t> finite;
        for (std::size_t b = 0; b < bands_.size(); ++b) {
            squares.push_back(momentsHere_[b].squares);
            largest.push_back(static_cast<double>(momentsHere_[b].largest));
            finite.push_back(momentsHere_[b].finite);
        }
        communicator.allReduce(squares, Reduce::sum);
        communicator.allReduce(largest, Reduce::maximum);
        communicator.allReduce(std::span<std::int64_t>(finite));
        for (std::size_t b = 0; b < bands_.size(); ++b) momentsHere_[b] = {squares[b], finite[b], static_cast<float>(largest[b]), 0};
    }

    DenoisePlan denoise_;
    std::size_t noiseLevels_;  ///< number of bands with medians
    DeviceBuffer<SelectionState> selection_;
    DeviceBuffer<BandMoments> partial_, moments_;
    PinnedArray<Selected> selectedHere_;  ///< two of each median
    PinnedArray<BandMoments> momentsHere_;
    PinnedArray<BandThreshold> thresholdsHere_;
    std::vector<ChannelTolerance> ofChannels_;
    Event statisticsThere_;
};

class CompressExecution final : public RoundTripExecution {
public:
    CompressExecution(const Problem& problem, const CompressPlan& plan, WaveletVariant variant, const CudaSession& session, bool onParts)
        : RoundTripExecution(problem, plan, variant, session, onParts),
          kept_(plan.kept),
          selection_(session.allocator(), 1),
          selectedHere_(session.device(), filtered_.size()) {}

    std::vector<Statistic> statistics(RunContext&) override {
        finish();
        std::vector<Statistic> all;
        std::int64_t finite = 0, stayed = 0;
        for (std::size_t i = 0; i < filtered_.size(); ++i) {
            const Selected& s = selectedHere_[i];
            finite += s.finite;
            const bool some = std::min(kept_, s.finite) > 0;
            // A threshold of 0 keeps everything, including zeros.
            stayed += some && keptFrom(s.low) == 0 ? s.finite : s.finite - static_cast<std::int64_t>(countsHere_[i].zero);
            if (some) all.push_back({"smallest", static_cast<double>(s.low), "Smallest kept coefficient" + suffix(i), {}});
        }
        if (finite > 0) all.push_back({"kept", 100 * static_cast<double>(stayed) / static_cast<double>(finite), {}, {}});
        return all;
    }

    double dataTolerance() const override {
        double largest = 0;
        for (std::size_t i = 0; i < filtered_.size(); ++i) {
            const auto smallest = static_cast<double>(selectedHere_[i].low);
            largest = std::max(largest, decisionTolerance(plan_, gains_, static_cast<std::int64_t>(countsHere_[i].ambiguous),
                                                          smallest + slack() + kRelativeSlack * smallest));
        }
        return largest;
    }

private:
    /// The threshold and each coefficient have rounding errors.
    static constexpr double kRelativeSlack = 0x1p-22;
    double slack() const { return 2 * coefficientError_; }

    void change(std::size_t i, Communicator* communicator) override {
        SelectionState* const state = selection_.data();
        groups().select(std::nullopt, SelectedRanks::largest, -1, kept_, state, communicator);
        launchKeepThreshold(&state->result, kept_, slack(), kRelativeSlack, thresholdsOf(i), bandCount(), stream_);
        download(&selectedHere_[i], &state->result, 1, stream_);
        groups().shrink(thresholdsOf(i), {ShrinkageMethod::hard}, counts_.data() + i);
    }

    std::int64_t kept_;
    DeviceBuffer<SelectionState> selection_;
    PinnedArray<Selected> selectedHere_;
};

/// What distinguishes the two operations.
struct Denoise {
    using Run = DenoiseExecution;
    static constexpr const char *kOperation = "wavelet-denoise",
                                *kSummary = "Medians by counting bits, moments and thresholds on the device, between transforms: ";
    static DenoisePlan plan(const Problem& problem) { return planDenoise(problem); }
    /// Mean squares of bands are sums over the parts.
    static bool sameBitsOnParts(const DenoisePlan& plan) { return !plan.needsEnergy(); }
};
struct Compress {
    using Run = CompressExecution;
    static constexpr const char *kOperation = "wavelet-compress",
                                *kSummary = "The exact smallest coefficient to keep by counting bits on the device, between transforms: ";
    static CompressPlan plan(const Problem& problem) { return planCompress(problem); }
    static bool sameBitsOnParts(const CompressPlan&) { return true; }
};

template <class Kind>
class Shrinkage final : public Implementation, public PreparesParts {
public:
    explicit Shrinkage(WaveletVariant variant) : info_(info(variant)) {}
    std::string operation() const override { return Kind::kOperation; }
    std::string variant() const override { return info_.name; }
    std::string summary() const override { return std::string(Kind::kSummary) + info_.summary; }
    Support supports(const Problem& problem) const override { return waveletSupports(Kind::plan(problem).wavelet); }
    MemoryEstimate estimate(const Problem& problem) const override {
        const auto plan = Kind::plan(problem);
        return {.host = stagingBytes(),
                .device = RoundTripExecution::deviceBytes(plan.wavelet, info_.variant, plan.bands.size(), plan.filtered.size())};
    }
    RowPadding acceptsPadding(const Problem&) const override { return {true, true}; }
    StripSupport strips(const Problem&) const override {
        return StripSupport::no(
            "Thresholds and coarse levels depend on all coefficients, so no part of the result is complete before the whole image has been "
            "uploaded");
    }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext& context) const override {
        const CudaSession& session = cudaSession(context);
        const CurrentDevice current(session.device());
        return std::make_unique<typename Kind::Run>(problem, Kind::plan(problem), info_.variant, session, false);
    }
    Distribution distribution(const Problem& problem) const override {
        const auto plan = Kind::plan(problem);
        Distribution distribution = waveletDistribution(plan.wavelet);
        distribution.sameBits = Kind::sameBitsOnParts(plan);
        return distribution;
    }
    std::unique_ptr<Execution> preparePart(const Problem& problem, RunContext& context) const override {
        const CudaSession& session = cudaSession(context);
        const CurrentDevice current(session.device());
        return std::make_unique<typename Kind::Run>(problem, Kind::plan(problem), info_.variant, session, true);
    }
    std::optional<std::uint64_t> deviceBytes(const Problem& problem, int parts) const override {
        const auto plan = Kind::plan(problem);
        return PartTransform::deviceBytes(plan.wavelet, info_.variant, RoundTripExecution::useOnParts(plan.filtered), parts) +
               RoundTripExecution::statisticsBytes(plan.bands.size(), plan.filtered.size());
    }

private:
    const WaveletVariantInfo& info_;
};

}  // namespace

std::unique_ptr<Implementation> makeWaveletDenoise(WaveletVariant variant) { return std::make_unique<Shrinkage<Denoise>>(variant); }
std::unique_ptr<Implementation> makeWaveletCompress(WaveletVariant variant) { return std::make_unique<Shrinkage<Compress>>(variant); }

}  // namespace parallax::gpu
