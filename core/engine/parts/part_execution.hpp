// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "core/engine/backend/implementation.hpp"
#include "core/image/view.hpp"
#include "core/parallel/communicator.hpp"

namespace parallax {

/// The part of an image that a rank has: rows of all channels, or slices of all channels of a volume.
struct ImagePart {
    Shape image;  ///< the whole of it
    PartRange range;
    PartRange result;  ///< rows or slices of the result that the rank has
    bool slices() const { return image.depth > 1; }
};

/// An Execution that needs more of the other parts than a halo, such as sums over the image (Distribution::phases). It works phase by
/// phase, and every rank calls the communicator in the same order, also one whose part is empty.
class PartExecution {
public:
    virtual ~PartExecution() = default;
    /// Computes the output samples of a part. Views are in the backend's memory space, have the rows or slices of the part and gaps
    /// between channels; they have no data if it is empty. A result of another size than the input is divided on its own, also into slices
    /// if it is a volume and the input is not: the view has the rank's share, and shares ascend with the rank. Adds to context.progress as
    /// Execution::run() does.
    virtual void runPart(const ImagePart& part, const View<const float>& input, const View<float>& output, Communicator& communicator,
                         RunContext& context) = 0;
    /// Whether everything that parts exchange goes through the communicator, which counts it. Kernels that exchange without the host
    /// answer no.
    virtual bool countsTraffic() const { return true; }
};

/// A PartExecution that keeps samples elsewhere than in the rows of its part: with those around them, or by bands. Its runPart() uses
/// these; of the views that it gets, only channels that it copies.
class KeepsOwnSamples {
public:
    virtual ~KeepsOwnSamples() = default;
    /// Before runPart(): takes the input from the rows of all parts. It belongs to the upload of a first step, else to the exchange.
    virtual void take(const ImagePart& part, const View<const float>& input, Communicator& communicator, RunContext& context) = 0;
    /// After runPart(): puts the result into the rows of all parts. It belongs to the download of a last step, else to the exchange.
    virtual void give(const ImagePart& part, const View<float>& output, Communicator& communicator, RunContext& context) = 0;
    /// Whether it understands the samples that the step before keeps, the same on all parts. Then takeFrom() replaces that step's give()
    /// and its own take().
    virtual bool takesFrom(const KeepsOwnSamples& /*before*/) const { return false; }
    virtual void takeFrom(const ImagePart& /*part*/, KeepsOwnSamples& /*before*/, Communicator& /*communicator*/, RunContext& /*context*/) {
    }
};

/// An implementation that needs less memory for a part than for the whole image: its executions of parts are others.
class PreparesParts {
public:
    virtual ~PreparesParts() = default;
    /// As Implementation::prepare(), for one part of the problem. The execution is a PartExecution.
    virtual std::unique_ptr<Execution> preparePart(const Problem& problem, RunContext& context) const = 0;
    /// Bytes of the device that the largest of so many parts needs besides its input and output; by default those of the whole.
    virtual std::optional<std::uint64_t> deviceBytes(const Problem& /*problem*/, int /*parts*/) const { return std::nullopt; }
};

}  // namespace parallax
