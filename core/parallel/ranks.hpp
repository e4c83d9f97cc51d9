// SPDX-License-Identifier: GPL-3.0-or-later
// Processes that compute the parts of one run together, perhaps on several machines.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>

#include "core/parallel/communicator.hpp"

namespace parallax {

enum class ExchangeMode {
    overlapped,  ///< the interior is computed while messages are on their way
    blocking     ///< pair by pair before the computation goes on, as MPI_Sendrecv does
};
/// The mode of a target (as in "openmp+blocking@4") for ExchangeMode::blocking on ranks.
inline constexpr const char* kBlockingMode = "blocking";

/// The ranks of a job. Rank 0 leads: it gives orders, whose meaning is up to the caller. The other ranks follow.
class Ranks {
public:
    virtual ~Ranks() = default;
    virtual int size() const = 0;
    virtual int rank() const = 0;  ///< of this process
    /// Name of the machine that a rank runs on.
    virtual const std::string& host(int rank) const = 0;
    /// Name of the CPU of that machine.
    virtual const std::string& processor(int rank) const = 0;
    /// Usable threads of a rank: its share of the processors, if ranks on the same machine may use the same ones.
    virtual int threads(int rank) const = 0;

    /// How halos are exchanged in runs that rank 0 leads from now on.
    virtual void setExchangeMode(ExchangeMode mode) = 0;
    /// On rank 0: hands `order` to the ranks below `parts`, calls work() and returns when all of them have ended. Throws the first error of
    /// any of them, with the rank and its host in the reason if it is another one, or Error(cancelled) after a stop. The ranks then end at
    /// their next call of the communicator or check of its stop(), and can be used again.
    virtual void lead(std::span<const std::byte> order, int parts, const std::function<void(Communicator&)>& work,
                      const std::stop_token& stop) = 0;
    /// On the other ranks: waits for the next order that includes this rank, calls serve(), and throws like lead(). Returns
    /// false, without a call, once rank 0 has dismissed the ranks.
    virtual bool follow(const std::function<void(std::span<const std::byte> order, Communicator&)>& serve) = 0;
    /// On rank 0, once: no further orders come.
    virtual void dismiss() = 0;
};

/// The ranks that this process is one of; null unless the program was started as one. Runs on several parts are then runs on ranks.
std::shared_ptr<Ranks> processRanks();
/// To be called before any run.
void setProcessRanks(std::shared_ptr<Ranks> ranks);

}  // namespace parallax
