// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/backends/mpi/shared_memory.hpp"
#include "core/engine/run/run_context.hpp"
#include "core/image/image.hpp"

namespace parallax {

/// The samples of an image in shared memory, dense. Copied once; the copies of the two images that were used last are kept as long as the
/// images. Throws Error(memory, cancelled).
std::shared_ptr<SharedMemory> sharedSamples(const ImagePtr& image, const RunContext& context);
/// Frees copies of images that are gone.
void dropSharedSamples();

}  // namespace parallax
