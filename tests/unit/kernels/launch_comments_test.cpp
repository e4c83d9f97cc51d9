// SPDX-License-Identifier: GPL-3.0-or-later
// Comments of kernels in CUDA: their expressions, what they say of a launch, and errors that name the line.
#include "core/kernels/cuda/launch_comments.hpp"

#include <gtest/gtest.h>

#include <random>

#include "core/engine/backend/catalog.hpp"
#include "core/image/error.hpp"
#include "core/kernels/cuda/cuda_compiler.hpp"
#include "core/kernels/packed_parameters.hpp"

namespace parallax::user {
namespace {

const Names kNames{{"width", 100}, {"zero", 0}, {"taps.width", 5}, {"largest", INT64_MAX}};

std::string whyNot(const std::string& expression) {
    try {
        (void)evaluate(expression, kNames);
    } catch (const ExpressionError& e) {
        return e.what();
    }
    return {};
}

TEST(LaunchExpression, HasTheOperatorsOfC) {
    for (const auto& [text, value] :
         std::initializer_list<std::pair<const char*, std::int64_t>>{{"1 + 2 * 3", 7},
                                                                     {"(1 + 2) * 3", 9},
                                                                     {"-7 / 2", -3},
                                                                     {"-7 % 4", -3},
                                                                     {"10 - 3 - 2", 5},
                                                                     {"width / 8 * 4", 48},
                                                                     {"(width + 31) / 32", 4},
                                                                     {"ceil(width, 32)", 4},
                                                                     {"ceil(96, 32)", 3},
                                                                     {"ceil(-7, 2)", -3},
                                                                     {"min(width, 7) + max(1, taps.width)", 12},
                                                                     {"1 < 2 && 2 <= 2 && 3 > 2 && 2 >= 2 && 1 != 2 && !(1 == 2)", 1},
                                                                     {"zero || taps.width == 5", 1},
                                                                     {"width > 50 ? 8 : 16", 8},
                                                                     {"zero ? 1 : zero ? 2 : 3", 3},
                                                                     {"!zero", 1},
                                                                     {"- -3", 3},
                                                                     {"zero && 1 / zero", 0},
                                                                     {"1 || 1 / zero", 1},
                                                                     {"zero == 0 ? 4 : 1 / zero", 4},
                                                                     {" 7 ", 7}})
        EXPECT_EQ(evaluate(text, kNames), value) << text;
}

TEST(LaunchExpression, SaysWhatIsWrong) {
    EXPECT_EQ(whyNot("height"), "there is no 'height'; known are largest, taps.width, width, zero");
    EXPECT_EQ(whyNot("1 / zero"), "it divides by zero");
    EXPECT_EQ(whyNot("1 % zero"), "it divides by zero");
    EXPECT_EQ(whyNot("ceil(1, zero)"), "it divides by zero");
    EXPECT_EQ(whyNot("largest + 1"), "its value has more than 64 bits");
    EXPECT_EQ(whyNot("largest * 2"), "its value has more than 64 bits");
    EXPECT_EQ(whyNot("99999999999999999999"), "a number has more than 64 bits");
    EXPECT_EQ(whyNot("1.5"), "only whole numbers are known");
    EXPECT_EQ(whyNot("(1 + 2"), "')' is missing");
    EXPECT_EQ(whyNot("1 +"), "a value is missing at its end");
    EXPECT_EQ(whyNot(""), "a value is missing at its end");
    EXPECT_EQ(whyNot("1 2"), "'2' was not expected");
    EXPECT_EQ(whyNot("sqrt(4, 2)"), "there is no function 'sqrt'; known are min(a, b), max(a, b), ceil(a, b)");
    EXPECT_EQ(whyNot(std::string(1000, '(')), "it is nested too deeply");
    EXPECT_EQ(whyNot(std::string(1000, '-') + "1"), "it is nested too deeply");
}

TEST(LaunchExpression, AnyTextIsANumberOrRefused) {
    const char* const pieces[] = {"1", "width", "zero", "+", "-",  "*", "/",    "%", "(", ")",      "?",
                                  ":", "&&",    "||",   "!", "==", "<", "min(", ",", " ", "largest"};
    std::mt19937 random(1);
    int numbers = 0;
    for (int i = 0; i < 20000; ++i) {
        std::string text;
        for (auto n = random() % 12; n > 0; --n) text += pieces[random() % std::size(pieces)];
        try {
            (void)evaluate(text, kNames);
            ++numbers;
        } catch (const ExpressionError& e) {
            EXPECT_STRNE(e.what(), "");
        }
    }
    EXPECT_GT(numbers, 100);
}

class LaunchCommentsOf : public ::testing::Test {
protected:
    static LaunchComments read(const std::string& text) { return readLaunchComments("my.cu", text); }
    static std::string errorOf(const std::string& text) {
        try {
            const LaunchComments comments = read(text);
            const Problem problem = problemOf(100, 50);
            (void)planLaunches(comments, operation(), problem, namesFor(operation(), problem, 132));
        } catch (const Error& e) {
            EXPECT_EQ(e.code(), ErrorCode::input);
            return e.summary() + ": " + e.why();
        }
        return {};
    }
    static const Operation& operation() { return processCatalog().operation("convolve"); }
    static Problem problemOf(std::int64_t width, std::int64_t height) {
        Problem problem;
        problem.shape = {width, height, 1, 3};
        problem.channelNames = {"R", "G", "B"};
        problem.parameters = ParameterBlock(operation().parameters());
        return problem;
    }
};

const char* const kTwo = R"cuda(#include <parallax/convolve.h>
// workspace: width * height * 4
// requires: channels <= 3 "it has no room for more channels"
// constant: taps
__constant__ float weights[16129];

// launch: block(32, 8) grid(ceil(width, 32), ceil(height, 8), channels) shared((31 + taps.width) * 4)
__global__ void __launch_bounds__(256, 2)
    first(parallax_input in, parallax_output out, parallax_convolve p, parallax_context context) {}

// prepare: block(multiprocessors) grid(size)
extern "C" __global__ void second(parallax_input in, parallax_output out, parallax_convolve p, parallax_context context) {}
)cuda";

TEST_F(LaunchCommentsOf, StepsArePlannedInOrder) {
    const LaunchComments comments = read(kTwo);
    ASSERT_TRUE(comments.launch());
    const Problem problem = problemOf(100, 50);
    const Names names = namesFor(operation(), problem, 132);
    const LaunchPlan plan = planLaunches(comments, operation(), problem, names);
    EXPECT_EQ(plan.workspace, 20000);
    ASSERT_EQ(plan.steps.size(), 3U);
    const std::int64_t size = names.at("size"), taps = names.at("taps.width");
    EXPECT_EQ(plan.steps[0].kind, PlannedKind::constant);
    EXPECT_STREQ(plan.steps[0].name, "weights");
    EXPECT_EQ(plan.steps[0].bytes, taps * names.at("taps.height") * 4);
    EXPECT_EQ(plan.steps[1].kind, PlannedKind::prepare);
    EXPECT_STREQ(plan.steps[1].name, "second");
    EXPECT_EQ(plan.steps[1].block[0], 132);
    EXPECT_EQ(plan.steps[1].grid[0], size);
    EXPECT_EQ(plan.steps[2].kind, PlannedKind::launch);
    EXPECT_STREQ(plan.steps[2].name, "first");
    EXPECT_STREQ(plan.steps[2].mangled, "_Z5first14parallax_input15parallax_output17parallax_convolve16parallax_context");
    EXPECT_EQ(plan.steps[2].grid[0], 4);
    EXPECT_EQ(plan.steps[2].grid[1], 7);
    EXPECT_EQ(plan.steps[2].grid[2], 3);
    EXPECT_EQ(plan.steps[2].block[1], 8);
    EXPECT_EQ(plan.steps[2].block[2], 1);
    EXPECT_EQ(plan.steps[2].shared, (31 + taps) * 4);
    EXPECT_EQ(refusalOf(comments, names), std::nullopt);
    Problem four = problemOf(4, 4);
    four.shape.channels = 4;
    four.channelNames.emplace_back("A");
    EXPECT_EQ(refusalOf(comments, namesFor(operation(), four, 132)), "it has no room for more channels");
}

/// The word of a member is the one that holds it in the bytes that a kernel gets.
TEST_F(LaunchCommentsOf, MembersAreTheWordsOfTheStruct) {
    Problem problem = problemOf(8, 8);
    problem.parameters.set("size", std::int64_t{9});
    problem.parameters.set("border", std::string("wrap"));
    const PackedParameters bytes = packed(operation(), problem);
    int arrays = 0;
    for (const ParameterMember& m : membersOf(operation(), problem)) {
        ASSERT_LT(m.word, bytes.words.size());
        if (m.kind == ParameterMember::Kind::whole) {
            EXPECT_EQ(static_cast<std::int64_t>(bytes.words[m.word]), m.value) << m.name;
        }
        if (m.kind != ParameterMember::Kind::array) continue;
        ++arrays;
        EXPECT_EQ(static_cast<std::int64_t>(bytes.words[m.word + 1]), m.width) << m.name;
        EXPECT_EQ(static_cast<std::int64_t>(bytes.words[m.word + 2]), m.height) << m.name;
    }
    EXPECT_GE(arrays, 2);
    const Names names = namesFor(operation(), problem, 1);
    EXPECT_EQ(names.at("border"), names.at("CONVOLVE_BORDER_WRAP"));
    EXPECT_EQ(names.at("size"), 9);
}

TEST_F(LaunchCommentsOf, ErrorsNameTheLine) {
    const std::string kernel = "\n__global__ void f(parallax_input in) {}\n";
    EXPECT_EQ(errorOf("\n// launch: block(32)" + kernel), "my.cu:2: error: grid(...) is missing");
    EXPECT_EQ(errorOf("// launch: grid(1)" + kernel), "my.cu:1: error: block(...) is missing");
    EXPECT_EQ(errorOf("// launch: block(32) grid(1) shard(3)" + kernel),
              "my.cu:1: error: 'shard(3)' is none of block(...), grid(...), shared(...)");
    EXPECT_EQ(errorOf("// launch: block(32) grid(1" + kernel), "my.cu:1: error: 'grid(1' is none of block(...), grid(...), shared(...)");
    EXPECT_EQ(errorOf("// launch: block(1, 2, 3, 4) grid(1)" + kernel), "my.cu:1: error: block(...) has too many values");
    EXPECT_EQ(errorOf("// launch: block(64, 32) grid(1)" + kernel), "my.cu:1: error: the block has 2048 threads; 1024 are possible");
    EXPECT_EQ(errorOf("// launch: block(32) grid(width - 100)" + kernel),
              "my.cu:1: error: grid(...): 'width - 100' is 0, which is not in 1 to 2147483647");
    EXPECT_EQ(errorOf("// launch: block(32) grid(1, 65536)" + kernel),
              "my.cu:1: error: grid(...): '65536' is 65536, which is not in 1 to 65535");
    EXPECT_NE(errorOf("// launch: block(32) grid(widht)" + kernel).find("my.cu:1: error: 'widht': there is no 'widht'; known are "),
              std::string::npos);
    EXPECT_EQ(errorOf("// launch: block(32) grid(1)\nint f();\n"), "my.cu:1: error: no __global__ function follows");
    EXPECT_EQ(errorOf("// prepare: block(32) grid(1)" + kernel), "my.cu:1: error: no function has a comment '// launch: ...'");
    EXPECT_EQ(errorOf("// constant: taps\n"), "my.cu:1: error: no __constant__ variable follows");
    EXPECT_EQ(errorOf("// constant: tips\n__constant__ float w[9];\n// launch: block(32) grid(1)" + kernel),
              "my.cu:1: error: 'convolve' has no array 'tips'");
    EXPECT_EQ(errorOf("// workspace: -1\n// launch: block(32) grid(1)" + kernel), "my.cu:1: error: the workspace has -1 bytes");
    EXPECT_EQ(errorOf("// launch: block(32) grid(1)" + kernel), "");
}

TEST_F(LaunchCommentsOf, AFileWithoutAnyIsNotLaunched) {
    EXPECT_FALSE(read("void parallax_kernel() {}\n// It says launch: block(1) in the middle.\n").launch());
}

TEST(CudaMessages, NameFileAndLineAsOtherCompilersDo) {
    EXPECT_EQ(withPlacesOfCompilers("/a b/my.cu(3): error: x\n  int x(3): y\nmy.cu(12): warning #177-D: z\n"),
              "/a b/my.cu:3: error: x\n  int x(3): y\nmy.cu:12: warning #177-D: z\n");
}

TEST(CudaMessages, ResourcesAreReadFromThem) {
    std::string messages =
        "ptxas info    : 0 bytes gmem\n"
        "ptxas info    : Compiling entry function '_Z4copyPKfPfl' for 'sm_90'\n"
        "ptxas info    : Function properties for _Z4copyPKfPfl\n"
        "    16 bytes stack frame, 8 bytes spill stores, 8 bytes spill loads\n"
        "ptxas info    : Used 24 registers, used 1 barriers, 4096 bytes smem, 552 bytes cmem[0]\n"
        "my.cu:3: warning: kept\n";
    const std::vector<FunctionResources> found = takeResources(messages);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(toText(found[0]), "copy(): 24 registers, 4096 bytes of shared memory, 16 bytes of local memory");
    EXPECT_EQ(messages, "my.cu:3: warning: kept\n");
    EXPECT_EQ(toText({.name = "f", .registers = 1, .threads = 256, .blocks = 4, .most = 2048}),
              "f(): 1 register, no shared memory, no local memory, occupancy 50 % (4 blocks of 256 threads)");
}

}  // namespace
}  // namespace parallax::user
