// SPDX-License-Identifier: GPL-3.0-or-later
// Which files a batch reads, and which it writes.
#pragma once

#include <string>
#include <system_error>
#include <vector>

#include "core/io/loader.hpp"

namespace parallax {

/// One input and the file that its result goes to.
struct BatchItem {
    std::string input, output;
};

/// Whether a text has the characters of a pattern (*, ? or [) and names no file.
bool isFilePattern(const std::string& text);

/// Files of a folder with the ending of a known format, in natural order: scan2 before scan10. Hidden ones are left out.
std::vector<std::string> imagesInFolder(const std::string& folder, std::error_code& error);

/// The inputs that some names mean, in their order: a pattern stands for the files that match it, a folder for the DICOM
/// series in and below it and its files of other known formats, without the samples of headers; everything else for itself. Matches are in
/// natural order. Throws Error(input) if a pattern or a folder stands for nothing, Error(cancelled).
std::vector<std::string> expandInputs(const std::vector<std::string>& names, const LoadOptions& options = {});

/// Whether an output has placeholders, and so names a file for each input.
bool isOutputPattern(const std::string& output);

/// Values of the placeholders of an output that do not depend on the input.
struct BatchNames {
    std::string operations;  ///< {op}: "convolve-tonemap"
    std::string backend;     ///< {backend}: "openmp"
};

/// Names the output of each input. {name} is the name of the input without folder and ending, {ext} its ending, {folder} the name of its
/// folder, {number} its place in the list, from 1, with leading zeros. Throws Error(usage) for an unknown placeholder, or if two inputs
/// have the same output or an output is a file of an input.
std::vector<BatchItem> planBatch(const std::vector<std::string>& inputs, const std::string& output, const BatchNames& names);

}  // namespace parallax
