// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/codec/exif.hpp"

#include <array>
#include <string>
#include <utility>

#include "core/io/formats.hpp"
#include "core/io/sample_budget.hpp"

namespace parallax {
namespace {

/// Reads outside of the block give 0.
struct ExifReader {
    std::span<const std::uint8_t> bytes;
    bool bigEndian = false;

    std::uint32_t u8(std::size_t at) const { return at < bytes.size() ? bytes[at] : 0; }
    std::uint32_t u16(std::size_t at) const { return bigEndian ? u8(at) << 8 | u8(at + 1) : u8(at + 1) << 8 | u8(at); }
    std::uint32_t u32(std::size_t at) const { return bigEndian ? u16(at) << 16 | u16(at + 2) : u16(at + 2) << 16 | u16(at); }
};

/// A way to turn a picture upright: rows and columns are exchanged first, then mirrored.
struct Turn {
    bool transpose, mirrorX, mirrorY;
    const char* text;
};
constexpr std::array<Turn, 7> kTurns{{{false, true, false, "mirrored left to right"},
                                      {false, true, true, "turned by 180 degrees"},
                                      {false, false, true, "mirrored top to bottom"},
                                      {true, false, false, "mirrored at its diagonal"},
                                      {true, true, false, "turned by 90 degrees clockwise"},
                                      {true, true, true, "mirrored at its other diagonal"},
                                      {true, false, true, "turned by 90 degrees counter-clockwise"}}};

}  // namespace

int exifOrientation(std::span<const std::uint8_t> exif) {
    const ExifReader r{exif, startsWith(exif, "MM")};
    const std::size_t directory = r.u32(4), entries = r.u16(directory);
    for (std::size_t i = 0; i < entries && directory + 2 + 12 * (i + 1) <= exif.size(); ++i) {
        constexpr std::uint32_t kOrientation = 274, kShort = 3;
        const std::size_t entry = directory + 2 + 12 * i;
        if (r.u16(entry) != kOrientation) continue;
        const std::uint32_t value = r.u16(entry + 2) == kShort ? r.u16(entry + 8) : r.u32(entry + 8);
        return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
    }
    return 1;
}

void makeUpright(Image& image, int orientation) {
    if (orientation < 2 || orientation > 8) return;
    const Turn& turn = kTurns[static_cast<std::size_t>(orientation - 2)];
    const Shape from = image.shape();
    Shape to = from;
    if (turn.transpose) std::swap(to.width, to.height);
    const bool known = !image.samples().empty();
    Buffer samples = sampleBuffer(to);
    const View<const float> in = std::as_const(image).view();
    const View<float> out = samples.view<float>();
    for (std::int64_t c = 0; c < to.channels && known; ++c)
        for (std::int64_t y = 0; y < to.height; ++y)
            for (std::int64_t x = 0; x < to.width; ++x) {
                const std::int64_t column = turn.mirrorX ? to.width - 1 - x : x, row = turn.mirrorY ? to.height - 1 - y : y;
                out.at(x, y, 0, c) = turn.transpose ? in.at(row, column, 0, c) : in.at(column, row, 0, c);
            }
    image.samples() = std::move(samples);
    if (turn.transpose) image.pixelAspectRatio = 1 / image.pixelAspectRatio;
    image.source.warnings.push_back("The picture was " + std::string(turn.text) + ", as the file asks for (orientation " +
                                    std::to_string(orientation) + ")");
}

}  // namespace parallax
