// SPDX-License-Identifier: GPL-3.0-or-later
// Compares opening a DICOM series with decoding its pixels by GDCM alone, on the same number of threads. Target: at most 1.5 times as long.
// The series is a phantom with noise in a temporary folder, uncompressed or in JPEG Lossless.
//   bench_load_dicom [SIZE [SLICES [REPETITIONS [THREADS]]]]
#include <gdcmImageReader.h>
#include <gdcmTrace.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/engine/run/run_context.hpp"
#include "core/image/synthetic.hpp"
#include "core/io/loader.hpp"
#include "tests/support/dicom_compress.hpp"
#include "tests/support/dicom_writer.hpp"
#include "tests/support/temporary_folder.hpp"

namespace {

using namespace parallax;
namespace fs = std::filesystem;

/// 12 bits: the phantom plus noise of a few units, which compresses about as well as a CT.
std::vector<std::uint8_t> slicePixels(int size, int z) {
    static const Image phantom = makeSynthetic({SyntheticKind::sheppLogan, {size, size, 1, 1}, 1});
    const Image noise = makeSynthetic({SyntheticKind::noise, {size, size, 1, 1}, static_cast<std::uint64_t>(z + 1)});
    std::vector<std::uint8_t> bytes;
    bytes.reserve(static_cast<std::size_t>(size) * static_cast<std::size_t>(size) * 2);
    for (std::int64_t i = 0; i < phantom.shape().samples(); ++i) {
        const auto v = static_cast<unsigned>(1000 + 1000 * phantom.view().data[i] + 30 * noise.view().data[i]);
        bytes.push_back(static_cast<std::uint8_t>(v));
        bytes.push_back(static_cast<std::uint8_t>(v >> 8));
    }
    return bytes;
}

std::vector<std::string> makeSeries(const fs::path& folder, int size, int slices, const std::string& syntax) {
    fs::create_directories(folder);
    std::vector<std::string> files(static_cast<std::size_t>(slices));
    std::atomic<int> next{0};
    const auto work = [&] {
        for (int z; (z = next++) < slices;) {
            const std::vector<std::uint8_t> pixels = slicePixels(size, z);
            test::MadeDicom d;
            d.width = d.height = size;
            d.bitsStored = 12;
            d.position = {0, 0, 0.8 * z};
            d.instance = z + 1;
            d.transferSyntax = syntax;
            d.sample = [&](int x, int y) {
                const std::size_t at = 2 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(size) + static_cast<std::size_t>(x));
                return std::uint32_t{pixels[at]} | std::uint32_t{pixels[at + 1]} << 8;
            };
            const auto side = static_cast<unsigned>(size);
            if (syntax != "1.2.840.10008.1.2.1")
                d.encapsulated = test::MadeDicom::items(test::compressedByGdcm(syntax, side, side, 16, 12, false, pixels));
            // File names do not give the order of the slices.
            std::string& file = files[static_cast<std::size_t>(z)];
            file = (folder / ("IM" + std::to_string((z * 7919) % 100003))).string();
            d.write(file);
        }
    };
    (void)slicePixels(size, 0);  // creates the phantom, once
    std::vector<std::jthread> threads;
    for (unsigned t = 0; t < std::thread::hardware_concurrency(); ++t) threads.emplace_back(work);
    return files;
}

/// The minimum with GDCM: read each file and decode it into memory.
double secondsOfGdcm(const std::vector<std::string>& files, int size, int threads) {
    const auto start = std::chrono::steady_clock::now();
    const std::size_t bytes = static_cast<std::size_t>(size) * static_cast<std::size_t>(size) * 2;
    std::vector<std::vector<char>> pixels(files.size());
    std::atomic<std::size_t> next{0};
    std::atomic<bool> failed{false};
    {
        std::vector<std::jthread> pool;
        for (int t = 0; t < threads; ++t)
            pool.emplace_back([&] {
                for (std::size_t i; (i = next++) < files.size();) {
                    gdcm::ImageReader reader;
                    reader.SetFileName(files[i].c_str());
                    pixels[i].resize(bytes);
                    if (!reader.Read() || reader.GetImage().GetBufferLength() != bytes || !reader.GetImage().GetBuffer(pixels[i].data()))
                        failed = true;
                }
            });
    }
    if (failed) throw std::runtime_error("GDCM cannot read its own series");
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double secondsOfLoadImage(const std::string& folder, int slices, int threads) {
    const auto start = std::chrono::steady_clock::now();
    LoadOptions options;
    options.threads = threads;
    const Image image = loadImage(folder, options);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (image.shape().depth != slices || !image.source.warnings.empty()) throw std::runtime_error("the series did not open as it was made");
    return seconds;
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

double compare(const fs::path& folder, int size, int slices, int repetitions, int threads, const char* name, const std::string& syntax) {
    const std::vector<std::string> files = makeSeries(folder, size, slices, syntax);
    std::uintmax_t bytes = 0;
    for (const std::string& f : files) bytes += fs::file_size(f);
    std::printf("%d x %d x %d, %s, %.1f MB, %d threads, %d repetitions, interleaved\n", size, size, slices, name,
                static_cast<double>(bytes) / 1e6, threads, repetitions);
    std::vector<double> alone, ours;
    (void)secondsOfGdcm(files, size, threads);  // the files are in the page cache from here on
    (void)secondsOfLoadImage(folder.string(), slices, threads);
    for (int i = 0; i < repetitions; ++i) {
        // The order alternates, so that neither profits from the caches of the other.
        if (i % 2) ours.push_back(secondsOfLoadImage(folder.string(), slices, threads));
        alone.push_back(secondsOfGdcm(files, size, threads));
        if (i % 2 == 0) ours.push_back(secondsOfLoadImage(folder.string(), slices, threads));
    }
    const double ratio = median(ours) / median(alone);
    std::printf("GDCM alone     median %.1f ms, best %.1f ms\n", median(alone) * 1e3, *std::min_element(alone.begin(), alone.end()) * 1e3);
    std::printf("loadImage      median %.1f ms, best %.1f ms\n", median(ours) * 1e3, *std::min_element(ours.begin(), ours.end()) * 1e3);
    std::printf("ratio          %.3f (target: at most 1.500)\n", ratio);
    fs::remove_all(folder);
    return ratio;
}

}  // namespace

int main(int argc, char** argv) {
    const int size = argc > 1 ? std::atoi(argv[1]) : 512, slices = argc > 2 ? std::atoi(argv[2]) : 300;
    const int repetitions = argc > 3 ? std::atoi(argv[3]) : 7;
    RunContext context;
    context.threads = argc > 4 ? std::atoi(argv[4]) : 0;
    const int threads = effectiveThreads(context);
    if (size < 2 || size > 4096 || slices < 2 || repetitions < 1) {
        std::fprintf(stderr, "usage: bench_load_dicom [SIZE [SLICES [REPETITIONS [THREADS]]]]\n");
        return 2;
    }
    gdcm::Trace::WarningOff();
    gdcm::Trace::ErrorOff();
    try {
        const test::TemporaryFolder folder;
        const double plain = compare(folder.path() / "plain", size, slices, repetitions, threads, "uncompressed", "1.2.840.10008.1.2.1");
        std::printf("\n");
        const double coded =
            compare(folder.path() / "jpeg", size, slices, std::max(1, repetitions / 2), threads, "JPEG Lossless", "1.2.840.10008.1.2.4.70");
        return std::max(plain, coded) <= 1.5 ? 0 : 1;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "bench_load_dicom: %s\n", e.what());
        return 1;
    }
}
