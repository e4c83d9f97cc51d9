// SPDX-License-Identifier: GPL-3.0-or-later
// Exchange of rows of an array that is divided among the members of a group: each writes what others want of its own rows into memory of
// theirs, and copies what it has received to its place.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <vector>

#include "core/parallel/partition.hpp"
#include "gpu/parallel/device_group.hpp"
#include "gpu/solvers/grid.hpp"

namespace parallax::gpu {

/// Rows of an array, [channel][row][pitch].
struct RowsInMemory {
    float* data = nullptr;  ///< of row rows.first
    PartRange rows;
};

/// Copies of whole rows of all channels, for a kernel.
struct RowCopies {
    struct Copy {
        const float* from;
        float* to;
        std::int64_t fromPlane, toPlane;  ///< elements from channel to channel
        std::int64_t rows;
    };
    Copy copies[kMaxMembers + 1];
    int count = 0;
    int pitch = 0;

    /// Adds the rows of both that are in `range`; none if there are none.
    void add(const RowsInMemory& from, const RowsInMemory& to, const PartRange& range);
};

class RowExchange {
public:
    /// `own`: rows that each member answers for. `wanted`: those it needs, with its own or without.
    RowExchange(std::vector<PartRange> own, std::vector<PartRange> wanted, int pitch, int channels);
    /// Bytes of memory that a member receives into.
    std::uint64_t mailboxBytes(int member) const;
    /// For each member, in DeviceGroup::run().
    void allocate(int member, DeviceGroup& group);
    /// Then, once for each member. `from` has its own rows, `to` receives what it wants; they may be the same.
    void connect(int member, const RowsInMemory& from, const RowsInMemory& to);
    /// Enqueues the exchange. All members must do so; kernels wait for those of the others.
    void launch(int member, const SolveArguments& a, const SumLinks& sums, cudaStream_t stream) const;

private:
    PartRange above(int member) const;
    PartRange below(int member) const;
    RowsInMemory mailbox(int member, bool isAbove) const;

    std::vector<PartRange> own_, wanted_;
    int pitch_, channels_;
    std::vector<DeviceBuffer<float>> mailboxes_;  ///< rows above the own ones, then those below
    std::vector<RowCopies> sent_, received_;
};

/// Copies rows on one device, unless the solve has ended.
void launchRowCopies(const SolveArguments& a, const RowCopies& copies, cudaStream_t stream);
/// Copies rows into memory of other members, and ends when those of all members have arrived.
void launchRowSends(const SolveArguments& a, const SumLinks& sums, const RowCopies& copies, cudaStream_t stream);
void preloadRowExchange();

}  // namespace parallax::gpu
