// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/tone_mapping/parameters.hpp"

namespace parallax {

const ParameterTable<ToneMappingParameters>& toneMappingParameterTable() {
    using P = ToneMappingParameters;
    static const ParameterTable<P> table{
        choice(
            &P::op, "operator", "Operator",
            {{"global", "Photographic, global",
              "Reinhard et al. 2002: one curve for the whole image, after the zone system of photography"},
             {"local", "Photographic, local", "Reinhard et al. 2002: dodging and burning, each pixel against the mean of its surround"},
             {"photoreceptor", "Photoreceptor", "Reinhard and Devlin 2005: the answer of adapted photoreceptors; OpenCV's TonemapReinhard"},
             {"histogram", "Histogram adjustment",
              "Ward Larson et al. 1997: the display's range goes to the brightnesses that the image has most of"}},
            "How light is fitted into the range of a display."),
        real(&P::key, "key", "Key", 0.001, 4, "",
             "What the log-average luminance becomes: 0.18 is middle grey, less for dark scenes, more for bright ones.")
            .logarithmic()
            .shownIf("operator", {"global", "local"}),
        real(&P::white, "white", "White point", 0, 1e9, "",
             "The luminance of the image that becomes white; what is brighter is burnt out. 0 takes the largest luminance of the image.")
            .minimumMeans("largest")
            .pickable()
            .shownIf("operator", {"global"}),
        real(&P::delta, "delta", "Delta", 1e-10, 1, "",
             "Added to each luminance before its logarithm is taken, so that black pixels do not decide alone.")
            .logarithmic()
            .shownIf("operator", {"global", "local", "histogram"}),
        real(&P::phi, "phi", "Sharpening", 0, 20, "",
             "Phi of the paper: the larger, the larger the surround of a pixel may be in spite of contrast in it.")
            .shownIf("operator", {"local"}),
        real(&P::epsilon, "epsilon", "Threshold", 0.0001, 1, "",
             "Epsilon of the paper: a surround grows as long as its contrast stays below this.")
            .logarithmic()
            .shownIf("operator", {"local"}),
        integer(&P::scales, "scales", "Scales", 1, kMaximumToneScales, "",
                "How many sizes a surround can have. Cost grows with the size of the largest one, ratio^scales pixels, at most 1024.")
            .shownIf("operator", {"local"}),
        real(&P::ratio, "ratio", "Ratio of scales", 1.1, 4, "", "Size of a surround divided by that of the one before.")
            .shownIf("operator", {"local"}),
        choice(&P::output, "output", "Output",
               {{"image", "Image", "The tone-mapped image"},
                {"scale", "Chosen scale", "Which surround each pixel got: 0 the smallest one, 1 the largest one"}},
               "What the result shows.")
            .shownIf("operator", {"local"}),
        real(&P::intensity, "intensity", "Intensity", -8, 8, "", "Overall brightness, in powers of e: larger is brighter.")
            .shownIf("operator", {"photoreceptor"}),
        real(&P::contrast, "contrast", "Contrast", 0, 1, "",
             "Exponent m of the paper. 0 takes it from the key of the image, between 0.3 (light images) and 1 (dark ones).")
            .minimumMeans("from image")
            .shownIf("operator", {"photoreceptor"}),
        real(&P::chromatic, "chromatic", "Chromatic adaptation", 0, 1, "",
             "0: all channels adapt to the luminance; 1: each adapts to itself, which takes away a cast of colour.")
            .shownIf("operator", {"photoreceptor"}),
        real(&P::light, "light", "Light adaptation", 0, 1, "", "0: each pixel adapts to the whole image; 1: each pixel adapts to itself.")
            .shownIf("operator", {"photoreceptor"}),
        integer(&P::bins, "bins", "Bins", 2, kMaximumToneBins, "", "Of the histogram of brightness.").shownIf("operator", {"histogram"}),
        real(&P::displayRange, "display-range", "Range of display", 2, 1e6, "", "White of the display divided by its black.")
            .logarithmic()
            .shownIf("operator", {"histogram"}),
        boolean(&P::ceiling, "ceiling", "Contrast ceiling",
                "Contrast never becomes larger than in the scene. Without, the histogram is equalised, which exaggerates large areas.")
            .shownIf("operator", {"histogram"}),
        real(&P::saturation, "saturation", "Saturation", 0, 3, "",
             "Distance of each colour from grey, with its luminance kept: 0 makes it grey, 1 keeps the ratios of the channels."),
        choice(&P::luminance, "luminance", "Luminance",
               {{"rec709", "Rec. 709", "0.2126 R + 0.7152 G + 0.0722 B: right for sRGB and most files"},
                {"rec601", "Rec. 601", "0.299 R + 0.587 G + 0.114 B: OpenCV's"},
                {"paper", "As in the paper", "The weights that the operator's paper uses"}},
               "What counts as the luminance of a colour. Grey images are their own luminance."),
        choice(&P::encoding, "encoding", "Encoding",
               {{"linear", "Linear light", "For the window and for saving: both encode for the display by themselves"},
                {"srgb", "sRGB", "Samples ready for a display, as other tools give them; save them with --encoding linear"},
                {"gamma", "Gamma", "Samples to the power of 1 / gamma, as other tools give them; save them with --encoding linear"},
                {"decode", "Decode sRGB",
                 "Takes the result for what a display is sent and makes it light: as pfstools shows the photoreceptor model, less pale"}},
               "Of the resulting samples."),
        real(&P::gamma, "gamma", "Gamma", 1, 4, "", "Exponent of the display.").shownIf("encoding", {"gamma"}),
        text(&P::channels, "channels", "Channels",
             "'auto' maps R, G and B of the first layer, or the only grey channel. Or the names of one or three channels, as in "
             "left.R,left.G,left.B. Other channels are copied."),
    };
    return table;
}

}  // namespace parallax
