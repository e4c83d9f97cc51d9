// SPDX-License-Identifier: GPL-3.0-or-later
// What is done: described once, implemented per backend.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "parallax/engine/parameter_table.hpp"
#include "parallax/image/image.hpp"

namespace parallax {

/// One operation on one input: what implementations are asked about.
struct Problem {
    Shape shape;
    std::vector<std::string> channelNames;
    int alphaChannel = -1;
    SampleStatistics statistics;  ///< of the input, all channels together
    ParameterBlock parameters;
};
/// Describes an image; the short form computes the statistics.
Problem makeProblem(const Image& image, ParameterBlock parameters, const SampleStatistics& statistics);
Problem makeProblem(const Image& image, ParameterBlock parameters);

/// Least work that any implementation must do: each input read once, each output written once.
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
};

}  // namespace parallax
