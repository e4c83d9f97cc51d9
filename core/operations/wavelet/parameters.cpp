// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of the parameters.
#include "core/operations/wavelet/parameters.hpp"

#include <algorithm>
#include <iterator>

#include "core/operations/wavelet/filters.hpp"

namespace parallax {
namespace {

ParameterChoice wavelet(WaveletId id) {
    const std::string& key = waveletKey(id);
    if (key == "haar") return {key, "haar", "Means and differences of neighbours; the shortest filter, 2 taps"};
    if (key == "dmey") return {key, "dmey (Discrete Meyer)", "62 taps that approximate the smooth, nearly symmetric Meyer wavelet"};
    if (key == "custom") return {key, "Custom filters", "Your own filters"};
    if (key.starts_with("db"))
        return {key, key + " (Daubechies)", "Orthogonal, the shortest filter for its number of vanishing moments: 2 n taps"};
    if (key.starts_with("sym")) return {key, key + " (Symlet)", "Orthogonal, 2 n taps, nearly symmetric, so that features stay in place"};
    if (key.starts_with("coif"))
        return {key, key + " (Coiflet)",
                "Orthogonal, 6 n taps, vanishing moments of the scaling function too: approximations are close to samples"};
    if (key.starts_with("rbio"))
        return {key, key + " (Reverse biorthogonal)", "Symmetric; the biorthogonal pair with analysis and synthesis exchanged"};
    return {key, key + " (Biorthogonal)", "Symmetric splines for synthesis, their duals for analysis; 4.4 is the 9/7 pair of JPEG 2000"};
}

std::vector<ParameterChoice> wavelets() {
    std::vector<ParameterChoice> choices;
    for (int i = 0; i < kWaveletCount; ++i) choices.push_back(wavelet(static_cast<WaveletId>(i)));
    return choices;
}

std::vector<ParameterChoice> modes() {
    return {{"zero", "Zero", "000|abcd|000"},
            {"constant", "Constant", "Repeats the edge sample: aaa|abcd|ddd"},
            {"symmetric", "Symmetric", "Mirrored, edge sample repeated: cba|abcd|dcb"},
            {"reflect", "Reflect", "Mirrored, edge sample not repeated: dcb|abcd|cba"},
            {"periodic", "Periodic", "bcd|abcd|abc"},
            {"smooth", "Smooth", "Linear extrapolation of the two outermost samples"},
            {"antisymmetric", "Antisymmetric", "Mirrored with the sign changed, edge sample repeated"},
            {"antireflect", "Antireflect", "Point reflection about the edge sample: 2 a - b"},
            {"periodization", "Periodization", "Periodic with as many coefficients as samples"}};
}

std::vector<ParameterChoice> axes() {
    return {{"all", "All", "x, y, and z of volumes"},
            {"xy", "x and y", "Each slice of a volume separately, for widely spaced slices"},
            {"x", "x", "Rows"},
            {"y", "y", "Columns"},
            {"z", "z", "Through the slices"},
            {"xz", "x and z", "Rows and through the slices"},
            {"yz", "y and z", "Columns and through the slices"}};
}

std::vector<ParameterChoice> withStored(std::vector<ParameterChoice> choices) {
    choices.insert(choices.begin(), {"stored", "As stored", "As recorded with the coefficients, else the default of the transform"});
    return choices;
}

constexpr const char* kFiltersHelp =
    "Scaling filter of an orthogonal wavelet, or decLo; recLo, or decLo; decHi; recLo; recHi. Separate numbers by blanks or commas, "
    "filters by line breaks or ';'.";

/// Parameters of a transform, then those that an operation has besides.
template <class P>
ParameterTable<P> transformTable(std::vector<ParameterColumn<P>> own) {
    std::vector<ParameterColumn<P>> columns{
        choice(&P::wavelet, "wavelet", "Wavelet", wavelets(),
               "Pair of filters. Longer filters have more vanishing moments: smooth areas need fewer coefficients, but edges spread "
               "farther."),
        text(&P::filters, "filters", "Filters", kFiltersHelp).multiline().shownIf("wavelet", {"custom"}),
        choice(&P::mode, "mode", "Border", modes(),
               "Values of samples outside of the image, named as in PyWavelets. All modes but periodization give some extra coefficients."),
        integer(&P::levels, "levels", "Levels", 0, kMaximumWaveletLevels, "",
                "Number of levels. 0 uses as many as leave coefficients that do not depend on the border, but at least 1.")
            .minimumMeans("as many as fit"),
        choice(&P::axes, "axes", "Axes", axes(), "Axes of the transform. Leave out z if slices are much farther apart than pixels."),
    };
    std::move(own.begin(), own.end(), std::back_inserter(columns));
    return columns;
}

template <class P>
ParameterColumn<P> channelsColumn() {
    return text(&P::channels, "channels", "Channels",
                "'all' (except alpha), or names separated by commas, such as R,G. Other channels are copied.");
}

}  // namespace

const ParameterTable<WaveletParameters>& waveletParameterTable() {
    static const auto table = transformTable<WaveletParameters>({});
    return table;
}

const ParameterTable<InverseWaveletParameters>& inverseWaveletParameterTable() {
    using P = InverseWaveletParameters;
    constexpr std::int64_t kLargest = std::int64_t{1} << 30;
    static const ParameterTable<P> table{
        choice(&P::wavelet, "wavelet", "Wavelet", withStored(wavelets()),
               "Wavelet of the transform. A wavelet that contradicts the coefficients is an error."),
        text(&P::filters, "filters", "Filters", kFiltersHelp).multiline().shownIf("wavelet", {"custom"}),
        choice(&P::mode, "mode", "Border", withStored(modes()), "Border mode of the transform; it determines the number of coefficients."),
        integer(&P::levels, "levels", "Levels", 0, kMaximumWaveletLevels, "", "Levels of the transform.").minimumMeans("as stored"),
        choice(&P::axes, "axes", "Axes", withStored(axes()), "Axes of the transform."),
        integer(&P::width, "width", "Width", 0, kLargest, "px",
                "Width of the image. 0: as stored, else the even one of the two widths with this number of coefficients.")
            .minimumMeans("as stored"),
        integer(&P::height, "height", "Height", 0, kLargest, "px",
                "Height of the image. 0: as stored, else the even one of the two heights with this number of coefficients.")
            .minimumMeans("as stored"),
        integer(&P::depth, "depth", "Depth", 0, kLargest, "px",
                "Slices of the volume. 0: as stored, else the even one of the two depths with this number of coefficients.")
            .minimumMeans("as stored"),
    };
    return table;
}

const ParameterTable<DenoiseParameters>& denoiseParameterTable() {
    using P = DenoiseParameters;
    static const auto table = transformTable<P>({
        choice(&P::method, "method", "Thresholding",
               {{"soft", "Soft", "Sets coefficients up to the threshold to 0 and moves all others towards 0 by the threshold"},
                {"hard", "Hard", "Sets coefficients below the threshold to 0 and keeps all others: sharper edges, more ringing"},
                {"garrote", "Garrote",
                 "Sets coefficients up to the threshold to 0 and keeps large ones nearly unchanged: between soft and hard"},
                {"firm", "Firm",
                 "Sets coefficients up to the threshold to 0 and keeps those from an upper threshold on unchanged, with a straight line "
                 "between them"}},
               "How detail coefficients are shrunk. The approximation is kept."),
        real(&P::ratio, "ratio", "Upper threshold ratio", 1.1, 100, "",
             "Upper threshold, from which coefficients are kept, over the lower one, up to which they become 0. Close to 1 it is hard, "
             "large it is soft thresholding.")
            .shownIf("method", {"firm"}),
        choice(&P::rule, "rule", "Threshold from",
               {{"bayes", "BayesShrink", "Per sub-band, from the noise and the spread of its coefficients"},
                {"universal", "Universal", "Noise times sqrt(2 ln n) for n samples, which noise alone hardly ever exceeds"},
                {"manual", "Manual", "A given threshold"}},
               "How the threshold is chosen."),
        real(&P::threshold, "threshold", "Threshold", 0, 1e6, "", "In units of the samples, for all levels; see also the factors by level.")
            .shownIf("rule", {"manual"}),
        real(&P::strength, "strength", "Strength", 0, 10, "", "Factor for the chosen thresholds. 0 leaves the image unchanged.")
            .shownIf("rule", {"bayes", "universal"}),
        real(&P::noise, "noise", "Noise", 0, 1e6, "",
             "Standard deviation of the noise, in units of the samples. 0 estimates it from the median of the finest diagonal details that "
             "are not 0.")
            .minimumMeans("estimated")
            .shownIf("rule", {"bayes", "universal"}),
        choice(&P::noiseSource, "noise-from", "Noise estimated from",
               {{"finest", "Finest level", "White noise, the same in every level"},
                {"each-level", "Each level", "Coloured noise, for example after a blur or a reconstruction: estimated for each level"}},
               "Details from which the noise is estimated.")
            .shownIf("rule", {"bayes", "universal"}),
        text(&P::levelFactors, "level-factors", "Factors by level",
             "Factors for the thresholds, finest level first, separated by blanks; the last one applies to all coarser levels. Empty: 1."),
        channelsColumn<P>(),
    });
    return table;
}

const ParameterTable<CompressParameters>& compressParameterTable() {
    using P = CompressParameters;
    static const auto table = transformTable<P>({
        real(&P::keep, "keep", "Keep", 0, 100, "%",
             "Share of the coefficients to keep, the largest ones of each channel; all others are set to 0. 100 keeps the image."),
        channelsColumn<P>(),
    });
    return table;
}

}  // namespace parallax
