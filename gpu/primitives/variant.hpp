// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace parallax::gpu {

/// What there is to say about one way to compute a primitive.
struct VariantInfo {
    const char* name;           ///< "tree"
    const char* summary;        ///< one sentence on the strategy
    bool deterministic = true;  ///< the same input gives the same bits, run after run; the summary says where not
};

}  // namespace parallax::gpu
