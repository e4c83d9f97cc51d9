// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels in records of measurements: what ran, how it was compiled, and its source.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/engine/backend/implementation.hpp"
#include "core/engine/run/run_record.hpp"

namespace parallax {

/// Version of a record with kernels: older programs would not leave their sources out of a redacted report.
inline constexpr int kKernelsVersion = 5;

struct KernelRecord {
    std::string target;     ///< "user.my-blur"
    std::string operation;  ///< id
    std::string language;   ///< "C++" or "CUDA"
    std::string compiler;   ///< "g++ 12.2.0"
    std::string command;    ///< of the compiler; empty if it was redacted
    std::string source;     ///< empty if it was redacted
    friend bool operator==(const KernelRecord&, const KernelRecord&) = default;
    /// "user.my-blur: convolve in C++, compiled by g++ 12.2.0".
    std::string title() const { return target + ": " + operation + " in " + language + ", compiled by " + compiler; }
};

/// For implementations that are kernels of users.
class HasKernelRecord {
public:
    virtual ~HasKernelRecord() = default;
    virtual KernelRecord kernelRecord() const = 0;
};

/// The kernel among the implementations of a backend that is this variant of the operation; nothing if it is no kernel of a user.
std::optional<KernelRecord> kernelRecordOf(const std::vector<const Implementation*>& implementations, const std::string& operation,
                                           const std::string& variant);

/// Whether the build in RunRecord::backends is one of a kernel: its id is that of a target, its details are those of KernelRecord.
bool isKernel(const BackendBuild& build);
/// The kernels of a record, each operation and variant once.
std::vector<KernelRecord> kernelsOf(const RunRecord& record);
/// Adds a kernel to a record, unless it has it. Throws Error(failed) if the record has another kernel of this name and operation: its
/// times would be those of two sources.
void addKernel(RunRecord& record, const KernelRecord& kernel);
/// Removes sources and commands, which may name folders and people.
void redactKernels(RunRecord& record);

}  // namespace parallax
