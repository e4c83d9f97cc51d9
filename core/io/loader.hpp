// SPDX-License-Identifier: GPL-3.0-or-later
// Opens files as images. Each format is a Loader; loaders.cpp lists them.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/image/image.hpp"
#include "core/io/limits.hpp"
#include "core/parallel/partition.hpp"

namespace parallax {

struct LoadOptions {
    int threads = 0;  ///< 0: all
    std::stop_token stop;
    std::function<void(double)> progress;  ///< 0 to 1, from the loading thread
    /// Receives the current stage, such as "reading 93 headers", on the loading thread. Short loads have no stages.
    std::function<void(const std::string&)> stage;
    /// Includes data on the patient (SourceInfo::personal) and file names in warnings.
    bool patientData = false;
    std::uint64_t memory = 0;                 ///< bytes that the samples may take; 0: the available memory
    std::uint64_t unpacked = kUnpackedBytes;  ///< bytes of samples that a file of any size may unpack to
    /// Rows of an image or slices of a volume to read, without the others. An empty range reads the description alone: the samples then
    /// have the shape of the file and no memory. Formats that cannot read parts read everything.
    std::optional<PartRange> part{};
    /// Receives the rows of an image from the first to the last, some at a time and on any thread, instead of the returned image, which is
    /// a description then. Only for formats with Loader::inOrder, and files of them whose description was read without samples.
    std::function<void(std::int64_t first, const View<const float>& rows)> rows;
    /// Set by loadImage().
    std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();

    /// Throws Error(cancelled), and Error(input) behind the deadline.
    void throwIfStopped() const;
    void enter(const std::string& what) const {
        if (stage) stage(what);
    }
    void report(double fraction) const {
        if (progress) progress(fraction);
    }
};

/// A file format that can be opened.
struct Loader {
    std::string format;                   ///< "OpenEXR"
    std::vector<std::string> extensions;  ///< lower case, without dot; empty: not supported by this build
    /// Recognises the format by the first bytes (up to 512) or, for formats without a signature, by the name. A recognised file that cannot
    /// be read is reported as damaged, not as unknown.
    bool (*recognises)(std::span<const std::uint8_t> head, const std::string& path);
    /// `choice`: the text after '#', which names one of several images; may be empty. Throws Error(input), Error(memory) or
    /// Error(cancelled).
    Image (*load)(const std::string& path, const std::string& choice, const LoadOptions& options);
    bool several = false;  ///< files may hold several images; `choice` is empty for other formats
    bool inOrder = false;  ///< hands out rows in order (LoadOptions::rows), since parts cannot be read alone
};

/// All loaders, in the order in which they are tried.
const std::vector<Loader>& loaders();

/// Loads a file, or the DICOM series of a folder. FOLDER#SERIES selects a series by its number or the beginning of its UID, FILE#N a volume
/// or page from 0. Throws Error(input) if the input is missing, empty, unknown, damaged or unsupported, or holds several series and none is
/// selected (the error lists them).
Image loadImage(const std::string& path, const LoadOptions& options = {});

/// Opens an input of the command line: a file, a folder, a generated image ("synthetic:...") or raw samples ("raw:...", see raw.hpp).
Image openInput(const std::string& input, const LoadOptions& options = {});

/// A path split at its last '#', unless a file with the whole name exists.
struct ChosenPath {
    std::string path, choice;  ///< choice: text after '#', may be empty
};
ChosenPath splitChoice(const std::string& path);

/// A DICOM series in a folder.
struct SeriesSummary {
    std::string input;        ///< opens it: "folder#3"
    std::string middleSlice;  ///< file of the slice in the middle, to preview it
    std::string id;           ///< "3", "3b"
    std::string modality;     ///< "CT"; may be empty
    std::string
        description;  ///< of the file, and its difference from other volumes of the same series; may be empty, never names the patient
    std::int64_t width = 0, height = 0, slices = 0;
    std::array<double, 3> spacing{1, 1, 1};  ///< mm
    std::vector<std::string> warnings;       ///< sentences without names of files
};
/// Quick check for a DICOM file among the first entries of a folder and its subfolders.
bool mayHoldSeries(const std::string& folder);
/// Lists the DICOM series below a folder.
std::vector<SeriesSummary> listSeries(const std::string& folder, const LoadOptions& options = {});

/// Extension of a path in lower case, without dot; "nii.gz" counts as one.
std::string lowerExtension(const std::string& path);

}  // namespace parallax
