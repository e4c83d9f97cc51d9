// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/image/synthetic.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <set>
#include <utility>

#include "core/image/error.hpp"
#include "core/image/orientation.hpp"

namespace parallax {
namespace {

constexpr std::string_view kPrefix = "synthetic:";

[[noreturn]] void refuse(std::string_view text, const std::string& why) {
    throw Error(ErrorCode::usage, "'" + std::string(text) + "' cannot be generated", why,
                "Write synthetic:KIND:WxH[xD][,channels=N][,seed=S], as in synthetic:zone-plate:512x512");
}

template <class T>
T number(std::string_view whole, std::string_view digits, T minimum, T maximum) {
    T value{};
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size() || value < minimum || value > maximum)
        refuse(whole,
               "'" + std::string(digits) + "' is not a whole number from " + std::to_string(minimum) + " to " + std::to_string(maximum));
    return value;
}

/// SplitMix64 as a hash (Steele, Lea and Flood 2014): a sample depends on its index and the seed alone, so samples can be generated in any
/// order.
std::uint64_t mix(std::uint64_t z) {
    z += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

float uniform(std::uint64_t seed, std::int64_t index) {
    return static_cast<float>(mix(mix(seed) ^ static_cast<std::uint64_t>(index)) >> 40) * 0x1p-24F;
}

struct Ellipsoid {
    double value, a, b, c, x, y, z, phi;  // phi in degrees, about z
};

/// Shepp and Logan (1974) with the contrast of Toft (1996); third dimension after Kak and Slaney (1988), table 3.1.
constexpr std::array<Ellipsoid, 10> kHead{{{1.0, 0.69, 0.92, 0.81, 0, 0, 0, 0},
                                           {-0.8, 0.6624, 0.874, 0.78, 0, -0.0184, 0, 0},
                                           {-0.2, 0.11, 0.31, 0.22, 0.22, 0, 0, -18},
                                           {-0.2, 0.16, 0.41, 0.28, -0.22, 0, 0, 18},
                                           {0.1, 0.21, 0.25, 0.41, 0, 0.35, -0.15, 0},
                                           {0.1, 0.046, 0.046, 0.05, 0, 0.1, 0.25, 0},
                                           {0.1, 0.046, 0.046, 0.05, 0, -0.1, 0.25, 0},
                                           {0.1, 0.046, 0.023, 0.05, -0.08, -0.605, 0, 0},
                                           {0.1, 0.023, 0.023, 0.02, 0, -0.606, 0, 0},
                                           {0.1, 0.023, 0.046, 0.02, 0.06, -0.605, 0, 0}}};

/// `s`: the whole shape; `v`: its rows, or slices of a volume, from `first` on.
void fillSheppLogan(View<float> v, const Shape& s, std::int64_t first, const std::stop_token& stop) {
    std::array<std::pair<double, double>, kHead.size()> turns;  // cosine and sine, which take most of the time
    for (std::size_t i = 0; i < kHead.size(); ++i) {
        const double phi = kHead[i].phi * std::numbers::pi / 180;
        turns[i] = {std::cos(phi), std::sin(phi)};
    }
    const auto coordinate = [](std::int64_t i, std::int64_t n) {
        return n > 1 ? 2.0 * static_cast<double>(i) / static_cast<double>(n - 1) - 1 : 0.0;
    };
    const std::int64_t firstSlice = s.depth > 1 ? first : 0, firstRow = s.depth > 1 ? 0 : first;
    for (std::int64_t z = 0; z < v.shape.depth; ++z)
        for (std::int64_t y = 0; y < v.shape.height; ++y) {
            if (stop.stop_requested()) throw Error(ErrorCode::cancelled, "Cancelled");
            const double py = -coordinate(firstRow + y, s.height), pz = coordinate(firstSlice + z, s.depth);
            for (std::int64_t x = 0; x < s.width; ++x) {
                const double px = coordinate(x, s.width);
                double sum = 0;
                for (std::size_t i = 0; i < kHead.size(); ++i) {
                    const Ellipsoid& e = kHead[i];
                    const auto [cosine, sine] = turns[i];
                    const double dx = px - e.x, dy = py - e.y, dz = s.depth > 1 ? pz - e.z : 0;
                    const double u = (dx * cosine + dy * sine) / e.a, w = (-dx * sine + dy * cosine) / e.b;
                    if (u * u + w * w + dz * dz / (e.c * e.c) <= 1) sum += e.value;
                }
                v.at(x, y, z) = static_cast<float>(sum);
            }
        }
}

float sampleOf(const SyntheticRequest& r, std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t c) {
    const Shape& s = r.shape;
    const auto fraction = [](std::int64_t i, std::int64_t n) { return n > 1 ? static_cast<double>(i) / static_cast<double>(n - 1) : 0.0; };
    switch (r.kind) {
        case SyntheticKind::gradient: {
            // Channel 0 along x, 1 along y, 2 along the diagonal, and so on.
            const double fx = fraction(x, s.width), fy = fraction(y, s.height);
            const std::array<double, 4> directions{fx, fy, (fx + fy) / 2, 1 - fx};
            return static_cast<float>(directions[static_cast<std::size_t>(c % 4)]);
        }
        case SyntheticKind::impulse: return x == s.width / 2 && y == s.height / 2 && z == s.depth / 2 ? 1.0F : 0.0F;
        case SyntheticKind::checker: return ((x / 8 + y / 8 + z / 8) & 1) ? 1.0F : 0.0F;
        case SyntheticKind::zonePlate: {
            const double dx = static_cast<double>(x) - static_cast<double>(s.width - 1) / 2,
                         dy = static_cast<double>(y) - static_cast<double>(s.height - 1) / 2;
            const double dz = static_cast<double>(z) - static_cast<double>(s.depth - 1) / 2;
            const double r2 = dx * dx + dy * dy + dz * dz;
            return static_cast<float>((1 + std::cos(std::numbers::pi * r2 / static_cast<double>(std::max(s.width, s.height)))) / 2);
        }
        case SyntheticKind::noise: return uniform(r.seed, ((c * s.depth + z) * s.height + y) * s.width + x);
        case SyntheticKind::hdrRamp: return static_cast<float>(std::exp2(20 * fraction(x, s.width) - 10));
        case SyntheticKind::sheppLogan: break;  // see fillSheppLogan()
    }
    return 0;
}

}  // namespace

const std::vector<SyntheticKindInfo>& syntheticKinds() {
    static const std::vector<SyntheticKindInfo> kinds{
        {SyntheticKind::gradient, "gradient", "Gradient", "0 to 1 along x; each channel in another direction"},
        {SyntheticKind::impulse, "impulse", "Impulse", "One sample of 1 in the middle: shows the kernel"},
        {SyntheticKind::checker, "checker", "Checker", "Squares of 8 pixels"},
        {SyntheticKind::zonePlate, "zone-plate", "Zone plate", "All spatial frequencies: shows aliasing and frequency response"},
        {SyntheticKind::noise, "noise", "Noise", "Uniform in [0, 1), from the seed"},
        {SyntheticKind::hdrRamp, "hdr-ramp", "HDR ramp", "2^-10 to 2^10 in equal ratios along x"},
        {SyntheticKind::sheppLogan, "shepp-logan", "Shepp-Logan phantom", "Head phantom of ellipses, in 2D or 3D"}};
    return kinds;
}

bool isSynthetic(std::string_view text) { return text.starts_with(kPrefix); }

SyntheticRequest parseSynthetic(std::string_view text) {
    if (!isSynthetic(text)) refuse(text, "it does not begin with 'synthetic:'");
    std::string_view rest = text.substr(kPrefix.size());
    // Removes and returns the text before a separator, or all of it.
    const auto next = [](std::string_view& from, char separator) {
        const std::string_view part = from.substr(0, from.find(separator));
        from.remove_prefix(std::min(from.size(), part.size() + 1));
        return part;
    };
    const bool sized = rest.find(':') != std::string_view::npos;
    const std::string_view kind = next(rest, ':');
    SyntheticRequest request;
    std::string known;
    bool found = false;
    for (const auto& k : syntheticKinds()) {
        known += (known.empty() ? "" : ", ") + k.key;
        if (k.key != kind) continue;
        request.kind = k.kind;
        found = true;
    }
    if (!found) refuse(text, "kinds are " + known);
    if (!sized) refuse(text, "the size is missing");

    std::string_view size = next(rest, ',');
    const auto crosses = std::count(size.begin(), size.end(), 'x');
    std::int64_t* const extents[] = {&request.shape.width, &request.shape.height, &request.shape.depth};
    constexpr std::int64_t kLargest = std::int64_t{1} << 31;
    if (crosses < 1 || crosses > 2) refuse(text, "a size has two or three numbers");
    for (std::ptrdiff_t i = 0; i <= crosses; ++i) *extents[i] = number<std::int64_t>(text, next(size, 'x'), 1, kLargest);
    std::set<std::string_view> seen;
    while (!rest.empty()) {
        const std::string_view part = next(rest, ','), key = part.substr(0, part.find('='));
        if (!seen.insert(key).second) refuse(text, "'" + std::string(key) + "' is written twice");
        if (part.starts_with("channels=")) request.shape.channels = number<std::int64_t>(text, part.substr(9), 1, 1024);
        else if (part.starts_with("seed=")) request.seed = number<std::uint64_t>(text, part.substr(5), 0, ~std::uint64_t{0});
        else refuse(text, "'" + std::string(part) + "' is not an option; options are channels and seed");
    }
    if (request.shape.depth > 1 && request.shape.channels > 1) refuse(text, "a volume has one channel");
    return request;
}

std::string toText(const SyntheticRequest& request) {
    std::string text(kPrefix);
    for (const auto& k : syntheticKinds())
        if (k.kind == request.kind) text += k.key;
    text += ":" + std::to_string(request.shape.width) + "x" + std::to_string(request.shape.height);
    if (request.shape.depth > 1) text += "x" + std::to_string(request.shape.depth);
    if (request.shape.channels > 1) text += ",channels=" + std::to_string(request.shape.channels);
    if (request.seed != SyntheticRequest{}.seed) text += ",seed=" + std::to_string(request.seed);
    return text;
}

Image makeSynthetic(const SyntheticRequest& request, const std::stop_token& stop) {
    return makeSyntheticPart(request, Buffer(request.shape), 0, stop);
}

Image makeSyntheticPart(const SyntheticRequest& request, Buffer samples, std::int64_t first, const std::stop_token& stop) {
    const auto throwIfStopped = [&] {
        if (stop.stop_requested()) throw Error(ErrorCode::cancelled, "Cancelled");
    };
    Image image{std::move(samples)};
    image.source.format = "synthetic";
    image.source.path = toText(request);
    for (const std::string& name : image.channelNames()) image.source.storedChannels.push_back({name, "float"});
    if (request.shape.depth > 1) {
        image.geometry = Geometry{};
        setOrientationUnknown(image);
    }
    if (image.samples().empty()) return image;
    const View<float> v = image.view();
    const Shape& s = v.shape;
    const std::int64_t firstSlice = request.shape.depth > 1 ? first : 0, firstRow = request.shape.depth > 1 ? 0 : first;
    if (request.kind == SyntheticKind::sheppLogan) {
        fillSheppLogan(v.channel(0), request.shape, first, stop);
        for (std::int64_t c = 1; c < s.channels; ++c) std::copy_n(v.data, s.pixels(), v.row(0, 0, c));
    } else {
        for (std::int64_t c = 0; c < s.channels; ++c)
            for (std::int64_t z = 0; z < s.depth; ++z)
                for (std::int64_t y = 0; y < s.height; ++y) {
                    throwIfStopped();
                    for (std::int64_t x = 0; x < s.width; ++x) v.at(x, y, z, c) = sampleOf(request, x, firstRow + y, firstSlice + z, c);
                }
    }
    // Generated images are opaque.
    if (const int alpha = image.alphaChannel(); alpha >= 0) std::fill_n(v.row(0, 0, alpha), s.pixels(), 1.0F);
    for (std::int64_t c = 0; c < s.channels; ++c) {
        throwIfStopped();
        image.source.storedStatistics.push_back(computeStatistics(std::as_const(image).view().channel(c)));
    }
    return image;
}

}  // namespace parallax
