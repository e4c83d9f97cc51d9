// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/image/image.hpp"
#include "core/io/saver.hpp"
#include "core/parallel/communicator.hpp"
#include "core/parallel/partition.hpp"

namespace parallax {

/// Saves an image of which each rank has a part, with the bytes and notes of saveImage(). Ranks write their samples of .raw and .nii at
/// their places if they see the folder of rank 0; strips of OpenEXR, and of these otherwise, go through rank 0; other formats are written
/// there as a whole. The file appears once it is complete. Called by all ranks. `description`: the whole image without samples; `rows`: the
/// part partition[rank]. Throws as saveImage() does, Error(memory) if rank 0 has to hold the whole image and cannot, Error(cancelled).
std::vector<std::string> saveParts(Communicator& communicator, const Image& description, const Partition& partition,
                                   const View<const float>& rows, const std::string& path, const SaveOptions& options);

}  // namespace parallax
