// SPDX-License-Identifier: GPL-3.0-or-later
// Filters, coefficients, their places and reconstructions against PyWavelets' (tests/oracles/make_wavelets.py).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "core/operations/wavelet/serial_transform.hpp"
#include "core/operations/wavelet/shrinkage.hpp"

namespace parallax {
namespace {

/// Lines of the golden file that begin with a word, without it.
std::vector<std::istringstream> linesOf(const std::string& word) {
    std::ifstream file(PARALLAX_GOLDEN_FOLDER "/wavelets.txt");
    EXPECT_TRUE(file) << "tests/oracles/wavelets.txt is missing";
    std::vector<std::istringstream> lines;
    for (std::string line; std::getline(file, line);)
        if (line.starts_with(word + " ")) lines.emplace_back(line.substr(word.size() + 1));
    return lines;
}

float sampleAt(std::int64_t i) { return static_cast<float>((i * 7919 + 13) * (i + 17) % 256) / 8 - 16; }
double weightAt(std::int64_t i, int k) { return static_cast<double>((i + 1) * (k == 0 ? 101 : 733) % 1009) / 1009 - 0.5; }

/// PyWavelets keeps symlets and some biorthogonal filters with 11 or 12 correct decimals: its own sym20 misses orthogonality by 1e-11.
double filterTolerance(const std::string& key) {
    if (key.starts_with("sym")) return 2e-11;
    return 1e-12;
}

struct Case {
    std::string text, key;
    WaveletParameters parameters;
    Shape image, mosaic;
};

/// "WAVELET MODE LEVELS AXES W H D" and, after a colon, "MW MH MD :".
Case readCase(std::istringstream& line, bool withMosaic) {
    Case c;
    std::string mode, axes, levels, colon;
    line >> c.key >> mode >> levels >> axes >> c.image.width >> c.image.height >> c.image.depth >> colon;
    if (withMosaic) line >> c.mosaic.width >> c.mosaic.height >> c.mosaic.depth >> colon;
    ParameterBlock block(waveletParameterTable());
    block.setText("wavelet", c.key);
    block.setText("mode", mode);
    block.setText("levels", levels);
    block.setText("axes", axes == "xyz" ? "all" : axes);
    c.parameters = block.as<WaveletParameters>();
    c.text = c.key + " " + mode + " " + levels + " " + axes + " " + std::to_string(c.image.width) + "x" + std::to_string(c.image.height) +
             "x" + std::to_string(c.image.depth);
    return c;
}

template <class T>
std::vector<double> sumsOf(const View<const T>& v) {
    std::vector<double> sums(2);
    for (std::int64_t i = 0; i < v.shape.samples(); ++i)
        for (int k = 0; k < 2; ++k) sums[static_cast<std::size_t>(k)] += static_cast<double>(v.data[i]) * weightAt(i, k);
    return sums;
}

std::vector<double> transformed(const WaveletPlan& plan) {
    std::vector<float> image(static_cast<std::size_t>(plan.image.samples()));
    for (std::size_t i = 0; i < image.size(); ++i) image[i] = sampleAt(static_cast<std::int64_t>(i));
    std::vector<double> mosaic(static_cast<std::size_t>(plan.mosaic.samples()), std::nan(""));
    SerialTransform transform(plan);
    transform.forward(denseView<const float>(image.data(), plan.image), denseView(mosaic.data(), plan.mosaic), [] {});
    return mosaic;
}

TEST(WaveletGolden, FiltersMatchPyWavelets) {
    int checked = 0;
    for (auto& line : linesOf("filter")) {
        std::string key, name;
        line >> key >> name;
        const FilterBank bank = makeFilterBank(waveletOfKey(key), "");
        const std::vector<double>& taps = name == "dec_lo" ? bank.decLo : name == "rec_lo" ? bank.recLo : bank.recHi;
        std::vector<double> expected;
        for (double v = 0; line >> v;) expected.push_back(v);
        ASSERT_EQ(taps.size(), expected.size()) << key;
        for (std::size_t k = 0; k < taps.size(); ++k)
            EXPECT_NEAR(taps[k], expected[k], filterTolerance(key)) << key << " " << name << " " << k;
        ++checked;
    }
    EXPECT_EQ(checked, 2 * (kWaveletCount - 1));
}

TEST(WaveletGolden, CoefficientsAndLayoutMatchWavedecn) {
    int checked = 0;
    double largest = 0;
    for (auto& line : linesOf("dwt")) {
        const Case c = readCase(line, true);
        const WaveletPlan plan = planWavelet(c.parameters, c.image);
        ASSERT_EQ(plan.mosaic, c.mosaic) << c.text;
        const std::vector<double> mosaic = transformed(plan);
        const auto sums = sumsOf(denseView<const double>(mosaic.data(), plan.mosaic));
        double scale = 0;
        for (const double v : mosaic) scale += std::fabs(v);
        for (const double sum : sums) {
            double expected = 0;
            line >> expected;
            const double tolerance = (c.key.starts_with("sym") ? 1e-9 : 2e-11) * (scale + 1);
            EXPECT_NEAR(sum, expected, tolerance) << c.text;
            largest = std::max(largest, std::fabs(sum - expected) / tolerance);
        }
        ++checked;
    }
    EXPECT_GT(checked, 700);
    std::cout << "  " << checked << " transforms, largest deviation " << largest << " of the tolerance\n";
}

TEST(WaveletGolden, ReconstructionsMatchWaverecn) {
    int checked = 0;
    for (auto& line : linesOf("idwt")) {
        const Case c = readCase(line, true);
        const WaveletPlan plan = planWavelet(c.parameters, c.image);
        ASSERT_EQ(plan.mosaic, c.mosaic) << c.text;
        std::vector<float> mosaic(static_cast<std::size_t>(plan.mosaic.samples()));
        for (std::size_t i = 0; i < mosaic.size(); ++i) mosaic[i] = sampleAt(static_cast<std::int64_t>(i));
        std::vector<float> image(static_cast<std::size_t>(plan.image.samples()));
        SerialTransform transform(plan);
        transform.inverse(denseView<const float>(mosaic.data(), plan.mosaic), denseView(image.data(), plan.image), [] {});
        double scale = 0;
        for (const float v : image) scale += std::fabs(static_cast<double>(v));
        for (const double sum : sumsOf(denseView<const float>(image.data(), plan.image))) {
            double expected = 0;
            line >> expected;
            EXPECT_NEAR(sum, expected, 1e-7 * (scale + 1)) << c.text;  // the image is float32
        }
        ++checked;
    }
    EXPECT_GT(checked, 200);
}

TEST(WaveletGolden, SmallMosaicsMatchInFull) {
    int checked = 0;
    for (auto& line : linesOf("values")) {
        const Case c = readCase(line, false);
        const std::vector<double> mosaic = transformed(planWavelet(c.parameters, c.image));
        for (std::size_t i = 0; i < mosaic.size(); ++i) {
            double expected = 0;
            ASSERT_TRUE(line >> expected) << c.text;
            EXPECT_NEAR(mosaic[i], expected, 1e-11) << c.text << " at " << i;
        }
        ++checked;
    }
    EXPECT_EQ(checked, 4);
}

TEST(WaveletGolden, ThresholdsMatchPyWavelets) {
    int checked = 0;
    for (auto& line : linesOf("threshold")) {
        std::string name, colon;
        double t = 0, d = 0, expected = 0;
        line >> name >> t >> colon;
        const auto method = name == "soft" ? ShrinkageMethod::soft : name == "hard" ? ShrinkageMethod::hard : ShrinkageMethod::garrote;
        while (line >> d >> expected) {
            EXPECT_NEAR(shrunk(d, t, {method}), expected, 1e-12) << name << " " << t << " " << d;
            EXPECT_NEAR(shrunk(static_cast<float>(d), static_cast<float>(t), {method}), expected, 2e-6 * (1 + std::fabs(d)))
                << name << " " << d;
            ++checked;
        }
    }
    EXPECT_EQ(checked, 66);
}

TEST(WaveletGolden, FirmThresholdsMatchPyWavelets) {
    int checked = 0;
    for (auto& line : linesOf("firm")) {
        std::string colon;
        double low = 0, high = 0, d = 0, expected = 0;
        line >> low >> high >> colon;
        const DenoiseParameters p{.method = ShrinkageMethod::firm, .ratio = high / low};
        while (line >> d >> expected) {
            EXPECT_NEAR(shrunk(d, low, p.shrinkage()), expected, 1e-12) << low << " " << high << " " << d;
            EXPECT_NEAR(shrunk(static_cast<float>(d), static_cast<float>(low), p.shrinkage()), expected, 2e-6 * (1 + std::fabs(d)))
                << low << " " << high << " " << d;
            ++checked;
        }
    }
    EXPECT_EQ(checked, 33);
}

}  // namespace
}  // namespace parallax
