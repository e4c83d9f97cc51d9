// SPDX-License-Identifier: GPL-3.0-or-later
// Shared by the reader and the writer of OpenEXR files.
#pragma once

#include <string>
#include <vector>

#include "parallax/image/image.hpp"
#include "parallax/io/atomic_file.hpp"
#include "parallax/io/saver.hpp"

namespace parallax {

/// Attribute that keeps Image::provenance, one step a line.
constexpr char kExrProvenance[] = "parallaxProvenance";

/// Grows OpenEXR's thread pool if needed; returns the number of threads to use for a file.
int useExrThreads(int threads);

/// Compression names as in SaveOptions.
const std::vector<std::string>& exrCompressions();

/// Adds to `notes` what could not be kept.
void writeExr(const Image& image, AtomicFile& target, const SaveOptions& options, std::vector<std::string>& notes);

}  // namespace parallax
