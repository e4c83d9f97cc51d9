// SPDX-License-Identifier: GPL-3.0-or-later
// DICOM files and folders.
#pragma once

#include <string>
#include <vector>

#include "core/io/codec/parallel_tasks.hpp"
#include "core/io/formats/dicom/dicom_series.hpp"
#include "core/io/loader.hpp"

namespace parallax {

/// Contents of a folder and its subfolders (links to folders are not followed).
struct DicomFolder {
    std::vector<DicomSeries> series;
    std::uint64_t closedFolders = 0;   ///< subfolders without read permission
    std::uint64_t otherFiles = 0;      ///< not DICOM, or DICOM without an image
    std::uint64_t unusable = 0;        ///< DICOM images that cannot be read
    std::vector<std::string> reasons;  ///< each reason once; with file names only if patient data were requested
    std::string firstUnusable;         ///< path of the first one
};

/// Reads the headers, on several threads. Throws Error(cancelled), or Error(input) if the folder cannot be read.
DicomFolder scanDicomFolder(const std::string& folder, const LoadOptions& options, ProgressRange range = {});

/// Adds warnings on files that were left out.
void noteUnusable(const DicomFolder& folder, std::vector<std::string>& warnings);

/// Loads a series of a folder; without DICOM files, the volume of its only header (.nhdr, .mhd). Throws Error(input) if there is none, if
/// there are several and none is chosen, or if it is damaged; Error(memory), Error(cancelled).
Image loadDicomFolder(const std::string& folder, const std::string& choice, const LoadOptions& options);

/// Reads the headers of the volume that `input` (FILE, FILE#N, FOLDER or FOLDER#SERIES) names. Throws as loadImage() does.
DicomSeries findDicomSeries(const std::string& input, const LoadOptions& options);

/// Loads the samples of a series as a volume with its metadata.
Image loadDicomSeries(const std::string& path, const DicomSeries& series, const LoadOptions& options, ProgressRange range = {});

}  // namespace parallax
