// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/backend/implementation.hpp"
#include "core/operations/wavelet/parts/statistics.hpp"

namespace parallax {

/// What denoising or compression does between a transform and its inverse, to the coefficients of a whole image or of a part. T is float or
/// double. On parts all ranks call the same functions.
template <class T>
class CoefficientChange {
public:
    virtual ~CoefficientChange() = default;
    /// Starts a run. `own`: the transform of the coefficients in the mosaics, of the whole or PartLevels::own().
    void begin(const WaveletPlan& own, const PartGroup& group) {
        group_ = group;
        statistics_.clear();
        restart(own);
    }
    /// Changes the coefficients of one channel.
    virtual void change(const View<T>& mosaic, int channel, RunContext& context) = 0;
    /// Adds the statistics of all channels.
    virtual void end() = 0;

    const std::vector<Statistic>& statistics() const { return statistics_; }
    /// See Execution.
    virtual double dataTolerance() const { return 0; }

protected:
    virtual void restart(const WaveletPlan& own) = 0;

    PartGroup group_;
    std::vector<Statistic> statistics_;
};

}  // namespace parallax
