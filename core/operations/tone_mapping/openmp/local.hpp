// SPDX-License-Identifier: GPL-3.0-or-later
// The surround of each pixel: separable Gaussians, all scales of a tile after another, so that only the luminance is read from memory, and
// a tile ends early when each of its pixels has its surround.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "core/engine/run/run_context.hpp"
#include "core/image/buffer.hpp"
#include "core/operations/convolution/openmp/kernels.hpp"
#include "core/operations/tone_mapping/plan.hpp"
#include "core/primitives/blocks.hpp"

namespace parallax {

class SimdSurround {
public:
    /// A multiple of the rows that the loops of every instruction set do at once.
    static constexpr std::int64_t kBandRows = 48;

    /// Columns [first, last); row r of the band begins at surround + r * stride, chosen + r * stride. `chosen` is the index of the scale,
    /// -1 if even the first one exceeds the threshold; the surround is that of the first one then.
    struct Tile {
        std::int64_t first = 0, last = 0, stride = 0;
        const float* surround = nullptr;
        const float* chosen = nullptr;
    };

    SimdSurround(const ToneMappingPlan& plan, const Shape& shape, int workers);
    ~SimdSurround();
    static std::uint64_t bytes(const ToneMappingPlan& plan, const Shape& shape, int workers);

    /// Rows [-above, own + below) that are used from now on: those of a part of the image, and of other parts around it.
    void use(std::int64_t above, std::int64_t own, std::int64_t below) {
        above_ = above;
        end_ = own + below;
    }
    /// Returns the row of the plane that receives the luminance.
    float* row(std::int64_t y) { return plane_.view<float>().row(y + above_) + margin_; }
    std::int64_t width() const { return width_; }
    std::int64_t stride() const { return plane_.shape().width; }
    /// Fills the columns outside of the image, which repeat those at its edges. Called after the row is written.
    void completeRow(std::int64_t y);

    /// Calls then(tile) for the tiles of a band of at most kBandRows rows. All rows are complete.
    void forTiles(RowRange rows, const ToneConstants& constants, int worker, const RunContext& context,
                  const std::function<void(const Tile&)>& then);

private:
    struct Scratch;
    void blur(RowRange rows, std::int64_t first, std::int64_t columns, std::size_t scale, float* result, Scratch& s) const;

    int scales_;
    double epsilon_;
    std::int64_t width_, margin_;
    std::int64_t above_ = 0, end_;
    std::vector<int> radii_;
    std::vector<std::vector<KernelChunk>> columns_, rows_;  // one a scale
    Buffer plane_;                                          // luminance with margins on the left and right
    std::vector<std::unique_ptr<Scratch>> scratch_;         // one a worker
};

}  // namespace parallax
