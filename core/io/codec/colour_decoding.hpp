// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/image/image.hpp"
#include "core/io/loader.hpp"

namespace parallax {

/// How the stored colours relate to the stored alpha.
enum class StoredAlpha {
    straight,    ///< unassociated: colours are independent of alpha
    associated,  ///< linear colours times alpha, as inside
    encoded      ///< encoded colours times alpha: divided by alpha before they are decoded
};

/// Turns stored numbers into linear light with associated alpha, in place and on several threads, and fills
/// SourceInfo::storedStatistics from the stored numbers. Channels before the alpha channel are its colours.
/// `table` maps the codes 0 .. table.size() - 1 to linear light; if it is empty, the numbers are linear already.
void decodeColours(Image& image, const std::vector<float>& table, StoredAlpha stored, const LoadOptions& options);

}  // namespace parallax
