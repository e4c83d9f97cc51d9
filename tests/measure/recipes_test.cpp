// SPDX-License-Identifier: GPL-3.0-or-later
// Several recipes in one measurement, its baseline, and the labels of its entries.
#include <algorithm>
#include <sstream>

#include "tests/measure/sampler_fixture.hpp"

namespace parallax {
namespace {

using test::BodyBackend;
using test::copy;
using test::Sampler;

TEST_F(Sampler, VerifiesEachRecipeAgainstItsOwnReference) {
    // The fake backend copies, which is right for the identity and wrong for the blur.
    const RunRecord r = measureNamed({{"same", "convolve:kernel=box,size=1"}, {"blur", "convolve:size=7"}}, {"right", "reference"});
    ASSERT_EQ(r.entries.size(), 4U);
    const std::vector<std::string> labels{r.entries[0].label, r.entries[1].label, r.entries[2].label, r.entries[3].label};
    EXPECT_EQ(labels, (std::vector<std::string>{"same/right", "same/reference", "blur/right", "blur/reference"}));
    EXPECT_EQ(r.entries[0].verification, Verification::agrees);
    EXPECT_EQ(r.entries[1].difference.maxAbs, 0);
    EXPECT_EQ(r.entries[2].verification, Verification::disagrees);
    EXPECT_EQ(r.entries[3].difference.maxAbs, 0);
    EXPECT_EQ(r.baseline, "same/right");
    EXPECT_EQ(r.version, 2);
    EXPECT_EQ(r.recipe, (std::vector<std::string>{"same=convolve:kernel=box,size=1", "blur=convolve:size=7"}));
    EXPECT_EQ(stepsOfEntry(r, r.entries[2]), std::vector<std::string>{"convolve:size=7"});
    EXPECT_EQ(measure({"right"}).version, 1);
}

TEST_F(Sampler, VerifiesRecipesWithoutTheReferenceAmongTheTargets) {
    std::vector<std::string> shown;
    options_.onResult = [&](std::size_t entry, const View<const float>& result, const View<const float>& reference) {
        shown.push_back(std::to_string(entry) + (compareViews(reference, result, {}).maxAbs > 1e-3 ? " differs" : " equal"));
    };
    const RunRecord r = measureNamed({{"A", "convolve:kernel=box,size=1"}, {"B", "convolve:size=7"}}, {"right"});
    EXPECT_EQ(r.entries[0].verification, Verification::agrees);
    EXPECT_EQ(r.entries[1].verification, Verification::disagrees);
    EXPECT_EQ(r.baseline, "A/right");
    EXPECT_EQ(shown, (std::vector<std::string>{"0 equal", "1 differs"}));
}

TEST_F(Sampler, AddsMetricsOfResultsOnRequest) {
    options_.metrics = [](const View<const float>& reference, const View<const float>& result, RunContext&) {
        return ResultMetrics{.ssim = {}, .ssimLinear = {}, .flip = compareViews(reference, result).maxAbs, .largestUlp = 7};
    };
    const RunRecord r = measureNamed({{"same", "convolve:kernel=box,size=1"}, {"blur", "convolve:size=7"}}, {"right", "reference"});
    ASSERT_TRUE(r.entries[0].metrics && r.entries[2].metrics);
    EXPECT_EQ(r.entries[0].metrics->flip, 0.0);
    EXPECT_GT(*r.entries[2].metrics->flip, 1e-3);
    EXPECT_EQ(r.entries[2].metrics->largestUlp, 7U);
    EXPECT_FALSE(r.entries[1].metrics || r.entries[3].metrics);  // the reference itself
    options_.metrics = [](auto&&...) -> ResultMetrics { throw Error(ErrorCode::memory, "Not enough memory"); };
    const RunRecord failing = measure({"right"});
    EXPECT_FALSE(failing.entries[0].metrics);
    EXPECT_TRUE(std::any_of(failing.entries[0].warnings.begin(), failing.entries[0].warnings.end(),
                            [](const std::string& w) { return w.starts_with("metrics: ") && w.ends_with("Not enough memory"); }));
    options_.metrics = nullptr;
    EXPECT_FALSE(measure({"right"}).entries[0].metrics);
}

TEST_F(Sampler, FailureOfOneRecipeLeavesTheOthers) {
    // The image holds no coefficients, so that B cannot run at all.
    const RunRecord r = measureNamed({{"A", "convolve:kernel=box,size=1"}, {"B", "idwt"}}, {"right", "reference"});
    for (const std::size_t i : {0U, 1U}) EXPECT_EQ(r.entries[i].status, RunStatus::done) << r.entries[i].reason;
    for (const std::size_t i : {2U, 3U}) {
        EXPECT_NE(r.entries[i].status, RunStatus::done);
        EXPECT_FALSE(r.entries[i].reason.empty());
        EXPECT_TRUE(r.entries[i].samples.empty());
    }
    EXPECT_TRUE(std::none_of(r.warnings.begin(), r.warnings.end(), [](const std::string& w) { return w.starts_with("verify: "); }));
}

TEST_F(Sampler, InterleavesTheSamplesOfRecipes) {
    // Blocks cover the same time in all rows, so that each row has samples in the first and in the last block.
    options_.protocol.minimumSeconds = 0.1;
    options_.protocol.maximumSeconds = 600;
    options_.protocol.targetNoise = 1e9;
    std::vector<std::string> order;
    std::vector<std::size_t> before(4);
    options_.onProgress = [&](const RunRecord& r) {
        for (std::size_t i = 0; i < r.entries.size(); ++i)
            if (r.entries[i].samples.size() > std::exchange(before[i], r.entries[i].samples.size()))
                order.push_back(recipeOfLabel(r.entries[i].label));
    };
    (void)measureNamed({{"A", "convolve:kernel=box,size=1"}, {"B", "convolve:kernel=box,size=1"}}, {"right", "slow"});
    const auto changes = [&] {
        std::size_t n = 0;
        for (std::size_t i = 1; i < order.size(); ++i) n += order[i] != order[i - 1] ? 1 : 0;
        return n;
    };
    EXPECT_GT(changes(), 10U);
}

std::vector<MeasuredRow> rowsNamed(const std::vector<std::string>& labels) {
    std::vector<MeasuredRow> rows;
    for (const std::string& label : labels) rows.push_back({0, targetOfLabel(label)});
    return rows;
}

TEST(Baseline, IsPlainSerialCodeIfMeasured) {
    const auto chosen = [](const std::vector<std::string>& labels) { return labels[defaultBaseline(rowsNamed(labels))]; };
    EXPECT_EQ(chosen({"reference", "openmp", "openmp:1t", "openmp.scalar:1t"}), "openmp.scalar:1t");
    EXPECT_EQ(chosen({"reference", "openmp", "openmp.scalar:2t", "openmp:1t"}), "openmp:1t");
    EXPECT_EQ(chosen({"reference", "cuda", "openmp"}), "cuda");
    EXPECT_EQ(chosen({"reference"}), "reference");
}

TEST(Baseline, PlainSerialCodeIsAddedBesideTheReference) {
    std::vector<std::shared_ptr<Backend>> backends{makeReferenceBackend(), std::make_shared<BodyBackend>("right", copy),
                                                   std::make_shared<BodyBackend>("openmp", copy)};
    const Catalog catalog(makeOperations(), std::move(backends));
    const auto with = [&](const std::vector<std::string>& labels) {
        std::vector<MeasuredRow> rows = rowsNamed(labels);
        addSerialBaseline(catalog, {{"A", parsePipeline(catalog, {"convolve"})}}, rows);
        std::string all;
        for (const MeasuredRow& row : rows) all += entryLabel(row.target) + " ";
        return all;
    };
    // This backend has no variant that is called scalar.
    EXPECT_EQ(with({"reference", "right"}), "reference right openmp:1t ");
    EXPECT_EQ(with({"openmp", "reference"}), "openmp reference openmp:1t ");
    for (const char* enough : {"reference openmp.scalar:1t ", "reference openmp:1t "}) {
        std::istringstream words(enough);
        std::vector<std::string> labels;
        for (std::string word; words >> word;) labels.push_back(word);
        EXPECT_EQ(with(labels), enough);
    }
    EXPECT_EQ(with({"right", "openmp"}), "right openmp ") << "no oracle: the first row is the baseline";
    EXPECT_EQ(with({"reference"}), "reference ");
}

TEST_F(Sampler, BaselineMayBeARowOfAnyRecipe) {
    options_.baseline = "B/right";
    EXPECT_EQ(measureNamed({{"A", "convolve:size=1"}, {"B", "convolve:size=1"}}, {"right"}).baseline, "B/right");
    options_.baseline = "right";
    EXPECT_THROW((void)measureNamed({{"A", "convolve:size=1"}, {"B", "convolve:size=1"}}, {"right"}), Error);
}

TEST(Recipes, TextIsParsedBack) {
    const RecipeSteps recipe{"B", {"convolve:kernel=custom,weights='1 | 2'", "tonemap"}};
    EXPECT_EQ(toText(recipe), "B=convolve:kernel=custom,weights='1 | 2' | tonemap");
    RunRecord r;
    r.version = kNamedRecipesVersion;
    r.recipe = {toText(recipe), "none="};
    ASSERT_EQ(recipesOf(r).size(), 2U);
    EXPECT_EQ(recipesOf(r)[0].name, "B");
    EXPECT_EQ(recipesOf(r)[0].steps, recipe.steps);
    EXPECT_TRUE(recipesOf(r)[1].steps.empty());
    // In a record of version 1 the texts are steps.
    r.version = 1;
    r.recipe = {"convolve:size=3", "tonemap"};
    ASSERT_EQ(recipesOf(r).size(), 1U);
    EXPECT_EQ(recipesOf(r)[0].steps, r.recipe);
    EXPECT_EQ(splitRecipeName("convolve:size=3").first, "");
    EXPECT_EQ(splitRecipeName("folder/a=b.json").first, "");
}

TEST(EntryLabel, StatesTheRecipe) {
    EXPECT_EQ(entryLabel({.backend = "openmp", .variant = "scalar", .threads = 4}, "B"), "B/openmp.scalar:4t");
    EXPECT_EQ(targetOfLabel("B/openmp.scalar:4t"), (Target{.backend = "openmp", .variant = "scalar", .threads = 4}));
    EXPECT_EQ(targetOfLabel("v1.2/cuda#1"), (Target{.backend = "cuda", .variant = {}, .device = 1}));
}

TEST(EntryLabel, StatesThreadsAndDevice) {
    EXPECT_EQ(entryLabel({.backend = "openmp", .variant = {}}), "openmp");
    EXPECT_EQ(entryLabel({.backend = "openmp", .variant = "scalar", .threads = 4}), "openmp.scalar:4t");
    EXPECT_EQ(entryLabel({.backend = "reference", .variant = {}, .threads = 4}), "reference");
    EXPECT_EQ(entryLabel({.backend = "cuda", .variant = {}, .device = 1}), "cuda#1");
}

TEST(EntryLabel, OfOlderRecordsHasThreadsWherePartsAreNow) {
    EXPECT_EQ(labelFromThreads("openmp.scalar@4"), "openmp.scalar:4t");
    EXPECT_EQ(labelFromThreads("B/openmp@16#1"), "B/openmp:16t#1");
    for (const char* same : {"openmp", "cuda.direct+pinned#1", "my own name @ home", ""}) EXPECT_EQ(labelFromThreads(same), same);
}

TEST(EntryLabel, IsParsedBack) {
    for (const char* label : {"openmp", "openmp.scalar:4t", "cuda#1", "cuda.tiled#2", "openmp:2t#1", "openmp@2", "reference@3",
                              "openmp.direct@2:8t#1", "cuda@2#0,2", "cuda.tiled+pinned@3#4,1,0"})
        EXPECT_EQ(entryLabel(targetOfLabel(label)), label);
    EXPECT_EQ(targetOfLabel("openmp.scalar:16t").threads, 16);
    for (const char* wrong : {"cuda@3#0,2", "cuda#0,2", "cuda@2#0,", "cuda@2#0,x"})
        EXPECT_THROW((void)targetOfLabel(wrong), Error) << wrong;
    EXPECT_EQ(targetOfLabel("B/openmp@2:4t"), (Target{.backend = "openmp", .variant = {}, .threads = 4, .parts = 2}));
    for (const char* bad : {"openmp@", "openmp@x", "openmp@0", "openmp:99999t", "openmp:4", "openmp:t", "openmp:", "cuda#-1", "cuda#2t"})
        EXPECT_THROW((void)targetOfLabel(bad), Error) << bad;
}

}  // namespace
}  // namespace parallax
