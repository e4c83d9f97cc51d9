// SPDX-License-Identifier: GPL-3.0-or-later
// Images to files.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "parallax/image/image.hpp"

namespace parallax {

enum class StoredDepth {
    automatic,  ///< that of the source if the format has it, else the most precise of the format
    uint8,
    uint16,
    half,
    float32
};

struct SaveOptions {
    bool overwrite = false;
    StoredDepth depth = StoredDepth::automatic;
    int threads = 0;
    std::string exrCompression = "zip";  ///< none, rle, zips, zip, piz, pxr24, b44, b44a, dwaa, dwab
    std::stop_token stop;
    std::function<void(double)> progress;
};

struct SavableFormat {
    std::string extension, title;
    std::vector<StoredDepth> depths;
};
const std::vector<SavableFormat>& savableFormats();

/// Throws Error(usage) unless the extension is one that can be saved: asked before long work.
void checkSavable(const std::string& path);

/// Format by extension. Integers are encoded with sRGB (or the source's own transfer function), floats stay linear; alpha is
/// stored as the format has it. Returns what could not be kept, as sentences. Throws Error(usage, output, cancelled).
std::vector<std::string> saveImage(const Image& image, const std::string& path, const SaveOptions& options = {});

}  // namespace parallax
