// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/saver.hpp"

#include <algorithm>
#include <map>

#include "core/engine/operation/operation.hpp"
#include "core/image/encoded_light.hpp"
#include "core/image/error.hpp"
#include "core/image/regular_grid.hpp"
#include "core/io/codec/colour_profile.hpp"
#include "core/io/formats.hpp"
#include "core/io/formats/dicom/dicom_write.hpp"
#include "core/io/formats/input_files.hpp"
#include "core/io/formats/raw/raw.hpp"

namespace parallax {
namespace {

std::string canonicalExtension(const std::string& path) {
    if (path.ends_with('/')) return "/";
    const std::string e = lowerExtension(path);
    return e == "jpeg" ? "jpg" : e == "tiff" ? "tif" : e;
}

/// Returns nothing for an unknown extension.
const SavableFormat* formatOf(const std::string& path) {
    const auto& formats = savableFormats();
    const auto it = std::find_if(formats.begin(), formats.end(),
                                 [extension = canonicalExtension(path)](const SavableFormat& f) { return f.extension == extension; });
    return it == formats.end() ? nullptr : &*it;
}

/// Extensions of the formats that a condition holds for: "exr, png, a folder (NAME/)".
template <class F>
std::string extensionsWhere(F&& holds) {
    std::string list;
    for (const SavableFormat& f : savableFormats())
        if (holds(f)) list += (list.empty() ? "" : ", ") + (f.isFolder() ? "a folder of DICOM images (NAME/)" : f.extension);
    return list;
}

/// Returns the channels that a format of 1 to 4 channels holds, in its order.
std::vector<int> chooseChannels(const Image& image, bool alphaAllowed, const SaveOptions& options, std::vector<std::string>& lost,
                                const std::string& path) {
    const auto& names = image.channelNames();
    const auto find = [&](const char* n) {
        const auto it = std::find(names.begin(), names.end(), n);
        return it == names.end() ? -1 : static_cast<int>(it - names.begin());
    };
    std::vector<int> chosen;
    if (find("R") >= 0 && find("G") >= 0 && find("B") >= 0) chosen = {find("R"), find("G"), find("B")};
    else if (find("Y") >= 0) chosen = {find("Y")};
    else if (names.size() == 1) chosen = {0};
    else if (names.size() == 3) chosen = {0, 1, 2};
    else
        throw Error(ErrorCode::usage, "Cannot save '" + path + "'",
                    "the " + std::to_string(names.size()) + " channels of the image are not colours",
                    "Save it as .exr, which keeps every channel");
    const int alpha = find("A");
    if (alphaAllowed && !options.withoutAlpha && alpha >= 0) {
        chosen.push_back(alpha);
        if (std::string note = noteOnEmptyAlpha(image); !note.empty()) lost.push_back(std::move(note));
    }
    for (int c = 0; c < static_cast<int>(names.size()); ++c)
        if (std::find(chosen.begin(), chosen.end(), c) == chosen.end() && !(options.withoutAlpha && c == alpha))
            lost.push_back("Channel '" + names[static_cast<std::size_t>(c)] + "' was not saved: the format has no place for it");
    return chosen;
}

/// Writers of formats for pictures of 1 to 4 channels.
struct PictureWriter {
    void (*write)(const Image&, const std::vector<int>& channels, AtomicFile&, const SaveOptions&, std::vector<std::string>& notes);
    bool alpha = false, primaries = false;  ///< what the format has
};
const std::map<std::string, PictureWriter>& pictureWriters() {
    static const std::map<std::string, PictureWriter> writers{
        {"png", {writePng, true, true}}, {"tif", {writeTiff, true}}, {"jpg", {writeJpeg}}, {"hdr", {writeRadiance}}, {"pfm", {writePfm}}};
    return writers;
}

void writeFile(const Image& image, const std::string& path, const SaveOptions& options, std::vector<std::string>& lost) {
    const std::string extension = canonicalExtension(path);
    noteLostFacts(image, path, lost);
    if (extension == "raw") return saveRaw(image, path, options);
    if (extension == "/") return writeDicomSeries(image, path, options, lost);
    AtomicFile file(path, options.overwrite);
    if (const auto picture = pictureWriters().find(extension); picture != pictureWriters().end()) {
        const PictureWriter& writer = picture->second;
        if (!writer.primaries && image.shape().channels >= 3 && unusualPrimaries(image))
            lost.emplace_back("The primaries, which differ from those of sRGB, were not saved; EXR and PNG keep them");
        writer.write(image, chooseChannels(image, writer.alpha, options, lost, path), file, options, lost);
    } else if (extension == "dcm") {
        writeDicomImage(image, chooseChannels(image, false, options, lost, path), path, file, options, lost);
    } else if (extension == "exr") {
        writeExr(image, file, options, lost);
    } else if (extension == "nrrd") {
        writeNrrd(image, file, options, lost);
    } else if (extension == "mha") {
        writeMetaImage(image, file, options, lost);
    } else {
        writeNifti(image, file, extension == "nii.gz", options, lost);
    }
    file.commit();
}

}  // namespace

const std::vector<SavableFormat>& savableFormats() {
    using enum StoredDepth;
    static const std::vector<SavableFormat> formats{
        {"exr", "OpenEXR", {automatic, half, float32}},
        {"png", "PNG", {automatic, uint8, uint16}, true, false, true, true},
        {"tif", "TIFF", {automatic, uint8, uint16, float32}, false, false, true},
        {"jpg", "JPEG", {uint8}},
        {"hdr", "Radiance HDR", {float32}},
        {"pfm", "PFM", {float32}},
        {"nii.gz", "NIfTI, compressed", {automatic, float32}, false, true, false, true},
        {"nii", "NIfTI", {automatic, float32}, false, true},
        {"nrrd", "NRRD, compressed", {automatic, float32}, false, true, false, true},
        {"mha", "MetaImage", {automatic, float32}, false, true},
        {"raw", "Raw samples with a description", {float32}, false, true},
        {.extension = "dcm", .title = "DICOM, one image", .depths = {automatic}, .dicom = true},
        {.extension = "/", .title = "DICOM series, a folder", .depths = {automatic}, .volumes = true, .dicom = true}};
    return formats;
}

bool canHold(const SavableFormat& format, const Shape& shape) { return format.volumes ? shape.channels == 1 : shape.depth == 1; }

std::vector<std::string> filesOf(const std::string& path) {
    return canonicalExtension(path) == "raw" ? std::vector{path, rawDescriptionPath(path)} : std::vector{path};
}

void checkHolds(const std::string& path, const Shape& shape) {
    if (const SavableFormat* f = formatOf(path); f && canHold(*f, shape)) return;
    const std::string others = extensionsWhere([&](const SavableFormat& f) { return canHold(f, shape); });
    if (shape.depth > 1 && shape.channels == 1)
        throw Error(ErrorCode::usage, "'" + path + "' cannot hold a volume", "its format is for images", "Save it as " + others);
    throw Error(ErrorCode::usage, "'" + path + "' cannot hold this image",
                "it has " + (shape.depth > 1 ? std::to_string(shape.depth) + " slices of " : std::string()) +
                    std::to_string(shape.channels) + (shape.channels == 1 ? " channel" : " channels") +
                    ", and the format has no place for that",
                others.empty() ? "Save its channels one by one" : "Save it as " + others);
}

std::vector<StoredEncoding> encodingsOf(const SavableFormat& format, StoredDepth depth) {
    const auto isFloat = [](StoredDepth d) { return d == StoredDepth::half || d == StoredDepth::float32; };
    if (isFloat(depth)) return {StoredEncoding::linear};
    if (format.dicom) return {StoredEncoding::automatic};
    const bool floats = std::any_of(format.depths.begin(), format.depths.end(), isFloat);
    if (depth == StoredDepth::automatic && floats) return {StoredEncoding::automatic};
    if (format.linearIntegers) return {StoredEncoding::sRgb, StoredEncoding::linear};
    return {StoredEncoding::sRgb};
}

void checkSavable(const std::string& path) {
    if (formatOf(path)) return;
    throw Error(ErrorCode::usage, "'" + path + "' names no format that can be saved",
                "known extensions are " + extensionsWhere([](const SavableFormat& f) { return !f.isFolder(); }),
                "Give the file one of them, or end the name with a slash for a folder of DICOM images");
}

void checkSavable(const std::string& path, const SaveOptions& options) {
    checkSavable(path);
    const SavableFormat& f = *formatOf(path);
    const auto has = [](const auto& list, auto value) { return std::find(list.begin(), list.end(), value) != list.end(); };
    if (options.depth != StoredDepth::automatic && !has(f.depths, options.depth))
        throw Error(ErrorCode::usage, "Cannot save '" + path + "'", f.title + " does not have that depth",
                    "Leave out --depth, or save images as .exr (float) or .png (integers)");
    if (options.withoutAlpha && !f.alphaOptional)
        throw Error(ErrorCode::usage, "Cannot save '" + path + "' without alpha",
                    f.extension == "exr" ? f.title + " keeps every channel" : f.title + " never has alpha",
                    "Leave out --no-alpha, or save as .png or .tif");
    if (options.compression != Compression::standard && !f.efforts)
        throw Error(ErrorCode::usage, "Cannot save '" + path + "' with that compression", f.title + " has no choice of effort",
                    "Leave out --compression, or save as " + extensionsWhere([](const SavableFormat& other) { return other.efforts; }));
    if (options.keepPatient && !f.dicom)
        throw Error(ErrorCode::usage, "Cannot save '" + path + "' with patient data", f.title + " files are written without them",
                    "Leave out --keep-patient, or save as .dcm or as a folder (NAME/)");
    const auto encodings = encodingsOf(f, options.depth);
    if (options.encoding != StoredEncoding::automatic && !has(encodings, options.encoding))
        throw Error(ErrorCode::usage, "Cannot save '" + path + "' with that encoding",
                    f.title + (encodings.front() == StoredEncoding::linear ? " stores floats as linear light"
                                                                           : " can only say that its integers are sRGB"),
                    "Leave out --encoding, or save integers as .png");
}

std::string noteOnEmptyAlpha(const Image& image) {
    const auto& names = image.channelNames();
    const auto alpha = std::find(names.begin(), names.end(), "A");
    if (alpha == names.end() || names.size() < 2) return {};
    constexpr float kSmallestStored = 0.5F / 65535;  // in 16 bits; smaller values are stored as 0
    const View<const float> v = image.view();
    const auto c = static_cast<std::int64_t>(alpha - names.begin());
    for (std::int64_t z = 0; z < v.shape.depth; ++z)
        for (std::int64_t y = 0; y < v.shape.height; ++y)
            for (std::int64_t x = 0; x < v.shape.width; ++x)
                if (v.at(x, y, z, c) > kSmallestStored) return {};
    return "The picture will look empty, since its alpha is 0 everywhere. Leave alpha out (--no-alpha, \"Leave alpha out\" in the window), "
           "or let the step keep the alpha of the original";
}

void noteLostFacts(const Image& image, const std::string& path, std::vector<std::string>& notes) {
    const std::string extension = canonicalExtension(path);
    if (extension == "exr" || extension == "png" || extension == "raw") return;
    for (const MetadataEntry& e : image.metadata)
        if (e.name.starts_with(kFactPrefix))
            notes.push_back("A fact about the samples was not saved, since the format has no place for it (" + e.name + ": " + e.text +
                            "). Give it to the step that undoes the operation, or save as " + (image.isVolume() ? ".raw" : ".exr"));
}

void SaveOptions::throwIfStopped() const {
    if (stop.stop_requested()) throw Error(ErrorCode::cancelled, "Saving was cancelled");
}

void writeSamples(const Image& image, AtomicFile& file, const SaveOptions& options) {
    constexpr std::size_t kPiece = 8 << 20;
    const auto* const bytes = static_cast<const std::uint8_t*>(image.samples().data());
    const std::size_t all = image.samples().bytes();
    for (std::size_t at = 0; at < all; at += kPiece) {
        options.throwIfStopped();
        options.report(static_cast<double>(at) / static_cast<double>(all));
        file.write(bytes + at, std::min(kPiece, all - at));
    }
}

std::vector<std::string> saveImage(const Image& image, const std::string& path, const SaveOptions& options) {
    checkSavable(path, options);
    checkHolds(path, image.shape());
    checkKeepsInput(image.source.path, path);
    std::vector<std::string> lost;
    try {
        // Files hold light, or codes of it that the writers make; coefficients, which facts describe, are neither.
        const bool coefficients = std::any_of(image.metadata.begin(), image.metadata.end(),
                                              [](const MetadataEntry& e) { return e.name.starts_with(kFactPrefix); });
        if (options.regularGrid && !irregularityOf(image).empty()) {
            const Image regular = onRegularGrid(image, options.stop);
            lost.push_back(regular.provenance.back());
            writeFile(regular, path, options, lost);
        } else if (image.source.encoded && !coefficients) {
            writeFile(withLinearColours(image), path, options, lost);
        } else {
            writeFile(image, path, options, lost);
        }
    } catch (const Error& e) {
        // Code shared with loading says "Loading was cancelled".
        if (e.code() == ErrorCode::cancelled) throw Error(ErrorCode::cancelled, "Saving was cancelled");
        throw;
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::memory, "Cannot save '" + path + "'", "there is not enough memory", "Close other images");
    } catch (const std::exception& e) {
        throw Error(ErrorCode::output, "Cannot write '" + path + "'", e.what(), "Free some space or choose another folder");
    }
    return lost;
}

}  // namespace parallax
