// SPDX-License-Identifier: GPL-3.0-or-later
// Saves images to files.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/image/image.hpp"

namespace parallax {

enum class StoredDepth {
    automatic,  ///< depth of the source if the format has it, else the most precise one
    uint8,
    uint16,
    half,
    float32
};

enum class StoredEncoding {
    automatic,  ///< floats linear; integers sRGB, or the transfer function of the source if the format can store it
    sRgb,
    linear
};

/// Effort to make PNG and .nii.gz files small.
enum class Compression { fast, standard, small };

struct SaveOptions {
    bool overwrite = false;
    StoredDepth depth = StoredDepth::automatic;
    StoredEncoding encoding = StoredEncoding::automatic;
    bool withoutAlpha = false;  ///< saves the colours alone, still multiplied by alpha; for formats with alphaOptional
    Compression compression = Compression::standard;
    /// Copies the patient and study attributes of a DICOM source to DICOM files, and names the source images in them.
    bool keepPatient = false;
    bool regularGrid = false;  ///< resamples a volume with uneven or sheared slices, see regular_grid.hpp; others are saved as they are
    int threads = 0;
    std::string exrCompression = "piz";  ///< none, rle, zips, zip, piz, pxr24, b44, b44a, dwaa, dwab
    std::stop_token stop;
    std::function<void(double)> progress;

    /// Throws Error(cancelled).
    void throwIfStopped() const;
    void report(double fraction) const {
        if (progress) progress(fraction);
    }
};

struct SavableFormat {
    std::string extension, title;  ///< extension "/": a folder with a file for each slice, of a path that ends with a slash
    std::vector<StoredDepth> depths;
    bool linearIntegers = false;  ///< the file can say that its integers are linear light
    bool volumes = false;         ///< for volumes and images of one channel, with geometry; other formats are for images
    bool alphaOptional = false;   ///< alpha may be saved or left out
    bool efforts = false;         ///< SaveOptions::compression has an effect
    bool dicom = false;           ///< SaveOptions::keepPatient has an effect

    bool isFolder() const { return extension == "/"; }
    /// The ending of paths of this format: ".png", or "/".
    std::string ending() const { return isFolder() ? extension : "." + extension; }
};
const std::vector<SavableFormat>& savableFormats();
/// Whether the format holds images of that shape. Whether it has their channels is checked by saveImage().
bool canHold(const SavableFormat& format, const Shape& shape);
/// Files that saving to a path writes: one, or two for raw samples and their description. A folder counts as one.
std::vector<std::string> filesOf(const std::string& path);
/// Encodings that a format offers for a depth: linear for floats, sRGB and perhaps linear for integers. `automatic` counts as an integer
/// only if the format has no floats.
std::vector<StoredEncoding> encodingsOf(const SavableFormat& format, StoredDepth depth);

/// Throws Error(usage) unless the extension can be saved; called before long computations.
void checkSavable(const std::string& path);
/// Also checks the depth and the encoding.
void checkSavable(const std::string& path, const SaveOptions& options);

/// Throws Error(usage) if the format cannot hold images of that shape; called as soon as the shape is known.
void checkHolds(const std::string& path, const Shape& shape);

/// Returns a warning, with advice, if alpha is 0 everywhere, so that a saved picture would look empty; else an empty text. saveImage()
/// returns it among its notes.
std::string noteOnEmptyAlpha(const Image& image);

/// Saves in the format of the extension. Returns sentences on what could not be kept. Throws Error(usage) for a depth or an encoding that
/// the format lacks, Error(output, cancelled).
std::vector<std::string> saveImage(const Image& image, const std::string& path, const SaveOptions& options = {});

}  // namespace parallax
