// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parallel/partition.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/image/error.hpp"

namespace parallax {

Partition::Partition(std::int64_t units, int parts, std::int64_t unit) {
    if (units < 0 || parts < 1 || unit < 1)
        throw Error(ErrorCode::usage, "Cannot divide " + std::to_string(units) + " rows among " + std::to_string(parts) + " parts");
    const std::int64_t blocks = units / unit + (units % unit > 0 ? 1 : 0), least = blocks / parts, larger = blocks % parts;
    begins_.clear();
    for (std::int64_t p = 0; p <= parts; ++p) begins_.push_back(std::min(units, (p * least + std::min(p, larger)) * unit));
}

Partition::Partition(std::int64_t units, std::span<const double> weights) {
    double sum = 0;
    for (const double w : weights) sum += w >= 0 ? w : std::nan("");
    if (units < 0 || !(sum > 0) || !std::isfinite(sum))
        throw Error(ErrorCode::usage, "Cannot divide " + std::to_string(units) + " rows by these weights",
                    "they must be finite, not negative and not all 0");
    begins_ = {0};
    double before = 0;
    for (const double w : weights) {
        before += w;
        const auto end = static_cast<std::int64_t>(std::floor(static_cast<double>(units) * std::min(1.0, before / sum) + 0.5));
        begins_.push_back(std::clamp(end, begins_.back(), units));
    }
    begins_.back() = units;
}

Partition Partition::ofSizes(std::span<const std::int64_t> sizes) {
    Partition partition;
    partition.begins_ = {0};
    for (const std::int64_t size : sizes) partition.begins_.push_back(partition.begins_.back() + size);
    return partition;
}

int Partition::ownerOf(std::int64_t unit) const {
    // The last part that begins at or before the unit; empty ones begin where the next one does.
    return static_cast<int>(std::upper_bound(begins_.begin(), begins_.end(), unit) - begins_.begin()) - 1;
}

}  // namespace parallax
