// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "parallax/image/image.hpp"
#include "parallax/io/atomic_file.hpp"
#include "parallax/io/saver.hpp"

namespace parallax {

void writePng(const Image& image, const std::vector<int>& channels, AtomicFile& file, const SaveOptions& options);

/// Linear light of every stored value 0 .. maximum.
std::vector<float> decodingTable(TransferFunction transfer, double gamma, int maximum);
/// Stored value of a linear sample: the inverse of the table.
int encodeSample(double linear, TransferFunction transfer, double gamma, int maximum);

}  // namespace parallax
