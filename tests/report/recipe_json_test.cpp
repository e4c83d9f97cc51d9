// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/record/recipe_json.hpp"

#include <gtest/gtest.h>

#include "core/backends/reference/backend.hpp"
#include "core/image/error.hpp"
#include "core/operations/catalog.hpp"

namespace parallax {
namespace {

class RecipeJson : public ::testing::Test {
protected:
    ErrorCode refused(const std::string& text) {
        try {
            (void)recipeFromJson(catalog_, text, "a recipe");
        } catch (const Error& e) {
            return e.code();
        }
        ADD_FAILURE() << "accepted: " << text;
        return ErrorCode::failed;
    }
    static std::string withStep(const std::string& step) {
        return R"({"schema": "parallax.recipe", "schema_version": 1, "steps": [)" + step + "]}";
    }
    const Catalog catalog_{makeOperations(), {makeReferenceBackend()}};
};

TEST_F(RecipeJson, RoundTripKeepsEveryParameterOfEverySample) {
    for (const auto& operation : catalog_.operations())
        for (const SampleProblem& sample : operation->sampleProblems()) {
            Pipeline p;
            p.steps.push_back({operation.get(), sample.parameters, false});
            const Pipeline back = recipeFromJson(catalog_, recipeToJson(p), "text");
            ASSERT_EQ(back.steps.size(), 1U);
            EXPECT_EQ(back.steps[0].operation, operation.get());
            EXPECT_TRUE(back.steps[0].parameters == sample.parameters) << sample.name;
            EXPECT_FALSE(back.steps[0].enabled);
        }
}

TEST_F(RecipeJson, MissingParametersHaveTheirDefaults) {
    const Pipeline p = recipeFromJson(catalog_, withStep(R"({"operation": "convolve", "parameters": {"size": 9}})"), "text");
    ASSERT_EQ(p.steps.size(), 1U);
    EXPECT_TRUE(p.steps[0].enabled);
    EXPECT_EQ(p.steps[0].parameters.text("size"), "9");
    EXPECT_EQ(p.steps[0].parameters.text("kernel"), "gaussian");
}

TEST_F(RecipeJson, WritesWordsAndReadsSwitches) {
    const Pipeline pipeline = parsePipeline(catalog_, {"convolve:kernel=sobel-x,size=3,scale=unit"});
    const std::string text = recipeToJson(pipeline);
    EXPECT_NE(text.find("\"scale\": \"unit\""), std::string::npos) << text;
    EXPECT_TRUE(recipeFromJson(catalog_, text, "r").steps[0].parameters == pipeline.steps[0].parameters);
    // Recipes of versions whose custom kernels were normalised say so, and stay that way.
    const Pipeline old = recipeFromJson(
        catalog_, withStep(R"({"operation": "convolve", "parameters": {"kernel": "custom", "weights": "1 2 1", "normalise": true}})"), "r");
    EXPECT_EQ(old.steps[0].parameters.text("normalise"), "true");
}

TEST_F(RecipeJson, RejectsMistakes) {
    for (const char* step : {R"({"operation": "convolve", "parameters": {"sise": 9}})", R"({"operation": "convolve", "paramters": {}})",
                             R"({"operation": "convolve", "parameters": {"size": 1000}})",
                             R"({"operation": "convolve", "parameters": {"size": [1]}})", R"({"operation": "nothing"})",
                             R"({"parameters": {}})", R"({"operation": 3})", "3", R"({"operation": "convolve", "enabled": "yes"})"})
        (void)refused(withStep(step));
    EXPECT_EQ(refused("not json"), ErrorCode::input);
    (void)refused("{}");
    (void)refused(R"({"schema": "parallax.recipe", "schema_version": 2, "steps": []})");
    (void)refused(R"({"schema": "parallax.recipe", "schema_version": 1})");
    (void)refused(R"({"schema": "parallax.recipe", "schema_version": 1, "steps": [], "more": 1})");
    (void)refused(std::string(100000, '['));
}

TEST_F(RecipeJson, NamesMistakesInItsOwnWords) {
    const auto why = [&](const std::string& text) -> std::string {
        try {
            (void)recipeFromJson(catalog_, text, "a recipe");
        } catch (const Error& e) {
            return e.why();
        }
        return "accepted";
    };
    EXPECT_EQ(why(R"({"schema": "parallax.recipe", "schema_version": 1, "steps": {}})"), "'steps' is not a list");
    EXPECT_NE(why(withStep(R"({"operation": "convolve", "parameters": {"size": 18446744073709551615}})")).find("more than 64 bits"),
              std::string::npos)
        << "it would be -1";
    for (const char* step : {R"({"parameters": {}})", R"({"operation": 3})"})
        EXPECT_EQ(why(withStep(step)).find("json.exception"), std::string::npos) << why(withStep(step));
}

TEST_F(RecipeJson, RejectsRepeatedKeys) {
    const auto why = [&](const std::string& text) -> std::string {
        try {
            (void)recipeFromJson(catalog_, text, "a recipe");
        } catch (const Error& e) {
            EXPECT_EQ(e.code(), ErrorCode::input);
            return e.why();
        }
        return "accepted";
    };
    const std::string step = R"({"operation": "convolve",
 "parameters": {"size": 9,
 "size": 9}})";
    EXPECT_EQ(why(withStep(R"({"operation": "convolve"},)" + step)), "line 3: the key 'size' is repeated in steps[1].parameters");
    // Also with an escaped key.
    EXPECT_EQ(why(withStep(R"({"operation": "convolve", "parameters": {"size": 9, "siz\u0065": 9}})")),
              "line 1: the key 'size' is repeated in steps[0].parameters");
    EXPECT_EQ(why(withStep(R"({"enabled": true, "operation": "convolve", "enabled": false})")),
              "line 1: the key 'enabled' is repeated in steps[0]");
    EXPECT_EQ(why("{\n\n\"schema\": \"parallax.recipe\", \"schema\": \"parallax.recipe\", \"schema_version\": 1, \"steps\": []}"),
              "line 3: the key 'schema' is repeated");
    // Two steps may have the same key.
    EXPECT_EQ(
        why(withStep(R"({"operation": "convolve", "parameters": {"size": 9}}, {"operation": "convolve", "parameters": {"size": 9}})")),
        "accepted");
}

TEST_F(RecipeJson, MissingFileIsAnInputError) {
    try {
        (void)loadRecipe(catalog_, "/nowhere/recipe.json");
        FAIL();
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::input);
    }
}

}  // namespace
}  // namespace parallax
