// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/formats/dicom/dicom.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <optional>
#include <utility>

#include "core/image/error.hpp"
#include "core/image/orientation.hpp"
#include "core/io/codec/byte_source.hpp"
#include "core/io/formats.hpp"
#include "core/io/formats/dicom/dicom_colour.hpp"
#include "core/io/formats/dicom/dicom_frames.hpp"
#include "core/io/limits.hpp"
#include "core/io/sample_budget.hpp"

namespace parallax {
namespace {

namespace fs = std::filesystem;

/// Technical attributes for the metadata panel. None of them identifies a person.
constexpr DicomAttribute kTechnical[] = {{0x00080060, "Modality"},
                                         {0x00080070, "Manufacturer"},
                                         {0x00080008, "ImageType"},
                                         {0x00180060, "KVP"},
                                         {0x00180050, "SliceThickness"},
                                         {0x00181210, "ConvolutionKernel"},
                                         {0x00181120, "GantryDetectorTilt"},
                                         {0x00185100, "PatientPosition"},
                                         {0x00280004, "PhotometricInterpretation"}};

std::string numberText(double v) {
    std::string text = std::to_string(v);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
}

void addMetadata(Image& image, const DicomSeries& series) {
    const DicomSlice& first = series.slices.front();
    const auto add = [&](const char* name, const std::string& text) {
        if (!text.empty()) image.metadata.push_back({name, "string", text, {}});
    };
    for (const DicomAttribute& a : kTechnical) add(a.keyword, first.header.utf8(a.tag));
    add("SeriesNumber", std::to_string(series.info.number));
    add("TransferSyntax", nameOfTransferSyntax(first.header.transferSyntax()));
    add("BitsStored", std::to_string(first.bitsStored));
    const bool one =
        std::all_of(series.slices.begin(), series.slices.end(), [&](const DicomSlice& s) { return s.rescale == first.rescale; });
    add("RescaleSlope", one ? numberText(first.rescale.slope) : "differs between slices");
    add("RescaleIntercept", one ? numberText(first.rescale.intercept) : "differs between slices");
    if (image.source.series->padding) add("PixelPaddingValue", numberText(*image.source.series->padding));
}

void addPersonal(Image& image, const DicomHeader& header) {
    for (const DicomAttribute& a : personalAttributes())
        if (const std::string text = header.utf8(a.tag); !text.empty()) image.source.personal.push_back({a.keyword, "string", text, {}});
}

/// Loads a colour image.
Image loadColours(const std::string& path, const DicomSeries& series, std::uint64_t fileBytes, bool plain, const LoadOptions& options) {
    const DicomSlice& slice = series.slices.front();
    const Shape shape{slice.width, slice.height, 1, 3};
    checkHeld(path, shape, fileBytes, plain ? kDeflateRatio : kStrongRatio);
    checkAffordable(path, shape, fileBytes, options);
    options.enter("reading an image");
    Image image = readDicomColours(slice, options);
    image.source.path = path;
    image.source.series = series.info;
    image.source.warnings = series.warnings;
    if (slice.header.has(0x00282000)) image.source.warnings.emplace_back("The colour profile of the file was not applied");
    addMetadata(image, series);
    if (options.patientData) addPersonal(image, slice.header);
    return image;
}

/// A file of several frames may hold several volumes.
Image load(const std::string& path, const std::string& choice, const LoadOptions& options) {
    const std::vector<DicomSeries> volumes = sortIntoSeries(readDicomSlices(path, options));
    const auto n = static_cast<std::int64_t>(volumes.size());
    const std::int64_t chosen = chosenVolume(path, choice, n);
    Image image = loadDicomSeries(path, volumes[static_cast<std::size_t>(chosen)], options);
    noteVolume(image, chosen, n, choice, volumes.front().slices.front().isColour() ? "frames" : "volumes");
    return image;
}

/// Lists the files below a folder. `closed` counts subfolders without read permission.
std::vector<std::string> filesBelow(const std::string& folder, const LoadOptions& options, std::uint64_t& closed) {
    std::vector<std::string> files;
    std::uint64_t entries = 0;
    std::error_code error;
    (void)fs::directory_iterator(folder,
                                 error);  // fails for a folder without read permission, which the recursive iterator takes for an empty one
    fs::recursive_directory_iterator it;
    if (!error) it = fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied, error);
    if (error) refuseFile(folder, error.message(), "Check its permissions");
    for (const fs::recursive_directory_iterator end; it != end; it.increment(error)) {
        if (error) break;  // a folder was removed meanwhile
        options.throwIfStopped();
        if (files.size() > kMaxFolderFiles)
            refuseFile(folder, "it holds more than " + std::to_string(kMaxFolderFiles) + " files", "Choose one of its subfolders");
        if (++entries % 1000 == 0) {
            options.enter("looking for files (" + std::to_string(files.size()) + ")");
            options.report(0);
        }
        // Deeper folders are none of a series, and links of some file systems lead in circles.
        if (it.depth() >= kMaxFolderDepth) it.disable_recursion_pending();
        std::error_code unknown;
        if (it->is_regular_file(unknown) && !unknown) files.push_back(it->path().string());
        else if (it->is_directory(unknown) && !unknown && ::access(it->path().c_str(), R_OK | X_OK) != 0) ++closed;
    }
    std::sort(files.begin(), files.end());
    return files;
}

/// The header of a volume (.nhdr, .mhd) in a folder, if there is one only.
std::string onlyHeader(const std::string& folder) {
    std::string found;
    std::error_code error;
    std::size_t entries = 0;
    for (fs::directory_iterator it(folder, error); !error && it != fs::directory_iterator() && ++entries <= kMaxFolderFiles;
         it.increment(error)) {
        if (!hasExtension(it->path().string(), {"nhdr", "mhd"})) continue;
        if (!found.empty()) return {};
        found = it->path().string();
    }
    return found;
}

/// Result of scanning one file.
struct Scanned {
    std::vector<DicomSlice> slices;  ///< one for each frame
    std::string reason;              ///< why an image cannot be used
};

Scanned scanFile(const std::string& path, const LoadOptions& options) {
    Scanned result;
    try {
        std::array<std::uint8_t, 144> head{};
        const std::size_t n = ByteSource(path).read(0, head.data(), head.size());
        if (n == 0 && lowerExtension(path) == "dcm") result.reason = "the file is empty";
        if (!DicomHeader::recognises({head.data(), n})) return result;
        result.slices = readDicomSlices(path, options);
    } catch (const Error& e) {
        if (e.code() == ErrorCode::cancelled) throw;
        // Folders often hold indexes, plans and reports.
        if (e.why().find("holds no image") == std::string::npos && e.why().find("an index of other files") == std::string::npos)
            result.reason = e.why().empty() ? e.summary() : e.why();
    } catch (const std::bad_alloc&) {
        result.reason = "there is not enough memory";
    }
    return result;
}

}  // namespace

Loader dicomLoader() {
    return {"DICOM",
            {"dcm", "ima"},
            [](std::span<const std::uint8_t> head, const std::string& path) {
                return DicomHeader::recognises(head) || hasExtension(path, {"dcm"}) || fs::path(path).filename() == "DICOMDIR";
            },
            load,
            true};
}

DicomFolder scanDicomFolder(const std::string& folder, const LoadOptions& options, ProgressRange range) {
    options.enter("looking for files");
    std::uint64_t closed = 0;
    const std::vector<std::string> files = filesBelow(folder, options, closed);
    options.enter("reading " + std::to_string(files.size()) + " headers");
    std::vector<Scanned> scanned(files.size());
    runTasks(static_cast<std::int64_t>(files.size()), options, range,
             [&](std::int64_t i) { scanned[static_cast<std::size_t>(i)] = scanFile(files[static_cast<std::size_t>(i)], options); });
    DicomFolder found;
    std::vector<DicomSlice> slices;
    for (std::size_t i = 0; i < files.size(); ++i) {
        Scanned& s = scanned[i];
        if (!s.slices.empty()) {
            std::move(s.slices.begin(), s.slices.end(), std::back_inserter(slices));
        } else if (s.reason.empty()) {
            ++found.otherFiles;
        } else {
            if (found.unusable++ == 0) found.firstUnusable = files[i];
            const std::string reason = options.patientData ? files[i] + ": " + s.reason : s.reason;
            if (std::find(found.reasons.begin(), found.reasons.end(), reason) == found.reasons.end()) found.reasons.push_back(reason);
        }
    }
    found.closedFolders = closed;
    found.series = sortIntoSeries(std::move(slices));
    return found;
}

void noteUnusable(const DicomFolder& folder, std::vector<std::string>& warnings) {
    if (folder.closedFolders > 0)
        warnings.push_back(std::to_string(folder.closedFolders) + (folder.closedFolders == 1 ? " subfolder was" : " subfolders were") +
                           " skipped for lack of read permission; images may be missing");
    if (folder.unusable == 0) return;
    std::string reasons;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, folder.reasons.size()); ++i) reasons += (i ? "; " : "") + folder.reasons[i];
    warnings.push_back(std::to_string(folder.unusable) + (folder.unusable == 1 ? " DICOM file" : " DICOM files") +
                       " of the folder cannot be read; images may be missing: " + reasons);
}

Image loadDicomFolder(const std::string& folder, const std::string& choice, const LoadOptions& options) {
    DicomFolder found = scanDicomFolder(folder, options, {0, 0.15});
    if (found.series.empty()) {
        if (found.unusable > 0)
            throw Error(ErrorCode::input, "Cannot open '" + folder + "'",
                        std::to_string(found.unusable) +
                            (found.unusable == 1 ? " DICOM image is unusable; '" : " DICOM images are unusable; '") + found.firstUnusable +
                            "': " + found.reasons.front());
        if (const std::string header = onlyHeader(folder); !header.empty() && choice.empty()) return loadImage(header, options);
        refuseFile(
            folder,
            found.otherFiles > 0 ? "none of its " + std::to_string(found.otherFiles) + " files is a DICOM image" : "the folder is empty",
            "Give an image file, or a folder with a DICOM series");
    }
    DicomSeries& series = chooseSeries(found.series, choice, folder);
    noteUnusable(found, series.warnings);
    return loadDicomSeries(found.series.size() > 1 ? folder + "#" + series.id : folder, series, options, {0.15, 1});
}

DicomSeries findDicomSeries(const std::string& input, const LoadOptions& options) {
    const auto [path, choice] = splitChoice(input);
    if (fs::is_directory(path)) {
        DicomFolder found = scanDicomFolder(path, options);
        return std::move(chooseSeries(found.series, choice, path));
    }
    std::vector<DicomSeries> volumes = sortIntoSeries(readDicomSlices(path, options));
    return std::move(volumes[static_cast<std::size_t>(chosenVolume(path, choice, static_cast<std::int64_t>(volumes.size())))]);
}

Image loadDicomSeries(const std::string& path, const DicomSeries& series, const LoadOptions& options, ProgressRange range) {
    const DicomSlice& first = series.slices.front();
    const auto depth = static_cast<std::int64_t>(series.slices.size());
    const Shape shape{first.width, first.height, depth, 1};
    std::uint64_t fileBytes = 0;
    bool plain = true;
    for (const DicomSlice& s : series.slices) {
        checkDicomLength(s);
        fileBytes += s.frames > 1 ? std::max<std::uint64_t>(1, s.part.length) : s.header.pixels()->length;
        plain = plain && isUncompressed(s.header.transferSyntax());
    }
    if (first.isColour()) return loadColours(path, series, fileBytes, plain, options);
    // A single slice is not divided.
    const std::optional<PartRange> part = depth > 1 ? options.part : std::nullopt;
    checkHeld(path, shape, fileBytes, plain ? kDeflateRatio : kStrongRatio);
    checkAffordable(path, shapeToRead(shape, part), fileBytes, options);
    options.enter("reading " + std::to_string(depth) + (depth == 1 ? " slice" : " slices"));

    Image image{sampleBuffer(shape, part)};
    const View<float> v = image.view();
    const bool described = image.samples().empty();
    const std::int64_t firstSlice = part ? part->first : 0, slices = described ? 0 : v.shape.depth;
    std::vector<SampleStatistics> statistics(static_cast<std::size_t>(slices));
    std::vector<SampleCounts> counts(statistics.size());
    runTasks(slices, options, range, [&](std::int64_t z) {
        const auto i = static_cast<std::size_t>(z);
        float* const to = v.row(0, z);
        counts[i] = readDicomSamples(series.slices[static_cast<std::size_t>(firstSlice + z)], to, options);
        statistics[i] = computeStatistics(denseView<const float>(to, {shape.width, shape.height, 1, 1}));
    });
    StatisticsSum sum;
    std::uint64_t inexact = 0;
    image.source.series = series.info;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        sum.add(statistics[i], static_cast<std::uint64_t>(shape.width * shape.height));
        image.source.series->paddingSamples += counts[i].padding;
        inexact += counts[i].inexact;
    }
    image.source.path = path;
    image.source.format = "DICOM";
    image.source.windows = first.windows;
    image.source.medical = true;
    image.source.warnings = series.warnings;
    describeStored(image, storedTypeOf(first), sum.result(), inexact);
    if (described) image.source.storedStatistics.clear();
    if (first.header.has(0x00283000)) image.source.warnings.emplace_back("The modality LUT of the file was not applied");
    image.geometry = series.geometry;
    if (!series.slices.front().orientation) setOrientationUnknown(image);
    addMetadata(image, series);
    if (options.patientData) addPersonal(image, first.header);
    return image;
}

bool mayHoldSeries(const std::string& folder) {
    std::error_code error;
    fs::recursive_directory_iterator it(folder, fs::directory_options::skip_permission_denied, error);
    int entries = 0;
    for (const fs::recursive_directory_iterator end; !error && it != end && entries < 100; it.increment(error), ++entries) {
        std::error_code unknown;
        if (!it->is_regular_file(unknown) || unknown) continue;
        try {
            std::array<std::uint8_t, 132> head{};
            if (ByteSource(it->path().string()).read(0, head.data(), head.size()) == head.size() && startsWith(head, "DICM", 128))
                return true;
        } catch (const Error&) {
            // Other files may be readable.
        }
    }
    return false;
}

std::vector<SeriesSummary> listSeries(const std::string& folder, const LoadOptions& options) {
    std::vector<SeriesSummary> list;
    const DicomFolder found = scanDicomFolder(folder, options);
    for (const DicomSeries& s : found.series) {
        const DicomSlice& middle = s.slices[s.slices.size() / 2];
        std::string description = s.info.description;
        if (!s.detail.empty()) description += description.empty() ? s.detail : " (" + s.detail + ")";
        list.push_back({.input = found.series.size() > 1 ? folder + "#" + s.id : folder,
                        .middleSlice = middle.path,
                        .id = s.id,
                        .modality = s.info.modality,
                        .description = std::move(description),
                        .width = middle.width,
                        .height = middle.height,
                        .slices = static_cast<std::int64_t>(s.slices.size()),
                        .spacing = s.geometry.spacing,
                        .warnings = s.warnings});
    }
    return list;
}

}  // namespace parallax
