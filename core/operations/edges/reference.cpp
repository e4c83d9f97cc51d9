// SPDX-License-Identifier: GPL-3.0-or-later
// edges / reference: the definition in serial loops. Weights of 0 count as well, so that NaN and infinity spread as in `convolve`.
#include "core/operations/edges/reference.hpp"

#include <algorithm>
#include <cmath>

#include "core/operations/convolution/strips.hpp"
#include "core/operations/edges/plan.hpp"

namespace parallax {
namespace {

class ReferenceExecution final : public RowsExecution<EdgesPlan> {
public:
    using RowsExecution::RowsExecution;

private:
    void runRows(const View<const float>& in, const View<float>& out, const StripPlanes& planes, std::int64_t top,
                 RunContext& context) override {
        const auto forRows = [&](const std::vector<int>& channels, const auto& makeRow) {
            for (const int c : channels)
                for (std::int64_t z = 0; z < in.shape.depth; ++z)
                    for (std::int64_t y = 0; y < out.shape.height; ++y) {
                        context.throwIfStopped();
                        makeRow(y, z, c);
                        if (context.progress) context.progress->add();
                    }
        };
        forRows(planes.copied,
                [&](std::int64_t y, std::int64_t z, int c) { std::copy_n(in.row(y + top, z, c), in.shape.width, out.row(y, z, c)); });
        forRows(planes.filtered, [&](std::int64_t y, std::int64_t z, int c) {
            for (std::int64_t x = 0; x < in.shape.width; ++x) out.at(x, y, z, c) = magnitude(in.channel(c), x, y + top, z);
        });
    }

    float magnitude(const View<const float>& in, std::int64_t x, std::int64_t y, std::int64_t z) const {
        const std::vector<double>&d = plan_.factors.derivative, &s = plan_.factors.smoothing, alone{1};
        const std::vector<double>& alongZ = plan_.acrossSlices ? s : alone;
        const auto slices = static_cast<std::int64_t>(alongZ.size());
        double gx = 0, gy = 0, gz = 0;
        for (std::int64_t k = 0; k < slices; ++k)
            for (std::int64_t j = 0; j < 3; ++j)
                for (std::int64_t i = 0; i < 3; ++i) {
                    const auto u = static_cast<std::size_t>(i), v = static_cast<std::size_t>(j), w = static_cast<std::size_t>(k);
                    const double sample = sampleAt(in, x + i - 1, y + j - 1, z + k - slices / 2);
                    gx += d[u] * s[v] * alongZ[w] * sample;
                    gy += s[u] * d[v] * alongZ[w] * sample;
                    if (plan_.acrossSlices) gz += s[u] * s[v] * d[w] * sample;
                }
        return static_cast<float>(std::sqrt(gx * gx + gy * gy + gz * gz));
    }

    double sampleAt(const View<const float>& in, std::int64_t x, std::int64_t y, std::int64_t z) const {
        const std::int64_t sx = borderIndex(x, in.shape.width, plan_.border), sy = borderIndex(y, in.shape.height, plan_.border),
                           sz = borderIndex(z, in.shape.depth, plan_.border);
        return static_cast<double>(sx < 0 || sy < 0 || sz < 0 ? plan_.borderValue : in.at(sx, sy, sz));
    }
};

class ReferenceEdges final : public EdgesImplementation {
public:
    std::string variant() const override { return "serial"; }
    std::string summary() const override { return "Serial loops in double precision: the oracle, not a baseline for speed"; }
    MemoryEstimate estimate(const Problem&) const override { return {}; }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext&) const override {
        return std::make_unique<ReferenceExecution>(planEdges(problem));
    }
};

}  // namespace

std::unique_ptr<Implementation> makeReferenceEdges() { return std::make_unique<ReferenceEdges>(); }

}  // namespace parallax
