// SPDX-License-Identifier: GPL-3.0-or-later
// Writes and reads files with Parallax and with OpenCV or OpenEXR in turn; files.py adds nibabel and prints the table. One line per
// measurement: work, program, median of the wall-clock seconds, of the processor seconds, bytes of the file.
//   bench_files FOLDER [SIZE [REPETITIONS [WORK]]]
//   bench_files FOLDER volume FILE [REPETITIONS]
#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfInputFile.h>
#include <ImfOutputFile.h>
#include <ImfThreading.h>
#include <tiffio.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <functional>
#include <memory>
#include <opencv2/imgcodecs.hpp>
#include <string>
#include <thread>
#include <vector>

#include "core/engine/backend/catalog.hpp"
#include "core/engine/run/engine.hpp"
#include "core/image/synthetic.hpp"
#include "core/io/file_strips.hpp"
#include "core/io/loader.hpp"
#include "core/io/saver.hpp"

namespace {

using namespace parallax;
namespace fs = std::filesystem;

double processorSeconds() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

/// A program and what it does; `file` is what it writes or reads.
struct Contender {
    std::string program, file;
    std::function<void()> run;
};

struct Bench {
    std::string only;
    int repetitions = 5;

    bool wants(const std::string& work) const { return work.find(only) != std::string::npos || only.find(work) != std::string::npos; }

    static void report(const std::string& work, const std::string& program, double wall, double processor, const std::string& file) {
        std::printf("%s\t%s\t%.4f\t%.4f\t%llu\n", work.c_str(), program.c_str(), wall, processor,
                    static_cast<unsigned long long>(fs::file_size(file)));
        std::fflush(stdout);
    }

    /// In turn, so that other load meets all alike. The first round is not counted.
    void compare(const std::string& work, const std::vector<Contender>& contenders) const {
        std::vector<std::vector<double>> wall(contenders.size()), processor(contenders.size());
        for (int round = 0; round <= repetitions; ++round)
            for (std::size_t i = 0; i < contenders.size(); ++i) {
                const double busy = processorSeconds();
                const auto start = std::chrono::steady_clock::now();
                contenders[i].run();
                const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
                if (round == 0) continue;
                wall[i].push_back(seconds);
                processor[i].push_back(processorSeconds() - busy);
            }
        for (std::size_t i = 0; i < contenders.size(); ++i)
            report(work, contenders[i].program, median(wall[i]), median(processor[i]), contenders[i].file);
    }
};

/// A scene with the texture of a photograph: smooth light with noise of half a percent.
Image photograph(std::int64_t width, std::int64_t height) {
    Image image = makeSynthetic({SyntheticKind::zonePlate, {width, height, 1, 3}, 1});
    const Image noise = makeSynthetic({SyntheticKind::noise, {width, height, 1, 3}, 5});
    float* const samples = image.view().data;
    for (std::int64_t i = 0; i < image.shape().samples(); ++i) samples[i] *= 0.5F + 0.0025F * noise.view().data[i];
    return image;
}

void comparePng(const Bench& bench, const std::string& folder, const std::string& name, const Image& image) {
    const std::string ours = folder + "/ours.png", theirs = folder + "/theirs.png";
    SaveOptions options;
    options.overwrite = true;
    options.depth = StoredDepth::uint16;
    saveImage(image, ours, options);
    const cv::Mat stored = cv::imread(ours, cv::IMREAD_UNCHANGED);
    cv::imwrite(theirs, stored);
    std::vector<Contender> writers{{"Parallax", ours, [&] { saveImage(image, ours, options); }},
                                   {"OpenCV", theirs, [&] { cv::imwrite(theirs, stored); }}};
    SaveOptions fast = options, small = options;
    fast.compression = Compression::fast;
    small.compression = Compression::small;
    const std::string fastFile = folder + "/fast.png", smallFile = folder + "/small.png";
    writers.push_back({"Parallax, fast", fastFile, [&] { saveImage(image, fastFile, fast); }});
    writers.push_back({"Parallax, small", smallFile, [&] { saveImage(image, smallFile, small); }});
    bench.compare("write png " + name, writers);
    for (const auto& [program, file] : {std::pair{"Parallax's file", ours}, std::pair{"OpenCV's file", theirs}})
        bench.compare("read png " + name + ", " + program,
                      {{"Parallax", file, [&] { loadImage(file); }}, {"OpenCV", file, [&] { cv::imread(file, cv::IMREAD_UNCHANGED); }}});
}

void writeWithOpenExr(const Image& image, const std::string& path, Imf::Compression compression, int threads) {
    const int width = static_cast<int>(image.shape().width), height = static_cast<int>(image.shape().height);
    Imf::Header header(width, height);
    header.compression() = compression;
    Imf::FrameBuffer frame;
    const char* const names[] = {"R", "G", "B"};
    for (std::int64_t c = 0; c < 3; ++c) {
        header.channels().insert(names[c], Imf::Channel(Imf::FLOAT));
        auto* const samples = reinterpret_cast<char*>(const_cast<float*>(image.view().row(0, 0, c)));
        frame.insert(names[c], Imf::Slice(Imf::FLOAT, samples, sizeof(float), sizeof(float) * static_cast<std::size_t>(width)));
    }
    Imf::OutputFile file(path.c_str(), header, threads);
    file.setFrameBuffer(frame);
    file.writePixels(height);
}

void readWithOpenExr(const std::string& path, int threads) {
    Imf::InputFile file(path.c_str(), threads);
    const Imath::Box2i window = file.header().dataWindow();
    const auto width = static_cast<std::size_t>(window.max.x) + 1, height = static_cast<std::size_t>(window.max.y) + 1;
    const auto planes = std::make_unique_for_overwrite<float[]>(3 * width * height);
    Imf::FrameBuffer frame;
    const char* const names[] = {"R", "G", "B"};
    for (std::size_t c = 0; c < 3; ++c)
        frame.insert(names[c], Imf::Slice(Imf::FLOAT, reinterpret_cast<char*>(planes.get() + c * width * height), sizeof(float),
                                          sizeof(float) * width));
    file.setFrameBuffer(frame);
    file.readPixels(window.min.y, window.max.y);
}

void compareExr(const Bench& bench, const std::string& folder, const std::string& name, const Image& image) {
    const int threads = static_cast<int>(std::thread::hardware_concurrency());
    if (Imf::globalThreadCount() < threads) Imf::setGlobalThreadCount(threads);
    const std::pair<const char*, Imf::Compression> compressions[] = {{"none", Imf::NO_COMPRESSION},
                                                                     {"rle", Imf::RLE_COMPRESSION},
                                                                     {"zips", Imf::ZIPS_COMPRESSION},
                                                                     {"zip", Imf::ZIP_COMPRESSION},
                                                                     {"piz", Imf::PIZ_COMPRESSION}};
    for (const auto& [compression, theirs] : compressions) {
        const std::string work = "write exr " + name + " " + compression, ours = folder + "/ours.exr", peer = folder + "/peer.exr";
        if (!bench.wants(work)) continue;
        SaveOptions options;
        options.overwrite = true;
        options.exrCompression = compression;
        bench.compare(work, {{"Parallax", ours, [&] { saveImage(image, ours, options); }},
                             {"OpenEXR", peer, [&, c = theirs] { writeWithOpenExr(image, peer, c, threads); }}});
        bench.compare("read exr " + name + " " + compression,
                      {{"Parallax", ours, [&] { loadImage(ours); }}, {"OpenEXR", ours, [&] { readWithOpenExr(ours, threads); }}});
    }
}

/// Deflate with the predictor that Parallax chooses; strips of the same size.
void writeWithLibtiff(const void* samples, int width, int height, int bits, const std::string& path) {
    TIFF* const tiff = TIFFOpen(path.c_str(), "w");
    const bool floats = bits == 32;
    const int rowBytes = width * 3 * bits / 8, rows = std::max(1, (1 << 18) / rowBytes);
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, width);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, height);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 3);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, bits);
    TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, floats ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_RGB);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE);
    TIFFSetField(tiff, TIFFTAG_PREDICTOR, floats ? PREDICTOR_FLOATINGPOINT : PREDICTOR_HORIZONTAL);
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, rows);
    // libtiff changes the buffer.
    std::vector<char> strip(static_cast<std::size_t>(rows) * static_cast<std::size_t>(rowBytes));
    for (int y = 0; y < height; y += rows) {
        const auto bytes = static_cast<std::size_t>(std::min(rows, height - y)) * static_cast<std::size_t>(rowBytes);
        std::memcpy(strip.data(), static_cast<const char*>(samples) + static_cast<std::size_t>(y) * static_cast<std::size_t>(rowBytes),
                    bytes);
        TIFFWriteEncodedStrip(tiff, static_cast<std::uint32_t>(y / rows), strip.data(), static_cast<tmsize_t>(bytes));
    }
    TIFFClose(tiff);
}

void readWithLibtiff(const std::string& path) {
    TIFF* const tiff = TIFFOpen(path.c_str(), "r");
    const auto stripBytes = static_cast<std::size_t>(TIFFStripSize(tiff));
    const std::uint32_t strips = TIFFNumberOfStrips(tiff);
    const auto samples = std::make_unique_for_overwrite<char[]>(stripBytes * strips);
    for (std::uint32_t i = 0; i < strips; ++i) TIFFReadEncodedStrip(tiff, i, samples.get() + stripBytes * i, -1);
    TIFFClose(tiff);
}

void compareTiff(const Bench& bench, const std::string& folder, const std::string& name, const Image& image) {
    const std::string ours = folder + "/ours.tif", theirs = folder + "/theirs.tif", libtiffs = folder + "/libtiff.tif";
    const int width = static_cast<int>(image.shape().width), height = static_cast<int>(image.shape().height);
    SaveOptions options;
    options.overwrite = true;
    for (const int bits : {16, 32}) {
        const std::string work = "tif " + name + (bits == 16 ? ", 16 bit" : ", float");
        if (!bench.wants("write " + work)) continue;
        options.depth = bits == 16 ? StoredDepth::uint16 : StoredDepth::float32;
        saveImage(image, ours, options);
        const cv::Mat stored = cv::imread(ours, cv::IMREAD_UNCHANGED);
        const std::vector<int> deflate{cv::IMWRITE_TIFF_COMPRESSION, COMPRESSION_ADOBE_DEFLATE};
        std::vector<Contender> writers{{"Parallax", ours, [&] { saveImage(image, ours, options); }},
                                       {"libtiff", libtiffs, [&] { writeWithLibtiff(stored.data, width, height, bits, libtiffs); }}};
        if (bits == 16) {
            writers.push_back({"OpenCV", theirs, [&] { cv::imwrite(theirs, stored, deflate); }});
            writers.push_back({"OpenCV, LZW", folder + "/lzw.tif", [&] { cv::imwrite(folder + "/lzw.tif", stored); }});
        }
        bench.compare("write " + work, writers);
        bench.compare("read " + work, {{"Parallax", ours, [&] { loadImage(ours); }},
                                       {"libtiff", ours, [&] { readWithLibtiff(ours); }},
                                       {"OpenCV", ours, [&] { cv::imread(ours, cv::IMREAD_UNCHANGED); }}});
    }
}

/// A run from file to file, in strips with all stages at the same time and with one stage after another.
void compareRun(const Bench& bench, const std::string& folder, const std::string& work, const Image& image) {
    const std::string in = folder + "/in.exr", overlapped = folder + "/overlapped.exr", whole = folder + "/whole.exr";
    SaveOptions save;
    save.overwrite = true;
    saveImage(image, in, save);
    const Catalog& catalog = processCatalog();
    const Pipeline pipeline{{parseStep(catalog, "convolve:kernel=gaussian,size=9")}};
    const Target target = parseTarget("openmp");
    FileStripOptions options;
    options.save = save;
    RunContext context;
    std::vector<double> sums;
    const auto inStrips = [&] {
        std::vector<std::string> notes;
        const StageTimes times = FileStripRun(catalog, pipeline, in, overlapped, target, options, context).run(context, notes);
        sums.push_back(0);
        for (const Stage stage : kAllStages) sums.back() += 1e-9 * static_cast<double>(times[stage]);
    };
    const auto inMemory = [&] {
        const RunResult result = Engine(catalog).run(pipeline, std::make_shared<Image>(loadImage(in)), target, context);
        saveImage(result.image, whole, save);
    };
    bench.compare(work, {{"Parallax", overlapped, inStrips}, {"one stage after another", whole, inMemory}});
    sums.erase(sums.begin());  // the first round
    Bench::report(work, "sum of the overlapping stages", median(sums), 0, overlapped);
}

void compareVolume(const Bench& bench, const std::string& folder, const std::string& file) {
    const std::string ours = folder + "/ours.nii.gz";
    const Image image = loadImage(file);
    SaveOptions options;
    options.overwrite = true;
    bench.compare("write nii.gz", {{"Parallax", ours, [&] { saveImage(image, ours, options); }}});
    bench.compare("read nii.gz", {{"Parallax", file, [&] { loadImage(file); }}});
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: bench_files FOLDER [SIZE [REPETITIONS [WORK]]]\n");
        return 2;
    }
    const std::string folder = argv[1];
    if (argc > 3 && std::string(argv[2]) == "volume") {
        compareVolume({"", argc > 4 ? std::atoi(argv[4]) : 5}, folder, argv[3]);
        return 0;
    }
    const std::int64_t size = argc > 2 ? std::atoll(argv[2]) : 4096;
    const Bench bench{argc > 4 ? argv[4] : "", argc > 3 ? std::atoi(argv[3]) : 5};
    const Shape colours{size, size, 1, 3};
    const std::pair<std::string, std::function<Image()>> pictures[] = {{"noise",
                                                                        [&] {
                                                                            return makeSynthetic({SyntheticKind::noise, colours, 1});
                                                                        }},
                                                                       {"HDR ramp",
                                                                        [&] {
                                                                            return makeSynthetic({SyntheticKind::hdrRamp, colours, 1});
                                                                        }},
                                                                       {"photograph", [&] { return photograph(size, size); }},
                                                                       {"874 x 644", [&] { return photograph(874, 644); }}};
    for (const auto& [name, make] : pictures)
        if (bench.wants("png " + name)) comparePng(bench, folder, name, make());
    for (const auto& [name, make] : pictures)
        if (name != "874 x 644" && bench.wants("exr " + name)) compareExr(bench, folder, name, make());
    for (const auto& [name, make] : pictures)
        if (name != "874 x 644" && bench.wants("tif " + name)) compareTiff(bench, folder, name, make());
    const std::string work = "run exr to exr " + std::to_string(2 * size) + " x " + std::to_string(2 * size);
    if (bench.wants(work)) compareRun(bench, folder, work, photograph(2 * size, 2 * size));
    return 0;
}
