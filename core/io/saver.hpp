// SPDX-License-Identifier: GPL-3.0-or-later
// Images to files.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/image/image.hpp"

namespace parallax {

enum class StoredDepth {
    automatic,  ///< that of the source if the format has it, else the most precise of the format
    uint8,
    uint16,
    half,
    float32
};

enum class StoredEncoding {
    automatic,  ///< floats linear; integers sRGB or, where the format can name it, the source's own transfer function
    sRgb,
    linear
};

struct SaveOptions {
    bool overwrite = false;
    StoredDepth depth = StoredDepth::automatic;
    StoredEncoding encoding = StoredEncoding::automatic;
    bool withoutAlpha = false;  ///< keep the colours alone, as they are beside the alpha; for formats that say so
    int threads = 0;
    std::string exrCompression = "zip";  ///< none, rle, zips, zip, piz, pxr24, b44, b44a, dwaa, dwab
    std::stop_token stop;
    std::function<void(double)> progress;
};

struct SavableFormat {
    std::string extension, title;
    std::vector<StoredDepth> depths;
    bool linearIntegers = false;  ///< can say in the file that integers are linear light; else readers take them for sRGB
    bool volumes = false;         ///< for samples of one channel, volumes or not, with their geometry; the others are for images
    bool alphaOptional = false;   ///< may hold alpha, and may leave it out
};
const std::vector<SavableFormat>& savableFormats();
/// Can a file of the format hold an image of that shape? Its channels may still be none that the format has.
bool canHold(const SavableFormat& format, const Shape& shape);
/// The files that saving to a path writes: one, or two for raw samples and their description.
std::vector<std::string> filesOf(const std::string& path);
/// Encodings that a format offers for a depth: floats are linear, integers sRGB and perhaps linear. `automatic` counts as an integer only
/// if the format has no floats.
std::vector<StoredEncoding> encodingsOf(const SavableFormat& format, StoredDepth depth);

/// Throws Error(usage) unless the extension is one that can be saved: asked before long work.
void checkSavable(const std::string& path);
/// The same, also of the depth and the encoding.
void checkSavable(const std::string& path, const SaveOptions& options);

/// Throws Error(usage) when the format, named by the extension, is none for images of that shape: asked as soon as it is known.
void checkHolds(const std::string& path, const Shape& shape);

/// Returns a warning if the alpha of the image is 0 everywhere, so that a picture would look empty; else an empty text. saveImage() gives
/// it, too.
std::string noteOnEmptyAlpha(const Image& image);

/// Format by extension. Alpha is stored as the format has it. Returns what could not be kept, as sentences. Throws
/// Error(usage) for a depth or an encoding that the format does not have, Error(output, cancelled).
std::vector<std::string> saveImage(const Image& image, const std::string& path, const SaveOptions& options = {});

}  // namespace parallax
