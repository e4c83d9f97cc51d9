// SPDX-License-Identifier: GPL-3.0-or-later
// Files whose parts cannot be read alone (Loader::inOrder): rank 0 reads them from the first row to the last and hands out the rows.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "core/image/image.hpp"
#include "core/parallel/communicator.hpp"
#include "core/parallel/partition.hpp"

namespace parallax {

/// Whether the file of this description, read without samples, is one of these.
bool isReadInOrder(const Image& description);

using TakeRows = std::function<void(std::int64_t first, const View<const float>& rows)>;

/// Called by all ranks, with the shape of the image: returns the rows of the own part, partition[rank], in a buffer that is empty without
/// rows. On rank 0, `read` calls its argument with all rows in order, on any thread; rank 0 then holds its part and some MiB of those of
/// others. Throws Error(failed) if rows are missing.
Buffer handOutRows(Communicator& communicator, const Shape& shape, const Partition& partition,
                   const std::function<void(const TakeRows&)>& read);

}  // namespace parallax
