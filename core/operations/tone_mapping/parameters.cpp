// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/tone_mapping/parameters.hpp"

namespace parallax {
namespace {

std::vector<ParameterChoice> operatorChoices() {
    return {
        {"global", "Photographic, global",
         "Reinhard et al. 2002: one curve for the whole image, modelled on the zone system of photography"},
        {"local", "Photographic, local", "Reinhard et al. 2002: dodging and burning; each pixel is compared with the mean of its surround"},
        {"photoreceptor", "Photoreceptor",
         "Reinhard and Devlin 2005: the response of adapted photoreceptors, as in OpenCV's TonemapReinhard"},
        {"histogram", "Histogram adjustment",
         "Ward Larson et al. 1997: gives most of the display range to the most frequent brightness levels"},
        {"gradient", "Gradient domain",
         "Fattal et al. 2002: weakens large gradients of the logarithm, keeps small ones, and integrates the result"}};
}

std::vector<ParameterChoice> encodingChoices() {
    return {{"linear", "Linear light", "For the window and for saving; both encode for the display automatically"},
            {"srgb", "sRGB", "Encoded for a display, as other tools give them; save with --encoding linear"},
            {"gamma", "Gamma", "Raised to the power of 1 / gamma, as other tools give them; save with --encoding linear"},
            {"decode", "Decode sRGB",
             "Treats the result as sRGB and converts it to linear light, as pfstools does for the photoreceptor model; less pale"}};
}

}  // namespace

const ParameterTable<ToneMappingParameters>& toneMappingParameterTable() {
    using P = ToneMappingParameters;
    static const ParameterTable<P> table{
        choice(&P::op, "operator", "Operator", operatorChoices(), "The tone mapping operator."),
        real(&P::key, "key", "Key", 0.001, 4, "",
             "Output value of the log-average luminance. 0.18 is middle grey; use less for dark scenes, more for bright ones.")
            .logarithmic()
            .shownIf("operator", {"global", "local"}),
        real(&P::white, "white", "White point", 0, 1e9, "",
             "Luminance that is mapped to white; brighter pixels burn out. 0 uses the largest luminance of the image.")
            .minimumMeans("largest")
            .pickable()
            .shownIf("operator", {"global"}),
        real(&P::delta, "delta", "Delta", 1e-10, 1, "",
             "Added to each luminance before taking the logarithm, so that black pixels do not dominate the average. Gradient domain: "
             "also a share of the average, below which pixels fade to black.")
            .logarithmic()
            .shownIf("operator", {"global", "local", "histogram", "gradient"}),
        real(&P::phi, "phi", "Sharpening", 0, 20, "", "Phi in the paper. Larger values allow larger surrounds in spite of contrast.")
            .shownIf("operator", {"local"}),
        real(&P::epsilon, "epsilon", "Threshold", 0.0001, 1, "",
             "Epsilon in the paper: a surround grows while its contrast stays below this value.")
            .logarithmic()
            .shownIf("operator", {"local"}),
        integer(&P::scales, "scales", "Scales", 1, kMaximumToneScales, "",
                "Number of surround sizes. The cost grows with the largest one, ratio^scales pixels, at most 1024.")
            .shownIf("operator", {"local"}),
        real(&P::ratio, "ratio", "Scale ratio", 1.1, 4, "", "Size of each surround divided by the next smaller one.")
            .shownIf("operator", {"local"}),
        choice(&P::output, "output", "Output",
               {{"image", "Image", "The tone-mapped image"},
                {"scale", "Chosen scale", "The surround chosen for each pixel, from 0 (smallest) to 1 (largest)"}},
               "The image to produce.")
            .shownIf("operator", {"local"}),
        real(&P::intensity, "intensity", "Intensity", -8, 8, "", "Overall brightness as a power of e: larger is brighter.")
            .shownIf("operator", {"photoreceptor"}),
        real(&P::contrast, "contrast", "Contrast", 0, 1, "",
             "Exponent m in the paper. 0 derives it from the key of the image, between 0.3 (bright images) and 1 (dark images).")
            .minimumMeans("from image")
            .shownIf("operator", {"photoreceptor"}),
        real(&P::chromatic, "chromatic", "Chromatic adaptation", 0, 1, "",
             "0: all channels adapt to the luminance. 1: each channel adapts to itself, which removes a colour cast.")
            .shownIf("operator", {"photoreceptor"}),
        real(&P::light, "light", "Light adaptation", 0, 1, "",
             "0: each pixel adapts to the mean of the image. 1: each pixel adapts to itself.")
            .shownIf("operator", {"photoreceptor"}),
        choice(&P::scaling, "scaling", "Scaling",
               {{"range", "To [0, 1]", "Smallest sample to 0, largest to 1, as OpenCV's TonemapReinhard does"},
                {"none", "None", "Samples as they are, as in the paper and in pfstools"}},
               "Scaling of the samples before the model. It changes the contrast that the model takes from the image.")
            .shownIf("operator", {"photoreceptor"}),
        integer(&P::bins, "bins", "Bins", 2, kMaximumToneBins, "", "Number of bins of the brightness histogram.")
            .shownIf("operator", {"histogram"}),
        real(&P::displayRange, "display-range", "Display range", 2, 1e6, "",
             "White luminance of the display divided by its black luminance.")
            .logarithmic()
            .shownIf("operator", {"histogram"}),
        boolean(&P::ceiling, "ceiling", "Contrast ceiling",
                "Limit contrast to that of the scene. Off: plain histogram equalisation, which exaggerates contrast in large areas.")
            .shownIf("operator", {"histogram"}),
        real(&P::alpha, "alpha", "Alpha", 0.01, 2, "",
             "Alpha in the paper: gradients of this share of the mean magnitude keep their size, larger ones are weakened. Smaller values "
             "give a flatter image.")
            .logarithmic()
            .shownIf("operator", {"gradient"}),
        real(&P::beta, "beta", "Beta", 0.7, 1, "",
             "Beta in the paper: exponent of the gradient magnitude on each level. 1 keeps all gradients; the paper uses 0.8 to 0.9.")
            .shownIf("operator", {"gradient"}),
        real(&P::noise, "noise", "Noise level", 0.01, 1, "",
             "Share of the mean gradient magnitude that counts as noise. Larger values amplify noise in smooth areas less.")
            .logarithmic()
            .shownIf("operator", {"gradient"}),
        integer(
            &P::levels, "levels", "Levels", 0, kMaximumToneLevels, "",
            "Levels of the Gaussian pyramid. Fewer levels leave contrast between large areas. 0 ends at a smaller side below 64 pixels.")
            .minimumMeans("automatic")
            .shownIf("operator", {"gradient"}),
        real(&P::clipWhite, "clip-white", "Clipped highlights", 0, 20, "%",
             "Share of the pixels whose luminance becomes white or brighter. 0: the brightest pixel is white.")
            .shownIf("operator", {"gradient"}),
        real(&P::clipBlack, "clip-black", "Clipped shadows", 0, 20, "%",
             "Share of the pixels whose luminance becomes black. 0: the darkest pixel is black.")
            .shownIf("operator", {"gradient"}),
        integer(&P::iterations, "iterations", "Most iterations", 1, 1000000, "",
                "The solver stops after this many iterations, with a warning if the tolerance was not reached. The reference has no limit.")
            .shownIf("operator", {"gradient"}),
        real(&P::saturation, "saturation", "Saturation", 0, 3, "",
             "Scales the distance of each colour from grey and keeps the luminance: 0 gives grey, 1 keeps the channel ratios. Gradient "
             "domain: exponent of the channel ratios; the paper uses 0.4 to 0.6."),
        choice(&P::luminance, "luminance", "Luminance",
               {{"rec709", "Rec. 709", "0.2126 R + 0.7152 G + 0.0722 B, correct for sRGB and most files"},
                {"rec601", "Rec. 601", "0.299 R + 0.587 G + 0.114 B, as in OpenCV"},
                {"paper", "As in the paper", "The weights in the paper on the operator"}},
               "Weights of the channels in the luminance. Grey images need none."),
        choice(&P::encoding, "encoding", "Encoding", encodingChoices(), "Encoding of the output samples."),
        real(&P::gamma, "gamma", "Gamma", 1, 4, "", "Gamma exponent of the display.").shownIf("encoding", {"gamma"}),
        text(&P::channels, "channels", "Channels",
             "'auto' (R, G and B of the first layer, or the only grey channel), or the names of one or three channels, such as "
             "left.R,left.G,left.B. Other channels are copied."),
    };
    return table;
}

}  // namespace parallax
