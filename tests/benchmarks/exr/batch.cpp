// SPDX-License-Identifier: GPL-3.0-or-later
// A batch of EXR files beside its stages alone: reading, computing and writing as many images, as many at a time. Stages that use the same
// processors cannot hide each other, so the sum of all three is printed, too. Target: at least 0.9 of the speed of the slowest stage.
// Images are noise over a smooth scene, which compresses badly, or an image that is mirrored until it is large enough.
//   bench_batch [--files N] [--size N] [--image FILE] [--jobs N] [--rounds N] [--target TARGET] [--step STEP] [--folder FOLDER]
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "core/engine/run/engine.hpp"
#include "core/io/batch/batch.hpp"
#include "tests/benchmarks/exr/noisy_scene.hpp"

namespace {

using namespace parallax;
namespace fs = std::filesystem;

double secondsOf(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Calls work(i) for all items, `jobs` at a time.
void forEachItem(std::size_t items, int jobs, const std::function<void(std::size_t)>& work) {
    std::atomic<std::size_t> next = 0;
    std::vector<std::jthread> threads;
    for (int job = 0; job < jobs; ++job)
        threads.emplace_back([&] {
            for (std::size_t i = next++; i < items; i = next++) work(i);
        });
}

/// The image, mirrored at its edges as often as needed: its samples keep their types, and compress as they do.
Image mirrored(const Image& image, std::int64_t size) {
    const View<const float> from = image.view();
    Image to{Buffer({size, size, 1, from.shape.channels})};
    const auto place = [](std::int64_t i, std::int64_t n) { return i % (2 * n) < n ? i % (2 * n) : 2 * n - 1 - i % (2 * n); };
    for (std::int64_t c = 0; c < from.shape.channels; ++c)
        for (std::int64_t y = 0; y < size; ++y)
            for (std::int64_t x = 0; x < size; ++x)
                to.view().at(x, y, 0, c) = from.at(place(x, from.shape.width), place(y, from.shape.height), 0, c);
    to.source = image.source;
    return to;
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

int run(std::map<std::string, std::string> options) {
    const auto number = [&](const char* name) { return std::stoi(options.at(name)); };
    const std::size_t count = static_cast<std::size_t>(number("--files"));
    const fs::path folder = options.at("--folder");
    fs::create_directories(folder / "in");
    const std::string& file = options.at("--image");
    const auto image =
        std::make_shared<const Image>(file.empty() ? noisyScene(number("--size")) : mirrored(loadImage(file), number("--size")));
    const std::string first = (folder / "in" / "0000.exr").string();
    (void)saveImage(*image, first, {.overwrite = true});
    std::vector<BatchItem> items;
    for (std::size_t i = 0; i < count; ++i) {
        char name[32];
        std::snprintf(name, sizeof(name), "%04zu.exr", i);
        if (i > 0) fs::copy_file(first, folder / "in" / name, fs::copy_options::overwrite_existing);
        items.push_back({(folder / "in" / name).string(), (folder / "out" / name).string()});
    }
    fs::create_directories(folder / "out");

    const Catalog& catalog = processCatalog();
    BatchOptions batchOptions{.pipeline = parsePipeline(catalog, {options.at("--step")}),
                              .target = parseTarget(options.at("--target")),
                              .save = {.overwrite = true},
                              .jobs = number("--jobs")};
    const Batch planned(catalog, batchOptions, items);
    const int jobs = planned.jobs(), threads = planned.threadsOfItem();
    Target target = batchOptions.target;
    target.threads = threads;
    LoadOptions load;
    load.threads = threads;
    SaveOptions save{.overwrite = true};
    save.threads = threads;

    struct Stage {
        const char* name;
        std::function<void()> work;
        std::vector<double> seconds{};
    };
    std::vector<Stage> stages{
        {"reading", [&] { forEachItem(count, jobs, [&](std::size_t i) { (void)loadImage(items[i].input, load); }); }},
        {"computing",
         [&] {
             forEachItem(count, jobs, [&](std::size_t) {
                 RunContext context;
                 (void)Engine(catalog).run(batchOptions.pipeline, image, target, context);
             });
         }},
        {"writing", [&] { forEachItem(count, jobs, [&](std::size_t i) { (void)saveImage(*image, items[i].output, save); }); }},
        {"batch", [&] {
             Batch batch(catalog, batchOptions, items);
             batch.run({}, {});
             if (batch.count(BatchState::done) != static_cast<std::int64_t>(count)) throw Error(ErrorCode::failed, "An item failed");
         }}};
    for (int round = 0; round < number("--rounds"); ++round)
        for (Stage& stage : stages) stage.seconds.push_back(secondsOf(stage.work));

    std::printf("%zu files of %s x %s, %s, %s on %s, %d at a time with %d thread(s) each\n", count, options.at("--size").c_str(),
                options.at("--size").c_str(), file.empty() ? "noise over a scene" : fs::path(file).filename().c_str(),
                options.at("--step").c_str(), options.at("--target").c_str(), jobs, threads);
    double slowest = 0, sum = 0;
    for (const Stage& stage : stages) {
        const double seconds = median(stage.seconds);
        std::printf("  %-10s %8.3f s  %7.1f files/s\n", stage.name, seconds, static_cast<double>(count) / seconds);
        if (&stage == &stages.back()) {
            std::printf("  %.2f of the speed of the slowest stage (target 0.90), %.2f of one stage after the other\n", slowest / seconds,
                        sum / seconds);
        }
        slowest = std::max(slowest, seconds);
        sum += seconds;
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    std::map<std::string, std::string> options{{"--files", "200"},
                                               {"--size", "2048"},
                                               {"--image", ""},
                                               {"--jobs", "0"},
                                               {"--rounds", "3"},
                                               {"--target", "openmp"},
                                               {"--step", "convolve:kernel=gaussian,size=7"},
                                               {"--folder", "batch"}};
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!options.contains(argv[i])) {
            std::fprintf(stderr, "Unknown option '%s'\n", argv[i]);
            return 2;
        }
        options[argv[i]] = argv[i + 1];
    }
    try {
        return run(std::move(options));
    } catch (const std::exception& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
}
