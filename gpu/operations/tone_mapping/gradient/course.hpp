// SPDX-License-Identifier: GPL-3.0-or-later
// The gradient operator as one device and several have it in common: its state, the search for white and black, and its results
// besides the image.
#pragma once

#include <optional>
#include <vector>

#include "core/operations/tone_mapping/gradient_plan.hpp"
#include "core/solvers/reporting.hpp"
#include "gpu/operations/convolution/planes.hpp"
#include "gpu/operations/tone_mapping/gradient/launchers.hpp"
#include "gpu/runtime/cuda_check.hpp"
#include "gpu/runtime/device.hpp"
#include "gpu/runtime/memory/device_buffer.hpp"
#include "gpu/session.hpp"
#include "gpu/solvers/solver.hpp"

namespace parallax::gpu {

inline SolverProblem solverProblem(const GradientPlan& gradient) {
    return {.shape = gradient.stencil.shape, .channels = 1, .stencil = gradient.stencil, .options = gradient.options};
}

/// A level of this shape without memory.
inline GradientLevel gradientLevel(const Shape& shape) {
    const Grid grid = Grid::of(shape, 1);
    return {.width = grid.width, .height = grid.height, .pitch = grid.pitch};
}
inline GradientRows wholeGradientLevel(const GradientLevel& level) {
    return {0, level.height, static_cast<double>(level.width) * level.height};
}
/// Gives levels memory of twice their elements.
void placeGradientLevels(std::vector<GradientLevel>& levels, float* memory);

class GradientCourse : public Execution {
public:
    /// `pixels`: those of this device.
    GradientCourse(const Problem& problem, std::int64_t pixels, const CudaSession& session);
    /// Bytes of device memory without levels and solver.
    static std::uint64_t estimateBytes(std::int64_t pixels);

    std::vector<Statistic> statistics(RunContext& context) override;
    std::vector<RunSeries> series(RunContext& context) override { return solvers::seriesOf(history(context)); }
    std::vector<std::string> warnings(RunContext& context) override { return gradientWarnings(history(context), gradient_); }
    /// Known once the statistics of the run are.
    double dataTolerance() const override {
        return history_.empty() ? 0 : gradientDataTolerance(plan_, gradient_, history_.front().trueResidual);
    }

protected:
    const ToneMappingPlan& plan() const { return plan_; }
    const GradientPlan& gradient() const { return gradient_; }
    const ToneSetup& setup() const { return setup_; }
    const GradientNumbers& numbers() const { return numbers_; }
    int multiprocessors() const { return multiprocessors_; }
    void beginRun() { history_.clear(); }
    /// On several devices: the pixels brighter than white on all of them.
    void setBrighter(unsigned long long all) { brighter_ = all; }
    /// The plane takes the memory of the finest level's logarithms, which nothing needs once the equation is solved.
    GradientMemory memory(const GradientLevel& finest);
    TonePlanes planesOf(const View<const float>& in, const View<float>& out) const;

    /// Order statistics of the plane by counting twice, in kGradientBins bins and in as many parts of the bin that has the value. On
    /// several devices shareLimits() and shareCounts() replace limits and counts in memory by those of all.
    template <class ShareLimits, class ShareCounts>
    void findRange(const GradientMemory& memory, cudaStream_t stream, ShareLimits&& shareLimits, ShareCounts&& shareCounts) {
        findLimits(memory, stream);
        shareLimits();
        launchGradientLimits(memory, stream);
        const auto find = [&](const HistogramLimits& limits) {
            count(limits, memory, stream);
            shareCounts();
        };
        find(memory.state->all);
        for (int rank = 0; rank < kGradientRanks; ++rank) launchGradientRank(rank, true, numbers_, memory, stream);
        for (int rank = 0; rank < kGradientRanks; ++rank) {
            find(memory.state->around[rank]);
            launchGradientRank(rank, false, numbers_, memory, stream);
        }
        launchGradientRange(memory, stream);
    }
    static constexpr std::size_t kCounts = std::size_t{kGradientBins} + kHistogramExtraCounts;
    static constexpr const char* kNotDownloaded = "Statistics could not be downloaded";

private:
    virtual solvers::SolveHistory courseOfLastSolve() = 0;
    const std::vector<solvers::SolveHistory>& history(RunContext& context);

    void findLimits(const GradientMemory& memory, cudaStream_t stream);
    /// Counts the values between limits that device memory holds.
    void count(const HistogramLimits& limits, const GradientMemory& memory, cudaStream_t stream);

    ToneMappingPlan plan_;
    GradientPlan gradient_;
    ToneSetup setup_;
    GradientNumbers numbers_;
    std::int64_t pixels_;
    int multiprocessors_;
    DeviceBuffer<ToneState> toneState_;
    DeviceBuffer<unsigned> tickets_;
    DeviceBuffer<TonePart> parts_;
    DeviceBuffer<GradientState> state_;
    DeviceBuffer<double> partials_;
    DeviceBuffer<std::uint64_t> counts_;
    DeviceBuffer<unsigned char> reductionMemory_, histogramMemory_;
    std::optional<unsigned long long> brighter_;
    std::vector<solvers::SolveHistory> history_;
};

}  // namespace parallax::gpu
