// SPDX-License-Identifier: GPL-3.0-or-later
// Small pictures for reports: input, results and differences from the reference. Records hold none, and redacted reports show none.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/image/image.hpp"

namespace parallax {

/// 8-bit RGB in sRGB, rows from the top.
struct ReportPicture {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgb;
    bool empty() const { return rgb.empty(); }
};

struct EntryPictures {
    std::string label;  ///< of the entry in the record
    ReportPicture result;
    ReportPicture difference;  ///< from the reference; empty if not verified
    double scale = 0;          ///< colour range -scale .. scale; 0: identical
};

/// Pictures of one record.
struct ReportPictures {
    ReportPicture input;
    std::string note;  ///< reduction and slice, without full stop
    std::vector<EntryPictures> entries;
    bool empty() const { return input.empty() && entries.empty(); }
    const EntryPictures* of(const std::string& label) const;
};

/// Longest side in pixels for a report with this number of records.
int pictureSide(std::size_t records);

/// As in the window at exposure 0: linear light to sRGB, alpha over a checker, NaN in magenta. Reduced by an integer factor with means to
/// at most `longestSide`; never enlarged. Volumes: the middle slice.
ReportPicture pictureOf(View<const float> view, const std::vector<std::string>& channels, int longestSide);

/// result - reference in a diverging map (blue negative, dark 0, orange positive). A pixel shows the maximum difference of its samples, so
/// that reduction hides none; mismatches of NaN and infinity in magenta. `scale` covers 99 % of the pixels that differ. Volumes: the slice
/// with the maximum. Throws Error(usage) if the shapes differ.
ReportPicture differenceOf(View<const float> result, View<const float> reference, int longestSide, double& scale);

/// Input and note; addPictures() adds entries.
ReportPictures picturesOf(const Image& input, int longestSide);
/// `result` and `reference` have the channels of `input`. No difference if `reference` is empty or the result itself.
void addPictures(ReportPictures& pictures, const std::string& label, const Image& input, View<const float> result,
                 View<const float> reference, int longestSide);

/// Colour of t in [-1, 1] in the map of differences, 0xRRGGBB.
std::uint32_t differenceColour(double t);

}  // namespace parallax
