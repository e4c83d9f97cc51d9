// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/backend/catalog.hpp"

#include <algorithm>
#include <utility>

#include "core/engine/backend/ranks_target.hpp"
#include "core/image/error.hpp"
#include "core/image/texts.hpp"
#include "core/parallel/ranks.hpp"

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

/// The item with this id. Throws Error(usage) that lists the known ones.
template <class List>
auto& named(const char* kind, const List& list, std::string_view id) {
    for (const auto& item : list)
        if (item->id() == id) return *item;
    throw Error(ErrorCode::usage, "There is no " + std::string(kind) + " '" + std::string(id) + "'",
                "known are " + joined(list, ", ", [](const auto& item) { return item->id(); }));
}

/// Throws Error(unavailable) if a target names ranks of a backend that is not available.
void requireBackendOfRanks(const Catalog& catalog, const Target& target) {
    if (!runsOnlyWhenNamed(target.backend)) return;
    const std::string name = target.variant.substr(0, target.variant.find('.'));
    for (const auto& b : catalog.backends())
        if (const Availability a = b->id() == name ? b->availability() : Availability{}; !a.yes)
            throw Error(ErrorCode::unavailable, "'" + target.label() + "' cannot do this",
                        "backend '" + name + "' is not available: " + a.reason, a.whatToDo);
}

}  // namespace

std::string toText(const std::vector<std::string>& modes) { return joined(modes, "+"); }

std::string Target::label() const {
    std::string label = backend;
    if (!variant.empty()) label += "." + variant;
    if (!modes.empty()) label += "+" + toText(modes);
    if (parts > 1 || backend == kMpiBackend) label += "@" + std::to_string(parts);
    return label;
}

Target parseTarget(std::string_view text) {
    Target target;
    const auto at = text.find('@');
    const std::string_view name = text.substr(0, at);
    const auto plus = name.find('+');
    const std::string_view plain = name.substr(0, plus);
    const auto dot = plain.find('.');
    target.backend = plain.substr(0, dot);
    if (dot != std::string_view::npos) target.variant = plain.substr(dot + 1);
    bool wrong =
        at != std::string_view::npos && (!parseNumber(text.substr(at + 1), target.parts) || target.parts < 1 || target.parts > kMaxParts);
    wrong = wrong || target.backend.empty() || (dot != std::string_view::npos && target.variant.empty());
    for (auto begin = plus; begin != std::string_view::npos;) {
        const auto next = name.find('+', begin + 1);
        target.modes.emplace_back(name.substr(begin + 1, next == std::string_view::npos ? next : next - begin - 1));
        wrong = wrong || target.modes.back().empty();
        begin = next;
    }
    if (at == std::string_view::npos && target.backend == kMpiBackend) target.parts = defaultRanks(target.variant);
    std::sort(target.modes.begin(), target.modes.end());
    wrong = wrong || std::adjacent_find(target.modes.begin(), target.modes.end()) != target.modes.end();
    if (wrong)
        throw Error(
            ErrorCode::usage, "'" + std::string(text) + "' is not a valid backend name",
            "the form is BACKEND[.VARIANT][+MODE...][@PARTS], as in cuda.tiled, cuda.direct+overlapped+pinned, openmp@2 or mpi.openmp@4");
    return target;
}

Catalog::Catalog(std::vector<std::unique_ptr<Operation>> operations, std::vector<std::shared_ptr<Backend>> backends)
    : operations_(std::move(operations)), backends_(std::move(backends)) {}

const Operation& Catalog::operation(std::string_view id) const { return named("operation", operations_, id); }
const Backend& Catalog::backend(std::string_view id) const { return named("backend", backends_, id); }

const Backend& Catalog::availableBackend(std::string_view id) const {
    const Backend& b = backend(id);
    if (const Availability a = b.availability(); !a.yes)
        throw Error(ErrorCode::unavailable, "Backend '" + b.id() + "' is not available", a.reason, a.whatToDo);
    return b;
}

void Catalog::checkModes(const Target& given) const {
    Target target = given;
    // How ranks exchange halos is up to them, not to the backend.
    if (processRanks() && std::erase(target.modes, kBlockingMode) > 0 && target.parts == 1)
        throw Error(ErrorCode::usage, "'" + given.label() + "' is not a valid backend name", "a single rank exchanges nothing",
                    "Leave the mode 'blocking' out, or compute on several ranks");
    if (target.modes.empty()) return;
    const Backend& b = backend(target.backend);
    const std::vector<ModeInfo> modes = b.modes();
    if (std::any_of(modes.begin(), modes.end(), [&](const ModeInfo& m) { return m.modes == target.modes; })) return;
    if (modes.empty() && !b.availability().yes) return;
    const std::string known = joined(modes, ", ", [](const ModeInfo& m) { return toText(m.modes); });
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
    (void)availableBackend(target.backend);
    const auto candidates = implementations(op.id(), target.backend);
    if (candidates.empty()) throw Error(ErrorCode::unavailable, "Backend '" + target.backend + "' does not implement '" + op.id() + "'");
    std::string reasons;
    bool known = false;
    Selection best;
    int bestRank = 0;
    for (const Implementation* i : candidates) {
        if (!target.variant.empty() && i->variant() != target.variant) continue;
        known = true;
        if (const Support support = i->supports(problem); !support) {
            reasons += (reasons.empty() ? "" : "; ") + i->variant() + ": " + support.reason;
            continue;
        }
        if (!target.variant.empty()) return {i, kAskedFor};
        Preference preference = i->preference(problem, target.device);
        if (best.implementation && preference.rank <= bestRank) continue;
        bestRank = preference.rank;
        best = {i, preference.rank > 0 ? std::move(preference.reason) : kFirstListed};
    }
    if (best.implementation) return best;
    if (!known) requireBackendOfRanks(*this, target);
    if (!known)
        throw Error(ErrorCode::usage, "Backend '" + target.backend + "' has no variant '" + target.variant + "' of '" + op.id() + "'",
                    "known are " + joined(candidates, ", ", &Implementation::variant));
    throw Error(ErrorCode::unavailable, "'" + target.label() + "' cannot do this", reasons,
                "Choose another backend or change the parameters");
}

std::shared_ptr<Backend> makeUnavailableBackend(std::string id, std::string title, Availability reason) {
    return std::make_shared<UnavailableBackend>(std::move(id), std::move(title), std::move(reason));
}

}  // namespace parallax
