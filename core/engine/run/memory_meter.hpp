// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/engine/backend/backend.hpp"
#include "core/engine/backend/device_memory.hpp"
#include "core/image/host/memory_use.hpp"

namespace parallax {

/// Measures the blocks of a run in host memory, in scratch files and on its device, until the end of its first run: those that it keeps,
/// and the most at any time.
class MemoryMeter {
public:
    /// Measures from construction to destruction: the preparation or a run. Those after the first run do not count.
    class Span {
    public:
        Span(MemoryMeter& meter, BackendSession& session);
        ~Span();
        Span(const Span&) = delete;
        Span& operator=(const Span&) = delete;

    private:
        MemoryMeter& meter_;
        HostMemoryUse before_;
        HostMemoryPeak peak_;
        MeasuresDeviceMemory* device_;  // null: the session does not know
        std::uint64_t deviceBefore_ = 0;
    };

    /// The most bytes at any time. `scratch`: in scratch files; `device`: 0 if the session does not know.
    std::uint64_t memory() const { return memory_.most(); }
    std::uint64_t scratch() const { return scratch_.most(); }
    std::uint64_t device() const { return device_.most(); }

private:
    /// Blocks of one kind.
    class Kind {
    public:
        std::uint64_t most() const;
        /// Bytes in use before a span, the most within it, and those after it.
        void add(std::uint64_t before, std::uint64_t most, std::uint64_t after);

    private:
        static constexpr int kSpans = 2;  // the preparation and the first run
        int spans_ = 0;
        std::int64_t kept_ = 0, most_ = 0;
    };

    Kind memory_, scratch_, device_;
};

}  // namespace parallax
