// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks of an MPI job. The only layer that sees MPI: what uses it sees core/parallel/ranks.hpp.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "core/parallel/ranks.hpp"

namespace parallax {

inline constexpr std::size_t kLargestMpiMessage = std::size_t{1} << 30;

class MpiRanks : public Ranks {
public:
    /// Called once, from another thread, when a rank or the launcher has ended before rank 0 has dismissed the ranks: on rank 0, or if that
    /// is the one, on another. All ranks then end; returns the exit code [prints the error; 1].
    virtual void setLossHandler(std::function<int(const Error&)> handler) = 0;
    /// Bytes of a message, from 1 to 2^31 - 1 [kLargestMpiMessage]; more is sent in pieces. The same on all ranks, and not during a run.
    virtual void setLargestMessage(std::size_t bytes) = 0;
    /// The first rank that was started with another `build` than rank 0; -1: none.
    virtual int otherBuild() const = 0;
};

/// Starts MPI: once in a process, before its first thread that computes. A process without a launcher is the only rank. Ranks on one
/// machine that may use the same processors share them: this process is bound to its share. MPI ends with the last owner of the result, on
/// all ranks together. `build`: names the program, since machines may have several versions of it. `processor`: name of the CPU of this
/// machine. Throws Error(unavailable) if the library is not made for programs with threads.
std::shared_ptr<MpiRanks> startMpi(const std::string& build = {}, const std::string& processor = {});

}  // namespace parallax
