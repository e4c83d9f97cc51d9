// SPDX-License-Identifier: GPL-3.0-or-later
// Matrices of weights as other programs print them, and errors that quote what could not be read.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/image/error.hpp"
#include "core/operations/convolution/kernel.hpp"

namespace parallax {
namespace {

std::string whyOf(const std::string& text) {
    try {
        (void)parseKernelText(text);
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::usage);
        return e.why();
    }
    return {};
}

TEST(KernelText, ReadsWhatNumPyAndMatlabPrint) {
    const std::vector<double> expected{1, 2, -3, 4};
    for (const char* text :
         {"array([[1., 2.],\n       [-3., 4.]], dtype=float32)", "np.array([[1, 2], [-3, 4]])", "numpy.array([[1,2],[-3,4]], np.float32)",
          "k = np.asarray([[1, 2], [-3, 4]], dtype='float32', order='C')", "[[ 1.  2.]\n [-3.  4.]]", "[1 2; -3 4]", "k = [1, 2; -3, 4];",
          "single([1 2\n-3 4])", "1,2\r\n-3,4\r\n", "1\t2\n-3\t4", "{{1, 2}, {-3, 4}}", "torch.tensor([[1., 2.], [-3., 4.]])",
          "1 2\n\xE2\x88\x92"
          "3 4"}) {
        const Kernel k = parseKernelText(text);
        EXPECT_EQ(k.width, 2) << text;
        EXPECT_EQ(k.height, 2) << text;
        EXPECT_EQ(k.weights, expected) << text;
    }
}

TEST(KernelText, ReadsFractionsAndFactors) {
    EXPECT_EQ(parseKernelText("1/4 -1/2; +3/4 1 / 8").weights, (std::vector<double>{0.25, -0.5, 0.75, 0.125}));
    for (const char* text :
         {"[1 2; 3 4] / 4", "np.array([[1, 2], [3, 4]]) / 4", "1/4 * [1 2; 3 4]", "[1 2; 3 4] * 0.25", "0.5 * [1 2; 3 4] / 2"})
        EXPECT_EQ(parseKernelText(text).weights, (std::vector<double>{0.25, 0.5, 0.75, 1})) << text;
}

TEST(KernelText, JoinsRowsThatNumPyBreaks) {
    const Kernel k = parseKernelText("[[1, 2,\n  3, 4],\n [5, 6,\n  7, 8]]");
    EXPECT_EQ(k.width, 4);
    EXPECT_EQ(k.height, 2);
}

TEST(KernelText, ErrorsQuoteTheTextAndItsLine) {
    EXPECT_EQ(whyOf("1 2\n3 x4"), "could not read 'x4' in line 2");
    EXPECT_EQ(whyOf("1x 2"), "could not read '1x' in line 1");
    EXPECT_EQ(whyOf("1-2"), "could not read '1-2' in line 1");
    EXPECT_EQ(whyOf("1/0 1"), "could not read '1/0' in line 1");
    EXPECT_EQ(whyOf("nan"), "could not read 'nan' in line 1");
    EXPECT_EQ(whyOf("1/9 * ones(3)"), "could not read 'ones' in line 1") << "the matrix is not known";
    EXPECT_EQ(whyOf("[1 2; 3 4] / 0"), "could not read '/' in line 1");
    EXPECT_EQ(whyOf("1 2\n\n3"), "row 2 (line 3) has 1 numbers, the rows before have 2");
    // Cut between characters.
    EXPECT_EQ(whyOf("aaaaaaaaaaaaaaaaaaaaaaa\xC3\xA4\xC3\xA4"), "could not read 'aaaaaaaaaaaaaaaaaaaaaaa...' in line 1");
}

/// Texts of pieces that the reader knows, in any order: the result is a matrix, or an error of the user.
TEST(KernelText, AnyTextIsAMatrixOrRefused) {
    const char* const pieces[] = {"1",     "-2.5",  "1e3", "/",   "9",   "*", " ", "\t",        "\n",           ",",
                                  ";",     "[",     "]",   "(",   ")",   "{", "}", "np.array(", "array([[",     "]], dtype=float32)",
                                  "dtype", "=",     "k",   "inf", "nan", ".", "+", "-",         "\xE2\x88\x92", "\xE2",
                                  "1e999", "1e-320"};
    std::mt19937 random(1);
    int matrices = 0;
    for (int i = 0; i < 20000; ++i) {
        std::string text;
        for (auto n = random() % 24; n > 0; --n) text += pieces[random() % std::size(pieces)];
        try {
            const Kernel k = parseKernelText(text);
            ++matrices;
            ASSERT_EQ(k.weights.size(), static_cast<std::size_t>(k.taps())) << text;
            ASSERT_GE(k.taps(), 1) << text;
            for (const double w : k.weights) ASSERT_TRUE(std::isfinite(w)) << text;
        } catch (const Error& e) {
            ASSERT_EQ(e.code(), ErrorCode::usage) << text;
        }
    }
    EXPECT_GT(matrices, 100) << "the pieces make matrices too";
}

}  // namespace
}  // namespace parallax
