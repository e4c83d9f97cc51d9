// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ImfMultiPartInputFile.h>

#include <string>
#include <vector>

#include "core/image/image.hpp"

namespace parallax {

bool isTiledPart(const Imf::Header& header);

/// Names of channels: layers in the order of their names, and within each colours in their usual order, alpha, others.
std::vector<std::string> orderedChannels(const Imf::ChannelList& channels);

/// Fills in what the first part says of an image, and names the parts of the file. `names`: the channels of the file, in their order here.
void describeExr(Image& image, Imf::MultiPartInputFile& file, const std::vector<std::string>& names);

}  // namespace parallax
