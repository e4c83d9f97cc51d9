// SPDX-License-Identifier: GPL-3.0-or-later
// Counts the heap memory of the whole process, plug-ins and their libraries included, by replacing malloc() and its relatives.
#pragma once

#include <cstdint>

namespace parallax::conformance {

/// From construction on: bytes that were requested and not yet freed. One object at a time. Stacks, mapped files and memory of devices do
/// not count. Sanitizers replace malloc() themselves: then nothing is counted.
class AllocationCount {
public:
    AllocationCount();
    ~AllocationCount();
    AllocationCount(const AllocationCount&) = delete;
    AllocationCount& operator=(const AllocationCount&) = delete;
    /// The largest number of bytes at any time so far.
    std::uint64_t peak() const;
};

}  // namespace parallax::conformance
