// SPDX-License-Identifier: GPL-3.0-or-later
// An image or a volume: samples with channel names, metadata and provenance.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/image/buffer.hpp"
#include "core/image/geometry.hpp"

namespace parallax {

/// Inclusive pixel rectangle, like the windows of OpenEXR.
struct Window {
    std::int64_t minX = 0, minY = 0, maxX = -1, maxY = -1;
    friend bool operator==(const Window&, const Window&) = default;
};

/// One file attribute. `text` is shown; `raw` keeps a typed attribute exactly for saving in the same format, where `type` is the type's
/// name in that format ("chromaticities" in EXR).
struct MetadataEntry {
    std::string name;
    std::string type;
    std::string text;
    std::vector<std::uint8_t> raw;
};

/// Encoding of the samples in the file; in memory they are linear light.
enum class TransferFunction { linear, sRgb, gamma };

/// A channel as stored in the file.
struct StoredChannel {
    std::string name;
    std::string type;  ///< "uint8", "uint16", "half", "float", "uint32", ... ; PNG depths below 8 are "uint1" .. "uint4"
    int samplingX = 1, samplingY = 1;
};

/// Statistics of samples. NaN and infinity are counted separately and excluded from min, max and mean.
struct SampleStatistics {
    double min = 0, max = 0, mean = 0;
    std::uint64_t nan = 0, positiveInfinity = 0, negativeInfinity = 0;
    std::uint64_t nonFinite() const { return nan + positiveInfinity + negativeInfinity; }
    /// Largest magnitude of a finite sample.
    double maxAbs() const;
    friend bool operator==(const SampleStatistics&, const SampleStatistics&) = default;
};

/// Display range proposed by a file, such as DICOM's window centre and width.
struct ValueWindow {
    std::string name;  ///< from the file; may be empty
    double centre = 0, width = 1;
};

/// Properties of a DICOM series, without personal data.
struct SeriesInfo {
    std::string uid, modality, description;
    std::int64_t number = 0;
    std::int64_t files = 0;              ///< combined to the volume
    bool minimumIsWhite = false;         ///< MONOCHROME1: small values are shown bright; samples are as stored
    std::optional<double> padding;       ///< sample value outside the scanned area, after rescale
    std::uint64_t paddingSamples = 0;    ///< samples with this value
    std::vector<double> sliceDistances;  ///< mm along the normal between neighbours
    double tiltDegrees = 0;              ///< between the stacking direction of the slices and their normal
};

/// The file that an image was loaded from.
struct SourceInfo {
    std::string path;    ///< as given by the user; empty for generated and computed images
    std::string format;  ///< "OpenEXR", "PNG", "synthetic", ...
    std::vector<StoredChannel> storedChannels;
    /// Statistics of the samples as stored (after rescale, before colour decoding), in the order of storedChannels.
    std::vector<SampleStatistics> storedStatistics;
    TransferFunction transfer = TransferFunction::linear;
    double gamma = 1.0;                    ///< decoding exponent if transfer == gamma
    bool encoded = false;                  ///< colours are codes of the curve instead of light: see encoded_light.hpp
    bool straightAlpha = false;            ///< the file stores unassociated alpha; in memory it is always associated
    std::vector<std::string> parts;        ///< names or numbers of all parts, of which the first was loaded
    std::vector<std::string> warnings;     ///< sentences to show
    bool incomplete = false;               ///< damaged file: samples that could not be read are zero
    std::vector<ValueWindow> windows;      ///< proposed by the file; the first is the default
    std::optional<SeriesInfo> series;      ///< of DICOM
    std::int64_t volume = 0, volumes = 1;  ///< index and number of volumes in the file (times, directions)
    /// File names may identify a patient: reports omit them by default.
    bool medical = false;
    /// Personal data of the patient: only loaded if LoadOptions request it, and never saved.
    std::vector<MetadataEntry> personal;
};

class Image {
public:
    Image() = default;
    explicit Image(Buffer samples, std::vector<std::string> channelNames = {});

    const Shape& shape() const { return samples_.shape(); }
    const Buffer& samples() const { return samples_; }
    Buffer& samples() { return samples_; }
    View<const float> view() const { return samples_.view<float>(); }
    View<float> view() { return samples_.view<float>(); }
    bool isVolume() const { return shape().depth > 1; }

    /// One name for each channel: "R", "G", "B", "A", "Y", "Z", "layer.R", ...; colour order is R, G, B, then A, then the rest.
    const std::vector<std::string>& channelNames() const { return channelNames_; }
    /// Index of the alpha channel (named "A" or ending in ".A"), or -1.
    int alphaChannel() const;

    std::vector<MetadataEntry> metadata;
    SourceInfo source;
    /// EXR windows in pixel space; the samples fill the data window. Absent: both start at (0, 0) and equal the size.
    std::optional<Window> dataWindow, displayWindow;
    double pixelAspectRatio = 1.0;
    std::optional<Geometry> geometry;
    /// One sentence for each processing step, oldest first.
    std::vector<std::string> provenance;

    /// Deep copy of samples and attributes.
    Image clone() const;
    /// Copy of the attributes (channel names if their number fits, metadata, windows, geometry, source) with other samples. A picture of a
    /// volume, with depth 1, has no geometry; values of a picture with other channels have no display ranges.
    Image withSamples(Buffer samples) const;

private:
    Buffer samples_;
    std::vector<std::string> channelNames_;
};

using ImagePtr = std::shared_ptr<const Image>;

/// "Y"; "Y","A"; "R","G","B"; "R","G","B","A"; or "C0".."Cn".
std::vector<std::string> defaultChannelNames(std::int64_t channels);

/// Statistics of one channel of a view, in one pass.
SampleStatistics computeStatistics(View<const float> channel);
/// Statistics over all channels.
SampleStatistics computeStatistics(const Image& image);

}  // namespace parallax
