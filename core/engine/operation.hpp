// SPDX-License-Identifier: GPL-3.0-or-later
// What is done: described once, implemented per backend.
#pragma once

#include <string>
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
};

/// A small problem that shows the operation: used by the conformance suite and the documents.
struct SampleProblem {
    std::string name;
    ParameterBlock parameters;
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
    /// Width in pixels of the band along the border where border rules matter: differences are split there.
    virtual int borderBand(const Problem&) const { return 0; }
    virtual std::vector<SampleProblem> sampleProblems() const = 0;
};

}  // namespace parallax
