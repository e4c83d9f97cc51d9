// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <set>
#include <thread>

#include "core/engine/run/engine.hpp"
#include "core/image/host/memory_use.hpp"
#include "core/image/synthetic.hpp"
#include "core/io/batch/batch.hpp"
#include "core/io/file_strips.hpp"
#include "tests/support/temporary_folder.hpp"

namespace parallax {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

class BatchTest : public testing::Test {
protected:
    std::string path(const std::string& name) const { return folder_ / name; }
    std::string touch(const std::string& name) const {
        fs::create_directories(fs::path(path(name)).parent_path());
        std::ofstream(path(name)) << "x";
        return path(name);
    }
    std::string image(const std::string& name, const std::string& synthetic) const {
        SaveOptions options;
        options.overwrite = true;
        saveImage(openInput(synthetic), path(name), options);
        return path(name);
    }
    /// Writes 8 x 8 samples and a header that names them.
    std::string nrrd(const std::string& name, const std::string& samples) const {
        std::ofstream(path(samples)) << std::string(64, 'x');
        std::ofstream(path(name)) << "NRRD0004\ntype: uint8\ndimension: 2\nsizes: 8 8\nencoding: raw\ndata file: " << samples << "\n";
        return path(name);
    }
    std::vector<std::string> names(const std::vector<std::string>& inputs) const {
        std::vector<std::string> all;
        for (const std::string& input : inputs) all.push_back(fs::path(input).lexically_relative(folder_.path()).string());
        return all;
    }
    static std::string bytesOf(const std::string& file) {
        std::ifstream stream(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }
    static BatchOptions options(const std::string& step = {}) {
        BatchOptions o;
        if (!step.empty()) o.pipeline = {{parseStep(processCatalog(), step)}};
        o.target.backend = "reference";
        return o;
    }
    static std::vector<BatchState> statesOf(const Batch& batch) {
        std::vector<BatchState> states;
        for (std::size_t i = 0; i < batch.items().size(); ++i) states.push_back(batch.result(i).state);
        return states;
    }
    static void run(Batch& batch) { batch.run({}, {}); }

    test::TemporaryFolder folder_;
};

using Names = std::vector<std::string>;
using enum BatchState;
using States = std::vector<BatchState>;

ErrorCode codeOf(const std::function<void()>& f) {
    try {
        f();
    } catch (const Error& e) {
        return e.code();
    }
    ADD_FAILURE() << "no error";
    return ErrorCode::failed;
}

TEST_F(BatchTest, PatternsStandForFilesInNaturalOrder) {
    for (const char* name : {"shot10.png", "Shot2.png", "shot1.exr", "shot3.txt"}) touch(name);
    EXPECT_EQ(names(expandInputs({path("*hot*.png"), path("shot1.exr")})), (Names{"Shot2.png", "shot10.png", "shot1.exr"}));
    EXPECT_EQ(names(expandInputs({path("shot[13].*")})), (Names{"shot1.exr", "shot3.txt"}));
    EXPECT_EQ(codeOf([&] { (void)expandInputs({path("none*.png")}); }), ErrorCode::input);
}

TEST_F(BatchTest, AFileWithTheCharactersOfAPatternIsAFile) {
    touch("a[1].png");
    touch("a1.png");
    EXPECT_FALSE(isFilePattern(path("a[1].png")));
    EXPECT_EQ(names(expandInputs({path("a[1].png")})), (Names{"a[1].png"}));
}

TEST_F(BatchTest, FoldersStandForTheirImages) {
    for (const char* name : {"in/b.png", "in/a.exr", "in/notes.txt", "in/.hidden.png", "in/below/c.png", "empty/readme.md"}) touch(name);
    EXPECT_EQ(names(expandInputs({path("in")})), (Names{"in/a.exr", "in/b.png"}));
    EXPECT_EQ(codeOf([&] { (void)expandInputs({path("empty")}); }), ErrorCode::input);
}

TEST_F(BatchTest, FoldersLeaveOutSamplesOfHeaders) {
    nrrd("a.nhdr", "a.raw");
    nrrd("b.nhdr", "other.raw");
    touch("alone.raw");
    image("k.raw", "synthetic:noise:8x8");
    std::ofstream(path("m.mhd")) << "NDims = 2\nDimSize = 1 1\nElementType = MET_UCHAR\nElementDataFile = m.raw\n";
    for (const char* name : {"m.raw", "pair.hdr", "pair.img"}) touch(name);
    EXPECT_EQ(names(expandInputs({path("")})), (Names{"a.nhdr", "alone.raw", "b.nhdr", "k.raw.json", "m.mhd", "pair.hdr"}));
}

TEST_F(BatchTest, FoldersOfSeriesKeepTheirOtherImages) {
    fs::create_directories(path("in"));
    image("in/series/", "synthetic:noise:8x8x3");
    fs::copy(path("in/series/image_0001.dcm"), path("in/slice.dcm"));
    image("in/b.png", "synthetic:noise:8x8");
    image("in/a.png", "synthetic:noise:8x8");
    EXPECT_EQ(names(expandInputs({path("in")})), (Names{"in", "in/a.png", "in/b.png"}));
}

TEST_F(BatchTest, PlaceholdersNameOutputs) {
    const auto outputs = [](const Names& inputs, const std::string& pattern) {
        Names all;
        for (const BatchItem& item : planBatch(inputs, pattern, {"convolve-tonemap", "cuda.tiled"})) all.push_back(item.output);
        return all;
    };
    EXPECT_EQ(outputs({"a/scan.nii.gz", "b/x.y.EXR"}, "out/{folder}/{name}_{op}.{ext}"),
              (Names{"out/a/scan_convolve-tonemap.nii.gz", "out/b/x.y_convolve-tonemap.exr"}));
    EXPECT_EQ(outputs(Names(11, "synthetic:noise:8x8"), "{number}-{backend}.png")[1], "02-cuda.tiled.png");
    EXPECT_EQ(outputs({"synthetic:noise:8x8,channels=3"}, "{name}.png"), Names{"synthetic_noise_8x8_channels_3.png"});
    EXPECT_EQ(outputs({"raw:8x8,type=uint8:dir/some.bin"}, "{name}.png"), Names{"some.png"});
    const std::string volume = touch("vol.nii");
    EXPECT_EQ(outputs({volume + "#2", path("") + "#3"}, "{name}.exr"),
              (Names{"vol_2.exr", fs::path(folder_.path()).filename().string() + "_3.exr"}));
}

TEST_F(BatchTest, RefusesOutputsThatCollide) {
    const auto plan = [](const Names& inputs, const std::string& output) { return codeOf([&] { (void)planBatch(inputs, output, {}); }); };
    EXPECT_EQ(plan({"a/x.png", "b/x.png"}, "out/{name}.png"), ErrorCode::usage);
    EXPECT_EQ(plan({"a/x.png", "b/x.png"}, "out.png"), ErrorCode::usage);
    EXPECT_EQ(plan({"a/x.png", "a/y.exr"}, "a/../a/{name}.png"), ErrorCode::usage);
    EXPECT_EQ(plan({"a/x.png"}, "{nam}.png"), ErrorCode::usage);
    EXPECT_EQ(plan({"a/x.png"}, "{name.png"), ErrorCode::usage);
    EXPECT_EQ(planBatch({"a/x.png", "b/x.png"}, "{folder}-{name}.png", {}).size(), 2U);
}

TEST_F(BatchTest, RefusesOutputsThatAreReadForAnInput) {
    const std::string header = nrrd("v.nhdr", "v.raw"), description = image("k.raw", "synthetic:noise:8x8") + ".json";
    touch("pair.hdr");
    touch("pair.img");
    image("series/", "synthetic:noise:8x8x3");
    const auto plan = [&](const std::string& input, const std::string& output) {
        return codeOf([&] { (void)planBatch({input}, path(output), {}); });
    };
    EXPECT_EQ(plan(header, "{name}.raw"), ErrorCode::usage);
    EXPECT_EQ(plan(description, "{name}.raw"), ErrorCode::usage);
    EXPECT_EQ(plan(path("k.raw"), "k.raw"), ErrorCode::usage);
    EXPECT_EQ(plan(path("pair.img"), "{name}.hdr"), ErrorCode::usage);
    EXPECT_EQ(plan(path("series"), "series/image_0002.dcm"), ErrorCode::usage);
    EXPECT_EQ(planBatch({header}, path("{name}.new.raw"), {}).size(), 1U);
}

TEST_F(BatchTest, SavingKeepsTheSamplesOfAnInputWithItsHeader) {
    const Image input = loadImage(nrrd("v.nhdr", "v.raw"));
    EXPECT_EQ(codeOf([&] { (void)saveImage(input, path("v.raw"), {.overwrite = true}); }), ErrorCode::output);
    EXPECT_EQ(bytesOf(path("v.raw")), std::string(64, 'x'));
    // Both files are replaced.
    const Image described = loadImage(image("k.raw", "synthetic:noise:8x8") + ".json");
    EXPECT_NO_THROW((void)saveImage(described, path("k.raw"), {.overwrite = true}));
}

TEST_F(BatchTest, WritesTheBytesOfSingleRuns) {
    std::vector<BatchItem> items;
    for (int i = 0; i < 5; ++i)
        items.push_back({image(std::to_string(i) + ".exr",
                               "synthetic:noise:37x" + std::to_string(21 + i) + ",channels=3,seed=" + std::to_string(i + 1)),
                         path("out/" + std::to_string(i) + ".png")});
    BatchOptions o = options("convolve:size=5");
    o.jobs = 3;
    Batch batch(processCatalog(), o, items);
    std::set<std::thread::id> threads;
    batch.run({}, [&](std::size_t) { threads.insert(std::this_thread::get_id()); });
    EXPECT_EQ(statesOf(batch), States(5, done));
    EXPECT_EQ(batch.fraction(), 1);
    for (const BatchItem& item : items) {
        RunContext context;
        Target reference;
        reference.backend = "reference";
        const RunResult result =
            Engine(processCatalog()).run(o.pipeline, std::make_shared<Image>(openInput(item.input)), reference, context);
        saveImage(result.image, path("single.png"), {.overwrite = true});
        EXPECT_EQ(bytesOf(item.output), bytesOf(path("single.png"))) << item.output;
    }
    EXPECT_EQ(batch.result(0).shape.width, 37);
    EXPECT_EQ(batch.result(0).plan.size(), 1U);
    EXPECT_GT(batch.result(0).times[Stage::encode], 0);
}

TEST_F(BatchTest, ConvertsWithoutSteps) {
    const std::string input = image("a.exr", "synthetic:zone-plate:31x17");
    Batch batch(processCatalog(), options(), {{input, path("a.pfm")}});
    run(batch);
    EXPECT_EQ(statesOf(batch), States{done});
    const Image original = loadImage(input), converted = loadImage(path("a.pfm"));
    ASSERT_EQ(original.shape(), converted.shape());
    for (std::int64_t y = 0; y < 17; ++y)
        for (std::int64_t x = 0; x < 31; ++x) EXPECT_EQ(original.view().at(x, y, 0, 0), converted.view().at(x, y, 0, 0));
}

TEST_F(BatchTest, StopsAtTheFirstFailureUnlessItKeepsGoing) {
    const std::string good = image("good.png", "synthetic:noise:9x9"), bad = touch("bad.png");
    const std::vector<BatchItem> items{{bad, path("o/1.png")}, {good, path("o/2.png")}, {good, path("o/3.png")}};
    BatchOptions o = options("convolve");
    o.jobs = 1;
    Batch first(processCatalog(), o, items);
    run(first);
    EXPECT_EQ(statesOf(first), (States{failed, notRun, notRun}));
    ASSERT_TRUE(first.result(0).error);
    EXPECT_EQ(first.result(0).error->code(), ErrorCode::input);
    o.keepGoing = true;
    Batch second(processCatalog(), o, items);
    run(second);
    EXPECT_EQ(statesOf(second), (States{failed, done, done}));
    EXPECT_EQ(second.count(done), 2);
}

TEST_F(BatchTest, ResumesWithWhatIsMissingOrOld) {
    std::vector<BatchItem> items;
    for (const char* name : {"a", "b", "c"})
        items.push_back({image(std::string(name) + ".png", "synthetic:noise:9x9"), path(std::string(name) + ".exr")});
    BatchOptions o = options("convolve");
    o.jobs = 1;
    Batch once(processCatalog(), o, items);
    run(once);
    EXPECT_EQ(codeOf([&] { Batch(processCatalog(), o, items).check(); }), ErrorCode::output);
    fs::remove(items[1].output);
    fs::last_write_time(items[2].input, fs::last_write_time(items[2].output) + 1h);
    o.resume = true;
    Batch again(processCatalog(), o, items);
    again.check();
    run(again);
    EXPECT_EQ(statesOf(again), (States{upToDate, done, done}));
}

TEST_F(BatchTest, ResumesWithChangedSamplesAndSlices) {
    image("series/", "synthetic:noise:8x8x3");
    touch("series/readme.txt");
    const std::vector<BatchItem> items{{nrrd("a.nhdr", "a.raw"), path("a.exr")}, {path("series"), path("s.nii")}};
    BatchOptions o = options();
    o.resume = true;
    Batch once(processCatalog(), o, items);
    run(once);
    const auto states = [&](const std::string& changed) {
        const auto written = fs::last_write_time(path("s.nii"));
        fs::last_write_time(path(changed), written + 1h);
        Batch again(processCatalog(), o, items);
        run(again);
        fs::last_write_time(path(changed), written - 1h);
        return statesOf(again);
    };
    EXPECT_EQ(states("series/readme.txt"), (States{upToDate, upToDate}));
    EXPECT_EQ(states("a.raw"), (States{done, upToDate}));
    EXPECT_EQ(states("series/image_0002.dcm"), (States{upToDate, done}));
}

TEST_F(BatchTest, AdvisesOnFoldersThatCannotBeMade) {
    const auto adviceFor = [&](const std::string& folder) -> std::string {
        Batch batch(processCatalog(), options(), {{"synthetic:noise:8x8", path(folder + "/a.exr")}});
        try {
            run(batch);
        } catch (const Error& e) {
            return e.whatToDo();
        }
        return "no error";
    };
    EXPECT_EQ(adviceFor(fs::path(touch("file")).filename().string()), "Choose another folder");
    EXPECT_EQ(adviceFor(std::string(300, 'x')), "Choose a shorter name");
}

TEST_F(BatchTest, ChecksOutputsBeforeItReads) {
    BatchOptions o = options("convolve");
    EXPECT_EQ(codeOf([&] { Batch(processCatalog(), o, {{"missing.png", path("a.xyz")}}).check(); }), ErrorCode::usage);
    o.save.depth = StoredDepth::half;
    EXPECT_EQ(codeOf([&] { Batch(processCatalog(), o, {{"missing.png", path("a.png")}}).check(); }), ErrorCode::usage);
}

TEST_F(BatchTest, ItemsThatNeedTooMuchMemoryRunAlone) {
    std::vector<BatchItem> items;
    for (const char* name : {"a", "b", "c", "d"})
        items.push_back({image(std::string(name) + ".pfm", "synthetic:noise:256x256"), path(std::string(name) + ".exr")});
    BatchOptions o = options("convolve");
    o.jobs = 4;
    o.memory = 3 * bytesInOneGo({256, 256, 1, 1});  // less than one each
    std::multiset<BatchState> entered;
    Batch batch(processCatalog(), o, items);
    batch.run({}, [&](std::size_t i) { entered.insert(batch.result(i).state); });
    EXPECT_EQ(statesOf(batch), States(4, done));
    EXPECT_EQ(entered.count(waiting), 4U);
    o.memory = bytesInOneGo({256, 256, 1, 1}) / 2;
    o.save.overwrite = o.keepGoing = true;
    setScratchFolder(kNoScratch);
    Batch tooSmall(processCatalog(), o, items);
    run(tooSmall);
    setScratchFolder({});
    EXPECT_EQ(statesOf(tooSmall), States(4, failed));
    EXPECT_EQ(tooSmall.result(0).error->code(), ErrorCode::memory);
}

TEST_F(BatchTest, StopsSoon) {
    std::vector<BatchItem> items;
    for (int i = 0; i < 6; ++i) items.push_back({"synthetic:noise:1500x1500", path(std::to_string(i) + ".exr")});
    Batch batch(processCatalog(), options("convolve:size=63,kernel=gaussian"), items);
    std::stop_source stop;
    std::thread canceller([&] {
        std::this_thread::sleep_for(300ms);
        stop.request_stop();
    });
    EXPECT_EQ(codeOf([&] { batch.run(stop.get_token(), {}); }), ErrorCode::cancelled);
    canceller.join();
    EXPECT_EQ(batch.count(running), 0);
    EXPECT_EQ(batch.count(done) + batch.count(notRun), 6);
    EXPECT_GT(batch.count(notRun), 0);
}

}  // namespace
}  // namespace parallax
