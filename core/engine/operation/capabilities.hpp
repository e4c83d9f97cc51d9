// SPDX-License-Identifier: GPL-3.0-or-later
// Capabilities: optional interfaces of operations. An operation inherits those that it implements; users ask by capability<T>(), or by the
// functions at the end, which return an empty answer for operations without the capability.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/engine/operation/operation.hpp"

namespace parallax {

class OperationCapability {
public:
    virtual ~OperationCapability() = default;
};

/// The capability T of an operation, or nullptr.
template <class T>
const T* capability(const Operation& operation) {
    return dynamic_cast<const T*>(&operation);
}

/// Named values of some parameters, such as those that a paper uses. Parameters that are not listed keep their values.
struct ParameterPreset {
    std::string key;    ///< on the command line: "paper"
    std::string title;  ///< shown to users
    std::string help;   ///< one sentence
    std::vector<std::pair<std::string, std::string>> values;
};
/// Throws Error(usage) if a value is out of range.
void applyPreset(ParameterBlock& parameters, const ParameterPreset& preset);

class HasPresets : public OperationCapability {
public:
    /// Shown by the form and the command line (`ID:preset=KEY`). No parameter may be named "preset".
    virtual std::vector<ParameterPreset> presets() const = 0;
};

/// A number that a run computes beside its image, such as the white point that it chose.
struct StatisticInfo {
    std::string key;    ///< in reports: "white"
    std::string title;  ///< shown to users: "White point"
    std::string unit;   ///< "%", ...; empty if none
    std::string help;   ///< one sentence
};

class HasStatistics : public OperationCapability {
public:
    /// Keys that Execution::statistics() may return.
    virtual std::vector<StatisticInfo> statistics() const = 0;
};

/// Axes of the curve that Execution::transferCurve() returns: how one quantity of the input became one of the output.
struct TransferInfo {
    std::string inputTitle;   ///< shown to users: "Luminance"
    std::string outputTitle;  ///< "Display luminance", linear light from black (0) to white (1)
    std::string help;         ///< one sentence
    std::string clippedKey;   ///< of the statistic, in percent, that says how much lies beyond the end of the curve; empty if there is none
};

class HasTransferCurve : public OperationCapability {
public:
    virtual TransferInfo transferInfo() const = 0;
};

/// A part of an output with a meaning of its own, such as a sub-band of a transform. Regions do not overlap.
struct Region {
    std::string key;                                 ///< unique within an output: "d2.xy"
    std::string title;                               ///< shown to users, one of HasRegions::regionTitles(): "Details along x, y"
    int level = 0;                                   ///< of detail, shared by regions of one size; 1 is the finest
    std::array<std::int64_t, 3> origin{}, extent{};  ///< x, y, z; of every channel
    std::int64_t samples() const { return extent[0] * extent[1] * extent[2]; }
    friend bool operator==(const Region&, const Region&) = default;
};

class HasRegions : public OperationCapability {
public:
    virtual std::vector<Region> regions(const Problem& problem) const = 0;
    /// Every title that a region may have.
    virtual std::vector<std::string> regionTitles() const = 0;
};

/// The operation works on the output of another one that has regions, as wavelet denoising on the coefficients of a transform.
class WorksInRegions : public OperationCapability {
public:
    /// The step that shows these regions, as parseStep() reads it ("dwt:levels=2").
    virtual std::string regionStep(const ParameterBlock& parameters) const = 0;
};

enum class Representation {
    approximation,  ///< looks like the input, so that the difference between them is worth a number
    encoding,       ///< another form of the same image, such as coefficients
    decoding        ///< the image again, from an encoding
};

/// The output represents the input instead of replacing it by another image.
class RepresentsInput : public OperationCapability {
public:
    virtual Representation representation() const = 0;
    /// For an encoding: id of the operation that decodes it with its default parameters. Empty if there is none.
    virtual std::string inverse() const { return {}; }
};

class ChangesFacts : public OperationCapability {
public:
    /// Facts that the output carries, given those of the problem.
    virtual std::vector<Fact> outputFacts(const Problem& problem) const = 0;
};

/// Users can pick the value of a parameter marked ParameterInfo::pickable from a pixel of the input.
class PicksParameters : public OperationCapability {
public:
    /// `samples`: one for each channel. The result may lie outside of the parameter's range; it is NaN where the pixel has no value.
    virtual double pickedValue(const Problem& problem, std::string_view key, std::span<const float> samples) const = 0;
};

/// Named x/y data of a run, such as the residual of each iteration: titles and units of the axes.
struct RunSeriesInfo {
    std::string key;           ///< in records: "residual"
    std::string title;         ///< shown to users: "Convergence"
    std::string xTitle;        ///< "Iteration"
    std::string yTitle;        ///< "Relative residual"
    std::string xUnit, yUnit;  ///< empty if none
    bool logarithmic = false;  ///< y spans orders of magnitude
    std::string help;          ///< one sentence
};

class HasSeries : public OperationCapability {
public:
    /// Keys that Execution::series() may return.
    virtual std::vector<RunSeriesInfo> series() const = 0;
};

/// A part of the compute stage, such as one of the passes of a solver.
struct RunLapInfo {
    std::string key;    ///< in records: "direction"
    std::string title;  ///< shown to users: "Direction and product"
    std::string help;   ///< one sentence
};

class HasLaps : public OperationCapability {
public:
    /// Keys that Execution::laps() may return.
    virtual std::vector<RunLapInfo> laps() const = 0;
};

/// The serial reference does more than work() counts, as an iterative method that is carried to the end.
class EstimatesReference : public OperationCapability {
public:
    /// Flops of the reference, within a factor of a few: for limits of time, never for rates.
    virtual double referenceFlops(const Problem& problem) const = 0;
};

/// The output is another quantity than the input: its values have no natural black and white, so viewers take a range from the data.
class ChangesQuantity : public OperationCapability {
public:
    virtual bool changesQuantity(const ParameterBlock& parameters) const = 0;
};

/// One criterion by which an operation judges its own result.
struct Judgement {
    std::string criterion;  ///< "Relative residual"
    double value = 0;
    double bound = 0;
    std::string reason;  ///< where the bound comes from
    bool holds() const { return value <= bound; }
};

/// The result can be judged without another implementation, as the solution of an equation by its residual.
class JudgesResult : public OperationCapability {
public:
    /// Views are in host memory. Costs about one pass of the operation; throws Error(cancelled).
    virtual std::vector<Judgement> verify(const Problem& problem, const View<const float>& input,
                                          const View<const float>& output) const = 0;
};

class HasNotes : public OperationCapability {
public:
    /// Sentences about parameters that are accepted but make little sense for this input.
    virtual std::vector<std::string> notes(const Problem& problem) const = 0;
};

/// Bounds for each sample of one plane, row by row: of its magnitude, unless it is not finite, and of its deviation from the reference.
struct LocalBounds {
    std::vector<float> magnitudes, tolerances;
};

/// The tolerance of a sample follows the magnitude of the input around it, so that agreement means something in dark parts of an image too.
/// For operations that compute each plane from the same plane of the input.
class HasLocalTolerance : public OperationCapability {
public:
    /// Returns the bounds of a plane of the output, given those of the input. The tolerance of an exact input is at most that of
    /// Operation::tolerance(). They hold for implementations whose errors stay local, see Implementation::errsLocally().
    virtual LocalBounds localBounds(const Problem& problem, std::int64_t channel, LocalBounds input) const = 0;
};

/// The operation does not accept every image, as an inverse transform needs coefficients.
class MakesSampleInput : public OperationCapability {
public:
    /// Makes a valid input for these parameters from an image; used by tests and benchmarks.
    virtual Image sampleInput(const ParameterBlock& parameters, Image image) const = 0;
};

std::vector<ParameterPreset> presetsOf(const Operation& operation);
std::vector<StatisticInfo> statisticsOf(const Operation& operation);
std::optional<TransferInfo> transferInfoOf(const Operation& operation);
std::vector<Region> regionsOf(const Operation& operation, const Problem& problem);
std::string regionStepOf(const Operation& operation, const ParameterBlock& parameters);
std::vector<RunSeriesInfo> seriesOf(const Operation& operation);
std::vector<RunLapInfo> lapsOf(const Operation& operation);
/// Without EstimatesReference: the flops of work().
double referenceFlopsOf(const Operation& operation, const Problem& problem);
bool changesQuantity(const Operation& operation, const ParameterBlock& parameters);
std::vector<std::string> notesOn(const Operation& operation, const Problem& problem);
/// Without ChangesFacts: the facts of the problem, or none if the shape changes, since they would be wrong then.
std::vector<Fact> outputFactsOf(const Operation& operation, const Problem& problem);
/// Throws Error(usage) if the parameter is not pickable.
double pickedValueOf(const Operation& operation, const Problem& problem, std::string_view key, std::span<const float> samples);
/// Without MakesSampleInput: the image.
Image sampleInputOf(const Operation& operation, const ParameterBlock& parameters, Image image);

}  // namespace parallax
