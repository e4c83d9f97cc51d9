// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ImfMultiPartInputFile.h>

#include <string>
#include <vector>

#include "core/image/image.hpp"
#include "core/io/formats/exr/exr_selection.hpp"

namespace parallax {

bool isTiledPart(const Imf::Header& header);

/// Names of channels: layers in the order of their names, and within each colours in their usual order, alpha, others.
std::vector<std::string> orderedChannels(const Imf::ChannelList& channels);

/// Fills in what the selected part says of an image, and names the parts of the file.
void describeExr(Image& image, Imf::MultiPartInputFile& file, const ExrSelection& selection);

}  // namespace parallax
