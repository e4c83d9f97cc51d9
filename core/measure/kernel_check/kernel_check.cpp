// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/kernel_check/kernel_check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <set>
#include <utility>

#include "core/engine/operation/capabilities.hpp"
#include "core/engine/operation/refines.hpp"
#include "core/image/synthetic.hpp"
#include "core/measure/sampling/protocol.hpp"
#include "core/measure/sampling/sampler.hpp"
#include "core/measure/sampling/verify.hpp"
#include "core/operations/catalog.hpp"

namespace parallax {
namespace {

constexpr std::size_t kKeptOfAStep = 2;
constexpr int kMaxErrors = 6;  // a crash starts a process again, and more of them tell nothing new

/// One pixel, thin, tiny, odd, prime, around the widths of vectors and tiles; several channels; volumes. Small ones first.
const Shape kShapes[] = {{1, 1, 1, 1},   {1, 2, 1, 1},   {2, 1, 1, 1},   {2, 3, 1, 1},   {7, 1, 1, 1},   {1, 7, 1, 1},    {5, 5, 1, 1},
                         {3, 2, 1, 3},   {4, 5, 6, 1},   {17, 4, 1, 1},  {16, 16, 1, 1}, {19, 7, 1, 4},  {31, 33, 1, 1},  {1, 100, 1, 1},
                         {100, 1, 1, 1}, {64, 12, 1, 1}, {65, 11, 1, 3}, {33, 7, 5, 1},  {127, 9, 1, 1}, {129, 65, 1, 1}, {257, 40, 1, 3}};

/// Whether a parameter ends iterations early: the reference takes no notice of it, and the result is outside of its tolerance.
bool endsEarly(const Operation& operation, const ParameterBlock& values, const std::string& key) {
    const auto* refines = capability<Refines>(operation);
    const auto early = refines ? refines->firstPicture(values) : std::nullopt;
    return early && early->get(key) != values.get(key);
}

struct CheckedParameters {
    ParameterBlock values;
    bool isSample = false;  // a sample problem of the operation, which is checked on every input
};

/// Other values of a parameter: all choices, a few numbers; of texts, only a channel.
std::vector<ParameterValue> valuesToTry(const ParameterBlock& base, const ParameterInfo& p) {
    std::vector<ParameterValue> values;
    if (p.kind == ParameterKind::boolean) values = {true, false};
    if (p.kind == ParameterKind::choice)
        for (const ParameterChoice& c : p.choices) values.emplace_back(c.key);
    if (p.kind == ParameterKind::integer) {
        const auto now = std::get<std::int64_t>(base.get(p.key));
        for (const std::int64_t v : {static_cast<std::int64_t>(p.minimum), now + 1, now + 2, std::int64_t{9}})
            if (static_cast<double>(v) >= p.minimum && static_cast<double>(v) <= p.maximum) values.emplace_back(v);
    }
    if (p.kind == ParameterKind::real) {
        const double v = std::get<double>(base.get(p.key)) * 0.75 + 0.5;
        if (v >= p.minimum && v <= p.maximum) values.emplace_back(v);
    }
    if (p.kind == ParameterKind::text && p.key == "channels") values.emplace_back(std::string("R"));
    return values;
}

/// Whether these values suit a colour image.
bool isProblem(const Operation& operation, const ParameterBlock& values) {
    const SyntheticRequest request{.kind = SyntheticKind::noise, .shape = {9, 7, 1, 3}};
    try {
        const Image image = sampleInputOf(operation, values, makeSynthetic(request));
        operation.check(makeProblem(image, values));
        return true;
    } catch (const Error&) {
        return false;
    }
}

/// The sample problems of an operation, and then each of them with each choice, switch and number changed in turn.
std::vector<CheckedParameters> parametersOf(const Operation& operation) {
    std::vector<CheckedParameters> all;
    std::set<std::string> seen;
    const auto add = [&](const ParameterBlock& block) {
        if (seen.insert(toText(Step{.operation = &operation, .parameters = block})).second) all.push_back({block});
    };
    for (const SampleProblem& p : operation.sampleProblems()) add(p.parameters);
    for (CheckedParameters& sample : all) sample.isSample = true;
    const std::vector<CheckedParameters> samples = all;
    std::set<std::pair<std::string, std::size_t>> tried;
    const auto change = [&](bool onlyNew) {
        for (const auto& [base, isSample] : samples) {
            if (!onlyNew && all.size() > 60) return;
            for (const ParameterInfo& p : operation.parameters().infos()) {
                if (!base.isShown(p.key) || endsEarly(operation, base, p.key)) continue;
                const std::vector<ParameterValue> values = valuesToTry(base, p);
                for (std::size_t i = 0; i < values.size(); ++i) {
                    ParameterBlock changed = base;
                    changed.set(p.key, values[i]);
                    if (!onlyNew || (isProblem(operation, changed) && tried.emplace(p.key, i).second)) add(changed);
                }
            }
        }
    };
    change(true);   // each value with the first sample that it fits
    change(false);  // and with others, up to what takes a second
    return all;
}

struct Input {
    std::string text, altered;
    ImagePtr image;
};

/// The picture of a shape; with `special`, one of its samples is replaced.
Input makeInput(const Shape& shape, std::uint64_t seed, bool hdr, double special) {
    const SyntheticRequest request{.kind = hdr ? SyntheticKind::hdrRamp : SyntheticKind::noise, .shape = shape, .seed = seed};
    Image image = makeSynthetic(request);
    Input input{.text = toText(request), .altered = {}, .image = nullptr};
    if (!std::isfinite(special)) {
        const std::int64_t x = shape.width / 2, y = shape.height / 2;
        image.view().at(x, y, 0, 0) = static_cast<float>(special);
        input.altered =
            std::string(std::isnan(special) ? "NaN" : "infinity") + " at x = " + std::to_string(x) + ", y = " + std::to_string(y);
    }
    input.image = std::make_shared<const Image>(std::move(image));
    return input;
}

class Checker {
public:
    Checker(const Engine& engine, const Operation& operation, const Target& target, const KernelCheckOptions& options)
        : engine_(engine), operation_(operation), target_(target), options_(options), implementation_(implementation()) {}

    KernelCheck run() {
        const std::vector<CheckedParameters> parameters = parametersOf(operation_);
        std::vector<Input> inputs;
        std::uint64_t seed = 1;
        for (const Shape& shape : kShapes) inputs.push_back(makeInput(shape, ++seed, false, 0));
        const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
        for (const Shape& shape : {Shape{9, 7, 1, 1}, Shape{61, 40, 1, 3}})
            for (const double special : {nan, infinity, 0.0}) inputs.push_back(makeInput(shape, ++seed, special == 0, special));
        const double all = static_cast<double>(inputs.size() * parameters.size());
        double done = 0;
        for (std::size_t i = 0; i < inputs.size(); ++i)
            for (std::size_t k = 0; k < parameters.size(); ++k) {
                if (options_.stop.stop_requested() || check_.crashed) {
                    check_.complete = !options_.stop.stop_requested();
                    return std::move(check_);
                }
                // Changed parameters meet every third input, each another one.
                if (parameters[k].isSample || (i + k) % 3 == 0) compare(inputs[i], parameters[k].values);
                if (options_.onProgress) options_.onProgress(++done / all);
            }
        return std::move(check_);
    }

private:
    const Implementation* implementation() const {
        for (const Implementation* i : engine_.catalog().implementations(operation_.id(), target_.backend))
            if (i->variant() == target_.variant) return i;
        throw Error(ErrorCode::usage,
                    "Backend '" + target_.backend + "' has no variant '" + target_.variant + "' of '" + operation_.id() + "'");
    }

    void compare(const Input& input, const ParameterBlock& parameters) {
        const Step step{.operation = &operation_, .parameters = parameters};
        ImagePtr image;
        Problem problem;
        try {
            image = std::make_shared<const Image>(sampleInputOf(operation_, parameters, input.image->clone()));
            problem = makeProblem(*image, parameters);
            operation_.check(problem);
        } catch (const Error&) {
            return;  // no problem of this operation
        }
        if (const Support support = implementation_->supports(problem); !support) {
            ++check_.refused;
            ++check_.refusals[support.reason];
            return;
        }
        ++check_.checked;
        FailedProblem failed{
            .input = input.text, .altered = input.altered, .step = toText(step), .error = {}, .tolerance = 0, .difference = {}};
        RunContext context;
        context.stop = options_.stop;
        context.threads = options_.threads;
        const Pipeline pipeline{.steps = {step}};
        PreparedRun expected = engine_.prepare(pipeline, image, parseTarget(kReferenceBackend), context);
        (void)expected.run(context);
        try {
            RunContext own = context;
            PreparedRun run = engine_.prepare(pipeline, image, target_, own);
            // The second run, of every fourth problem, finds what the first left in the workspace.
            if (agrees(run, own, expected, failed) && (check_.checked % 4 != 0 || agrees(run, own, expected, failed))) {
                ++check_.agreed;
                return;
            }
        } catch (const Error& e) {
            if (e.code() == ErrorCode::cancelled) return;
            failed.error = e.why().empty() ? e.summary() : e.why();
            if (e.code() == ErrorCode::usage || e.code() == ErrorCode::unavailable) throw;
            check_.crashed = ++errors_ >= kMaxErrors;
        }
        ++check_.failures;
        if (static_cast<std::size_t>(++check_.failuresOfSteps[failed.step]) <= kKeptOfAStep) check_.failed.push_back(std::move(failed));
    }

    /// Runs and compares.
    static bool agrees(PreparedRun& run, RunContext& context, PreparedRun& expected, FailedProblem& failed) {
        (void)run.run(context);
        const Tolerance tolerance = run.tolerance();
        failed.tolerance = tolerance.absolute;
        failed.difference =
            compareViews(expected.output(), run.output(), {.tolerance = tolerance.absolute, .localTolerance = run.localTolerance()});
        return judge(failed.difference, tolerance.absolute, tolerance.ambiguous, run.inputPeak()) != Verification::disagrees;
    }

    const Engine& engine_;
    const Operation& operation_;
    const Target& target_;
    const KernelCheckOptions& options_;
    const Implementation* implementation_;
    KernelCheck check_;
    int errors_ = 0;
};

}  // namespace

KernelCheck checkKernel(const Engine& engine, const std::string& operation, const Target& target, const KernelCheckOptions& options) {
    return Checker(engine, engine.catalog().operation(operation), target, options).run();
}

KernelCheck checkSanitized(const Catalog& catalog, const std::string& path, const KernelCheckOptions& options) {
    const OpenedKernel kernel = openKernel(catalog, path, options.stop, kKernelLimitSeconds, true, KernelSet::sanitized);
    std::vector<std::shared_ptr<Backend>> backends{makeUserBackend(KernelSet::sanitized), makeUserCudaBackend(KernelSet::sanitized)};
    for (const auto& backend : catalog.backends())
        if (backend->id() == kReferenceBackend) backends.push_back(backend);
    const Catalog own(makeOperations(), std::move(backends));
    return checkKernel(Engine(own), kernel.operation, parseTarget(kernel.target()), options);
}

RunEntry timeKernel(const Catalog& catalog, const OpenedKernel& kernel, const std::stop_token& stop) {
    const Operation& operation = catalog.operation(kernel.operation);
    Pipeline pipeline;
    pipeline.steps.push_back({.operation = &operation, .parameters = ParameterBlock(operation.parameters())});
    MeasureOptions options;
    options.protocol = protocolFor("quick");
    options.protocol.maximumSeconds = std::min(options.protocol.maximumSeconds, kKernelTimingSeconds);
    options.verify = false;
    options.stop = stop;
    const auto input = std::make_shared<const Image>(makeSynthetic(parseSynthetic(kKernelTimedInput), stop));
    RunRecord record = measureTargets(Engine(catalog), pipeline, input, {parseTarget(kernel.target())}, options);
    return std::move(record.entries.front());
}

std::vector<std::string> errorsOf(const KernelCheck& check) {
    std::vector<std::string> errors;
    for (const FailedProblem& f : check.failed)
        if (!f.error.empty() && std::find(errors.begin(), errors.end(), f.error) == errors.end()) errors.push_back(f.error);
    return errors;
}

}  // namespace parallax
