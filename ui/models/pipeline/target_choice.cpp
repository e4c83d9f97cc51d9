// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/pipeline/target_choice.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/backend/backend.hpp"
#include "core/engine/backend/ranks_target.hpp"
#include "core/engine/operation/capabilities.hpp"
#include "core/engine/pipeline/next_problem.hpp"
#include "core/image/error.hpp"
#include "ui/models/document/settings.hpp"
#include "ui/models/pipeline/reference_cost.hpp"

namespace parallax::ui {

namespace {

/// Calls visit(step, problem) for the enabled steps, as long as it returns true; false if it did not. Returns true at the first step that
/// does not accept its problem.
template <class F>
bool forEachStep(const Pipeline& pipeline, const Image& input, F&& visit) {
    Problem problem = makeProblem(input, {}, {});
    for (const Step& step : pipeline.steps) {
        if (!step.enabled) continue;
        problem.parameters = step.parameters;
        try {
            step.operation->check(problem);
        } catch (const Error&) {
            return true;
        }
        if (!visit(step, std::as_const(problem))) return false;
        problem = problemAfter(*step.operation, problem);
    }
    return true;
}

/// The variant that a target stands for in the first enabled step; empty if there is none.
std::string variantOf(const Catalog& catalog, const Pipeline& pipeline, const Image& input, const Target& target) {
    std::string variant = target.variant;
    if (!variant.empty()) return variant;
    (void)forEachStep(pipeline, input, [&](const Step& step, const Problem& problem) {
        try {
            variant = catalog.select(*step.operation, problem, target).implementation->variant();
        } catch (const Error&) {  // unavailable
        }
        return false;
    });
    return variant;
}

/// Another variant of the same backend that every step has; `other` itself if there is none.
Target otherVariant(const Catalog& catalog, const Pipeline& pipeline, const Image& input, const Target& other) {
    const std::string taken = variantOf(catalog, pipeline, input, other);
    for (const Step& step : pipeline.steps) {
        if (!step.enabled) continue;
        for (const Implementation* i : catalog.implementations(step.operation->id(), other.backend)) {
            const Target candidate{.backend = other.backend, .variant = i->variant(), .device = other.device};
            if (i->variant() != taken && canRun(catalog, pipeline, input, candidate)) return candidate;
        }
        break;
    }
    return {.backend = other.backend, .variant = {}, .device = other.device};
}

}  // namespace

bool canRun(const Catalog& catalog, const Pipeline& pipeline, const Image& input, const Target& target) {
    return forEachStep(pipeline, input, [&](const Step& step, const Problem& problem) {
        // The first that supports it is enough; Catalog::select() would query all of them.
        try {
            for (const Implementation* i : catalog.implementations(step.operation->id(), target.backend))
                if ((target.variant.empty() || i->variant() == target.variant) && i->supports(problem).yes) return true;
        } catch (const Error&) {  // unknown backend
        }
        return false;
    });
}

double referenceFlops(const Pipeline& pipeline, const Image& input) {
    double flops = 0;
    (void)forEachStep(pipeline, input, [&](const Step& step, const Problem& problem) {
        flops += referenceFlopsOf(*step.operation, problem);
        return true;
    });
    return flops;
}

Target initialTarget(const Catalog& catalog) {
    const Settings& settings = Settings::instance();
    if (!settings.backend().isEmpty()) {
        try {
            Target chosen = parseTarget(settings.backend().toStdString());
            catalog.checkModes(chosen);
            const std::size_t devices = catalog.availableBackend(chosen.backend).devices().size();
            if (static_cast<std::size_t>(settings.device()) < devices) chosen.device = settings.device();
            return chosen;
        } catch (const Error&) {  // unknown or unavailable on this machine
        }
    }
    for (const auto& backend : catalog.backends())
        if (backend->availability().yes && backend->id() != kReferenceBackend && !runsOnlyWhenNamed(backend->id()))
            return {.backend = backend->id()};
    return {.backend = kReferenceBackend};
}

Target comparisonTarget(const Catalog& catalog, const Pipeline& pipeline, const Image* input, const Target& other) {
    std::vector<Target> candidates;
    std::optional<Target> reference;
    for (const auto& backend : catalog.backends()) {
        if (!backend->availability().yes || backend->id() == other.backend || runsOnlyWhenNamed(backend->id())) continue;
        if (backend->id() == kReferenceBackend) reference = Target{.backend = backend->id()};
        else candidates.push_back({.backend = backend->id()});
    }
    if (reference) candidates.push_back(*reference);
    if (candidates.empty()) return {.backend = other.backend};
    if (!input) return candidates.front();
    for (const Target& candidate : candidates) {
        if (!canRun(catalog, pipeline, *input, candidate)) continue;
        const bool slow = candidate.backend == kReferenceBackend && referenceFlops(pipeline, *input) > kUncheckedFlops;
        return slow ? otherVariant(catalog, pipeline, *input, other) : candidate;
    }
    return candidates.front();
}

}  // namespace parallax::ui
