// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ImfMultiPartInputFile.h>

#include <string>
#include <vector>

namespace parallax {

/// The part of a file that is read.
struct ExrSelection {
    int part = 0;
    std::vector<std::string> stored;  ///< names of the channels in the file
    std::vector<std::string> names;   ///< of the image: without the chosen layer or view
    bool chosen = false;              ///< by the user
    bool some = false;                ///< not all channels of the part
};
/// `choice`: a part by name or number, with or without a layer or view behind a dot, or a layer or view alone, of the first part that has
/// it; empty for the first part. Throws Error(input), with a list of what the file has.
ExrSelection selectExr(const std::string& path, const Imf::MultiPartInputFile& file, const std::string& choice);

}  // namespace parallax
