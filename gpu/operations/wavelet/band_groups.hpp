// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics and thresholds of the coefficients of a transform: in one mosaic, or on one of several devices level by level.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/operations/wavelet/layout.hpp"
#include "core/parallel/communicator.hpp"
#include "gpu/operations/wavelet/kernels/launchers.hpp"
#include "gpu/runtime/memory/device_buffer.hpp"
#include "gpu/session.hpp"

namespace parallax::gpu {

/// Neighbouring bands in one memory.
struct BandsInMemory {
    Strided<float> memory;
    std::vector<BandBox> boxes;  ///< of `memory`
};

class BandGroups {
public:
    /// Bands are numbered from the first box of the first group on.
    BandGroups(std::span<const BandsInMemory> groups, const CudaSession& session);

    /// BandMoments of each band; `partial` has room for bands() * blocks().
    void moments(BandMoments* partial, BandMoments* moments) const;
    /// See launchSelection(). `band`: only in this one. With a communicator among the coefficients of all ranks: waits for the device.
    void select(std::optional<std::size_t> band, SelectedRanks ranks, float above, std::int64_t kept, SelectionState* state,
                Communicator* communicator) const;
    /// See launchShrink(); one threshold for each band.
    void shrink(const BandThreshold* thresholds, const Shrinkage& shrinkage, ShrinkCounts* counts) const;

    std::size_t bands() const { return bands_; }
    int blocks() const { return blocks_; }
    static int blocksOf(std::span<const BandBox> boxes);

private:
    struct Group {
        Strided<float> memory;
        std::size_t first = 0;  ///< number of its first band
        BandBoxes boxes;
    };
    void sumBuckets(SelectionState* state, Communicator& communicator) const;

    cudaStream_t stream_;
    std::size_t bands_ = 0;
    int blocks_ = 1;  ///< per box, for the largest box
    std::vector<Group> groups_;
    DeviceBuffer<BandBox> boxes_;
};

}  // namespace parallax::gpu
