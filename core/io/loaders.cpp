// SPDX-License-Identifier: GPL-3.0-or-later
// The list of file formats: one line each. Nothing else lists them.
#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "parallax/image/error.hpp"
#include "parallax/image/synthetic.hpp"
#include "parallax/io/formats.hpp"

namespace parallax {
namespace {

namespace fs = std::filesystem;

bool startsWith(std::span<const std::uint8_t> head, std::string_view signature, std::size_t offset = 0) {
    return head.size() >= offset + signature.size() && std::memcmp(head.data() + offset, signature.data(), signature.size()) == 0;
}

class VolumeRefuser final : public Loader {
public:
    std::string format() const override { return "volume"; }
    std::vector<std::string> extensions() const override { return {}; }
    bool recognises(std::span<const std::uint8_t> head, const std::string& path) const override {
        return startsWith(head, "DICM", 128) || startsWith(head, "n+1", 344) || startsWith(head, "ni1", 344) || startsWith(head, "NRRD") ||
               path.ends_with(".nii.gz") || lowerExtension(path) == "nii" || lowerExtension(path) == "dcm" ||
               startsWith(head, "ObjectType");
    }
    Image load(const std::string& path, const LoadOptions&) const override {
        throw Error(ErrorCode::input, "'" + path + "' is a volume, and this version opens images only",
                    "DICOM, NIfTI, NRRD and MetaImage are not read yet", "Export a slice as PNG or EXR");
    }
};

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

}  // namespace

std::unique_ptr<Loader> makeVolumeRefuser() { return std::make_unique<VolumeRefuser>(); }

const std::vector<std::unique_ptr<Loader>>& loaders() {
    static const std::vector<std::unique_ptr<Loader>> list = [] {
        std::vector<std::unique_ptr<Loader>> l;
        l.push_back(makeExrLoader());       // signature of four bytes: certain
        l.push_back(makePngLoader());       // signature of eight bytes, or the name for one whose signature is damaged
        l.push_back(makeVolumeRefuser());   // signatures at fixed places, before OpenCV sees the file
        l.push_back(makeRadianceLoader());  // "#?", which a text may have, too: after the certain ones
        l.push_back(makePfmLoader());       // "PF" or "Pf" and a blank
        l.push_back(makeOpenCvLoader());    // several formats, some of them without a real signature: last
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

std::string lowerExtension(const std::string& path) {
    std::string e = fs::path(path).extension().string();
    if (!e.empty()) e.erase(0, 1);
    std::transform(e.begin(), e.end(), e.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return e;
}

Image loadImage(const std::string& path, const LoadOptions& options) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!fs::exists(status)) throw Error(ErrorCode::input, "There is no file '" + path + "'", {}, "Check the name");
    if (fs::is_directory(status))
        throw Error(ErrorCode::input, "'" + path + "' is a folder", "DICOM series are not read yet", "Give an image file");
    if (!fs::is_regular_file(status)) throw Error(ErrorCode::input, "'" + path + "' is not an ordinary file");
    std::vector<std::uint8_t> head(512);
    std::ifstream file(path, std::ios::binary);
    if (!file) throw Error(ErrorCode::input, "'" + path + "' cannot be read", std::strerror(errno), "Check its permissions");
    file.read(reinterpret_cast<char*>(head.data()), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
    file.close();
    if (head.empty()) throw Error(ErrorCode::input, "'" + path + "' is empty", "it holds no bytes", "Get the file again from its source");

    for (const auto& loader : loaders()) {
        if (!loader->recognises(head, path)) continue;
        options.throwIfStopped();
        try {
            Image image = loader->load(path, options);
            image.source.path = path;
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
    std::string known;
    for (const auto& loader : loaders())
        for (const auto& e : loader->extensions()) known += (known.empty() ? "" : ", ") + e;
    throw Error(ErrorCode::input, "'" + path + "' is of an unknown format", "its first bytes are " + hexOf(head), "Known are " + known);
}

Image openInput(const std::string& input, const LoadOptions& options) {
    return isSynthetic(input) ? makeSynthetic(parseSynthetic(input), options.stop) : loadImage(input, options);
}

}  // namespace parallax
