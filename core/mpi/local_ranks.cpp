// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mpi/local_ranks.hpp"

#include <mpi.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>

#include "core/image/host/control_groups.hpp"
#include "core/image/host/processors.hpp"
#include "core/mpi/messages.hpp"
#include "core/parallel/partition.hpp"

namespace parallax {
namespace {

/// What ranks of a machine tell each other.
struct Facts {
    std::uint64_t processors = 0;  ///< equal for equal sets
    std::uint64_t processIds = 0;  ///< the namespace of the process id; 0: unknown
    std::int64_t process = 0;
    std::int64_t rank = 0;
};

/// FNV-1a.
std::uint64_t hashOf(const std::vector<int>& processors) {
    std::uint64_t hash = 14695981039346656037U;
    for (const int p : processors) hash = (hash ^ static_cast<std::uint64_t>(p)) * 1099511628211U;
    return hash;
}

std::uint64_t processIdNamespace() {
    struct stat status {};
    return stat("/proc/self/ns/pid", &status) == 0 ? status.st_ino : 0;
}

/// The share of one of several processes that may all use `processors`: neighbours, at least one. Processes share processors if there are
/// more of the former.
std::vector<int> shareOf(const std::vector<int>& processors, int process, int processes) {
    const auto count = static_cast<int>(processors.size());
    if (count == 0 || processes <= 1) return processors;
    if (processes >= count) return {processors[static_cast<std::size_t>(process % count)]};
    const PartRange range = Partition(count, processes)[process];
    return {processors.begin() + range.first, processors.begin() + range.last};
}

}  // namespace

LocalRanks joinLocalRanks(int rank) {
    MPI_Comm local = MPI_COMM_NULL;
    checkMpi(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &local), "MPI_Comm_split_type");
    int place = 0, count = 1;
    checkMpi(MPI_Comm_rank(local, &place), "MPI_Comm_rank");
    checkMpi(MPI_Comm_size(local, &count), "MPI_Comm_size");
    const std::vector<int> usable = usableProcessors();
    const Facts own{hashOf(usable), processIdNamespace(), getpid(), rank};
    std::vector<Facts> all(static_cast<std::size_t>(count));
    checkMpi(MPI_Allgather(&own, sizeof own, MPI_BYTE, all.data(), sizeof own, MPI_BYTE, local), "MPI_Allgather");
    checkMpi(MPI_Comm_free(&local), "MPI_Comm_free");

    LocalRanks ranks;
    const auto usesThem = [&](const Facts& f) { return f.processors == own.processors; };
    const auto alike = static_cast<int>(std::count_if(all.begin(), all.end(), usesThem));
    ranks.processors = shareOf(usable, static_cast<int>(std::count_if(all.begin(), all.begin() + place, usesThem)), alike);
    // Ranks with the same processors share a container, and with it its quota.
    const int granted = withinProcessorQuota(static_cast<int>(usable.size()));
    ranks.threads = std::max(1, std::min(static_cast<int>(ranks.processors.size()), (granted + alike - 1) / alike));
    ranks.oversubscribed = alike > granted;
    if (alike > 1 && !ranks.oversubscribed) bindTo(ranks.processors);

    const Facts& next = all[static_cast<std::size_t>((place + 1) % count)];
    if (count > 1 && own.processIds != 0 && next.processIds == own.processIds) {
        ranks.next = static_cast<int>(next.rank);
        ranks.nextProcess = Peer(static_cast<pid_t>(next.process));
    }
    return ranks;
}

}  // namespace parallax
