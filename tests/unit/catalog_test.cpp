// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "core/engine/backend/catalog.hpp"
#include "core/engine/operation/capabilities.hpp"
#include "core/engine/pipeline/pipeline.hpp"
#include "core/engine/run/engine.hpp"
#include "core/image/difference.hpp"
#include "core/image/error.hpp"
#include "core/image/synthetic.hpp"

namespace parallax {
namespace {

TEST(Catalog, ListsTheReferenceAndExplainsMissingBackends) {
    const Catalog& catalog = processCatalog();
    EXPECT_TRUE(catalog.backend("reference").availability().yes);
    std::set<std::string> ids;
    for (const auto& b : catalog.backends()) {
        EXPECT_TRUE(ids.insert(b->id()).second) << b->id() << " is listed twice";
        const Availability a = b->availability();
        if (a.yes) EXPECT_FALSE(b->devices().empty()) << b->id();
        else EXPECT_FALSE(a.reason.empty()) << b->id() << " must say why it is not available";
    }
}

TEST(Catalog, EveryOperationHasAReferenceAndVariantsAreUnique) {
    const Catalog& catalog = processCatalog();
    for (const auto& op : catalog.operations()) {
        EXPECT_FALSE(catalog.implementations(op->id(), "reference").empty()) << op->id();
        for (const auto& b : catalog.backends()) {
            std::set<std::string> variants;
            for (const Implementation* i : catalog.implementations(op->id(), b->id())) {
                EXPECT_TRUE(variants.insert(i->variant()).second) << b->id() << "." << i->variant();
                EXPECT_FALSE(i->summary().empty());
            }
        }
    }
}

/// Ids and keys are written in steps, "convolve:border-value=1", as are keys of choices, "dwt:wavelet=bior4.4".
bool isKey(const std::string& text, const std::string& also = {}) {
    return !text.empty() && text.front() >= 'a' && text.front() <= 'z' && std::all_of(text.begin(), text.end(), [&](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || also.find(c) != std::string::npos;
    });
}

/// Inconsistencies of a description between form, command line, recipes and reports.
std::vector<std::string> problemsOf(const Operation& operation, const Catalog& catalog) {
    std::vector<std::string> problems;
    const auto expect = [&](bool holds, const std::string& otherwise) {
        if (!holds) problems.push_back(otherwise);
    };
    const auto works = [&](const std::string& what, const auto& f) {
        try {
            f();
        } catch (const std::exception& e) {
            problems.push_back(what + ": " + e.what());
        }
    };
    const std::string id = operation.id();
    expect(isKey(id), "id '" + id + "' is not made of a-z, 0-9 and -");
    expect(!operation.title().empty() && !operation.help().empty(), "title() or help() is empty");

    const ParameterTableBase& table = operation.parameters();
    std::set<std::string> keys;
    for (const ParameterInfo& info : table.infos()) {
        const std::string name = "parameter '" + info.key + "'";
        expect(isKey(info.key), name + ": its key is not made of a-z, 0-9 and -");
        expect(info.key != "preset", name + ": 'preset' stands for a preset");
        expect(keys.insert(info.key).second, name + " is there twice");
        expect(!info.title.empty() && !info.help.empty(), name + " has no title or no help");
        expect(!info.logarithmic || info.minimum > 0, name + ": no slider moves in ratios from a minimum of 0 or less");
        std::set<std::string> choices;
        for (const ParameterChoice& choice : info.choices) {
            expect(isKey(choice.key, "."), name + ": '" + choice.key + "' is not made of a-z, 0-9, - and .");
            expect(choices.insert(choice.key).second, name + ": '" + choice.key + "' is there twice");
            expect(!choice.title.empty(), name + ": '" + choice.key + "' has no title");
        }
        works(name + ": its default is not allowed", [&] { ParameterBlock(table).set(info.key, info.defaultValue); });
        if (info.shownIfKey.empty()) continue;
        const int other = table.find(info.shownIfKey);
        expect(other >= 0 && info.shownIfKey != info.key,
               name + ": shownIf() names '" + info.shownIfKey + "', which is no other parameter");
        expect(!info.shownIfValues.empty(), name + " is never shown");
        for (const std::string& value : info.shownIfValues)
            if (other >= 0)
                works(name + ": shownIf() waits for what cannot be", [&] { ParameterBlock(table).setText(info.shownIfKey, value); });
    }

    std::set<std::string> presets, statistics, samples;
    for (const ParameterPreset& preset : presetsOf(operation)) {
        const std::string name = "preset '" + preset.key + "'";
        expect(isKey(preset.key), name + ": its key is not made of a-z, 0-9 and -");
        expect(presets.insert(preset.key).second, name + " is there twice");
        expect(!preset.title.empty() && !preset.help.empty(), name + " has no title or no help");
        works(name + " cannot be applied", [&] {
            ParameterBlock block(table);
            applyPreset(block, preset);
        });
    }
    for (const StatisticInfo& statistic : statisticsOf(operation)) {
        expect(statistics.insert(statistic.key).second, "statistic '" + statistic.key + "' is there twice");
        expect(!statistic.title.empty() && !statistic.help.empty(), "statistic '" + statistic.key + "' has no title or no help");
    }
    if (const auto transfer = transferInfoOf(operation))
        expect(transfer->clippedKey.empty() || statistics.count(transfer->clippedKey) > 0,
               "transferInfo() names the statistic '" + transfer->clippedKey + "', which statistics() does not list");
    const std::vector<SampleProblem> problemsToTry = operation.sampleProblems();
    expect(!problemsToTry.empty(), "sampleProblems() is empty, so that no suite tests the operation");
    for (const SampleProblem& sample : problemsToTry) {
        expect(samples.insert(sample.name).second, "sample problem '" + sample.name + "' is there twice");
        if (const std::string step = regionStepOf(operation, sample.parameters); !step.empty())
            works("regionStep() of '" + sample.name + "'", [&] { (void)parseStep(catalog, step); });
    }
    if (const auto* represents = capability<RepresentsInput>(operation); represents && !represents->inverse().empty()) {
        works("inverse()", [&] { (void)catalog.operation(represents->inverse()); });
        expect(represents->representation() == Representation::encoding, "inverse() is used only where representation() is `encoding`");
    }
    const bool pickable = std::any_of(table.infos().begin(), table.infos().end(), [](const ParameterInfo& i) { return i.pickable; });
    expect(pickable == (capability<PicksParameters>(operation) != nullptr), "PicksParameters and pickable parameters need each other");
    return problems;
}

TEST(Catalog, DescriptionsAreConsistent) {
    std::set<std::string> ids;
    for (const auto& operation : processCatalog().operations()) {
        EXPECT_TRUE(ids.insert(operation->id()).second) << operation->id() << " is listed twice";
        for (const std::string& problem : problemsOf(*operation, processCatalog())) ADD_FAILURE() << operation->id() << ": " << problem;
    }
}

TEST(Operation, ChangingOneSampleChangesNoMoreThanItsReach) {
    const Shape shape{40, 36, 10, 2};
    const Image image = makeSynthetic({.kind = SyntheticKind::noise, .shape = shape});
    RunContext context;
    for (const char* text : {"convolve:kernel=box,size=5", "convolve:kernel=custom,weights='1 2 3 4',anchor-x=0",
                             "dwt:wavelet=haar,levels=1", "dwt:wavelet=db3,levels=2", "dwt:wavelet=db2,levels=2,axes=yz",
                             "idwt:wavelet=db2,levels=2", "wavelet-denoise:rule=manual,threshold=0,wavelet=db2,levels=1"}) {
        const Step step = parseStep(processCatalog(), text);
        Image first = sampleInputOf(*step.operation, step.parameters, image.clone()), second = first.clone();
        const Shape in = first.shape();
        // Well inside of the image or of the approximation: borders count samples twice.
        second.view().at(in.width / 2, in.height / 2, in.depth / 2, 0) += 0.125F;
        Pipeline pipeline;
        pipeline.steps = {step};
        const double reached = step.operation->reach(makeProblem(first, step.parameters)).samples();
        const Engine engine(processCatalog());
        const auto run = [&](Image& i) {
            return engine.run(pipeline, std::make_shared<const Image>(std::move(i)), parseTarget("reference"), context).image;
        };
        const Image before = run(first), after = run(second);
        const DifferenceMetrics d = compareViews(before.view(), after.view(), {.tolerance = 1e-5});
        ASSERT_TRUE(d.beyond) << text;
        EXPECT_GT(*d.beyond, 0U) << text;
        EXPECT_LE(static_cast<double>(*d.beyond), reached) << text;
    }
}

struct WrongParameters {
    int size = 11;
    double scale = 1;
    std::string mode;
};

/// An operation with every inconsistency.
class WrongOperation final : public Operation,
                             public HasPresets,
                             public HasStatistics,
                             public HasTransferCurve,
                             public RepresentsInput,
                             public PicksParameters {
public:
    std::string id() const override { return "wrong:id"; }
    std::string title() const override { return "Wrong"; }
    std::string help() const override { return {}; }
    const ParameterTableBase& parameters() const override {
        using P = WrongParameters;
        static const ParameterTable<P> table{
            integer(&P::size, "size", "Size", 1, 10, "px", "Too large on its own."),
            real(&P::scale, "scale", "Scale", 0, 1, "", "In ratios from 0.").logarithmic().shownIf("mode of it", {"a"}),
            real(&P::scale, "size", "Size", 0, 1, "", "").shownIf("scale", {"many"}),
            text(&P::mode, "preset", "Preset", "Of another kind."),
        };
        return table;
    }
    void check(const Problem&) const override {}
    Work work(const Problem&) const override { return {}; }
    Tolerance tolerance(const Problem&) const override { return {}; }
    double gain(const Problem&) const override { return 1; }
    std::vector<SampleProblem> sampleProblems() const override { return {}; }
    std::vector<ParameterPreset> presets() const override { return {{"p", "P", "Help.", {{"scale", "7"}}}}; }
    std::vector<StatisticInfo> statistics() const override { return {{"f", "F", "", ""}}; }
    TransferInfo transferInfo() const override { return {"A", "B", "C", "g"}; }
    Representation representation() const override { return Representation::decoding; }
    std::string inverse() const override { return "nothing"; }
    double pickedValue(const Problem&, std::string_view, std::span<const float>) const override { return 0; }
};

TEST(Catalog, ReportsInconsistentDescriptions) {
    std::string all;
    for (const std::string& problem : problemsOf(WrongOperation(), processCatalog())) all += problem + "\n";
    for (const char* part :
         {"id 'wrong:id'", "help() is empty", "parameter 'size': its default is not allowed", "no slider moves in ratios",
          "names 'mode of it'", "parameter 'size' is there twice", "parameter 'size' has no title or no help", "waits for what cannot be",
          "'preset' stands for a preset", "preset 'p' cannot be applied", "statistic 'f' has no title or no help", "the statistic 'g'",
          "sampleProblems() is empty", "inverse(): ", "representation() is `encoding`", "PicksParameters"})
        EXPECT_NE(all.find(part), std::string::npos) << part << " is not in\n" << all;
}

TEST(Catalog, ErrorsListTheKnownNames) {
    const Catalog& catalog = processCatalog();
    for (const auto& f : {std::function<void()>([&] { (void)catalog.operation("nothing"); }),
                          std::function<void()>([&] { (void)catalog.backend("nothing"); })}) {
        try {
            f();
            ADD_FAILURE();
        } catch (const Error& e) {
            EXPECT_EQ(e.code(), ErrorCode::usage);
            EXPECT_NE(e.why().find("known are"), std::string::npos);
        }
    }
    EXPECT_EQ(parseTarget("cuda.tiled").variant, "tiled");
    EXPECT_EQ(parseTarget("cuda.direct+pinned@2").parts, 2);
    EXPECT_EQ(parseTarget("cuda.direct+pinned@2").label(), "cuda.direct+pinned@2");
    EXPECT_EQ(parseTarget("reference@1").label(), "reference") << "one part is a run like any other";
    for (const char* bad : {"", ".", "cuda.", ".tiled", "openmp@", "openmp@0", "openmp@-2", "openmp@2x", "openmp@2@3", "openmp@1025", "@2",
                            "openmp@2+pinned"})
        EXPECT_THROW(parseTarget(bad), Error) << bad;
}

TEST(Plugins, AreRejectedWithTheReason) {
    const auto missing = loadBackendPlugin("none", "None", {"/nowhere", PARALLAX_FOREIGN_PLUGIN_FOLDER});
    EXPECT_FALSE(missing->availability().yes);
    EXPECT_NE(missing->availability().reason.find("/nowhere"), std::string::npos);
    const auto foreign = loadBackendPlugin("foreign", "Foreign", {"/nowhere", PARALLAX_FOREIGN_PLUGIN_FOLDER});
    EXPECT_FALSE(foreign->availability().yes);
    EXPECT_NE(foreign->availability().reason.find("another build"), std::string::npos) << foreign->availability().reason;
    EXPECT_THROW((void)foreign->open({}), Error);
    const auto misnamed = loadBackendPlugin("misnamed", "Misnamed", {PARALLAX_FOREIGN_PLUGIN_FOLDER});
    EXPECT_EQ(misnamed->id(), "misnamed");
    EXPECT_FALSE(misnamed->availability().yes);
    EXPECT_NE(misnamed->availability().reason.find("calls its backend 'reference'"), std::string::npos) << misnamed->availability().reason;
}

}  // namespace
}  // namespace parallax
