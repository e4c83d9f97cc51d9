// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backends/mpi/implementations.hpp"

#include <algorithm>

#include "core/image/error.hpp"

namespace parallax {
namespace {

/// Implementations of one operation that ranks can choose from.
class RankedImplementation final : public Implementation {
public:
    RankedImplementation(std::string variant, std::string summary, std::vector<const Implementation*> choice)
        : variant_(std::move(variant)), summary_(std::move(summary)), choice_(std::move(choice)) {}

    std::string operation() const override { return choice_.front()->operation(); }
    std::string variant() const override { return variant_; }
    std::string summary() const override { return summary_; }
    Support supports(const Problem& problem) const override {
        std::string reasons;
        for (const Implementation* i : choice_) {
            const Support support = supportOnRanks(*i, problem);
            if (support) return support;
            reasons += (reasons.empty() ? "" : "; ") + (choice_.size() > 1 ? i->variant() + ": " : std::string()) + support.reason;
        }
        return Support::no(reasons);
    }
    /// Ranks estimate and check their own memory.
    MemoryEstimate estimate(const Problem&) const override { return {}; }
    bool errsLocally(const Problem& problem) const override {
        return std::all_of(choice_.begin(), choice_.end(),
                           [&](const Implementation* i) { return !supportOnRanks(*i, problem) || i->errsLocally(problem); });
    }
    std::unique_ptr<Execution> prepare(const Problem&, RunContext&) const override {
        throw Error(ErrorCode::failed, "Ranks prepare whole pipelines");
    }

private:
    static Support supportOnRanks(const Implementation& i, const Problem& problem) {
        if (Support support = i.supports(problem); !support) return support;
        const Distribution distribution = i.distribution(problem);
        return distribution ? Support() : Support::no(distribution.halo.reason);
    }

    std::string variant_, summary_;
    std::vector<const Implementation*> choice_;
};

}  // namespace

std::vector<std::unique_ptr<Implementation>> describeRanks(std::span<const std::shared_ptr<Backend>> backends) {
    std::vector<std::unique_ptr<Implementation>> all;
    for (const auto& backend : backends) {
        std::vector<const Implementation*> rest = backend->implementations();
        while (!rest.empty()) {
            const std::string operation = rest.front()->operation();
            const auto others =
                std::stable_partition(rest.begin(), rest.end(), [&](const Implementation* i) { return i->operation() == operation; });
            const std::vector<const Implementation*> choice(rest.begin(), others);
            rest.erase(rest.begin(), others);
            all.push_back(std::make_unique<RankedImplementation>(
                backend->id(), "Each rank computes a part of the image with the backend " + backend->id(), choice));
            for (const Implementation* i : choice) {
                if (choice.size() == 1) break;
                all.push_back(std::make_unique<RankedImplementation>(backend->id() + "." + i->variant(), "On ranks: " + i->summary(),
                                                                     std::vector<const Implementation*>{i}));
            }
        }
    }
    return all;
}

std::pair<std::string, std::string> backendAndVariant(const std::string& variant) {
    const auto dot = variant.find('.');
    return {variant.substr(0, dot), dot == std::string::npos ? std::string() : variant.substr(dot + 1)};
}

}  // namespace parallax
