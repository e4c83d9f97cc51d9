// SPDX-License-Identifier: GPL-3.0-or-later
// Arrays of solvers: not initialised, in huge pages where they are large.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/image/buffer.hpp"

namespace parallax::solvers {

struct ReleaseArray {
    std::size_t bytes = 0;
    void operator()(void* p) const noexcept { hostAllocator()->release(p, bytes); }
};
template <class T>
using Array = std::unique_ptr<T[], ReleaseArray>;

/// Throws Error(memory).
template <class T = double>
Array<T> makeArray(std::int64_t count) {
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(T);
    return {static_cast<T*>(hostAllocator()->allocate(bytes)), ReleaseArray{bytes}};
}

/// Right-hand sides and solutions of the rows that an execution works on, all channels.
class SolveArrays {
public:
    /// Makes them, unless they have this size. Throws Error(memory).
    void make(std::int64_t samples) {
        if (f_ && samples == samples_) return;
        samples_ = samples;
        f_ = makeArray(samples);
        u_ = makeArray(samples);
    }
    double* f() const { return f_.get(); }
    double* u() const { return u_.get(); }

private:
    std::int64_t samples_ = 0;  // of each array
    Array<double> f_, u_;
};

}  // namespace parallax::solvers
