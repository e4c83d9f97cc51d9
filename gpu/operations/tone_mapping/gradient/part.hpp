// SPDX-License-Identifier: GPL-3.0-or-later
// The gradient operator on several devices. A device computes the finest levels of the pyramid for its rows and some beside them, whose
// logarithms it receives once; all devices have the coarser levels as a whole. The equation is solved by bands (gpu/solvers/bands).
#pragma once

#include <array>

#include "core/parallel/partition.hpp"
#include "gpu/operations/tone_mapping/gradient/course.hpp"
#include "gpu/solvers/bands/band_solve.hpp"

namespace parallax::gpu {

class GradientPart final : public ExecutionOfPart<GradientCourse> {
public:
    GradientPart(SolverMethod method, const Problem& problem, const CudaSession& session);
    /// Bytes of device memory of the largest part.
    static std::uint64_t estimateBytes(SolverMethod method, const Problem& problem, int parts);

    void runPart(const ImagePart& part, const View<const float>& input, const View<float>& output, Communicator& communicator,
                 RunContext& context) override;

private:
    /// Levels and planes of a part, for kernels that other threads start.
    struct Band {
        GradientLevel finest;
        int first;  ///< row of the level that is the first one of the part
        TonePlanes planes;
        float* plane;
    };
    void findLuminance(const TonePlanes& planes, const GradientMemory& memory, Communicator& communicator, cudaStream_t stream);
    /// Logarithms of all levels.
    void buildPyramid(const TonePlanes& planes, const GradientMemory& memory, Communicator& communicator, cudaStream_t stream);
    void attenuate(const GradientMemory& memory, Communicator& communicator, cudaStream_t stream);
    /// Sends rows of a level to the parts that need them, and receives those of others. wanted(range): the rows that a part with these rows
    /// of the image needs; `own` likewise: those that it has. `at`: the first row of the level that this device has.
    template <class Wanted, class Own>
    void exchange(const GradientLevel& level, std::int64_t at, Wanted&& wanted, Own&& own, Communicator& communicator) const;
    solvers::SolveHistory courseOfLastSolve() override { return solve_.history(); }
    void shareBrighter(const GradientMemory& memory, Communicator& communicator, cudaStream_t stream);

    Partition rows_;    ///< of all parts
    PartRange own_;     ///< rows of this one
    PartRange window_;  ///< of the finest level
    int banded_;        ///< levels of which a device has a window only
    std::vector<GradientLevel> levels_;
    BandSolve solve_;
    DeviceBuffer<float> pyramid_;
    DeviceBuffer<TonePart> total_;  ///< in page-locked memory
};

}  // namespace parallax::gpu
