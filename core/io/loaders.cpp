// SPDX-License-Identifier: GPL-3.0-or-later
// The list of file formats, one line each.
#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "core/image/error.hpp"
#include "core/image/synthetic.hpp"
#include "core/io/formats.hpp"
#include "core/io/formats/dicom/dicom.hpp"
#include "core/io/formats/raw/raw.hpp"
#include "core/io/refuse.hpp"

namespace parallax {
namespace {

namespace fs = std::filesystem;

std::string hexOf(std::span<const std::uint8_t> head) {
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(head.size(), 8); ++i) {
        if (i) text += ' ';
        text += kDigits[head[i] >> 4];
        text += kDigits[head[i] & 15];
    }
    return text;
}

/// Returns the bytes that identify the format.
std::vector<std::uint8_t> headOf(const std::string& path) {
    std::vector<std::uint8_t> head(512);
    std::ifstream file(path, std::ios::binary);
    if (!file) refuseFile(path, std::strerror(errno), "Check its permissions");
    file.read(reinterpret_cast<char*>(head.data()), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
    if (head.empty()) refuseFile(path, "the file is empty");
    return head;
}

}  // namespace

const std::vector<std::unique_ptr<Loader>>& loaders() {
    static const std::vector<std::unique_ptr<Loader>> list = [] {
        std::vector<std::unique_ptr<Loader>> l;
        l.push_back(makeExrLoader());        // signature of four bytes
        l.push_back(makePngLoader());        // signature of eight bytes; by name if that is damaged
        l.push_back(makeDicomLoader());      // "DICM" after 128 arbitrary bytes
        l.push_back(makeTiffLoader());       // signature of four bytes, which the preamble of DICOM may hold too
        l.push_back(makeNiftiLoader());      // a signature in the header, or the name of a compressed file
        l.push_back(makeNrrdLoader());       // "NRRD"
        l.push_back(makeMetaImageLoader());  // first word of the header
        l.push_back(makeRadianceLoader());   // "#?", which texts may begin with: after the formats with longer signatures
        l.push_back(makeRawLoader());        // JSON file with our schema, or by name
        l.push_back(makePfmLoader());        // "PF" or "Pf" and a blank
        l.push_back(makeOpenCvLoader());     // several formats, some with short signatures: last
        return l;
    }();
    return list;
}

std::vector<LoadableFormat> loadableFormats() {
    std::vector<LoadableFormat> formats;
    for (const auto& loader : loaders())
        if (!loader->extensions().empty()) formats.push_back({loader->format(), loader->extensions()});
    return formats;
}

void LoadOptions::throwIfStopped() const {
    if (stop.stop_requested()) throw Error(ErrorCode::cancelled, "Loading was cancelled");
}

Image Loader::loadChosen(const std::string& path, const std::string& choice, const LoadOptions&) const {
    throw Error(ErrorCode::input, "Cannot open '" + path + "#" + choice + "'", "files of this format hold one image",
                "Leave out '#" + choice + "'");
}

std::string lowerExtension(const std::string& path) {
    std::string name = fs::path(path).filename().string();
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    for (const char* twice : {".nii.gz", ".img.gz", ".hdr.gz", ".raw.json"})
        if (name.size() > std::strlen(twice) && name.ends_with(twice)) return twice + 1;
    const std::string e = fs::path(name).extension().string();
    return e.empty() ? e : e.substr(1);
}

ChosenPath splitChoice(const std::string& path) {
    std::error_code error;
    const std::size_t at = path.rfind('#');
    if (at == std::string::npos || at == 0 || at + 1 == path.size() || fs::exists(path, error)) return {path, {}};
    // Not split: errors then show a mistyped name as a whole.
    if (!fs::exists(path.substr(0, at), error)) return {path, {}};
    return {path.substr(0, at), path.substr(at + 1)};
}

Image loadImage(const std::string& given, const LoadOptions& options) {
    const auto [path, choice] = splitChoice(given);
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (error == std::errc::permission_denied) refuseFile(path, error.message(), "Check the permissions of its folder");
    if (!fs::exists(status)) throw Error(ErrorCode::input, "Cannot open '" + path + "'", "the file does not exist", "Check the name");
    const bool folder = fs::is_directory(status);
    if (!folder && !fs::is_regular_file(status)) refuseFile(path, "it is a device or a pipe", "Give a file or a folder");
    const Loader* chosen = nullptr;
    if (!folder) {
        const std::vector<std::uint8_t> head = headOf(path);
        for (const auto& loader : loaders())
            if (loader->recognises(head, path)) {
                chosen = loader.get();
                break;
            }
        if (!chosen) {
            std::string known;
            for (const auto& loader : loaders())
                for (const auto& e : loader->extensions()) known += (known.empty() ? "" : ", ") + e;
            refuseFile(path, "its format is unknown (first bytes " + hexOf(head) + ")", "Convert it to one of " + known);
        }
    }
    options.throwIfStopped();
    try {
        Image image = folder           ? loadDicomFolder(path, choice, options)
                      : choice.empty() ? chosen->load(path, options)
                                       : chosen->loadChosen(path, choice, options);
        image.source.path = given;
        options.report(1);
        return image;
    } catch (const Error&) {
        throw;
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::memory, "Cannot open '" + path + "'", "there is not enough memory",
                    "Close other images, or use a smaller one");
    } catch (const std::exception& e) {
        refuseFile(path, e.what());
    }
}

Image openInput(const std::string& input, const LoadOptions& options) {
    if (isSynthetic(input)) return makeSynthetic(parseSynthetic(input), options.stop);
    if (!isRaw(input)) return loadImage(input, options);
    Image image = loadRaw(parseRaw(input), options);
    image.source.path = input;
    options.report(1);
    return image;
}

}  // namespace parallax
