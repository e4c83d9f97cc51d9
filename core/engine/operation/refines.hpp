// SPDX-License-Identifier: GPL-3.0-or-later
// The capability of operations that iterate: a first picture after a few iterations. See capabilities.hpp.
#pragma once

#include <optional>
#include <string>

#include "core/engine/operation/capabilities.hpp"

namespace parallax {

/// The result is approached in iterations, so that a few of them give a first picture early. For display only: it is outside of the
/// tolerance of the result.
class Refines : public OperationCapability {
public:
    /// Returns the parameters of a first picture: those of the result, but with an early end. Empty if they leave nothing to shorten. The
    /// reference takes no notice of an early end.
    virtual std::optional<ParameterBlock> firstPicture(const ParameterBlock& parameters) const = 0;
    /// Key of the statistic that holds the relative residual of a picture: see HasStatistics.
    virtual std::string residualKey() const = 0;
};

}  // namespace parallax
