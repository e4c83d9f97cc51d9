// SPDX-License-Identifier: GPL-3.0-or-later
// Damaged DICOM, NIfTI and raw descriptions by the thousands: each gives an image or an Error, in time and in memory. Made to run with
// the address sanitizer.   parallax_fuzz_volumes [ROUNDS [SEED]]
// On a crash the file that did it is left behind, its name is printed before.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <random>

#include "parallax/image/error.hpp"
#include "parallax/image/synthetic.hpp"
#include "parallax/io/dicom_frames.hpp"
#include "parallax/io/gzip.hpp"
#include "parallax/io/loader.hpp"
#include "parallax/io/nifti.hpp"
#include "parallax/io/saver.hpp"
#ifdef PARALLAX_HAS_GDCM
#include "support/dicom_compress.hpp"
#endif
#include "support/dicom_writer.hpp"
#include "support/nifti_writer.hpp"
#include "support/temporary_folder.hpp"

namespace parallax::test {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::uint8_t>;

struct Sample {
    std::string name;  ///< with the extension that it is opened by
    Bytes bytes;
};

Bytes contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

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
    d.encapsulated.clear();
#endif
    for (const int version : {1, 2})
        for (const bool big : {false, true}) {
            MadeNifti n;
            n.version = version;
            n.big = big;
            n.dims = {9, 7, 5, 2};
            n.qform = 1;
            all.push_back({std::to_string(version) + (big ? "big.nii" : "little.nii"), n.bytes()});
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

/// Values that programs trip over.
constexpr std::uint32_t kEvil[] = {0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff};

Bytes mutate(Bytes b, std::mt19937& random) {
    const auto place = [&](std::size_t most) {
        return static_cast<std::size_t>(random()) % std::max<std::size_t>(1, std::min(b.size(), most));
    };
    const unsigned kind = random() % 10;
    if (kind == 0) {
        b.resize(place(b.size()));
        return b;
    }
    for (unsigned k = 0; k < 1 + random() % 6; ++k) {
        // Headers hold the sizes.
        const std::size_t at = place(random() % 3 ? 900 : b.size());
        switch (random() % 6) {
            case 0: b[at] = static_cast<std::uint8_t>(random()); break;
            case 1: b[at] ^= static_cast<std::uint8_t>(1U << random() % 8); break;
            case 2:
            case 3: {
                const std::uint32_t v = kEvil[random() % std::size(kEvil)];
                for (std::size_t i = 0; i < (random() % 2 ? 4U : 2U) && at + i < b.size(); ++i)
                    b[at + i] = static_cast<std::uint8_t>(v >> (8 * i));
                break;
            }
            case 4: {
                const std::size_t n = std::min<std::size_t>(1 + random() % 40, b.size() - at);
                if (random() % 2) b.erase(b.begin() + static_cast<std::ptrdiff_t>(at), b.begin() + static_cast<std::ptrdiff_t>(at + n));
                else {
                    const Bytes part(b.begin() + static_cast<std::ptrdiff_t>(at), b.begin() + static_cast<std::ptrdiff_t>(at + n));
                    b.insert(b.begin() + static_cast<std::ptrdiff_t>(at), part.begin(), part.end());
                }
                break;
            }
            default: {
                const std::size_t from = place(b.size());
                for (std::size_t i = 0; i < 8 && at + i < b.size() && from + i < b.size(); ++i) b[at + i] = b[from + i];
                break;
            }
        }
        if (b.empty()) break;
    }
    return b;
}

int fuzz(long rounds, unsigned seed) {
    const TemporaryFolder folder;
    const std::vector<Sample> good = samples(folder);
    // What is left behind by a crash.
    const std::string last = (fs::temp_directory_path() / ("parallax_fuzz_" + std::to_string(::getpid()) + "_last")).string();
    std::mt19937 random(seed);
    std::map<std::string, std::pair<long, long>> counts;
    double slowest = 0;
    std::string slowestName;
    for (const Sample& s : good) {
        std::ofstream(folder / s.name, std::ios::binary)
            .write(reinterpret_cast<const char*>(s.bytes.data()), static_cast<std::streamsize>(s.bytes.size()));
        try {
            (void)loadImage(folder / s.name);
        } catch (const Error& e) {
            std::printf("%s does not open as it is: %s\n", s.name.c_str(), e.what());
            if (canDecodeFrames() && hasNifti()) return 1;
        }
    }
    for (long round = 0; round < rounds; ++round) {
        const Sample& s = good[static_cast<std::size_t>(round) % good.size()];
        const Bytes b = mutate(s.bytes, random);
        const std::string path = folder / ("bad" + fs::path(s.name).extension().string());
        const std::string named = s.name.ends_with(".nii.gz") ? folder / "bad.nii.gz"
                                  : s.name.ends_with(".json") ? folder / "bad.raw.json"
                                                              : path;
        for (const std::string& to : {named, last})
            std::ofstream(to, std::ios::binary).write(reinterpret_cast<const char*>(b.data()), static_cast<std::streamsize>(b.size()));
        const auto start = std::chrono::steady_clock::now();
        auto& [opened, refused] = counts[s.name];
        try {
            (void)loadImage(named);
            ++opened;
        } catch (const Error&) {
            ++refused;
        }
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        if (seconds > slowest) {
            slowest = seconds;
            slowestName = s.name + ", round " + std::to_string(round);
        }
    }
    fs::remove(last);
    for (const auto& [name, c] : counts) std::printf("%-28s %7ld opened %7ld refused\n", name.c_str(), c.first, c.second);
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    std::printf("slowest %.3f s (%s), peak memory %ld MiB\n", slowest, slowestName.c_str(), usage.ru_maxrss / 1024);
    return slowest < 20 ? 0 : 1;
}

}  // namespace
}  // namespace parallax::test

int main(int argc, char** argv) {
    const long rounds = argc > 1 ? std::atol(argv[1]) : 2000;
    const auto seed = static_cast<unsigned>(argc > 2 ? std::atol(argv[2]) : 1);
    std::printf("%ld rounds, seed %u\n", rounds, seed);
    return parallax::test::fuzz(rounds, seed);
}
