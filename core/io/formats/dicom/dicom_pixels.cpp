// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/formats/dicom/dicom_pixels.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <charconv>
#include <cmath>

#include "core/image/texts.hpp"
#include "core/io/codec/parallel_tasks.hpp"
#include "core/io/codec/stored_colours.hpp"
#include "core/io/formats/dicom/dicom_elements.hpp"

namespace parallax {
namespace {

/// The number that a decimal string of 16 characters gives.
double asDecimal(double value) {
    double read = value;
    (void)parseNumber(dicomDecimal(value), read);
    return read;
}

std::string shortNumber(double value) {
    std::array<char, 32> text{};
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 4).ptr};
}

/// A way to store samples.
struct Code {
    Rescale rescale;
    double smallest = 0, largest = 65535;  ///< stored numbers
};

/// Stores a row. Returns the largest difference between a sample and what a reader gets for it; infinite ones count as clipped, not as
/// different.
double storeRow(const float* in, std::size_t count, const Code& code, std::uint8_t* out) {
    double worst = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const double sample = static_cast<double>(in[i]), steps = (sample - code.rescale.intercept) / code.rescale.slope;
        const double stored = steps > code.smallest ? std::min(std::nearbyint(steps), code.largest) : code.smallest;  // also for NaN
        const auto word = static_cast<std::uint16_t>(static_cast<std::int32_t>(stored));
        out[2 * i] = static_cast<std::uint8_t>(word);
        out[2 * i + 1] = static_cast<std::uint8_t>(word >> 8);
        const auto read = static_cast<float>(stored * code.rescale.slope + code.rescale.intercept);
        if (std::isfinite(sample)) worst = std::max(worst, std::fabs(static_cast<double>(read) - sample));
    }
    return worst;
}

/// Stores all samples. Returns the largest error; any positive number, early, if `exact` and there is one.
double storeAll(const Image& image, const Code& code, bool exact, const SaveOptions& options, DicomStored& to) {
    const View<const float> v = image.view();
    const auto width = static_cast<std::size_t>(v.shape.width);
    std::vector<double> worst(static_cast<std::size_t>(v.shape.depth), 0);
    std::atomic<bool> failed = false;
    LoadOptions tasks = taskOptions(options);
    tasks.progress = {};
    runTasks(v.shape.depth, tasks, {}, [&](std::int64_t z) {
        std::uint8_t* const slice = to.bytes.data() + static_cast<std::size_t>(z) * to.sliceBytes;
        double& most = worst[static_cast<std::size_t>(z)];
        for (std::int64_t y = 0; y < v.shape.height && !failed; ++y) {
            most = std::max(most, storeRow(v.row(y, z), width, code, slice + 2 * width * static_cast<std::size_t>(y)));
            if (exact && most > 0) failed = true;
        }
    });
    return *std::max_element(worst.begin(), worst.end());
}

/// The smallest slope of 16 characters that spans the samples.
Code spanning(double least, double largest) {
    constexpr double kSteps = 65535;
    Code code;
    code.rescale.intercept = asDecimal(least);
    const double slope = largest > least ? (largest / kSteps - least / kSteps) * (1 + 1e-9) : 1;
    code.rescale.slope = asDecimal(slope);
    return code;
}

/// A power of two as slope, and a multiple of it as intercept, which floats between them need no rounding for.
Code binary(double least, double largest) {
    constexpr double kSteps = 65534;  // the intercept may be a step lower
    const double slope = std::exp2(std::ceil(std::log2((largest - least) / kSteps)));
    Code code;
    code.rescale = {slope, std::floor(least / slope) * slope};
    return code;
}

bool fitsDecimal(const Rescale& r) { return asDecimal(r.slope) == r.slope && asDecimal(r.intercept) == r.intercept; }

void noteRounding(const Image& image, const DicomStored& stored, double error, std::vector<std::string>& notes) {
    if (!(error > 0)) return;
    const std::string unit = image.geometry && !image.geometry->unit.empty() ? " " + image.geometry->unit : "";
    notes.push_back("The samples were rounded to 16 bits, in steps of " + shortNumber(stored.rescale.slope) + unit +
                    "; the largest error is " + shortNumber(error) + unit);
}

}  // namespace

DicomStored storeDicomValues(const Image& image, const SaveOptions& options, std::vector<std::string>& notes) {
    const Shape& shape = image.shape();
    const SampleStatistics statistics = computeStatistics(image);
    DicomStored stored;
    stored.values = true;
    stored.least = statistics.min;
    stored.largest = statistics.max;
    stored.sliceBytes = 2 * static_cast<std::size_t>(shape.width * shape.height);
    stored.bytes.resize(stored.sliceBytes * static_cast<std::size_t>(shape.depth));
    Code code;
    double error = 1;
    const auto attempt = [&](const Code& candidate, bool exact) {
        code = candidate;
        error = storeAll(image, code, exact, options, stored);
        return error == 0;
    };
    const double least = statistics.min, largest = statistics.max;
    bool done = false;
    if (least >= -32768 && largest <= 32767) done = attempt({{}, -32768, 32767}, true);
    else if (least >= 0 && largest <= 65535) done = attempt({}, true);
    if (!done && largest > least)
        if (const Code candidate = binary(least, largest); fitsDecimal(candidate.rescale)) done = attempt(candidate, true);
    if (!done) (void)attempt(spanning(least, largest), false);
    stored.rescale = code.rescale;
    stored.isSigned = code.smallest < 0;
    noteRounding(image, stored, error, notes);
    if (const std::uint64_t others = statistics.nonFinite(); others > 0)
        notes.push_back(counted(static_cast<std::int64_t>(others), "sample") +
                        (others == 1 ? " that is NaN or infinite was" : " that are NaN or infinite were") +
                        " stored as the smallest or the largest value");
    return stored;
}

DicomStored storeDicomColours(const Image& image, const std::vector<int>& channels, const SaveOptions& options,
                              std::vector<std::string>& notes) {
    DicomStored stored;
    stored.samplesPerPixel = static_cast<unsigned>(channels.size());
    stored.bits = channels.size() == 1 ? 16 : 8;
    stored.largest = stored.bits == 16 ? 65535 : 255;
    const RowPacker pack(image.view(), channels, static_cast<int>(stored.bits), TransferFunction::sRgb, 1, std::endian::little);
    const std::int64_t height = image.shape().height;
    stored.sliceBytes = pack.rowBytes() * static_cast<std::size_t>(height);
    stored.bytes.resize(stored.sliceBytes);
    std::atomic<std::uint64_t> clipped = 0;
    runTasks(height, taskOptions(options), {0, 0.5},
             [&](std::int64_t y) { clipped += pack(y, stored.bytes.data() + static_cast<std::size_t>(y) * pack.rowBytes()); });
    noteClipped(clipped, notes);
    return stored;
}

}  // namespace parallax
