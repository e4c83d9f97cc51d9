// SPDX-License-Identifier: GPL-3.0-or-later
// The scalars of conjugate gradients, computed by one thread between two kernels.
#pragma once

#include <cfloat>

#include "core/solvers/solve.hpp"
#include "gpu/solvers/strips.cuh"

namespace parallax::gpu {

__device__ __forceinline__ bool hasEnded(const SolveArguments& a) { return a.state->status != SolveStatus::running; }

/// alpha = (r . z) / (p . A p). A product that is not positive ends the channel: rounding errors are all that is left of its residual.
__device__ __forceinline__ void setAlpha(const SolveArguments& a, int channel, double product) {
    ChannelState& c = a.channels[channel];
    const bool isPositive = product > 0;
    c.alpha = isPositive && !c.done ? c.inner / product : 0;
    if (!isPositive) c.done = 1;
    if (isnan(product)) a.state->status = SolveStatus::failed;
}

/// Called before setResidual(): a channel that still runs owes x the direction of the first iteration of a pair.
__device__ __forceinline__ void setPending(const SolveArguments& a, int channel, IterationOfPair which) {
    ChannelState& c = a.channels[channel];
    c.pending = which == IterationOfPair::second || c.done ? 0 : c.alpha;
}

/// Called with the squared norm of the new residual; without a preconditioner computes beta.
__device__ __forceinline__ void setResidual(const SolveArguments& a, int channel, double squaredNorm, bool preconditioned) {
    ChannelState& c = a.channels[channel];
    if (c.done) return;
    c.residual = squaredNorm;
    if (!preconditioned) {
        c.beta = squaredNorm / c.inner;
        c.inner = squaredNorm;
    }
    if (squaredNorm <= a.tolerance * a.tolerance * c.norm) c.done = 1;
}

/// Called with r . z of a preconditioner. A product that is not positive ends the channel.
__device__ __forceinline__ void setInner(const SolveArguments& a, int channel, double product) {
    ChannelState& c = a.channels[channel];
    if (c.done) return;
    product /= c.scale;
    if (!(product > 0)) c.done = 1;
    c.beta = !c.fresh && c.inner > 0 ? product / c.inner : 0;
    c.inner = product;
    c.fresh = 0;
}

/// Logs the residual of the largest channel, and ends the solve if all channels are done.
__device__ __forceinline__ void logResidual(const SolveArguments& a, long long iteration) {
    // As solvers::checkResidual(): the residual of a guess may be large.
    const double limit = iteration > 0 ? solvers::kDivergence * fmax(a.state->first, 1.0) : DBL_MAX;
    double largest = 0;
    bool done = true, failed = a.state->status == SolveStatus::failed;
    for (int channel = 0; channel < a.grid.channels; ++channel) {
        const ChannelState& c = a.channels[channel];
        const double relative = c.norm > 0 ? sqrt(c.residual / c.norm) : 0;
        failed = failed || !(relative <= limit);
        // NaN must not be lost.
        if (!(relative <= largest)) largest = relative;
        done = done && c.done;
    }
    if (iteration == 0) a.state->first = largest;
    a.state->iteration = iteration;
    if (failed) a.state->status = SolveStatus::failed;
    else if (done) a.state->status = SolveStatus::converged;
    else if (iteration >= a.mostIterations) a.state->status = SolveStatus::mostIterations;
    a.log->points[iteration] = {largest, deviceNanoseconds() - a.state->start};
    a.log->iterations = iteration;
    a.log->status = static_cast<int>(a.state->status);
    __threadfence_system();
}

}  // namespace parallax::gpu
