// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/pipeline/target_choice.hpp"

#include <optional>
#include <vector>

#include "core/engine/backend/backend.hpp"
#include "core/engine/operation/capabilities.hpp"
#include "core/image/error.hpp"
#include "ui/models/document/settings.hpp"

namespace parallax::ui {

bool canRun(const Catalog& catalog, const Pipeline& pipeline, const Image& input, const Target& target) {
    Problem problem = makeProblem(input, {}, {});
    for (const Step& step : pipeline.steps) {
        if (!step.enabled) continue;
        problem.parameters = step.parameters;
        try {
            step.operation->check(problem);
        } catch (const Error&) {
            return true;
        }
        // The first that supports it is enough; Catalog::select() would query all of them.
        bool can = false;
        try {
            for (const Implementation* i : catalog.implementations(step.operation->id(), target.backend))
                if ((target.variant.empty() || i->variant() == target.variant) && (can = i->supports(problem).yes)) break;
        } catch (const Error&) {  // unknown backend
        }
        if (!can) return false;
        std::vector<Fact> facts = outputFactsOf(*step.operation, problem);
        problem.shape = step.operation->outputShape(problem);
        problem.facts = std::move(facts);
    }
    return true;
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
        if (backend->availability().yes && backend->id() != kReferenceBackend) return {.backend = backend->id()};
    return {.backend = kReferenceBackend};
}

Target comparisonTarget(const Catalog& catalog, const Pipeline& pipeline, const Image* input, const std::string& other) {
    std::vector<Target> candidates;
    std::optional<Target> reference;
    for (const auto& backend : catalog.backends()) {
        if (!backend->availability().yes || backend->id() == other) continue;
        if (backend->id() == kReferenceBackend) reference = Target{.backend = backend->id()};
        else candidates.push_back({.backend = backend->id()});
    }
    if (reference) candidates.push_back(*reference);
    if (candidates.empty()) return {.backend = other};
    if (input)
        for (const Target& candidate : candidates)
            if (canRun(catalog, pipeline, *input, candidate)) return candidate;
    return candidates.front();
}

}  // namespace parallax::ui
