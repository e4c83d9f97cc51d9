// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/wavelet/layout.hpp"

#include <algorithm>
#include <charconv>

#include "core/engine/operation/plan_cache.hpp"
#include "core/image/error.hpp"

namespace parallax {
namespace {

constexpr const char* kAxisNames = "xyz";
constexpr unsigned kAxisBits[kWaveletAxesCount] = {0, 0b011, 0b001, 0b010, 0b100, 0b101, 0b110};

/// Bit 0, 1, 2: x, y, z.
unsigned axisBits(WaveletAxes axes, std::int64_t depth) {
    if (axes == WaveletAxes::all) return depth > 1 ? 0b111 : 0b011;
    return kAxisBits[static_cast<int>(axes)];
}

std::array<std::int64_t, 3> extents(const Shape& s) { return {s.width, s.height, s.depth}; }
Shape shapeOf(const std::array<std::int64_t, 3>& e, std::int64_t channels) { return {e[0], e[1], e[2], channels}; }

WaveletAxis makeAxis(std::int64_t n, bool transformed, int levels, int taps, WaveletMode rule) {
    WaveletAxis axis;
    axis.transformed = transformed;
    const auto size = static_cast<std::size_t>(levels) + 1;
    axis.count.assign(size, n);
    axis.offset.assign(size, n);
    if (!transformed) return axis;
    for (std::size_t l = 1; l < size; ++l) axis.count[l] = coefficientCount<std::int64_t>(axis.count[l - 1], taps, rule);
    axis.offset.back() = axis.count.back();
    for (std::size_t l = size - 1; l > 0; --l) axis.offset[l - 1] = axis.offset[l] + axis.count[l];
    return axis;
}

/// The largest even n with a mosaic of this extent, else the largest odd one, else 0.
std::int64_t imageExtent(std::int64_t mosaic, bool transformed, int levels, int taps, WaveletMode rule) {
    if (!transformed) return mosaic;
    const auto extent = [&](std::int64_t n) { return makeAxis(n, true, levels, taps, rule).offset[0]; };
    // The extent grows with n, and is at least n.
    std::int64_t low = 0, high = mosaic;
    while (low < high) {
        const std::int64_t middle = low + (high - low + 1) / 2;
        if (extent(middle) <= mosaic) low = middle;
        else high = middle - 1;
    }
    if (low < 1 || extent(low) != mosaic) return 0;
    return low % 2 == 1 && low > 1 && extent(low - 1) == mosaic ? low - 1 : low;
}

std::string sizeText(const Shape& s) { return std::to_string(s.width) + "x" + std::to_string(s.height) + "x" + std::to_string(s.depth); }

/// Text of one of the parameters, as in a recipe.
std::string textOf(const WaveletParameters& parameters, std::string_view key) {
    ParameterBlock block(waveletParameterTable());
    block.assign(parameters);
    return block.text(key);
}

std::string axesText(const WaveletPlan& plan) {
    std::string text;
    for (std::size_t a = 0; a < 3; ++a)
        if (plan.axes[a].transformed) text += kAxisNames[a];
    return text;
}

std::string filterText(const FilterBank& b) {
    std::string text;
    for (const auto* filter : {&b.decLo, &b.decHi, &b.recLo, &b.recHi}) {
        for (const double v : *filter) text += (text.empty() || text.back() == ';' ? "" : ",") + toText(ParameterValue(v));
        if (filter != &b.recHi) text += ';';
    }
    return text;
}

bool sameFilters(const FilterBank& a, const FilterBank& b) {
    return a.decLo == b.decLo && a.decHi == b.decHi && a.recLo == b.recLo && a.recHi == b.recHi;
}

bool isCoefficientFact(const Fact& fact) { return fact.name.starts_with("parallax.dwt"); }

[[noreturn]] void refuseFact(const std::string& text, const std::string& why) {
    throw Error(ErrorCode::input, "Cannot read the image's metadata on its wavelet coefficients", "'" + text.substr(0, 120) + "' " + why,
                "Set wavelet, mode, levels, width, height and depth as parameters");
}

std::vector<std::int64_t> parseShape(std::string_view text) {
    std::vector<std::int64_t> numbers;
    while (!text.empty()) {
        std::int64_t n = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
        if (error != std::errc{} || n < 1 || n > (std::int64_t{1} << 40)) return {};
        numbers.push_back(n);
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        if (text.empty()) break;
        if (text.front() != 'x' || text.size() == 1) return {};
        text.remove_prefix(1);
    }
    return numbers;
}

StoredTransform parseFact(const std::string& text) {
    StoredTransform stored;
    stored.image = {0, 0, 0, 0};
    bool wavelet = false, mode = false, levels = false, axes = false;
    for (std::size_t start = 0; start < text.size();) {
        const std::size_t end = std::min(text.find(' ', start), text.size());
        const std::string part = text.substr(start, end - start);
        start = end + 1;
        const auto equals = part.find('=');
        if (part.empty()) continue;
        if (equals == std::string::npos) refuseFact(text, "has a part without a value");
        const std::string key = part.substr(0, equals), value = part.substr(equals + 1);
        ParameterBlock block(waveletParameterTable());
        if (key == "shape") {
            const auto n = parseShape(value);
            if (n.size() != 3) refuseFact(text, "has no proper shape");
            stored.image = {n[0], n[1], n[2], 0};
        } else if (key == "wavelet" || key == "mode" || key == "levels" || key == "filters") {
            try {
                block.setText(key, value);
            } catch (const Error& e) {
                refuseFact(text, "is not understood: " + e.why());
            }
            const auto& p = block.as<WaveletParameters>();
            if (key == "wavelet") stored.parameters.wavelet = p.wavelet, wavelet = true;
            if (key == "mode") stored.parameters.mode = p.mode, mode = true;
            if (key == "levels") stored.parameters.levels = p.levels, levels = p.levels > 0;
            if (key == "filters") stored.parameters.filters = p.filters;
        } else if (key == "axes") {
            for (int a = 0; a < kWaveletAxesCount; ++a) {
                std::string name;
                for (unsigned bit = 0; bit < 3; ++bit)
                    if (axisBits(static_cast<WaveletAxes>(a), 2) >> bit & 1U) name += kAxisNames[bit];
                if (name == value) stored.parameters.axes = static_cast<WaveletAxes>(a), axes = true;
            }
        }
        // Other keys may come from a later version.
    }
    if (!wavelet || !mode || !levels || !axes || stored.image.width == 0) refuseFact(text, "does not say everything");
    if (stored.parameters.axes == WaveletAxes::all && stored.image.depth == 1) refuseFact(text, "transforms the depth of an image");
    return stored;
}

[[noreturn]] void refuseContradiction(const std::string& what, const std::string& stored, const std::string& given) {
    throw Error(ErrorCode::usage, "The coefficients were not made with this " + what,
                "they say " + stored + ", the parameters say " + given,
                "Leave the parameter at 'as stored', or set it as in the transform");
}

}  // namespace

int reasonableLevels(std::int64_t n, int taps) {
    int levels = 0;
    // floor(log2(n / (taps - 1))) without logarithms.
    for (std::int64_t reach = std::max(taps - 1, 1); reach * 2 <= n; reach *= 2) ++levels;
    return levels;
}

Reach waveletReach(const WaveletPlan& plan) {
    const std::int64_t half = ((plan.taps() - 1) * ((std::int64_t{1} << plan.levels) - 1) + 1) / 2;
    const auto along = [&](std::size_t axis) { return plan.axes[axis].transformed ? half : 0; };
    return {.x = along(0), .y = along(1), .z = along(2)};
}

WaveletPlan planWavelet(const WaveletParameters& p, const Shape& image) {
    WaveletPlan plan;
    plan.bank = makeFilterBank(p.wavelet, p.filters);
    plan.mode = p.mode;
    plan.image = image;
    const auto n = extents(image);
    const unsigned bits = axisBits(p.axes, image.depth);
    plan.levels = p.levels;
    if (plan.levels == 0) {
        int fit = kMaximumWaveletLevels;
        for (std::size_t a = 0; a < 3; ++a)
            if (bits >> a & 1U) fit = std::min(fit, reasonableLevels(n[a], plan.taps()));
        plan.levels = std::max(fit, 1);
    }
    for (std::size_t a = 0; a < 3; ++a) plan.axes[a] = makeAxis(n[a], (bits >> a & 1U) != 0, plan.levels, plan.taps(), plan.mode);
    plan.mosaic = {plan.axes[0].offset[0], plan.axes[1].offset[0], plan.axes[2].offset[0], image.channels};
    (void)checkedBytes(plan.mosaic, SampleType::float64);
    return plan;
}

int WaveletPlan::transformedAxes() const {
    return static_cast<int>(std::count_if(axes.begin(), axes.end(), [](const WaveletAxis& a) { return a.transformed; }));
}

Shape WaveletPlan::levelShape(int level) const {
    const auto l = static_cast<std::size_t>(level);
    return shapeOf({axes[0].count[l], axes[1].count[l], axes[2].count[l]}, image.channels);
}

std::vector<WaveletBand> WaveletPlan::bands() const {
    std::vector<WaveletBand> all;
    for (int level = levels; level >= 1; --level)
        for (unsigned details = 0; details < 8; ++details) {
            if (details == 0 && level != levels) continue;
            WaveletBand band{.level = level, .details = details};
            bool exists = true;
            for (std::size_t a = 0; a < 3; ++a) {
                const bool detail = (details >> a & 1U) != 0;
                exists = exists && (axes[a].transformed || !detail);
                band.origin[a] = detail ? axes[a].offset[static_cast<std::size_t>(level)] : 0;
                band.extent[a] = axes[a].count[static_cast<std::size_t>(level)];
            }
            if (exists) all.push_back(band);
        }
    return all;
}

std::vector<WaveletGap> WaveletPlan::gaps() const {
    std::vector<WaveletGap> all;
    for (const WaveletBand& band : bands()) {
        // Finer bands leave this much space, of which the band fills its extent.
        std::array<std::int64_t, 3> room{};
        for (std::size_t a = 0; a < 3; ++a)
            room[a] = band.details >> a & 1U ? band.extent[a] : axes[a].offset[static_cast<std::size_t>(band.level)];
        WaveletGap inside;
        for (std::size_t a = 0; a < 3; ++a) inside.first[a] = band.origin[a], inside.end[a] = band.origin[a] + room[a];
        for (std::size_t a = 3; a-- > 0;) {
            if (room[a] == band.extent[a]) continue;
            WaveletGap gap = inside;
            gap.axis = a;
            gap.first[a] = band.origin[a] + band.extent[a];
            all.push_back(gap);
            inside.end[a] = gap.first[a];
        }
    }
    return all;
}

std::string WaveletBand::key() const {
    if (details == 0) return "a" + std::to_string(level);
    std::string text = "d" + std::to_string(level) + ".";
    for (unsigned a = 0; a < 3; ++a)
        if (details >> a & 1U) text += kAxisNames[a];
    return text;
}

std::string WaveletBand::title() const {
    static constexpr const char* kTitles[] = {"Approximation",   "Details along x",    "Details along y",    "Details along x, y",
                                              "Details along z", "Details along x, z", "Details along y, z", "Details along x, y, z"};
    return kTitles[details];
}

std::vector<Fact>::const_iterator lastCoefficientFact(const std::vector<Fact>& facts) {
    // Files may sort facts by name: the largest number is the last transform.
    const auto order = [](const Fact& f) { return std::pair(isCoefficientFact(f) ? f.name.size() : 0, f.name); };
    const auto last = std::max_element(facts.begin(), facts.end(), [&](const Fact& a, const Fact& b) { return order(a) < order(b); });
    return last != facts.end() && isCoefficientFact(*last) ? last : facts.end();
}

Fact describeCoefficients(const WaveletPlan& plan, const std::vector<Fact>& before) {
    // Repeated transforms: each fact has a name of its own, since files keep one text for each name.
    const auto nth = std::count_if(before.begin(), before.end(), isCoefficientFact);
    Fact fact{nth == 0 ? "parallax.dwt" : "parallax.dwt." + std::to_string(nth + 1), {}};
    fact.text = "wavelet=" + plan.bank.key + " mode=" + textOf({.mode = plan.mode}, "mode") + " levels=" + std::to_string(plan.levels) +
                " axes=" + axesText(plan) + " shape=" + sizeText(plan.image);
    if (plan.bank.key == waveletKey(WaveletId::custom)) fact.text += " filters=" + filterText(plan.bank);
    return fact;
}

std::optional<StoredTransform> storedTransform(const std::vector<Fact>& facts) {
    const auto last = lastCoefficientFact(facts);
    if (last == facts.end()) return std::nullopt;
    return parseFact(last->text);
}

WaveletPlan planForward(const Problem& problem) {
    return planOnce<WaveletPlan>(problem, [&] { return planWavelet(problem.parameters.as<WaveletParameters>(), problem.shape); });
}

namespace {

/// The parameters of the transform that an `idwt` undoes. `depth` of the image.
WaveletParameters transformToUndo(const InverseWaveletParameters& p, const StoredTransform* stored, std::int64_t depth) {
    WaveletParameters w = stored ? stored->parameters : WaveletParameters{};
    const auto agree = [&](bool same, const WaveletParameters& given, const char* key, const char* name) {
        if (stored && !same) refuseContradiction(name, textOf(w, key), textOf(given, key));
    };
    WaveletParameters given;
    if (p.wavelet > 0) {
        given.wavelet = static_cast<WaveletId>(p.wavelet - 1);
        agree(given.wavelet == w.wavelet, given, "wavelet", "wavelet");
        if (given.wavelet == WaveletId::custom && (!stored || !p.filters.empty())) {
            if (stored && !sameFilters(parseFilterBank(p.filters), parseFilterBank(w.filters)))
                refuseContradiction("filter bank", "'" + w.filters.substr(0, 60) + "'", "'" + p.filters.substr(0, 60) + "'");
            w.filters = p.filters;
        }
        w.wavelet = given.wavelet;
    }
    if (p.mode > 0) {
        given.mode = static_cast<WaveletMode>(p.mode - 1);
        agree(given.mode == w.mode, given, "mode", "mode");
        w.mode = given.mode;
    }
    if (p.levels > 0) {
        given.levels = p.levels;
        agree(given.levels == w.levels, given, "levels", "number of levels");
        w.levels = given.levels;
    }
    if (p.axes > 0) {
        given.axes = static_cast<WaveletAxes>(p.axes - 1);
        agree(axisBits(given.axes, depth) == axisBits(w.axes, depth), given, "axes", "choice of axes");
        w.axes = given.axes;
    }
    return w;
}

WaveletPlan makeInversePlan(const Problem& problem) {
    const auto& p = problem.parameters.as<InverseWaveletParameters>();
    const auto stored = storedTransform(problem.facts);
    const std::int64_t depth = p.depth > 0 ? p.depth : stored ? stored->image.depth : problem.shape.depth;
    const WaveletParameters w = transformToUndo(p, stored ? &*stored : nullptr, depth);
    const FilterBank bank = makeFilterBank(w.wavelet, w.filters);
    const auto mosaic = extents(problem.shape);
    const std::array<std::int64_t, 3> given{p.width, p.height, p.depth};
    const auto known = stored ? extents(stored->image) : std::array<std::int64_t, 3>{};
    const unsigned bits = axisBits(w.axes, depth);
    std::array<std::int64_t, 3> image{};
    for (std::size_t a = 0; a < 3; ++a) {
        const bool transformed = (bits >> a & 1U) != 0;
        image[a] = given[a] > 0 ? given[a] : known[a] > 0 ? known[a] : imageExtent(mosaic[a], transformed, w.levels, bank.taps(), w.mode);
        const std::int64_t needed = image[a] > 0 ? makeAxis(image[a], transformed, w.levels, bank.taps(), w.mode).offset[0] : 0;
        if (needed == mosaic[a]) continue;
        const std::string axis(1, kAxisNames[a]);
        throw Error(ErrorCode::usage, "The image does not hold these wavelet coefficients",
                    image[a] > 0 ? "along " + axis + " an image of " + std::to_string(image[a]) + " samples has " + std::to_string(needed) +
                                       ", here are " + std::to_string(mosaic[a])
                                 : "along " + axis + " no image has " + std::to_string(mosaic[a]) + " of them with " +
                                       std::to_string(w.levels) + " levels of " + bank.key,
                    "Set the wavelet, mode, levels and size of the transform");
    }
    return planWavelet(w, shapeOf(image, problem.shape.channels));
}

}  // namespace

WaveletPlan planInverse(const Problem& problem) {
    return planOnce<WaveletPlan>(problem, [&] { return makeInversePlan(problem); });
}

std::vector<std::string> waveletNotes(const WaveletPlan& plan) {
    std::vector<std::string> notes;
    for (std::size_t a = 0; a < 3; ++a) {
        if (!plan.axes[a].transformed) continue;
        const std::int64_t n = plan.axes[a].count[0];
        const int fit = reasonableLevels(n, plan.taps());
        if (plan.levels <= fit) continue;
        notes.push_back(std::string("Along ") + kAxisNames[a] + ", " + std::to_string(n) + (n == 1 ? " sample is" : " samples are") +
                        " short for " + std::to_string(plan.levels) + (plan.levels == 1 ? " level" : " levels") + " of " + plan.bank.key +
                        " (" + std::to_string(plan.taps()) +
                        " taps): every coefficient of the coarsest level depends on what stands for samples outside. " +
                        (fit > 0 ? "Up to " + std::to_string(fit) + (fit == 1 ? " level" : " levels") + " would not."
                                 : "Leave this axis out, or use a shorter filter."));
    }
    return notes;
}

std::vector<int> waveletChannels(const Problem& problem, const std::string& text) {
    std::vector<int> channels = namedChannels(problem, text);
    // Alpha is processed only if it is named.
    if (text == "all") std::erase(channels, problem.alphaChannel);
    return channels;
}

}  // namespace parallax
