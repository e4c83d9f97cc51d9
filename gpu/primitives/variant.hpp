// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace parallax::gpu {

/// Describes a variant of a primitive.
struct VariantInfo {
    const char* name;           ///< "tree"
    const char* summary;        ///< one sentence on the strategy
    bool deterministic = true;  ///< results are reproducible bit by bit; if not, the summary says when
};

}  // namespace parallax::gpu
