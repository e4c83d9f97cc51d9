// SPDX-License-Identifier: GPL-3.0-or-later
// How samples get from the memory of one part of a run to that of another one.
#pragma once

#include <memory>
#include <string>

#include "core/image/view.hpp"

namespace parallax {

/// For a ThreadTeam whose parts have memory of their own, such as devices that work in the order of their streams. Nothing here waits for
/// such work: copies are put into its order.
class SampleTransport {
public:
    /// The work that a part had ordered when it started an exchange.
    class Moment {
    public:
        virtual ~Moment() = default;
    };

    virtual ~SampleTransport() = default;
    /// Called by a part that starts an exchange. Its samples are sent, and overwritten, after all work that it has ordered so far.
    virtual std::shared_ptr<Moment> start(int rank) = 0;
    /// Called by the part that receives. Views have the same shape; rows of a channel follow each other without gaps.
    virtual void copy(Moment& sender, const View<const float>& from, Moment& receiver, const View<float>& to) = 0;
    /// Called by the part at the end of its exchange: work that it orders from now on comes after all copies from and to it.
    virtual void finish(Moment& own) = 0;
    /// Work that the part orders from now on comes after this moment of another one.
    virtual void follow(int rank, Moment& other) = 0;
    /// Waits for all copies: memory may be released afterwards.
    virtual void drain() noexcept = 0;
    /// The way that samples take, to show: "by peer access"; if it is not the shortest, with the reason.
    virtual std::string path() const = 0;
};

}  // namespace parallax
