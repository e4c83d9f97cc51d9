// SPDX-License-Identifier: GPL-3.0-or-later
// Descriptions of files without their samples: readers leave the samples of large images in the file if the process asks for that.
#pragma once

#include <cstdint>
#include <optional>

#include "core/image/buffer.hpp"
#include "core/parallel/partition.hpp"

namespace parallax {

/// Sets the bytes of float samples up to which files are read as a whole. For the whole process; unlimited at first. Larger images are
/// described by their header: their samples have a shape but no memory (Buffer::empty()), and there are no statistics.
void setSampleBudget(std::uint64_t bytes);
bool withinSampleBudget(const Shape& shape);

/// The buffer for the samples of a file, without memory if they exceed the budget. Throws Error(memory).
Buffer sampleBuffer(const Shape& shape);
/// What LoadOptions::part has of an image of that shape: all of it without a part.
Shape shapeToRead(const Shape& shape, const std::optional<PartRange>& part);
/// The buffer for a part; without memory if it is empty.
Buffer sampleBuffer(const Shape& shape, const std::optional<PartRange>& part);

}  // namespace parallax
