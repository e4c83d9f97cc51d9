// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace parallax {

/// Inherited by implementations whose need of memory is known only when the samples have been seen: their estimate is an upper bound, and
/// runs may take much less.
class EstimatesUpperBound {
public:
    virtual ~EstimatesUpperBound() = default;
};

}  // namespace parallax
