// SPDX-License-Identifier: GPL-3.0-or-later
// Which files an input consists of.
#pragma once

#include <string>
#include <vector>

namespace parallax {

/// The file or folder that an input is opened by; the input itself if it is generated.
std::string fileOfInput(const std::string& input);

/// All files that an input is read from, for a header or for its samples: the header first, then the samples. For a folder: the folder, and
/// its DICOM files or, without them, those of the headers in it. Empty for generated images. A header that cannot be read stands alone.
std::vector<std::string> filesOfInput(const std::string& input);

/// Whether a file is DICOM by its first bytes or by its name.
bool isDicomFile(const std::string& path);

/// A path that is the same for all names of a file.
std::string identityOf(const std::string& path);

/// Throws Error(output) if saving to a path would replace some files of an input and keep others, such as the header of replaced samples.
void checkKeepsInput(const std::string& input, const std::string& output);

}  // namespace parallax
