// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <limits>

#include "core/engine/operation/parameter_table.hpp"
#include "core/engine/pipeline/pipeline.hpp"
#include "core/engine/pipeline/step_summary.hpp"
#include "core/image/error.hpp"

namespace parallax {
namespace {

enum class Mode { plain, fancy };
struct Settings {
    int count = 3;
    double strength = 0.5;
    bool on = true;
    Mode mode = Mode::fancy;
    std::string note = "a";
};
const ParameterTable<Settings>& table() {
    static const ParameterTable<Settings> t{
        integer(&Settings::count, "count", "Count", 1, 9, "px", "How many."),
        real(&Settings::strength, "strength", "Strength", 0, 1, "", "How much.").shownIf("mode", {"fancy"}),
        boolean(&Settings::on, "on", "On", "Whether."),
        choice(&Settings::mode, "mode", "Mode", {{"plain", "Plain", ""}, {"fancy", "Fancy", ""}}, "Which."),
        text(&Settings::note, "note", "Note", "What."),
    };
    return t;
}

TEST(Parameters, TakeDefaultsFromTheStruct) {
    const ParameterBlock p(table());
    EXPECT_EQ(p.text("count"), "3");
    EXPECT_EQ(p.text("strength"), "0.5");
    EXPECT_EQ(p.text("on"), "true");
    EXPECT_EQ(p.text("mode"), "fancy");
    EXPECT_EQ(std::get<std::int64_t>(table().infos()[0].defaultValue), 3);
}

TEST(Parameters, ReachTheStruct) {
    ParameterBlock p(table());
    p.setText("count", "7");
    p.setText("strength", "0.25");
    p.setText("on", "no");
    p.setText("mode", "plain");
    p.setText("note", "x,y");
    const Settings& s = p.as<Settings>();
    EXPECT_EQ(s.count, 7);
    EXPECT_EQ(s.strength, 0.25);
    EXPECT_FALSE(s.on);
    EXPECT_EQ(s.mode, Mode::plain);
    EXPECT_EQ(s.note, "x,y");
    EXPECT_FALSE(p.isShown("strength"));
    EXPECT_FALSE(p == ParameterBlock(table()));
    p.reset();
    EXPECT_TRUE(p == ParameterBlock(table()));
}

TEST(Parameters, AStructIsAssignedOnlyIfAllValuesAreAllowed) {
    ParameterBlock p(table());
    Settings s;
    s.count = 7;
    p.assign(s);
    EXPECT_EQ(p.as<Settings>().count, 7);
    s.count = 1000000;
    EXPECT_THROW(p.assign(s), Error);
    s.count = 5;
    s.strength = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(p.assign(s), Error);
    EXPECT_EQ(p.as<Settings>().count, 7) << "nothing changed";
}

TEST(Parameters, AreAlwaysValid) {
    ParameterBlock p(table());
    const std::pair<const char*, const char*> bad[] = {
        {"count", "0"},      {"count", "10"},     {"count", "2.5"}, {"count", ""},     {"count", "7x"},  {"strength", "nan"},
        {"strength", "1.1"}, {"strength", "0,5"}, {"on", "maybe"},  {"mode", "Fancy"}, {"nothing", "1"}, {"count", "99999999999999999999"}};
    for (const auto& [key, value] : bad) {
        try {
            p.setText(key, value);
            ADD_FAILURE() << key << "=" << value;
        } catch (const Error& e) {
            EXPECT_EQ(e.code(), ErrorCode::usage);
            EXPECT_FALSE(e.why().empty()) << "the message says what is allowed";
        }
    }
    EXPECT_TRUE(p == ParameterBlock(table()));
}

TEST(Parameters, DoNotDependOnTheLocale) {
    const std::string before = std::setlocale(LC_ALL, nullptr);
    if (!std::setlocale(LC_ALL, "de_DE.UTF-8")) std::setlocale(LC_ALL, "C");
    ParameterBlock p(table());
    p.setText("strength", "0.75");
    EXPECT_EQ(p.text("strength"), "0.75");
    std::setlocale(LC_ALL, before.c_str());
}

TEST(Steps, ReadBackFromTheirText) {
    const Catalog& catalog = processCatalog();
    for (const char* text : {"convolve", "convolve:kernel=gaussian,size=7", "convolve:kernel=custom,weights='1 2;3 4',border=wrap",
                             "convolve:channels='R,G'"}) {
        const Step step = parseStep(catalog, text);
        const Step again = parseStep(catalog, toText(step));
        EXPECT_TRUE(step.parameters == again.parameters) << toText(step);
    }
    EXPECT_EQ(toText(parseStep(catalog, "convolve:kernel=gaussian,size=7")), "convolve:size=7") << "defaults are left out";
    EXPECT_EQ(toText(parseStep(catalog, "convolve:kernel=box, size=3,  border =wrap")), "convolve:kernel=box,size=3,border=wrap");
    for (const char* text : {"nothing", "convolve:=3", "convolve: =3", "convolve:si ze=3", "convolve:size", "convolve:size=x",
                             "convolve:what=1", "convolve:weights='1", "convolve:sigma=1,sigma=1", ""})
        EXPECT_THROW(parseStep(catalog, text), Error) << text;
}

TEST(Steps, WriteTheWordOfAMinimum) {
    const Catalog& catalog = processCatalog();
    const Step step = parseStep(catalog, "convolve:kernel=sobel-x,size=3,scale=unit");
    EXPECT_EQ(toText(step), "convolve:kernel=sobel-x,size=3,scale=unit");
    EXPECT_EQ(std::get<double>(step.parameters.get("scale")), -1e6);
    EXPECT_TRUE(parseStep(catalog, toText(step)).parameters == step.parameters);
    EXPECT_THROW(parseStep(catalog, "convolve:scale=units"), Error);
}

TEST(Steps, ReadOnAndOffWhereAutomaticWasAdded) {
    // Steps and recipes of versions in which normalise was on or off.
    Step step = parseStep(processCatalog(), "convolve:normalise=no");
    EXPECT_EQ(step.parameters.text("normalise"), "false");
    step.parameters.set("normalise", ParameterValue(true));
    EXPECT_EQ(step.parameters.text("normalise"), "true");
    EXPECT_THROW(step.parameters.set("border", ParameterValue(true)), Error);
}

TEST(Steps, AreSummarisedInWordsWithoutWhatHasNoEffect) {
    const Catalog& catalog = processCatalog();
    const std::pair<const char*, const char*> cases[] = {
        {"convolve", "Convolution: Gaussian 5 × 5"},
        {"convolve:kernel=sharpen,size=3", "Convolution: Sharpen 3 × 3"},
        {"convolve:kernel=custom,size=9,weights='0 -1 0\n-1 5 -1\n0 -1 0',normalise=false", "Convolution: Custom 3 × 3, Normalise Off"},
        {"convolve:kernel=custom,weights='array([[1, 2], [3, 4]])'", "Convolution: Custom 2 × 2"},
        {"convolve:axes=xyz,size=7", "Convolution: Gaussian 7 × 7 × 7, Axes Volume (x, y, z)"},
        {"convolve:axes=xyz,kernel=custom,weights='1 2;3 4;5 6|1 2;3 4;5 6'", "Convolution: Custom 2 × 3 × 2, Axes Volume (x, y, z)"},
        {"convolve:axes=xyz,kernel=custom,weights='[[[1, 2]], [[3, 4]]]'", "Convolution: Custom, Axes Volume (x, y, z)"},
        {"convolve:kernel=motion,angle=45,border=reflect,channels='R,G'",
         "Convolution: Motion blur 5 × 5, Angle 45°, Border Reflect, Channels R,G"},
        {"another:thing=1\n2", "another:thing=1 2"}};
    for (const auto& [text, summary] : cases) EXPECT_EQ(summaryOf(catalog, text), summary) << text;
    const SummaryLanguage upper{.translate = [](const std::string& text) { return "<" + text + ">"; }, .number = {}};
    EXPECT_EQ(summaryOf(parseStep(catalog, "convolve:normalise=false"), upper), "<Convolution>: <Gaussian> 5 × 5, <Normalise> <Off>");
    // Numbers only: sizes, texts and names of choices stay.
    const SummaryLanguage numbers{.translate = {},
                                  .number = [](double value) { return "<" + std::to_string(std::lround(8 * value)) + ">"; }};
    EXPECT_EQ(summaryOf(parseStep(catalog, "convolve:size=7,sigma=1.5"), numbers), "Convolution: Gaussian 7 × 7, Sigma <12>");
    EXPECT_EQ(summaryOf(parseStep(catalog, "convolve:kernel=motion,angle=45,channels='R,G'"), numbers),
              "Convolution: Motion blur 5 × 5, Angle <360>°, Channels R,G");
}

TEST(Steps, ParametersWithoutEffectAreNoted) {
    const Catalog& catalog = processCatalog();
    const auto notes = notesOnText(catalog, "convolve:kernel=box,weights='1 2',sigma=1,size=3");
    ASSERT_EQ(notes.size(), 2U);
    EXPECT_NE(notes[0].find("'weights' of convolve has no effect here: it matters only with kernel = custom"), std::string::npos)
        << notes[0];
    EXPECT_NE(notes[1].find("kernel is box"), std::string::npos) << notes[1];
    for (const char* text : {"convolve", "convolve:sigma=1", "convolve:weights='1 2',kernel=custom", "tonemap:preset=pfstools"})
        EXPECT_TRUE(notesOnText(catalog, text).empty()) << text;
}

TEST(Steps, AcceptTheDefaultAndEveryChoiceOfEachParameter) {
    for (const auto& op : processCatalog().operations()) {
        ParameterBlock p(op->parameters());
        for (const ParameterInfo& info : op->parameters().infos()) {
            EXPECT_GT(info.help.size(), 20U) << op->id() << "." << info.key << " needs a help text";
            EXPECT_FALSE(info.title.empty());
            p.setText(info.key, toText(info.defaultValue));
            for (const auto& c : info.choices) p.setText(info.key, c.key);
            p.set(info.key, info.defaultValue);
        }
        EXPECT_TRUE(p == ParameterBlock(op->parameters()));
        EXPECT_FALSE(op->sampleProblems().empty());
    }
}

}  // namespace
}  // namespace parallax
