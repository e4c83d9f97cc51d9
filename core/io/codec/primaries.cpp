// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/codec/primaries.hpp"

#include <algorithm>
#include <cmath>
#include <locale>
#include <sstream>
#include <string>

#include "core/io/formats/png/png.hpp"

namespace parallax {

std::optional<Primaries> unusualPrimaries(const Image& image) {
    for (const MetadataEntry& e : image.metadata) {
        const bool exr = e.type == "chromaticities";
        if (!exr && e.type != kChromaticitiesType) continue;
        // EXR: "red 0.64 0.33, green ...", white last. PNG: numbers only, white first.
        std::string text = e.text;
        std::replace_if(
            text.begin(), text.end(), [](char c) { return (c >= 'a' && c <= 'z' && c != 'e') || c == ','; }, ' ');
        std::array<double, 8> v{};
        std::size_t found = 0;
        std::istringstream words(text);
        words.imbue(std::locale::classic());
        for (std::string word; found < v.size() && words >> word;) {
            std::istringstream number(word);
            number.imbue(std::locale::classic());
            if (number >> v[found]) ++found;
        }
        if (found < v.size() || !std::all_of(v.begin(), v.end(), [](double x) { return std::isfinite(x); })) continue;
        if (exr) std::rotate(v.begin(), v.begin() + 6, v.end());
        constexpr std::array<double, 8> kRec709{0.3127, 0.3290, 0.64, 0.33, 0.30, 0.60, 0.15, 0.06};
        constexpr double kRounding = 2e-3;  // in the values that programs write for Rec. 709
        if (std::equal(v.begin(), v.end(), kRec709.begin(), [](double a, double b) { return std::fabs(a - b) < kRounding; })) continue;
        return Primaries{{v[0], v[1]}, {v[2], v[3]}, {v[4], v[5]}, {v[6], v[7]}};
    }
    return std::nullopt;
}

}  // namespace parallax
