// SPDX-License-Identifier: GPL-3.0-or-later
// From file to file in strips: the file is the same, byte for byte, as that of a run in one go.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "core/image/error.hpp"
#include "core/io/file_strips.hpp"
#include "core/io/formats/exr/exr.hpp"
#include "tests/support/temporary_folder.hpp"

namespace parallax {
namespace {

namespace fs = std::filesystem;

class FileStrips : public testing::Test {
protected:
    std::string path(const std::string& name) const { return folder_ / name; }
    static std::string bytesOf(const std::string& path) {
        std::ifstream file(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    std::vector<std::string> files() const {
        std::vector<std::string> names;
        for (const auto& entry : fs::directory_iterator(folder_.path())) names.push_back(entry.path().filename().string());
        std::sort(names.begin(), names.end());
        return names;
    }

    static Pipeline pipeline(const std::string& step) { return {{parseStep(processCatalog(), step)}}; }

    /// The notes of a run in one go, and of saving.
    std::vector<std::string> inOneGo(const std::string& in, const std::string& out, const std::string& step, const Target& target,
                                     const SaveOptions& options) const {
        RunContext context;
        RunResult result = Engine(processCatalog()).run(pipeline(step), std::make_shared<Image>(loadImage(path(in))), target, context);
        return saveImage(result.image, path(out), options);
    }
    struct Done {
        std::int64_t strips = 0;
        std::vector<std::string> notes;
    };
    Done inStrips(const std::string& in, const std::string& out, const std::string& step, const Target& target, FileStripOptions options,
                  RunContext context = {}) const {
        Done done;
        FileStripRun run(processCatalog(), pipeline(step), path(in), path(out), target, options, context);
        done.strips = run.strips();
        const StageTimes times = run.run(context, done.notes);
        EXPECT_GT(times[Stage::compute], 0);
        EXPECT_GT(times[Stage::load], 0);
        EXPECT_GT(times[Stage::encode], 0);
        return done;
    }
    /// Bytes of strips of that many rows or so.
    static std::uint64_t rowsOf(const Image& image, std::int64_t rows) {
        return static_cast<std::uint64_t>(rows * image.shape().width * image.shape().channels) * sizeof(float);
    }

    test::TemporaryFolder folder_;
};

Image randomImage(const Shape& shape, std::uint32_t seed, float most = 100) {
    Image image{Buffer(shape)};
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> sample(-most, most);
    for (std::int64_t c = 0; c < shape.channels; ++c)
        for (std::int64_t y = 0; y < shape.height; ++y)
            for (std::int64_t x = 0; x < shape.width; ++x) image.view().at(x, y, 0, c) = sample(random);
    return image;
}

/// Variants that work in strips, of the backends that are here.
std::vector<Target> targets() {
    std::vector<Target> all;
    for (const char* name : {"reference", "openmp.direct", "openmp.separable", "openmp.scalar", "cuda.direct", "cuda.separable"}) {
        const Target target = parseTarget(name);
        const char* required = std::getenv("PARALLAX_REQUIRE_BACKEND");
        const Availability available = processCatalog().backend(target.backend).availability();
        EXPECT_TRUE(available.yes || !required || target.backend != required) << available.reason;
        if (available.yes) all.push_back(target);
    }
    return all;
}

TEST_F(FileStrips, WritesTheSameBytesAsAWholeRun) {
    const char* const kBorders[] = {"replicate", "constant,border-value=2.5", "reflect", "reflect101", "wrap"};
    const char* const kKernels[] = {"kernel=gaussian,size=7",
                                    "kernel=box,size=3,offset=0.25",
                                    "kernel=motion,size=9,angle=30",
                                    "kernel=sobel-y,size=5,channels=all",
                                    "kernel=custom,weights='1,2;3,4;5,6;7,8;9,1',anchor-y=0",
                                    "kernel=gaussian,size=15,anchor-y=14,anchor-x=1,alpha=keep",
                                    "kernel=box,size=1"};
    const std::vector<Target> all = targets();
    ASSERT_FALSE(all.empty());
    std::mt19937 random(20);
    const auto any = [&](std::int64_t least, std::int64_t most) {
        return std::uniform_int_distribution<std::int64_t>(least, most)(random);
    };
    int cut = 0, whole = 0;
    constexpr int kTrials = 160;
    for (int trial = 0; trial < kTrials; ++trial) {
        // Small heights, too: rows outside of the image are then several images away.
        const Shape shape{any(1, 90), trial % 8 == 0 ? any(1, 6) : any(7, 200), 1, any(1, 4)};
        Image image = randomImage(shape, static_cast<std::uint32_t>(trial));
        if (trial % 3 == 0) image.dataWindow = Window{-5, 11, shape.width - 6, shape.height + 10};
        image.metadata.push_back({"maker", "string", "somebody", {}});
        image.provenance = {"an earlier step"};
        SaveOptions save;
        save.overwrite = true;
        save.exrCompression = exrCompressions()[static_cast<std::size_t>(any(0, 5))];
        save.depth = trial % 4 == 1 ? StoredDepth::half : StoredDepth::automatic;
        saveImage(image, path("in.exr"), save);

        const Target& target = all[static_cast<std::size_t>(trial) % all.size()];
        const std::string step =
            std::string("convolve:") + kKernels[any(0, std::size(kKernels) - 1)] + ",border=" + kBorders[any(0, std::size(kBorders) - 1)];
        SCOPED_TRACE(step + " on " + target.label() + ", " + std::to_string(shape.width) + " x " + std::to_string(shape.height) + " x " +
                     std::to_string(shape.channels));
        try {
            inOneGo("in.exr", "whole.exr", step, target, save);
        } catch (const Error& e) {
            ASSERT_EQ(e.code(), ErrorCode::unavailable) << e.what();  // a kernel that is not separable
            continue;
        }
        FileStripOptions options;
        options.save = save;
        options.largestStrip = rowsOf(image, any(1, 40));
        const Done done = inStrips("in.exr", "strips.exr", step, target, options);
        ++(done.strips > 1 ? cut : whole);
        ASSERT_EQ(bytesOf(path("strips.exr")), bytesOf(path("whole.exr")));
    }
    EXPECT_GT(cut, kTrials / 2);
    EXPECT_GT(whole, 0);
    EXPECT_EQ(files(), (std::vector<std::string>{"in.exr", "strips.exr", "whole.exr"}));
}

TEST_F(FileStrips, SavesChannelsAsFloatIfTheirTypeDoesNotFit) {
    // Beyond half only near the end: the part written before is written again.
    Image image = randomImage({64, 300, 1, 3}, 1, 1);
    for (std::int64_t x = 0; x < 64; ++x) image.view().at(x, 290, 0, 1) = 60000;
    SaveOptions save;
    save.overwrite = true;
    save.depth = StoredDepth::half;
    saveImage(image, path("in.exr"), save);
    for (const StoredDepth depth : {StoredDepth::automatic, StoredDepth::half, StoredDepth::float32}) {
        save.depth = depth;
        FileStripOptions options;
        options.save = save;
        options.largestStrip = rowsOf(image, 64);
        const std::string step = "convolve:kernel=sharpen,size=3,amount=4";
        const Target target = parseTarget("reference");
        const std::vector<std::string> notes = inOneGo("in.exr", "whole.exr", step, target, save);
        const Done done = inStrips("in.exr", "strips.exr", step, target, options);
        EXPECT_GT(done.strips, 3);
        EXPECT_EQ(done.notes, notes);
        EXPECT_EQ(notes.size(), depth == StoredDepth::float32 ? 0U : 1U);
        EXPECT_EQ(bytesOf(path("strips.exr")), bytesOf(path("whole.exr")));
    }
}

TEST_F(FileStrips, LeavesNoOutputAfterDamage) {
    Image image = randomImage({128, 600, 1, 2}, 3);
    SaveOptions save;
    save.exrCompression = "zip";
    saveImage(image, path("in.exr"), save);
    const auto size = fs::file_size(path("in.exr"));
    fs::resize_file(path("in.exr"), size / 2);
    FileStripOptions options;
    options.largestStrip = rowsOf(image, 64);
    options.load.threads = 1;
    try {
        inStrips("in.exr", "out.exr", "convolve:size=3", parseTarget("reference"), options);
        FAIL() << "half a file was taken for a whole one";
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::input);
        EXPECT_NE(std::string(e.what()).find("rows "), std::string::npos) << e.what();
    }
    EXPECT_EQ(files(), std::vector<std::string>{"in.exr"});
}

TEST_F(FileStrips, KeepsTheOldFileWhenCancelled) {
    saveImage(randomImage({64, 400, 1, 1}, 4), path("in.exr"));
    std::ofstream(path("out.exr")) << "precious";
    std::stop_source stop;
    RunContext context;
    context.stop = stop.get_token();
    Progress progress;
    context.progress = &progress;
    FileStripOptions options;
    options.save.overwrite = true;
    options.largestStrip = 64 * 4 * 64;
    FileStripRun run(processCatalog(), pipeline("convolve:size=3"), path("in.exr"), path("out.exr"), parseTarget("reference"), options,
                     context);
    stop.request_stop();
    std::vector<std::string> notes;
    EXPECT_THROW(run.run(context, notes), Error);
    EXPECT_EQ(bytesOf(path("out.exr")), "precious");
    EXPECT_EQ(files(), (std::vector<std::string>{"in.exr", "out.exr"}));
}

TEST_F(FileStrips, StaysWithinTheAllowedMemory) {
    Image image = randomImage({2048, 4096, 1, 1}, 5);
    SaveOptions save;
    save.exrCompression = "zip";
    saveImage(image, path("in.exr"), save);
    image = Image();
    FileStripOptions options;
    options.load.threads = options.save.threads = 1;
    RunContext context;
    context.threads = 1;
    const auto plan = [&](std::uint64_t memory) {
        options.memory = memory;
        return std::make_unique<FileStripRun>(processCatalog(), pipeline("convolve:size=9"), path("in.exr"), path("out.exr"),
                                              parseTarget("reference"), options, context);
    };
    std::int64_t last = 0;
    for (const std::uint64_t mebi : {512, 40, 24, 16}) {
        const std::uint64_t allowed = residentMemory() + (mebi << 20);
        const auto run = plan(allowed);
        EXPECT_LE(run->estimatedBytes(), allowed + (std::uint64_t{1} << 20));  // what is resident changes a little in between
        EXPECT_GE(run->strips(), last);
        last = run->strips();
    }
    EXPECT_GT(last, 4);
    try {
        plan(residentMemory() / 2);
        FAIL() << "less memory than the program has already";
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::memory);
        EXPECT_NE(std::string(e.what()).find("MiB"), std::string::npos);
    }
}

TEST_F(FileStrips, NamesTheReasonIfStripsAreImpossible) {
    saveImage(randomImage({64, 64, 1, 1}, 6), path("in.exr"));
    const auto refused = [&](const std::string& in, const std::string& out, const std::string& step, const char* target, ErrorCode code,
                             const char* why) {
        FileStripOptions options;
        options.largestStrip = 64 * 4 * 16;
        try {
            inStrips(in, out, step, parseTarget(target), options);
            FAIL() << why;
        } catch (const Error& e) {
            EXPECT_EQ(e.code(), code) << e.what();
            EXPECT_NE(std::string(e.what()).find(why), std::string::npos) << e.what();
        }
    };
    refused("in.exr", "out.png", "convolve:size=3", "reference", ErrorCode::usage, "written in strips");
    refused("in.png", "out.exr", "convolve:size=3", "reference", ErrorCode::usage, "read in strips");
    refused("in.exr", "out.exr", "tonemap", "reference", ErrorCode::unavailable, "whole image at once");
    refused("in.exr", "in.exr", "convolve:size=3", "reference", ErrorCode::output, "exists");
    RunContext context;
    Pipeline two = pipeline("convolve:size=3");
    two.steps.push_back(two.steps[0]);
    EXPECT_THROW(FileStripRun(processCatalog(), two, path("in.exr"), path("out.exr"), parseTarget("reference"), {}, context), Error);
    EXPECT_EQ(files(), std::vector<std::string>{"in.exr"});
    EXPECT_EQ(shapeForStrips(path("in.exr")), (Shape{64, 64, 1, 1}));
    EXPECT_FALSE(shapeForStrips(path("missing.exr")).has_value());
    std::ofstream(path("bad.exr")) << "no image";
    EXPECT_FALSE(shapeForStrips(path("bad.exr")).has_value());
}

TEST_F(FileStrips, RefusesSamplesThatTheVariantDoesNotSupport) {
    if (!processCatalog().backend("openmp").availability().yes) GTEST_SKIP() << "openmp is not available";
    Image image = randomImage({64, 200, 1, 1}, 7);
    image.view().at(5, 150) = HUGE_VALF;
    saveImage(image, path("in.exr"));
    // A sum of two separable kernels; in one go this variant is refused for an image with infinities.
    const std::string step = "convolve:kernel=log,size=9";
    SaveOptions save;
    EXPECT_THROW(inOneGo("in.exr", "out.exr", step, parseTarget("openmp.separable"), save), Error);
    FileStripOptions options;
    options.largestStrip = rowsOf(image, 64);
    EXPECT_THROW(inStrips("in.exr", "out.exr", step, parseTarget("openmp.separable"), options), Error);
    EXPECT_EQ(files(), std::vector<std::string>{"in.exr"});
}

}  // namespace
}  // namespace parallax
