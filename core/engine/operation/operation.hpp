// SPDX-License-Identifier: GPL-3.0-or-later
// The description of an operation: written once, implemented by each backend. What else it may offer: capabilities.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/engine/operation/parameter_table.hpp"
#include "core/image/image.hpp"

namespace parallax {

/// A text that an operation leaves for later ones, as a transform for its inverse. Facts travel through a pipeline, and with a saved image
/// as text metadata of the same name, which begins with kFactPrefix.
struct Fact {
    std::string name, text;
    friend bool operator==(const Fact&, const Fact&) = default;
};
inline constexpr std::string_view kFactPrefix = "parallax.";

class PlanCache;

/// One operation on one input.
struct Problem {
    Shape shape;
    std::vector<std::string> channelNames;
    int alphaChannel = -1;
    SampleStatistics statistics;  ///< of the input, all channels together
    ParameterBlock parameters;
    std::array<double, 3> spacing{1, 1, 1};  ///< of samples along x, y, z: mm in a volume with geometry, else px
    std::vector<Fact> facts;                 ///< carried by the image, oldest first
    std::shared_ptr<PlanCache> plans{};      ///< of planOnce(), shared by copies; null: plans are not kept
};
/// Describes an image; the short form computes the statistics.
Problem makeProblem(const Image& image, ParameterBlock parameters, const SampleStatistics& statistics);
Problem makeProblem(const Image& image, ParameterBlock parameters);

/// Returns the ascending indices of the channels in a comma-separated list of names, or of all for "all". Throws Error(usage) that lists
/// the channels.
std::vector<int> namedChannels(const Problem& problem, std::string_view names);
/// Returns the ascending indices of all channels that are not among the chosen ones.
std::vector<int> remainingChannels(const Problem& problem, const std::vector<int>& chosen);

/// Model counts of a problem, the same for every implementation so that rates can be compared. Bytes are the least that any of them must
/// move: each input read once for each pass that needs the result of the one before, each output written once. Flops are those of the
/// operation's definition, as a multiply and an add for each tap of a convolution: an implementation that needs fewer (separable, by
/// Fourier transform) can show a rate above the ceiling.
struct Work {
    double flops = 0;
    double bytes = 0;
};

/// The largest allowed deviation from the reference, and where the number comes from.
struct Tolerance {
    double absolute = 0;
    std::string reason;
    /// Share of the samples that may deviate by more: those near a threshold, where rounding may decide either way.
    double ambiguous = 0;
};

/// The input samples that an output sample is computed from: up to this many to either side along each axis, in this many channels.
/// Coefficients of a transform count at the place in the image that they stand for. Statistics of the whole image do not count.
struct Reach {
    std::int64_t x = 0, y = 0, z = 0;
    std::int64_t channels = 1;
    /// The most output samples that one input sample influences; 0: as many as an output sample is computed from.
    double influence = 0;
    double samples() const {
        const auto window = [](std::int64_t r) { return 2.0 * static_cast<double>(r) + 1; };
        return window(x) * window(y) * window(z) * static_cast<double>(channels);
    }
    double influenced() const { return influence > 0 ? influence : samples(); }
};

/// A small problem that shows the operation: used by the conformance suite and the documents.
struct SampleProblem {
    std::string name;
    ParameterBlock parameters;
};
template <class P>
std::vector<SampleProblem> makeSampleProblems(std::initializer_list<std::pair<const char*, P>> problems, const ParameterTable<P>& table) {
    std::vector<SampleProblem> made;
    for (const auto& [name, parameters] : problems) {
        made.push_back({name, ParameterBlock(table)});
        made.back().parameters.assign(parameters);
    }
    return made;
}

class Operation {
public:
    virtual ~Operation() = default;
    virtual std::string id() const = 0;     ///< "convolve"
    virtual std::string title() const = 0;  ///< "Convolution"
    virtual std::string help() const = 0;   ///< one paragraph
    virtual const ParameterTableBase& parameters() const = 0;
    /// Throws Error(usage) if the input or a combination of parameters is not accepted.
    virtual void check(const Problem& problem) const = 0;
    virtual Shape outputShape(const Problem& problem) const { return problem.shape; }
    virtual Work work(const Problem& problem) const = 0;
    virtual Tolerance tolerance(const Problem& problem) const = 0;
    /// Upper bound of max|error of the output| / max|error of the input|: |factor| for `out = factor * in + constant`.
    virtual double gain(const Problem& problem) const = 0;
    /// Upper bound of max|out|. Override it if the operation adds a constant, or if a tighter bound is known.
    virtual double largestOutput(const Problem& problem) const { return problem.statistics.maxAbs() * gain(problem); }
    /// An ambiguous input sample makes every output sample within its reach ambiguous too.
    virtual Reach reach(const Problem&) const { return {}; }
    /// Width in pixels of the frame of output samples that the border mode influences; comparisons report it apart.
    virtual int borderWidth(const Problem&) const { return 0; }
    virtual std::vector<SampleProblem> sampleProblems() const = 0;
};

}  // namespace parallax
