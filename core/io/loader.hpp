// SPDX-License-Identifier: GPL-3.0-or-later
// Files to images. Formats are equal doors behind one interface; loaders.cpp lists them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/image/image.hpp"

namespace parallax {

struct LoadOptions {
    int threads = 0;  ///< 0: all
    std::stop_token stop;
    std::function<void(double)> progress;  ///< 0 to 1, from the loading thread
    /// What is being done now, as in "reading 93 headers"; from the loading thread. Short work has no stages.
    std::function<void(const std::string&)> stage;
    /// Also who the patient is (SourceInfo::personal), and names of files in warnings.
    bool patientData = false;

    void throwIfStopped() const;
    void enter(const std::string& what) const {
        if (stage) stage(what);
    }
    void report(double fraction) const {
        if (progress) progress(fraction);
    }
};

class Loader {
public:
    virtual ~Loader() = default;
    virtual std::string format() const = 0;                   ///< "OpenEXR"
    virtual std::vector<std::string> extensions() const = 0;  ///< lower case, without dot
    /// Is it this format, by its first bytes (up to 512) or, for formats without a signature, by its name? A file that is
    /// recognised and then cannot be read is damaged, not "of an unknown format".
    virtual bool recognises(std::span<const std::uint8_t> head, const std::string& path) const = 0;
    /// Throws Error(input), Error(memory) or Error(cancelled).
    virtual Image load(const std::string& path, const LoadOptions& options) const = 0;
    /// One of several images in the file, by what follows the '#'. Formats of one image refuse.
    virtual Image loadChosen(const std::string& path, const std::string& choice, const LoadOptions& options) const;
};

/// In the order in which they are asked.
const std::vector<std::unique_ptr<Loader>>& loaders();

/// What can be opened, for file dialogs and documentation.
struct LoadableFormat {
    std::string title;
    std::vector<std::string> extensions;
};
std::vector<LoadableFormat> loadableFormats();

/// Loads a file, or the DICOM series of a folder. After a '#' stands which of several: FOLDER#SERIES takes a series by its number or by
/// the beginning of its UID, FILE#N a volume of a four-dimensional file, from 0. Throws Error(input) with what, why and what to do:
/// missing, empty, unknown, damaged, unsupported, or several series of which none was chosen, which it lists.
Image loadImage(const std::string& path, const LoadOptions& options = {});

/// Loads a file or a folder, makes a generated image ("synthetic:..."), or reads raw samples ("raw:...", see raw.hpp): what IN means
/// on the command line.
Image openInput(const std::string& input, const LoadOptions& options = {});

/// A path taken apart at its last '#', unless something of the whole name exists.
struct ChosenPath {
    std::string path, choice;  ///< choice: what follows the '#'; empty: none
};
ChosenPath splitChoice(const std::string& path);

/// Of what can be opened in a folder: one a DICOM series.
struct SeriesSummary {
    std::string input;  ///< opens it: "folder#3"
    std::string title;  ///< "3: CT, 512 x 512 x 28, 5 mm, Head"
    std::int64_t slices = 0;
};
/// Is there a DICOM file among the first entries of a folder and its subfolders? Looks at few of them, and is quick.
bool mayHoldSeries(const std::string& folder);
/// The DICOM series below a folder. Empty if there are none.
std::vector<SeriesSummary> listSeries(const std::string& folder, const LoadOptions& options = {});

/// Extension of a path in lower case, without dot; "nii.gz" and the like are one.
std::string lowerExtension(const std::string& path);

}  // namespace parallax
