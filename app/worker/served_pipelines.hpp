// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "core/backends/mpi/messages.hpp"
#include "core/engine/run/engine.hpp"

namespace parallax {

/// Pipelines that a client has prepared on rank 0, and the memory that it shares.
class ServedPipelines {
public:
    explicit ServedPipelines(const Catalog& catalog) : engine_(catalog) {}

    // Requests, with the memory that came with them. They throw Error.
    PreparedMessage prepare(const PrepareMessage& message, Descriptor memory, RunContext& context);
    DoneMessage run(const RunMessage& message, Descriptor memory, RunContext& context);
    LapsMessage laps(std::int64_t id, RunContext& context);

    void release(std::int64_t id) { pipelines_.erase(id); }
    void forgetMemory(std::uint64_t id);
    /// Before the ranks are dismissed.
    void clear() { pipelines_.clear(); }

private:
    struct Served {
        PreparedRun run;
        std::uint64_t result = 0;  ///< memory that results go to; 0: none yet
    };
    std::shared_ptr<SharedMemory> memoryOf(std::uint64_t id, Descriptor descriptor, const Shape& shape);
    ImagePtr imageOf(const PrepareMessage& message, Descriptor descriptor);
    Served& servedOf(std::int64_t id);

    Engine engine_;
    std::map<std::uint64_t, std::shared_ptr<SharedMemory>> memory_;
    std::map<std::uint64_t, ImagePtr> images_;  // by their memory, since statistics are kept for images
    std::map<std::int64_t, Served> pipelines_;
};

}  // namespace parallax
