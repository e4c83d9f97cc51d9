// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "core/image/error.hpp"

namespace parallax {

/// Error(memory) for a file that would unpack to far more than its size. Users who trust the file may open it with LoadOptions::unpacked
/// set to kAnyUnpacked, or with --allow-large.
class LargeFile : public Error {
public:
    /// `unpacked`: bytes, a lower bound if the file does not say how many.
    LargeFile(const std::string& path, const std::string& why, std::uint64_t unpacked)
        : Error(ErrorCode::memory, "Cannot open '" + path + "'", why, "If you trust the file, use --allow-large"), unpacked_(unpacked) {}
    std::uint64_t unpacked() const noexcept { return unpacked_; }

private:
    std::uint64_t unpacked_;
};

constexpr std::uint64_t kAnyUnpacked = ~std::uint64_t{0};

}  // namespace parallax
