// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/convolution/volume/by_axes.hpp"

#include "core/operations/convolution/volume/plan.hpp"

namespace parallax {
namespace {

class ByAxes final : public Implementation {
public:
    ByAxes(std::unique_ptr<Implementation> planar, std::unique_ptr<Implementation> volume)
        : planar_(std::move(planar)), volume_(std::move(volume)) {}

    std::string operation() const override { return planar_->operation(); }
    std::string variant() const override { return planar_->variant(); }
    std::string summary() const override {
        return volume_ ? planar_->summary() + ". With axes=xyz: " + volume_->summary() : planar_->summary();
    }
    Support supports(const Problem& problem) const override {
        if (filtersAcrossSlices(problem) && !volume_)
            return Support::no("The variant '" + variant() + "' filters each slice on its own and has no window in three dimensions");
        return chosen(problem).supports(problem);
    }
    Preference preference(const Problem& problem, int device) const override { return chosen(problem).preference(problem, device); }
    MemoryEstimate estimate(const Problem& problem) const override { return chosen(problem).estimate(problem); }
    RowPadding acceptsPadding(const Problem& problem) const override { return chosen(problem).acceptsPadding(problem); }
    StripSupport strips(const Problem& problem) const override {
        if (filtersAcrossSlices(problem)) return StripSupport::no("With axes=xyz a slice of the result needs those around it");
        return planar_->strips(problem);
    }
    Support slabs(const Problem& problem) const override { return chosen(problem).slabs(problem); }
    Distribution distribution(const Problem& problem) const override {
        if (filtersAcrossSlices(problem)) return {.halo = strips(problem)};
        return planar_->distribution(problem);
    }
    Support recording(const Problem& problem) const override { return chosen(problem).recording(problem); }
    /// Bounds that follow the samples are made plane by plane (HasLocalTolerance), so volumes are held to their largest sample.
    bool errsLocally(const Problem& problem) const override { return !filtersAcrossSlices(problem) && planar_->errsLocally(problem); }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext& context) const override {
        return chosen(problem).prepare(problem, context);
    }

private:
    const Implementation& chosen(const Problem& problem) const {
        if (!filtersAcrossSlices(problem)) return *planar_;
        if (!volume_) throw Error(ErrorCode::unavailable, supports(problem).reason);
        return *volume_;
    }

    std::unique_ptr<Implementation> planar_, volume_;
};

}  // namespace

std::unique_ptr<Implementation> byAxes(std::unique_ptr<Implementation> planar, std::unique_ptr<Implementation> volume) {
    return std::make_unique<ByAxes>(std::move(planar), std::move(volume));
}

}  // namespace parallax
