// SPDX-License-Identifier: GPL-3.0-or-later
// The oracle: every sample of every ray, serial, in double.
#include "core/operations/render/reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/operations/render/formulas.hpp"
#include "core/operations/render/plan.hpp"

namespace parallax {
namespace {

struct Sample {
    double value = 0;
    bool there = false;  ///< false: too few of its neighbours are finite
};

/// One channel of the volume.
class Volume {
public:
    Volume(const View<const float>& view, const RenderPlan& plan) : view_(view), plan_(plan) {
        const SampleStatistics statistics = computeStatistics(view);
        smallest_ = statistics.min;
        largest_ = statistics.max;
    }
    double smallest() const { return smallest_; }  ///< finite sample; 0 if there is none

    /// Trilinear interpolation at index coordinates.
    Sample at(const double* p) const {
        const std::int64_t size[3] = {view_.shape.width, view_.shape.height, view_.shape.depth};
        std::int64_t index[3][2];
        double weight[3][2];
        for (int a = 0; a < 3; ++a) {
            const double cell = std::floor(p[a]);
            for (int side = 0; side < 2; ++side)
                index[a][side] = std::clamp<std::int64_t>(static_cast<std::int64_t>(cell) + side, 0, size[a] - 1);
            weight[a][1] = p[a] - cell;
            weight[a][0] = 1 - weight[a][1];
        }
        double sum = 0, weights = 0;
        for (int corner = 0; corner < 8; ++corner) {
            const int i = corner & 1, j = corner >> 1 & 1, k = corner >> 2;
            const auto value = static_cast<double>(view_.at(index[0][i], index[1][j], index[2][k]));
            const double w = weight[0][i] * weight[1][j] * weight[2][k];
            if (!std::isfinite(value)) continue;
            sum += w * value;
            weights += w;
        }
        if (weights < static_cast<double>(render::kLeastWeight)) return {};
        return {sum / weights, true};
    }

    /// Light at a sample, from its gradient: differences over two samples of each axis; a neighbour that is not there has its value.
    double shadeAt(const double* p, double value, const double* direction) const {
        double along = 0, squares = 0;
        for (int a = 0; a < 3; ++a) {
            double difference = 0;
            for (const int side : {-1, 1}) {
                double q[3] = {p[0], p[1], p[2]};
                q[a] += side;
                const Sample s = at(q);
                difference += side * (s.there ? s.value : value);
            }
            const double slope = difference / (2 * plan_.frame.spacing[a]);
            along += slope * direction[a];
            squares += slope * slope;
        }
        return render::shade(along, squares, render::softGradient(smallest_, largest_, plan_.finestSpacing));
    }

private:
    View<const float> view_;
    const RenderPlan& plan_;
    double smallest_, largest_;
};

struct Position {
    double p[3];
    Position(const render::RayPath& path, double k) {
        for (int a = 0; a < 3; ++a) p[a] = path.start[a] + k * path.delta[a];
    }
};

double projected(const Volume& volume, const render::RayPath& path, RenderMode mode) {
    double result = 0;
    int count = 0;
    for (int k = 0; k < path.samples; ++k) {
        const Sample s = volume.at(Position(path, k).p);
        if (!s.there) continue;
        if (mode == RenderMode::mean) result += s.value;
        else if (count == 0) result = s.value;
        else result = mode == RenderMode::maximum ? std::max(result, s.value) : std::min(result, s.value);
        ++count;
    }
    if (count == 0) return volume.smallest();
    return mode == RenderMode::mean ? result / count : result;
}

/// Light of the first place on the ray with the value of the threshold; 0 if there is none.
double surfaceLight(const Volume& volume, const render::RayPath& path, double threshold) {
    Sample before;
    for (int k = 0; k < path.samples; ++k) {
        const Sample s = volume.at(Position(path, k).p);
        if (s.there && s.value >= threshold) {
            // The face of the box cuts through what is inside of the surface.
            if (k == 0) return render::shade(path.facing, 1.0, 0.0);
            const double hit = before.there ? k - 1 + (threshold - before.value) / (s.value - before.value) : k;
            return volume.shadeAt(Position(path, hit).p, threshold, path.direction);
        }
        before = s;
    }
    return 0;
}

/// Colours and opacities of all samples, from front to back.
void composite(const Volume& volume, const render::RayPath& path, const RenderPlan& plan, double* colour) {
    const render::TransferTable& table = plan.table;
    double passing = 1;
    for (int k = 0; k < path.samples; ++k) {
        const Position position(path, k);
        const Sample s = volume.at(position.p);
        if (!s.there) continue;
        const double at = std::clamp((s.value - table.low) * table.perUnit, 0.0, static_cast<double>(render::TransferTable::kIntervals));
        const double f = at - std::floor(at);
        const float* const entry = &table.entries[4 * static_cast<std::size_t>(at)];
        const auto mixed = [&](int c) {
            return static_cast<double>(entry[c]) + f * (static_cast<double>(entry[c + 4]) - static_cast<double>(entry[c]));
        };
        const double opacity = mixed(3);
        if (opacity <= 0) continue;
        const double light = plan.parameters.shading ? volume.shadeAt(position.p, s.value, path.direction) : 1;
        for (int c = 0; c < 3; ++c) colour[c] += passing * opacity * light * mixed(c);
        passing *= 1 - opacity;
    }
}

class ReferenceExecution final : public Execution {
public:
    explicit ReferenceExecution(RenderPlan plan) : plan_(std::move(plan)) {}

    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override {
        const View<const float>& in = inputs[0];
        const View<float>& out = outputs[0];
        for (std::int64_t c = 0; c < in.shape.channels; ++c) {
            context.throwIfStopped();
            const Volume volume(in.channel(c), plan_);
            for (std::int64_t y = 0; y < out.shape.height; ++y) {
                for (std::int64_t x = 0; x < out.shape.width; ++x) {
                    context.throwIfStopped();
                    const render::RayPath path = render::pathOf(plan_.frame, x, y);
                    if (plan_.isProjection()) out.at(x, y, 0, c) = static_cast<float>(projected(volume, path, plan_.parameters.mode));
                    else colourPixel(volume, path, out, x, y);
                }
                if (context.progress) context.progress->add(plan_.isProjection() ? 1 : out.shape.channels);
            }
        }
    }

private:
    void colourPixel(const Volume& volume, const render::RayPath& path, const View<float>& out, std::int64_t x, std::int64_t y) const {
        double colour[3] = {};
        if (plan_.parameters.mode == RenderMode::surface) {
            const double light = surfaceLight(volume, path, plan_.parameters.threshold);
            for (int c = 0; c < 3; ++c) colour[c] = light * static_cast<double>(render::surfaceColour(c));
        } else {
            composite(volume, path, plan_, colour);
        }
        for (int c = 0; c < 3; ++c) out.at(x, y, 0, c) = static_cast<float>(colour[c]);
    }

    RenderPlan plan_;
};

class ReferenceRender final : public Implementation {
public:
    std::string operation() const override { return "render"; }
    std::string variant() const override { return "serial"; }
    std::string summary() const override { return "Every sample of every ray, in double precision: the oracle, not a baseline for speed"; }
    Support supports(const Problem&) const override { return {}; }
    MemoryEstimate estimate(const Problem&) const override { return {}; }
    StripSupport strips(const Problem&) const override { return StripSupport::no("Rays cross the whole volume"); }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext&) const override {
        return std::make_unique<ReferenceExecution>(planRender(problem));
    }
};

}  // namespace

std::unique_ptr<Implementation> makeReferenceRender() { return std::make_unique<ReferenceRender>(); }

}  // namespace parallax
