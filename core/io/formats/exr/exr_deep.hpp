// SPDX-License-Identifier: GPL-3.0-or-later
// Deep data (several samples a pixel) are flattened: "Interpreting OpenEXR Deep Pixels" of the OpenEXR documentation.
#pragma once

#include <ImfMultiPartInputFile.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/image/image.hpp"
#include "core/io/formats/exr/exr_selection.hpp"
#include "core/io/loader.hpp"

namespace parallax {

/// Whether a part has deep data.
bool isDeepPart(const Imf::Header& header);

/// The roles of the channels of a deep part in the flattening.
struct DeepChannels {
    std::vector<int> alpha;        ///< index of the alpha of each channel, its own for alpha itself; -1: opaque
    std::vector<bool> composited;  ///< others (Z, ZBack, integers) are taken from the nearest sample, ZBack from the farthest
    int front = -1, back = -1;     ///< indices of Z and ZBack; -1: none
};
/// Flattens the samples of a pixel: sorts them by depth, splits those that overlap and composites them front to back. `samples`: channel by
/// channel, `count` each. Without samples all channels are 0. Throws std::runtime_error for too many overlapping samples.
void flattenDeepPixel(const DeepChannels& channels, const std::vector<const float*>& samples, std::size_t count, float* out);

/// Loads and flattens a deep part of scan lines or tiles. Damaged blocks are 0 and noted. `tables`: offset behind the headers of all parts.
/// Throws Error(input), Error(memory), Error(cancelled).
Image loadDeep(const std::string& path, Imf::MultiPartInputFile& file, const ExrSelection& selection, std::uint64_t tables, int threads,
               const LoadOptions& options);

}  // namespace parallax
