// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/codec/colour_profile.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <locale>
#include <sstream>
#include <string_view>

#include "core/io/formats/png/png.hpp"

namespace parallax {
namespace {

/// Every read is checked against the size of the profile.
class IccProfile {
public:
    explicit IccProfile(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    /// The exponent of the tone curve: 1 is linear, 0 is any other curve or none.
    double exponent(bool grey) const {
        const std::uint64_t tags = std::min<std::uint64_t>(u32(128), 200);
        for (std::uint64_t tag = 0; tag < tags; ++tag) {
            const std::uint64_t entry = 132 + 12 * tag;
            if (!is(entry, grey ? "kTRC" : "rTRC")) continue;
            const std::uint64_t at = u32(entry + 4);
            if (is(at, "curv")) {
                const std::uint64_t count = u32(at + 8);
                return count == 0 ? 1 : count == 1 ? static_cast<double>(u32(at + 12) >> 16) / 256 : 0;
            }
            // Parametric type 0 is a plain power.
            if (is(at, "para") && u32(at + 8) >> 16 == 0) return static_cast<double>(u32(at + 12)) / 65536;
            return 0;
        }
        return 0;
    }

private:
    std::uint64_t u32(std::uint64_t at) const {
        if (at + 4 > bytes_.size()) return 0;
        return std::uint64_t{bytes_[at]} << 24 | std::uint64_t{bytes_[at + 1]} << 16 | std::uint64_t{bytes_[at + 2]} << 8 | bytes_[at + 3];
    }
    bool is(std::uint64_t at, const char* signature) const {
        return at + 4 <= bytes_.size() && std::memcmp(bytes_.data() + at, signature, 4) == 0;
    }
    std::span<const std::uint8_t> bytes_;
};

/// EOTF of PQ, SMPTE ST 2084, in cd/m2.
double perceptualQuantizer(double v) {
    constexpr double m1 = 2610.0 / 16384, m2 = 2523.0 / 4096 * 128, c1 = 3424.0 / 4096, c2 = 2413.0 / 4096 * 32, c3 = 2392.0 / 4096 * 32;
    const double p = std::pow(v, 1 / m2);
    return 10000 * std::pow(std::max(p - c1, 0.0) / (c2 - c3 * p), 1 / m1);
}

/// Inverse OETF of HLG, ITU-R BT.2100.
double hybridLogGamma(double v) {
    constexpr double a = 0.17883277, b = 1 - 4 * a;
    const double c = 0.5 - a * std::log(4 * a);
    return v <= 0.5 ? v * v / 3 : (std::exp((v - c) / a) + b) / 12;
}

/// Inverse OETF of ITU-R BT.709.
double television(double v) { return v < 0.081 ? v / 4.5 : std::pow((v + 0.099) / 1.099, 1 / 0.45); }

}  // namespace

std::vector<float> decodingTableOf(int transferCharacteristic, int maximum) {
    constexpr double kWhite = 203, kWhiteSignal = 0.75;
    double (*curve)(double) = nullptr;
    double white = 1;
    switch (transferCharacteristic) {
        case 1:
        case 6:
        case 14:
        case 15: curve = television; break;
        case 16:
            curve = perceptualQuantizer;
            white = kWhite;
            break;
        case 18:
            curve = hybridLogGamma;
            white = hybridLogGamma(kWhiteSignal);
            break;
        default: return {};
    }
    std::vector<float> table(static_cast<std::size_t>(maximum) + 1);
    for (int i = 0; i <= maximum; ++i)
        table[static_cast<std::size_t>(i)] = static_cast<float>(curve(static_cast<double>(i) / maximum) / white);
    return table;
}

void useExponent(SourceInfo& source, double exponent) {
    source.gamma = exponent;
    source.transfer = std::fabs(exponent - 1) < 1e-3 ? TransferFunction::linear : TransferFunction::gamma;
    if (source.transfer == TransferFunction::linear) source.gamma = 1;
}

void useProfile(SourceInfo& source, std::span<const std::uint8_t> profile, const std::string& name, bool grey) {
    const double exponent = IccProfile(profile).exponent(grey);
    if (exponent > 0.01 && exponent < 100) useExponent(source, exponent);
    source.warnings.push_back("The colour profile" + (name.empty() ? std::string() : " '" + name + "'") + " is not applied; " +
                              (source.transfer == TransferFunction::sRgb ? "samples are taken as sRGB" : "only its tone curve is used"));
}

bool namesSrgb(std::span<const std::uint8_t> profile) {
    for (const std::string_view name : {std::string_view("sRGB"), std::string_view("s\0R\0G\0B", 7)})
        if (std::search(profile.begin(), profile.end(), name.begin(), name.end()) != profile.end()) return true;
    return false;
}

bool hasUnknownPrimaries(const Image& image) {
    return std::any_of(image.metadata.begin(), image.metadata.end(),
                       [](const MetadataEntry& e) { return e.type == kChromaticitiesType && e.text == kUnknownPrimaries; });
}

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
