// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "core/engine/backend/catalog.hpp"
#include "core/engine/pipeline/pipeline.hpp"
#include "core/image/error.hpp"

namespace parallax {
namespace {

TEST(Catalog, ListsTheReferenceAndExplainsWhatIsMissing) {
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

/// What is wrong with a description: what the form, the command line, recipes and reports take from it must fit together. For somebody
/// who writes a new one; empty if nothing is.
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
        expect(info.key != "preset", name + ": 'preset' stands for presets()");
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

    std::set<std::string> presets, findings, samples;
    for (const ParameterPreset& preset : operation.presets()) {
        const std::string name = "preset '" + preset.key + "'";
        expect(isKey(preset.key), name + ": its key is not made of a-z, 0-9 and -");
        expect(presets.insert(preset.key).second, name + " is there twice");
        expect(!preset.title.empty() && !preset.help.empty(), name + " has no title or no help");
        works(name + " cannot be applied", [&] {
            ParameterBlock block(table);
            applyPreset(block, preset);
        });
    }
    for (const FindingInfo& finding : operation.findings()) {
        expect(findings.insert(finding.key).second, "finding '" + finding.key + "' is there twice");
        expect(!finding.title.empty() && !finding.help.empty(), "finding '" + finding.key + "' has no title or no help");
    }
    if (const auto transfer = operation.transfer())
        expect(transfer->clippedKey.empty() || findings.count(transfer->clippedKey) > 0,
               "transfer() names the finding '" + transfer->clippedKey + "', which findings() has not");
    const std::vector<SampleProblem> problemsToTry = operation.sampleProblems();
    expect(!problemsToTry.empty(), "sampleProblems() is empty, so that no suite tests the operation");
    for (const SampleProblem& sample : problemsToTry) {
        expect(samples.insert(sample.name).second, "sample problem '" + sample.name + "' is there twice");
        if (const std::string step = operation.worksIn(sample.parameters); !step.empty())
            works("worksIn() of '" + sample.name + "'", [&] { (void)parseStep(catalog, step); });
    }
    if (!operation.undoneBy().empty()) {
        works("undoneBy()", [&] { (void)catalog.operation(operation.undoneBy()); });
        expect(operation.effect() == Effect::encodes, "undoneBy() is asked where effect() is `encodes` alone");
    }
    return problems;
}

TEST(Catalog, DescriptionsFitTogether) {
    std::set<std::string> ids;
    for (const auto& operation : processCatalog().operations()) {
        EXPECT_TRUE(ids.insert(operation->id()).second) << operation->id() << " is listed twice";
        for (const std::string& problem : problemsOf(*operation, processCatalog())) ADD_FAILURE() << operation->id() << ": " << problem;
    }
}

struct WrongParameters {
    int size = 11;
    double scale = 1;
    std::string mode;
};

/// Everything that a description can have wrong.
class WrongOperation final : public Operation {
public:
    std::string id() const override { return "wrong:id"; }
    std::string title() const override { return "Wrong"; }
    std::string help() const override { return {}; }
    const ParameterTableBase& parameters() const override {
        using P = WrongParameters;
        static const ParameterTable<P> table{
            integer(&P::size, "size", "Size", 1, 10, "px", "Too large by itself."),
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
    std::vector<FindingInfo> findings() const override { return {{"f", "F", "", ""}}; }
    std::optional<TransferInfo> transfer() const override { return TransferInfo{"A", "B", "C", "g"}; }
    std::string undoneBy() const override { return "nothing"; }
};

TEST(Catalog, WhatDoesNotFitIsNamed) {
    std::string all;
    for (const std::string& problem : problemsOf(WrongOperation(), processCatalog())) all += problem + "\n";
    for (const char* part :
         {"id 'wrong:id'", "help() is empty", "parameter 'size': its default is not allowed", "no slider moves in ratios",
          "names 'mode of it'", "parameter 'size' is there twice", "parameter 'size' has no title or no help", "waits for what cannot be",
          "'preset' stands for presets()", "preset 'p' cannot be applied", "finding 'f' has no title or no help", "the finding 'g'",
          "sampleProblems() is empty", "undoneBy(): ", "effect() is `encodes` alone"})
        EXPECT_NE(all.find(part), std::string::npos) << part << " is not in\n" << all;
}

TEST(Catalog, NamesWhatItKnows) {
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
    for (const char* bad : {"", ".", "cuda.", ".tiled"}) EXPECT_THROW(parseTarget(bad), Error) << bad;
}

TEST(Plugins, AreRefusedWithTheReason) {
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
