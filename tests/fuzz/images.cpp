// SPDX-License-Identifier: GPL-3.0-or-later
// Opens thousands of damaged images of every format: each must give an image or an Error. Meant for the address sanitizer.
//   parallax_fuzz_images [ROUNDS [SEED [READER|each]]]
#include <zlib.h>

#include <filesystem>

#include "core/image/synthetic.hpp"
#include "core/io/loader.hpp"
#include "core/io/saver.hpp"
#include "tests/fuzz/damage.hpp"
#include "tests/support/small_webp.hpp"
#include "tests/support/temporary_folder.hpp"

namespace parallax::test {
namespace {

namespace fs = std::filesystem;

/// The well-formed files of tests/io/files and tests/oracles/tiff, saved images, and formats that are only read.
std::vector<Sample> samples(const TemporaryFolder& folder) {
    std::vector<Sample> all;
    for (const auto& e : fs::directory_iterator(PARALLAX_MADE_FILES))
        if (const std::string name = e.path().filename().string(); !name.starts_with("bad_"))
            all.push_back({name, contents(e.path().string())});
    for (const auto& e : fs::directory_iterator(PARALLAX_GOLDEN_TIFF))
        if (e.path().extension() == ".tif") all.push_back({e.path().filename().string(), contents(e.path().string())});
    // Parts, layers and deep data.
    for (const auto& e : fs::directory_iterator(PARALLAX_GOLDEN_EXR))
        if (e.path().extension() == ".exr") all.push_back({e.path().filename().string(), contents(e.path().string())});
    const Image image = makeSynthetic({SyntheticKind::noise, {37, 29, 1, 3}, 3});
    const auto saved = [&](const std::string& name, const SaveOptions& options = {}) {
        (void)saveImage(image, folder / name, options);
        all.push_back({name, contents(folder / name)});
    };
    for (const char* const compression : {"none", "rle", "zips", "zip", "piz", "pxr24", "b44", "b44a", "dwaa", "dwab"})
        for (const StoredDepth depth : {StoredDepth::half, StoredDepth::float32}) {
            SaveOptions options;
            options.exrCompression = compression;
            options.depth = depth;
            saved(std::string(compression) + (depth == StoredDepth::half ? "_half.exr" : "_float.exr"), options);
        }
    for (const SavableFormat& format : savableFormats())
        if (!format.volumes) saved("s." + format.extension);
    const std::string ppm = "P6\n# a comment\n5 4\n255\n" + std::string(60, 'x');
    all.push_back({"s.ppm", Bytes(ppm.begin(), ppm.end())});
    Bytes bmp{'B', 'M', 118, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0, 5, 0, 0, 0, 4, 0, 0, 0, 1, 0, 24, 0};
    bmp.resize(54 + 4 * 16);
    all.push_back({"s.bmp", bmp});
    const std::string webp = smallWebp();
    all.push_back({"s.webp", Bytes(webp.begin(), webp.end())});
    return all;
}

std::uint32_t bigEndian(const Bytes& b, std::size_t at) {
    return std::uint32_t{b[at]} << 24 | std::uint32_t{b[at + 1]} << 16 | std::uint32_t{b[at + 2]} << 8 | b[at + 3];
}

/// Recomputes the checksums of PNG chunks; otherwise nearly all damaged files are refused for them alone.
void mendChecksums(Bytes& b) {
    for (std::size_t at = 8; at + 12 <= b.size();) {
        const std::size_t length = bigEndian(b, at);
        if (length > b.size() - at - 12) return;
        const auto sum = static_cast<std::uint32_t>(::crc32(0, b.data() + at + 4, static_cast<uInt>(length + 4)));
        for (std::size_t i = 0; i < 4; ++i) b[at + 8 + length + i] = static_cast<std::uint8_t>(sum >> (24 - 8 * i));
        at += length + 12;
    }
}

Bytes damagedImage(Bytes bytes, std::mt19937& random) {
    const bool png = bytes.size() > 4 && bytes[1] == 'P' && bytes[2] == 'N' && bytes[3] == 'G';
    Bytes b = damaged(std::move(bytes), random);
    if (png && random() % 4) mendChecksums(b);
    return b;
}

int fuzzImages(const FuzzArguments& arguments) {
    const TemporaryFolder folder;
    return fuzz(samples(folder), arguments, damagedImage, [&](const Sample& s) {
        const std::string path = folder / ("bad" + fs::path(s.name).extension().string());
        write(path, s.bytes);
        loadWithPatterns(path);
    });
}

}  // namespace
}  // namespace parallax::test

int main(int argc, char** argv) { return parallax::test::fuzzingProgram(argc, argv, parallax::test::fuzzImages); }
