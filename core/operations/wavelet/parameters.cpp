// SPDX-License-Identifier: GPL-3.0-or-later
// The tables: what the operations of this folder have in common is written once.
#include "core/operations/wavelet/parameters.hpp"

#include "core/operations/wavelet/filters.hpp"

namespace parallax {
namespace {

ParameterChoice wavelet(WaveletId id) {
    const std::string& key = waveletKey(id);
    if (key == "haar") return {key, "haar", "Means and differences of neighbours: the shortest filter, 2 taps"};
    if (key == "dmey") return {key, "dmey (Discrete Meyer)", "62 taps close to Meyer's wavelet, which is smooth and nearly symmetric"};
    if (key == "custom") return {key, "Custom filters", "Filters of your own"};
    if (key.starts_with("db"))
        return {key, key + " (Daubechies)", "Orthogonal, the shortest filter for its number of vanishing moments: 2 n taps"};
    if (key.starts_with("sym"))
        return {key, key + " (Symlet)", "Orthogonal, 2 n taps, as nearly symmetric as that allows: features stay in place"};
    if (key.starts_with("coif"))
        return {key, key + " (Coiflet)",
                "Orthogonal, 6 n taps, with vanishing moments of the scaling function too: approximations are near to samples"};
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
            {"constant", "Constant", "The edge sample goes on: aaa|abcd|ddd"},
            {"symmetric", "Symmetric", "Mirrored, edge sample repeated: cba|abcd|dcb"},
            {"reflect", "Reflect", "Mirrored, edge sample not repeated: dcb|abcd|cba"},
            {"periodic", "Periodic", "bcd|abcd|abc"},
            {"smooth", "Smooth", "Straight lines through the two outermost samples"},
            {"antisymmetric", "Antisymmetric", "Mirrored with the sign changed, edge sample repeated"},
            {"antireflect", "Antireflect", "Mirrored about the edge sample as a point: 2 a - b"},
            {"periodization", "Periodization", "Periodic with as many coefficients as samples"}};
}

std::vector<ParameterChoice> axes() {
    return {{"all", "All", "x, y, and z of volumes"},
            {"xy", "x and y", "Each slice of a volume by itself, as for slices far apart"},
            {"x", "x", "Rows"},
            {"y", "y", "Columns"},
            {"z", "z", "Through the slices"},
            {"xz", "x and z", "Rows and through the slices"},
            {"yz", "y and z", "Columns and through the slices"}};
}

std::vector<ParameterChoice> withStored(std::vector<ParameterChoice> choices) {
    choices.insert(choices.begin(),
                   {"stored", "As stored", "What the coefficients say about themselves, else the default of the transform"});
    return choices;
}

constexpr const char* kFiltersHelp =
    "One scaling filter of an orthogonal wavelet, or decLo; recLo, or decLo; decHi; recLo; recHi: numbers by blanks or commas, filters on "
    "lines or ended by ';'.";

template <class P>
ParameterColumn<P> waveletColumn() {
    return choice(
        &P::wavelet, "wavelet", "Wavelet", wavelets(),
        "The filter pair. Longer filters have more vanishing moments: smooth parts need fewer coefficients, but edges reach farther.");
}
template <class P>
ParameterColumn<P> filtersColumn() {
    return text(&P::filters, "filters", "Filters", kFiltersHelp).multiline().shownIf("wavelet", {"custom"});
}
template <class P>
ParameterColumn<P> modeColumn() {
    return choice(&P::mode, "mode", "Border", modes(),
                  "What stands for samples outside of the image, by PyWavelets' names. All but periodization give some coefficients more.");
}
template <class P>
ParameterColumn<P> levelsColumn() {
    return integer(&P::levels, "levels", "Levels", 0, kMaximumWaveletLevels, "",
                   "How often the approximation is transformed again. 0: as often as leaves coefficients that do not depend on the border, "
                   "but once at least.")
        .minimumMeans("as many as fit");
}
template <class P>
ParameterColumn<P> axesColumn() {
    return choice(&P::axes, "axes", "Axes", axes(),
                  "Along which axes the image is transformed. Leave z out where slices are much farther apart than pixels.");
}
template <class P>
ParameterColumn<P> channelsColumn() {
    return text(&P::channels, "channels", "Channels",
                "'all' but alpha, or names separated by commas, as in R,G. Other channels are copied.");
}

}  // namespace

const ParameterTable<WaveletParameters>& waveletParameterTable() {
    using P = WaveletParameters;
    static const ParameterTable<P> table{waveletColumn<P>(), filtersColumn<P>(), modeColumn<P>(), levelsColumn<P>(), axesColumn<P>()};
    return table;
}

const ParameterTable<InverseWaveletParameters>& inverseWaveletParameterTable() {
    using P = InverseWaveletParameters;
    constexpr std::int64_t kLargest = std::int64_t{1} << 30;
    static const ParameterTable<P> table{
        choice(&P::wavelet, "wavelet", "Wavelet", withStored(wavelets()),
               "That of the transform. If the coefficients name another one, nothing is done."),
        text(&P::filters, "filters", "Filters", kFiltersHelp).multiline().shownIf("wavelet", {"custom"}),
        choice(&P::mode, "mode", "Border", withStored(modes()), "That of the transform: it says how many coefficients there are."),
        integer(&P::levels, "levels", "Levels", 0, kMaximumWaveletLevels, "", "That of the transform.").minimumMeans("as stored"),
        choice(&P::axes, "axes", "Axes", withStored(axes()), "Those of the transform."),
        integer(&P::width, "width", "Width", 0, kLargest, "px",
                "Of the image. 0: as stored, else the even one of the two widths that give as many coefficients.")
            .minimumMeans("as stored"),
        integer(&P::height, "height", "Height", 0, kLargest, "px",
                "Of the image. 0: as stored, else the even one of the two heights that give as many coefficients.")
            .minimumMeans("as stored"),
        integer(&P::depth, "depth", "Depth", 0, kLargest, "px",
                "Slices of the volume. 0: as stored, else the even one of the two depths that give as many coefficients.")
            .minimumMeans("as stored"),
    };
    return table;
}

const ParameterTable<DenoiseParameters>& denoiseParameterTable() {
    using P = DenoiseParameters;
    static const ParameterTable<P> table{
        waveletColumn<P>(),
        filtersColumn<P>(),
        modeColumn<P>(),
        levelsColumn<P>(),
        axesColumn<P>(),
        choice(&P::method, "method", "Thresholding",
               {{"soft", "Soft", "Coefficients up to the threshold become 0, all others come nearer to 0 by it"},
                {"hard", "Hard", "Coefficients below the threshold become 0, all others stay: sharper edges, more ringing"},
                {"garrote", "Garrote",
                 "Coefficients up to the threshold become 0, larger ones stay nearly what they are: between soft and hard"}},
               "What happens to detail coefficients. The approximation stays."),
        choice(&P::rule, "rule", "Threshold from",
               {{"bayes", "BayesShrink", "For each band from noise and spread of its coefficients"},
                {"universal", "Universal", "Noise times sqrt(2 ln n) for n samples: above it noise alone hardly ever comes"},
                {"manual", "Manual", "The threshold given here"}},
               "How the threshold is found."),
        real(&P::threshold, "threshold", "Threshold", 0, 1e6, "",
             "In the unit of the samples, for every level unless factors say otherwise.")
            .shownIf("rule", {"manual"}),
        real(&P::strength, "strength", "Strength", 0, 10, "", "Factor on the thresholds that are found. 0 changes nothing.")
            .shownIf("rule", {"bayes", "universal"}),
        real(&P::noise, "noise", "Noise", 0, 1e6, "",
             "Standard deviation of the noise, in the unit of the samples. 0: estimated from the median of the finest diagonal details.")
            .minimumMeans("estimated")
            .shownIf("rule", {"bayes", "universal"}),
        choice(&P::noiseSource, "noise-from", "Noise estimated from",
               {{"finest", "Finest level", "White noise: the same in every level"},
                {"each-level", "Each level", "Coloured noise, as after a blur or a reconstruction: each level by itself"}},
               "Which details tell how strong the noise is.")
            .shownIf("rule", {"bayes", "universal"}),
        text(
            &P::levelFactors, "level-factors", "Factors by level",
            "Factors on the thresholds, the finest level first, separated by blanks; the last one holds for all coarser levels. Empty: 1."),
        channelsColumn<P>(),
    };
    return table;
}

const ParameterTable<CompressParameters>& compressParameterTable() {
    using P = CompressParameters;
    static const ParameterTable<P> table{
        waveletColumn<P>(),
        filtersColumn<P>(),
        modeColumn<P>(),
        levelsColumn<P>(),
        axesColumn<P>(),
        real(&P::keep, "keep", "Keep", 0, 100, "%",
             "Share of the coefficients that is kept, the largest ones of each channel; all others become 0. 100 gives the image back."),
        channelsColumn<P>(),
    };
    return table;
}

}  // namespace parallax
