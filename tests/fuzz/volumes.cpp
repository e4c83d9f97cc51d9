// SPDX-License-Identifier: GPL-3.0-or-later
// Opens thousands of damaged DICOM, NIfTI, NRRD, MetaImage and raw files: each must give an image or an Error. Meant for the address
// sanitizer.
//   parallax_fuzz_volumes [ROUNDS [SEED [READER|each]]]
#include <cstdio>
#include <filesystem>
#include <random>

#include "core/image/synthetic.hpp"
#include "core/io/formats.hpp"
#include "core/io/loader.hpp"
#include "core/io/saver.hpp"
#include "tests/fuzz/damage.hpp"
#ifdef PARALLAX_HAS_GDCM
#include "tests/support/dicom_compress.hpp"
#endif
#include "tests/support/dicom_writer.hpp"
#include "tests/support/nifti_writer.hpp"
#include "tests/support/temporary_folder.hpp"

namespace parallax::test {
namespace {

namespace fs = std::filesystem;
/// Well-formed files of every kind.
std::vector<Sample> samples(const TemporaryFolder& folder) {
    std::vector<Sample> all;
    MadeDicom d;
    d.width = 24;
    d.height = 17;
    d.texts[0x00081140] = {"SQ", std::string("\xfe\xff\x00\xe0\x0a\0\0\0\x08\0\x50\x11UI\x02\0"
                                             "1\0",
                                             18)};
    d.texts[0x00281050] = {"DS", "40\\50"};
    d.texts[0x00281051] = {"DS", "400\\500"};
    using enum MadeDicom::Encoding;
    all.push_back({"explicit.dcm", d.bytes()});
    d.encoding = implicitLittle;
    d.transferSyntax = "1.2.840.10008.1.2";
    all.push_back({"implicit.dcm", d.bytes()});
    d.preamble = d.meta = false;
    all.push_back({"bare.dcm", d.bytes()});
    d.preamble = d.meta = true;
    d.encoding = explicitBig;
    d.transferSyntax = "1.2.840.10008.1.2.2";
    all.push_back({"big.dcm", d.bytes()});
    d.encoding = explicitLittle;
#ifdef PARALLAX_HAS_GDCM
    std::mt19937 random(1);
    for (const char* ts :
         {"1.2.840.10008.1.2.5", "1.2.840.10008.1.2.4.50", "1.2.840.10008.1.2.4.51", "1.2.840.10008.1.2.4.57", "1.2.840.10008.1.2.4.70",
          "1.2.840.10008.1.2.4.80", "1.2.840.10008.1.2.4.81", "1.2.840.10008.1.2.4.90", "1.2.840.10008.1.2.4.91"}) {
        const bool narrow = std::string(ts).ends_with(".50");
        const int bits = narrow ? 8 : std::string(ts).ends_with(".51") ? 12 : 16;
        Bytes stored;
        for (int i = 0; i < d.width * d.height; ++i) {
            const unsigned v = static_cast<unsigned>(i * 7 + static_cast<int>(random() % 9)) & ((1U << bits) - 1);
            stored.push_back(static_cast<std::uint8_t>(v));
            if (!narrow) stored.push_back(static_cast<std::uint8_t>(v >> 8));
        }
        try {
            d.bitsAllocated = narrow ? 8 : 16;
            d.bitsStored = bits;
            d.transferSyntax = ts;
            d.encapsulated = MadeDicom::items(compressedByGdcm(ts, static_cast<unsigned>(d.width), static_cast<unsigned>(d.height),
                                                               static_cast<unsigned short>(d.bitsAllocated),
                                                               static_cast<unsigned short>(bits), false, stored));
            all.push_back({std::string(ts) + ".dcm", d.bytes()});
        } catch (const std::exception& e) {
            std::printf("%s is left out: %s\n", ts, e.what());
        }
    }
    MadeDicom colour = d;
    colour.bitsAllocated = colour.bitsStored = 8;
    colour.texts[0x00280002] = {"US", std::string{3, 0}};
    colour.texts[0x00280004] = {"CS", "RGB"};
    Bytes codes;
    for (int i = 0; i < 3 * d.width * d.height; ++i) codes.push_back(static_cast<std::uint8_t>(7 * i + static_cast<int>(random() % 9)));
    for (const char* ts : {"1.2.840.10008.1.2.4.57", "1.2.840.10008.1.2.4.70", "1.2.840.10008.1.2.4.80", "1.2.840.10008.1.2.4.90"}) {
        colour.transferSyntax = ts;
        colour.encapsulated =
            MadeDicom::items(compressedByGdcm(ts, static_cast<unsigned>(d.width), static_cast<unsigned>(d.height), 8, 8, false, codes, 3));
        all.push_back({"colours " + std::string(ts) + ".dcm", colour.bytes()});
    }
    d.encapsulated.clear();
#endif
    // Multi-frame files of another writer.
    for (const auto& entry : fs::directory_iterator(PARALLAX_GOLDEN_DICOM))
        if (entry.path().extension() == ".dcm") all.push_back({entry.path().filename().string(), contents(entry.path().string())});
    for (const int version : {1, 2})
        for (const bool big : {false, true}) {
            MadeNifti n;
            n.version = version;
            n.big = big;
            n.dims = {9, 7, 5, 2};
            n.qform = 1;
            all.push_back({std::to_string(version) + (big ? "big.nii" : "little.nii"), n.bytes()});
        }
    // As other programs write them. Samples that they keep apart lie beside what is damaged.
    for (const auto& entry : fs::directory_iterator(PARALLAX_GOLDEN_VOLUMES)) {
        const std::string extension = entry.path().extension().string(), name = entry.path().filename().string();
        if (extension == ".nrrd" || extension == ".nhdr" || extension == ".mha" || extension == ".mhd")
            all.push_back({name, contents(entry.path().string())});
        else fs::copy_file(entry.path(), folder / name);
    }
    if (hasNifti()) {
        Image image = makeSynthetic({SyntheticKind::noise, {20, 20, 10, 1}, 3});
        (void)saveImage(image, folder / "s.nii.gz");
        all.push_back({"s.nii.gz", contents(folder / "s.nii.gz")});
        (void)saveImage(image, folder / "bad.raw");
        all.push_back({"bad.raw.json", contents(folder / "bad.raw.json")});
    }
    return all;
}

/// By the name of its sample: the extension says what kind of file it is, and what a description describes lies beside it.
std::string fileNameOf(const Sample& sample) {
    for (const char* const end : {".nii.gz", ".raw.json"})
        if (sample.name.ends_with(end)) return std::string("bad") + end;
    return "bad" + fs::path(sample.name).extension().string();
}

int fuzzVolumes(const FuzzArguments& arguments) {
    const TemporaryFolder folder;
    return fuzz(samples(folder), arguments, damaged, [&](const Sample& s) {
        const std::string path = folder / fileNameOf(s);
        write(path, s.bytes);
        loadWithPatterns(path);
    });
}

}  // namespace
}  // namespace parallax::test

int main(int argc, char** argv) { return parallax::test::fuzzingProgram(argc, argv, parallax::test::fuzzVolumes); }
