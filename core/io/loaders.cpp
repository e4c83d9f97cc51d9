// SPDX-License-Identifier: GPL-3.0-or-later
// The list of file formats: one line each. Nothing else lists them.
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

/// The bytes that tell formats apart.
std::vector<std::uint8_t> headOf(const std::string& path) {
    std::vector<std::uint8_t> head(512);
    std::ifstream file(path, std::ios::binary);
    if (!file) throw Error(ErrorCode::input, "'" + path + "' cannot be read", std::strerror(errno), "Check its permissions");
    file.read(reinterpret_cast<char*>(head.data()), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
    if (head.empty()) throw Error(ErrorCode::input, "'" + path + "' is empty", "it holds no bytes", "Get the file again from its source");
    return head;
}

}  // namespace

const std::vector<std::unique_ptr<Loader>>& loaders() {
    static const std::vector<std::unique_ptr<Loader>> list = [] {
        std::vector<std::unique_ptr<Loader>> l;
        l.push_back(makeExrLoader());        // signature of four bytes: certain
        l.push_back(makePngLoader());        // signature of eight bytes, or the name for one whose signature is damaged
        l.push_back(makeDicomLoader());      // "DICM" after 128 bytes of anything
        l.push_back(makeTiffLoader());       // signature of four bytes, which the preamble of DICOM may hold too
        l.push_back(makeNiftiLoader());      // a signature in the header, or the name of a compressed file
        l.push_back(makeNrrdLoader());       // "NRRD"
        l.push_back(makeMetaImageLoader());  // the word that such a header begins with
        l.push_back(makeRadianceLoader());   // "#?", which a text may have, too: after the certain ones
        l.push_back(makeRawLoader());        // a JSON file with our schema, or by name
        l.push_back(makePfmLoader());        // "PF" or "Pf" and a blank
        l.push_back(makeOpenCvLoader());     // several formats, some of them without a real signature: last
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
    throw Error(ErrorCode::input, "'" + path + "' has no part '" + choice + "'", "files of this format hold one image",
                "Leave out the '#' and what follows");
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
    // A name that was mistyped is better reported whole.
    if (!fs::exists(path.substr(0, at), error)) return {path, {}};
    return {path.substr(0, at), path.substr(at + 1)};
}

Image loadImage(const std::string& given, const LoadOptions& options) {
    const auto [path, choice] = splitChoice(given);
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (error == std::errc::permission_denied)
        throw Error(ErrorCode::input, "'" + path + "' cannot be read", error.message(), "Check the permissions of its folder");
    if (!fs::exists(status)) throw Error(ErrorCode::input, "There is no file '" + path + "'", {}, "Check the name");
    const bool folder = fs::is_directory(status);
    if (!folder && !fs::is_regular_file(status)) throw Error(ErrorCode::input, "'" + path + "' is not an ordinary file");
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
            throw Error(ErrorCode::input, "'" + path + "' is of an unknown format", "its first bytes are " + hexOf(head),
                        "Known are " + known);
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
        throw Error(ErrorCode::memory, "'" + path + "' does not fit into memory", {}, "Close other images or use a smaller one");
    } catch (const std::exception& e) {
        throw Error(ErrorCode::input, "'" + path + "' cannot be read", e.what(), "Get the file again from its source");
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
