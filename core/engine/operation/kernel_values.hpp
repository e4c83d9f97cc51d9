// SPDX-License-Identifier: GPL-3.0-or-later
// The capability of operations whose parameters need some computing before a kernel can use them, as the weights of a window that has a
// name and a size. See capabilities.hpp.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/operation/capabilities.hpp"

namespace parallax {

/// Something that a kernel written by a user gets besides the parameters: a whole number, or an array of `width` columns and `height` rows.
struct KernelValue {
    std::string key;   ///< name of the member of its struct: "taps"
    std::string help;  ///< one sentence
    bool isArray = false;
    std::int64_t number = 0;
    std::int64_t width = 0, height = 0;
    std::vector<float> values;
};

/// For each channel of an image 1 if it is among the chosen ones, else 0.
inline KernelValue channelFlags(std::string key, std::string help, std::int64_t channels, const std::vector<int>& chosen) {
    KernelValue flags{.key = std::move(key), .help = std::move(help), .isArray = true, .width = channels, .height = 1};
    flags.values.assign(static_cast<std::size_t>(channels), 0.0F);
    for (const int c : chosen) flags.values[static_cast<std::size_t>(c)] = 1;
    return flags;
}

class GivesKernelValues : public OperationCapability {
public:
    /// The same keys for every problem. Throws Error(usage) as Operation::check() does.
    virtual std::vector<KernelValue> kernelValues(const Problem& problem) const = 0;
};

}  // namespace parallax
