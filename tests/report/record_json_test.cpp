// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/record/record_json.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/image/error.hpp"
#include "core/measure/sampling/recipes.hpp"
#include "tests/report/sample_record.hpp"

namespace parallax {
namespace {

/// The additions of an iterative operation to a record.
RunRecord recordWithSeries() {
    RunRecord r = sampleRecord();
    r.version = kSeriesVersion;
    r.entries[0].series.push_back(sampleSeries());
    r.entries[0].series[0].label = "step 1";
    r.entries[0].series[0].tolerance = 1e-8;
    r.entries[0].laps = {2000, {{0, "poisson", "v-cycle", "V-cycle", "", "level 1", 1500, 9}}};
    r.entries[0].judgements.push_back({"poisson", "Relative residual", "1.5 times the tolerance", 1e-9, 1.5e-8});
    return r;
}

TEST(RecordJson, RoundTripKeepsSeriesAndJudgements) {
    const std::string text = toJson({recordWithSeries()});
    const RunRecord back = recordsFromJson(text, "text").at(0);
    EXPECT_EQ(toJson({back}), text);
    EXPECT_EQ(back.version, kSeriesVersion);
    ASSERT_EQ(back.entries[0].series.size(), 1U);
    EXPECT_EQ(back.entries[0].series[0].y, (std::vector<double>{1, 0.125, 1e-9}));
    EXPECT_EQ(back.entries[0].series[0].end, "converged");
    EXPECT_EQ(back.entries[0].series[0].tolerance, 1e-8);
    EXPECT_EQ(back.entries[0].laps.compute, 2000);
    ASSERT_EQ(back.entries[0].laps.laps.size(), 1U);
    EXPECT_EQ(back.entries[0].laps.laps[0].label, "level 1");
    EXPECT_EQ(back.entries[0].laps.laps[0].nanoseconds, 1500);
    EXPECT_EQ(back.entries[0].laps.laps[0].count, 9);
    EXPECT_TRUE(back.entries[1].laps.empty());
    ASSERT_EQ(back.entries[0].judgements.size(), 1U);
    EXPECT_EQ(back.entries[0].judgements[0].bound, 1.5e-8);
}

TEST(RecordJson, RejectsSeriesOfUnequalLength) {
    RunRecord r = recordWithSeries();
    r.entries[0].series[0].x.pop_back();
    EXPECT_THROW((void)recordsFromJson(toJson({r}), "text"), Error);
}

TEST(RecordJson, TellsNamedRecipesWithSeries) {
    RunRecord r = recordWithSeries();
    r.recipe = {"poisson:tolerance=1e-06"};
    EXPECT_FALSE(hasNamedRecipes(r));
    r.recipe = {"A=poisson", "B=poisson:tolerance=1e-06"};
    EXPECT_TRUE(hasNamedRecipes(r));
}

TEST(RecordJson, RoundTripKeepsEverything) {
    RunRecord r = sampleRecord();
    r.entries[1].samples[5].extendSpan(Stage::upload, 0, 100);
    r.entries[1].samples[5].extendSpan(Stage::compute, 50, 1'000'100);
    r.entries[1].samples[5].setPieces({{Stage::upload, 0, {0, 60}}, {Stage::upload, 1, {60, 100}}, {Stage::compute, 0, {60, 99}}});
    r.entries[1].samples[5].setOverlapped(1'000'100);
    r.input.light = "encoded";
    r.input.sha256 = std::string(64, 'a');
    r.entries[1].sha256 = std::string(64, 'b');
    r.entries[1].energy = EnergyRecord{.source = "NVML", .joules = 12.5, .seconds = 0.5, .runs = 40};
    r.protocol.coldCaches = true;
    r.entries[1].traffic = TrafficRecord{.link = kPeerLink, .uncounted = "cg", .unit = 8, .edge = 6, .received = {1, 2, 3, 4, 5}};
    r.entries[1].hosts = {{"node1", "EPYC", 3, 12}, {"node2", "Xeon", 1, 4}};
    r.entries[1].bits = BitsRecord{.hash = "0123456789abcdef", .runs = 45, .others = 3};
    const std::string text = toJson({r});
    const auto back = recordsFromJson(text, "text");
    ASSERT_EQ(back.size(), 1U);
    EXPECT_EQ(toJson(back), text);  // every written field was read
    EXPECT_FALSE(back[0].entries[0].traffic);
    ASSERT_TRUE(back[0].entries[1].traffic);
    EXPECT_EQ(back[0].entries[1].traffic->link, kPeerLink);
    EXPECT_EQ(back[0].entries[1].traffic->uncounted, "cg");
    EXPECT_EQ(back[0].entries[1].traffic->unit, 8);
    EXPECT_EQ(back[0].entries[1].traffic->edge, 6);
    EXPECT_EQ(back[0].entries[1].traffic->received, (PartTraffic{1, 2, 3, 4, 5}));
    EXPECT_TRUE(back[0].entries[0].hosts.empty());
    ASSERT_EQ(back[0].entries[1].hosts.size(), 2U);
    EXPECT_EQ(back[0].entries[1].hosts[0].name, "node1");
    EXPECT_EQ(back[0].entries[1].hosts[0].processor, "EPYC");
    EXPECT_EQ(back[0].entries[1].hosts[0].ranks, 3);
    EXPECT_EQ(back[0].entries[1].hosts[1].threads, 4);
    EXPECT_FALSE(back[0].entries[0].bits);
    ASSERT_TRUE(back[0].entries[1].bits);
    EXPECT_EQ(back[0].entries[1].bits->hash, "0123456789abcdef");
    EXPECT_EQ(back[0].entries[1].bits->runs, 45);
    EXPECT_EQ(back[0].entries[1].bits->others, 3);
    const RunRecord& b = back[0];
    EXPECT_EQ(b.command, r.command);
    EXPECT_EQ(b.baseline, r.baseline);
    EXPECT_EQ(b.input.name, r.input.name);
    EXPECT_EQ(b.input.shape, r.input.shape);
    EXPECT_EQ(b.input.channels, r.input.channels);
    EXPECT_EQ(b.input.hash, r.input.hash);
    EXPECT_EQ(b.input.nonFinite, 2U);
    EXPECT_EQ(b.input.light, "encoded");
    EXPECT_EQ(b.input.sha256, std::string(64, 'a'));
    EXPECT_EQ(b.entries[0].sha256, "");
    EXPECT_EQ(b.entries[1].sha256, std::string(64, 'b'));
    EXPECT_FALSE(b.entries[0].energy);
    ASSERT_TRUE(b.entries[1].energy);
    EXPECT_EQ(b.entries[1].energy->source, "NVML");
    EXPECT_EQ(b.entries[1].energy->joules, 12.5);
    EXPECT_EQ(b.entries[1].energy->seconds, 0.5);
    EXPECT_EQ(b.entries[1].energy->runs, 40);
    EXPECT_EQ(b.entries[0].memory.estimatedHost, 1U << 20);
    EXPECT_EQ(b.entries[0].memory.host, 0U);
    EXPECT_EQ(b.entries[1].memory.estimatedHost, 12U << 20);
    EXPECT_EQ(b.entries[1].memory.host, 13U << 20);
    EXPECT_EQ(b.entries[1].memory.estimatedDevice, 3U << 30);
    EXPECT_EQ(b.entries[1].memory.device, 3U << 29);
    EXPECT_TRUE(b.protocol.coldCaches);
    EXPECT_EQ(b.recipe, r.recipe);
    EXPECT_EQ(b.warnings, r.warnings);
    EXPECT_EQ(b.machine.cpu, r.machine.cpu);
    EXPECT_EQ(b.machine.memory, r.machine.memory);
    ASSERT_EQ(b.machine.gpus.size(), 1U);
    EXPECT_EQ(b.machine.gpus[0].details, r.machine.gpus[0].details);
    EXPECT_EQ(b.machine.threadsPerCore, 2);
    EXPECT_EQ(b.machine.usableThreads, 6);
    EXPECT_EQ(b.machine.minMHz, 800);
    EXPECT_EQ(b.machine.maxMHz, 3500);
    EXPECT_TRUE(b.machine.virtualMachine);
    EXPECT_EQ(b.machine.timerResolutionNs, 21.5);
    EXPECT_EQ(b.machine.numa, r.machine.numa);
    ASSERT_EQ(b.backends.size(), 1U);
    EXPECT_EQ(b.backends[0].id, "cuda");
    EXPECT_EQ(b.backends[0].details, r.backends[0].details);
    ASSERT_EQ(b.machine.ceilings.size(), 2U);
    EXPECT_EQ(b.machine.ceilings[0].backend, "");
    EXPECT_EQ(b.machine.ceilings[1].backend, "cuda");
    EXPECT_EQ(b.machine.ceilings[1].device, "GPU");
    EXPECT_EQ(b.machine.ceilings[1].deviceIndex, 1);
    EXPECT_EQ(b.sweep.axis, "size");
    EXPECT_EQ(b.sweep.value, "640");
    EXPECT_EQ(b.machine.ceilings[0].level, "L2");
    EXPECT_EQ(b.machine.ceilings[0].value, 123.5);
    EXPECT_EQ(b.machine.ceilings[0].bytes, 1U << 20);
    EXPECT_EQ(b.protocol.targetNoise, 0.01);
    ASSERT_EQ(b.entries.size(), r.entries.size());
    EXPECT_FALSE(b.entries[0].metrics);
    ASSERT_TRUE(b.entries[1].metrics);
    EXPECT_EQ(b.entries[1].metrics->ssim, 0.999998);
    EXPECT_FALSE(b.entries[1].metrics->ssimLinear);
    EXPECT_EQ(b.entries[1].metrics->flip, 0.00012);
    EXPECT_TRUE(b.entries[1].metrics->highDynamicRange);
    EXPECT_EQ(b.entries[1].metrics->largestUlp, 3U);
    EXPECT_EQ(b.entries[1].samples[5].endToEnd(), 1'000'100) << "not the sum of the stages";
    EXPECT_FALSE(b.entries[1].samples[4].overlapped());
    ASSERT_EQ(b.entries[1].samples[5].pieces().size(), 3U);
    EXPECT_EQ(b.entries[1].samples[5].pieces()[2].stage, Stage::compute);
    EXPECT_EQ(b.entries[1].samples[5].pieces()[1].strip, 1);
    EXPECT_EQ(b.entries[1].samples[5].pieces()[1].span.end, 100);
    EXPECT_EQ(b.entries[1].samples[5][Stage::upload], r.entries[1].samples[5][Stage::upload]);
    EXPECT_EQ(b.entries[1].samples[5].span(Stage::compute).begin, 50);
    EXPECT_EQ(b.entries[1].samples[5].span(Stage::compute).end, 1'000'100);
    EXPECT_FALSE(b.entries[1].samples[5].span(Stage::download).known());
    for (std::size_t i = 0; i < r.entries.size(); ++i) {
        const RunEntry &x = r.entries[i], &y = b.entries[i];
        EXPECT_EQ(x.label, y.label);
        EXPECT_EQ(x.modes, y.modes);
        EXPECT_EQ(x.blocks, y.blocks);
        EXPECT_EQ(x.status, y.status);
        EXPECT_EQ(x.reason, y.reason);
        EXPECT_EQ(x.implementations, y.implementations);
        EXPECT_EQ(x.choices, y.choices);
        EXPECT_EQ(x.verification, y.verification);
        ASSERT_EQ(x.samples.size(), y.samples.size());
        for (std::size_t s = 0; s < x.samples.size(); ++s)
            for (const Stage stage : kAllStages) EXPECT_EQ(x.samples[s][stage], y.samples[s][stage]);
        EXPECT_EQ(x.cold.compute(), y.cold.compute());
        EXPECT_EQ(x.prepare[Stage::prepare], y.prepare[Stage::prepare]);
        EXPECT_EQ(x.tolerance, y.tolerance);
        EXPECT_EQ(x.difference.maxAbs, y.difference.maxAbs);
        EXPECT_EQ(x.difference.worst.size(), y.difference.worst.size());
    }
    EXPECT_TRUE(std::isinf(b.entries[0].difference.psnr));
}

TEST(RecordJson, ReadsThreadsFromLabelsOfOlderRecords) {
    auto j = nlohmann::json::parse(toJson({sampleRecord()}));
    j["entries"][0]["label"] = "openmp.scalar@4";
    j["baseline"] = "openmp.scalar@4";
    const auto read = [&](int version) {
        j["schema_version"] = version;
        return recordsFromJson(j.dump(), "text")[0];
    };
    for (const int older : {1, 3}) {
        const RunRecord r = read(older);
        EXPECT_EQ(r.entries[0].label, "openmp.scalar:4t");
        EXPECT_EQ(r.baseline, "openmp.scalar:4t");
        EXPECT_EQ(r.version, kPartsVersion) << "it is written with the label of today";
    }
    EXPECT_EQ(read(kPartsVersion).entries[0].label, "openmp.scalar@4") << "4 parts";
    j["entries"][0]["label"] = j["baseline"] = "openmp.scalar";
    EXPECT_EQ(read(1).version, 1);
}

TEST(RecordJson, ReadsModesFromLabelsOfOlderRecords) {
    auto j = nlohmann::json::parse(toJson({sampleRecord()}));
    const auto modesOf = [&](const std::string& label) {
        j["entries"][0]["label"] = label;
        j["entries"][0].erase("modes");
        return recordsFromJson(j.dump(), "text")[0].entries[0].modes;
    };
    const std::vector<std::string> both{"overlapped", "pinned"};
    EXPECT_EQ(modesOf("cuda.direct+overlapped+pinned@4#1"), both);
    EXPECT_EQ(modesOf("cuda+pinned+overlapped"), both);
    EXPECT_TRUE(modesOf("cuda.direct").empty());
    EXPECT_TRUE(modesOf("my own ++ name").empty());
    EXPECT_TRUE(modesOf("").empty());
}

TEST(RecordJson, ReadsRecordsWithoutMeasuredMemory) {
    auto j = nlohmann::json::parse(toJson({sampleRecord()}));
    EXPECT_FALSE(j["entries"][0].contains("peak_host_bytes")) << "it is unknown";
    EXPECT_EQ(j["entries"][1]["peak_host_bytes"], 13U << 20);
    for (const char* key : {"peak_host_bytes", "peak_device_bytes", "estimated_host_bytes", "estimated_device_bytes"})
        j["entries"][1].erase(key);
    const RunMemory memory = recordsFromJson(j.dump(), "text")[0].entries[1].memory;
    EXPECT_EQ(memory.host, 0U);
    EXPECT_EQ(memory.device, 0U);
    EXPECT_EQ(memory.estimatedHost, 0U);
}

TEST(RecordJson, KeepsInconclusiveResultsAndTheJudgedStep) {
    RunRecord r = sampleRecord();
    r.entries[0].verification = Verification::inconclusive;
    r.entries[1].judgedStep = "tonemap";
    const RunRecord back = recordsFromJson(toJson({r}), "text")[0];
    EXPECT_EQ(back.entries[0].verification, Verification::inconclusive);
    EXPECT_EQ(back.entries[1].judgedStep, "tonemap");
}

TEST(RecordJson, WritesSeveralRecordsAsAList) {
    const std::string text = toJson({sampleRecord(), sampleRecord()});
    EXPECT_EQ(nlohmann::json::parse(text)["records"].size(), 2U);
    EXPECT_EQ(recordsFromJson(text, "text").size(), 2U);
}

TEST(RecordJson, IgnoresUnknownFields) {
    auto j = nlohmann::json::parse(toJson({sampleRecord()}));
    j["future"] = {{"a", 1}};
    j["entries"][0]["future"] = "x";
    EXPECT_EQ(recordsFromJson(j.dump(), "text")[0].entries.size(), 4U);
}

TEST(RecordJson, ReplacesBytesThatAreNotUtf8) {
    RunRecord r = sampleRecord();
    r.input.name = "caf\xe9.png";
    EXPECT_NO_THROW((void)recordsFromJson(toJson({r}), "text"));
}

void expectRefused(const std::string& text) {
    try {
        (void)recordsFromJson(text, "the file");
        FAIL() << text.substr(0, 200);
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::input);
        EXPECT_NE(std::string(e.what()).find("the file"), std::string::npos);
    }
}

TEST(RecordJson, RejectsOtherFiles) {
    for (const char* text : {"", "{", "null", "[]", "3", "\"x\"", "{}", R"({"schema": "something else"})", R"({"schema": 3})",
                             R"({"schema": "parallax.run-records"})", R"({"schema": "parallax.run-records", "records": []})",
                             R"({"schema": "parallax.run-records", "records": [1]})"})
        expectRefused(text);
}

TEST(RecordJson, RejectsWrongTypesAndValues) {
    const auto whole = nlohmann::json::parse(toJson({sampleRecord()}));
    const auto changed = [&](const char* pointer, const nlohmann::json& value) {
        auto j = whole;
        j[nlohmann::json::json_pointer(pointer)] = value;
        return j.dump();
    };
    expectRefused(changed("/schema_version", 99));
    expectRefused(changed("/entries/0/status", "sleeping"));
    expectRefused(changed("/entries/0/verification", 3));
    expectRefused(changed("/entries/0/label", 3));
    expectRefused(changed("/entries/0/samples_ns/0/compute", "fast"));
    expectRefused(changed("/entries", 3));
    expectRefused(changed("/recipe", "convolve"));
    expectRefused(changed("/machine/gpus/0/details", {{"driver", 3}}));
    // Extents whose product would overflow, and negative ones.
    expectRefused(changed("/input/width", -5));
    expectRefused(changed("/input/height", std::int64_t{1} << 60));
}

TEST(RecordJson, RejectsHostileTexts) {
    expectRefused(std::string(200000, '['));
    std::string deep;
    for (int i = 0; i < 100000; ++i) deep += R"({"schema":)";
    expectRefused(deep);
    const std::string good = toJson({sampleRecord()});
    // Truncated anywhere: no crash and no partial record.
    for (std::size_t n = 0; n + 3 < good.size(); n += 97) expectRefused(good.substr(0, n));
    std::string bytes = good;
    bytes[good.size() / 2] = '\0';
    expectRefused(bytes);
}

/// A sweep over parts on a machine of 8 threads with measured links.
std::vector<RunRecord> sweepOverParts() {
    std::vector<RunRecord> records;
    for (const int n : {1, 2, 4}) {
        RunRecord& r = records.emplace_back(sampleRecord());
        r.version = kPartsVersion;
        r.sweep = {"parts", std::to_string(n)};
        r.entries = {sampleEntry(n == 1 ? "reference" : "reference@" + std::to_string(n), 8'000'000 / n)};
        r.entries[0].threads = n;
        if (n > 1) r.entries[0].traffic = TrafficRecord{.link = kThreadLink, .received = {.messages = 4, .bytes = 80'000}};
        r.machine.usableThreads = 2;
        r.machine.ceilings = {{kThreadLink, "latency", 2, 3, "us", 4}, {kThreadLink, "bandwidth", 2, 10, "GB/s", 1 << 23}};
    }
    return records;
}

TEST(RecordJson, SweepsOverPartsHaveTheirCostModel) {
    std::vector<RunRecord> records = sweepOverParts();
    const std::string text = toJson(records);
    EXPECT_TRUE(toJson(recordsFromJson(text, "sweep")) == text);
    const auto j = nlohmann::json::parse(text);
    ASSERT_EQ(j.at("models").size(), 1U);
    const auto& model = j["models"][0];
    EXPECT_EQ(model.at("label"), "reference");
    EXPECT_NEAR(model["from"].at("compute_ns").get<double>(), 8e6, 1e5);
    EXPECT_EQ(model["from"].at("latency_ns"), 3000);
    EXPECT_EQ(model["from"].at("bandwidth_gb_s"), 10);
    EXPECT_EQ(model["from"].at("traffic").at("messages"), 4);
    EXPECT_EQ(model["from"].at("rows"), 480);
    EXPECT_EQ(model["from"].at("threads").at("4"), 4);
    ASSERT_EQ(model.at("predictions").size(), 11U);
    EXPECT_EQ(model["predictions"][10].at("parts"), 1024);
    EXPECT_LT(model["predictions"][10].at("efficiency").get<double>(), 0.5);
    ASSERT_EQ(model.at("checks").size(), 1U);
    EXPECT_EQ(model["checks"][0].at("parts"), 2);
    EXPECT_LT(model.at("worst_error").get<double>(), 0.01);
    EXPECT_EQ(model.at("not_compared"), 1) << "4 threads on 2";
    for (RunRecord& r : records) r.machine.ceilings.clear();
    const auto without = nlohmann::json::parse(toJson(records))["models"][0];
    EXPECT_EQ(without.at("missing"), "latency");
    EXPECT_FALSE(without.contains("predictions"));
    for (RunRecord& r : records) r.sweep.axis = "size";
    EXPECT_FALSE(nlohmann::json::parse(toJson(records)).contains("models"));
}

TEST(RecordJson, RejectsImpossibleTraffic) {
    std::vector<RunRecord> records = sweepOverParts();
    records[1].entries[0].traffic->received.bytes = -1;
    expectRefused(toJson({records[1]}));
    records[1].entries[0].traffic->received.bytes = 0;
    records[1].entries[0].traffic->unit = 0;
    expectRefused(toJson({records[1]}));
}

TEST(RecordJson, RejectsRepeatedKeys) {
    std::string text = toJson({sampleRecord()});
    text.insert(text.find("\"entries\""), "\"entries\": [],\n  ");
    expectRefused(text);
}

TEST(RecordJson, MissingFileIsAnInputError) {
    try {
        (void)loadRecords("/nowhere/record.json");
        FAIL();
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::input);
    }
    EXPECT_THROW((void)loadRecords("/"), Error);
}

}  // namespace
}  // namespace parallax
