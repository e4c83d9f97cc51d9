// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of a part of an image, for an operator whose surrounds reach into other parts.
#pragma once

#include <memory>
#include <vector>

#include "core/engine/parts/part_execution.hpp"
#include "core/image/buffer.hpp"
#include "gpu/session.hpp"

namespace parallax::gpu {

/// Which output rows of a part need none of the others, and the inputs of the other ones. Rows are those of the image.
class LocalPart {
public:
    struct Edge {
        PartRange rows, needed;  ///< output rows, and the rows that their surrounds reach
        Buffer input{};          ///< the needed rows of all channels
    };

    /// `reach`: rows above and below. `channels`: those of the image that are read. Throws Error(memory).
    LocalPart(const ImagePart& part, std::int64_t reach, std::vector<int> channels, CudaSession& session);

    const PartRange& interior() const { return interior_; }
    const std::vector<Edge>& edges() const { return edges_; }
    /// Receives the inputs of the edges. `in`: rows of the part.
    std::unique_ptr<HaloExchange> startExchange(const View<const float>& in, Communicator& communicator);

private:
    std::vector<Edge> edgesOf(const PartRange& part) const;

    ImagePart part_;
    std::int64_t reach_;
    std::vector<int> channels_;
    PartRange interior_;
    std::vector<Edge> edges_;
};

}  // namespace parallax::gpu
