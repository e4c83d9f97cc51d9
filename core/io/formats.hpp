// SPDX-License-Identifier: GPL-3.0-or-later
// Entry points of the formats, for loaders.cpp and saver.cpp, and what readers share.
#pragma once

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/atomic_file.hpp"
#include "core/io/loader.hpp"
#include "core/io/refuse.hpp"
#include "core/io/saver.hpp"

namespace parallax {

Loader exrLoader();
Loader pngLoader();
Loader radianceLoader();
Loader pfmLoader();
Loader tiffLoader();
Loader openCvLoader();
Loader dicomLoader();
Loader niftiLoader();
Loader nrrdLoader();
Loader metaImageLoader();
Loader rawLoader();

/// Whether this build supports NIfTI, and the reason if not.
bool hasNifti();
std::string whyNoNifti();

// Writers add to `notes` what could not be kept. `channels`: Y or R, G, B; PNG and TIFF also with alpha last.
void writePng(const Image& image, const std::vector<int>& channels, AtomicFile& file, const SaveOptions& options,
              std::vector<std::string>& notes);
/// LZW in strips; a BigTIFF where 32-bit offsets may not suffice. Alpha is unassociated beside integers and associated beside floats.
void writeTiff(const Image& image, const std::vector<int>& channels, AtomicFile& file, const SaveOptions& options,
               std::vector<std::string>& notes);
void writeJpeg(const Image& image, const std::vector<int>& channels, AtomicFile& file, const SaveOptions& options,
               std::vector<std::string>& notes);
void writeRadiance(const Image& image, const std::vector<int>& channels, AtomicFile& file, const SaveOptions& options,
                   std::vector<std::string>& notes);
void writePfm(const Image& image, const std::vector<int>& channels, AtomicFile& file, const SaveOptions& options,
              std::vector<std::string>& notes);
void writeExr(const Image& image, AtomicFile& file, const SaveOptions& options, std::vector<std::string>& notes);
/// Writes the samples and the geometry (RAS, mm) with NIfTI-1, or -2 where a side has more than 32767 samples. The samples are float32, or
/// 16-bit integers if the depth is automatic, the source had integers of at most 16 bits and all samples are such numbers. Geometries are
/// rounded to NIfTI-1's float32. Throws Error(usage) for images of several channels.
void writeNifti(const Image& image, AtomicFile& file, bool compressed, const SaveOptions& options, std::vector<std::string>& notes);
/// Writes the samples as writeNifti() does, compressed by gzip, with the geometry in LPS.
void writeNrrd(const Image& image, AtomicFile& file, const SaveOptions& options, std::vector<std::string>& notes);
/// Writes header and samples, as writeNifti() chooses them, to one file.
void writeMetaImage(const Image& image, AtomicFile& file, const SaveOptions& options, std::vector<std::string>& notes);
/// What writeNifti() is made of, for writing parts of a volume.
enum class NiftiType : std::uint8_t { float32, int16, uint16 };
/// Types to choose from: the first one that holds all samples (storeNifti()).
std::vector<NiftiType> niftiTypes(const Image& image, const SaveOptions& options);
/// The bytes before the samples. Needs no samples.
std::vector<std::uint8_t> niftiHeader(const Image& image, NiftiType type, std::vector<std::string>& notes);
/// Converts samples; returns whether all of them are numbers of the type.
bool storeNifti(NiftiType type, const float* in, std::size_t count, void* out);
/// Notes facts that a format has no place for.
void noteLostFacts(const Image& image, const std::string& path, std::vector<std::string>& notes);
/// Writes the samples of an image as they are in memory. Throws Error(output, cancelled).
void writeSamples(const Image& image, AtomicFile& file, const SaveOptions& options);

inline bool startsWith(std::span<const std::uint8_t> bytes, std::string_view text, std::size_t at = 0) {
    return bytes.size() >= at + text.size() && std::memcmp(bytes.data() + at, text.data(), text.size()) == 0;
}
/// The extension is as lowerExtension() gives it.
bool hasExtension(const std::string& path, std::initializer_list<std::string_view> extensions);

/// Index of the volume that `choice`, the text after '#', names; 0 if it is empty. Throws Error(input) for an index out of range.
std::int64_t chosenVolume(const std::string& path, const std::string& choice, std::int64_t volumes, const std::string& what = "volume");
/// Sets SourceInfo::volume and volumes, and warns if there are several and `choice` is empty. `what`: "volumes", "pages".
void noteVolume(Image& image, std::int64_t chosen, std::int64_t volumes, const std::string& choice, const char* what = "volumes");
/// Sets type and statistics of the channels of an image that was stored as float.
void describeAsFloat(Image& image, const std::string& format);

}  // namespace parallax
