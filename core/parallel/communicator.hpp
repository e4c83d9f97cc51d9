// SPDX-License-Identifier: GPL-3.0-or-later
// How parts of one run work together: host threads of one process (thread_team.hpp), later also GPUs with peer access and MPI ranks. All
// ranks call the same functions in the same order, except cancel(). No function assumes that ranks share memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <type_traits>
#include <vector>

#include "core/image/error.hpp"
#include "core/image/view.hpp"
#include "core/parallel/partition.hpp"

namespace parallax {

/// Samples to send to another rank: rows of all planes, in the memory space of the run.
struct HaloSend {
    int to = 0;
    View<const float> samples;
};
/// Where to put those that another rank sends, of the same shape. Those of one pair of ranks arrive in the order in which they are sent.
struct HaloReceive {
    int from = 0;
    View<float> samples;
};

/// An exchange that has been started. Destroying it before finish() ends the run of all ranks.
class HaloExchange {
public:
    virtual ~HaloExchange() = default;
    /// Waits until everything is sent and received. Throws Error if the run is cancelled.
    virtual void finish() = 0;
};

enum class Reduce { sum, minimum, maximum };

/// Rank that stands for all of them.
inline constexpr int kEveryRank = -1;

/// One rank of a run. Every function that waits throws Error(cancelled) once any rank has failed or the run was stopped; the run then ends
/// with the first error.
class Communicator {
public:
    virtual ~Communicator() = default;
    virtual int rank() const = 0;
    virtual int size() const = 0;
    /// Requested when the run is cancelled: work between two calls ends by it.
    virtual std::stop_token stop() const = 0;

    /// Starts an exchange, so that what does not need the halo can be computed until finish(). Sent samples stay unchanged and received
    /// ones are undefined until then. Exchanges of one rank are finished in the order in which they were started.
    [[nodiscard]] virtual std::unique_ptr<HaloExchange> startExchange(std::vector<HaloSend> sends, std::vector<HaloReceive> receives) = 0;

    /// Replaces each value by its sum, minimum or maximum over all ranks, with the same bits on each. Sums are added in the order of ranks,
    /// so they depend on the number of ranks: see sumOfBlocks().
    virtual void allReduce(std::span<double> values, Reduce how) = 0;
    /// Replaces each count by its sum over all ranks.
    virtual void allReduce(std::span<std::int64_t> counts) = 0;
    /// Copies the data of rank `root` to all others.
    virtual void broadcast(std::span<std::byte> data, int root) = 0;
    /// Collects `own` of rank r at bytes places[r] of `all`, on rank `root` or on kEveryRank. Other ranks may pass an empty `all`.
    virtual void gather(std::span<const std::byte> own, const Partition& places, std::span<std::byte> all, int root) = 0;
    /// Waits for all ranks.
    virtual void barrier() = 0;

    /// Ends the run of all ranks with this error, unless an earlier one does. May be called at any time, from any thread.
    virtual void cancel(const Error& error) = 0;
};

/// Places of gather() where each rank has its own number of bytes.
Partition placesOf(Communicator& communicator, std::size_t bytes);

/// Returns what every rank found for its blocks, in ascending order of blocks, on each rank. Blocks ascend with the rank. Where they follow
/// from the image alone, results that are combined in this order have the same bits for any number of ranks.
template <class T>
std::vector<T> gatherBlocks(Communicator& communicator, std::span<const T> own) {
    static_assert(std::is_trivially_copyable_v<T>);
    const Partition places = placesOf(communicator, own.size_bytes());
    std::vector<T> all(static_cast<std::size_t>(places.units()) / sizeof(T));
    communicator.gather(std::as_bytes(own), places, std::as_writable_bytes(std::span(all)), kEveryRank);
    return all;
}

/// Returns the sums of `values` numbers over the blocks of all ranks, on each rank, added in ascending order: see gatherBlocks(). `own`
/// holds the numbers of the rank's blocks, block after block.
std::vector<double> sumOfBlocks(Communicator& communicator, std::span<const double> own, std::size_t values = 1);

}  // namespace parallax
