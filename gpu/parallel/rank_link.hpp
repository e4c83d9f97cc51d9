// SPDX-License-Identifier: GPL-3.0-or-later
// Copies between the device of a rank and the page-locked memory of its messages.
#pragma once

#include <memory>

#include "core/parallel/rank_device.hpp"
#include "gpu/runtime/stream.hpp"

namespace parallax::gpu {

/// The way of one session. Copies run in a stream of their own, so that kernels go on meanwhile. Memory of messages is kept for the next
/// exchange.
class RankLink {
public:
    /// `work`: the stream of the session. Throws Error.
    explicit RankLink(std::shared_ptr<Stream> work);
    ~RankLink();
    RankLink(const RankLink&) = delete;
    RankLink& operator=(const RankLink&) = delete;
    /// The link outlives the copies.
    std::unique_ptr<RankCopies> startCopies();

private:
    class Copies;
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace parallax::gpu
