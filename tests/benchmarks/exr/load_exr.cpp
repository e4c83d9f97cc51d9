// SPDX-License-Identifier: GPL-3.0-or-later
// Compares loading an EXR with OpenEXR alone. Target: at most 1.3 times as long.
//   bench_load_exr [SIZE [REPETITIONS [THREADS]]]
#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfInputFile.h>
#include <ImfThreading.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "core/engine/run/run_context.hpp"
#include "core/io/loader.hpp"
#include "core/io/saver.hpp"
#include "tests/benchmarks/exr/noisy_scene.hpp"

namespace {

using namespace parallax;
namespace fs = std::filesystem;

/// The minimum for reading into planar floats, with memory from the same allocator.
double secondsOfOpenExr(const std::string& path, int threads) {
    const auto start = std::chrono::steady_clock::now();
    Imf::InputFile file(path.c_str(), threads);
    const Imath::Box2i w = file.header().dataWindow();
    const std::int64_t width = std::int64_t{w.max.x} - w.min.x + 1, height = std::int64_t{w.max.y} - w.min.y + 1;
    Buffer buffer(Shape{width, height, 1, 3});
    Imf::FrameBuffer frame;
    const char* const names[] = {"R", "G", "B"};
    for (std::int64_t c = 0; c < 3; ++c)
        frame.insert(names[c],
                     Imf::Slice(Imf::FLOAT, reinterpret_cast<char*>(buffer.view<float>().row(0, 0, c) - (w.min.y * width + w.min.x)),
                                sizeof(float), sizeof(float) * static_cast<std::size_t>(width)));
    file.setFrameBuffer(frame);
    file.readPixels(w.min.y, w.max.y);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double secondsOfLoadImage(const std::string& path, int threads) {
    const auto start = std::chrono::steady_clock::now();
    LoadOptions options;
    options.threads = threads;
    const Image image = loadImage(path, options);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

}  // namespace

int main(int argc, char** argv) {
    const std::int64_t size = argc > 1 ? std::atoll(argv[1]) : 4096;
    const int repetitions = argc > 2 ? std::atoi(argv[2]) : 9;
    RunContext context;
    context.threads = argc > 3 ? std::atoi(argv[3]) : 0;
    const int threads = effectiveThreads(context);
    if (size < 1 || repetitions < 1) {
        std::fprintf(stderr, "usage: bench_load_exr [SIZE [REPETITIONS [THREADS]]]\n");
        return 2;
    }
    const fs::path folder = fs::temp_directory_path() / ("parallax_bench_" + std::to_string(::getpid()));
    fs::create_directories(folder);
    const std::string path = (folder / "noise.exr").string();
    double ratio = 0;
    try {
        SaveOptions save;
        save.depth = StoredDepth::half;
        saveImage(noisyScene(size), path, save);
        Imf::setGlobalThreadCount(threads);
        std::printf("%lld x %lld half RGB, ZIP, %.1f MB, %d threads, %d repetitions, interleaved\n", static_cast<long long>(size),
                    static_cast<long long>(size), static_cast<double>(fs::file_size(path)) / 1e6, threads, repetitions);
        std::vector<double> alone, ours;
        (void)secondsOfOpenExr(path, threads);  // the file is in the page cache from here on
        (void)secondsOfLoadImage(path, threads);
        for (int i = 0; i < repetitions; ++i) {
            // The order alternates, so that neither profits from the caches of the other.
            if (i % 2) ours.push_back(secondsOfLoadImage(path, threads));
            alone.push_back(secondsOfOpenExr(path, threads));
            if (i % 2 == 0) ours.push_back(secondsOfLoadImage(path, threads));
        }
        ratio = median(ours) / median(alone);
        std::printf("OpenEXR alone  median %.1f ms, best %.1f ms\n", median(alone) * 1e3,
                    *std::min_element(alone.begin(), alone.end()) * 1e3);
        std::printf("loadImage      median %.1f ms, best %.1f ms\n", median(ours) * 1e3, *std::min_element(ours.begin(), ours.end()) * 1e3);
        std::printf("ratio          %.3f (target: at most 1.300)\n", ratio);
        fs::remove_all(folder);
    } catch (const std::exception& e) {
        std::error_code ignored;
        fs::remove_all(folder, ignored);
        std::fprintf(stderr, "bench_load_exr: %s\n", e.what());
        return 1;
    }
    return ratio <= 1.3 ? 0 : 1;
}
