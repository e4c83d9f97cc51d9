// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/kernel_record.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/image/error.hpp"

namespace parallax {
namespace {

constexpr std::array<std::pair<const char*, std::string KernelRecord::*>, 5> kDetails{{{"operation", &KernelRecord::operation},
                                                                                       {"language", &KernelRecord::language},
                                                                                       {"compiler", &KernelRecord::compiler},
                                                                                       {"command", &KernelRecord::command},
                                                                                       {"source", &KernelRecord::source}}};

}  // namespace

std::optional<KernelRecord> kernelRecordOf(const std::vector<const Implementation*>& implementations, const std::string& operation,
                                           const std::string& variant) {
    for (const Implementation* i : implementations) {
        const auto* const kernel = dynamic_cast<const HasKernelRecord*>(i);
        if (kernel && i->operation() == operation && i->variant() == variant) return kernel->kernelRecord();
    }
    return std::nullopt;
}

bool isKernel(const BackendBuild& build) { return build.id.find('.') != std::string::npos; }

std::vector<KernelRecord> kernelsOf(const RunRecord& record) {
    std::vector<KernelRecord> kernels;
    for (const BackendBuild& build : record.backends) {
        if (!isKernel(build)) continue;
        KernelRecord& kernel = kernels.emplace_back();
        kernel.target = build.id;
        for (const auto& [key, value] : build.details)
            for (const auto& [name, member] : kDetails)
                if (key == name) kernel.*member = value;
    }
    return kernels;
}

void addKernel(RunRecord& record, const KernelRecord& kernel) {
    for (const KernelRecord& k : kernelsOf(record)) {
        if (k == kernel) return;
        if (k.target == kernel.target && k.operation == kernel.operation)
            throw Error(ErrorCode::failed, "'" + kernel.target + "' cannot be measured", "the kernel was changed in the meantime",
                        "Measure it again");
    }
    BackendBuild build{kernel.target, {}};
    for (const auto& [name, member] : kDetails) build.details.emplace_back(name, kernel.*member);
    record.backends.push_back(std::move(build));
    record.version = std::max(record.version, kKernelsVersion);
}

void redactKernels(RunRecord& record) {
    for (BackendBuild& build : record.backends)
        if (isKernel(build))
            std::erase_if(build.details, [](const auto& detail) { return detail.first == "command" || detail.first == "source"; });
}

}  // namespace parallax
