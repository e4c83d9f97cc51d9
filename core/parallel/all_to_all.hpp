// SPDX-License-Identifier: GPL-3.0-or-later
// Exchanges between each rank and every other one.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "core/parallel/communicator.hpp"

namespace parallax {

/// Sends `to[r]` to rank r and receives `from[r]` from it, for all ranks r: for example the transposition of a matrix that is divided by
/// rows. Shapes of a pair of ranks are equal, may differ between pairs, and may be empty. Samples for the rank itself are copied.
///
/// It is one exchange of the communicator, not MPI_Alltoallv: messages are non-blocking (in pairs with ExchangeMode::blocking), views may
/// have gaps between rows, and it ends when the run is cancelled, which a collective of MPI does not.
void allToAll(Communicator& communicator, const std::vector<View<const float>>& to, const std::vector<View<float>>& from);

/// The same for lists whose sizes the receivers do not know: returns what each rank had for this one. T: a multiple of 4 bytes.
template <class T>
std::vector<std::vector<T>> allToAll(Communicator& communicator, const std::vector<std::vector<T>>& to) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % sizeof(float) == 0);
    std::vector<std::int64_t> counts(to.size()), sizes(to.size());
    std::vector<View<const float>> sends;
    std::vector<View<float>> receives;
    for (std::size_t r = 0; r < to.size(); ++r) {
        counts[r] = static_cast<std::int64_t>(to[r].size());
        sends.push_back(denseView(reinterpret_cast<const float*>(&counts[r]), Shape{2, 1, 1, 1}));
        receives.push_back(denseView(reinterpret_cast<float*>(&sizes[r]), Shape{2, 1, 1, 1}));
    }
    allToAll(communicator, sends, receives);
    constexpr auto kFloats = static_cast<std::int64_t>(sizeof(T) / sizeof(float));
    std::vector<std::vector<T>> from(to.size());
    for (std::size_t r = 0; r < to.size(); ++r) {
        from[r].resize(static_cast<std::size_t>(sizes[r]));
        sends[r] = denseView(reinterpret_cast<const float*>(to[r].data()), Shape{kFloats * counts[r], 1, 1, 1});
        receives[r] = denseView(reinterpret_cast<float*>(from[r].data()), Shape{kFloats * sizes[r], 1, 1, 1});
    }
    allToAll(communicator, sends, receives);
    return from;
}

}  // namespace parallax
