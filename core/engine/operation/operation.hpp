// SPDX-License-Identifier: GPL-3.0-or-later
// What is done: described once, implemented per backend.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/engine/operation/parameter_table.hpp"
#include "core/image/image.hpp"

namespace parallax {

/// What an operation tells later ones about samples that are no picture any more, as a transform its inverse. Facts travel through a
/// pipeline, and with a saved image as text metadata of the same name, which begins with kFactPrefix.
struct Fact {
    std::string name, text;
    friend bool operator==(const Fact&, const Fact&) = default;
};
inline constexpr std::string_view kFactPrefix = "parallax.";

/// One operation on one input: what implementations are asked about.
struct Problem {
    Shape shape;
    std::vector<std::string> channelNames;
    int alphaChannel = -1;
    SampleStatistics statistics;  ///< of the input, all channels together
    ParameterBlock parameters;
    std::vector<Fact> facts;  ///< that the image carries, oldest first
};
/// Describes an image; the short form computes the statistics.
Problem makeProblem(const Image& image, ParameterBlock parameters, const SampleStatistics& statistics);
Problem makeProblem(const Image& image, ParameterBlock parameters);

/// Indices, ascending, of the channels in a list of names separated by commas; "all" are all. Throws Error(usage) that lists the names
/// there are.
std::vector<int> namedChannels(const Problem& problem, std::string_view names);

/// What the work of a problem is counted as, the same for every implementation, so that rates can be compared. Bytes are the least that any
/// of them must move: each input read once for each pass that needs what the one before found, each output written once. Flops are those of
/// the operation's definition done directly, as a multiply and an add for each tap of a convolution: an implementation that needs fewer
/// (separable, by Fourier transforms) shows a rate above what the machine can do.
struct Work {
    double flops = 0;
    double bytes = 0;
};

/// Largest allowed absolute deviation from the reference, and where the number comes from.
struct Tolerance {
    double absolute = 0;
    std::string reason;
    /// Where an operation decides (a threshold, a choice), rounding can turn a decision, and either result is right: this share of
    /// the samples may be farther off.
    double undecided = 0;
};

/// A small problem that shows the operation: used by the conformance suite and the documents.
struct SampleProblem {
    std::string name;
    ParameterBlock parameters;
};

/// Values of some parameters under a name, as those that a paper uses. What is not mentioned stays as it is.
struct ParameterPreset {
    std::string key;    ///< on the command line: "paper"
    std::string title;  ///< for people
    std::string help;   ///< one sentence
    std::vector<std::pair<std::string, std::string>> values;
};
/// Throws Error(usage) if a value is not allowed.
void applyPreset(ParameterBlock& parameters, const ParameterPreset& preset);

/// A figure that a run finds out beside its samples, as the white point that it chose from the image.
struct FindingInfo {
    std::string key;    ///< in reports: "white"
    std::string title;  ///< for people: "White point"
    std::string unit;   ///< "%", ...; empty if none
    std::string help;   ///< one sentence
};

/// A part of an output that means something by itself, as a band of a transform. Regions do not overlap.
struct Region {
    std::string key;                                 ///< unique among those of an output: "d2.xy"
    std::string title;                               ///< for people, one of Operation::regionTitles(): "Details along x, y"
    int level = 0;                                   ///< of detail, as regions of one size share it; 1 is the finest
    std::array<std::int64_t, 3> origin{}, extent{};  ///< x, y, z; of every channel
    std::int64_t samples() const { return extent[0] * extent[1] * extent[2]; }
    friend bool operator==(const Region&, const Region&) = default;
};

/// What Execution::transferCurve() is a curve of: how one quantity of the input became one of the output.
struct TransferInfo {
    std::string inputTitle;   ///< for people: "Luminance"
    std::string outputTitle;  ///< "Display luminance", linear light from black (0) to white (1)
    std::string help;         ///< one sentence
    std::string clippedKey;   ///< of the finding, in percent, that says how much lies beyond the end of the curve; empty if none does
};

/// How the output of an operation stands to its input.
enum class Effect {
    changes,       ///< it is another picture
    approximates,  ///< it should look like the input: the difference between both is worth a number
    encodes,       ///< another form of the same picture
    decodes        ///< the picture, from what `encodes` made
};

class Operation {
public:
    virtual ~Operation() = default;
    virtual std::string id() const = 0;     ///< "convolve"
    virtual std::string title() const = 0;  ///< "Convolution"
    virtual std::string help() const = 0;   ///< one paragraph
    virtual const ParameterTableBase& parameters() const = 0;
    /// Throws Error(usage) when the input or a combination of parameters is not accepted.
    virtual void check(const Problem& problem) const = 0;
    virtual Shape outputShape(const Problem& problem) const { return problem.shape; }
    /// What the output carries. By default what the input did, unless the shape changes: then it would be wrong.
    virtual std::vector<Fact> outputFacts(const Problem& problem) const;
    virtual Effect effect() const { return Effect::changes; }
    /// Parts of the output that mean something by themselves; none for pictures.
    virtual std::vector<Region> regions(const Problem&) const { return {}; }
    /// Every title that a region may have.
    virtual std::vector<std::string> regionTitles() const { return {}; }
    /// Where effect() is `encodes`: id of the operation that undoes it, with its defaults. Empty: there is none.
    virtual std::string undoneBy() const { return {}; }
    /// What an operation on pictures works in, if that is the output of another one which has regions: the step that shows them, as
    /// parseStep() reads it ("dwt:levels=2"). Empty: nothing of the kind.
    virtual std::string worksIn(const ParameterBlock&) const { return {}; }
    /// What a person should know although it is no error, as sentences: parameters that make little sense for this input.
    virtual std::vector<std::string> notes(const Problem&) const { return {}; }
    virtual Work work(const Problem& problem) const = 0;
    virtual Tolerance tolerance(const Problem& problem) const = 0;
    /// Upper bound of max|out - offset| / max|in|: how an error of the input grows, and how large the output can get.
    virtual double gain(const Problem& problem) const = 0;
    /// Upper bound of max|out|, where something better is known than max|in| times the gain.
    virtual double largestOutput(const Problem& problem) const { return problem.statistics.maxAbs() * gain(problem); }
    /// Width in pixels of the band along the border where border rules matter: differences are split there.
    virtual int borderBand(const Problem&) const { return 0; }
    virtual std::vector<SampleProblem> sampleProblems() const = 0;
    /// Ready-made parameters that form and command line offer (`ID:preset=KEY`). No parameter may be named "preset".
    virtual std::vector<ParameterPreset> presets() const { return {}; }
    /// What Execution::findings() may tell.
    virtual std::vector<FindingInfo> findings() const { return {}; }
    /// What the curve is of that an execution may offer; nothing where each sample depends on its neighbours first of all.
    virtual std::optional<TransferInfo> transfer() const { return {}; }
    /// What a pixel of the input makes of a parameter that is `pickable`. `samples`: one a channel. The result may lie outside of the
    /// range of the parameter, and is NaN where the pixel has no such value.
    virtual double pickedValue(const Problem& problem, std::string_view key, std::span<const float> samples) const;
    /// What an operation that does not take any picture is tried on with these parameters, made from one: coefficients for an inverse.
    virtual Image sampleInput(const ParameterBlock& parameters, Image picture) const;
};

}  // namespace parallax
