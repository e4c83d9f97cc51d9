// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/formats/input_files.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <system_error>

#include "core/image/error.hpp"
#include "core/image/synthetic.hpp"
#include "core/io/codec/byte_source.hpp"
#include "core/io/formats.hpp"
#include "core/io/formats/dicom/dicom_header.hpp"
#include "core/io/formats/raw/raw.hpp"
#include "core/io/formats/sample_files.hpp"
#include "core/io/limits.hpp"
#include "core/io/loader.hpp"
#include "core/io/saver.hpp"

namespace parallax {
namespace {

namespace fs = std::filesystem;

bool isFile(const std::string& path) {
    std::error_code error;
    return fs::is_regular_file(path, error);
}

/// The first bytes of a file; empty if it cannot be read.
std::vector<std::uint8_t> headOf(const std::string& path) {
    std::vector<std::uint8_t> head(512);
    try {
        head.resize(ByteSource(path).read(0, head.data(), head.size()));
    } catch (const Error&) {
        head.clear();
    }
    return head;
}

/// Both files of a NIfTI pair, also compressed ones; only the file itself if there is no other, or if it is a Radiance image.
std::vector<std::string> filesOfPair(const std::string& path) {
    const std::string stem = path.substr(0, path.size() - lowerExtension(path).size() - 1);
    std::vector<std::string> files;
    for (const char* const ending : {".hdr", ".hdr.gz", ".img", ".img.gz"})
        if (const std::string file = stem + ending; isFile(file)) {
            if (startsWith(headOf(file), "#?")) return {path};
            files.push_back(file);
        }
    return files.empty() ? std::vector{path} : files;
}

std::vector<std::string> filesOfHeader(const std::string& header, std::vector<std::string> samples) {
    std::erase_if(samples, [&](const std::string& file) { return file.empty() || file == header; });
    samples.insert(samples.begin(), header);
    return samples;
}

std::vector<std::string> filesOfFile(const std::string& path) {
    if (!isFile(path)) return {path};
    try {
        if (hasExtension(path, {"nrrd", "nhdr"})) return filesOfHeader(path, sampleFilesOfNrrd(path));
        if (hasExtension(path, {"mha", "mhd"})) return filesOfHeader(path, sampleFilesOfMetaImage(path));
        if (hasExtension(path, {"json", "raw.json"})) return filesOfHeader(path, {readRawDescription(path).path});
        if (hasExtension(path, {"hdr", "hdr.gz", "img", "img.gz"})) return filesOfPair(path);
        if (hasExtension(path, {"raw"}))
            if (const std::string description = describingFile(path); !description.empty()) return filesOfHeader(description, {path});
    } catch (const Error&) {
        // Reported when it is opened.
    }
    return {path};
}

std::vector<std::string> filesOfFolder(const std::string& folder) {
    std::vector<std::string> files{folder}, headers;
    std::error_code error;
    std::size_t entries = 0;
    fs::recursive_directory_iterator it(folder, fs::directory_options::skip_permission_denied, error);
    for (const fs::recursive_directory_iterator end; !error && it != end && ++entries <= kMaxFolderFiles; it.increment(error)) {
        if (it.depth() >= kMaxFolderDepth) it.disable_recursion_pending();
        const std::string file = it->path().string();
        if (!isFile(file)) continue;
        if (isDicomFile(file)) files.push_back(file);
        else if (it.depth() == 0 && hasExtension(file, {"nhdr", "mhd"})) headers.push_back(file);
    }
    if (files.size() > 1) return files;
    for (const std::string& header : headers)
        for (std::string& file : filesOfFile(header)) files.push_back(std::move(file));
    return files;
}

}  // namespace

std::string fileOfInput(const std::string& input) {
    if (isRaw(input)) return parseRaw(input).path;
    return splitChoice(input).path;
}

bool isDicomFile(const std::string& path) { return hasExtension(path, {"dcm", "ima"}) || DicomHeader::recognises(headOf(path)); }

std::vector<std::string> filesOfInput(const std::string& input) {
    if (isSynthetic(input)) return {};
    const std::string path = fileOfInput(input);
    if (isRaw(input)) return {path};
    std::error_code error;
    return fs::is_directory(path, error) ? filesOfFolder(path) : filesOfFile(path);
}

std::string identityOf(const std::string& path) {
    std::error_code error;
    const fs::path absolute = fs::weakly_canonical(path, error);
    return error ? path : absolute.string();
}

void checkKeepsInput(const std::string& input, const std::string& output) {
    if (input.empty() || output.ends_with('/')) return;  // a folder is replaced with all its files
    std::vector<std::string> written;
    for (const std::string& file : filesOf(output))
        if (isFile(file)) written.push_back(identityOf(file));
    if (written.empty()) return;
    const std::vector<std::string> files = filesOfInput(input);
    const auto replaced = std::count_if(files.begin(), files.end(), [&](const std::string& file) {
        return std::find(written.begin(), written.end(), identityOf(file)) != written.end();
    });
    if (replaced > 0 && replaced < static_cast<std::ptrdiff_t>(files.size()))
        throw Error(ErrorCode::output, "Cannot write '" + output + "'", "it is a part of the input '" + input + "'", "Choose another name");
}

}  // namespace parallax
