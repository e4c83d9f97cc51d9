// SPDX-License-Identifier: GPL-3.0-or-later
// Samples that move between the parts of a transform.
#pragma once

#include <vector>

#include "core/engine/run/run_context.hpp"
#include "core/image/buffer.hpp"
#include "core/operations/wavelet/parts/levels.hpp"
#include "core/parallel/communicator.hpp"

namespace parallax {

/// Counts its lifetime as Stage::exchange; what surrounds it is Stage::compute.
class ExchangeTime {
public:
    explicit ExchangeTime(const RunContext& context);
    ~ExchangeTime();
    ExchangeTime(const ExchangeTime&) = delete;
    ExchangeTime& operator=(const ExchangeTime&) = delete;

private:
    BackendSession* session_;
};

/// Sends and receives the lines of a halo. T is float or double; doubles travel as pairs of floats.
template <class T>
class LineExchange {
public:
    LineExchange(const PartLevels& levels, int level, const LineHalo& halo) : levels_(levels), level_(level), halo_(halo) {}
    /// Adds lines to exchange: `own` are those of the level that the part has. Returns all that the part can read once run() has
    /// returned. `shape`: of all lines. `memory` holds the copies.
    PartLines<T> add(const View<const T>& own, const Shape& shape, Buffer& memory);
    void run(Communicator& communicator, const RunContext& context);

private:
    const PartLevels& levels_;
    int level_;
    const LineHalo& halo_;
    std::vector<HaloSend> sends_;
    std::vector<HaloReceive> receives_;
};

/// Samples of one band that one rank computes, within the rows or slices of the mosaic that one rank has.
struct MosaicBox {
    int computes = 0, keeps = 0;
    std::size_t band = 0;                                 ///< index in WaveletPlan::bands()
    std::array<std::int64_t, 3> own{}, rows{}, extent{};  ///< first sample in the mosaic of `computes`, and in the rows that `keeps` has
};
/// The boxes in which a rank takes part, in the same order on all ranks. `mosaic`: the rows of the mosaic that each rank has, or the
/// slices if its depth is above 1.
std::vector<MosaicBox> mosaicBoxes(const PartLevels& levels, const Partition& mosaic);

/// Moves coefficients between the mosaics of ranks (PartLevels::planOf()) and the rows or slices of one mosaic, divided among the same
/// ranks.
class MosaicExchange {
public:
    /// `mosaic`: see mosaicBoxes().
    MosaicExchange(const PartLevels& levels, const Partition& mosaic);
    /// One channel, gaps included.
    void toRows(const View<const float>& own, const View<float>& rows, Communicator& communicator, const RunContext& context) const;
    void fromRows(const View<const float>& rows, const View<float>& own, Communicator& communicator, const RunContext& context) const;

private:
    void move(const View<const float>& from, const View<float>& to, bool toRows, Communicator& communicator,
              const RunContext& context) const;

    int rank_ = 0;
    std::vector<MosaicBox> boxes_;
    std::vector<WaveletGap> gaps_;  // within the rank's rows
};

}  // namespace parallax
