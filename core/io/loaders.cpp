// SPDX-License-Identifier: GPL-3.0-or-later
// The list of file formats, one line each.
#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "core/image/error.hpp"
#include "core/image/synthetic.hpp"
#include "core/io/codec/text.hpp"
#include "core/io/formats.hpp"
#include "core/io/formats/dicom/dicom.hpp"
#include "core/io/formats/raw/raw.hpp"
#include "core/io/large_file.hpp"
#include "core/io/sample_budget.hpp"

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
    if (!file) refuseUnopened(path, errno);
    file.read(reinterpret_cast<char*>(head.data()), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
    if (head.empty()) refuseFile(path, "the file is empty");
    return head;
}

/// Refuses a text that is named like a format of binary files and has the signature of none.
void refuseText(const std::string& path, std::span<const std::uint8_t> head) {
    constexpr std::string_view kBinary[] = {"png", "exr", "tif", "tiff", "jpg", "jpeg", "webp", "bmp", "dcm", "nii"};
    const std::string extension = lowerExtension(path);
    if (std::find(std::begin(kBinary), std::end(kBinary), extension) == std::end(kBinary)) return;
    if (!std::all_of(head.begin(), head.end(), [](std::uint8_t c) { return c >= 0x20 ? c != 0x7f : c >= '\t' && c <= '\r'; })) return;
    std::string format = extension;
    std::transform(format.begin(), format.end(), format.begin(), [](unsigned char c) { return std::toupper(c); });
    refuseFile(path, "this is not a " + format + "; the content looks like text", "Check the name of the file");
}

}  // namespace

const std::vector<Loader>& loaders() {
    static const std::vector<Loader> list{
        exrLoader(),        // signature of four bytes
        pngLoader(),        // signature of eight bytes; by name if that is damaged
        dicomLoader(),      // "DICM" after 128 arbitrary bytes
        tiffLoader(),       // signature of four bytes, which the preamble of DICOM may hold too
        niftiLoader(),      // a signature in the header, or the name of a compressed file
        nrrdLoader(),       // "NRRD"
        metaImageLoader(),  // first word of the header
        radianceLoader(),   // "#?", which texts may begin with: after the formats with longer signatures
        rawLoader(),        // JSON file with our schema, or by name
        pfmLoader(),        // "PF" or "Pf" and a blank
        openCvLoader(),     // several formats, some with short signatures: last
    };
    return list;
}

void LoadOptions::throwIfStopped() const {
    if (stop.stop_requested()) throw Error(ErrorCode::cancelled, "Loading was cancelled");
    if (std::chrono::steady_clock::now() > deadline) throw Error(ErrorCode::input, "", "reading it takes out of proportion to its size");
}

bool hasExtension(const std::string& path, std::initializer_list<std::string_view> extensions) {
    return std::find(extensions.begin(), extensions.end(), lowerExtension(path)) != extensions.end();
}

std::int64_t chosenVolume(const std::string& path, const std::string& choice, std::int64_t volumes, const std::string& what) {
    if (choice.empty()) return 0;
    std::int64_t n = -1;
    const bool digits = choice.size() < 18 && choice.find_first_not_of("0123456789") == std::string::npos;
    if (digits) n = std::stoll(choice);
    if (n < 0 || n >= volumes)
        throw Error(ErrorCode::input, "'" + path + "' has no " + what + " '" + choice + "'",
                    volumes == 1 ? "it holds one " + what : "it holds " + what + "s 0 to " + std::to_string(volumes - 1),
                    volumes == 1 ? "Leave out the '#' and what follows" : "Choose one of these");
    return n;
}

void noteVolume(Image& image, std::int64_t chosen, std::int64_t volumes, const std::string& choice, const char* what) {
    image.source.volume = chosen;
    image.source.volumes = volumes;
    if (volumes > 1 && choice.empty())
        image.source.warnings.push_back("The file holds " + std::to_string(volumes) + " " + what + "; the first was opened");
}

void describeAsFloat(Image& image, const std::string& format) {
    image.source.format = format;
    for (std::size_t c = 0; c < image.channelNames().size(); ++c) {
        image.source.storedChannels.push_back({image.channelNames()[c], "float"});
        if (image.samples().empty()) continue;
        image.source.storedStatistics.push_back(computeStatistics(std::as_const(image).view().channel(static_cast<std::int64_t>(c))));
    }
}

std::string lowerExtension(const std::string& path) {
    const std::string name = lowerCase(fs::path(path).filename().string());
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

Image loadImage(const std::string& given, const LoadOptions& unbounded) {
    const auto [path, choice] = splitChoice(given);
    LoadOptions options = unbounded;
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (error == std::errc::permission_denied) refuseFile(path, error.message(), "Check the permissions of its folder");
    if (!fs::exists(status)) refuseUnopened(path, ENOENT);
    const bool folder = fs::is_directory(status);
    if (!folder && !fs::is_regular_file(status)) refuseFile(path, "it is a device or a pipe", "Give a file or a folder");
    const Loader* chosen = nullptr;
    if (!folder) {
        const std::vector<std::uint8_t> head = headOf(path);
        const auto found =
            std::find_if(loaders().begin(), loaders().end(), [&](const Loader& loader) { return loader.recognises(head, path); });
        if (found == loaders().end() || !found->recognises(head, {})) refuseText(path, head);
        if (found == loaders().end()) {
            std::string known;
            for (const Loader& loader : loaders())
                for (const auto& e : loader.extensions) known += (known.empty() ? "" : ", ") + e;
            refuseFile(path, "its format is unknown (first bytes " + hexOf(head) + ")", "Convert it to one of " + known);
        }
        chosen = &*found;
        if (const std::uintmax_t bytes = fs::file_size(path, error); !error && !largeFilesAllowed() && options.unpacked != kAnyUnpacked)
            options.deadline = std::chrono::steady_clock::now() + longestLoad(bytes);
        if (!choice.empty() && !chosen->several)
            throw Error(ErrorCode::input, "Cannot open '" + path + "#" + choice + "'", "files of this format hold one image",
                        "Leave out '#" + choice + "'");
    }
    options.throwIfStopped();
    try {
        Image image = folder ? loadDicomFolder(path, choice, options) : chosen->load(path, choice, options);
        image.source.path = given;
        options.report(1);
        return image;
    } catch (const Error& e) {
        if (e.summary().empty()) refuseFile(path, e.why(), "If you trust the file, use --allow-large");  // the deadline
        throw;
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::memory, "Cannot open '" + path + "'", "there is not enough memory",
                    "Close other images, or use a smaller one");
    } catch (const std::system_error& e) {
        if (e.code() != std::errc::resource_unavailable_try_again) refuseFile(path, e.what());
        throw Error(ErrorCode::memory, "Cannot open '" + path + "'", "no thread can be started: memory or their allowed number is used up",
                    "Close other programs, or raise the limit (ulimit)");
    } catch (const std::exception& e) {
        refuseFile(path, e.what());
    }
}

Image openInput(const std::string& input, const LoadOptions& options) {
    if (isSynthetic(input)) {
        const SyntheticRequest request = parseSynthetic(input);
        return options.part ? makeSyntheticPart(request, sampleBuffer(request.shape, options.part), options.part->first, options.stop)
                            : makeSynthetic(request, options.stop);
    }
    if (!isRaw(input)) return loadImage(input, options);
    Image image = loadRaw(parseRaw(input), options);
    image.source.path = input;
    options.report(1);
    return image;
}

}  // namespace parallax
