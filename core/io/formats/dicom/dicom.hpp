// SPDX-License-Identifier: GPL-3.0-or-later
// DICOM files and folders.
#pragma once

#include <string>
#include <vector>

#include "core/io/codec/parallel_tasks.hpp"
#include "core/io/formats/dicom/dicom_series.hpp"
#include "core/io/loader.hpp"

namespace parallax {

/// What lies below a folder, in subfolders too (links to folders are not followed).
struct DicomFolder {
    std::vector<DicomSeries> series;
    std::uint64_t closedFolders = 0;   ///< within, that may not be read
    std::uint64_t otherFiles = 0;      ///< that are no DICOM, or DICOM without an image
    std::uint64_t unusable = 0;        ///< DICOM images that cannot be read
    std::vector<std::string> reasons;  ///< why, each reason once; without names of files unless patient data were asked for
    std::string firstUnusable;         ///< its path
};

/// Reads the headers, on several threads. Throws Error(cancelled), or Error(input) if the folder cannot be read.
DicomFolder scanDicomFolder(const std::string& folder, const LoadOptions& options, ProgressRange range = {});

/// The sentence for what had to be left out, if there is any.
void noteUnusable(const DicomFolder& folder, std::vector<std::string>& warnings);

/// A series of a folder. Throws Error(input): none, several and none chosen, damaged; Error(memory), Error(cancelled).
Image loadDicomFolder(const std::string& folder, const std::string& choice, const LoadOptions& options);

/// The samples of a series as a volume, with everything known about it.
Image loadDicomSeries(const std::string& path, const DicomSeries& series, const LoadOptions& options, ProgressRange range = {});

}  // namespace parallax
