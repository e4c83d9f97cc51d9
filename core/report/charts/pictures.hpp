// SPDX-License-Identifier: GPL-3.0-or-later
// Small pictures for reports: of the input, of each result, and where it differs from the reference. They belong to a page and not
// to the record, which stays what programs read; they are the person's data, and a redacted report has none.
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
    ReportPicture difference;  ///< from the reference; empty when there was none to compare with
    double scale = 0;          ///< of its colours: -scale .. scale; 0: no sample differs
};

/// Of one record.
struct ReportPictures {
    ReportPicture input;
    std::string note;  ///< what they show: "slice 12 of 24", the reduction; a sentence without its full stop
    std::vector<EntryPictures> entries;
    bool empty() const { return input.empty() && entries.empty(); }
    const EntryPictures* of(const std::string& label) const;
};

/// Longest side of the pictures of a report with so many records, pixels.
int pictureSide(std::size_t records);

/// As the window shows it at exposure 0: linear light to sRGB, alpha over a checker, NaN in magenta. Reduced by whole factors to
/// at most `longestSide`, each pixel the mean of what it stands for; never enlarged. Of a volume the slice in the middle.
ReportPicture pictureOf(View<const float> view, const std::vector<std::string>& channels, int longestSide);

/// result - reference by a diverging map (blue below, dark at 0, orange above). Each pixel shows the difference of largest
/// magnitude of all samples and channels that it stands for, so that reducing hides none; NaN and infinity against
/// something else in magenta. 99 % of the pixels that differ lie within `scale`, the others have the last colours. The slice of
/// a volume is the one with the largest difference. Throws Error(usage) when the shapes differ.
ReportPicture differenceOf(View<const float> result, View<const float> reference, int longestSide, double& scale);

/// The input and the note; entries are added as they come.
ReportPictures picturesOf(const Image& input, int longestSide);
/// `reference` without samples, or the result itself: no difference.
void addPictures(ReportPictures& pictures, const std::string& label, const std::vector<std::string>& channels, View<const float> result,
                 View<const float> reference, int longestSide);

/// 0xRRGGBB of t in [-1, 1] in the map of the differences.
std::uint32_t differenceColour(double t);

}  // namespace parallax
