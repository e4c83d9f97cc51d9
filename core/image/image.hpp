// SPDX-License-Identifier: GPL-3.0-or-later
// An image or a volume: samples with names, metadata and provenance. One type, so that every operation meets both.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/image/buffer.hpp"
#include "core/image/geometry.hpp"

namespace parallax {

/// Inclusive pixel rectangle, as OpenEXR's windows.
struct Window {
    std::int64_t minX = 0, minY = 0, maxX = -1, maxY = -1;
    friend bool operator==(const Window&, const Window&) = default;
};

/// One file attribute. `text` is for people; `raw` keeps a typed attribute exactly, so that it survives load and save
/// in the same format (`type` names the type in that format's own terms, as in EXR's "chromaticities").
struct MetadataEntry {
    std::string name;
    std::string type;
    std::string text;
    std::vector<std::uint8_t> raw;
};

/// How the samples of the file relate to the linear light inside.
enum class TransferFunction { linear, sRgb, gamma };

/// A channel as it is stored in the file.
struct StoredChannel {
    std::string name;
    std::string type;  ///< "uint8", "uint16", "half", "float", "uint32", ... ; PNG depths below 8 are "uint1" .. "uint4"
    int samplingX = 1, samplingY = 1;
};

/// Statistics of samples; NaN and infinity are counted apart and left out of min, max and mean.
struct SampleStatistics {
    double min = 0, max = 0, mean = 0;
    std::uint64_t nan = 0, positiveInfinity = 0, negativeInfinity = 0;
    std::uint64_t nonFinite() const { return nan + positiveInfinity + negativeInfinity; }
    /// Largest magnitude of a finite sample.
    double maxAbs() const;
};

/// A range of sample values that a file proposes to be shown, as DICOM's window centre and width.
struct ValueWindow {
    std::string name;  ///< as the file calls it; may be empty
    double centre = 0, width = 1;
};

/// What a DICOM series says about itself. Nothing in it names a person.
struct SeriesInfo {
    std::string uid, modality, description;
    std::int64_t number = 0;
    std::int64_t files = 0;              ///< that were put together
    bool minimumIsWhite = false;         ///< MONOCHROME1: to be shown with small values bright; the samples are as stored
    std::optional<double> padding;       ///< sample value outside of what was scanned, after rescale
    std::uint64_t paddingSamples = 0;    ///< how many have it
    std::vector<double> sliceDistances;  ///< mm along the normal between neighbours
    double tiltDegrees = 0;              ///< between the line of the slices and their normal
};

/// What is known about the file that an image came from.
struct SourceInfo {
    std::string path;    ///< as given by the person; empty for generated and computed images
    std::string format;  ///< "OpenEXR", "PNG", "synthetic", ...
    std::vector<StoredChannel> storedChannels;
    /// Statistics of the samples as stored (after rescale, before colour decoding), in the order of storedChannels.
    std::vector<SampleStatistics> storedStatistics;
    TransferFunction transfer = TransferFunction::linear;
    double gamma = 1.0;                    ///< decoding exponent when transfer == gamma
    bool straightAlpha = false;            ///< the file stores unassociated alpha; inside it is always associated
    std::vector<std::string> parts;        ///< names (or numbers) of all parts; the first one was loaded
    std::vector<std::string> warnings;     ///< sentences for the person
    bool incomplete = false;               ///< damaged file: part of the samples could not be read and are zero
    std::vector<ValueWindow> windows;      ///< proposed by the file, the first is the default
    std::optional<SeriesInfo> series;      ///< of DICOM
    std::int64_t volume = 0, volumes = 1;  ///< of a file with several volumes (times, directions): which one was loaded
    /// Names of the file may tell who a patient is: reports leave them out unless asked.
    bool medical = false;
    /// Who the patient is and where and when: only there when LoadOptions asked for it, and never saved.
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

    /// One name a channel: "R", "G", "B", "A", "Y", "Z", "layer.R", ...; colour order is R, G, B, then A, then the rest.
    const std::vector<std::string>& channelNames() const { return channelNames_; }
    /// Index of the alpha channel (named "A" or ending in ".A"), or -1.
    int alphaChannel() const;

    std::vector<MetadataEntry> metadata;
    SourceInfo source;
    /// EXR windows in pixel space; the samples fill the data window. Absent: both start at (0, 0) and equal the size.
    std::optional<Window> dataWindow, displayWindow;
    double pixelAspectRatio = 1.0;
    std::optional<Geometry> geometry;
    /// One sentence a processing step, oldest first.
    std::vector<std::string> provenance;

    /// Deep copy with everything attached.
    Image clone() const;
    /// Everything attached (names if the channel count fits, metadata, windows, geometry, source), other samples.
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
/// Over all channels together.
SampleStatistics computeStatistics(const Image& image);

}  // namespace parallax
