// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/bench/targets.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/image/error.hpp"
#include "core/image/texts.hpp"
#include "core/measure/ceilings/ceilings.hpp"

namespace parallax::cli {

/// The first step whose operation lacks the variant of a target.
static const Step* stepWithoutVariant(const Catalog& catalog, const Pipeline& pipeline, const Target& target) {
    for (const Step& step : pipeline.steps) {
        const auto known = catalog.implementations(step.operation->id(), target.backend);
        if (std::none_of(known.begin(), known.end(), [&](const Implementation* i) { return i->variant() == target.variant; })) return &step;
    }
    return nullptr;
}

void checkNames(const Catalog& catalog, const std::vector<NamedPipeline>& recipes, const Target& target) {
    const Backend& backend = catalog.backend(target.backend);
    catalog.checkModes(target);
    if (target.variant.empty() || !backend.availability().yes) return;
    const Step* missing = nullptr;
    for (const NamedPipeline& recipe : recipes) {
        const Step* step = stepWithoutVariant(catalog, recipe.pipeline, target);
        if (!step) return;
        if (!missing) missing = step;
    }
    if (!missing) return;
    throw Error(ErrorCode::usage,
                fmt::format("Backend '{}' has no variant '{}' of '{}'", target.backend, target.variant, missing->operation->id()),
                "known are " + joined(catalog.implementations(missing->operation->id(), target.backend), ", ", &Implementation::variant));
}

std::vector<Target> targetsOf(const Catalog& catalog, const BenchArguments& a, const std::vector<NamedPipeline>& recipes) {
    std::vector<Target> targets;
    bool known = a.target.devices.front() == 0;
    int mostParts = 1;
    for (const std::string& name : a.backends) {
        Target t = a.target.target(name);
        checkNames(catalog, recipes, t);
        const Backend& backend = catalog.backend(t.backend);
        if (backend.availability().yes) {
            const std::vector<DeviceInfo> devices = backend.devices();
            if (std::all_of(devices.begin(), devices.end(), isProcessor)) {
                t.device = 0;
                targets.push_back(std::move(t));
                continue;
            }
        }
        a.target.assignDevices(t);
        known = known || t.device != 0;
        mostParts = std::max(mostParts, t.parts);
        targets.push_back(std::move(t));
    }
    a.target.requireAllUsed(mostParts);
    if (!known) (void)a.target.availableTarget(catalog, a.backends.front());
    return targets;
}

std::string noteOnSweep(const std::string& sweep, const std::vector<NamedPipeline>& recipes) {
    const std::string axis = sweep.substr(0, sweep.find('='));
    const auto dot = axis.find('.');
    if (dot == std::string::npos) return {};
    const std::string key = axis.substr(dot + 1);
    for (const NamedPipeline& recipe : recipes)
        for (const Step& s : recipe.pipeline.steps)
            if (s.operation->id() == axis.substr(0, dot) && s.parameters.isShown(key)) return {};
    return "sweeping '" + axis + "' has no effect with the other parameters; see 'parallax-cli operations " + axis.substr(0, dot) + "'";
}

void checkRequired(const Catalog& catalog, const std::vector<std::string>& required) {
    for (const std::string& name : required) {
        const Target target = parseTarget(name);
        const Backend& b = catalog.backend(target.backend);
        catalog.checkModes(target);
        const Availability a = b.availability();
        if (!a.yes) throw Error(ErrorCode::unavailable, "Required backend '" + name + "' is not available", a.reason, a.whatToDo);
    }
}

}  // namespace parallax::cli
