// SPDX-License-Identifier: GPL-3.0-or-later
// A transform of a volume in slabs along z, each uploaded, computed and downloaded beside its neighbours: for overlap, and for volumes
// larger than the device's memory.
//
// A slab of the analysis makes some coefficients along z of all bands. Its slot holds the slices that these depend on: what the slab before
// it had already is copied on the device, so that each slice goes up once. To the kernels it is a volume of its own, of which the first and
// last coefficients may depend on borders that are none; those are left away. So no kernel knows of slabs, and every coefficient has the
// bits of a transform in one go. The synthesis does the same with coefficients.
//
// Of several levels the finest ones are done in slabs, as few as the memory demands: from the level on whose approximation fits on the
// device with its coefficients, all coarser ones are done there at once. Where not even the first fits, approximations of the levels before
// that one go by way of the host's memory.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "gpu/operations/wavelet/transform.hpp"

namespace parallax::gpu {

/// A slab of one level of one axis, forward: coefficients [first, end) from the samples [from, to) of the finer side, which are counted on
/// beyond the ends where the mode repeats the signal. Inverse: pairs of samples from the coefficients [from, to) of both bands.
struct LevelSlab {
    std::int64_t first = 0, end = 0;
    std::int64_t from = 0, to = 0;
    std::int64_t carried = 0;  ///< of [from, to), from the front: those that the slab before has
    std::int64_t skip = 0;     ///< results before `first` that a transform of [from, to) alone makes in vain
    std::int64_t results() const { return end - first; }
    std::int64_t reads() const { return to - from; }
};
/// Results of a level of an axis of `samples`: coefficients of one band, and pairs of samples.
std::int64_t forwardResults(std::int64_t samples, int taps, ExtensionRule rule);
std::int64_t inverseResults(std::int64_t samples, int taps, ExtensionRule rule);
/// Slabs of these many results each, which are all of them. With a single one nothing is repeated or skipped; short axes have no more.
std::vector<LevelSlab> forwardSlabs(std::int64_t samples, int taps, ExtensionRule rule, std::span<const std::int64_t> sizes);
std::vector<LevelSlab> inverseSlabs(std::int64_t samples, int taps, ExtensionRule rule, std::span<const std::int64_t> sizes);
/// The sample or coefficient that stands for `i`, which may lie beyond the ends, with rules that repeat the signal of n.
std::int64_t repeatedIndex(std::int64_t i, std::int64_t n, ExtensionRule rule, bool forward);

class SlabTransform {
public:
    /// All that is needed is made here. Throws Error(memory) with the bytes if not even single coefficients fit.
    SlabTransform(const WaveletPlan& plan, WaveletVariant variant, const CudaSession& session, bool forward, const StripLimits& limits,
                  std::uint64_t memory);

    const StripPlan& plan() const { return cut_; }
    /// See Execution::runStrip().
    void runStrip(const Strip& strip, const View<const float>& in, const View<float>& out, RunContext& context);

private:
    enum class Kind { planes, slab, gap, deep };
    /// What a strip does. Of a slab `index` counts the slabs of the level; else [first, end) are planes or slices.
    struct Work {
        Kind kind = Kind::planes;
        int level = 0;
        std::size_t index = 0;
        std::int64_t first = 0, end = 0;
        bool computes = false;  ///< of `deep`: forward the first one, inverse the last one
    };
    struct Level {
        std::vector<LevelSlab> slabs;
        std::int64_t width = 0, height = 0;  ///< of the slices of the finer side
        std::int64_t across = 0, down = 0;   ///< of the slices of coefficients, all bands
        std::int64_t fine = 0, coarse = 0;   ///< most slices of either side in a slot
        std::unique_ptr<DeviceTransform> transform;
    };

    const WaveletAxis& axis(std::size_t a) const { return plan_.axes[a]; }
    std::int64_t corner(std::size_t a, int level) const { return plan_.axes[a].offset[static_cast<std::size_t>(level)]; }
    std::int64_t count(std::size_t a, int level) const { return plan_.axes[a].count[static_cast<std::size_t>(level)]; }
    Level makeLevel(int level, std::span<const std::int64_t> sizes) const;
    WaveletPlan levelPlan(int level, const Level& l) const;
    WaveletPlan deepPlan() const;
    WaveletPlan planesPlan(std::int64_t planes) const;
    void cutPlanes(const StripLimits& limits, std::uint64_t memory);
    void cutSlabs(const StripLimits& limits, std::uint64_t memory);
    /// With levels up to `slabLevels_` in slabs: device memory of the execution, and of a slot.
    std::uint64_t measure(std::int64_t wanted, const StripLimits& limits);
    void add(const Work& work, StripPart part);
    void addSlabs(int level, std::int64_t channel);
    void addGaps(int level, std::int64_t channel);
    /// Slices of a strip between the bands, or of the levels that are done at once on the device.
    std::int64_t gapSlices(int level) const;
    std::int64_t deepSlices() const;
    void addDeep(std::int64_t channel);
    /// Boxes of slices [first, end) of the mosaic of a level, which begin at `slot` there; without the corner of the coarser levels where
    /// `low` and there are such.
    void addSlices(std::vector<StripBox>& boxes, int level, std::int64_t channel, std::int64_t first, std::int64_t end, std::int64_t slot,
                   bool low) const;
    void runSlab(const Work& work, const float* in, float* out, RunContext& context, std::int64_t strip);
    void copyCorner(int level, float* slices, float* approximation, std::int64_t count, bool fromSlices) const;

    WaveletPlan plan_;
    WaveletVariant variant_;
    const CudaSession& session_;
    bool forward_;
    StripPlan cut_;
    std::vector<Work> work_;
    int slabLevels_ = 0;         ///< done in slabs; 0: slices are independent of each other
    std::vector<Level> levels_;  ///< index level - 1
    std::map<std::int64_t, std::unique_ptr<DeviceTransform>> planes_;
    std::unique_ptr<DeviceTransform> deep_;
    DeviceBuffer<float> approximation_, coefficients_;  ///< of the deep part
    std::int64_t slotIn_ = 0, slotOut_ = 0;             ///< samples
    const float* before_[2] = {};                       ///< input of the last strips, by the parity of their number
};

}  // namespace parallax::gpu
