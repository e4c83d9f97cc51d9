// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/backend/catalog.hpp"

#include <algorithm>
#include <utility>

#include "core/image/error.hpp"

namespace parallax {
namespace {

class UnavailableBackend final : public Backend {
public:
    UnavailableBackend(std::string id, std::string title, Availability why)
        : id_(std::move(id)), title_(std::move(title)), why_(std::move(why)) {
        why_.yes = false;
    }
    std::string id() const override { return id_; }
    std::string title() const override { return title_; }
    Availability availability() const override { return why_; }
    std::vector<DeviceInfo> devices() const override { return {}; }
    std::vector<const Implementation*> implementations() const override { return {}; }
    std::unique_ptr<BackendSession> open(const RunContext&) const override {
        throw Error(ErrorCode::unavailable, "Backend '" + id_ + "' is not available", why_.reason, why_.whatToDo);
    }

private:
    std::string id_, title_;
    Availability why_;
};

}  // namespace

std::string toText(const std::vector<std::string>& modes) {
    std::string text;
    for (const std::string& mode : modes) text += (text.empty() ? "" : "+") + mode;
    return text;
}

std::string Target::label() const {
    std::string label = backend;
    if (!variant.empty()) label += "." + variant;
    if (!modes.empty()) label += "+" + toText(modes);
    return label;
}

Target parseTarget(std::string_view name) {
    Target target;
    const auto plus = name.find('+');
    const std::string_view plain = name.substr(0, plus);
    const auto dot = plain.find('.');
    target.backend = plain.substr(0, dot);
    if (dot != std::string_view::npos) target.variant = plain.substr(dot + 1);
    bool wrong = target.backend.empty() || (dot != std::string_view::npos && target.variant.empty());
    for (auto at = plus; at != std::string_view::npos;) {
        const auto next = name.find('+', at + 1);
        target.modes.emplace_back(name.substr(at + 1, next == std::string_view::npos ? next : next - at - 1));
        wrong = wrong || target.modes.back().empty();
        at = next;
    }
    std::sort(target.modes.begin(), target.modes.end());
    wrong = wrong || std::adjacent_find(target.modes.begin(), target.modes.end()) != target.modes.end();
    if (wrong)
        throw Error(ErrorCode::usage, "'" + std::string(name) + "' is not a valid backend name",
                    "the form is BACKEND[.VARIANT][+MODE...], as in cuda.tiled or cuda.direct+overlapped+pinned");
    return target;
}

Catalog::Catalog(std::vector<std::unique_ptr<Operation>> operations, std::vector<std::shared_ptr<Backend>> backends)
    : operations_(std::move(operations)), backends_(std::move(backends)) {}

const Operation& Catalog::operation(std::string_view id) const {
    std::string known;
    for (const auto& o : operations_) {
        if (o->id() == id) return *o;
        known += (known.empty() ? "" : ", ") + o->id();
    }
    throw Error(ErrorCode::usage, "There is no operation '" + std::string(id) + "'", "known are " + known);
}

const Backend& Catalog::backend(std::string_view id) const {
    std::string known;
    for (const auto& b : backends_) {
        if (b->id() == id) return *b;
        known += (known.empty() ? "" : ", ") + b->id();
    }
    throw Error(ErrorCode::usage, "There is no backend '" + std::string(id) + "'", "known are " + known);
}

void Catalog::checkModes(const Target& target) const {
    if (target.modes.empty()) return;
    const Backend& b = backend(target.backend);
    const std::vector<ModeInfo> modes = b.modes();
    if (std::any_of(modes.begin(), modes.end(), [&](const ModeInfo& m) { return m.modes == target.modes; })) return;
    if (modes.empty() && !b.availability().yes) return;
    std::string known;
    for (const ModeInfo& m : modes) known += (known.empty() ? "" : ", ") + toText(m.modes);
    for (const std::string& mode : target.modes) {
        if (std::any_of(modes.begin(), modes.end(), [&](const ModeInfo& m) { return m.modes == std::vector<std::string>{mode}; })) continue;
        throw Error(ErrorCode::usage, "Backend '" + target.backend + "' has no mode '" + mode + "'",
                    known.empty() ? "it has none" : "known are " + known);
    }
    throw Error(ErrorCode::usage, "The modes " + toText(target.modes) + " of backend '" + target.backend + "' cannot be combined",
                "known are " + known);
}

std::vector<const Implementation*> Catalog::implementations(std::string_view operationId, std::string_view backendId) const {
    std::vector<const Implementation*> found;
    const Backend& b = backend(backendId);
    if (!b.availability().yes) return found;
    for (const Implementation* i : b.implementations())
        if (i->operation() == operationId) found.push_back(i);
    return found;
}

Selection Catalog::select(const Operation& op, const Problem& problem, const Target& target) const {
    const Backend& b = backend(target.backend);
    if (const Availability a = b.availability(); !a.yes)
        throw Error(ErrorCode::unavailable, "Backend '" + target.backend + "' is not available", a.reason, a.whatToDo);
    const auto candidates = implementations(op.id(), target.backend);
    if (candidates.empty()) throw Error(ErrorCode::unavailable, "Backend '" + target.backend + "' does not implement '" + op.id() + "'");
    std::string reasons, variants;
    bool known = false;
    Selection best;
    int bestRank = 0;
    for (const Implementation* i : candidates) {
        variants += (variants.empty() ? "" : ", ") + i->variant();
        if (!target.variant.empty() && i->variant() != target.variant) continue;
        known = true;
        const Support support = i->supports(problem);
        if (support) {
            if (!target.variant.empty()) return {i, kAskedFor};
            Preference preference = i->preference(problem, target.device);
            if (best.implementation && preference.rank <= bestRank) continue;
            bestRank = preference.rank;
            best = {i, preference.rank > 0 ? std::move(preference.reason) : kFirstListed};
            continue;
        }
        reasons += (reasons.empty() ? "" : "; ") + i->variant() + ": " + support.reason;
    }
    if (best.implementation) return best;
    if (!known)
        throw Error(ErrorCode::usage, "Backend '" + target.backend + "' has no variant '" + target.variant + "' of '" + op.id() + "'",
                    "known are " + variants);
    throw Error(ErrorCode::unavailable, "'" + target.label() + "' cannot do this", reasons,
                "Choose another backend or change the parameters");
}

std::shared_ptr<Backend> makeUnavailableBackend(std::string id, std::string title, Availability reason) {
    return std::make_shared<UnavailableBackend>(std::move(id), std::move(title), std::move(reason));
}

}  // namespace parallax
